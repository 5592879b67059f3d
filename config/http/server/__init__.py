"""The HTTP server: connections with limits and deadlines, and the threads for requests."""
