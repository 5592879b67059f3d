"""The processes of a server, which ``config.embedded.runner`` starts together."""
