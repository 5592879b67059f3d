"""Rows by the batch: many of a model in one statement, whose text is the same for any number of them.

So it is prepared once and costs one journey, however many rows there are. They travel as one JSON document, which the
server takes apart: that is quicker than binding each value by itself.

It is a small mapper of rows beside Django's, and the only one: for what is read and written with every move. All else
goes through Django's own. It relies on what Django keeps of models (``_meta.concrete_fields``, ``pk_fields``,
``attname``) and of instances (``_state``, values in ``__dict__``); if Django changes these, its tests fail first.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.base import ModelState
from psycopg.pq import Format

M = TypeVar("M", bound=models.Model)


@contextmanager
def one_journey() -> Iterator[None]:
    """Send statements one after the other, and wait for the first answer that somebody reads; in a transaction only.

    An error comes to light with what is read next, or at the end of the block. Nothing in it may ask how many rows it
    has changed, as ``Model.save`` does: that is not known yet.
    """
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def find(query: str, parameters: Sequence[Any] | Mapping[str, Any], database: str = DEFAULT_DB_ALIAS) -> Iterator[Any]:
    """The rows that ``query`` finds: it is sent now, and waited for when they are looked at.

    They come in the driver's binary format, which compiled code reads; what is kept as ``jsonb`` is to be read as text.
    """
    cursor = connections[database].cursor()
    cursor.cursor.format = Format.BINARY
    cursor.execute(query, parameters)
    return _read(cursor)


def _read(cursor: Any) -> Iterator[Any]:
    yield from cursor.fetchall()


def array(values: Iterable[Any]) -> str:
    """Ids as PostgreSQL writes an array: quicker than the driver does, which looks at each by itself."""
    return f"{{{msgspec.json.encode([*values]).decode()[1:-1]}}}"


def fetch(model: type[M], query: str, parameters: Sequence[Any], database: str = DEFAULT_DB_ALIAS) -> Iterator[M]:
    """Yield what ``find`` does, as instances. ``{}`` in it stands for the model's columns, in the table
    called ``row``.
    """
    made = Shape.of(model).made
    return (made(row, database) for row in find(_listing(model, query), parameters, database))


def database_of(instances: Iterable[models.Model]) -> str:
    """Return the database from which these were read: what belongs to them is read there too."""
    # ``_state`` says where an instance was read; of one that was made here it says nothing.
    (database,) = {instance._state.db or DEFAULT_DB_ALIAS for instance in instances}
    return database


def keep(instance: models.Model, name: str, rows: list[Any]) -> None:
    """Let ``instance`` have these rows at hand as its relation ``name``, as ``prefetch_related`` does.

    Its own statements take four times as long to build.
    """
    # What ``prefetch_related`` sets, in the names of Django 5.2.
    related = getattr(instance, name).get_queryset()
    related._result_cache, related._prefetch_done = rows, True
    instance.__dict__.setdefault("_prefetched_objects_cache", {})[name] = related


@cache
def _listing(model: type[models.Model], query: str) -> str:
    return query.replace("{}", Shape.of(model).columns("row"))


class Shape(Generic[M]):
    """Some columns of a model, and how to make instances of what they hold."""

    def __init__(self, model: type[M], but: Collection[str] = ()) -> None:
        """All columns ``but`` those of these fields, which are read when somebody asks for them."""
        fields = [field for field in model._meta.concrete_fields if field.name not in but]
        self.width = len(fields)
        self._model = model
        self._fields = fields
        self._names = [field.attname for field in fields]
        self._converted = [(field.attname, convert) for field in fields if (convert := _conversion(field))]

    @classmethod
    def of(cls, model: type[M]) -> "Shape[M]":
        """All columns."""
        return _whole_shape(model)

    def columns(self, table: str) -> str:
        """As a statement lists them."""
        return ", ".join(f'{table}."{field.column}"{_as_text(field)}' for field in self._fields)

    def made(self, row: Iterable[Any], database: str = DEFAULT_DB_ALIAS) -> M:
        """The instance of a row of this database that holds these columns.

        It is what ``Model.from_db`` gives, without going through the fields of each one: that takes as long as
        everything else.
        """
        # Without __init__, which takes as long as all else; what it would set is set here.
        instance = self._model.__new__(self._model)
        values = instance.__dict__
        values["_state"] = state = ModelState()
        state.adding, state.db = False, database
        values.update(zip(self._names, row, strict=False))
        for name, convert in self._converted:
            if (value := values[name]) is not None:
                values[name] = convert(value)
        return instance


@cache
def _whole_shape(model: type[Any]) -> Shape[Any]:
    return Shape(model)


def new(model: type[M], **values: Any) -> M:
    """A new instance, as ``model(**values)`` makes it, without going through its fields: that takes ten times as long.

    Values are named as columns are, ``game_id`` and not ``game``.
    """
    # Without __init__, which goes through the fields; ``_defaults`` holds what it would set.
    instance = model.__new__(model)
    fixed, made = _defaults(model)
    instance.__dict__.update(fixed, _state=ModelState(), **{name: make() for name, make in made if name not in values})
    instance.__dict__.update(values)
    return instance


@cache
def _defaults(model: type[models.Model]) -> tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]]]:
    """Return what new instances hold where nothing is said: what is the same for all, and what is made for each."""
    fields = model._meta.concrete_fields
    made = {field.attname: field.default for field in fields if field.has_default() and callable(field.default)}
    return {field.attname: field.get_default() for field in fields if field.attname not in made}, [*made.items()]


def _as_text(field: Any) -> str:
    return "::text" if isinstance(field, models.JSONField) else ""


def _conversion(field: Any) -> Callable[[Any], Any] | None:
    """Return what makes the value of an instance of what the driver gives, where that is another one."""
    if isinstance(field, models.JSONField):
        return getattr(field, "decode", msgspec.json.decode)
    convert = getattr(field, "from_db_value", None)
    return convert and (lambda value: convert(value, None, connection))


def insert(rows: Sequence[models.Model], conflict: str = "") -> None:
    """Insert new rows, all of one model. ``conflict`` is what follows ON CONFLICT."""
    if rows:
        model = type(rows[0])
        statement, names = _inserting(model)
        _execute(f"{statement} {conflict and 'ON CONFLICT ' + conflict}", _document(rows, names))
        for row in rows:
            # As Model.save notes it: else the next ``save`` would insert the row again.
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


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
    listed = (row.__dict__ for row in rows)
    return msgspec.json.encode([{name: values[name] for name in names} for values in listed]).decode()


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
    fields = [field for field in model._meta.concrete_fields if field.has_db_default() or not field.db_returning]
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
