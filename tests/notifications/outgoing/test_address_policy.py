"""Tests of which addresses may be called: none that is not public, however it is written."""

import pytest

from notifications.outgoing.address_policy import ForbiddenAddress, is_public, place_of
from tests.examples import for_each

CLOSED = """
127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 169.254.170.2
100.64.0.1 100.127.255.254 100.100.100.200 192.0.0.1 192.0.0.170 192.0.2.7 198.51.100.7 203.0.113.7 198.18.0.1
198.19.255.255 192.88.99.1 192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
168.63.129.16 ::1 :: ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1
64:ff9b::808:808 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:db8::1
2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1 3fff::1 fc00::1 fd00:ec2::254 fd12:3456::1 fe80::1 fe80::1%eth0
2606:4700::1%1 fec0::1 ff02::1 ff0e::1 4000::1 5f00::1
""".split()  # noqa: SIM905
OPEN = """
8.8.8.8 1.1.1.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.0.1 11.0.0.1 223.255.255.254 198.17.0.1
2606:4700:4700::1111 2a00:1450:4001::1 2400:cb00::1 2001:4860:4860::8888
""".split()  # noqa: SIM905
FORMS = """
http://hooks.darbar.org/ ftp://hooks.darbar.org/ file:///etc/passwd gopher://hooks.darbar.org/ //hooks.darbar.org/
hooks.darbar.org javascript:alert(1) https: https:// https:///path https://localhost/ https://LOCALHOST/
https://localhost./ https://a.localhost/ https://printer.local/ https://db.internal/ https://router.lan/
https://nas.home.arpa/ https://hidden.onion/ https://intranet/ https://2130706433/ https://0x7f000001/
https://017700000001/ https://0177.0.0.1/ https://127.1/ https://127.0.1/ https://0x7f.0.0.1/ https://0x7f.1/
https://127.0.0.1./ https://1.2.3.0x4/ https://00127.0.0.1/ https://[::1]/ https://[::ffff:127.0.0.1]/
https://[::ffff:7f00:1]/ https://[0:0:0:0:0:0:0:1]/ https://[::127.0.0.1]/ https://[fe80::1%25eth0]/
https://[2606:4700::1%251]/ https://[64:ff9b::127.0.0.1]/ https://[2002:7f00:1::]/ https://[v1.fe80::a]/ https://[]/
https://[127.0.0.1]/ https://[hooks.darbar.org]/ https://::1/ https://kaveh@hooks.darbar.org/
https://kaveh:secret@hooks.darbar.org/ https://hooks.darbar.org@127.0.0.1/ https://127.0.0.1#@hooks.darbar.org/
https://127.0.0.1?@hooks.darbar.org/ https://hooks.darbar.org\\@127.0.0.1/ https://127.0.0.1\\.hooks.darbar.org/
https://@hooks.darbar.org/ https://hooks.darbar.org:0/ https://hooks.darbar.org:65536/ https://hooks.darbar.org:-1/
https://hooks.darbar.org:/ https://hooks.darbar.org:80a/ https://hooks..darbar.org/ https://.darbar.org/
https://hooks.darbar.org./ https://-hooks.darbar.org/ https://hooks_.darbar.org/ https://%6c%6f%63alhost/
https://hooks%2edarbar.org/ https://hooks.darbar.org%00.evil.org/ https://hooks*.darbar.org/ https://۱۲۷.۰.۰.۱/
https://①②⑦.⓪.⓪.①/ https://127。0。0。1/ https://ｌocalhost/ https://دربار.org/ https://xn--.org:99999/
https://169.254.169.254/latest/meta-data/ https://[fd00:ec2::254]/latest/ https://100.100.100.200/
""".split()  # noqa: SIM905


