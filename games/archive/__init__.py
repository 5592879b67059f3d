"""Finished games: audit, records, replay, ratings; and time stamps of all games.

Statistics: a task counts finished games (``games.archive.ratings``), so moves are not slowed down. It stores one row
for each seat (``Result``: won, place, points, number of questions, number answered in time) and updates
``PlayerStats``, one row for each player, game and kind of table. Only one worker counts at a time, and the ids of the
results are in the order of counting, so ``manage.py rate --again`` computes the same statistics again. Skill is
openskill's Plackett-Luce: a better place beats a worse one, teams are rated together, and if a game has no places the
winners beat the others, who tie. Games without bots and games with bots are rated separately. All Darbar bots share one
row, at every level. A seat that was handed to a bot counts for the bot. Nothing changes while a game is running. The
results of a deleted account stay without a person.
"""
