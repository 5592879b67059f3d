"""Reads a server that has grown, with the Python client of openapi-generator. Usage: URL GAME."""

import sys
from uuid import UUID

import openapi_client as darbar

url, id = sys.argv[1], UUID(sys.argv[2])
client = darbar.ApiClient(darbar.Configuration(host=url, access_token="any"))
play, games = darbar.PlayApi(client), darbar.GamesApi(client)
events = [line.event.actual_instance for line in play.list_events(id).results]
print(*(event.type for event in events if isinstance(event, darbar.AnyEvent)))
game = games.get_game(id)
print(game.rules, game.state, len(game.seats))
print(play.get_view(id).actual_instance.rules)
moves = [answer.move.actual_instance for question in play.list_questions().results for answer in question.moves]
print(*(move.type for move in moves if isinstance(move, darbar.AnyMove)))
print(*(rule.name for rule in darbar.RulesApi(client).list_rules().results))
try:
    games.join_game(id, join_request=darbar.JoinRequest())
except darbar.ApiException as error:
    print(error.data.code)
