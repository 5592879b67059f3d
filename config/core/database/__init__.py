"""The database: its connections, its schema and its clock, fast access to rows, and pending work."""
