"""The checks of ``darbar doctor``: what may keep a server from reaching its players, seen from this machine.

Each check returns findings. A finding describes a fact and, if it is wrong, what to do. ``examine`` runs all checks.
"""
