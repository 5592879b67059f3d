"""A token has the rights of its scopes only, and a view without required scopes is closed."""

from typing import Any, ClassVar

import pytest
from django.core.exceptions import ImproperlyConfigured
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from accounts.models import Account, Token
from accounts.tokens import ALL, HasScope, issue
from tests.accounts.people import Person, problem
from tests.games.api.conftest import client


class Games(APIView):
    permission_classes: ClassVar = [HasScope]
    required_scopes: ClassVar = {"GET": "games:read", "POST": "games:play"}

    def get(self, request: Request) -> Response:
        return Response("read")

    def post(self, request: Request) -> Response:
        return Response("played")

    def put(self, request: Request) -> Response:
        return Response("forgotten")


@pytest.fixture
def bahareh() -> Account:
    return Account.objects.create_user("bahareh@darbar.example", name="Bahareh")


def ask(method: str, account: Account, token: Any) -> Any:
    request = APIRequestFactory().generic(method, "/")
    force_authenticate(request, account, token)
    return Games.as_view()(request)


def holding(account: Account, *scopes: str) -> Token:
    return issue(account, "test", list(scopes))[0]


def test_each_method_asks_for_its_own_scope(bahareh: Account) -> None:
    reader = holding(bahareh, "games:read", "chat")
    assert [ask(method, bahareh, reader).status_code for method in ("GET", "HEAD", "OPTIONS")] == [200] * 3
    refused = ask("POST", bahareh, reader)
    assert refused.status_code == 403
    assert refused.data["code"] == "forbidden"
    assert "games:play" in refused.data["detail"]


def test_a_person_signed_in_without_a_token_has_every_scope(bahareh: Account) -> None:
    assert ask("POST", bahareh, None).status_code == 200


def test_credentials_of_an_unknown_kind_have_no_scope(bahareh: Account) -> None:
    assert ask("GET", bahareh, object()).status_code == 403


def test_nobody_has_no_scope() -> None:
    assert Games.as_view()(APIRequestFactory().get("/")).status_code == 401


def test_a_method_without_a_scope_is_a_mistake_and_open_to_nobody(bahareh: Account) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"Games\.required_scopes names no known scope for PUT"):
        HasScope().has_permission(_request("PUT", bahareh, holding(bahareh, *ALL)), _view(Games))


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "INITIAL"])
def test_a_method_that_is_not_there_is_told_so(bahareh: Account, method: str) -> None:
    assert ask(method, bahareh, holding(bahareh)).status_code == 405


@pytest.mark.parametrize(("method", "path"), [("patch", "me/"), ("get", "tokens/"), ("delete", "tokens/{id}/")])
def test_the_account_is_closed_to_tokens_for_games(maryam: Person, method: str, path: str) -> None:
    maryam.settle()
    token = maryam.ask_for_token(scopes=["games:read", "games:play", "chat", "webhooks"]).json()
    maryam.show(token["token"])
    body = problem(maryam.send(path.format(id=token["id"]), {}, method), 403, "forbidden")
    assert "account" in body["detail"]
    assert Token.objects.count() == 2


@pytest.mark.parametrize("scope", ALL)
def test_every_token_tells_whose_it_is_and_only_the_scope_account_the_rest(bahareh: Account, scope: str) -> None:
    data = client(bahareh, scope).get("/api/v1/me/").json()
    identity = {"name": "Bahareh", "language": bahareh.language, "is_bot": False, "stream": data["stream"]}
    assert identity.items() <= data.items()
    assert ("email" in data) is ("preferences" in data) is (scope == "account")
    assert scope == "account" or data == identity


def _request(method: str, account: Account, token: Token) -> Request:
    request = Request(APIRequestFactory().generic(method, "/"))
    request.user, request.auth = account, token
    return request


def _view(kind: type[APIView]) -> APIView:
    return kind()
