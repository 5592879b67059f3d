"""Analyses of games that are over: made a decision at a time, kept in rows, and told in words."""
