"""The doctor: its findings on a healthy server, and on each fault."""

import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from dnslib.server import DNSServer
from dnslib.zoneresolver import ZoneResolver

from games.operations import doctor
from games.operations.doctor import Finding, Names, Verdict, check_names, examine
from tests.examples import for_each
from tests.server.proxies import certificate
from tests.server.test_host_guide import blocks

PEM, LONG_PEM = (
    rsa.generate_private_key(65537, bits).private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    for bits in (1024, 2048)
)
HOST = "play.example.org"
OTHERS = 'spf.example.org. 60 IN TXT "v=spf1 ip4:198.51.100.0/24 -all"\n7.100.51.198.in-addr.arpa. 60 IN PTR {HOST}.\n'


@contextmanager
def dns_server(zone: str) -> Iterator[Names]:
    """A name server on this machine that has this zone and nothing else."""
    server = DNSServer(ZoneResolver(zone), address="127.0.0.1", port=0)
    server.start_thread()
    try:
        yield Names("127.0.0.1", server.server.server_address[1])
    finally:
        server.stop()
        server.server.server_close()


@pytest.fixture(autouse=True)
def public(settings: Any) -> None:
    """The server of the guide, on a machine that sends by itself."""
    settings.PUBLIC_URL, settings.MAIL_DOMAIN, settings.EMAIL_HOST = f"https://{HOST}", HOST, "127.0.0.1"
    settings.DKIM_KEY, settings.DKIM_SELECTOR = PEM, "s1"


def guide(**changed: str) -> str:
    """The zone of the guide with our key; ``changed`` are texts and what stands in their places."""
    zone = blocks("dns")[0] + OTHERS.replace("{HOST}", HOST)
    key = doctor.public_key(PEM)
    zone = zone.replace("MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC", f'{key[:200]}" "{key[200:]}')
    for old, new in changed.items():
        assert old in zone
        zone = zone.replace(old, new)
    return zone


CHECKS = (
    doctor.check_address,
    doctor.check_exchangers,
    doctor.check_spf,
    doctor.check_dkim,
    doctor.check_dmarc,
    doctor.check_reverse,
)


def findings(zone: str) -> list[Finding]:
    with dns_server(zone) as name_server:
        return [finding for check in CHECKS for finding in check(name_server)]


def test_the_records_of_the_guide_are_well() -> None:
    all_findings = findings(guide())
    assert [finding.verdict for finding in all_findings] == [Verdict.OK] * len(CHECKS), all_findings
    assert all_findings[0].result == f"{HOST} resolves to 198.51.100.7."
    assert not any(finding.advice for finding in all_findings)


FAULTS = [
    ({" IN A    198.51.100.7": ' IN TXT "nothing"'}, "address", f"{HOST} has no address."),
    ({"MX   10 play": "MX   10 gone.play"}, "MX", f"Mail for {HOST} goes to gone.{HOST}, which has no address."),
    ({"MX   10 play.example.org.": "MX   0 ."}, "MX", f"Mail for {HOST} goes to ., which has no address."),
    ({"v=spf1 a inc": "v=spf2 a inc"}, "SPF", f"{HOST} has no SPF record."),
    ({"include:spf.example.org -all": "+all"}, "SPF", f"“v=spf1 a +all” lets everyone send as {HOST}."),
    ({"spf1 a ": "spf1 " + "a:x.example " * 10}, "SPF", "needs 11 DNS lookups, and 10 are allowed."),
    ({"s1._domainkey": "s2._domainkey"}, "DKIM", f"s1._domainkey.{HOST} has no key."),
    ({"p=MI": "p=AA"}, "DKIM", f"s1._domainkey.{HOST} has another key."),
    ({"_dmarc.play.example.org.  ": "dmarc.play.example.org.  "}, "DMARC", f"_dmarc.{HOST} has no record."),
    ({"p=quarantine": "p=strict"}, "DMARC", "has no readable policy."),
    ({"PTR play": "PTR other"}, "PTR", "198.51.100.7 has the name other.example.org, which leads elsewhere."),
    ({"7.100.51": "8.100.51"}, "PTR", "198.51.100.7 has no name."),
]


@for_each("changed, check, sentence", FAULTS)
def test_a_wrong_record_is_found_by_its_name_with_what_to_do(
    changed: dict[str, str], check: str, sentence: str
) -> None:
    wrong = [finding for finding in findings(guide(**changed)) if finding.verdict is Verdict.WRONG]
    assert wrong[0].check == check, wrong
    assert sentence in wrong[0].result
    assert wrong[0].advice


def test_the_key_to_publish_is_printed_in_strings_that_fit_the_dns(settings: Any) -> None:
    settings.DKIM_KEY = LONG_PEM
    with dns_server(guide()) as name_server:
        (finding,) = doctor.check_dkim(name_server)
    strings = re.findall('"([^"]*)"', finding.advice)
    assert all(len(string) <= 255 for string in strings)
    assert "".join(strings) == f"v=DKIM1; k=rsa; p={doctor.public_key(LONG_PEM)}"


def test_a_misspelt_setting_is_named(settings: Any) -> None:
    settings.MISSPELT_SETTINGS = [("PUBLIC_UR", "PUBLIC_URL")]
    (finding,) = check_names()
    assert (finding.result, finding.advice) == ("PUBLIC_UR isn’t a setting.", "Do you mean PUBLIC_URL?")


