"""Environment variables: their values, and the messages for wrong ones."""

import os
import pwd
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import environ
import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment
from tests.server.darbar import ROOT

SAY = "from config import settings as s; print({})"


def read(data_dir: Path, expression: str, **variables: str) -> str:
    """Return the value of an expression over the settings, in a process with this environment."""
    ran = subprocess.run(
        [sys.executable, "-c", SAY.format(expression)],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(data_dir), **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout.strip()


WRONG: list[tuple[str, str, Callable[[], Any], str]] = [
    ("PORT", "http", lambda: environment.number("PORT", 8000, 1, 65535), "a whole number from 1 to 65535, not 'http'"),
    ("PORT", "65536", lambda: environment.number("PORT", 8000, 1, 65535), "a whole number from 1 to 65535"),
    ("PORT", "۸۰۰۰", lambda: environment.number("PORT", 8000, 1, 65535), "a whole number from 1 to 65535"),
    (
        "CHANNELS",
        "ntfy,fax",
        lambda: environment.some_of("CHANNELS", ("ntfy", "push")),
        "ntfy, push, separated by commas, not 'fax'",
    ),
    ("LOG_FORMAT", "xml", lambda: environment.one_of("LOG_FORMAT", ("line", "json")), "line or json, not 'xml'"),
    ("BANNER_EN", "one\ntwo", lambda: environment.line("BANNER_EN", 300), "one line of at most 300 characters"),
    ("BANNER_FA", "a" * 301, lambda: environment.line("BANNER_FA", 300), "one line of at most 300 characters"),
    ("LISTEN", "everywhere", lambda: environment.address("LISTEN", "127.0.0.1"), "an IP address"),
    ("MAIL_RELAYS", "mx.example.org", lambda: environment.networks("MAIL_RELAYS"), "must be networks such as"),
    ("MAIL_RELAYS", "192.0.2.1/24", lambda: environment.networks("MAIL_RELAYS"), "has host bits set"),
    ("DKIM_KEY", "/etc/hostname", lambda: environment.signing_key("DKIM_KEY"), "a PEM file with a private RSA key"),
    ("DKIM_SELECTOR", "s 1", lambda: environment.label("DKIM_SELECTOR", "darbar"), "letters, digits and hyphens"),
    (
        "DATABASE_URL",
        "sqlite:///games.db",
        lambda: environment.database("DATABASE_URL"),
        "'sqlite' isn’t a known scheme",
    ),
    ("DATABASE_URL", "postgres://localhost", lambda: environment.database("DATABASE_URL"), "must name a database"),
    ("DATABASE_URL", "postgres://h:port/d", lambda: environment.database("DATABASE_URL"), "can’t be read"),
    ("BROKER_URL", "sqs://", lambda: environment.broker("BROKER_URL"), "'sqs' isn’t a known scheme"),
    ("BROKER_URL", "localhost", lambda: environment.broker("BROKER_URL"), "must be a URL such as redis://"),
    ("EMAIL_URL", "pigeon://roof", lambda: environment.mail("EMAIL_URL"), "'pigeon' isn’t a known scheme"),
    ("EMAIL_URL", "smtp", lambda: environment.mail("EMAIL_URL"), "it has no ://."),
    ("EMAIL_URL", "smtp://", lambda: environment.mail("EMAIL_URL"), "must name a mail server"),
    ("EMAIL_URL", "smtp+tls://me:word@:587", lambda: environment.mail("EMAIL_URL"), "must name a mail server"),
    ("EMAIL_URL", "smtp://h:25?tsl=1", lambda: environment.mail("EMAIL_URL"), "has no option tsl"),
    ("PUBLIC_URL", "darbar.example", lambda: environment.public_url("PUBLIC_URL", ""), "an address such as https://"),
    ("PUBLIC_URL", "https://h/games", lambda: environment.public_url("PUBLIC_URL", ""), "an address such as https://"),
    ("ALLOWED_HOSTS", "https://h", lambda: environment.hosts("ALLOWED_HOSTS", []), "'https://h' isn’t one"),
    ("SECRET_KEY", "short", lambda: environment.secret("SECRET_KEY", Path("none")), "at least 16 characters"),
    (
        "SECRET_KEY_FALLBACKS",
        "a,b",
        lambda: environment.secret_list("SECRET_KEY_FALLBACKS"),
        "keys of at least 16 characters",
    ),
    ("SENTRY_DSN", "https://sentry.example/7", lambda: environment.sentry_dsn("SENTRY_DSN"), "must be a DSN such as"),
    ("TRACES_URL", "localhost:4318", lambda: environment.collector("TRACES_URL"), "must be an address such as http://"),
    ("DATA_DIR", "/dev/null/x", lambda: environment.folder("DATA_DIR", Path()), "a folder that Darbar can write to"),
]


@pytest.mark.parametrize(("name", "value", "ask", "complaint"), WRONG)
def test_a_value_that_is_no_good_is_refused_by_its_name_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, ask: Callable[[], Any], complaint: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured) as refused:
        ask()
    text = str(refused.value)
    assert text.startswith(f"{name} ")
    assert complaint in text
    assert text.endswith(".")
    assert "\n" not in text


