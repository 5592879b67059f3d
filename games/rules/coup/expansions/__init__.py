"""The expansions of Coup: the changes of each to the law."""
