"""The shape of the code: sizes, names, and that every module has its place in the order of imports."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import grimp
from django.conf import settings

from config.celery import PERIODS, app
from games import queries
from games.rules.registry import RULES
from tests.examples import for_each
from tests.template_format import problems, templates

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("config", "games", "accounts", "notifications")
LONGEST_FUNCTION: Final = 60
MOST_BRANCHES: Final = 10
NO_LIMIT: Final = "noqa: " + "C901"
EXPLAINED_WITHIN: Final = 4
UNPLACED: Final = {"apps", "migrations"}
DUMPS: Final = {"utils.py", "helpers.py", "signals.py"}

MODULES: Final = sorted(
    path.relative_to(ROOT)
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if not {"migrations", "static"} & set(path.parts)
)


def test_no_function_is_too_long() -> None:
    lengths = {
        f"{module}:{function.name}": (function.end_lineno or 0) - function.lineno + 1
        for module in MODULES
        for function in functions(tree(module))
    }
    assert {function: length for function, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_no_function_branches_more_than_ruff_allows() -> None:
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert "C901" in lint["select"]
    assert lint["mccabe"]["max-complexity"] <= MOST_BRANCHES
    assert not [rules for rules in lint["per-file-ignores"].values() if "C901" in rules]
    assert [module for module in MODULES if NO_LIMIT in (ROOT / module).read_text()] == []


@cache
def tree(module: Path) -> ast.Module:
    """The syntax of a module, read once."""
    return ast.parse((ROOT / module).read_text())


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions in a module, the inner ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_module_is_a_heap_of_odds_and_ends() -> None:
    assert not [module for module in MODULES if module.name in DUMPS or "common" in module.parts]


FOLDERS: Final = sorted({module.parent for module in MODULES if "management" not in module.parts})


def test_every_folder_has_a_docstring() -> None:
    # games/__init__.py is empty, so that programs can import the engine without the server.
    folders = [folder for folder in FOLDERS if folder != Path("games")]
    assert [folder for folder in folders if not ast.get_docstring(tree(folder / "__init__.py"))] == []


def test_the_order_of_folders_is_short_enough_to_be_known() -> None:
    assert len(layers()) <= 15


def layers() -> list[str]:
    """The layers of the code, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    return next(contract["layers"] for contract in contracts if contract["type"] == "layers")


def test_no_folders_import_one_another_in_a_circle() -> None:
    graph = grimp.build_graph(*PACKAGES)
    folders = [name.strip() for layer in layers() for name in layer.replace(":", "|").split("|")]
    for folder in folders:
        graph.squash_module(folder)
    imported = {folder: {*folders} & graph.find_modules_directly_imported_by(folder) - {folder} for folder in folders}
    TopologicalSorter(imported).prepare()  # CycleError names the folders of a circle


def test_every_module_has_its_place_in_the_order_of_imports() -> None:
    placed = {name.strip("() ") for layer in layers() for name in layer.replace(":", "|").split("|")}
    for module in MODULES:
        dotted = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
        whole = any(layer == dotted or layer.startswith(f"{dotted}.") for layer in placed)
        part = any(dotted.startswith(f"{layer}.") for layer in placed)
        assert whole or part or UNPLACED & set(module.with_suffix("").parts), f"{dotted} has no place in pyproject.toml"


PRIVATE: Final = re.compile(r"^from \S+\.internal\b|\w\.__new__\(|\w\._state\.")


def test_private_parts_of_libraries_are_used_only_where_a_comment_says_why() -> None:
    unexplained = []
    for module in MODULES:
        lines = (ROOT / module).read_text().splitlines()
        for number, line in enumerate(lines):
            if PRIVATE.search(line) and "# " not in "".join(lines[max(0, number - EXPLAINED_WITHIN) : number]):
                unexplained.append(f"{module}:{number + 1}")
    assert unexplained == []


def test_only_the_log_store_and_its_archive_touch_the_rows_of_events() -> None:
    log = Path("games/event_log")
    assert modules_with(re.compile(r"games_event\b|\bEvent\.objects")) == {
        log / "archived_logs.py",
        Path("games/models/log.py"),
        Path("games/queries.py"),
    }
    statements = [name for name, statement in vars(queries).items() if "games_event" in str(statement)]
    assert modules_with(re.compile(rf"\bqueries\.({'|'.join(statements)})\b")) == {log / "log_store.py"}


def modules_with(pattern: re.Pattern[str]) -> set[Path]:
    return {module for module in MODULES if pattern.search((ROOT / module).read_text())}


MAPPER: Final = Path("config/core/database/rows.py")
IMPORTED_MAPPER: Final = re.compile(r"^from config\.core\.database(\.rows import| import .*\brows\b)", re.MULTILINE)
STATE_OF_MODELS: Final = re.compile(r"\bfields_cache\b|\bModelState\b|\b_state\.\w+(, [\w.]+)* = ")
SQL: Final = re.compile(r"\b(SELECT|INSERT INTO|UPDATE \S+ (AS \w+ )?SET|DELETE FROM|DROP TABLE|LOCK TABLE)\b")
# Modules of ``config`` that manage PostgreSQL itself.
OF_POSTGRESQL: Final = ("config/core/database/", "config/core/work.py", "config/server/postgres/")


