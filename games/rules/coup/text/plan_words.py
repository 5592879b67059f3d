"""Plans as text: their notation, and their words in forms and emails."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import msgspec

from games.engine import Move, Phrase, PlanForm, PlanRules, SeatName, SeatNumber, Slot
from games.engine import gettext_noop as _
from games.engine.plans import Plan, next_turn_form, on_next_turn, parse_plans, read_fields
from games.engine.reading import Vocabulary
from games.rules.coup import plans
from games.rules.coup.law import Law
from games.rules.coup.state import Character
from games.rules.coup.text.words import CHARACTERS, PERSIAN, label
from games.rules.coup.views import View

PERSIAN_PLANS: Final[Mapping[str, str]] = {
    "all": "همه",
    "else": "وگرنه",
    "if-challenged": "اگر چالش",
    "if-losing": "اگر باخت",
    "if-blocked": "اگر مقابله",
    "next-turn": "نوبت بعد",
}
"""The Persian word for each word that only plans use."""

VOCABULARY: Final = Vocabulary.of({**PERSIAN, **PERSIAN_PLANS}, {"مجاز": "allow"})
ACTIONS: Final[Mapping[str, str]] = {
    "foreign-aid": _("foreign aid"),
    "tax": _("tax"),
    "assassinate": _("assassination"),
    "steal": _("stealing"),
    "exchange": _("exchanging cards"),
    "examine": _("examining"),
    "embezzle": _("embezzlement"),
    "bomb": _("defusing the bomb and handing it on"),
}
"""The nouns for actions that may be allowed."""


def _concession(view: View) -> plans.IfChallenged:
    return plans.IfChallenged(plans.law_at(view).characters[-1])


DESCRIBED: Final[Mapping[tuple[Any, ...], str]] = {
    (plans.AllowOthers,): _("Allow everything that isn’t aimed at me."),
    (plans.Allow, "player"): _("Allow everything %(player)s does."),
    (plans.Allow, "action"): _("Allow this from anyone: %(action)s."),
    (plans.Allow, "player", "action"): _("Allow this when %(player)s does it: %(action)s."),
    (plans.Challenge, "character"): _("Challenge the next claim to hold the %(card)s."),
    (plans.Challenge, "character", "player"): _("Challenge the next claim of %(player)s to hold the %(card)s."),
    (plans.IfChallenged, "lose"): _("If I’m challenged: prove it if I can, otherwise concede and lose the %(card)s."),
    (plans.IfLosing, "lose"): _("If I have to lose an influence: lose the %(card)s, or what I have instead."),
    (plans.Block, "action", "character"): _("Block this with the %(card)s, from anyone: %(action)s."),
    (plans.Block, "action", "character", "player"): _(
        "Block this with the %(card)s when %(player)s does it: %(action)s."
    ),
    (plans.Block, "action", "character", "else_allow"): _(
        "If I hold the %(card)s, block this from anyone, otherwise allow it: %(action)s."
    ),
    (plans.Block, "action", "character", "player", "else_allow"): _(
        "If I hold the %(card)s, block this when %(player)s does it, otherwise allow it: %(action)s."
    ),
    (plans.IfBlocked, "challenge"): _("If my action is blocked: challenge the block."),
    (plans.IfBlocked,): _("If my action is blocked: accept it."),
}
"""The sentence for each kind of plan, with its values."""


def describe(plan: plans.AnyPlan) -> Phrase:
    """Return a plan as a sentence."""
    if isinstance(plan, plans.NextTurn):
        return on_next_turn(label(plan.move))
    fields = {field: value for field, value in msgspec.structs.asdict(plan).items() if value}
    values: dict[str, Any] = {"player": SeatName(fields["player"])} if "player" in fields else {}
    if "action" in fields:
        values["action"] = ACTIONS[fields["action"]]
    if card := fields.get("character") or fields.get("lose"):
        values["card"] = CHARACTERS[card]
    return Phrase(DESCRIBED[type(plan), *fields], values)


def examples(view: View, seat: SeatNumber) -> tuple[plans.AnyPlan, ...]:
    """Return one plan of each kind that the seat could make."""
    claimed = next(action.claims for action in plans.law_at(view).actions.values() if action.claims)
    about: list[plans.AnyPlan] = [plans.Allow(action="foreign-aid"), plans.Challenge(claimed)]
    for other in plans.others(view, seat)[:1]:
        allowed = [plans.Allow(player=other), about[0], plans.Allow(player=other, action="tax")]
        about = [*allowed, about[1], plans.Challenge(claimed, other)]
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


TITLES: Final[Mapping[type[Plan], str]] = {
    plans.AllowOthers: _("Allow everything that isn’t aimed at me."),
    plans.Allow: _("Allow a player, or an action, until I say otherwise."),
    plans.Challenge: _("Challenge the next claim to hold a card."),
    plans.Block: _("Block an action with a card whenever I can, until I say otherwise."),
    plans.IfChallenged: _("If I’m challenged: prove it if I can, otherwise concede and lose a card."),
    plans.IfLosing: _("If I have to lose an influence: lose a card, or what I have instead."),
    plans.IfBlocked: _("If my action is blocked."),
}
"""The title of the form of each kind of plan."""


def forms(view: View, seat: SeatNumber) -> tuple[PlanForm, ...]:
    """Return all kinds of plans, for a page."""
    law = plans.law_at(view)
    player, to_lose = _player(view, seat), (_card(_to_lose(view, seat)),)
    allowed = _slot(_("Action"), {"": _("any action")} | {verb: ACTIONS[verb] for verb in plans.allowable(law)})
    when = _slot(_("When to block"), {"": _("also as a bluff"), "else allow": _("only if I hold it, otherwise allow")})
    answers = _slot(_("What to answer"), {"challenge": _("challenge the block"), "allow": _("accept it")})
    turns = Slot(Phrase(_("Action")), tuple((str(move), label(move)) for move in plans.turns(view, seat)))
    slots: dict[type[Plan], tuple[Slot, ...]] = {
        plans.AllowOthers: (),
        plans.Allow: (allowed, player),
        plans.Challenge: (_card(law.characters), player),
        plans.Block: (_blocks(law), player, when),
        plans.IfChallenged: to_lose,
        plans.IfLosing: to_lose,
        plans.IfBlocked: (answers,),
    }
    plan_forms = (PlanForm(Phrase(TITLES[kind]), kind.beginning(), slots) for kind, slots in slots.items())
    return (*plan_forms, next_turn_form(turns))


def _to_lose(view: View, seat: SeatNumber) -> list[Character]:
    """Return all characters, the owner's own cards first."""
    hand = view.seats[seat - 1].hand or ()
    return sorted(plans.law_at(view).characters, key=lambda card: card not in hand)


