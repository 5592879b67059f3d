"""Sign-up, log-in and codes: allauth without a browser."""
