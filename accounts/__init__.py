"""Who plays: accounts, their tokens and the scopes of these."""
