"""Gotify (https://gotify.net/docs/pushmsg): a message to an app on the server that its reader runs."""
