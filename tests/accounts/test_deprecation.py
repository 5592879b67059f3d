"""An operation that will go away says so in its answers and in the description."""

from datetime import date
from typing import Any

from django.test import RequestFactory
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from accounts.web.api_view import PublicApiView, deprecated
from config.urls import urlpatterns as served


class Old(PublicApiView):
    """Something that will go away."""

    @deprecated(since=date(2027, 1, 1), until=date(2027, 7, 1), instead="list_games")
    @extend_schema(operation_id="list_old", tags=["games"], responses={200: {"type": "object"}})
    def get(self, request: Any) -> Response:
        """Return the response of a deprecated operation."""
        return Response({})


def test_answers_of_a_deprecated_operation_name_its_dates() -> None:
    answer = Old.as_view()(RequestFactory().get("/api/v1/old/"))
    assert answer.status_code == 200
    assert answer["Deprecation"] == "@1798761600"
    assert answer["Sunset"] == "Thu, 01 Jul 2027 00:00:00 GMT"


def test_the_description_marks_it_and_names_what_to_use_instead() -> None:
    document = SchemaGenerator(patterns=[*served, *urlpatterns]).get_schema(request=None, public=True)
    operation = document["paths"]["/api/v1/old/"]["get"]
    assert operation["deprecated"] is True
    assert "use `list_games`. It is there until 2027-07-01." in operation["description"]
    assert {"Deprecation", "Sunset"} <= set(operation["responses"]["200"]["headers"])


urlpatterns = [path("api/v1/old/", Old.as_view())]
