"""Matrix (https://spec.matrix.org/v1.13/client-server-api/): a message to a room."""
