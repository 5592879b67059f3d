"""The checks of ``darbar doctor``: what stands between a server and its people, seen from this machine.

Each check gives findings. One says what was found, and where that is wrong, what to do. ``examine`` runs all of them.
"""
