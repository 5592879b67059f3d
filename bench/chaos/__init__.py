"""Faults on a real server that is being played on: ``python -m bench.chaos``."""
