"""The published rules of tournaments, as pure functions: pairings, points and standings.

Players are numbers here, in the order in which they entered. The same seed, entries and results always give the same
rounds, so anyone who has them can draw every round again. The commitment to the seed is published before anyone enters.
"""
