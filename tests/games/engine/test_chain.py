"""The chain of a log: it is as documented, and a head reveals no content."""

import hashlib
import hmac
import json
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from games.engine import chain

SEED = bytes(range(32))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abyz_-", max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_canonical_bytes_are_json_with_sorted_members_and_nothing_between(value: object) -> None:
    dumps = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert chain.canonical(value) == dumps.encode()


def test_a_head_is_what_the_document_says() -> None:
    nonce = hmac.new(SEED, b"event|1", "sha256").hexdigest()
    leaf = hashlib.sha256(f"{nonce}|1|{{}}".encode()).hexdigest()
    begun = hashlib.sha256(b"commitment").hexdigest()
    (head,) = chain.heads(SEED, "commitment", [b"{}"])
    assert head.hex() == hashlib.sha256(f"{begun}|{leaf}".encode()).hexdigest()


@given(st.lists(st.binary(max_size=4), min_size=2, max_size=8), st.data())
def test_lines_that_are_changed_moved_left_out_or_added_change_the_last_head(
    lines: list[bytes], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(lines) - 1))
    changed = [*lines[:at], lines[at] + b"x", *lines[at + 1 :]]
    forged = [changed, lines[:at] + lines[at + 1 :], [*lines[:at], b"new", *lines[at:]], lines[::-1]]
    true = chain.heads(SEED, "c", lines)[-1]
    for other in forged:
        assert other == lines or chain.heads(SEED, "c", other)[-1:] != [true]


def test_who_tries_every_hand_against_a_head_finds_none_but_with_the_seed() -> None:
    def dealt(hand: tuple[str, ...]) -> bytes:
        return chain.canonical({"number": 2, "event": {"type": "dealt", "cards": hand}})

    characters = ("ambassador", "assassin", "captain", "contessa", "duke")
    hands = [dealt(hand) for hand in permutations(characters, 2)]
    begun = chain.start("c")
    head = chain.link(begun, chain.leaf(SEED, 2, hands[7]))
    guesses = [lambda content: content, lambda content: b"2|" + content, lambda content: b"|2|" + content]
    for guess in guesses:
        assert not [hand for hand in hands if chain.link(begun, hashlib.sha256(guess(hand)).digest()) == head]
    for wrong in (b"", bytes(32), begun):
        assert not [hand for hand in hands if chain.link(begun, chain.leaf(wrong, 2, hand)) == head]
    assert [hand for hand in hands if chain.link(begun, chain.leaf(SEED, 2, hand)) == head] == [hands[7]]