def _blocks(law: Law) -> Slot:
    """Return the actions that can be blocked, each with a card that blocks it."""
    blocks = tuple(
        (f"{verb} {card}", Phrase("%(action)s: %(card)s", {"action": ACTIONS[verb], "card": CHARACTERS[card]}))
        for verb, cards in plans.blockable(law).items()
        for card in cards
    )
    return Slot(Phrase(_("Action and card")), blocks)


def _player(view: View, seat: SeatNumber) -> Slot:
    names = ((str(other), Phrase("%(player)s", {"player": SeatName(other)})) for other in plans.others(view, seat))
    anybody = ("", Phrase(_("anyone")))
    return Slot(Phrase(_("Player")), (anybody, *names))


def _card(characters: Sequence[str]) -> Slot:
    return _slot(_("Character"), {card: CHARACTERS[card] for card in characters})


def _slot(label: str, choices: Mapping[str, str]) -> Slot:
    return Slot(Phrase(label), tuple((word, Phrase(label)) for word, label in choices.items()))


def read(view: View, seat: SeatNumber, words: tuple[str, ...]) -> plans.AnyPlan | None:
    """Return the plan that these words mean."""
    return read_fields(get_args(plans.AnyPlan), words, {Character: CHARACTERS}, tuple(plans.turns(view, seat)))


PLANS: Final[PlanRules[View, Move, plans.AnyPlan]] = PlanRules(
    plan_type=plans.AnyPlan,
    rank=plans.rank,
    subject=plans.subject,
    is_once=plans.is_once,
    is_spent=plans.is_spent,
    is_aimed=plans.is_aimed,
    answer=plans.answer_to,
    wrong=plans.wrong,
    parse=parse_plans(read, VOCABULARY, plans.wrong, examples),
    describe=describe,
    examples=examples,
    forms=forms,
    usual=plans.AllowOthers(),
    second=lambda view, question: [(plan, label(plan.move)) for plan in plans.second(view, question)],
    is_next=plans.is_next,
)
"""The plans of Coup."""
