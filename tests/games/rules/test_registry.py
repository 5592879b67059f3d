"""Games from other packages: found by their entry point, each in the versions that running games began with."""

import json
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, Final

import pytest
from babel.messages.catalog import Catalog
from msgspec.structs import replace

from accounts.models import Account
from games.archive import game_audit
from games.models import Move
from games.rules import registry
from games.rules.loading import BrokenGameError
from games.rules.packages import GROUP
from games.rules.registry import RULES
from tests.catalogues import compiled
from tests.third_game import fist
from tests.third_game.table import create_fist, fresh, lie, play, state, with_fist

__all__ = ["with_fist"]
ROOT: Final = Path(__file__).parents[3]

LOOK: Final = """
import json
import django
django.setup()
from django.contrib.staticfiles import finders
from django.template.loader import get_template
from django.utils.translation import gettext, override
from accounts.names import notation
from games.rules.registry import RULES
with override("fa"):
    titles = [gettext(RULES[name].words.title.text) for name in ("fist", "liars-dice", "two-houses")]
print(json.dumps({
    "games": list(RULES),
    "template": get_template("games/rules/fist.en.html").render(),
    "titles": titles,
    "static": finders.find("darbar_fist/fist.css") is not None,
    "reserved": "doubt" in notation() and "claim" in notation(),
}))
"""


def installed(folder: Path) -> Path:
    """Packages with the third game and with those of ``examples/games``, as an installer leaves them."""
    for project in sorted((ROOT / "examples" / "games").glob("*/pyproject.toml")):
        project_table = tomllib.loads(project.read_text())["project"]
        points = "".join(f"{name} = {value}\n" for name, value in project_table["entry-points"][GROUP].items())
        about = folder / f"{project_table['name'].replace('-', '_')}-{project_table['version']}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project_table['name']}\nVersion: {project_table['version']}\n"
        )
        (about / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
        (package,) = (init_file.parent for init_file in project.parent.glob("*/__init__.py"))
        shutil.copytree(package, folder / package.name)
    package = folder / "darbar_fist"
    texts = {
        package / "__init__.py": (ROOT / "tests" / "third_game" / "fist.py").read_text(),
        package / "templates" / "games" / "rules" / "fist.en.html": "The rules of Fist",
        package / "static" / "darbar_fist" / "fist.css": "b{}",
        folder / "darbar_fist-1.dist-info" / "METADATA": "Metadata-Version: 2.1\nName: darbar-fist\nVersion: 1\n",
        folder / "darbar_fist-1.dist-info" / "entry_points.txt": f"[{GROUP}]\nfist = darbar_fist:RULES\n",
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    catalogue = Catalog(locale="fa", project="Fist")
    catalogue.add("Fist", "مشت")
    (package / "locale" / "fa" / "LC_MESSAGES").mkdir(parents=True)
    (package / "locale" / "fa" / "LC_MESSAGES" / "django.mo").write_bytes(compiled(catalogue))
    return folder


@pytest.mark.slow
def test_an_installed_package_brings_a_game_with_its_templates_catalogue_and_static_files(tmp_path: Path) -> None:
    environment = {"PYTHONPATH": f"{installed(tmp_path)}:{ROOT}", "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment |= {"DATA_DIR": str(tmp_path / "data"), "HOME": str(tmp_path)}
    looked = subprocess.run([sys.executable, "-c", LOOK], env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert looked.returncode == 0, looked.stderr
    assert json.loads(looked.stdout) == {
        "games": [*(name for name in RULES if name != "fist"), "cockroach-poker", "fist", "liars-dice", "two-houses"],
        "template": "The rules of Fist",
        "titles": ["مشت", "تاس دروغگو", "دو خاندان"],
        "static": True,
        "reserved": True,
    }


def point(value: str) -> EntryPoint:
    return EntryPoint(name="mine", value=value, group=GROUP)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("no.such.package:RULES", "cannot be loaded: ModuleNotFoundError"),
        ("tests.third_game.fist:NO_RULES", "cannot be loaded: AttributeError"),
        ("tests.third_game.fist:PLAYERS", "has to name a games.engine.Rules"),
    ],
)
def test_a_package_whose_game_cannot_be_loaded_is_named(value: str, sentence: str) -> None:
    with pytest.raises(BrokenGameError, match="The entry point 'mine'") as broken:
        registry.load_point(point(value))
    assert sentence in str(broken.value)
    assert value in str(broken.value)


def test_a_package_offers_one_game_in_its_versions() -> None:
    first, second = fist.RULES, replace(fist.RULES, version=2)
    newest, versions = registry.sort_versions([registry.read_game((second, first), "here")])
    assert newest == {"fist": second}
    assert versions == {("fist", 1): first, ("fist", 2): second}
    with pytest.raises(BrokenGameError, match="names several games"):
        registry.read_game((first, replace(first, name="other")), "here")


@pytest.mark.parametrize(
    ("games", "sentence"),
    [
        ([(fist.RULES,), (fist.RULES,)], "Two installed packages offer a game of the name 'fist'"),
        ([(fist.RULES, replace(fist.RULES, bot_version=2))], "'fist' is offered twice in version 1"),
    ],
)
def test_what_is_offered_twice_is_refused(games: Any, sentence: str) -> None:
    with pytest.raises(BrokenGameError, match=sentence):
        registry.sort_versions(games)


def kinder(state: Any, question: Any, text: str, names: Any) -> Any:
    """A second version's parser, in which a question mark doubts."""
    return fist.RULES.parse(state, question, "doubt" if text == "?" else text, names)


@pytest.mark.django_db
def test_a_running_game_keeps_the_rules_that_it_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    maryam = Account.objects.create_user("maryam@example.org", name="Maryam")
    sepideh = Account.objects.create_user("sepideh@example.org", name="Sepideh")
    old = create_fist(maryam, sepideh)
    monkeypatch.setitem(RULES, "fist", replace(fist.RULES, version=2, parse=kinder))
    monkeypatch.setitem(registry._EVERY, ("fist", 1), fist.RULES)
    new = create_fist(maryam, sepideh)
    assert (fresh(old).rules_version, fresh(new).rules_version) == (1, 2)
    for game in (old, new):
        play(game, 1, f"claim {lie(game, 1)}")
    assert play(old, 2, "?").state == Move.State.REJECTED
    assert play(old, 2, "doubt").state == Move.State.APPLIED
    assert play(new, 2, "?").state == Move.State.APPLIED
    assert [state(game).winners for game in (old, new)] == [(2,), (2,)]
    assert game_audit.find_faults(fresh(old)) == []


def test_rules_that_are_not_installed_are_not_found() -> None:
    assert registry.find_rules("fist", 1) is fist.RULES
    assert registry.find_rules("fist", 9) is None
    assert registry.find_rules("chess", 1) is None
