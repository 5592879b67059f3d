"""Tests of which addresses may be called: none that is not public, however it is written."""

import pytest

from notifications.outgoing import ForbiddenAddress, is_public, place_of
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)


@for_each("address", EXAMPLES["closed"])
def test_no_address_is_public_that_not_everybody_reaches(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["", "localhost", "8.8.8", "8.8.8.8.", "0x8080808", "134744072", "8.8.8.8 "])
def test_what_is_no_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@for_each("address", EXAMPLES["open"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@for_each("url", [*EXAMPLES["forms"], f"https://a.org/{'a' * 2000}"])
def test_no_form_of_a_url_leads_to_a_place_that_is_not_public(url: str) -> None:
    with pytest.raises(ForbiddenAddress):
        place_of(url)


@for_each("address", EXAMPLES["closed"])
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
