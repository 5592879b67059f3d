"""Everything about accounts: people, their tokens and the scopes of these."""
