"""Seeks: accounts say what they want to play, and a sweep creates games for accounts that want the same.

A seek has rules, numbers of players, a speed, and required options. Options that it leaves out may have any value.
``new_seek`` checks and stores a seek, ``own_seeks`` lists and withdraws seeks. ``sweep`` runs when a new seek is stored
and every few minutes. It reads the open seeks with the same rules and speed and leaves out those whose owner is away
(``presence``). ``matching`` chooses the seeks that make a game, as pure functions, and ``matched_game`` creates the
game. The game starts immediately and notifies its players, as every game does. An owner is notified when a seek
expires.

Bot accounts have seeks of another kind, which stay in the ``arena``. People never meet them.

The games are public and their players are strangers. An account is never matched with an account that it blocks or that
blocks it, and neither learns about it: such a seek waits and expires like any other. With ``fill_after``, bots take the
free seats once the seek has waited for that time. A game without bots counts for the rating against people.
"""
