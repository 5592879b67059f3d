"""Plain data that every part shares: what a message says, when it may go out, reply addresses."""
