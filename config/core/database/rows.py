"""A fast mapper of rows, for the tables that are read and written with every move. All other code uses the ORM.

A statement inserts, updates or deletes any number of rows of a model. Its text is always the same, so it is prepared
once, and it takes one round trip. The rows are sent as one JSON document, which the server unpacks. That is faster than
binding every value.

The mapper relies on Django's internals: ``_meta.concrete_fields``, ``pk_fields`` and ``attname`` of models, ``_state``
and ``__dict__`` of instances. If Django changes them, the tests of this module fail first.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.base import ModelState

from config.core.database.sql import execute, find

M = TypeVar("M", bound=models.Model)


def fetch(model: type[M], query: str, parameters: Sequence[Any]) -> Iterator[M]:
    """Yield the rows of a query as instances. ``{}`` in the query stands for the model's columns in a table ``row``."""
    instance = Shape.of(model).instance
    return (instance(row) for row in find(_with_columns(model, query), parameters))


def database_of(instances: Iterable[models.Model]) -> str:
    """Return the database from which these instances were read, so that related rows are read there too."""
    # ``_state`` has the database of an instance that was read, and None for a new one.
    (database,) = {instance._state.db or DEFAULT_DB_ALIAS for instance in instances}
    return database


def keep(instance: models.Model, name: str, rows: list[Any]) -> None:
    """Store prefetched rows as the relation ``name`` of an instance, as ``prefetch_related`` does.

    The statements of ``prefetch_related`` itself take four times as long to build.
    """
    # Set the same attributes as ``prefetch_related`` in Django 5.2.
    related = getattr(instance, name).get_queryset()
    related._result_cache, related._prefetch_done = rows, True
    instance.__dict__.setdefault("_prefetched_objects_cache", {})[name] = related


def attach(instance: models.Model, name: str, related: models.Model | None) -> None:
    """Set the relation ``name`` of an instance to a related object, or to None if there is none."""
    # An assignment would call the database router each time, and could not store that a reverse relation has no row.
    instance._state.fields_cache[name] = related


@cache
def _with_columns(model: type[models.Model], query: str) -> str:
    return query.replace("{}", Shape.of(model).columns("row"))


class Shape(Generic[M]):
    """Columns of a model, and the construction of instances from their values."""

    def __init__(self, model: type[M], deferred: Collection[str] = ()) -> None:
        """Take all columns except the ``deferred`` fields, which are read when they are used."""
        fields = [field for field in model._meta.concrete_fields if field.name not in deferred]
        self.width = len(fields)
        self._model = model
        self._fields = fields
        self._names = [field.attname for field in fields]
        self._converted = [(field.attname, convert) for field in fields if (convert := _conversion(field))]

    @classmethod
    def of(cls, model: type[M]) -> "Shape[M]":
        """Return the shape with all columns of a model. It is created once."""
        return _whole_shape(model)

    def columns(self, table: str) -> str:
        """Return the list of columns for a SELECT."""
        return ", ".join(f'{table}."{field.column}"{_as_text(field)}' for field in self._fields)

    def instance(self, row: Iterable[Any]) -> M:
        """Return the instance of a row with these columns, as ``Model.from_db`` does."""
        # Model.__init__ takes as long as the whole query, so its attributes are set here instead.
        instance = self._model.__new__(self._model)
        values = instance.__dict__
        values["_state"] = state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        values.update(zip(self._names, row, strict=False))
        for name, convert in self._converted:
            if (value := values[name]) is not None:
                values[name] = convert(value)
        return instance


@cache
def _whole_shape(model: type[Any]) -> Shape[Any]:
    return Shape(model)


def _as_text(field: Any) -> str:
    return "::text" if isinstance(field, models.JSONField) else ""


def _conversion(field: Any) -> Callable[[Any], Any] | None:
    """Return the function that converts the driver's value to that of the instance, or None if they are the same."""
    if isinstance(field, models.JSONField):
        return getattr(field, "decode", msgspec.json.decode)
    convert = getattr(field, "from_db_value", None)
    return convert and (lambda value: convert(value, None, connection))


def insert(rows: Sequence[models.Model], *, ignore_conflicts: bool = False) -> None:
    """Insert new rows of one model. With ``ignore_conflicts``, skip rows whose key exists already."""
    if rows:
        statement, names = _insert_statement(type(rows[0]), ignore_conflicts)
        execute(statement, [_document(rows, names)])
        for row in rows:
            # Model.save sets these too. Otherwise the next ``save`` would insert the row again.
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def update(rows: Sequence[models.Model], fields: tuple[str, ...]) -> None:
    """Write these fields of existing rows of one model."""
    if rows:
        statement, names = _update_statement(type(rows[0]), fields)
        execute(statement, [_document(rows, names)])


def delete(model: type[models.Model], keys: Iterable[Sequence[Any]]) -> None:
    """Delete the rows with these primary keys, which are lists of values in the order of the key's fields."""
    keys = list(keys)
    if keys:
        statement, names = _delete_statement(model)
        execute(statement, [msgspec.json.encode([dict(zip(names, key, strict=True)) for key in keys]).decode()])


def _document(rows: Sequence[models.Model], names: Sequence[str]) -> str:
    return msgspec.json.encode([{name: row.__dict__[name] for name in names} for row in rows]).decode()


def _fields(model: type[models.Model], names: Iterable[str]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _key(model: type[models.Model]) -> list[Any]:
    return list(model._meta.pk_fields)


def _records(fields: Sequence[Any]) -> str:
    """Return the SQL of the document as a table called ``new``."""
    columns = ", ".join(
        f'"{field.attname}" {"text" if _is_binary(field) else field.db_type(connection)}' for field in fields
    )
    return f"json_to_recordset(%s::json) AS new ({columns})"


def _is_binary(field: Any) -> bool:
    return isinstance(field, models.BinaryField)


def _value(field: Any) -> str:
    return f"decode(new.\"{field.attname}\", 'base64')" if _is_binary(field) else f'new."{field.attname}"'


@cache
def _insert_statement(model: type[models.Model], ignore_conflicts: bool) -> tuple[str, tuple[str, ...]]:
    fields = [field for field in model._meta.concrete_fields if field.has_db_default() or not field.db_returning]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(map(_value, fields))
    statement = f'INSERT INTO "{model._meta.db_table}" ({columns}) SELECT {values} FROM {_records(fields)}'
    if ignore_conflicts:
        statement += " ON CONFLICT DO NOTHING"
    return statement, tuple(field.attname for field in fields)


@cache
def _update_statement(model: type[models.Model], names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    key, fields = _key(model), _fields(model, names)
    assignments = ", ".join(f'"{field.column}" = {_value(field)}' for field in fields)
    statement = f'UPDATE "{model._meta.db_table}" AS row SET {assignments} FROM {_records([*key, *fields])}'
    return f"{statement} WHERE {_equal_keys(key)}", tuple(field.attname for field in (*key, *fields))


@cache
def _delete_statement(model: type[models.Model]) -> tuple[str, tuple[str, ...]]:
    key = _key(model)
    statement = f'DELETE FROM "{model._meta.db_table}" AS row USING {_records(key)} WHERE {_equal_keys(key)}'
    return statement, tuple(field.attname for field in key)


def _equal_keys(key: Sequence[Any]) -> str:
    return " AND ".join(f'row."{field.column}" = new."{field.attname}"' for field in key)
