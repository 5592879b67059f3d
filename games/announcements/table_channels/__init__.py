"""The channel of a game: a chat outside of this server with a message that shows the state of the game.

The host connects it (``connection``). The message contains what a spectator is shown (``status_message``). It is posted
once and edited when the public head of the game has moved (``posting``), so it does not change while a reaction is
open. A reminder is a separate message, at most once for each public head, shortly before the public deadline
(``reminding``). It mentions a player by their handle in this chat (``handles``).
"""
