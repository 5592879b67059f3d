"""The words of games in the reader's language: their options, events and answers.

Pages and emails show the answers to a question in groups, and as forms with several parts. Answers that differ in one
value only are in one row. "Steal from Heron", "Steal from Jazari" and "Steal from Sepideh" become the row "Steal from
…" with a button for each player. The values of the labels' phrases show the difference, so the rules need no code for
it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine import AnyRules, NumberSlot, Phrase, Question, SeatName, SeatNumber, Sentence, Slot, gettext_noop
from games.engine.drawing import hand_place
from games.engine.forms import AnswerForm, examples
from games.engine.phrases import Value
from games.engine.validation import STARTER
from games.event_log.table_events import (
    AnyPauseEvent,
    AnySeatEvent,
    BeaconAwaited,
    BeaconPublished,
    BotTakeover,
    DeadlinesMoved,
    DealListed,
    DueLater,
    EmailOutage,
    Forfeited,
    GameCancelled,
    GameCreated,
    Joined,
    Left,
    Paused,
    PauseDeclined,
    PauseProposed,
    PlayerTakeover,
    PositionCopied,
    Resumed,
    Returned,
    SeatOffered,
    SeedMissing,
    SeedRevealed,
    SeedsAwaited,
    StandInLeft,
    StandInNamed,
    TableEvent,
    TemporaryTakeover,
)
from games.models import Game
from games.phrases import isolated, localized, names_of, number, render_phrase
from games.rules.registry import find_rules


@dataclass(frozen=True)
class FormSlot:
    """A field of a form in the active language."""

    label: str
    choices: tuple[tuple[str, str], ...] = ()
    """Words in notation with their meanings. Empty for a number."""
    is_single: bool = True
    lowest: int = 0
    highest: int = 0
    help: str = ""
    """The allowed values, or an empty string for a choice of one word."""


@dataclass(frozen=True)
class Form:
    """A form in the active language."""

    title: str
    begins: str
    """The first words of the notation."""
    slots: tuple[FormSlot, ...]
    example: str = ""
    """An example of the notation in the active language, or an empty string for a plan."""
    slot_lines: tuple[str, ...] = ()
    """The label of each slot with the words that fit, for emails. Empty for a plan."""


def form_of(title: Phrase, begins: str, slots: Iterable[Slot | NumberSlot], names: Mapping[SeatNumber, str]) -> Form:
    """Return a form in the active language."""
    return Form(render_phrase(title, names), begins, tuple(_slot(slot, names) for slot in slots))


def render_forms(rules: AnyRules, forms: Iterable[AnswerForm], names: Mapping[SeatNumber, str]) -> tuple[Form, ...]:
    """Return the forms for answers to a question."""
    rendered_forms = []
    for answer_form in forms:
        form = form_of(answer_form.title, answer_form.verb, answer_form.slots, names)
        example = localized(rules, examples(answer_form)[1])
        slot_lines = tuple(_slot_line(rules, slot) for slot in form.slots)
        rendered_forms.append(Form(form.title, form.begins, form.slots, example, slot_lines))
    return tuple(rendered_forms)


def _slot_line(rules: AnyRules, slot: FormSlot) -> str:
    """Return the label of a slot, how much may be chosen, and the words with their meanings: “card: toad, 2 (Zoë)”."""
    words = [(localized(rules, word), meaning) for word, meaning in slot.choices]
    choices = [word if word.casefold() == meaning.casefold() else f"{word} ({meaning})" for word, meaning in words]
    between = pgettext("between answers", ", ")
    return f"{slot.label}: {'. '.join(filter(None, (slot.help, between.join(choices))))}"


def _slot(slot: Slot | NumberSlot, names: Mapping[SeatNumber, str]) -> FormSlot:
    label = render_phrase(slot.label, names)
    if isinstance(slot, NumberSlot):
        bounds = {"lowest": number(slot.lowest), "highest": number(slot.highest)}
        range_text = _("a number from %(lowest)s to %(highest)s") % bounds
        return FormSlot(label, lowest=slot.lowest, highest=slot.highest, help=range_text)
    choices = tuple((word, render_phrase(meaning, names)) for word, meaning in slot.choices)
    if slot.is_single:
        return FormSlot(label, choices)
    counts = {"least": number(slot.least), "most": number(slot.most)}
    return FormSlot(label, choices, is_single=False, help=_("choose from %(least)s to %(most)s") % counts)


_OPEN: Final = "…"
_FEWEST: Final = 3
"""Fewer answers do not form a row, unless they name players."""


@dataclass(frozen=True)
class Choice:
    """A button for an answer."""

    number: int
    """The number of the answer, from 1."""
    move: str
    """The answer in canonical notation."""
    notation: str
    """The notation in the active language."""
    label: str
    """The whole answer as a sentence."""
    short: str
    """The label of the button. In a row it is only the value that differs."""
    meanings: tuple[str, ...]
    """The consequences for the reader, as sentences."""
    places: str
    """The parts of the picture that the answer is about, such as ``seat-3``, separated by spaces."""


@dataclass(frozen=True)
class Group:
    """Answers in one row."""

    heading: str
    """The common part of the labels, or an empty string for a single answer."""
    choices: tuple[Choice, ...]

    @property
    def meanings(self) -> tuple[str, ...]:
        """Return the consequences that all answers of the group have."""
        first, *others = self.choices
        return tuple(meaning for meaning in first.meanings if all(meaning in other.meanings for other in others))


@dataclass(frozen=True)
class _Offer:
    number: int
    move: str
    notation: str
    phrase: Phrase
    meanings: tuple[Phrase, ...]


def group_answers(
    rules: AnyRules, state: Any, question: Question, names: Mapping[SeatNumber, str]
) -> tuple[Group, ...]:
    """Return the answers to a question in groups, in the order of the first answer of each group."""
    moves = rules.legal_moves(state, question)
    view = rules.view(state, question.seat)
    offers = [_offer(number, rules, view, move) for number, move in enumerate(moves, start=1)]
    return tuple(_grouped(offers, names))


def _offer(number: int, rules: AnyRules, view: Any, move: Any) -> _Offer:
    notation = rules.text(move)
    return _Offer(
        number, notation, localized(rules, notation), rules.words.label(move), rules.words.meanings(view, move)
    )


def _grouped(offers: Iterable[_Offer], names: Mapping[SeatNumber, str]) -> Iterator[Group]:
    rows: dict[object, list[_Offer]] = {}
    for offer in offers:
        rows.setdefault(_row_of(offer), []).append(offer)
    for row in rows.values():
        key = _last_value(row[0].phrase)
        about_players = isinstance(row[0].phrase.values.get(key), SeatName)
        if len(row) >= (2 if about_players else _FEWEST):
            heading = Phrase(row[0].phrase.text, {**row[0].phrase.values, key: _OPEN})
            yield Group(render_phrase(heading, names), tuple(_choice(offer, names, key) for offer in row))
        else:
            yield from (Group("", (_choice(offer, names, ""),)) for offer in row)


def _row_of(offer: _Offer) -> object:
    """Return the key of a row: the sentence with all its values except the last one."""
    key = _last_value(offer.phrase)
    common = tuple(repr(value) for name, value in offer.phrase.values.items() if name != key)
    return (offer.phrase.text, common) if key else offer.number


def _last_value(phrase: Phrase) -> str:
    """Return the name of the last value of a sentence, or an empty string."""
    return next(reversed(phrase.values), "")


def _choice(offer: _Offer, names: Mapping[SeatNumber, str], key: str) -> Choice:
    label = render_phrase(offer.phrase, names)
    short = render_phrase(Phrase("%(value)s", {"value": offer.phrase.values[key]}), names) if key else label
    places = (_place(name, value) for name, value in offer.phrase.values.items())
    meanings = tuple(render_phrase(meaning, names) for meaning in offer.meanings)
    return Choice(offer.number, offer.move, offer.notation, label, short, meanings, " ".join(filter(None, places)))


def _place(name: str, value: Value) -> str:
    """Return the part of the picture that a value names: a seat, a numbered thing, or a card. Otherwise an empty
    string.

    The number 2 as value ``pile`` or ``other_pile`` of a phrase names the place ``pile-2``. The value ``card`` names
    that card of the reader's hand.
    """
    match value:
        case SeatName(seat):
            return f"seat-{seat}"
        case int():
            return f"{name.rpartition('_')[2]}-{value}"
        case str() | Phrase() if name == "card":
            return hand_place(value)
        case _:
            return ""


SHORT_CODE_LENGTH: Final = 4
"""The number of characters of a game's code that stand for the game in texts. Joining needs the whole code."""


