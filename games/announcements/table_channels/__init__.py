"""The channel of a table: a chat outside of this server in which one message says how a game stands.

A host connects it (``connection``). The message says what a spectator is shown (``status_message``). It is posted, and
edited when the public head of the game has moved (``posting``): so nothing that happens in an open window changes it.
A reminder is a message of its own, once for each public head, when the time that everybody knows of is nearly over
(``reminding``). It mentions a player by the handle that they gave for this chat (``handles``).
"""
