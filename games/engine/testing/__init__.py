"""Checks a game against the contract, by playing it.

``check(RULES)`` plays random games and looks at every part of the contract on the way. It fails with sentences that
say what is wrong and where. It needs nothing but the engine, so a game of your own package can call it in its tests::

    from games.engine.testing import check

    def test_it_keeps_the_contract():
        check(RULES, catalogues=[Path("locale/fa/LC_MESSAGES/django.mo")])

Games are the same each time: all luck follows from their numbers.
"""

from games.engine.testing.checking import ContractBroken, check, find_faults

__all__ = ["ContractBroken", "check", "find_faults"]
