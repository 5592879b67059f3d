"""Plans as text: their notation, and what forms and letters say of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine import (
    Move,
    MoveText,
    Phrase,
    PlanForm,
    PlanRules,
    RuleViolation,
    SeatName,
    SeatNumber,
    Slot,
    gettext_noop,
)
from games.engine.answers.plans import next_turn_form, on_next_turn
from games.engine.errors import MALFORMED
from games.engine.reading import Vocabulary, meant, plan_tokens, unread_plan
from games.rules.coup import plans
from games.rules.coup.cards import Character
from games.rules.coup.text.characters import CHARACTERS
from games.rules.coup.text.notation import PERSIAN
from games.rules.coup.text.words import label
from games.rules.coup.visibility.views import View

PERSIAN_PLANS: Final[Mapping[str, str]] = {
    "all": "همه",
    "else": "وگرنه",
    "if-challenged": "اگر-چالش",
    "if-losing": "اگر-باخت",
    "if-blocked": "اگر-مقابله",
    "next-turn": "نوبت-بعد",
}
"""The Persian word for each word that only plans have."""

_PERSIAN: Final = {**PERSIAN, **PERSIAN_PLANS}
VOCABULARY: Final = Vocabulary(
    {**{word: word for word in _PERSIAN}, **{persian: word for word, persian in _PERSIAN.items()}, "مجاز": "allow"}
)
ACTIONS: Final[Mapping[str, str]] = {
    "foreign-aid": gettext_noop("foreign aid"),
    "tax": gettext_noop("tax"),
    "assassinate": gettext_noop("assassination"),
    "steal": gettext_noop("stealing"),
    "exchange": gettext_noop("exchanging cards"),
    "examine": gettext_noop("examining"),
    "embezzle": gettext_noop("embezzlement"),
    "bomb": gettext_noop("defusing the bomb and handing it on"),
}
"""The nouns for what may be allowed."""


def plan_text(plan: plans.AnyPlan) -> str:
    """The one canonical text of a plan."""
    match plan:
        case plans.AllowOthers():
            return "allow all"
        case plans.Allow(player=player, action=action):
            return _joined("allow", action, player)
        case plans.Challenge(character=character, player=player):
            return _joined("challenge", character, player)
        case plans.IfChallenged(lose=card):
            return f"if-challenged prove else concede {card}"
        case plans.IfLosing(lose=card):
            return f"if-losing lose {card}"
        case plans.Block(action=action, character=character, player=player, else_allow=else_allow):
            return _joined("block", action, character, player, "else allow" if else_allow else None)
        case plans.IfBlocked(challenge=challenge):
            return f"if-blocked {'challenge' if challenge else 'allow'}"
        case plans.NextTurn(move=move):
            return f"next-turn {move!s}"


def _joined(*words: object) -> str:
    return " ".join(str(word) for word in words if word is not None)


def parse(view: View, seat: SeatNumber, written: str, names: Mapping[str, SeatNumber]) -> plans.AnyPlan:
    """The plan that somebody wrote. RuleViolation ``malformed`` where it is none, or cannot be given now.

    A plan in notation is read as it is, whatever players are called.
    """
    tokens = plan_tokens(written, VOCABULARY, names)
    plan = _read(view, seat, plan_tokens(written, VOCABULARY, {})) or _read(view, seat, tokens)
    if plan is None and tokens[:1] == ("if-challenged",):
        sentence = gettext_noop("This plan has both halves or none: “%(plan)s”.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"plan": MoveText(plan_text(_concession(view)))}))
    if plan is None:
        raise unread_plan(written, [plan_text(each) for each in examples(view, seat)])
    if why := plans.wrong(view, seat, plan):
        raise RuleViolation(MALFORMED, why)
    return plan


def _read(view: View, seat: SeatNumber, tokens: tuple[str, ...]) -> plans.AnyPlan | None:
    """Return what the words say; None where they say nothing, or more than one thing."""
    match tokens:
        case ("allow", "all"):
            return plans.AllowOthers()
        case ("allow", *what) if (named := _named(what)) is not None:
            player, action = named
            return plans.Allow(player, action) if action not in CHARACTERS else None
        case ("challenge", *what) if (named := _named(what)) is not None:
            player, card = named
            return plans.Challenge(Character(card), player) if card is not None and card in CHARACTERS else None
        case ("block", *what, "else", "allow"):
            return _blocking(what, else_allow=True)
        case ("block", *what):
            return _blocking(what, else_allow=False)
        case ("if-challenged", "prove", "else", "concede", card) if card in CHARACTERS:
            return plans.IfChallenged(Character(card))
        case ("if-losing", "lose", card) if card in CHARACTERS:
            return plans.IfLosing(Character(card))
        case ("if-blocked", "challenge" | "allow" as answer):
            return plans.IfBlocked(answer == "challenge")
        case ("next-turn", *words):
            move = meant(words, tuple(plans.turns(view, seat)), str)
            return None if move is None else plans.NextTurn(move)  # type: ignore[arg-type]
    return None


def _named(words: Sequence[str]) -> tuple[SeatNumber | None, str | None] | None:
    """The player and the other word, in whatever order; None where there are two of a kind."""
    seats, rest = _sorted_out(words)
    if len(seats) > 1 or len(rest) > 1:
        return None
    return (seats[0] if seats else None), (rest[0] if rest else None)


def _blocking(words: Sequence[str], *, else_allow: bool) -> plans.Block | None:
    """An action, the character that blocks it, and perhaps a player, in whatever order."""
    seats, rest = _sorted_out(words)
    cards = [Character(word) for word in rest if word in CHARACTERS]
    actions = [word for word in rest if word not in CHARACTERS]
    if len(seats) > 1 or len(cards) != 1 or len(actions) != 1:
        return None
    return plans.Block(actions[0], cards[0], seats[0] if seats else None, else_allow)


def _sorted_out(words: Sequence[str]) -> tuple[list[SeatNumber], list[str]]:
    """The players and the other words."""
    numbers = [word.removeprefix("seat ") for word in words]
    seats = [SeatNumber(int(number)) for number in numbers if number.isdigit()]
    return seats, [word for word, number in zip(words, numbers, strict=True) if not number.isdigit()]


def _concession(view: View) -> plans.IfChallenged:
    return plans.IfChallenged(plans.law_at(view).characters[-1])


def describe(plan: plans.AnyPlan) -> Phrase:
    """A plan as a sentence."""
    match plan:
        case plans.AllowOthers():
            return Phrase(gettext_noop("Allow everything that is not aimed at me."))
        case plans.Allow(player=player, action=action):
            return _allowing(player, action)
        case plans.Challenge(character=character, player=player):
            return _challenging(character, player)
        case plans.IfChallenged(lose=card):
            sentence = gettext_noop("If I am challenged: prove if I can, else concede and lose the %(card)s.")
            return Phrase(sentence, {"card": CHARACTERS[card]})
        case plans.IfLosing(lose=card):
            sentence = gettext_noop("If I have to lose an influence: lose the %(card)s, or what I have instead.")
            return Phrase(sentence, {"card": CHARACTERS[card]})
        case plans.Block():
            return _blocked(plan)
        case plans.IfBlocked(challenge=True):
            return Phrase(gettext_noop("If my action is blocked: challenge the block."))
        case plans.IfBlocked():
            return Phrase(gettext_noop("If my action is blocked: accept it."))
        case plans.NextTurn(move=move):
            return on_next_turn(label(move))


def _allowing(player: SeatNumber | None, action: str | None) -> Phrase:
    if action is None:
        return Phrase(gettext_noop("Allow everything %(player)s does."), {"player": SeatName(player or SeatNumber(0))})
    if player is None:
        return Phrase(gettext_noop("Allow this from anyone: %(action)s."), {"action": ACTIONS[action]})
    sentence = gettext_noop("Allow this when %(player)s does it: %(action)s.")
    return Phrase(sentence, {"action": ACTIONS[action], "player": SeatName(player)})


def _challenging(character: Character, player: SeatNumber | None) -> Phrase:
    card = CHARACTERS[character]
    if player is None:
        return Phrase(gettext_noop("Challenge the next claim to hold the %(card)s."), {"card": card})
    sentence = gettext_noop("Challenge the next claim of %(player)s to hold the %(card)s.")
    return Phrase(sentence, {"card": card, "player": SeatName(player)})


_BLOCKED: Final = {
    (False, False): gettext_noop("Block this as %(card)s, from anyone: %(action)s."),
    (True, False): gettext_noop("Block this with the %(card)s when %(player)s does it: %(action)s."),
    (False, True): gettext_noop("If I hold the %(card)s, block this from anyone, else allow it: %(action)s."),
    (True, True): gettext_noop(
        "If I hold the %(card)s, block this when %(player)s does it, else allow it: %(action)s."
    ),
}
"""The sentence of a plan to block, by whether it names a player, and whether it allows what it cannot block."""


def _blocked(plan: plans.Block) -> Phrase:
    player = SeatName(plan.player or SeatNumber(0))
    sentence = _BLOCKED[plan.player is not None, plan.else_allow]
    return Phrase(sentence, {"action": ACTIONS[plan.action], "card": CHARACTERS[plan.character], "player": player})


def examples(view: View, seat: SeatNumber) -> tuple[plans.AnyPlan, ...]:
    """A plan of each kind that the seat could give."""
    claimed = next(action.claims for action in plans.law_at(view).actions.values() if action.claims)
    about: list[plans.AnyPlan] = [plans.Allow(action="foreign-aid"), plans.Challenge(claimed)]
    for other in plans.others(view, seat)[:1]:
        about = [
            plans.Allow(player=other),
            about[0],
            plans.Allow(player=other, action="tax"),
            about[1],
            plans.Challenge(claimed, other),
        ]
    blocked, cards = next(iter(plans.blockable(plans.law_at(view)).items()))
    return (
        plans.AllowOthers(),
        *about,
        plans.Block(blocked, cards[0]),
        plans.Block(blocked, cards[0], else_allow=True),
        _concession(view),
        plans.IfLosing(plans.law_at(view).characters[-1]),
        plans.IfBlocked(challenge=True),
        plans.IfBlocked(challenge=False),
        plans.NextTurn(next(iter(plans.turns(view, seat)))),  # type: ignore[arg-type]
    )


def forms(view: View, seat: SeatNumber) -> tuple[PlanForm, ...]:
    """All kinds of plans, for a page."""
    return (
        PlanForm(describe(plans.AllowOthers()), "allow all"),
        _allow_form(view, seat),
        _challenge_form(view, seat),
        _block_form(view, seat),
        _concession_form(view, seat),
        _loss_form(view, seat),
        _blocked_form(),
        _turn_form(view, seat),
    )


def _allow_form(view: View, seat: SeatNumber) -> PlanForm:
    actions = tuple((verb, Phrase(ACTIONS[verb])) for verb in plans.allowable(plans.law_at(view)))
    anything = ("", Phrase(gettext_noop("any action")))
    title = gettext_noop("Allow a player, or an action, until I say otherwise.")
    action = Slot(Phrase(gettext_noop("Action")), (anything, *actions))
    return PlanForm(Phrase(title), "allow", (action, _player(view, seat)))


def _challenge_form(view: View, seat: SeatNumber) -> PlanForm:
    title = gettext_noop("Challenge the next claim to hold a card.")
    return PlanForm(Phrase(title), "challenge", (_card(plans.law_at(view).characters), _player(view, seat)))


def _concession_form(view: View, seat: SeatNumber) -> PlanForm:
    title = gettext_noop("If I am challenged: prove if I can, else concede and lose a card.")
    return PlanForm(Phrase(title), "if-challenged prove else concede", (_card(_to_lose(view, seat)),))


def _loss_form(view: View, seat: SeatNumber) -> PlanForm:
    title = gettext_noop("If I have to lose an influence: lose a card, or what I have instead.")
    return PlanForm(Phrase(title), "if-losing lose", (_card(_to_lose(view, seat)),))


def _to_lose(view: View, seat: SeatNumber) -> list[Character]:
    """All characters, the owner's own cards first."""
    hand = view.seats[seat - 1].hand or ()
    return sorted(plans.law_at(view).characters, key=lambda card: card not in hand)


