"""Everything that an account says about its person: name, password, time zone, sleep hours. No database.

A name is written in moves and read at tables, so ``accounts.profile.names`` refuses one that reads as notation, and
the database one that another account has: ``folded_name`` is unique (as the notation is read), and so is ``skeleton``,
which all names share that look alike (``accounts.profile.lookalikes``): "Anna" with a Cyrillic А, "Borls" and "Boris",
"A n n a" and "Anna". It does not look at scripts: a name all in Cyrillic, or one with ZWNJ, is as good as any.
``accounts.profile.reserved_names`` keeps words for the server, its moderators and bots: some are in no name
(Moderator, ناظر), others only no name by themselves (bot, مدیر).
"""
