"""Clubs: people who play with each other again and again, in private games that all of them see.

``rights`` says what each role may do, and is asked by everything else. ``founding`` creates, changes and closes a club,
``joining`` brings people in by its link, ``members`` has what becomes of them. ``club_games`` is what a club adds to a
game of its own, ``club_channel`` the chat in which these games tell how they stand, ``leaders`` its leaderboard.

To everybody who is not in it a club does not exist, but for its link: whoever has that sees what they are invited to.
"""
