"""Web Push (RFC 8030): a line on the reader's own devices, encrypted for each of them (RFC 8291)."""
