"""The generated base of the client.

Generated from the documents in docs by clients/python/generate.py: do not edit."""
