"""The API's door to accounts."""
