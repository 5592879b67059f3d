"""The personal data of an account: name, password, time zone, sleep hours. No database access.

Players write names in moves and read them at tables. So ``accounts.profile.names`` refuses a name that reads as
notation, and the database refuses a name that another account has: ``folded_name`` is unique (as the notation is read),
and so is ``skeleton``, which all names share that look alike (``accounts.profile.names``): "Anna" with a Cyrillic
А, "Borls" and "Boris", "A n n a" and "Anna". Any script is accepted, also a name all in Cyrillic, or one with ZWNJ.
``accounts.profile.names`` reserves words for the server, its moderators and bots: some may not occur in any
name (Moderator, ناظر), others may not be a whole name (bot, مدیر).
"""
