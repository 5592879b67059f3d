"""Reads a server that has grown, with the package darbar-client. Usage: URL GAME."""

import sys

from darbar_client import Darbar, Refused

url, game = sys.argv[1:]
with Darbar(url, "any") as darbar:
    print(*(line["event"]["type"] for line in darbar.list_events(game)["results"]))
    table = darbar.get_game(game)
    print(table["rules"], table.get("state"), len(table["seats"]))
    print(darbar.get_view(game)["rules"])
    print(*(answer["move"]["type"] for question in darbar.list_questions()["results"] for answer in question["moves"]))
    print(*(rules["name"] for rules in darbar.list_rules()["results"]))
    try:
        darbar.join_game(game, {})
    except Refused as refused:
        print(refused.code)