def test_the_mapper_is_used_by_few_modules() -> None:
    assert len(modules_with(IMPORTED_MAPPER)) <= 8, modules_with(IMPORTED_MAPPER)


def test_only_the_mapper_sets_the_state_of_models() -> None:
    assert modules_with(STATE_OF_MODELS) == {MAPPER}


def test_sql_stands_in_the_modules_of_queries() -> None:
    others = [
        module
        for module in MODULES
        if module.name != "queries.py" and not str(module).startswith(OF_POSTGRESQL) and has_sql(tree(module))
    ]
    assert others == []


def has_sql(tree: ast.Module) -> bool:
    """Return True if a text of a module, other than a docstring, is SQL."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents)
    return any(isinstance(node.value, str) and SQL.search(node.value) for node in constants)


def test_sql_outside_the_modules_of_queries_is_found() -> None:
    assert has_sql(ast.parse('QUERY = f"SELECT {columns} FROM games_game"'))
    assert not has_sql(ast.parse('"""SELECT takes a lock."""'))


def test_nothing_of_the_server_names_a_game() -> None:
    """A game stands in its folder alone, so that one from elsewhere is as good as ours."""
    pattern = re.compile("|".join(rf"\b{name}\b" for name in RULES), re.IGNORECASE)
    paths = (
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.suffix in (".py", ".html", ".txt", ".js", ".css")
    )
    naming = {path.relative_to(ROOT) for path in paths if pattern.search(path.read_text())}
    built = ("config", "server", "documents", "site")
    assert {path for path in naming if path.parts[:2] != ("games", "rules") and path.parts[:4] != built} == set()


def test_every_task_that_the_clock_runs_exists() -> None:
    app.loader.import_default_modules()
    assert {name for names in PERIODS.values() for name in names} <= set(app.tasks)


def test_every_app_of_our_own_is_installed() -> None:
    assert set(PACKAGES) - {"config"} <= set(settings.INSTALLED_APPS)


def test_every_fault_that_can_be_planted_fits_its_file() -> None:
    planted = tomllib.loads((ROOT / "tests" / "faults" / "faults.toml").read_text())["fault"]
    times = {fault["name"]: (ROOT / fault["file"]).read_text().count(fault["old"]) for fault in planted}
    assert {name: time for name, time in times.items() if time != 1} == {}
    assert [fault for fault in planted for file in fault["tests"] if not (ROOT / file).exists()] == []


def test_tests_stand_in_the_folder_of_what_they_test() -> None:
    for package in PACKAGES:
        for test in (ROOT / "tests" / package).rglob("test_*.py"):
            place = ROOT / test.parent.relative_to(ROOT / "tests")
            assert place.is_dir() or place.with_suffix(".py").is_file(), test


ASKING: Final = re.compile(r"(What|Who|Whom|Whose|Which|How|Wh(at|o|ere)ver|Where|When|Why|Whether|Have|So|If|That)\b")
OF_OTHERS: Final = ("bench", "examples", "clients", "tests")


def docstrings(tree: ast.AST) -> Iterator[str]:
    """All strings that stand as statements of their own: of modules, classes and functions, and below attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value.strip()


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    others = [module.relative_to(ROOT) for folder in OF_OTHERS for module in (ROOT / folder).rglob("*.py")]
    asking = [
        (str(module), docstring.splitlines()[0])
        for module in [*MODULES, *(module for module in others if not module.parent.name.startswith("_"))]
        for docstring in docstrings(tree(module))
        if ASKING.match(docstring)
    ]
    assert asking == []


def test_a_docstring_that_begins_like_a_question_is_found() -> None:
    planted = ast.parse('MOST = 3\n"""How many there are."""\ndef f():\n    """ Whether it is so."""\nx = "What"\n')
    assert [bool(ASKING.match(docstring)) for docstring in docstrings(planted)] == [True, True]


def test_the_map_of_the_code_is_short() -> None:
    assert len((ROOT / "docs" / "architecture.md").read_text().split()) < 2500


@for_each("path", templates())
def test_templates_are_wrapped_and_indented(path: Path) -> None:
    assert list(problems(path.read_text())) == [], "python -m tests.template_format lists all of them"


def test_a_long_line_and_a_wrong_indent_are_found() -> None:
    assert list(problems("<p>\n{% if a %}b{% endif %}\n</p>\n")) == ["2: indented by 0 spaces in place of 2"]
    assert list(problems(f"<p>{'a' * 118}</p>\n")) == ["1: longer than 120 characters"]
    assert list(problems('<ul>\n  {% for a in b %}\n    <li\n      id="a">a</li>\n  {% endfor %}\n</ul>\n')) == []
