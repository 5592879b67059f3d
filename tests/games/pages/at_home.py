"""A browser without scripts for tests: it fills in and sends the forms of a page."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Account

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})


def writing(queries: CaptureQueriesContext) -> list[str]:
    """The statements that write, but for the one that counts the request."""
    sqls = [query["sql"] for query in queries if not query["sql"].lstrip("( \n").startswith("SELECT")]
    return [statement for statement in sqls if "accounts_allowance" not in statement]


class Page(HTMLParser):
    """A page taken apart: its elements in their order, its forms, its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.forms: list[dict[str, Any]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.astray: list[str] = []
        """Elements that were closed but not open, or never closed."""
        self._select = ""
        self.feed(html)
        self.close()
        self.astray += self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "form":
            self.forms.append(
                {"action": attributes.get("action", ""), "method": attributes.get("method", "get"), "fields": {}}
            )
        self._field(tag, attributes)

    def _field(self, tag: str, attributes: dict[str, str]) -> None:
        """Record the value that a form sends if the field is not changed."""
        if tag == "select":
            self._select = attributes.get("name", "")
        elif tag == "option" and self._select and self.forms:
            fields = self.forms[-1]["fields"]
            if "selected" in attributes or self._select not in fields:
                fields[self._select] = attributes.get("value", "")
        elif tag in ("input", "textarea") and self.forms and "name" in attributes:
            box = attributes.get("type") in ("checkbox", "radio")
            sent = {attributes["name"]: attributes.get("value", "on" if box else "")}
            self.forms[-1]["fields"] |= {} if box and "checked" not in attributes else sent

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.astray.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.words.append(data)

    @property
    def text(self) -> str:
        """Return the visible text with single spaces."""
        return " ".join("".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of all elements of this name."""
        return [attributes for name, attributes in self.elements if name == tag]

    def form(self, action: str) -> dict[str, str]:
        """Return the fields of the form with this ``action``, or of the form without one if it is blank."""
        return next(form["fields"] for form in self.forms if form["action"] == action)


class Visitor:
    """A visitor who opens pages and sends their forms."""

    def __init__(self, account: Account | None = None, language: str = "en") -> None:
        self.client = Client(enforce_csrf_checks=True, headers={"Accept-Language": language})
        self.loads = 0
        """The number of pages that were loaded."""
        self.path = ""
        self.status = 0
        self.page = Page("")
        if account is not None:
            self.client.force_login(account)

    def go(self, path: str, status: int = 200) -> Page:
        """Open a page."""
        return self._arrive(self.client.get(path), path, status)

    def send(self, action: str = "", status: int = 200, **filled: Any) -> Page:
        """Fill in the form of the page that goes to ``action``, send it, and follow to where it leads."""
        fields = {**self.page.form(action), **{name.replace("__", "-"): value for name, value in filled.items()}}
        fields = {name: value for name, value in fields.items() if value is not None}
        return self._arrive(self.client.post(action or self.path, fields), action or self.path, status)

    def _arrive(self, answer: Any, path: str, status: int) -> Page:
        while answer.status_code in (302, 303):
            path = answer.headers["Location"]
            answer = self.client.get(path)
        self.loads += 1
        assert answer.status_code == status, (path, answer.status_code, answer.content[:2000])
        self.path, self.status, self.answer = path, answer.status_code, answer
        self.page = Page(answer.content.decode())
        return self.page
