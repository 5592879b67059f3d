"""The games that can be played: one folder each, pure, and the list of them.

docs/games.md says how to write one. Games of other packages are found by their entry points
(``games/rules/registry.py``); one of ours is a folder here, a line in ``games/rules/packages.py`` and its tests.

``games.kit.checking.check(RULES)`` plays a game at random and says in sentences where it does not keep the contract.
``tests/third_game/fist.py`` is a game in one small file. It is played from end to end through API and mail by tests
that touch no other file, and it stands in for a game wherever something above the engine is tested.
"""
