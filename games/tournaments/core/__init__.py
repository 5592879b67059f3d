"""The published rules of a tournament, as pure functions: who plays whom, what a game gives, and who stands where.

People are numbers here, in the order in which they entered. ``rounds`` has the data. ``lots`` orders people by a seed
that was committed to before anybody entered. ``tables`` says how many tables there are, and seats people at them so
that they meet as few others again as can be. ``scoring`` and ``standings`` count. ``formats`` has a class for each
format, which says what the next round is.

The same seed, entries and results give the same rounds: whoever has them can draw every round again.
"""
