"""Refusals: what the rules and the doors say when something cannot be done, walked through in the source.

A refusal is a whole sentence, says another thing than the title of its problem. One by the rules of a game
names its ruling.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from config.server.api_description.codes import PROBLEMS
from config.server.problems import TITLES
from games.rules.registry import RULES
from tests.examples import for_each

ROOT: Final = Path(__file__).parent.parent
MARKS: Final = {"gettext_noop", "gettext", "_", "gettext_lazy"}
RAISED: Final = {
    "Refusal", "RuleViolation", "because", "Conflict", "LimitReached", "ValidationError", "ErrorDetail", "NotFound",
    "ForbiddenAddress", "PermissionDenied", "problem_response", "Refused",
}  # fmt: skip
RULING: Final = re.compile(r"[CS]\d+|§\d+|setup|turn|laying|end|score")
TITLE_FACES: Final = {str(title).rstrip(".").lower() for title in TITLES.values()}


class Refused(NamedTuple):
    """A sentence that refuses something, and where."""

    place: str
    sentence: str
    call: ast.Call


@cache
def refusals() -> tuple[Refused, ...]:
    """Return every sentence that is written where something is refused.

    Kept, and made only when a test asks for it: every worker of a run imports this module.
    """
    return tuple(_walk())


def _walk() -> Iterator[Refused]:
    for app in ("accounts", "config", "games", "notifications"):
        for path in sorted((ROOT / app).rglob("*.py")):
            tree = ast.parse(path.read_text())
            names = _named_sentences(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.Call) and _name(node.func) in RAISED:
                    for sentence in _sentences(node, names):
                        yield Refused(f"{path.relative_to(ROOT)}:{node.lineno}", sentence, node)


def _name(node: ast.expr) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def _marked(node: ast.expr) -> str | None:
    if (
        isinstance(node, ast.Call)
        and _name(node.func) in MARKS
        and node.args
        and isinstance(node.args[0], ast.Constant)
    ):
        return str(node.args[0].value)
    return None


def _named_sentences(tree: ast.Module) -> dict[str, list[str]]:
    """Return the sentences that have a name in a module, by it."""
    sentences_by_name: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if (sentence := _marked(node.value)) is not None:
                    sentences_by_name.setdefault(_name(target), []).append(sentence)
    return sentences_by_name


def _sentences(call: ast.Call, names: dict[str, list[str]]) -> Iterator[str]:
    inner = {id(component) for node in ast.walk(call) if node is not call and isinstance(node, ast.Call)
             if _name(node.func) in RAISED for component in ast.walk(node)}  # fmt: skip
    for node in ast.walk(call):
        if id(node) in inner:
            continue
        if isinstance(node, ast.Call) and (sentence := _marked(node)) is not None:
            yield sentence
        elif isinstance(node, ast.Name):
            yield from names.get(node.id, ())


def test_the_walk_finds_the_refusals_of_every_room() -> None:
    assert len(refusals()) > 200
    rooms = {refusal.place.split("/")[0] for refusal in refusals()}
    assert {"accounts", "config", "games", "notifications"} == rooms


def test_every_refusal_is_a_whole_sentence() -> None:
    whole = re.compile(r"(?:[A-Z“]|%\().*(?:[.?”]|%\(\w+\)s)$", re.S)
    assert [refusal[:2] for refusal in refusals() if not whole.match(refusal.sentence)] == []


def test_no_refusal_says_only_what_the_title_of_its_problem_says() -> None:
    assert [refusal[:2] for refusal in refusals() if refusal.sentence.rstrip(".").lower() in TITLE_FACES] == []


RIDDLES: Final = re.compile(
    r"\bcannot be read\.|\bis wrong\.$|^Invalid\b|^Error\b|\bnot to be had\b|\bhow things stand\b|^This is not valid",
    re.I,
)


def test_no_refusal_is_a_riddle() -> None:
    assert [refusal[:2] for refusal in refusals() if RIDDLES.search(refusal.sentence)] == []


def test_every_refusal_by_the_rules_names_its_ruling() -> None:
    rules = [refusal for refusal in refusals() if _name(refusal.call.func) == "because"]
    assert len(rules) > 25
    for rule in rules:
        ruling = rule.call.args[0]
        values = [node.value for node in ast.walk(ruling) if isinstance(node, ast.Constant)]
        assert any(isinstance(value, str) and RULING.fullmatch(value) for value in values), rule[:2]
    illegal = [
        refusal
        for refusal in refusals()
        if refusal.place.startswith("games/rules/") and "ILLEGAL" in ast.unparse(refusal.call)
    ]
    for rule in illegal:
        assert any(
            isinstance(node, ast.Constant) and isinstance(node.value, str) and RULING.fullmatch(node.value)
            for node in ast.walk(rule.call)
        ), rule[:2]


@for_each("code", PROBLEMS)
def test_every_code_of_a_problem_has_a_title_and_a_meaning_that_differ(code: str) -> None:
    title, (status, meaning) = str(TITLES[code]), PROBLEMS[code]
    assert title.strip().endswith(tuple("abcdefghijklmnopqrstuvwxyz"))
    assert meaning.endswith(".")
    assert meaning.rstrip(".").lower() != title.lower()
    assert 400 <= status < 600


def test_the_titles_are_those_of_the_codes() -> None:
    assert set(TITLES) == set(PROBLEMS)


def test_every_game_says_why_a_move_is_refused() -> None:
    for rules in RULES.values():
        assert rules.why_illegal.__module__.startswith(f"games.rules.{rules.name}"), rules.name
