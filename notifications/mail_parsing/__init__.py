"""From the bytes of a mail to what its writer wrote. Knows no game."""
