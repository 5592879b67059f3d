"""The sandbox for authors of programs, where the operator has one (``SANDBOX``)."""
