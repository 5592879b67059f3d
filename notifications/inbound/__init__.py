"""Received email that is not read yet, and reports about email that did not arrive."""
