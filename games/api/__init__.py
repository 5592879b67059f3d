"""The API of games, below ``/api/v1/``."""
