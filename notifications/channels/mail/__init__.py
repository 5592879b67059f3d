"""Email: the content of messages, and sending them through the mail server."""
