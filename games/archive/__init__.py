"""Games that are over: audit, record, replay, ratings; and time stamps of all games.

Player stats:

A game that is over is counted by a task (``games.archive.ratings``), never on the way of a move: one row a seat
(Result: won, place, points, how many questions were answered, how many of them in time), from which PlayerStats
follow, one for each player, game and kind of table. Whoever counts is alone, and the order of the results' ids is the
order of counting, so that ``manage.py rate --again`` makes the same stats anew. Skill is openskill's Plackett-Luce; a
better place beats a worse one, a team is rated together, and where a game names no places the winners beat the rest,
who tie. Tables of people alone and tables with bots are rated apart, and the bots share one record,
whatever their level; a seat that was handed to a bot counts as theirs. Nothing of it changes while a game runs. An
account that is deleted leaves results without a person. ``games.archive.pairs`` finds in the results who plays with
nobody else, and whose ratings move one way; moderators read of it.
"""
