"""Export and deletion of an account, and what this app keeps about it."""
