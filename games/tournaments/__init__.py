"""Tournaments: accounts play in rounds, in games that the server creates for them.

A tournament is public or belongs to a club. Only members of the club see its tournaments, their games and the pairings.
The seed is created together with the tournament, and its commitment is published immediately, before anyone has
entered. With a public beacon, the first round also waits for a number that cannot be known earlier. When the tournament
is over the seed is published, and anyone can draw its rounds again.

``rounds.sweep`` checks a tournament when it is due to start, when one of its games is over, and at the end of a round's
time. Each step is one transaction that locks the tournament's row, so concurrent or repeated calls have no further
effect. A round ends when all its games are over, or at its published time: games that are still running then count as a
draw.

A player who is absent loses a game by the terms of that game: a bot takes over, and the player gets the last place. The
same happens when a player leaves the server. After two such games in a row the player is out of the tournament.
"""
