"""The processes of a server: web, worker, mail, stream, and the preparation of the database."""
