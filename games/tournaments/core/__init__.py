"""The published rules of tournaments, as pure functions: pairings, points and standings.

Players are numbers here, in the order in which they entered. ``rounds`` has the data. ``lots`` puts players in an order
that is derived from a seed; its commitment was published before anyone had entered. ``tables`` chooses the number of
tables and seats the players so that few of them meet again. ``scoring`` and ``standings`` count. ``formats`` has a
class for each format, which draws the next round.

The same seed, entries and results always give the same rounds, so anyone who has them can draw every round again.
"""
