"""The checks of ``darbar doctor``: reasons why a server may not reach its players, as far as this machine can see.

Each check returns findings. A finding describes a fact and, if it is wrong, what to do. ``examine`` runs all checks.
"""
