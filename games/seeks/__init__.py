"""Seeks: people say what they want to play, and a sweep makes games of those who want the same.

A seek names rules, numbers of players, a speed, and the options that have to be so; whatever it does not name may be
either way. ``new_seek`` checks and stores one, ``own_seeks`` lists and withdraws. ``sweep`` looks at the open ones of
the same rules and speed when a new one comes and every few minutes, and leaves out those whose owner is away
(``presence``). ``matching`` is pure: it says which of them make a game. ``matched_game`` makes it. The game begins at
once and tells its players so, as every game does. An owner is told of a seek that lapses.

Bot accounts have seeks of another kind, which stand in the ``arena``; people never meet them.

A game of a seek is public, and its players are strangers: nobody is matched with somebody whom they block, or who
blocks them. They are not told so: a seek that fits only such people waits and lapses like one that fits nobody. With
``fill_after`` bots take the free seats once the seek has waited for so long. A game without bots is rated among
people, as always.
"""
