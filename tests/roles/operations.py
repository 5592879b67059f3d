"""All operations of the server, found in the URL map, and their request bodies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.urls import URLPattern, URLResolver, get_resolver

_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_PARAMETER: Final = re.compile(r"<(?:(\w+):)?(\w+)>")
_SEVERAL: Final = {"<slug:place>/<uuid:group>/": ("games/<uuid:game>/", "clubs/<uuid:club>/")}
"""Addresses of things of several kinds, as if each kind had its own."""
_ELSEWHERE: Final = ("admin:",)
"""Pages of Django's own admin, which have a test of their own."""


@dataclass(frozen=True)
class Operation:
    """A method of a path."""

    method: str
    name: str
    """The name of its address in the URL map."""
    path: str
    """The path, with parameters as ``{name}``."""
    kinds: tuple[tuple[str, str], ...] = ()
    """The converter and the name of each parameter."""

    @property
    def key(self) -> str:
        """The key for bodies and states."""
        return f"{self.method} {self.name}"

    @property
    def title(self) -> str:
        """The name in the published table."""
        return f"{self.method} {self.path}"

    @property
    def is_api(self) -> bool:
        return self.path.startswith("/api/v1/")

    @property
    def described_path(self) -> str:
        """The path in the API's description, which has one for several kinds of things."""
        chats = "/api/v1/group-chats/"
        return f"{chats}{{place}}/{{group}}/" if self.path.startswith(chats) else self.path

    @property
    def parameters(self) -> list[str]:
        return [name for _, name in self.kinds]


def every_operation() -> list[Operation]:
    """All of them but the admin's, in the order of the URL map."""
    operations = (
        Operation(method, name, _PARAMETER.sub(r"{\2}", path), tuple(_PARAMETER.findall(path)))
        for name, address, view in _walk(get_resolver(), "/", "")
        for path in _each_kind(address)
        for method in _METHODS
        if _takes(view, method)
    )
    return list(dict.fromkeys(operation for operation in operations if not operation.name.startswith(_ELSEWHERE)))


def admin_paths() -> list[str]:
    """The paths of the admin's pages, with 1 for each parameter."""
    paths = [path for name, path, _ in _walk(get_resolver(), "/", "") if name.startswith(_ELSEWHERE)]
    return [_PARAMETER.sub("1", path) for path in paths if "(" not in path]


def _each_kind(address: str) -> list[str]:
    for end, kinds in _SEVERAL.items():
        if address.endswith(end):
            return [address.removesuffix(end) + kind for kind in kinds]
    return [address]


def _walk(resolver: URLResolver, prefix: str, namespace: str) -> Iterator[tuple[str, str, Any]]:
    for pattern in resolver.url_patterns:
        path = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}", path, pattern.callback
        else:
            yield from _walk(pattern, path, f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace)


def _takes(view: Any, method: str) -> bool:
    """Return whether a view has this method; of a function it is found out by asking it, with GET and POST."""
    kind = getattr(view, "cls", None) or getattr(view, "view_class", None)
    if kind is None:
        return method in ("GET", "POST")
    return method.lower() in kind.http_method_names and hasattr(kind, method.lower())
