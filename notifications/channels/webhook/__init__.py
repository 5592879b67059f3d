"""Webhooks as a channel: who has a program that is told of questions needs no email about them."""
