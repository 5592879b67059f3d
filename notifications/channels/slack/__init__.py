"""Slack (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): a message to a channel."""
