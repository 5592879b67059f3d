"""Faults on a real server while people play on it: ``python -m bench.chaos``."""
