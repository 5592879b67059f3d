"""The open questions of an account, in one game or in all its games."""

from typing import ClassVar
from uuid import UUID

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView
from accounts.web.requests import AccountRequest
from games.api.play import question_json
from games.api.shared.etags import IF_NONE_MATCH
from games.api.shared.long_polling import long_poll
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import QuestionSerializer
from games.visibility.access import access_without_seats

WAIT_FOR_NEWS = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: if there is nothing new, wait for it for up to N seconds, 10 at most.",
)


class Questions(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_questions",
        tags=["play"],
        responses={200: QuestionSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH, WAIT_FOR_NEWS],
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """List your open questions, most urgent first, with the possible answers.

        With `Prefer: wait=N` the request waits until the list differs from the one of `If-None-Match`; without an ETag,
        until there is a question. 304 after that time without a change.
        """
        account = request.user
        return long_poll(request, lambda: question_json.of_account(account), lambda: question_json.mark(account))


class GameQuestions(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_game_questions",
        tags=["play"],
        responses={200: QuestionSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH, WAIT_FOR_NEWS],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """List what this game asks you, with the answers it offers. It waits for a new question as `questions/`
        does."""
        account = request.user
        with refusals_as_problems():
            access_without_seats(account, game)
            return long_poll(
                request, lambda: question_json.of_account(account, game), lambda: question_json.mark(account, game)
            )
