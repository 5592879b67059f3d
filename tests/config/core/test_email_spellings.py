"""The spellings of an address that name one mailbox."""

import pytest

from config.core.email_spellings import canonical, mailbox_of, readable
from notifications import deliverability, reply_addresses
from notifications.mail_parsing import headers, parser
from tests.examples import for_each
from tests.games.seated import NOON

SPELLINGS = {
    "zari@دربار.org": "zari@xn--mgbbuic.org",
    "Zari@XN--MGBBUIC.org": "zari@xn--mgbbuic.org",
    " zari@دربار。org ": "zari@xn--mgbbuic.org",
    "ali@Straße.DE": "ali@xn--strae-oqa.de",
    "ali@strasse.de": "ali@strasse.de",
    "ali@ｅxample.org": "ali@example.org",
    "ali@می\u200cخواهم.ir": "ali@xn--mgbn2ecje63gr19l.ir",
    "ali@exa_mple.org": "ali@exa_mple.org",
    "ali@-دربار.org": "ali@-دربار.org",
    "": "",
    "nobody": "nobody",
    f"a@{'ا' * 300}": f"a@{'ا' * 300}",
}


@for_each("address", list(SPELLINGS))
def test_all_spellings_of_an_address_have_one_form(address: str) -> None:
    assert canonical(address) == SPELLINGS[address]
    assert canonical(canonical(address)) == canonical(address)
    assert headers.addresses(f"Zari <{address.strip()}>") in ([canonical(address)], [])


def test_a_mailbox_is_one_whatever_its_plus_and_its_domain_look_like() -> None:
    assert mailbox_of("Zari+games@دربار.org") == "zari@xn--mgbbuic.org" == mailbox_of("zari@xn--mgbbuic.org")
    assert mailbox_of("+@example.org") == "+@example.org"


def test_an_address_is_shown_in_letters_and_in_ascii() -> None:
    assert readable("zari@xn--mgbbuic.org") == "zari@دربار.org (zari@xn--mgbbuic.org)"
    assert readable("Zari@example.org") == "zari@example.org"
    assert readable("zari@xn--.org") == "zari@xn--.org"


@pytest.mark.django_db
def test_never_holds_for_both_forms_of_a_domain() -> None:
    deliverability.suppress("zari@دربار.org", NOON)
    assert deliverability.is_suppressed("Zari+x@xn--mgbbuic.org")
    deliverability.note("zari@xn--mgbbuic.org", deliverability.Failure.COMPLAINT, None, NOON)
    assert deliverability.of("zari@دربار.org") is not None
    deliverability.confirm("zari@دربار.org", NOON)
    assert deliverability.of("zari@xn--mgbbuic.org") is None


def test_our_own_address_is_known_in_both_forms_of_our_domain(settings: pytest.FixtureRequest) -> None:
    settings.MAIL_DOMAIN = "xn--mgbbuic.org"
    token = reply_addresses.token(reply_addresses.INVITATION, "a1")
    assert reply_addresses.read(f"{token}@دربار.org") == (reply_addresses.INVITATION, "a1")
    raw = f"From: zari@example.org\nTo: {token}@دربار.org\n\n1\n".encode()
    assert parser.read(raw, reply_addresses.pattern(), server="").tokens == (token,)


@pytest.mark.parametrize(("domain", "verdict"), [("xn--strae-oqa.de", "pass"), ("strasse.de", "none")])
def test_a_check_of_one_domain_says_nothing_of_one_that_looks_alike(domain: str, verdict: str) -> None:
    raw = f"Authentication-Results: mx.example; dkim=pass header.d={domain}\nFrom: a@straße.de\n\nyes\n".encode()
    assert parser.read(raw, reply_addresses.pattern(), server="mx.example").authentication == verdict
