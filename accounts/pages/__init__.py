"""The pages of sign-up, log-in and settings."""
