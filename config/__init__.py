"""The project's settings and the processes it runs as."""
