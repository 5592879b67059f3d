"""Discord (https://discord.com/developers/docs/resources/webhook): a message to a channel of Discord."""
