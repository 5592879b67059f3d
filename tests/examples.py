"""Tables of examples that are tried in one test."""

import functools
import inspect
import tomllib
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.games.unseen import world


def read_examples(module: str) -> dict[str, Any]:
    """Return the tables of texts of a test module, by their names. They are in the TOML file beside it."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


def for_each(
    names: str, examples: Iterable[Any], *, undone: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with every example, in one test case, and name all examples for which it failed.

    The arguments are those of ``pytest.mark.parametrize``, which takes about ten milliseconds for each example. All
    examples share one set of fixtures: use this only if the test changes none of them. With ``undone``, it may change
    rows of the database, which are undone after each example.
    """
    table = list(examples)
    parameters = [name.strip() for name in names.split(",")]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            assert table, "There are no examples."
            errors: dict[str, BaseException] = {}
            for example in table:
                arguments = dict(zip(parameters, example if len(parameters) > 1 else [example], strict=True))
                try:
                    with world() if undone else nullcontext():
                        test(**arguments, **fixtures)
                except (Exception, BaseExceptionGroup, pytest.fail.Exception) as error:
                    error.add_note(f"The example: {arguments}")
                    errors[str(arguments)] = error
            if errors:
                # The message names all of them, because pytest shows only the first 15 errors of a group.
                names = "\n".join(errors)
                raise BaseExceptionGroup(
                    f"{len(errors)} of {len(table)} examples failed:\n{names}\n", [*errors.values()]
                )

        signature = inspect.signature(test)
        fixtures = [value for name, value in signature.parameters.items() if name not in parameters]
        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate
