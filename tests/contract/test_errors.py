"""The codes of the mistakes in a malformed request: every one that comes is described, and no other."""

import ast
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.urls import get_resolver

from accounts.models import Account
from accounts.web.serializers import StrictModelSerializer, StrictSerializer
from config.server.api_description.codes import ERRORS
from config.server.documents.build import errors_page
from tests.contract.keep import ROOT
from tests.contract.test_contract import DOCUMENT

RAISED_IN = (
    "accounts/api",
    "accounts/local_times.py",
    "accounts/names.py",
    "accounts/tokens.py",
    "accounts/web",
    "config/server/api_description",
    "games/api",
)
POOR_PASSWORDS = ("1234567", "password", "darbar26", "maryamofisfahan")


def raised() -> Iterator[str]:
    """The codes that stand in the code of the API itself."""
    for name in RAISED_IN:
        place = ROOT / name
        for file in place.rglob("*.py") if place.is_dir() else (place,):
            for node in ast.walk(ast.parse(file.read_text())):
                yield from literal_codes(node)


def literal_codes(node: ast.AST) -> Iterator[str]:
    """The code of a mistake that is made here, as an exception or as a part of an answer."""
    match node:
        case ast.Call(func=ast.Name(id=maker) | ast.Attribute(attr=maker), keywords=names) if maker in (
            "ErrorDetail",
            "ValidationError",
        ):
            yield from (keyword.value.value for keyword in names if keyword.arg == "code" and is_text(keyword.value))
        case ast.Dict(keys=[*_, ast.Constant("code"), ast.Constant("detail")], values=[*_, ast.Constant(code), _]):
            yield str(code)


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is a text that stands there."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def of_fields() -> Iterator[str]:
    """The codes with which the fields of requests refuse a value."""
    assert get_resolver().url_patterns, "this imports every view, and so every shape of a request"
    waiting: list[Any] = [
        serializer() for serializer in strict(StrictSerializer) if serializer is not StrictModelSerializer
    ]
    while waiting:
        field = waiting.pop()
        yield from field.error_messages
        yield from (validator.code for validator in field.validators if hasattr(validator, "code"))
        waiting += [inner_field for inner_field in getattr(field, "fields", {}).values() if not inner_field.read_only]
        waiting += [field.child] if hasattr(field, "child") else []


def strict(kind: type[StrictSerializer]) -> Iterator[type[StrictSerializer]]:
    """Every shape of a request or of a query."""
    for subclass in kind.__subclasses__():
        if subclass.__module__.startswith(("accounts.", "games.")):
            yield subclass
        yield from strict(subclass)


def of_passwords() -> Iterator[str]:
    """The codes with which passwords are refused."""
    for password in POOR_PASSWORDS:
        with pytest.raises(ValidationError) as refused:
            validate_password(password, Account(email="maryamofisfahan@darbar.example"))
        yield from (str(error.code) for error in refused.value.error_list)


def test_every_code_of_a_mistake_is_described_and_no_other() -> None:
    codes = {code.replace("_", "-") for code in (*raised(), *of_fields(), *of_passwords())}
    assert codes == ERRORS.keys()


def test_the_description_and_the_page_name_them_all() -> None:
    problem = DOCUMENT["components"]["schemas"]["Problem"]["properties"]
    assert problem["errors"]["items"]["properties"]["code"]["x-extensible-enum"] == list(ERRORS)
    page = errors_page()
    assert all(f"| `{code}` | {meaning} |" in page for code, meaning in ERRORS.items())
