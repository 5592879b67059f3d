"""The embedded services of ``make run``: the runner, PostgreSQL, and a broker made of files."""
