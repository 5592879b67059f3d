"""Sign-up, log-in, sessions, second factors, and codes by email, with allauth."""
