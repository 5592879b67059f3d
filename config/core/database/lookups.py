"""Lookups that Django does not have."""

from typing import Any

from django.db.models import Field, ForeignKey, Lookup

from config.core.database.sql import array


@ForeignKey.register_lookup  # it inherits no lookups of Field
@Field.register_lookup
class AnyOf(Lookup):
    """``any`` finds the same rows as ``in``, with one parameter for all ids.

    So a statement is prepared once for lists of every length, and a list may be longer than the 65,535 parameters that
    PostgreSQL takes.
    """

    lookup_name = "any"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        column, parameters = self.process_lhs(compiler, connection)
        kind = self.lhs.output_field.db_type(connection)
        return f"{column} = ANY(%s::{kind}[])", [*parameters, array(self.rhs)]
