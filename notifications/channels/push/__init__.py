"""Web Push (RFC 8030): a short message to the reader's own devices, encrypted for each of them (RFC 8291)."""
