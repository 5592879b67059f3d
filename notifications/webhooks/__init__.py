"""Webhooks: posting stream events to programs of accounts, with the signatures of Standard Webhooks."""
