"""``darbar games try``: plays the game of a package while its author writes it, on a database that is thrown away.

``supervisor`` runs the database, and starts ``server`` and ``darbar games check`` again when a file changes. ``server``
has URLs of its own: one page with the ordinary page of every seat in a frame. No ordinary server has them.
"""
