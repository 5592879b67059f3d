"""The terms of a game: the settings that its players agree on before it starts. Pure: no framework, no clock.

A new term is one field of ``GameTerms``. The API, the page, the event of the game's creation, its record and its check
follow from the field and the ``Term`` beside it.
"""
