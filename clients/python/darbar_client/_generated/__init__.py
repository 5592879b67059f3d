"""The generated base of the client.

Generated from docs/openapi.yaml by clients/python/generate.py: do not edit."""
