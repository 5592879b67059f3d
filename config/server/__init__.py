"""The server: HTTP, processes, embedded services, the command line, documents, and the API description."""
