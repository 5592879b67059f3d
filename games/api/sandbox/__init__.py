"""The sandbox for authors of programs. Exists only if the setting ``SANDBOX`` is on."""
