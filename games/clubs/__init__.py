"""Clubs: accounts that often play with each other, in private games that all members see.

``rights`` says what each role may do. ``founding`` creates, changes and closes a club, ``joining`` admits members by
its link, and ``members`` changes, removes and lists them. ``club_games`` creates and lists a club's games,
``club_channel`` connects the chat in which these games post messages, and ``leaders`` is the leaderboard.

Accounts that are not members cannot see that a club exists, unless they have its link: then they see what they are
invited to.
"""
