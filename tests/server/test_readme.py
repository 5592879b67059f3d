"""The walk with curl: every command of its page in one shell against a running server, and the links of the README."""

import re
import subprocess

import pytest

from tests.server.darbar import ROOT, Darbar

README = (ROOT / "README.md").read_text()
WALK = (ROOT / "docs" / "site" / "en" / "api" / "walk.md").read_text()


def commands() -> list[str]:
    """The commands of the walk, a block each."""
    return re.findall(r"^```sh\n(.*?)^```$", WALK, re.M | re.S)


@pytest.fixture
def walk(running: Darbar) -> list[str]:
    """Run the blocks of the walk in a shell that stops at the first failing command, and return the output of each."""
    ports = {"localhost:8000": f"localhost:{running.port}", "localhost:8025": f"localhost:{running.mail_port}"}
    blocks = [re.sub("|".join(ports), lambda match: ports[match[0]], block) for block in commands()]
    script = "\necho @next\n".join(["set -eu -o pipefail", *blocks])
    walked = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=240, check=False)
    assert walked.returncode == 0, walked.stdout + walked.stderr
    return walked.stdout.split("@next\n")[1:]


def test_the_walk_leads_from_sign_up_to_a_finished_game(walk):
    signing_up, confirming, opening, asking, mailing, playing, reading, checking = walk
    assert "Use this code to confirm your address." in signing_up
    assert '"name":"Maryam"' in confirming
    assert '"viewer":1' in opening
    assert '"moves":[{"number":1' in asking or asking.strip() == "[]"
    assert "Since your last answer" in mailing
    assert playing == ""
    assert '"type":"coup.game-ended"' in reading
    assert '"via":"mail"' in reading
    assert "won Coup, game " in reading or "You won Coup" in reading
    assert checking.strip() == "the seed fits the commitment"


def test_the_readme_names_only_targets_and_variables_that_exist():
    makefile = (ROOT / "Makefile").read_text()
    reading = ("settings.py", "environment.py", "server/postgres/*.py")
    settings = "".join(path.read_text() for name in reading for path in (ROOT / "config").glob(name))
    for target in re.findall(r"`?make ([a-z]+)`?", README):
        assert re.search(rf"^{target}:", makefile, re.M), target
    for variable in re.findall(r"`([A-Z_]{4,})`", README):
        assert variable in settings, variable


def test_the_readmes_links_lead_somewhere():
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