def title_of(game: Game) -> str:
    """Return the title of the rules, or their name if they are not installed here."""
    rules = find_rules(game.rules, game.rules_version)
    return render_phrase(rules.words.title, {}) if rules else game.rules


def option_lines(rules: AnyRules, options: Mapping[str, Any]) -> list[str]:
    """Return a line for each of these options, in words where the rules have them."""
    lines = []
    for name, value in options.items():
        label = option_label(rules, name)
        if value is True:
            lines.append(label)
        elif value is False:
            lines.append(_("Without: %(expansion)s") % {"expansion": label})
        else:
            is_count = isinstance(value, int) and name != STARTER
            lines.append(f"{label}: {number(value) if is_count else value_label(rules, name, str(value))}")
    return lines


def option_label(rules: AnyRules, name: str) -> str:
    """Return the label of an option in the words of the rules, or its name."""
    phrase = rules.words.options.get(name)
    return isolated(name.replace("_", " ")) if phrase is None else render_phrase(phrase, {})


def value_label(rules: AnyRules, option: str, value: str) -> str:
    """Return the label of a value of an option in the words of the rules, the number of a seat, or the value."""
    if phrase := rules.words.options.get(f"{option}.{value}"):
        return render_phrase(phrase, {})
    if value.isdigit():
        return _("seat %(number)s") % {"number": number(int(value))}
    return isolated(value.replace("_", " "))