def _block_form(view: View, seat: SeatNumber) -> PlanForm:
    blocks = tuple(
        (f"{verb} {card}", Phrase("%(action)s: %(card)s", {"action": ACTIONS[verb], "card": CHARACTERS[card]}))
        for verb, cards in plans.blockable(plans.law_at(view)).items()
        for card in cards
    )
    title = gettext_noop("Block an action with a card whenever I may, until I say otherwise.")
    what = Slot(Phrase(gettext_noop("Action and card")), blocks)
    honesty = (
        ("", Phrase(gettext_noop("also as a bluff"))),
        ("else allow", Phrase(gettext_noop("only if I hold it, else allow"))),
    )
    when = Slot(Phrase(gettext_noop("When to block")), honesty)
    return PlanForm(Phrase(title), "block", (what, _player(view, seat), when))


def _blocked_form() -> PlanForm:
    answers = (("challenge", Phrase(gettext_noop("challenge the block"))), ("allow", Phrase(gettext_noop("accept it"))))
    title = gettext_noop("If my action is blocked.")
    return PlanForm(Phrase(title), "if-blocked", (Slot(Phrase(gettext_noop("What to answer")), answers),))


def _turn_form(view: View, seat: SeatNumber) -> PlanForm:
    actions = tuple((str(move), label(move)) for move in plans.turns(view, seat))
    return next_turn_form("next-turn", Slot(Phrase(gettext_noop("Action")), actions))


def _player(view: View, seat: SeatNumber) -> Slot:
    names = ((str(other), Phrase("%(player)s", {"player": SeatName(other)})) for other in plans.others(view, seat))
    anybody = ("", Phrase(gettext_noop("anyone")))
    return Slot(Phrase(gettext_noop("Player")), (anybody, *names))


def _card(characters: Sequence[str]) -> Slot:
    return Slot(Phrase(gettext_noop("Character")), tuple((card, Phrase(CHARACTERS[card])) for card in characters))


PLANS: Final[PlanRules[View, Move, plans.AnyPlan]] = PlanRules(
    plan_type=plans.AnyPlan,
    rank=plans.rank,
    subject=plans.subject,
    is_once=plans.is_once,
    is_spent=plans.is_spent,
    is_aimed=plans.is_aimed,
    answer=plans.answer_to,
    wrong=plans.wrong,
    text=plan_text,
    parse=parse,
    describe=describe,
    examples=examples,
    forms=forms,
    usual=plans.AllowOthers(),
    second=lambda view, question: [(plan, label(plan.move)) for plan in plans.second(view, question)],
)
"""The plans of Coup."""
