import sys

from darbar_client import Darbar

darbar = Darbar(*sys.argv[1:])
game = darbar.create_game({"rules": "coup", "seat_count": 2, "bots": [{}]})
for question in darbar.questions(game["id"]):
    darbar.answer(question, question["moves"][0])
