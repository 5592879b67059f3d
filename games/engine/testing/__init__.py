"""Checks a game against the contract, by playing it.

``check(RULES)`` plays random games and looks at every part of the contract on the way. It fails with sentences that
say what is wrong and where. It needs nothing but the engine, so a game of your own package can call it in its tests::

    from games.engine.testing import check

    def test_it_keeps_the_contract():
        check(RULES, catalogues=[Path("locale/fa/LC_MESSAGES/django.mo")])

Games are the same each time: all luck follows from their numbers.

Secrets are examined by comparing states that look the same to a viewer: offers, refusals, words and pictures have to be
the same in both. A game that gives no ``worlds`` is played once more with some draws exchanged. ``check`` warns
(``NotExamined``) if too few such states were found; ``examine`` returns these sentences beside the faults.
"""

from games.engine.testing.checking import ContractBroken, NotExamined, Report, check, examine, find_faults

__all__ = ["ContractBroken", "NotExamined", "Report", "check", "examine", "find_faults"]
