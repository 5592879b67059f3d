"""Webhooks as a channel: a reader whose program gets questions needs no email about them."""
