"""OAuth 2: how third-party apps get tokens from people who agree (allauth's identity provider)."""
