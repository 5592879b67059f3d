"""Personal tokens, third-party apps, and the scopes of both."""
