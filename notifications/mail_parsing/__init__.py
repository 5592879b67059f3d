"""The parser of email: from bytes to the sender's own text. It knows no game."""
