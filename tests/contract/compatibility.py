"""Checks whether a client of an OpenAPI document still works with a newer one, and describes what would break.

The newer document must accept every request that the former one accepts, and return all fields that it promises. New
operations, optional fields in requests, fields in answers, values and alternatives are allowed, because the description
tells clients to ignore unknown ones.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

_METHODS: Final = ("get", "post", "put", "patch", "delete")
_TIGHTER: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    **dict.fromkeys(("minimum", "minLength", "minItems", "exclusiveMinimum"), lambda old, new: new > old),
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "exclusiveMaximum"), lambda old, new: new < old),
    **dict.fromkeys(("pattern", "format"), lambda old, new: bool(new != old)),
}
"""For each bound: whether a new value is stricter than the old one."""


def breaking(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Everything in ``new`` that would break a client of ``old``, each in a sentence."""
    return list(_Comparison(old, new).breaks())


class _Comparison:
    """Two documents; ``request`` says in which direction a schema is looked at."""

    def __init__(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        self.old, self.new = old, new
        self.seen: set[tuple[str, str, bool]] = set()
        """Pairs of named schemas that were compared already: they may contain themselves."""

    def breaks(self) -> Iterator[str]:
        present = _operations(self.new)
        for where, operation in _operations(self.old).items():
            if where in present:
                yield from self.operation(where, operation, present[where])
            else:
                yield f"{where} is gone"

    def operation(self, where: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{where}: its operationId was {old['operationId']}"
        if _scopes(new) - _scopes(old):
            yield f"{where}: it needs {', '.join(sorted(_scopes(new) - _scopes(old)))}"
        yield from self.parameters(where, _parameters(old), _parameters(new))
        yield from self.body(where, old.get("requestBody"), new.get("requestBody"))
        yield from self.responses(where, old["responses"], new["responses"])

    def parameters(self, where: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        for name, parameter in old.items():
            if name not in new:
                yield f"{where}: the parameter {name} is gone"
            else:
                yield from self.schema(f"{where} {name}", parameter["schema"], new[name]["schema"], request=True)
        for name, parameter in new.items():
            if parameter.get("required") and not old.get(name, {}).get("required"):
                yield f"{where}: the parameter {name} is required"

    def body(self, where: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> Iterator[str]:
        if new is None:
            if old is not None:
                yield f"{where}: it takes no body"
        elif new.get("required") and not (old or {}).get("required"):
            yield f"{where}: the body is required"
        if old and new:
            yield from self.content(f"{where} request", old["content"], new["content"], request=True)

    def responses(self, where: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        for status in old:
            if status[0] in "23":
                if status not in new:
                    yield f"{where}: the answer {status} is gone"
                    continue
                before, after = self.resolved(self.old, old[status]), self.resolved(self.new, new[status])
                for header in before.get("headers", {}).keys() - after.get("headers", {}).keys():
                    yield f"{where} {status}: the header {header} is gone"
                yield from self.content(
                    f"{where} {status}", before.get("content", {}), after.get("content", {}), request=False
                )
        for status in new:
            if status[0] in "23" and status not in old and status != "304":  # which only who asks for it gets
                yield f"{where}: there is a new answer {status}"

    def content(self, where: str, old: Mapping[str, Any], new: Mapping[str, Any], *, request: bool) -> Iterator[str]:
        for media in old:
            if media not in new:
                yield f"{where}: there is no {media}"
            elif "schema" in old[media]:
                yield from self.schema(where, old[media]["schema"], new[media].get("schema", {}), request=request)

    def resolved(self, document: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a value, or the target of its reference."""
        while "$ref" in value:
            schema: Any = document
            for part in value["$ref"].removeprefix("#/").split("/"):
                schema = schema[part]
            value = schema
        return value

    def schema(self, where: str, old: Any, new: Any, *, request: bool) -> Iterator[str]:
        pair = (old.get("$ref", ""), new.get("$ref", ""), request)
        if all(pair[:2]):
            if pair in self.seen:
                return
            self.seen.add(pair)
        old, new = self.resolved(self.old, old), self.resolved(self.new, new)
        yield from self.types(where, old, new, request=request)
        yield from self.values(where, old, new)
        yield from self.properties(where, old, new, request=request)
        if request:
            yield from (
                f"{where}: {bound} is {new[bound]}"
                for bound, tighter in _TIGHTER.items()
                if bound in new and (bound not in old or tighter(old[bound], new[bound]))
            )
        for inner in ("items", "additionalProperties"):
            if isinstance(old.get(inner), dict) and isinstance(new.get(inner), dict):
                yield from self.schema(f"{where}[]", old[inner], new[inner], request=request)
        yield from self.alternatives(where, old, new, request=request)

    def types(self, where: str, old: Any, new: Any, *, request: bool) -> Iterator[str]:
        wider, narrower = (_types(new), _types(old)) if request else (_types(old), _types(new))
        if wider and not narrower <= wider:
            yield f"{where}: it is {_joined(_types(new))}, and was {_joined(_types(old))}"
        elif wider and not narrower:
            yield f"{where}: it is {_joined(_types(new))}"

    def values(self, where: str, old: Any, new: Any) -> Iterator[str]:
        if removed := [value for value in _values(old) if _values(new) and value not in _values(new)]:
            yield f"{where}: there is no {_joined(removed)}"

    def properties(self, where: str, old: Any, new: Any, *, request: bool) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        required, was_required = set(new.get("required", [])), set(old.get("required", []))
        for name in before:
            if name not in after:
                yield f"{where}: {name} is gone"
            else:
                yield from self.schema(f"{where}.{name}", before[name], after[name], request=request)
        if request:
            yield from (f"{where}: {name} is required" for name in sorted(required - was_required))
            if new.get("additionalProperties") is False and old.get("additionalProperties", True) is not False:
                yield f"{where}: other properties are refused"
        else:
            yield from (f"{where}: {name} may be missing" for name in sorted(was_required - required) if name in after)

    def alternatives(self, where: str, old: Any, new: Any, *, request: bool) -> Iterator[str]:
        before, after = _alternatives(old), _alternatives(new)
        if not before and not after:
            return
        before, after = before or {_key(old): old}, after or {_key(new): new}
        for name, schema in before.items():
            if name in after:
                yield from self.schema(f"{where}<{name}>", schema, after[name], request=request)
            else:
                yield f"{where}: there is no alternative {name}"
        if not request and "null" in after and "null" not in before:
            yield f"{where}: it may be null"


def _operations(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{method.upper()} {path}": path_item[method]
        for path, path_item in document["paths"].items()
        for method in _METHODS
        if method in path_item
    }


def _scopes(operation: Mapping[str, Any]) -> set[str]:
    """The scopes of every way in that asks for one; none where one way asks for nothing."""
    ways = operation.get("security", [])
    return set() if {} in ways else {scope for way in ways for scopes in way.values() for scope in scopes}


def _parameters(operation: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{parameter['name']} ({parameter['in']})": parameter for parameter in operation.get("parameters", [])}


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema names; an integer is a number."""
    type_names = schema.get("type", [])
    types = {type_names} if isinstance(type_names, str) else set(type_names)
    return types | {"integer"} if "number" in types else types


def _values(schema: Mapping[str, Any]) -> Collection[Any]:
    return [schema["const"]] if "const" in schema else schema.get("enum", schema.get("x-extensible-enum", []))


def _alternatives(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The alternatives of a union by what tells them apart."""
    if "discriminator" in schema:
        return {name: {"$ref": ref} for name, ref in schema["discriminator"]["mapping"].items()}
    return {_key(alternative): alternative for alternative in [*schema.get("oneOf", []), *schema.get("anyOf", [])]}


def _key(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    return _joined(_types(schema)) or json.dumps(schema, sort_keys=True)


def _joined(values: Collection[Any]) -> str:
    return " or ".join(sorted(map(str, values)))
