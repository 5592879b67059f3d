"""Telegram (https://core.telegram.org/bots/api#sendmessage): a message from a bot of the reader."""