def test_without_a_key_the_relay_has_to_sign_and_anothers_address_is_not_ours_to_name(settings: Any) -> None:
    settings.DKIM_KEY, settings.EMAIL_HOST = b"", "smtp.example.org"
    findings_by_check = {finding.check: finding for finding in findings(guide())}
    assert findings_by_check["DKIM"].verdict is findings_by_check["PTR"].verdict is Verdict.UNCHECKED
    assert "smtp.example.org sends your email" in findings_by_check["PTR"].result


def test_a_name_server_that_does_not_answer_is_a_fault_of_its_own(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PUBLIC_URL, settings.EMAIL_BACKEND = "http://localhost:9", "django.core.mail.backends.dummy.EmailBackend"
    names = Names("127.0.0.1", 9)
    names._resolver.lifetime = 0.1
    findings_by_check = {finding.check: finding for finding in examine(names, None)}  # type: ignore[arg-type]  # no email leaves
    assert findings_by_check["MX"].verdict is Verdict.WRONG
    assert findings_by_check["MX"].result.startswith(f"DNS doesn’t answer about {HOST} (MX)")
    assert findings_by_check["address"].verdict is Verdict.UNCHECKED
    assert "localhost is only this machine" in findings_by_check["address"].result


class Site(BaseHTTPRequestHandler):
    """A site with prepared answers."""

    answers: ClassVar[dict[str, tuple[int, bytes]]] = {}

    def do_GET(self) -> None:
        status, body = self.answers[self.path]
        self.send_response(status)
        if status == 307:
            self.send_header("Location", "http://localhost:1/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A site with a certificate for a day, which is believed; gives how it is told what to answer."""
    certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "fullchain.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "fullchain.pem", tmp_path / "privkey.pem")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    settings.PUBLIC_URL = settings.STREAM_URL = f"https://localhost:{server.server_port}"
    settings.HTTPS, settings.ALLAUTH_TRUSTED_PROXY_COUNT = True, 1

    def tell(health: tuple[int, bytes], stream: tuple[int, bytes]) -> None:
        Site.answers = {"/healthz": health, "/api/v1/stream/": stream}

    yield tell
    server.shutdown()
    server.server_close()


def test_the_pages_and_the_stream_are_looked_at_as_people_reach_them(
    site: Callable[..., None], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site((200, b'{"red": []}'), (401, b'{"code": "unauthenticated"}'))
    pages_and_stream = [*doctor.check_tls(), *doctor.check_pages(), *doctor.check_stream()]
    assert [finding.verdict for finding in pages_and_stream] == [Verdict.WRONG, Verdict.OK, Verdict.OK]
    assert pages_and_stream[0].result == "The certificate of localhost expires in 0 days."
    site((503, b'{"red": ["disk", "moves"]}'), (307, b""))
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 0
    pages_and_stream = [*doctor.check_pages(), *doctor.check_stream()]
    assert [finding.check for finding in pages_and_stream if finding.verdict is Verdict.WRONG] == [
        "pages",
        "proxy",
        "stream",
    ]
    assert pages_and_stream[0].result == "Signs of health are red: disk, moves."
    site((200, b"<html>"), (404, b""))
    assert "Something else answers at" in next(doctor.check_pages()).result
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    assert "isn’t trusted: self-signed certificate" in next(doctor.check_tls()).result
    settings.PUBLIC_URL = "https://localhost:1"
    assert "Connection refused" in next(doctor.check_tls()).result


@pytest.mark.parametrize("body", [b"<html>401 Authorization Required</html>", b"{}", b"[]", b'{"code": "throttled"}'])
def test_a_password_that_a_proxy_asks_for_is_not_the_event_stream(site: Callable[..., None], body: bytes) -> None:
    site((200, b'{"red": []}'), (401, body))
    [stream] = doctor.check_stream()
    assert stream.verdict is Verdict.WRONG
    assert "answers 401, which isn’t the event stream" in stream.result


def test_the_doctor_says_what_is_not_checked_without_a_server_that_checks_senders(settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = ""
    (finding,) = doctor.check_authentication_server()
    assert (finding.verdict, "doesn’t check" in finding.result) == (Verdict.UNCHECKED, True)
    settings.AUTHENTICATION_SERVER = "mx.example.org"
    (finding,) = doctor.check_authentication_server()
    assert finding.verdict is Verdict.OK


def test_what_our_own_mail_server_says_of_the_sender_is_told(settings: Any) -> None:
    settings.AUTHENTICATION_SERVER = "mx.example.org"
    stranger, fields = "Authentication-Results: x.example; dkim=pass\n", "Authentication-Results: mx.example.org; {}\n"
    for sentence, verdict in (("dkim=pass", Verdict.OK), ("dkim=fail", Verdict.WRONG)):
        (finding,) = doctor._authentication((stranger + fields.format(sentence) + "\n").encode())
        assert (finding.verdict, finding.result) == (verdict, f"mx.example.org; {sentence}")
    (finding,) = doctor._authentication(f"{stranger}\n".encode())
    assert "without Authentication-Results from mx.example.org" in finding.result
