"""Time stamps: an authority outside stamps the heads of all games once a day, and their records can prove it."""

import json
import runpy
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509

from accounts.models import Account
from games.archive import game_audit, records, time_stamps
from games.engine.record import dump, load
from games.models import Game, StampedHead, TimeStamp
from games.refusals import Refusal
from tests.games.archive.authority import Authority, serve_authority
from tests.games.finished import begun, elsewhere, play_out

pytestmark = pytest.mark.django_db
VERIFY = runpy.run_path("games/static/games/verify.py", run_name="verify")
NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    with serve_authority(tmp_path_factory.mktemp("authority")) as served:
        yield served


@pytest.fixture(autouse=True)
def use_authority(settings: Any, authority: Authority) -> None:
    """The server asks that authority, and believes it."""
    authority.request_count, authority.stamps = 0, True
    settings.OUTGOING_LOOPBACK = True
    settings.TIMESTAMP_URL = (authority.url,)
    settings.TIMESTAMP_AUTHORITIES = x509.load_pem_x509_certificates(authority.certificate.read_bytes())


@pytest.fixture
def games(maryam: Account, sepideh: Account, bahareh: Account) -> list[Game]:
    return [begun([maryam, sepideh]), begun([maryam, sepideh, bahareh]), begun([sepideh, bahareh])]


@pytest.mark.parametrize("count", range(1, 10))
def test_every_leaf_leads_to_the_one_root(count: int) -> None:
    leaves = [time_stamps.leaf(f"game {number}", "ab" * 32) for number in range(count)]
    root, paths = time_stamps.tree(leaves)
    assert {time_stamps.root_of(leaf, path) for leaf, path in zip(leaves, paths, strict=True)} == {root}
    assert max(len(path) for path in paths) == (count - 1).bit_length()
    with pytest.raises(ValueError, match="left or right"):
        time_stamps.root_of(leaves[0], [f"up {root}"])


def test_nobody_is_asked_unless_the_operator_says_so(settings: Any, games: list[Game]) -> None:
    settings.TIMESTAMP_URL = ()
    assert time_stamps.stamp_heads(NOW) is None


@pytest.mark.slow
def test_once_a_day_one_request_stamps_the_heads_of_all_games(authority: Authority, games: list[Game]) -> None:
    stamp = time_stamps.stamp_heads(NOW)
    assert stamp is not None
    assert (authority.request_count, stamp.heads.count()) == (1, 3)
    assert time_stamps.stamp_heads(NOW + timedelta(hours=22)) is None
    play_out(games[0])
    later = time_stamps.stamp_heads(NOW + timedelta(days=1))
    assert later is not None
    assert [head.game for head in later.heads.all()] == [games[0]], "the others stand as they stood"
    assert time_stamps.stamp_heads(NOW + timedelta(days=2)) is None
    assert authority.request_count == 2
    for game in Game.objects.all():
        assert game_audit.find_faults(game) == []


@pytest.mark.slow
def test_an_authority_that_stamps_something_else_or_is_not_believed_stamps_nothing(
    settings: Any, authority: Authority, games: list[Game], tmp_path: Path
) -> None:
    authority.stamps = False
    assert time_stamps.stamp_heads(NOW) is None
    authority.stamps = True
    other = Authority(tmp_path)
    settings.TIMESTAMP_AUTHORITIES = x509.load_pem_x509_certificates(other.certificate.read_bytes())
    assert time_stamps.stamp_heads(NOW) is None
    settings.TIMESTAMP_URL = ("http://127.0.0.1:9", authority.url)
    settings.TIMESTAMP_AUTHORITIES = []
    assert time_stamps.stamp_heads(NOW) is not None, "the second is asked where the first does not answer"


@pytest.mark.slow
def test_the_record_proves_when_its_events_were_there(
    authority: Authority, games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    time_stamps.stamp_heads(NOW)
    bound = games[1].version
    record = records.export_record(play_out(games[1]))
    (stamped,) = record.time_stamps
    path, certificate = tmp_path / "record.json", str(authority.certificate)
    path.write_bytes(dump(record))
    assert VERIFY["main"]([str(path), "--authorities", certificate]) == 3
    assert f"TRUE: the time stamp by which events 1 to {bound} were there at" in capsys.readouterr().out
    assert VERIFY["main"]([str(path), "--head", stamped.head]) == 3
    assert f"NOT CHECKED: the time stamp by which events 1 to {bound} were there at" in capsys.readouterr().out
    other = Authority(tmp_path)
    assert VERIFY["main"]([str(path), "--authorities", str(other.certificate)]) == 1
    forged = json.loads(path.read_text())
    forged["time_stamps"][0]["head"] = VERIFY["heads"](forged)[2]
    path.write_text(json.dumps(forged, ensure_ascii=False))
    assert VERIFY["main"]([str(path)]) == 1
    assert "is not what was stamped" in capsys.readouterr().out


@pytest.mark.slow
def test_a_record_is_taken_in_with_its_stamps_and_with_none_that_are_forged(games: list[Game]) -> None:
    time_stamps.stamp_heads(NOW)
    record = records.export_record(play_out(games[1]))
    true = load(dump(elsewhere(record)))
    TimeStamp.objects.all().delete()
    forged = json.loads(dump(true))
    forged["time_stamps"][0]["path"] = ["left " + "ab" * 32]
    with pytest.raises(Refusal, match="can’t be true"):
        records.import_record(load(json.dumps(forged, ensure_ascii=False).encode()))
    assert records.export_record(records.import_record(true)) == record


@pytest.mark.parametrize("changed", ["head", "path", "root", "response"])
@pytest.mark.slow
def test_a_changed_stamp_is_found(games: list[Game], changed: str) -> None:
    time_stamps.stamp_heads(NOW)
    if changed in ("root", "response"):
        other = {"root": "ab" * 32, "response": b"\x30\x03\x02\x01\x00"}
        TimeStamp.objects.update(**{changed: other[changed]})
    else:
        StampedHead.objects.update(**{"head": b"\0" * 32} if changed == "head" else {"path": []})
    assert any("time stamp" in fault for fault in game_audit.find_faults(games[0]))
