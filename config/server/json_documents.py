"""The parser of JSON requests, which refuses deep nesting and duplicate members, and the answer to OPTIONS."""

import json
from collections.abc import Mapping
from typing import IO, Any, Final

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.metadata import BaseMetadata
from rest_framework.parsers import JSONParser

from games.phrases import number

DEEPEST: Final = 20
"""The largest depth of nested lists and objects."""


class NoMetadata(BaseMetadata):
    """Answers OPTIONS with an empty document. The header ``Allow`` names the methods."""

    def determine_metadata(self, request: Any, view: Any) -> dict[str, Any]:
        return {}


class ShallowJSONParser(JSONParser):
    """Parses JSON that is not nested deeply. Deep documents are expensive, and no endpoint needs them."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            document = json.loads(stream.read(), object_pairs_hook=_unique, parse_constant=_refuse_constant)
            # Raises ValueError for half of a surrogate pair, which cannot be stored, compared or quoted in an answer.
            json.dumps(document, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_too_deep()) from None
        except ValueError as error:
            raise ParseError(_("This isn’t valid JSON: %(why)s.") % {"why": error}) from error
        if _nests(document, DEEPEST):
            raise ParseError(_too_deep())
        return document


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object. Raises ParseError for a duplicate member, because parsers disagree about its value."""
    document = dict(members)
    if len(document) < len(members):
        names = [member[0] for member in members]
        twice = next(name for name in names if names.count(name) > 1)[:100].encode(errors="replace").decode()
        raise ParseError(_("The key “%(name)s” appears twice in one object. Send it once.") % {"name": twice})
    return document


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _too_deep() -> str:
    sentence = _("Lists and objects are nested more than %(most)s levels deep. Send fewer levels.")
    return sentence % {"most": number(DEEPEST)}


def _nests(value: Any, most: int) -> bool:
    """Return True if lists and objects are nested deeper than ``most``."""
    if not isinstance(value, list | dict):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_nests(item, most - 1) for item in inner)
