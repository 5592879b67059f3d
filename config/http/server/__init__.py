"""The HTTP server: connections with limits and deadlines, and the way of a request to a thread."""
