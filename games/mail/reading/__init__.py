"""Readers of what people write: pure functions from the lines of a mail to a command, which guess nothing."""
