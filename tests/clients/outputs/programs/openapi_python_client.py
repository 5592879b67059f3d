"""Reads a server that has grown, with the client of openapi-python-client. Usage: URL GAME."""

import sys
from uuid import UUID

from darbar_client import AuthenticatedClient
from darbar_client.api.games import get_game, join_game
from darbar_client.api.play import get_view, list_events, list_questions
from darbar_client.api.rules import list_rules
from darbar_client.models import (
    AnyEvent,
    AnyMove,
    AnyView,
    Game,
    JoinRequest,
    ListEventsResponse200,
    ListQuestionsResponse200,
    ListRulesResponse200,
    Problem,
)

url, id = sys.argv[1], UUID(sys.argv[2])
client = AuthenticatedClient(base_url=url, token="any", raise_on_unexpected_status=True)
page = list_events.sync(client=client, game=id)
assert isinstance(page, ListEventsResponse200), page
print(*(line.event.type_ for line in page.results if isinstance(line.event, AnyEvent)))
game = get_game.sync(client=client, game=id)
assert isinstance(game, Game), game
print(game.rules, game.state, len(game.seats))
view = get_view.sync(client=client, game=id)
assert isinstance(view, AnyView), view
print(view.rules)
sync = list_questions.sync(client=client)
assert isinstance(sync, ListQuestionsResponse200), sync
moves = [answer.move for question in sync.results for answer in question.moves]
print(*(move.type_ for move in moves if isinstance(move, AnyMove)))
games = list_rules.sync(client=client)
assert isinstance(games, ListRulesResponse200), games
print(*(game.name for game in games.results))
refused = join_game.sync(client=client, game=id, body=JoinRequest())
assert isinstance(refused, Problem), refused
print(refused.code)
