"""The times in which requests are answered with 503."""