@for_each("address", CLOSED)
def test_no_address_is_public_that_not_everybody_reaches(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["", "localhost", "8.8.8", "8.8.8.8.", "0x8080808", "134744072", "8.8.8.8 "])
def test_what_is_no_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@for_each("address", OPEN)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@for_each("url", FORMS)
def test_no_form_of_a_url_leads_to_a_place_that_is_not_public(url: str) -> None:
    with pytest.raises(ForbiddenAddress):
        place_of(url)


@pytest.mark.parametrize("url", ["https://hooks.darbar.org/a\tb", "https://hooks.darbar.org/\r\nHost: x", " https://a.org",
                                 "https://a.org/\0", f"https://a.org/{'a' * 2000}"])  # fmt: skip
def test_blanks_and_line_breaks_and_endless_urls_are_refused(url: str) -> None:
    with pytest.raises(ForbiddenAddress):
        place_of(url)


@for_each("address", CLOSED)
def test_an_address_that_is_not_public_is_refused_as_a_host_too(address: str) -> None:
    with pytest.raises(ForbiddenAddress):
        place_of(f"https://[{address}]/" if ":" in address else f"https://{address}/")


@pytest.mark.parametrize(("url", "sentence"), [
    ("https://10.0.0.1/token", "“10.0.0.1” isn’t a public address. Write one"),
    ("https://[hooks.darbar.org]/", "Write a"),
    ("https://::1/token", "Write a"),
    ("https://[127.0.0.1]/token", "Write"),
    ("https://hooks.darbar.org:65536/token", "Write a URL such as https://"),
])  # fmt: skip
def test_a_refusal_names_the_host_and_a_way_on_and_keeps_the_path_which_may_be_secret(url: str, sentence: str) -> None:
    with pytest.raises(ForbiddenAddress) as refused:
        place_of(url)
    assert sentence in str(refused.value)
    assert "token" not in str(refused.value)


def test_a_plain_https_url_leads_to_its_host() -> None:
    place = place_of("https://Hooks.Darbar.ORG:8443/in?to=maryam&x=1#there")
    assert (place.is_secure, place.host, place.port, place.path) == (
        True,
        "hooks.darbar.org",
        8443,
        "/in?to=maryam&x=1",
    )
    assert place_of("https://xn--mgba3a4f16a.org").path == "/"
    assert place_of("https://[2606:4700:4700::1111]/").port == 443
    assert place_of("https://8.8.8.8/").host == "8.8.8.8"


def test_only_the_servers_own_machine_may_be_called_if_a_setting_allows_it() -> None:
    for url in ("http://localhost:9000/hook", "http://127.0.0.1:9000/", "https://[::1]:9000/"):
        assert place_of(url, loopback=True).port == 9000
        with pytest.raises(ForbiddenAddress):
            place_of(url)
    for url in ("http://example.org/", "http://8.8.8.8/", "http://a.localhost/", "http://localhost:25/"):
        with pytest.raises(ForbiddenAddress):
            place_of(url, loopback=True)
    for url in ("http://10.0.0.1/", "http://127.0.0.2/", "http://0.0.0.0/", "http://db.internal/", "http://[::]/"):
        with pytest.raises(ForbiddenAddress):
            place_of(url, loopback=True)


@for_each("port", [1, 21, 22, 23, 25, 53, 110, 143, 445, 465, 587, 853, 993, 1023, 1433, 2049, 2375,
                                  3306, 5060, 5432, 6000, 6379, 6667, 9200, 10080, 10250, 11211, 27017])  # fmt: skip
def test_a_port_of_another_service_is_refused_by_its_number(port: int) -> None:
    for url in (f"https://hooks.darbar.org:{port}/token", f"https://[2606:4700:4700::1111]:{port}/token"):
        with pytest.raises(ForbiddenAddress, match=f"^Port {port} belongs to another service"):
            place_of(url)


@for_each("port", [80, 443, 3000, 4443, 5001, 7443, 8000, 8008, 8080, 8443, 8448, 8888, 9443, 32768, 60999])
def test_ports_of_web_servers_are_allowed(port: int) -> None:
    assert place_of(f"https://hooks.darbar.org:{port}/").port == port
