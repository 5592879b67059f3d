"""The clients that generators make of the API's description: they compile, and read a server that has grown."""
