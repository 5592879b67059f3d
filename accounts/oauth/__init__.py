"""OAuth 2: tokens for third-party apps, with the consent of a person (allauth's identity provider)."""
