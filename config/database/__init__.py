"""Django's connection, rows by the batch, pending work and the schema's version."""
