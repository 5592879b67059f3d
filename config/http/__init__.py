"""The HTTP layer: the server, the middleware, problems, and the event stream."""
