"""Gotify (https://gotify.net/docs/pushmsg): a message to an app on the reader's own server."""
