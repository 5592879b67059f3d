"""Clubs: accounts that often play with each other, in private games that all members see.

Accounts that are not members cannot see that a club exists, unless they have its link. Then they see its name and its
description.
"""
