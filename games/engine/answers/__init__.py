"""Answers that are put together rather than picked from a list: forms to fill in, and plans."""
