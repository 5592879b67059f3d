"""Plays a whole game of Coup with the client that openapi-python-client makes: of every answer offered, the first.

Usage: play.py URL TOKEN. Says who has won.
"""

import sys
import uuid
from http import HTTPStatus

from darbar_client import AuthenticatedClient
from darbar_client.api.games import create_game, get_game
from darbar_client.api.play import get_view, list_events, list_questions, send_move
from darbar_client.models import (
    BotRequest,
    CoupView,
    Game,
    GameRequest,
    ListEventsResponse200,
    ListQuestionsResponse200,
    MoveRequest,
    StoredMove,
    TableEventEnded,
)


def opened(client: AuthenticatedClient) -> Game:
    """A table with a bot; asked for twice under one key, it is one table."""
    key = str(uuid.uuid4())
    wish = GameRequest(rules="coup", seat_count=2, bots=[BotRequest()])
    game, again = (create_game.sync(client=client, body=wish, idempotency_key=key) for _ in range(2))
    assert isinstance(game, Game), game
    assert isinstance(again, Game), again
    assert game.id == again.id
    return game


def answer(client: AuthenticatedClient, etag: str | None) -> str:
    """Wait for something new, and answer all of it; gives its ETag."""
    sync_detailed = list_questions.sync_detailed(
        client=client, prefer="wait=5", **({"if_none_match": etag} if etag else {})
    )
    if sync_detailed.status_code == HTTPStatus.OK and isinstance(sync_detailed.parsed, ListQuestionsResponse200):
        for question in sync_detailed.parsed.results:
            answer = MoveRequest(question=question.id, move=question.moves[0].move)
            sent = send_move.sync(client=client, game=question.game, body=answer, prefer="wait=5")
            assert isinstance(sent, StoredMove), sent
    return sync_detailed.headers["ETag"]


def main(url: str, token: str) -> None:
    """Play until the game is over, then read what happened."""
    client = AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
    game = opened(client)
    etag = None
    while game.state == "running":
        etag = answer(client, etag)
        now = get_game.sync(client=client, game=game.id)
        assert isinstance(now, Game), now
        game = now
    view = get_view.sync(client=client, game=game.id)
    assert isinstance(view, CoupView), view
    log = list_events.sync(client=client, game=game.id)
    assert isinstance(log, ListEventsResponse200), log
    ended = [line.event for line in log.results if isinstance(line.event, TableEventEnded)]
    assert ended[0].winners == [view.winner]
    sys.stdout.write(f"seat {view.winner} has won\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
