"""The database's schema: the migrations that create it, and its comparison with this program."""
