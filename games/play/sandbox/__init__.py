"""The sandbox for authors of programs (``SANDBOX``): time that passes when they say, and bots that answer as told."""