def rematch_lines(answers: Mapping[SeatNumber, bool | None], names: Mapping[SeatNumber, str]) -> list[str]:
    """Return sentences about the answers of players to the offer of a rematch."""
    sentences = (
        (True, _("Accepted: %(players)s.")),
        (None, _("Not answered yet: %(players)s.")),
        (False, _("Declined: %(players)s.")),
    )
    return [
        sentence % {"players": names_of(seats, names)}
        for accepted, sentence in sentences
        if (seats := [seat for seat in answers if answers[seat] is accepted])
    ]


def short_code(game: Game) -> str:
    """Return the short name of a game: a part of its code that does not let anybody join."""
    return game.code[:SHORT_CODE_LENGTH].upper()


def is_named(text: str) -> Q:
    """Return the condition for the games with this short code, which may follow the title of the game.

    No other part of the code is compared, because the whole code lets people join.
    """
    code = "".join(filter(str.isalnum, next(reversed(text.split()), "")))  # Emails put invisible characters around it.
    return Q(code__startswith=code.lower()) if len(code) == SHORT_CODE_LENGTH else Q(pk=None)


def deck_fingerprint(game: Game) -> str:
    """Return a sentence with the commitment to the deck."""
    sentence = _("Fingerprint of the deck: %(commitment)s. After the game you can check the cards with it.")
    return sentence % {"commitment": isolated(game.commitment)}


def game_fingerprint(game: Game) -> str:
    """Return a sentence with the public head of the log. It reveals nothing about the log."""
    over = game.state == Game.State.OVER
    sentence = _("Fingerprint of the game: %(head)s") if over else _("Fingerprint of the game so far: %(head)s")
    return sentence % {"head": isolated(bytes(game.public_head).hex())}


def deal_fingerprint(game: Game) -> tuple[str, ...]:
    """Return a sentence with the head of the list of the deal, or nothing if there is no list."""
    if not game.deal_list:
        return ()
    sentence = _("Fingerprint of the deal: %(head)s. Keep it: it shows that the deal was fixed.")
    return (sentence % {"head": isolated(game.deal_head)},)


