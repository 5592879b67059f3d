"""Replay folds what happened and draws nothing; a viewer gets only what passes the gate."""

import msgspec
import pytest

from games.engine import EVERYONE, SPECTATOR, Notation, Phrase, RuleViolation, SeatName, SeatNumber, SeededChance, play
from games.engine import replay as replay_events
from games.engine.rules import AnyRules, show_all
from games.rules.registry import RULES

SEED = bytes(range(32))


def played(rules: AnyRules, answers: int = 12) -> list[msgspec.Struct]:
    """The events of the beginning of a game in which everybody plays at random."""
    chance = SeededChance(SEED, rules.name)
    events = list(rules.setup(rules.options(), rules.players[-1], chance))
    for _ in range(answers):
        state = replay_events(rules, events)
        question = rules.questions(state)[0]
        move = chance.choose(rules.legal_moves(state, question))
        events += rules.decide(state, question.seat, move, chance)
    return events


@pytest.fixture(params=sorted(RULES))
def rules(request: pytest.FixtureRequest) -> AnyRules:
    return RULES[request.param]


def test_the_same_seed_gives_the_same_events(rules: AnyRules) -> None:
    assert played(rules) == played(rules)


def test_a_log_folded_in_two_pieces_is_the_log_folded_at_once(rules: AnyRules) -> None:
    events = played(rules)
    whole = replay_events(rules, events)
    for cut in range(1, len(events)):
        assert replay_events(rules, events[cut:], replay_events(rules, events[:cut])) == whole


def test_a_move_that_is_played_leads_to_what_its_events_fold_to(rules: AnyRules) -> None:
    chance = SeededChance(SEED, rules.name)
    state = replay_events(rules, rules.setup(rules.options(), rules.players[-1], chance))
    for turn in range(100):
        if rules.outcome(state):
            break
        question = chance.choose(rules.questions(state))
        move = chance.choose(rules.legal_moves(state, question))
        once, again = (SeededChance(SEED, f"{rules.name} {turn}") for _ in range(2))
        events, after = play(rules, state, question.seat, move, once)
        assert events == rules.decide(state, question.seat, move, again)
        state = replay_events(rules, events, state)
        assert after == state


def test_events_come_back_from_their_json_as_they_were(rules: AnyRules) -> None:
    events = played(rules)
    decoder = msgspec.json.Decoder(rules.event_type)
    assert [decoder.decode(msgspec.json.encode(event)) for event in events] == events


def test_moves_come_back_from_their_json_and_strangers_are_refused(rules: AnyRules) -> None:
    state = replay_events(rules, played(rules))
    decoder = msgspec.json.Decoder(rules.move_type)
    for question in rules.questions(state):
        for move in rules.legal_moves(state, question):
            bare = msgspec.structs.replace(move, question="")
            written = msgspec.json.encode(bare)
            assert b'"question"' not in written
            assert decoder.decode(written) == bare
            with pytest.raises(msgspec.ValidationError):
                decoder.decode(written[:-1] + b',"cheat":1}')


def test_everyone_is_shown_everything_and_a_spectator_no_more_than_a_seat(rules: AnyRules) -> None:
    events = played(rules)
    assert show_all(rules, events, EVERYONE) == events
    for event in events:
        if rules.show(event, SPECTATOR) is not None:
            assert all(rules.show(event, SeatNumber(seat)) is not None for seat in range(1, rules.players[-1] + 1))


def test_a_phrase_in_english_names_seats_by_their_number() -> None:
    phrase = Phrase(
        "%(thief)s takes %(count)s from %(others)s (%(move)s).",
        {
            "thief": SeatName(SeatNumber(1)),
            "count": 2,
            "others": (SeatName(SeatNumber(2)), SeatName(SeatNumber(3))),
            "move": Notation("steal 2"),
        },
    )
    assert str(phrase) == "seat 1 takes 2 from seat 2, seat 3 (steal 2)."
    assert msgspec.json.decode(msgspec.json.encode(phrase), type=Phrase) == phrase


def test_a_violation_says_its_code_and_its_sentence() -> None:
    assert str(RuleViolation("not-asked", Phrase("It is not your turn."))) == "not-asked: It is not your turn."