@pytest.mark.parametrize("misspelt", ["PUBLIC_UR", "PUBLIC_URLS", "PUBLIC_URI", "PUBLIC_RUL", "UBLIC_URL"])
def test_a_name_that_is_one_letter_away_from_a_setting_is_found(monkeypatch: pytest.MonkeyPatch, misspelt: str) -> None:
    monkeypatch.setenv(misspelt, "https://darbar.example")
    assert (misspelt, "PUBLIC_URL") in environment.misspelt_names()


@pytest.mark.parametrize("name", ["PUBLIC_URL", "PUBLIC", "PUBLIC_LRU", "PROT"])
def test_a_name_that_is_right_or_further_away_is_left_alone(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "https://darbar.example")
    assert name not in dict(environment.misspelt_names())


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "darbar.env"
    monkeypatch.setenv("DARBAR_ENV", str(path))
    monkeypatch.setattr(environment, "_own_file_names", set())
    monkeypatch.setattr(environ.Env, "ENVIRON", dict(os.environ))
    return path


@pytest.mark.slow
def test_the_file_of_settings_is_read_and_the_environment_has_priority(own_file: Path, tmp_path: Path) -> None:
    own_file.write_text("# Names\n\nPUBLIC_URL='https://play.example.org'\nBANNER_EN=\"Down at 8\"\nPORT=9000\n")
    expression = "s.PUBLIC_URL, s.BANNER['en'], s.PORT"
    answer = read(tmp_path / "data", expression, DARBAR_ENV=str(own_file), PORT="8001")
    assert answer == "https://play.example.org Down at 8 8001"


def test_a_misspelt_name_in_the_file_of_settings_is_refused(own_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_file.write_text("PUBLIC_UR=https://play.example.org\n")
    environment.read_own_file(ROOT)
    monkeypatch.setenv("PUBLIC_UR", "https://play.example.org")
    with pytest.raises(ImproperlyConfigured, match="sets PUBLIC_UR, which isn’t a setting"):
        environment.misspelt_names()


def test_a_line_of_the_file_of_settings_that_sets_nothing_is_refused(own_file: Path) -> None:
    own_file.write_text("PORT=8000\nPUBLIC_URL: https://play.example.org\n")
    with pytest.raises(ImproperlyConfigured, match=r"Line 2 of .* must be NAME=value, a comment after # or blank"):
        environment.read_own_file(ROOT)


def test_a_file_of_settings_that_cannot_be_read_is_named(own_file: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"can’t be read \(No such file or directory\)\. Run Darbar as"):
        environment.read_own_file(ROOT)
    own_file.write_bytes(b"BANNER_EN=caf\xe9\n")
    with pytest.raises(ImproperlyConfigured, match=r"can’t be read \(it is not UTF-8\)"):
        environment.read_own_file(ROOT)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_root_is_told_as_which_user_to_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Root would make files there that the server cannot read later."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    monkeypatch.setattr(sys, "orig_argv", ["darbar", "backup", "monday.tar"])
    os.chown(tmp_path, pwd.getpwnam("daemon").pw_uid, -1)
    with pytest.raises(
        ImproperlyConfigured, match=r"belongs to the user daemon\. .* runuser -u daemon -- darbar backup monday\.tar$"
    ):
        environment.folder("DATA_DIR", Path())


def test_an_empty_value_is_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "BROKER_URL", "EMAIL_URL"):
        monkeypatch.setenv(name, "")
    assert environment.database("DATABASE_URL") is None
    assert environment.broker("BROKER_URL") == ""
    assert environment.mail("EMAIL_URL") == {}


def test_the_key_is_made_once_and_nobody_else_may_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key_file = tmp_path / "secret-key"
    key = environment.secret("SECRET_KEY", key_file)
    assert len(key) >= 50
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert environment.secret("SECRET_KEY", key_file) == key
    key_file.chmod(0o644)
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY is kept in .* which others can read"):
        environment.secret("SECRET_KEY", key_file)


@pytest.mark.slow
def test_by_default_only_this_machine_can_reach_it_and_mail_stays_in_the_mailbox(tmp_path: Path) -> None:
    text = read(tmp_path, "s.LISTEN, s.PORT, s.PUBLIC_URL, s.MAILBOX, s.DEBUG")
    assert text == "127.0.0.1 8000 http://localhost:8000 True False"