def missing_seeds(game: Game) -> str:
    """Return the names of players who have not revealed their promised seeds, or an empty string if there are none."""
    missing = (seat for seat in game.seats.all() if seat.seed_commitment and not seat.seed)
    return pgettext("between the items of a list", ", ").join(
        isolated(seat.player) or str(seat.number) for seat in missing
    )


def withheld_seeds(game: Game) -> tuple[str, ...]:
    """Return a sentence with the players who did not reveal their promised seeds in time, or nothing."""
    names = missing_seeds(game)
    sentence = _("These players didn’t reveal the seeds that they had promised: %(players)s.")
    return (sentence % {"players": names},) if names else ()


def deal_protection(game: Game) -> str:
    """Return sentences about the protection of the deal, and about the need to trust the operator
    (``docs/fairness.md``).
    """
    is_dealt = game.state not in (Game.State.OPEN, Game.State.STARTING)
    if is_dealt and (missing := missing_seeds(game)):
        sentence = _(
            "These players didn’t reveal the seeds that they had promised: %(players)s. So nothing is proven "
            "about the deal, and the operator of this server could have chosen the cards."
        )
        return sentence % {"players": missing}
    if game.beacon_round is not None:
        sentence = _(
            "Round %(round)s of the public beacon drand is mixed into the cards. If you kept the fingerprint of the "
            "deal before that round was published, you can prove that nobody chose the cards, not even the operator of "
            "this server. The operator could see them."
        )
        return sentence % {"round": game.beacon_round}
    if is_dealt and game.deal_list and '"key":""' not in game.deal_list:
        return _trusts_operator()
    if any(seat.seed_commitment for seat in game.seats.all()):
        return _(
            "Seeds that players promise are mixed into the cards. If an app of your own promises one, and keeps "
            "the fingerprint of the deal before it reveals it, you can prove that nobody chose the cards. The "
            "scripts of these pages come from the operator of this server. So they don’t protect against an "
            "operator who cheats on purpose. The operator could see the cards."
        )
    if game.state == Game.State.OPEN and settings.BEACON_URL and game.seat_count - game.bot_count > 1:
        return _(
            "When every seat is taken, the deal waits for the public beacon drand. If you keep the fingerprint of "
            "the deal before the beacon gives its number, you can prove that nobody chose the cards, not even the "
            "operator of this server. The operator could see them."
        )
    return _trusts_operator()


def _trusts_operator() -> str:
    return _("No player can choose the cards. This server deals them, and its operator could see or choose them.")


def awaited_for_deal(game: Game) -> tuple[str, ...]:
    """Return sentences about a deal that waits for seeds or for the public beacon."""
    if game.beacon_round is not None:
        sentence = _(
            "The deal waits for round %(round)s of the public beacon drand, which is published within a minute."
        )
        return (sentence % {"round": game.beacon_round}, *deal_fingerprint(game), deal_protection(game))
    missing = [seat for seat in game.seats.all() if seat.account_id and seat.seed_commitment and not seat.seed]
    awaited = ngettext(
        "The deal waits for the seed of %(number)s player.",
        "The deal waits for the seeds of %(number)s players.",
        len(missing),
    )
    after = {
        "deal": _("Without them the cards are dealt a day after every seat was taken."),
        "cancel": _("Without them the game is cancelled a day after every seat was taken."),
    }
    return (
        awaited % {"number": len(missing)},
        after[game.terms.unprotected],
        *deal_fingerprint(game),
        deal_protection(game),
    )


