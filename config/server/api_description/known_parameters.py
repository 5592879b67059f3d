"""The refusal of unknown query parameters, so that a misspelt filter is not ignored."""

from functools import cache
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.views import APIView

from config.server.problems import problem_response

_API: Final = "/api/v1/"


class KnownParameters(MiddlewareMixin):
    """Refuses query parameters that an operation of the API does not describe."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Return a refusal if the request has an unknown parameter."""
        if not request.META.get("QUERY_STRING") or not request.path.startswith(_API):
            return None
        method = "get" if request.method == "HEAD" else str(request.method).lower()
        if getattr(getattr(view, "cls", None), method, None) is None:
            return None
        parameters = _described_parameters(view.cls, method)
        unknown = [name for name in request.GET if name not in parameters]
        if not unknown:
            return None
        sentence = _("There is no such parameter here. The parameters are: %(parameters)s.")
        detail = (
            sentence % {"parameters": ", ".join(sorted(parameters))}
            if parameters
            else _("This address takes no parameters: leave it out.")
        )
        errors = [{"parameter": name, "code": "unknown-parameter", "detail": detail} for name in unknown]
        return problem_response(400, "malformed", " ".join(f"{name}: {detail}" for name in unknown), errors)


@cache
def _described_parameters(view: type[APIView], method: str) -> frozenset[str]:
    """Return the query parameters that are described for a method of a view."""
    schema = getattr(getattr(view, method), "kwargs", {}).get("schema")
    if schema is None:
        return frozenset()
    described = schema()
    described.view, described.method = _view_for_schema(view), method.upper()
    names: set[str] = set()
    for parameter in described.get_override_parameters():
        if not isinstance(parameter, OpenApiParameter):
            names.update((parameter() if isinstance(parameter, type) else parameter).fields)
        elif parameter.location == OpenApiParameter.QUERY:
            names.add(parameter.name)
    return frozenset(names)


def _view_for_schema(view: type[APIView]) -> APIView:
    """Return an instance of a view without a request, for its description."""
    instance = view()
    instance.setup(HttpRequest())
    return instance
