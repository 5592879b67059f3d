"""The sandbox for authors of programs (setting ``SANDBOX``): time that passes on request, and scripted bots."""
