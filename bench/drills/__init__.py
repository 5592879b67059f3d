"""Drills of the operator: a pooler, a major upgrade and a restore, on real servers that are played on."""