_SEAT_SENTENCES: Final[dict[type[TableEvent], Sentence]] = {
    Joined: Sentence(gettext_noop("%(player)s joined the game."), gettext_noop("You joined the game.")),
    SeedRevealed: Sentence(gettext_noop("%(player)s revealed a seed."), gettext_noop("You revealed your seed.")),
    SeedMissing: Sentence(
        gettext_noop("%(player)s didn’t reveal the seed that they had promised."),
        gettext_noop("You didn’t reveal the seed that you had promised."),
    ),
    BotTakeover: Sentence(
        gettext_noop("A player has left the server; %(player)s, a bot, took the seat."),
        gettext_noop("A bot took your seat."),
    ),
    TemporaryTakeover: Sentence(
        gettext_noop("%(player)s took too long to answer; a bot sits in."),
        gettext_noop("You took too long to answer; a bot sits in for you."),
    ),
    SeatOffered: Sentence(
        gettext_noop("%(player)s took too long to answer; a bot sits in, and a new player may be invited."),
        gettext_noop("You took too long to answer; a bot sits in, and a new player may be invited."),
    ),
    Returned: Sentence(gettext_noop("%(player)s is back."), gettext_noop("You’re back.")),
    PlayerTakeover: Sentence(gettext_noop("%(player)s took over a seat."), gettext_noop("You took over this seat.")),
    Forfeited: Sentence(
        gettext_noop("%(player)s took too long to answer, and is out of the game."),
        gettext_noop("You took too long to answer, and are out of the game."),
    ),
    StandInNamed: Sentence(
        gettext_noop("%(player)s has named a stand-in for some time."),
        gettext_noop("You’ve named a stand-in for some time."),
    ),
    StandInLeft: Sentence(
        gettext_noop("%(player)s no longer has a stand-in."), gettext_noop("You no longer have a stand-in.")
    ),
    PauseProposed: Sentence(gettext_noop("%(player)s asked for a pause."), gettext_noop("You asked for a pause.")),
}
"""Sentences for events about the seat of one player."""

_FORMER_PLAYER: Final = Sentence(gettext_noop("The player before %(player)s"), gettext_noop("The player before you"))
"""The former player of a seat that was taken over, at the beginning of sentences."""

_GAME_SENTENCES: Final[dict[type[TableEvent], str]] = {
    GameCreated: gettext_noop("The game was created."),
    Left: gettext_noop("A player has left."),
    DealListed: gettext_noop("Every seat is taken, and the list of the deal is fixed."),
    SeedsAwaited: gettext_noop("The deal waits for the seeds of players."),
    BeaconAwaited: gettext_noop("The deal waits for the public beacon."),
    BeaconPublished: gettext_noop("The public beacon has given its number."),
    PositionCopied: gettext_noop("This practice game goes on from a finished game."),
    GameCancelled: gettext_noop("The game was cancelled."),
    DeadlinesMoved: gettext_noop("The server was down: every deadline is %(minutes)s minutes later."),
    EmailOutage: gettext_noop("Emails couldn’t be sent for a while: every deadline is %(minutes)s minutes later."),
    DueLater: gettext_noop("There’s more time to answer now."),
    PauseDeclined: gettext_noop("Not everyone agreed to a pause."),
    Paused: gettext_noop("Everyone agreed to a pause: the game is paused."),
    Resumed: gettext_noop("The pause is over: the game goes on."),
}
"""Sentences for events about a whole game. Other events of this kind have no sentence."""


def event_sentence(event: TableEvent, reader: SeatNumber | None = None, *, former: bool = False) -> Phrase | None:
    """Return a table event as a sentence for the player on the seat ``reader``, or None if it has no sentence.

    With ``former``, the sentence is about the former player of the seat.
    """
    if isinstance(event, Joined | SeedRevealed | SeedMissing | BotTakeover | PauseProposed | AnySeatEvent):
        sentences = _SEAT_SENTENCES[type(event)]
        if former:
            return Phrase(sentences.others, {"player": _FORMER_PLAYER.phrase(reader, event.seat)})
        return sentences.phrase(reader, event.seat)
    if isinstance(event, DeadlinesMoved | EmailOutage):
        return Phrase(_GAME_SENTENCES[type(event)], {"minutes": -(-event.seconds // 60)})
    sentence = _GAME_SENTENCES.get(type(event))
    return None if sentence is None else Phrase(sentence)


def story_sentence(event: TableEvent, reader: SeatNumber | None = None, *, former: bool = False) -> Phrase | None:
    """Return the sentence about a table event that is part of the story of a game, or None."""
    story_events = BotTakeover | AnySeatEvent | AnyPauseEvent | DeadlinesMoved | EmailOutage
    return event_sentence(event, reader, former=former) if isinstance(event, story_events) else None
