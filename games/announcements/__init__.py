"""What a game tells its people, and what each message says."""
