"""Players, and what somebody wants to hear and when."""
