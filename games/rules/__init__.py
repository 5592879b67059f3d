"""The games that can be played: one folder each, pure, and the list of them.

A new game is a folder in ``games/rules/``, a line in ``games/rules/registry.py`` and its tests; nothing above the
engine changes.

1. Types. Options, state and view are frozen ``msgspec.Struct``s; moves subclass ``Move``, with the verb of the
   notation as their tag; events subclass ``Event``, and every fact that somebody may not know has a type with ``|
   None``.
2. Functions after ``games.engine.rules.Rules``: ``setup`` and ``decide`` give events and take their luck from the
   chance they are handed; ``evolve`` folds events, shown ones too; ``questions`` says who is asked, under an id that
   is used once; ``legal_moves`` lists the answers; ``default_move`` and ``resign`` are for clocks and leavers.
3. The gate. ``show`` names what each viewer may know of each event. What is not named is hidden. A later event says
   what becomes public later.
4. Words: phrases marked ``gettext_noop``, a vocabulary, and ``read_move`` for the parser; ``python -m
   tests.catalogues`` brings them into the catalogues. The story is told to its reader (``Told``), each event by itself
   (``one_by_one``) or what belongs together in one sentence. ``why_illegal`` says why a move is refused.
5. As you like: ``bot_move``, ``picture``, ``worlds``, ``play``, and for the page of a game that is over
   ``turning_point`` and the words ``hands``; the engine has a default for each. For a rules
   page of its own ``games/templates/games/rules/<name>.<language>.html``, with ``figures`` (SVG) and ``facts`` (what
   the page counts, so that it cannot say otherwise than the law); without them the page at ``/rules/<name>/`` shows
   the summary card.
6. ``RULES`` in the folder's ``__init__.py``, and its line in the registry. From then on the API describes its options
   and moves, emails tell its story, timeouts make its default moves and bots sit at its tables.

``games.engine.testing.check(RULES)`` plays it at random and says in sentences where it does not keep the contract.
``tests/third_game/fist.py`` is such a game in one small file. It is played from end to end through API and mail by
tests that touch no other file, and it stands in for a game wherever something above the engine is tested.
"""
