"""All refusals are problem details."""

import re
from typing import Any

import pytest
from django.core.exceptions import DisallowedHost
from django.http import Http404
from django.test import RequestFactory
from django.utils.translation import override
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from accounts.api.shared.description import translate_errors
from accounts.blocks import TooManyPeople
from accounts.tokens import TooManyTokens
from config.server import problems
from tests.examples import for_each


class Closed(exceptions.APIException):
    status_code = 409
    default_code = "question-closed"
    default_detail = "Kaveh was first."


class Locked(exceptions.APIException):
    status_code = 409
    default_code = "something_else"
    default_detail = "Not now."


class Guests(serializers.Serializer[Any]):
    name = serializers.CharField()


class Table(serializers.Serializer[Any]):
    seat_count = serializers.IntegerField(max_value=6)
    guests = Guests(many=True)

    def validate(self, attrs: Any) -> Any:
        raise serializers.ValidationError("Too few.")


def answer_to(error: Exception) -> Response:
    """Return the response of a view that raises ``error``."""

    class View(APIView):
        authentication_classes = ()
        permission_classes = ()
        throttle_classes = ()

        def post(self, request: Any) -> Response:
            raise error

    response = View.as_view()(APIRequestFactory().post("/api/v1/x/"))
    response.render()
    return response


@for_each(
    "error, status, code",
    [
        (exceptions.ParseError("Not JSON."), 400, "malformed"),
        (exceptions.ValidationError("Too few."), 400, "malformed"),
        (exceptions.NotAuthenticated(), 403, "unauthenticated"),
        (exceptions.AuthenticationFailed(), 403, "unauthenticated"),
        (exceptions.PermissionDenied(), 403, "forbidden"),
        (exceptions.NotFound(), 404, "not-found"),
        (Http404("secret table"), 404, "not-found"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method-not-allowed"),
        (exceptions.NotAcceptable(), 406, "not-acceptable"),
        (exceptions.UnsupportedMediaType("text/plain"), 415, "unsupported-media-type"),
        (exceptions.Throttled(30), 429, "rate-limited"),
        (Closed(), 409, "question-closed"),
        (Locked(), 409, "conflict"),
    ],
)
def test_each_refusal_has_its_code_and_the_media_type_of_problems(error: Exception, status: int, code: str) -> None:
    response = answer_to(error)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert (response.status_code, response.data["status"], response.data["code"]) == (status, status, code)
    assert response.data["type"] == f"urn:darbar:problem:{code}"
    assert response.data["title"] == str(problems.TITLES[code])
    assert isinstance(response.data["detail"], str)
    assert response.data["detail"]
    assert "secret" not in response.rendered_content.decode()


@pytest.mark.filterwarnings("ignore")
def test_what_nobody_expected_gives_nothing_away() -> None:
    response = answer_to(RuntimeError("the seed is 1234"))
    assert response.status_code == 500
    assert response.data["code"] == "error"
    assert "seed" not in response.rendered_content.decode()


def test_every_wrong_field_is_pointed_at() -> None:
    table = Table(data={"seat_count": 9, "guests": [{"name": "Maryam"}, {}]})
    assert not table.is_valid()
    data = answer_to(exceptions.ValidationError(table.errors)).data
    assert {(error["pointer"], error["code"]) for error in data["errors"]} == {
        ("#/seat_count", "max-value"),
        ("#/guests/1/name", "required"),
    }
    assert "guests.1.name: " in data["detail"]


def test_what_is_wrong_with_the_whole_points_at_the_whole() -> None:
    table = Table(data={"seat_count": 3, "guests": []})
    assert not table.is_valid()
    data = answer_to(exceptions.ValidationError(table.errors)).data
    assert data["errors"] == [{"pointer": "#", "code": "invalid", "detail": "Too few."}]
    assert data["detail"] == "Too few."


def test_a_refusal_says_when_to_come_back() -> None:
    assert answer_to(exceptions.Throttled(30)).headers["Retry-After"] == "30"


@pytest.mark.parametrize(
    ("handler", "status"),
    [
        (lambda request: problems.bad_request(request, DisallowedHost()), 400),
        (lambda request: problems.permission_denied(request, Exception("no")), 403),
        (lambda request: problems.page_not_found(request, Http404()), 404),
        (problems.server_error, 500),
    ],
)
def test_outside_any_view_the_api_answers_with_problems_and_pages_with_pages(handler: Any, status: int) -> None:
    api = handler(RequestFactory().get("/api/v1/nowhere/"))
    assert (api.status_code, api.headers["Content-Type"]) == (status, "application/problem+json")
    page = handler(RequestFactory().get("/nowhere/"))
    assert page.status_code == status
    assert page.headers["Content-Type"].startswith("text/html")


@pytest.mark.parametrize(("language", "title"), [("en", "Invalid request"), ("fa", "درخواست نادرست است")])
def test_the_title_of_a_value_out_of_range_says_no_more_than_that_the_request_is_wrong(
    language: str, title: str
) -> None:
    """D12: a title agrees with its detail; a number that is too great could be read."""
    with override(language):
        response = answer_to(exceptions.ValidationError({"seats": ["From 2 to 10."]}))
    assert (response.data["code"], response.data["title"]) == ("malformed", title)


@pytest.mark.parametrize("error", [TooManyTokens, TooManyPeople])
def test_a_limit_stands_in_persian_digits_in_a_persian_sentence(error: type[Exception]) -> None:
    with override("fa"), pytest.raises(exceptions.APIException) as problem, translate_errors():
        raise error
    assert not re.search("[0-9]", str(problem.value.detail))
    assert re.search("[۰-۹]", str(problem.value.detail))
