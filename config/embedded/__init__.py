"""The services that ``make run`` brings: the runner, PostgreSQL, and a broker made of files."""