@pytest.mark.parametrize(
    "variables",
    [
        {"EMAIL_URL": "smtp://localhost:2525"},
        {"LISTEN": "0.0.0.0"},
        {"PUBLIC_URL": "https://darbar.example"},
        {"ALLOWED_HOSTS": "localhost,darbar.example"},
    ],
)
@pytest.mark.slow
def test_there_is_no_mailbox_where_mail_leaves_or_strangers_come_in(tmp_path: Path, variables: dict[str, str]) -> None:
    assert read(tmp_path, "s.MAILBOX", **variables) == "False"


@pytest.mark.slow
def test_the_database_is_asked_with_prepared_statements_and_bound_values(tmp_path: Path) -> None:
    url = "postgres://sepideh:p%40ss@db.example:5433/games?sslmode=require"
    text = read(tmp_path, "s.DATABASES['default']", DATABASE_URL=url)
    for piece in ("'prepare_threshold': 1", "'server_side_binding': True", "'sslmode': 'require'", "'p@ss'", "5433"):
        assert piece in text


@pytest.mark.slow
def test_mail_goes_where_its_url_says(tmp_path: Path) -> None:
    expression = "s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_USE_TLS, s.EMAIL_HOST_USER, s.EMAIL_BACKEND.split('.')[-2]"
    mail_settings = read(tmp_path, expression, EMAIL_URL="smtp+tls://post%40x:word@mail.example:587")
    assert mail_settings == "mail.example 587 True post@x smtp"


@pytest.mark.slow
def test_the_stream_has_a_port_of_its_own_unless_a_proxy_leads_to_it(tmp_path: Path) -> None:
    expression = "s.STREAM_PORT, s.STREAM_URL"
    assert read(tmp_path, expression) == "8001 http://localhost:8001"
    assert read(tmp_path, expression, PORT="9000") == "9001 http://localhost:9001"
    assert read(tmp_path, expression, PUBLIC_URL="https://darbar.example") == "8001 https://darbar.example"
    assert (
        read(tmp_path, expression, STREAM_URL="https://stream.darbar.example") == "8001 https://stream.darbar.example"
    )


@pytest.mark.slow
def test_the_key_of_pushes_is_made_once_and_kept(tmp_path: Path) -> None:
    key = read(tmp_path, "s.VAPID_KEY")
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", key)
    assert read(tmp_path, "s.VAPID_KEY") == key
    assert (tmp_path / "vapid-key").stat().st_mode & 0o777 == 0o600
    assert read(tmp_path, "s.VAPID_KEY", VAPID_KEY="a" * 43) == "a" * 43


@pytest.mark.parametrize("key", ["a" * 42, "a" * 44, "+" * 43])
def test_what_is_no_key_of_pushes_is_refused(tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAPID_KEY", key)
    with pytest.raises(ImproperlyConfigured, match="VAPID_KEY must be a private key"):
        environment.push_key("VAPID_KEY", tmp_path / "vapid-key")


@pytest.mark.slow
def test_the_servers_own_machine_receives_webhooks_only_if_a_setting_allows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read(tmp_path, "s.OUTGOING_LOOPBACK") == "False"
    assert read(tmp_path, "s.OUTGOING_LOOPBACK", OUTGOING_LOOPBACK="yes") == "True"
    monkeypatch.setenv("OUTGOING_LOOPBACK", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="OUTGOING_LOOPBACK must be yes or no, not 'perhaps'"):
        environment.flag("OUTGOING_LOOPBACK")


@pytest.mark.slow
def test_the_public_beacon_is_asked_only_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = "https://api.drand.sh/52db9ba7/, https://drand.cloudflare.com/52db9ba7"
    assert read(tmp_path, "s.BEACON_URL") == "()"
    assert read(tmp_path, "s.BEACON_URL", BEACON_URL=sources) == (
        "('https://api.drand.sh/52db9ba7', 'https://drand.cloudflare.com/52db9ba7')"
    )
    monkeypatch.setenv("BEACON_URL", "api.drand.sh")
    with pytest.raises(ImproperlyConfigured, match="BEACON_URL must be URLs separated by commas"):
        environment.addresses("BEACON_URL")
    monkeypatch.setenv("TIMESTAMP_AUTHORITIES", "/nowhere.pem")
    with pytest.raises(ImproperlyConfigured, match="TIMESTAMP_AUTHORITIES must be a PEM file"):
        environment.certificates("TIMESTAMP_AUTHORITIES")
    monkeypatch.setenv("BEACON_KEY", "83cf")
    with pytest.raises(ImproperlyConfigured, match="BEACON_KEY must be 192 hexadecimal digits"):
        environment.digits("BEACON_KEY", 192)
