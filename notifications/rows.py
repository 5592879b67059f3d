"""Rows by the batch: many of a model in one statement, whose text is the same for any number of them.

So it is prepared once and costs one journey, however many rows there are. They travel as one JSON document, which the
server takes apart: that is quicker than binding each value by itself.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from django.db import connection, models

M = TypeVar("M", bound=models.Model)


def fetch(model: type[M], query: str, parameters: Sequence[Any]) -> list[M]:
    """What ``query`` finds, as instances. ``{}`` in it stands for the model's columns, in the table called ``row``."""
    names, converters = _loading(model)
    with connection.cursor() as cursor:
        cursor.execute(query.replace("{}", columns(model)), parameters)
        return [model.from_db(connection.alias, names, converted(row, converters)) for row in cursor]


@cache
def columns(model: type[models.Model], table: str = "row") -> str:
    """The model's columns, as a statement lists them."""
    return ", ".join(f'{table}."{field.column}"' for field in model._meta.concrete_fields)


def converted(row: Sequence[Any], converters: Sequence[tuple[int, Any]]) -> Sequence[Any]:
    """A row with those columns converted that the driver gives otherwise than the model has them."""
    if not converters:
        return row
    values = list(row)
    for place, convert in converters:
        values[place] = convert(values[place], None, connection)
    return values


@cache
def _loading(model: type[models.Model]) -> tuple[list[str], list[tuple[int, Any]]]:
    """The names of the model's columns, and which are converted how."""
    fields = model._meta.concrete_fields
    converters = [
        (place, convert)
        for place, field in enumerate(fields)
        for convert in [getattr(field, "from_db_value", None)]
        if convert is not None
    ]
    return [field.attname for field in fields], converters


def insert(rows: Sequence[models.Model], conflict: str = "") -> None:
    """Insert new rows, all of one model. ``conflict`` is what follows ON CONFLICT."""
    if rows:
        model = type(rows[0])
        statement, names = _inserting(model)
        _execute(f"{statement} {conflict and 'ON CONFLICT ' + conflict}", _document(rows, names))


def update(rows: Sequence[models.Model], fields: tuple[str, ...]) -> None:
    """Write some fields of rows that there are, all of one model."""
    if rows:
        statement, names = _updating(type(rows[0]), fields)
        _execute(statement, _document(rows, names))


def delete(model: type[models.Model], keys: Iterable[Sequence[Any]]) -> None:
    """Delete the rows with these keys, each in the order of the key's fields."""
    keys = list(keys)
    if keys:
        statement, names = _deleting(model)
        _execute(statement, msgspec.json.encode([dict(zip(names, key, strict=True)) for key in keys]).decode())


def _execute(statement: str, document: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, [document])


def _document(rows: Sequence[models.Model], names: Sequence[str]) -> str:
    return msgspec.json.encode([{name: getattr(row, name) for name in names} for row in rows]).decode()


def _fields(model: type[models.Model], names: Iterable[str]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _key(model: type[models.Model]) -> list[Any]:
    return list(model._meta.pk_fields)


def _records(fields: Sequence[Any]) -> str:
    """The document as a table called ``new``."""
    listed = ", ".join(
        f'"{field.attname}" {"text" if _binary(field) else field.db_type(connection)}' for field in fields
    )
    return f"json_to_recordset(%s::json) AS new ({listed})"


def _binary(field: Any) -> bool:
    return isinstance(field, models.BinaryField)


def _value(field: Any) -> str:
    return f"decode(new.\"{field.attname}\", 'base64')" if _binary(field) else f'new."{field.attname}"'


@cache
def _inserting(model: type[models.Model]) -> tuple[str, tuple[str, ...]]:
    fields = [each for each in model._meta.concrete_fields if not each.db_returning]
    named = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(map(_value, fields))
    statement = f'INSERT INTO "{model._meta.db_table}" ({named}) SELECT {values} FROM {_records(fields)}'
    return statement, tuple(field.attname for field in fields)


@cache
def _updating(model: type[models.Model], names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    key, fields = _key(model), _fields(model, names)
    written = ", ".join(f'"{field.column}" = {_value(field)}' for field in fields)
    statement = f'UPDATE "{model._meta.db_table}" AS row SET {written} FROM {_records([*key, *fields])}'
    return f"{statement} WHERE {_same(key)}", tuple(field.attname for field in (*key, *fields))


@cache
def _deleting(model: type[models.Model]) -> tuple[str, tuple[str, ...]]:
    key = _key(model)
    statement = f'DELETE FROM "{model._meta.db_table}" AS row USING {_records(key)} WHERE {_same(key)}'
    return statement, tuple(field.attname for field in key)


def _same(key: Sequence[Any]) -> str:
    return " AND ".join(f'row."{field.column}" = new."{field.attname}"' for field in key)
