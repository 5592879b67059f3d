"""The shapes of the API, as dictionaries with known keys.

Generated from the documents in docs by clients/python/generate.py: do not edit."""

from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeGuard, TypeVar

Row = TypeVar("Row")


class Page(TypedDict, Generic[Row]):
    """A page of a list. ``next`` is the address of the page after it."""

    next: str | None
    results: list[Row]



class Account(TypedDict):
    """An account, as its owner sees it."""

    email: NotRequired[str]
    name: str
    language: Literal['en', 'fa'] | str
    time_zone: NotRequired[str]
    sleep_from: NotRequired[str | None]
    sleep_to: NotRequired[str | None]
    preferences: NotRequired[Preferences]
    is_bot: bool
    public_profile: NotRequired[bool]
    shows_answer_times: NotRequired[bool]
    shows_presence: NotRequired[bool]
    unreachable: NotRequired[Unreachable | None]
    stream: str
    push_key: NotRequired[str]
    created_at: NotRequired[str]



class AccountData(TypedDict):
    """The data that is kept about you."""

    account: dict[str, Any]
    addresses: list[dict[str, Any]]
    preferences: dict[str, Any]
    tokens: list[dict[str, Any]]
    second_factors: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    blocks: list[dict[str, Any]]
    mutes: list[dict[str, Any]]
    reports: list[dict[str, Any]]
    seats: list[dict[str, Any]]
    moves: list[dict[str, Any]]
    chat_messages: list[dict[str, Any]]
    invitations: list[dict[str, Any]]
    player_stats: list[dict[str, Any]]
    notifications: list[dict[str, Any]]
    webhooks: list[dict[str, Any]]
    devices: list[dict[str, Any]]



class AccountNameRequest(TypedDict):
    """Another account, by its present name."""

    name: str



class Addresses(TypedDict):
    """Your address for each channel that needs one."""

    gotify: str | None
    matrix: str | None
    ntfy: str | None
    telegram: str | None



class AddressesRequest(TypedDict):
    """Your address for each channel that needs one."""

    gotify: NotRequired[str | None]
    matrix: NotRequired[str | None]
    ntfy: NotRequired[str | None]
    telegram: NotRequired[str | None]



class Analysis(TypedDict):
    """The decisions of one player in a game that is over."""

    state: Literal['computing', 'ready'] | str
    seat: int
    decision_count: int
    accuracy: int | None
    decisions: list[Decision]
    turning_points: list[TurningPoint]
    bluffs: list[PlayerBluffs]



class Answer(TypedDict):
    """An answer that a question offers."""

    number: int
    text: str
    move: GameMove
    label: str



class AnswerTimes(TypedDict):
    """The usual times in which a player answers, from at least 20 answers in finished games with turns of a day or more."""

    half_within: str
    most_within: str



class AnyEvent(TypedDict):
    """A kind of event that this description does not know yet."""

    type: str



class AnyMove(TypedDict):
    """A kind of move that this description does not know yet."""

    type: str



class AnyPlan(TypedDict):
    """A kind of plan that this description does not know yet."""

    type: str



class AnyView(TypedDict):
    """The view of a game that this description does not know yet."""

    rules: str



class App(TypedDict):
    """An app that you registered."""

    client_id: str
    name: str
    type: Literal['public', 'confidential'] | str
    redirect_uris: list[str]
    scopes: list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks'] | str]
    created_at: str



class AppRequest(TypedDict):
    """A new app."""

    name: str
    redirect_uris: list[str]
    scopes: list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks']]
    type: NotRequired[Literal['public', 'confidential']]



class ArenaBot(TypedDict):
    """A bot in the arena: a bot account with its search, or the Darbar bots that fill tables."""

    name: str | None
    rules: str
    least: int | None
    most: int | None
    options: ChosenOptions
    fill_after: str | None
    games_at_once: int | None
    games: int
    wins: int
    rating: int
    reliability: float | None
    running: list[str]



class BetterMove(TypedDict):
    """A move that would have been better."""

    move: str
    means: str
    wins: int
    chosen_wins: int
    error: int
    grade: Literal['blunder', 'mistake', 'inaccuracy'] | str



class Bluff(TypedDict):
    """A claim that a player makes, and how often it was untrue, and caught."""

    rules: str
    claim: str
    made: int
    lies: int
    caught: int



class Bot(TypedDict):
    """A Darbar bot: its level and its style."""

    level: Literal['easy', 'normal', 'strong', 'master'] | str
    style: Literal['balanced', 'bold', 'patient', 'vengeful', 'scholar'] | str



class BotRequest(TypedDict):
    """A Darbar bot: its level and its style."""

    level: NotRequired[Literal['easy', 'normal', 'strong', 'master']]
    style: NotRequired[Literal['balanced', 'bold', 'patient', 'vengeful', 'scholar']]



class Challenges(TypedDict):
    """The number of times that a player challenged, and who was right."""

    seat: int
    made: int
    right: int
    wrong: int



class Channels(TypedDict):
    """The channels by which each kind of notification comes to you."""

    question: list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook'] | str]
    reminder: list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook'] | str]
    game: list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook'] | str]
    chat: list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook'] | str]
    invitation: list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook'] | str]



class ChannelsRequest(TypedDict):
    """The channels by which each kind of notification comes to you."""

    question: NotRequired[list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook']]]
    reminder: NotRequired[list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook']]]
    game: NotRequired[list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook']]]
    chat: NotRequired[list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook']]]
    invitation: NotRequired[list[Literal['mail', 'discord', 'gotify', 'matrix', 'ntfy', 'push', 'slack', 'telegram', 'webhook']]]



class ChatMessage(TypedDict):
    """A chat message, to you or by you."""

    id: str
    at: str
    seat: int
    to: Literal['all'] | str | int
    text: str | None



class ChatMessageRequest(TypedDict):
    """A message to send."""

    to: Literal['all'] | int
    text: str


ChosenOptions: TypeAlias = "CoupChosenOptions | SedlecChosenOptions"


class Claims(TypedDict):
    """The numbers of a player's claims of one character."""

    seat: int
    claim: str
    denies: bool
    made: int
    lies: int
    challenged: int
    proved: int
    fallen: int



class ClockRequest(TypedDict):
    """The time that is to pass."""

    forward: str



class Club(TypedDict):
    """A club that you are in."""

    id: str
    name: str
    about: str
    role: Literal['owner', 'organizer', 'member'] | str
    member: str
    notify: bool
    code: str | None
    created_at: str
    joined_at: str



class ClubLeader(TypedDict):
    """A place on the leaderboard of a club."""

    place: int
    name: str
    games: int
    wins: int
    points: int



class ClubRequest(TypedDict):
    """A club to create."""

    name: str
    about: NotRequired[str]



class ConfirmRequest(TypedDict):
    """The code from the email, with the address and password of the sign-up."""

    email: str
    code: str
    password: str



class CoupChosenOptions(TypedDict):
    """The options of a game of Coup, independent of one another."""

    inquisitor: NotRequired[bool]
    reformation: NotRequired[bool]
    anarchist: NotRequired[bool]
    two_player_setup: NotRequired[Literal['dealt', 'draft'] | str]
    starting_player: NotRequired[Literal['previous_winner', 'random'] | str | int]
    answers: NotRequired[Literal['first', 'sealed'] | str]
    waiting: NotRequired[Literal['hidden', 'number', 'public'] | str]



class CoupEventAnswered(TypedDict):
    """A player answered in a reaction to which other players have not answered yet."""

    type: Literal['coup.answered']
    seat: int | None
    answer: Literal['allow', 'challenge', 'block', 'pick'] | str | None
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    waiting: str
    schema: int



class CoupEventAskedAnew(TypedDict):
    """The answers to an open question changed, so it is asked under a new id."""

    type: Literal['coup.asked-anew']
    seat: int
    schema: int



class CoupEventBlockLapsed(TypedDict):
    """The blocker left before the block was settled."""

    type: Literal['coup.block-lapsed']
    seat: int
    schema: int



class CoupEventBlocked(TypedDict):
    """A player blocks the action."""

    type: Literal['coup.blocked']
    seat: int
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    schema: int



class CoupEventBombClaimed(TypedDict):
    """The holder of the bomb claimed the contessa, to defuse it (no receiver) or to hand it on."""

    type: Literal['coup.bomb-claimed']
    seat: int
    receiver: int | None
    schema: int



class CoupEventBombHanded(TypedDict):
    """The anarchist was handed to a player, who is asked for an answer."""

    type: Literal['coup.bomb-handed']
    seat: int
    target: int
    schema: int



class CoupEventBombReturned(TypedDict):
    """The anarchist is back in the middle."""

    type: Literal['coup.bomb-returned']
    reason: Literal['defused', 'exploded', 'out'] | str
    schema: int



class CoupEventChallengeDropped(TypedDict):
    """The challenger left before the proof."""

    type: Literal['coup.challenge-dropped']
    seat: int
    schema: int



class CoupEventChallenged(TypedDict):
    """A player challenges the claim."""

    type: Literal['coup.challenged']
    seat: int
    against: int
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    schema: int



class CoupEventClaim(TypedDict):
    """A claim about cards that may be challenged, and its consequences."""

    seat: int
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    denies: bool
    costs_both: bool
    unchallenged: str
    proved: str
    disproved: str



class CoupEventConceded(TypedDict):
    """The challenged player would not or could not prove the claim."""

    type: Literal['coup.conceded']
    seat: int
    schema: int



class CoupEventConverted(TypedDict):
    """A party card was turned over."""

    type: Literal['coup.converted']
    seat: int
    target: int
    party: Literal['empire', 'resistance'] | str
    schema: int



class CoupEventDealt(TypedDict):
    """The seat gets cards from the court."""

    type: Literal['coup.dealt']
    seat: int
    cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]
    schema: int



class CoupEventDeclared(TypedDict):
    """A player chooses an action and pays for it."""

    type: Literal['coup.declared']
    seat: int
    action: Literal['income', 'foreign-aid', 'coup', 'tax', 'assassinate', 'steal', 'exchange', 'convert', 'embezzle', 'examine', 'bomb'] | str
    target: int | None
    cost: int
    claim: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    pays_reserve: bool
    schema: int



class CoupEventDraftOpened(TypedDict):
    """Both players hold one of each character and are asked which to keep."""

    type: Literal['coup.draft-opened']
    asked: list[int]
    schema: int



class CoupEventDrew(TypedDict):
    """Cards from the court, for an exchange; the player is asked which to keep."""

    type: Literal['coup.drew']
    seat: int
    cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]
    schema: int



class CoupEventEmbezzled(TypedDict):
    """The whole reserve was taken."""

    type: Literal['coup.embezzled']
    seat: int
    coins: int
    schema: int



class CoupEventExploded(TypedDict):
    """The bomb explodes in the hands of its holder."""

    type: Literal['coup.exploded']
    seat: int
    schema: int



class CoupEventGained(TypedDict):
    """Coins from the treasury."""

    type: Literal['coup.gained']
    seat: int
    coins: int
    schema: int



class CoupEventGameEnded(TypedDict):
    """The game is over: only one player is left."""

    type: Literal['coup.game-ended']
    winner: int
    hands: list[list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]]
    court: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]
    aside: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]
    schema: int



class CoupEventHandedBack(TypedDict):
    """The examined card stays with its owner."""

    type: Literal['coup.handed-back']
    seat: int
    schema: int



class CoupEventKept(TypedDict):
    """The exchange is over: some cards were kept, the others went back to the court."""

    type: Literal['coup.kept']
    seat: int
    kept: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]
    returned: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]
    schema: int



class CoupEventLossAsked(TypedDict):
    """A player with two face-down cards is asked which one to lose."""

    type: Literal['coup.loss-asked']
    seat: int
    reason: Literal['challenge', 'coup', 'assassination', 'bomb'] | str
    then: str
    schema: int



class CoupEventLost(TypedDict):
    """An influence is turned face up."""

    type: Literal['coup.lost']
    seat: int
    card: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    reason: Literal['challenge', 'coup', 'assassination', 'bomb'] | str
    schema: int



class CoupEventPartiesChosen(TypedDict):
    """The starter's party is chosen; the others alternate clockwise."""

    type: Literal['coup.parties-chosen']
    seat: int
    parties: list[Literal['empire', 'resistance'] | str]
    schema: int



class CoupEventPartyAsked(TypedDict):
    """The starter is asked for a party."""

    type: Literal['coup.party-asked']
    seat: int
    schema: int



class CoupEventPicked(TypedDict):
    """A player picked a card, which the other player may not know."""

    type: Literal['coup.picked']
    seat: int | None
    card: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    waiting: str
    schema: int



class CoupEventProved(TypedDict):
    """The claim was true."""

    type: Literal['coup.proved']
    seat: int
    cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]
    schema: int



class CoupEventPurseEmptied(TypedDict):
    """The coins that a steal left to a player who is out go to the treasury (Coup C15)."""

    type: Literal['coup.purse-emptied']
    seat: int
    coins: int
    schema: int



class CoupEventPutOut(TypedDict):
    """The other four cards of a player's draft go out of the game, unseen."""

    type: Literal['coup.put-out']
    seat: int
    cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]
    schema: int



class CoupEventRefunded(TypedDict):
    """A disproved action's cost went back to its owner."""

    type: Literal['coup.refunded']
    seat: int
    coins: int
    schema: int



class CoupEventReplaced(TypedDict):
    """The player drew new cards for those that were shown, after the court was shuffled."""

    type: Literal['coup.replaced']
    seat: int
    cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]
    schema: int



class CoupEventResigned(TypedDict):
    """A player resigns."""

    type: Literal['coup.resigned']
    seat: int
    cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]
    coins: int
    still_waiting: int | None
    waiting: str
    schema: int



class CoupEventSetUp(TypedDict):
    """The first event, with everything that the fold needs."""

    type: Literal['coup.set-up']
    rules: str
    version: int
    options: CoupOptions
    seats: int
    pack: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]
    coins: list[int]
    treasury: int
    starter: int
    schema: int



class CoupEventShowAsked(TypedDict):
    """The target of an examination is asked which card to show."""

    type: Literal['coup.show-asked']
    seat: int
    schema: int



class CoupEventShown(TypedDict):
    """A card was shown to the inquisitor alone, who is asked what to do with it."""

    type: Literal['coup.shown']
    seat: int
    to: int
    card: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    schema: int



class CoupEventStole(TypedDict):
    """Coins from another player."""

    type: Literal['coup.stole']
    seat: int
    target: int
    coins: int
    schema: int



class CoupEventStopped(TypedDict):
    """The action has no effect."""

    type: Literal['coup.stopped']
    seat: int
    reason: Literal['blocked', 'resigned'] | str
    schema: int



class CoupEventSwapped(TypedDict):
    """The examined card was exchanged for one drawn before it was returned (Coup C21)."""

    type: Literal['coup.swapped']
    seat: int
    to: int
    drawn: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    returned: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    schema: int



class CoupEventTurnBegan(TypedDict):
    """A turn starts."""

    type: Literal['coup.turn-began']
    seat: int
    schema: int



class CoupEventWentOut(TypedDict):
    """A player has no influence left."""

    type: Literal['coup.went-out']
    seat: int
    coins: int
    schema: int



class CoupEventWindowClosed(TypedDict):
    """The reaction is closed."""

    type: Literal['coup.window-closed']
    kind: Literal['challenge', 'block', 'challenge-block'] | str
    schema: int



class CoupEventWindowOpened(TypedDict):
    """Seats are asked whether they challenge (a claim) or block (the action)."""

    type: Literal['coup.window-opened']
    kind: Literal['challenge', 'block', 'challenge-block'] | str
    reason: Literal['turn', 'draft', 'party', 'challenge', 'coup', 'assassination', 'bomb', 'foreign-aid', 'tax', 'assassinate', 'steal', 'exchange', 'embezzle', 'examine', 'hand', 'defuse', 'ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    asked: list[int]
    claim: CoupEventClaim | None
    blockers: list[int]
    schema: int



class CoupMoveAllow(TypedDict):
    """Neither challenge nor block."""

    type: Literal['coup.allow']



class CoupMoveAssassinate(TypedDict):
    """With the assassin, pay 3 coins: the target loses an influence, unless it is blocked."""

    type: Literal['coup.assassinate']
    target: int



class CoupMoveBlock(TypedDict):
    """Block with this character."""

    type: Literal['coup.block']
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupMoveBomb(TypedDict):
    """Pay 5 and hand the anarchist to the target."""

    type: Literal['coup.bomb']
    target: int



class CoupMoveChallenge(TypedDict):
    """Doubt the claim."""

    type: Literal['coup.challenge']



class CoupMoveConcede(TypedDict):
    """Concede the challenge."""

    type: Literal['coup.concede']
    character: NotRequired[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]



class CoupMoveConvert(TypedDict):
    """Pay 1 to change your own party, or 2 to change the target's."""

    type: Literal['coup.convert']
    target: NotRequired[int | None]



class CoupMoveCoup(TypedDict):
    """Pay 7: the target loses an influence."""

    type: Literal['coup.coup']
    target: int



class CoupMoveDefuse(TypedDict):
    """With the contessa, put the anarchist back in the middle."""

    type: Literal['coup.defuse']



class CoupMoveEmbezzle(TypedDict):
    """Claiming to hold no duke, take the reserve."""

    type: Literal['coup.embezzle']



class CoupMoveEmpire(TypedDict):
    """Start as a loyalist of the empire."""

    type: Literal['coup.empire']



class CoupMoveExamine(TypedDict):
    """With the inquisitor, look at a card of the target and hand it back or force a swap."""

    type: Literal['coup.examine']
    target: int



class CoupMoveExchange(TypedDict):
    """With the ambassador (or the inquisitor), exchange cards with the court."""

    type: Literal['coup.exchange']



class CoupMoveExplode(TypedDict):
    """Let the bomb go off."""

    type: Literal['coup.explode']
    character: NotRequired[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None]



class CoupMoveForeignAid(TypedDict):
    """Take 2 coins, unless blocked."""

    type: Literal['coup.foreign-aid']



class CoupMoveHand(TypedDict):
    """With the contessa, hand the anarchist on to the target."""

    type: Literal['coup.hand']
    target: int



class CoupMoveIncome(TypedDict):
    """Take 1 coin."""

    type: Literal['coup.income']



class CoupMoveKeep(TypedDict):
    """Keep these cards after an exchange, in alphabetical order, and return the others."""

    type: Literal['coup.keep']
    characters: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]



class CoupMoveLose(TypedDict):
    """Turn this card face up."""

    type: Literal['coup.lose']
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupMovePick(TypedDict):
    """Keep this card of the draft."""

    type: Literal['coup.pick']
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupMoveProve(TypedDict):
    """Show that the claim was true."""

    type: Literal['coup.prove']



class CoupMoveResistance(TypedDict):
    """Start as a member of the resistance."""

    type: Literal['coup.resistance']



class CoupMoveReturn(TypedDict):
    """Hand the examined card back."""

    type: Literal['coup.return']



class CoupMoveShow(TypedDict):
    """Show this card to the inquisitor."""

    type: Literal['coup.show']
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupMoveSteal(TypedDict):
    """With the captain, take 2 coins from the target, unless it is blocked."""

    type: Literal['coup.steal']
    target: int



class CoupMoveSwap(TypedDict):
    """Exchange the examined card for one of the court."""

    type: Literal['coup.swap']



class CoupMoveTax(TypedDict):
    """With the duke, take 3 coins."""

    type: Literal['coup.tax']



class CoupOptions(TypedDict):
    """The options of a game of Coup, independent of one another."""

    inquisitor: bool
    reformation: bool
    anarchist: bool
    two_player_setup: Literal['dealt', 'draft'] | str
    starting_player: Literal['previous_winner', 'random'] | str | int
    previous_winners: list[int]
    answers: Literal['first', 'sealed'] | str
    waiting: Literal['hidden', 'number', 'public'] | str



class CoupPlanAllow(TypedDict):
    """Allow the actions of this player, or this action with any target."""

    type: Literal['coup.allow']
    player: NotRequired[int | None]
    action: NotRequired[str | None]



class CoupPlanAllowOthers(TypedDict):
    """Allow everything that is not aimed at the owner."""

    type: Literal['coup.allow-others']



class CoupPlanBlock(TypedDict):
    """Block this action with this character whenever possible, until the plan is withdrawn; with a player, only theirs."""

    type: Literal['coup.block']
    action: str
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    player: NotRequired[int | None]
    else_allow: NotRequired[bool]



class CoupPlanChallenge(TypedDict):
    """Challenge the next claim to hold this character; with a player, only theirs."""

    type: Literal['coup.challenge']
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    player: NotRequired[int | None]



class CoupPlanIfBlocked(TypedDict):
    """Challenge or accept a block of the owner's action."""

    type: Literal['coup.if-blocked']
    challenge: bool



class CoupPlanIfChallenged(TypedDict):
    """Prove the claim if possible, when challenged; else concede and lose this card, or another one instead."""

    type: Literal['coup.if-challenged']
    lose: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupPlanIfLosing(TypedDict):
    """Lose this card, or another one instead, when an influence has to be lost."""

    type: Literal['coup.if-losing']
    lose: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupPlanNextTurn(TypedDict):
    """Take this action on the owner's next turn, if it is possible then."""

    type: Literal['coup.next-turn']
    move: GameMove



class CoupView(TypedDict):
    """A game of Coup as one seat, a spectator, or after the end everyone may know it."""

    rules: Literal['coup']
    viewer: int
    options: CoupOptions
    seats: list[CoupViewSeatView]
    treasury: int
    reserve: int
    court: int
    turn: int
    asking: Literal['turn', 'challenge', 'block', 'challenge-block', 'proof', 'loss', 'exchange', 'draft', 'party', 'examine', 'show', 'bomb'] | str
    action: CoupViewActionView | None
    block: CoupViewBlock | None
    challenge: CoupViewClaimView | None
    bomb: CoupViewBomb | None
    waiting: int | None
    waiting_for: list[int] | None
    question: CoupViewQuestion | None
    answer: CoupViewAnswer | None
    drawn: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str] | None
    examined: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None
    winner: int | None
    court_cards: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str] | None



class CoupViewActionView(TypedDict):
    """The action of this turn."""

    seat: int
    verb: Literal['income', 'foreign-aid', 'coup', 'tax', 'assassinate', 'steal', 'exchange', 'convert', 'embezzle', 'examine', 'bomb'] | str
    target: int | None



class CoupViewAnswer(TypedDict):
    """An answer that was given while others are still asked."""

    seat: int
    answer: Literal['allow', 'challenge', 'block', 'pick'] | str | None
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str | None



class CoupViewBlock(TypedDict):
    """A block of the action of this turn."""

    seat: int
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupViewBomb(TypedDict):
    """The anarchist, on its way round the table."""

    holder: int
    held: list[int]
    receiver: int | None



class CoupViewClaimView(TypedDict):
    """The claim in question, and its challenger."""

    seat: int
    character: Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str
    denies: bool
    challenger: int | None



class CoupViewQuestion(TypedDict):
    """A decision that the game needs from a seat."""

    id: str
    seat: int
    kind: Literal['turn', 'challenge', 'block', 'challenge-block', 'proof', 'loss', 'exchange', 'draft', 'party', 'examine', 'show', 'bomb'] | str
    reason: Literal['turn', 'draft', 'party', 'challenge', 'coup', 'assassination', 'bomb', 'foreign-aid', 'tax', 'assassinate', 'steal', 'exchange', 'embezzle', 'examine', 'hand', 'defuse', 'ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str



class CoupViewSeatView(TypedDict):
    """A player in the view."""

    seat: int
    coins: int
    cards: int
    hand: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str] | None
    lost: list[Literal['ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor'] | str]
    party: Literal['empire', 'resistance'] | str | None
    alive: bool



class Decision(TypedDict):
    """A decision, judged by the facts that the player knew then."""

    line: int
    asked: str
    chosen: str
    move: dict[str, Any]
    better: BetterMove | None
    likely: list[str]



class DeletionRequest(TypedDict):
    """The proof that the owner asks: one of the first two fields, and `otp` with a second factor."""

    password: NotRequired[str]
    code: NotRequired[str]
    otp: NotRequired[str]



class Delivery(TypedDict):
    """A message to a webhook, and its outcome."""

    id: str
    type: str
    timestamp: str
    data: dict[str, Any]
    state: Literal['waiting', 'delivered', 'failed'] | str
    attempts: int
    next_attempt_at: str | None
    tried_at: str | None
    status: int | None
    failure: Literal['address-not-public', 'name-unknown', 'certificate-invalid', 'no-secure-connection', 'no-answer-in-time', 'no-answer', 'not-http'] | str



class Device(TypedDict):
    """A browser that gets pushes."""

    id: str
    name: str
    created_at: str



class Duration(TypedDict):
    """The usual length of games of one speed and size on this server."""

    speed: Literal['daily', 'evening', 'live', 'slow'] | str
    people: int
    games: int
    half_within: str
    most_within: str



class Entrant(TypedDict):
    """A player of a tournament."""

    number: int
    name: str



class Entry(TypedDict):
    """Your part in a tournament."""

    number: int
    division: int | None
    sits_out: list[int]
    notify: bool
    withdrawn_at: str | None
    place: int | None
    movement: Literal['up', 'down'] | str
    joined_at: str



class Form(TypedDict):
    """Answers of one kind, too many to list."""

    type: str
    verb: str
    label: str
    slots: list[Slot]



class Game(TypedDict):
    """A table, and the game at it."""

    id: str
    code: str | None
    rules: str
    rules_version: int
    options: GameOptions
    seat_count: int
    bots: list[Bot]
    private: bool
    club: str | None
    spectator_delay: str | None
    paused_until: str | None
    state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | str
    beacon_round: int | None
    due_at: str | None
    seats: list[GameSeat]
    seat: int | None
    host: int | None
    commitment: str
    head: str
    deal_list: str
    deal_head: str
    seed: str | None
    rematch: str | None
    arena: bool
    created_at: str
    started_at: str | None
    ended_at: str | None
    turn_limit: str
    reaction_limit: str
    open_limit: str
    choice_limit: str
    schedule: Schedule
    chat: Literal['all', 'none', 'table'] | str
    pauses: str
    longest_pause: str
    misses: int
    absence: Literal['bot', 'forfeit', 'invite'] | str
    plans: Literal['private', 'quick'] | str
    unprotected: Literal['cancel', 'deal'] | str



class GameCommitment(TypedDict):
    """The commitment that binds the server to the chance of a game: SHA-256 of `darbar-2|id|seed`."""

    id: str
    commitment: str
    deal_head: str


GameEvent: TypeAlias = "CoupEventSetUp | CoupEventDealt | CoupEventTurnBegan | CoupEventDeclared | CoupEventWindowOpened | CoupEventAnswered | CoupEventWindowClosed | CoupEventChallenged | CoupEventChallengeDropped | CoupEventProved | CoupEventReplaced | CoupEventConceded | CoupEventRefunded | CoupEventBlocked | CoupEventBlockLapsed | CoupEventStopped | CoupEventLossAsked | CoupEventLost | CoupEventWentOut | CoupEventPurseEmptied | CoupEventGained | CoupEventStole | CoupEventDrew | CoupEventKept | CoupEventResigned | CoupEventAskedAnew | CoupEventGameEnded | CoupEventDraftOpened | CoupEventPicked | CoupEventPutOut | CoupEventPartyAsked | CoupEventPartiesChosen | CoupEventConverted | CoupEventEmbezzled | CoupEventShowAsked | CoupEventShown | CoupEventHandedBack | CoupEventSwapped | CoupEventBombHanded | CoupEventBombClaimed | CoupEventExploded | CoupEventBombReturned | SedlecEventSetUp | SedlecEventCardTurned | SedlecEventTurnBegan | SedlecEventDug | SedlecEventTaken | SedlecEventLaid | SedlecEventResigned | SedlecEventGameEnded | TableEventGameCreated | TableEventJoined | TableEventLeft | TableEventStarted | TableEventPositionCopied | TableEventGameCancelled | TableEventDeadlinesMoved | TableEventEmailOutage | TableEventDueLater | TableEventTimeBankChanged | TableEventResigned | TableEventBotTakeover | TableEventEnded | TableEventDealListed | TableEventSeedsAwaited | TableEventSeedRevealed | TableEventSeedMissing | TableEventBeaconAwaited | TableEventBeaconPublished | TableEventPauseProposed | TableEventPauseAgreed | TableEventPauseDeclined | TableEventPaused | TableEventResumeAgreed | TableEventResumed | TableEventTemporaryTakeover | TableEventSeatOffered | TableEventReturned | TableEventPlayerTakeover | TableEventForfeited | TableEventStandInNamed | TableEventStandInLeft | AnyEvent"

GameMove: TypeAlias = "CoupMoveIncome | CoupMoveForeignAid | CoupMoveCoup | CoupMoveTax | CoupMoveAssassinate | CoupMoveSteal | CoupMoveExchange | CoupMoveAllow | CoupMoveChallenge | CoupMoveBlock | CoupMoveProve | CoupMoveConcede | CoupMoveLose | CoupMoveKeep | CoupMovePick | CoupMoveEmpire | CoupMoveResistance | CoupMoveConvert | CoupMoveEmbezzle | CoupMoveExamine | CoupMoveShow | CoupMoveReturn | CoupMoveSwap | CoupMoveBomb | CoupMoveExplode | CoupMoveDefuse | CoupMoveHand | SedlecMoveDig | SedlecMoveCollect | SedlecMoveLay | SedlecMoveTake | AnyMove"

GameOptions: TypeAlias = "CoupOptions | SedlecOptions | OtherOptions"

GamePlan: TypeAlias = "CoupPlanAllowOthers | CoupPlanAllow | CoupPlanChallenge | CoupPlanIfChallenged | CoupPlanIfLosing | CoupPlanBlock | CoupPlanIfBlocked | CoupPlanNextTurn | SedlecPlan | AnyPlan"


class GameRequest(TypedDict):
    """A game to create."""

    rules: str
    options: NotRequired[ChosenOptions]
    seat_count: int
    bots: NotRequired[list[BotRequest]]
    private: NotRequired[bool]
    club: NotRequired[str | None]
    spectator_delay: NotRequired[str | None]
    seed: NotRequired[str]
    seed_commitment: NotRequired[str]
    turn_limit: NotRequired[str]
    reaction_limit: NotRequired[str]
    open_limit: NotRequired[str]
    choice_limit: NotRequired[str]
    schedule: NotRequired[ScheduleRequest]
    chat: NotRequired[Literal['all', 'none', 'table']]
    pauses: NotRequired[str]
    longest_pause: NotRequired[str]
    misses: NotRequired[int]
    absence: NotRequired[Literal['bot', 'forfeit', 'invite']]
    plans: NotRequired[Literal['private', 'quick']]
    unprotected: NotRequired[Literal['cancel', 'deal']]



class GameSeat(TypedDict):
    """A taken seat."""

    seat: int
    name: str
    bot: bool
    bot_account: bool
    away: bool
    offered: bool
    stand_in: str | None
    seed: str
    seed_commitment: str
    player_stats: SeatStats | None
    time_bank: str | None


GameView: TypeAlias = "CoupView | SedlecView | AnyView"


class Grant(TypedDict):
    """The access of an app to your account."""

    app: GrantedApp
    scopes: list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks'] | str]
    renewed_at: str
    expires_at: str | None



class GrantedApp(TypedDict):
    """An app to which you have given access."""

    client_id: str
    name: str
    owner: str | None
    is_verified: bool



class GroupChat(TypedDict):
    """The chat to which a game, or every game of a club, posts its state."""

    app: Literal['discord', 'matrix', 'slack', 'telegram'] | str
    handle: str
    works: bool



class Invitation(TypedDict):
    """An invitation, as the players of the game see it."""

    id: str
    email: str | None
    inviter: str
    language: Literal['en', 'fa'] | str
    seat: int | None
    state: Literal['open', 'joined', 'declined', 'withdrawn', 'lapsed'] | str
    created_at: str
    answered_at: str | None



class InvitationRequest(TypedDict):
    """An invitation to send."""

    email: str
    language: Literal['en', 'fa']
    note: NotRequired[str]
    seat: NotRequired[int]



class IssuedToken(TypedDict):
    """A new token."""

    token: str
    id: str
    name: str
    scopes: list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks'] | str]
    prefix: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None



class IssuedWebhook(TypedDict):
    """A webhook with the secret for checking its signatures, which is shown only in this answer."""

    id: str
    url: str
    kinds: list[Literal['question', 'closed', 'event', 'game', 'chat', 'presence'] | str]
    created_at: str
    disabled_at: str | None
    failing_since: str | None
    secret: str



class JoinClubRequest(TypedDict):
    """The club that you want to join."""

    code: str



class JoinRequest(TypedDict):
    """Your request to join a game."""

    code: NotRequired[str]
    seed: NotRequired[str]
    seed_commitment: NotRequired[str]



class KeysRequest(TypedDict):
    """The keys with which messages to a subscription are encrypted."""

    p256dh: str
    auth: str


KnownEvent: TypeAlias = "CoupEventSetUp | CoupEventDealt | CoupEventTurnBegan | CoupEventDeclared | CoupEventWindowOpened | CoupEventAnswered | CoupEventWindowClosed | CoupEventChallenged | CoupEventChallengeDropped | CoupEventProved | CoupEventReplaced | CoupEventConceded | CoupEventRefunded | CoupEventBlocked | CoupEventBlockLapsed | CoupEventStopped | CoupEventLossAsked | CoupEventLost | CoupEventWentOut | CoupEventPurseEmptied | CoupEventGained | CoupEventStole | CoupEventDrew | CoupEventKept | CoupEventResigned | CoupEventAskedAnew | CoupEventGameEnded | CoupEventDraftOpened | CoupEventPicked | CoupEventPutOut | CoupEventPartyAsked | CoupEventPartiesChosen | CoupEventConverted | CoupEventEmbezzled | CoupEventShowAsked | CoupEventShown | CoupEventHandedBack | CoupEventSwapped | CoupEventBombHanded | CoupEventBombClaimed | CoupEventExploded | CoupEventBombReturned | SedlecEventSetUp | SedlecEventCardTurned | SedlecEventTurnBegan | SedlecEventDug | SedlecEventTaken | SedlecEventLaid | SedlecEventResigned | SedlecEventGameEnded | TableEventGameCreated | TableEventJoined | TableEventLeft | TableEventStarted | TableEventPositionCopied | TableEventGameCancelled | TableEventDeadlinesMoved | TableEventEmailOutage | TableEventDueLater | TableEventTimeBankChanged | TableEventResigned | TableEventBotTakeover | TableEventEnded | TableEventDealListed | TableEventSeedsAwaited | TableEventSeedRevealed | TableEventSeedMissing | TableEventBeaconAwaited | TableEventBeaconPublished | TableEventPauseProposed | TableEventPauseAgreed | TableEventPauseDeclined | TableEventPaused | TableEventResumeAgreed | TableEventResumed | TableEventTemporaryTakeover | TableEventSeatOffered | TableEventReturned | TableEventPlayerTakeover | TableEventForfeited | TableEventStandInNamed | TableEventStandInLeft"

KnownMove: TypeAlias = "CoupMoveIncome | CoupMoveForeignAid | CoupMoveCoup | CoupMoveTax | CoupMoveAssassinate | CoupMoveSteal | CoupMoveExchange | CoupMoveAllow | CoupMoveChallenge | CoupMoveBlock | CoupMoveProve | CoupMoveConcede | CoupMoveLose | CoupMoveKeep | CoupMovePick | CoupMoveEmpire | CoupMoveResistance | CoupMoveConvert | CoupMoveEmbezzle | CoupMoveExamine | CoupMoveShow | CoupMoveReturn | CoupMoveSwap | CoupMoveBomb | CoupMoveExplode | CoupMoveDefuse | CoupMoveHand | SedlecMoveDig | SedlecMoveCollect | SedlecMoveLay | SedlecMoveTake"

KnownPlan: TypeAlias = "CoupPlanAllowOthers | CoupPlanAllow | CoupPlanChallenge | CoupPlanIfChallenged | CoupPlanIfLosing | CoupPlanBlock | CoupPlanIfBlocked | CoupPlanNextTurn | SedlecPlan"

KnownView: TypeAlias = "CoupView | SedlecView"


class LastAnswer(TypedDict):
    """The last answer of a plan."""

    at: str
    move: GameMove
    text: str
    label: str



class Leader(TypedDict):
    """A place in the ranking."""

    place: int
    name: str | None
    is_bot: bool
    rules: str
    seat_count: int | None
    with_bots: bool
    games: int
    wins: int
    rating: int



class ListedAccount(TypedDict):
    """A player you have blocked, muted or followed."""

    id: str
    name: str
    created_at: str



class Member(TypedDict):
    """A member of a club."""

    id: str
    name: str
    is_bot: bool
    role: Literal['owner', 'organizer', 'member'] | str
    joined_at: str



class MoveRequest(TypedDict):
    """An answer to a question: either `move` or `text`, and never both."""

    question: str
    move: NotRequired[GameMove]
    text: NotRequired[str]



class NamedCount(TypedDict):
    """A number that a game counts for a player."""

    seat: int
    name: str
    label: str
    count: int



class NamedStandIn(TypedDict):
    """A stand-in of a player."""

    seat: int
    player: str
    stand_in: str
    started_at: str
    until: str



class OpenSeek(TypedDict):
    """The searches for one game in the open lobby."""

    id: str
    rules: str
    least: int
    most: int
    speed: Literal['live', 'evening', 'daily', 'slow'] | str
    options: ChosenOptions
    fill_after: str | None
    player_count: int
    names: list[str]
    joined: bool



class Opponent(TypedDict):
    """A person who has played with a player."""

    name: str
    games: int
    won: int
    lost: int



class OtherOptions(TypedDict):
    """The options of a game that this description does not know yet."""

    previous_winners: NotRequired[list[int] | None]



class PatchedAccountRequest(TypedDict):
    """An account, as its owner sees it."""

    name: NotRequired[str]
    language: NotRequired[Literal['en', 'fa']]
    time_zone: NotRequired[str]
    sleep_from: NotRequired[str | None]
    sleep_to: NotRequired[str | None]
    preferences: NotRequired[PreferencesRequest]
    is_bot: NotRequired[bool]
    public_profile: NotRequired[bool]
    shows_answer_times: NotRequired[bool]
    shows_presence: NotRequired[bool]



class PatchedClubChangesRequest(TypedDict):
    """The changes of a club."""

    name: NotRequired[str]
    about: NotRequired[str]
    notify: NotRequired[bool]



class PatchedEntryChangesRequest(TypedDict):
    """The changes of your entry."""

    sits_out: NotRequired[list[int]]
    notify: NotRequired[bool]



class PatchedGroupChatChangesRequest(TypedDict):
    """Your handle in a chat."""

    handle: NotRequired[str]



class PatchedRoleRequest(TypedDict):
    """The changes of a member."""

    role: NotRequired[Literal['owner', 'organizer', 'member']]



class PatchedTournamentChangesRequest(TypedDict):
    """The changes of a tournament."""

    name: NotRequired[str]
    about: NotRequired[str]
    starts_at: NotRequired[str]



class PatchedWebhookChangesRequest(TypedDict):
    """The changes to a webhook."""

    url: NotRequired[str]
    kinds: NotRequired[list[Literal['question', 'closed', 'event', 'game', 'chat', 'presence']]]
    enabled: NotRequired[bool]



class Pause(TypedDict):
    """The state of pauses in a game."""

    state: Literal['none', 'proposed', 'paused'] | str
    length: str | None
    ends_at: str | None
    agreed: list[int]
    missing: list[int]
    longest: str
    left: str



class PauseAnswerRequest(TypedDict):
    """Your answer to a pause."""

    wants_pause: bool



class PauseRequest(TypedDict):
    """A pause to propose."""

    length: NotRequired[str | None]



class PlanRequest(TypedDict):
    """A plan to make: either `plan` or `text`, and never both."""

    plan: NotRequired[GamePlan]
    text: NotRequired[str]



class Player(TypedDict):
    """The public data of a player."""

    name: str
    is_bot: bool
    reliability: float | None
    answer_times: AnswerTimes | None
    player_stats: list[PlayerStats]
    results: list[Result]
    ratings: list[RatingLine]
    opponents: list[Opponent]
    against_you: Opponent | None
    bluffs: list[Bluff]



class PlayerBluffs(TypedDict):
    """The number of times that a player bluffed, and was believed."""

    seat: int
    claims: int
    bluffs: int
    believed: int



class PlayerStats(TypedDict):
    """The finished games of a player in one game, at tables of one kind."""

    rules: str
    seat_count: int | None
    with_bots: bool
    games: int
    wins: int
    rating: int



class PracticeRequest(TypedDict):
    """A moment of a finished game, and a seat."""

    line: int
    seat: int



class Preferences(TypedDict):
    """The emails that you want from your games, and when."""

    mails: bool
    digest: Literal['at-once', 'hours', 'daily'] | str
    digest_every: int
    digest_at: int
    quiet_from: str | None
    quiet_to: str | None
    reminders: list[str]
    learns_hours: bool
    receipts: bool
    only_aimed: bool
    news: bool
    channels: Channels
    addresses: Addresses
    secrets: Secrets
    muted: list[str]



class PreferencesRequest(TypedDict):
    """The emails that you want from your games, and when."""

    mails: NotRequired[bool]
    digest: NotRequired[Literal['at-once', 'hours', 'daily']]
    digest_every: NotRequired[int]
    digest_at: NotRequired[int]
    quiet_from: NotRequired[str | None]
    quiet_to: NotRequired[str | None]
    reminders: NotRequired[list[str]]
    learns_hours: NotRequired[bool]
    receipts: NotRequired[bool]
    only_aimed: NotRequired[bool]
    news: NotRequired[bool]
    channels: NotRequired[ChannelsRequest]
    addresses: NotRequired[AddressesRequest]
    secrets: NotRequired[SecretsRequest]
    muted: NotRequired[list[str]]



class Presence(TypedDict):
    """The presence of the players."""

    all_here: bool



class Problem(TypedDict):
    """A refusal (RFC 9457)."""

    type: str
    title: str
    status: int
    code: Literal['malformed', 'illegal', 'question-closed', 'not-found', 'unauthenticated', 'otp-required', 'otp-wrong', 'forbidden', 'conflict', 'limit-reached', 'key-busy', 'key-refused', 'key-reused', 'rate-limited', 'method-not-allowed', 'not-acceptable', 'too-large', 'unsupported-media-type', 'unavailable', 'error'] | str
    detail: str
    move: NotRequired[StoredMove]
    errors: NotRequired[list[dict[str, Any]]]



class Question(TypedDict):
    """A question that a game asks you."""

    id: str
    game: str
    seat: int
    kind: Literal['turn', 'challenge', 'block', 'challenge-block', 'proof', 'loss', 'exchange', 'draft', 'show', 'examine', 'party', 'bomb', 'take'] | str
    reason: Literal['turn', 'draft', 'party', 'challenge', 'coup', 'assassination', 'bomb', 'foreign-aid', 'tax', 'assassinate', 'steal', 'exchange', 'embezzle', 'examine', 'hand', 'defuse', 'ambassador', 'assassin', 'captain', 'contessa', 'duke', 'inquisitor', 'hand-full', 'enough', 'dug'] | str
    asked_at: str
    due_at: str
    planned_at: str | None
    why: list[Reason]
    moves: list[Answer]
    forms: list[Form]



class RatingLine(TypedDict):
    """The ratings of a player in one game at tables of one kind."""

    rules: str
    with_bots: bool
    ratings: list[int]



class Reason(TypedDict):
    """A step that led to a deadline."""

    code: Literal['turn', 'reaction', 'choice', 'time-bank', 'days-off', 'vacation', 'fixed-hour', 'sleep', 'moved'] | str
    text: str
    until: str



class RegisteredApp(TypedDict):
    """A new app."""

    client_id: str
    name: str
    type: Literal['public', 'confidential'] | str
    redirect_uris: list[str]
    scopes: list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks'] | str]
    created_at: str
    client_secret: str | None



class RematchAnswer(TypedDict):
    """The answer of a player of the finished game."""

    seat: int
    name: str
    accepted: bool | None



class RematchOffer(TypedDict):
    """The offer of a rematch."""

    state: Literal['offered', 'started', 'lapsed'] | str
    seat: int
    options: ChosenOptions
    until: str
    answers: list[RematchAnswer]
    game: str | None



class RematchRequest(TypedDict):
    """Your yes to a rematch, and its changes."""

    options: NotRequired[ChosenOptions]
    seed: NotRequired[str]
    seed_commitment: NotRequired[str]



class Report(TypedDict):
    """A report that you made."""

    id: str
    kind: Literal['message', 'name', 'conduct'] | str
    reason: str
    created_at: str
    state: Literal['open', 'dismissed', 'acted'] | str



class ReportRequest(TypedDict):
    """A report to the moderators."""

    kind: Literal['message', 'name', 'conduct']
    game: str
    message: NotRequired[str]
    seat: NotRequired[int]
    reason: str



class Result(TypedDict):
    """A player's result in a finished game."""

    game: str
    rules: str
    ended_at: str
    seat_count: int
    won: bool
    place: int
    rating: int | None



class RevealRequest(TypedDict):
    """The seed that a player committed to."""

    seed: str
    head: str



class Rules(TypedDict):
    """A game that can be played here."""

    name: str
    version: int
    title: str
    least: int
    most: int



class RulesDetail(TypedDict):
    """A title, with all that is needed to create a game and to move."""

    name: str
    version: int
    title: str
    least: int
    most: int
    options: Any
    moves: Any
    summary: list[str]
    durations: list[Duration]



class Schedule(TypedDict):
    """The schedule of a game: its terms about time beside the limits."""

    zone: str
    closes_at: list[str]
    days_off: list[Literal['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] | str]
    dates_off: list[str]
    time_bank: TimeBank | None
    sleep: int
    vacation: int



class ScheduleRequest(TypedDict):
    """The schedule of a game: its terms about time beside the limits."""

    zone: NotRequired[str]
    closes_at: NotRequired[list[str]]
    days_off: NotRequired[list[Literal['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']]]
    dates_off: NotRequired[list[str]]
    time_bank: NotRequired[TimeBankRequest | None]
    sleep: NotRequired[int]
    vacation: NotRequired[int]



class SeatResult(TypedDict):
    """The place and points of a seat."""

    seat: int
    won: bool
    place: int
    score: int | None
    team: int | None



class SeatStats(TypedDict):
    """The games that a player at a table has finished before: with these rules, at tables of people."""

    games: int
    wins: int
    rating: int | None
    reliability: float | None
    answer_times: AnswerTimes | None



class Secrets(TypedDict):
    """Your secret for each channel that needs one."""

    discord: str | None
    gotify: str | None
    matrix: str | None
    ntfy: str | None
    slack: str | None
    telegram: str | None



class SecretsRequest(TypedDict):
    """Your secret for each channel that needs one."""

    discord: NotRequired[str | None]
    gotify: NotRequired[str | None]
    matrix: NotRequired[str | None]
    ntfy: NotRequired[str | None]
    slack: NotRequired[str | None]
    telegram: NotRequired[str | None]



class SedlecChosenOptions(TypedDict):
    """The options of a game."""

    starting_player: NotRequired[Literal['previous_winner', 'random'] | str | int]



class SedlecEventCardTurned(TypedDict):
    """The top card of a pile is turned up at set-up (Sedlec S2)."""

    type: Literal['sedlec.card-turned']
    pile: int
    card: str
    schema: int



class SedlecEventDug(TypedDict):
    """A player turned up the top cards of two piles, or of the only one that was face down."""

    type: Literal['sedlec.dug']
    seat: int
    piles: list[int]
    cards: list[str]
    schema: int



class SedlecEventGameEnded(TypedDict):
    """Every pyramid is full, or every seat was given up."""

    type: Literal['sedlec.game-ended']
    winners: list[int]
    scores: list[SedlecViewScore]
    schema: int



class SedlecEventLaid(TypedDict):
    """A player laid a card of their hand into their pyramid."""

    type: Literal['sedlec.laid']
    seat: int
    card: str
    place: Literal['left', 'on 1.1', 'on 1.2', 'on 1.3', 'on 2.1', 'on 2.2', 'right'] | str
    schema: int



class SedlecEventResigned(TypedDict):
    """A player resigned."""

    type: Literal['sedlec.resigned']
    seat: int
    schema: int



class SedlecEventSetUp(TypedDict):
    """The cards were shuffled into six piles."""

    type: Literal['sedlec.set-up']
    rules: str
    version: int
    seats: int
    options: SedlecOptions
    deck: list[str]
    piles: list[list[str | None]]
    schema: int



class SedlecEventTaken(TypedDict):
    """A player took the face-up card of a pile into their hand."""

    type: Literal['sedlec.taken']
    seat: int
    pile: int
    card: str
    schema: int



class SedlecEventTurnBegan(TypedDict):
    """A seat has the turn."""

    type: Literal['sedlec.turn-began']
    seat: int
    forfeited: bool
    schema: int



class SedlecMoveCollect(TypedDict):
    """Take the face-up card of a pile."""

    type: Literal['sedlec.collect']
    pile: int



class SedlecMoveDig(TypedDict):
    """Turn up the top cards of two piles, or of the only one left, and take one of them."""

    type: Literal['sedlec.dig']
    piles: list[int]



class SedlecMoveLay(TypedDict):
    """Put a card of your hand into your pyramid."""

    type: Literal['sedlec.lay']
    card: str
    place: Literal['left', 'on 1.1', 'on 1.2', 'on 1.3', 'on 2.1', 'on 2.2', 'right'] | str



class SedlecMoveTake(TypedDict):
    """Take one of the two cards that were just dug up."""

    type: Literal['sedlec.take']
    pile: int



class SedlecOptions(TypedDict):
    """The options of a game."""

    starting_player: Literal['previous_winner', 'random'] | str | int
    previous_winners: list[int]



class SedlecPlan(TypedDict):
    """Make this move on the owner's next turn, if it is possible then."""

    type: Literal['sedlec.next-turn']
    move: GameMove
    card: NotRequired[str | None]



class SedlecView(TypedDict):
    """The table as a viewer may know it."""

    rules: Literal['sedlec']
    deck: list[str]
    piles: list[SedlecViewPile]
    players: list[SedlecViewPlayer]
    width: int
    size: int
    turn: int | None
    dug: list[int]
    winners: list[int] | None



class SedlecViewPile(TypedDict):
    """A pile of the graveyard."""

    face_up: str | None
    face_down: list[str | None]



class SedlecViewPlayer(TypedDict):
    """The public cards of a player."""

    seat: int
    hand: list[str]
    pyramid: list[list[str | None]]
    score: SedlecViewScore
    forfeited: bool



class SedlecViewScore(TypedDict):
    """The points of a pyramid, in total and by kind of skull."""

    total: int
    royal: int
    peasant: int
    priest: int
    lover: int
    sinner: int



class Seek(TypedDict):
    """A search for players."""

    id: str
    rules: str
    least: int
    most: int
    speed: Literal['live', 'evening', 'daily', 'slow'] | str
    options: ChosenOptions
    fill_after: str | None
    games_at_once: int | None
    shows_name: bool
    state: Literal['open', 'matched', 'withdrawn', 'lapsed', 'removed'] | str
    game: str | None
    created_at: str
    until: str
    ended_at: str | None



class SeekRequest(TypedDict):
    """The game that you want to play."""

    rules: str
    least: int
    most: int
    speed: NotRequired[Literal['live', 'evening', 'daily', 'slow']]
    options: NotRequired[ChosenOptions]
    fill_after: NotRequired[str | None]
    games_at_once: NotRequired[int | None]
    shows_name: NotRequired[bool]



class SeenGame(TypedDict):
    """A game with the view that you may see."""

    game: str
    view: GameView | None



class Session(TypedDict):
    """A browser in which you are logged in."""

    id: int
    device: str
    address: str
    created_at: str
    last_seen_at: str



class ShownEvent(TypedDict):
    """An event as you may know it."""

    number: int
    at: str | None
    via: str | None
    seat: int | None
    move: str | None
    event: GameEvent
    text: str | None



class SignOutRequest(TypedDict):
    """Other access to end together with the sessions."""

    tokens: NotRequired[bool]
    grants: NotRequired[bool]



class SignUpRequest(TypedDict):
    """A sign-up."""

    email: str
    password: str
    name: str
    language: NotRequired[Literal['en', 'fa']]
    time_zone: NotRequired[str]
    is_bot: NotRequired[bool]



class SignedUp(TypedDict):
    """The address to which the code was sent."""

    email: str



class Slot(TypedDict):
    """A field of a move that you fill in: a number, or words from a list."""

    name: str
    label: str
    lowest: int | None
    highest: int | None
    choices: list[SlotChoice] | None
    least: int | None
    most: int | None



class SlotChoice(TypedDict):
    """A word that a slot may have."""

    text: str
    label: str



class StandInRequest(TypedDict):
    """A stand-in for your seat, and the time until which they may answer."""

    name: str
    until: str



class Standing(TypedDict):
    """A place in the standings, after the rounds that have ended."""

    division: int | None
    place: int
    number: int
    name: str
    points: int
    opponents: float
    wins: int
    games: int
    withdrawn: bool
    movement: Literal['up', 'down'] | str



class Statistics(TypedDict):
    """The result and the bluffs of a game."""

    results: list[SeatResult]
    claims: list[Claims]
    challenges: list[Challenges]
    counts: list[NamedCount]



class Step(TypedDict):
    """A game after one line of its log."""

    number: int
    last: int
    line: ShownEvent | None
    view: GameView | None



class StoredMove(TypedDict):
    """A move and its outcome."""

    id: str
    game: str
    question: str
    text: str | None
    move: GameMove | None
    received_at: str
    state: Literal['received', 'applied', 'rejected', 'failed'] | str
    problem: Why | None
    events: list[ShownEvent]



class StoredPlan(TypedDict):
    """A plan of your own."""

    id: str
    number: int
    plan: GamePlan
    text: str
    label: str
    state: Literal['standing', 'carried-out', 'lapsed'] | str
    created_at: str
    done_at: str | None
    times: int
    last: LastAnswer | None



class StreamChat(TypedDict):
    """Someone wrote something that you may read."""

    game: str
    message: str
    at: NotRequired[str]



class StreamClosed(TypedDict):
    """A question for you is closed."""

    game: str
    question: str
    at: NotRequired[str]



class StreamClosedGame(TypedDict):
    """A game that can no longer be joined."""

    game: str
    at: NotRequired[str]



class StreamGame(TypedDict):
    """A game has started, ended or been cancelled."""

    game: str
    state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | str
    at: NotRequired[str]



class StreamNotice(TypedDict):
    """`ready`: from here on you are told everything; what waits already is at `questions/`."""

    at: NotRequired[str]



class StreamOpenGame(TypedDict):
    """A public game that can be joined."""

    game: str
    rules: str
    options: GameOptions
    seat_count: int
    free: int
    created_at: str
    at: NotRequired[str]



class StreamPresence(TypedDict):
    """Everyone playing is here now, and agreed to show it: see `games/{game}/presence/`."""

    game: str
    at: NotRequired[str]



class StreamProgress(TypedDict):
    """Something happened in a game."""

    game: str
    number: int
    at: NotRequired[str]



class StreamQuestion(TypedDict):
    """You are asked something."""

    game: str
    question: str
    due_at: str
    at: NotRequired[str]



class SubscriptionRequest(TypedDict):
    """A browser's push subscription, as its `toJSON()` returns it, and a name for it."""

    endpoint: str
    expirationTime: NotRequired[int | None]
    keys: KeysRequest
    name: NotRequired[str]



class TableChannelRequest(TypedDict):
    """A chat to connect to a game or a club."""

    app: Literal['discord', 'matrix', 'slack', 'telegram']
    address: NotRequired[str]
    secret: str



class TableEventBeaconAwaited(TypedDict):
    """The deal waits for this round of the public beacon: the first that is published half a minute after this event, so that the list of the deal can be kept before."""

    type: Literal['table.beacon-awaited']
    round: int
    key: str
    head: str
    schema: int



class TableEventBeaconPublished(TypedDict):
    """The signature of the round, in hexadecimal."""

    type: Literal['table.beacon-published']
    round: int
    signature: str
    schema: int



class TableEventBotTakeover(TypedDict):
    """A bot has taken the seat of a player who left the server."""

    type: Literal['table.bot-takeover']
    seat: int
    schema: int



class TableEventDeadlinesMoved(TypedDict):
    """Every open deadline was moved back by this many seconds: the server was down, or its clock was set forward."""

    type: Literal['table.deadlines-moved']
    seconds: int
    schema: int



class TableEventDealListed(TypedDict):
    """The table is full, and the list that the deal follows from is fixed."""

    type: Literal['table.deal-listed']
    key: str
    head: str
    schema: int



class TableEventDueLater(TypedDict):
    """The players have this number of seconds more for the open questions."""

    type: Literal['table.due-later']
    seconds: int
    schema: int



class TableEventEmailOutage(TypedDict):
    """Emails could not be sent for a time: every open deadline was moved back by this many seconds."""

    type: Literal['table.email-outage']
    seconds: int
    schema: int



class TableEventEnded(TypedDict):
    """The game is over, and open to everyone who may see the table."""

    type: Literal['table.ended']
    winners: list[int]
    schema: int



class TableEventForfeited(TypedDict):
    """A player has missed too many questions, and is out of the game; the events of the rules follow."""

    type: Literal['table.forfeited']
    seat: int
    schema: int



class TableEventGameCancelled(TypedDict):
    """The game was cancelled before it started: all players had left, or its deal could not be protected."""

    type: Literal['table.cancelled']
    schema: int



class TableEventGameCreated(TypedDict):
    """A game was created; its host sits on seat 1."""

    type: Literal['table.created']
    rules: str
    version: int
    seat_count: int
    bot_count: int
    commitment: str
    terms: TableEventGameTerms
    private: bool
    spectator_delay: int | None
    arena: bool
    schema: int



class TableEventGameTerms(TypedDict):
    """The terms that the players of a game agree on before it starts."""

    turn_limit: str
    reaction_limit: str
    open_limit: str
    choice_limit: str
    schedule: TableEventSchedule
    chat: Literal['all', 'none', 'table'] | str
    pauses: str
    longest_pause: str
    misses: int
    absence: Literal['bot', 'forfeit', 'invite'] | str
    plans: Literal['private', 'quick'] | str
    unprotected: Literal['cancel', 'deal'] | str



class TableEventJoined(TypedDict):
    """A player took the next seat, and added a seed of their own to the game's chance."""

    type: Literal['table.joined']
    seat: int
    bot: bool
    level: str
    style: str
    seed: str
    seed_commitment: str
    player: str
    schema: int



class TableEventLeft(TypedDict):
    """A player left before the game started; those after them moved up one seat."""

    type: Literal['table.left']
    seat: int
    schema: int



class TableEventPauseAgreed(TypedDict):
    """A player agrees to the pause that was proposed."""

    type: Literal['table.pause-agreed']
    seat: int
    schema: int



class TableEventPauseDeclined(TypedDict):
    """A player declined, and the proposal is dropped."""

    type: Literal['table.pause-declined']
    schema: int



class TableEventPauseProposed(TypedDict):
    """A player proposes a pause of this many seconds."""

    type: Literal['table.pause-proposed']
    seat: int
    seconds: int
    lapses_at: str
    schema: int



class TableEventPaused(TypedDict):
    """The game is paused until then: every open deadline was moved back by this many seconds."""

    type: Literal['table.paused']
    seconds: int
    until: str
    schema: int



class TableEventPlayerTakeover(TypedDict):
    """A new player has taken a seat that was offered; the player before is out of the game for good."""

    type: Literal['table.player-takeover']
    seat: int
    player: str
    schema: int



class TableEventPositionCopied(TypedDict):
    """A practice game goes on from a finished game, whose events up to a line follow."""

    type: Literal['table.position-copied']
    game: str
    line: int
    schema: int



class TableEventResigned(TypedDict):
    """A player resigned; the events of the rules follow."""

    type: Literal['table.resigned']
    seat: int
    schema: int



class TableEventResumeAgreed(TypedDict):
    """A player wants the game to go on before the pause is over."""

    type: Literal['table.resume-agreed']
    seat: int
    schema: int



class TableEventResumed(TypedDict):
    """The game goes on after this number of seconds."""

    type: Literal['table.resumed']
    seconds: int
    schema: int



class TableEventReturned(TypedDict):
    """A player is back, and answers for themselves again."""

    type: Literal['table.returned']
    seat: int
    schema: int



class TableEventSchedule(TypedDict):
    """Fixed hours, days off, time banks, and how much sleep and vacation move deadlines."""

    zone: str
    closes_at: list[str]
    days_off: list[Literal['friday', 'monday', 'saturday', 'sunday', 'thursday', 'tuesday', 'wednesday'] | str]
    dates_off: list[str]
    time_bank: TableEventTimeBank | None
    sleep: int
    vacation: int



class TableEventSeatOffered(TypedDict):
    """A player has missed too many questions."""

    type: Literal['table.seat-offered']
    seat: int
    schema: int



class TableEventSeedMissing(TypedDict):
    """The seed that the player on this seat had promised was not revealed in time."""

    type: Literal['table.seed-missing']
    seat: int
    schema: int



class TableEventSeedRevealed(TypedDict):
    """A player revealed the seed that they had committed to."""

    type: Literal['table.seed-revealed']
    seat: int
    seed: str
    schema: int



class TableEventSeedsAwaited(TypedDict):
    """Players who committed to seeds reveal them until then."""

    type: Literal['table.seeds-awaited']
    until: str
    schema: int



class TableEventStandInLeft(TypedDict):
    """The player no longer has a stand-in."""

    type: Literal['table.stand-in-left']
    seat: int
    schema: int



class TableEventStandInNamed(TypedDict):
    """A player has named a stand-in, who may answer for them for some time."""

    type: Literal['table.stand-in-named']
    seat: int
    schema: int



class TableEventStarted(TypedDict):
    """The game started with this many seats; the events of its set-up follow."""

    type: Literal['table.started']
    seat_count: int
    schema: int



class TableEventTemporaryTakeover(TypedDict):
    """A player has missed too many questions; a bot plays for them until they come back."""

    type: Literal['table.temporary-takeover']
    seat: int
    schema: int



class TableEventTimeBank(TypedDict):
    """A time bank of a seat."""

    time: str
    increment: str



class TableEventTimeBankChanged(TypedDict):
    """The time bank of a player after a move, in seconds: the used time is subtracted and the increment added."""

    type: Literal['table.time-bank-changed']
    seat: int
    seconds: int
    schema: int



class TableSeat(TypedDict):
    """A seat at a table of a tournament."""

    seat: int
    number: int
    name: str
    place: int | None
    points: int | None



class TimeBank(TypedDict):
    """The time bank that each seat has."""

    time: str
    increment: str



class TimeBankRequest(TypedDict):
    """The time bank that each seat has."""

    time: str
    increment: str



class Token(TypedDict):
    """A token, without the token itself."""

    id: str
    name: str
    scopes: list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks'] | str]
    prefix: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None



class TokenRequest(TypedDict):
    """A token to create, and the proof of who asks."""

    email: str
    password: str
    otp: NotRequired[str]
    name: str
    scopes: NotRequired[list[Literal['games:read', 'games:play', 'chat', 'account', 'webhooks']]]
    expires_in: NotRequired[str | None]
    expires_at: NotRequired[str | None]



class ToldMoves(TypedDict):
    """The moves that a bot is told to make."""

    moves: list[str]



class ToldMovesRequest(TypedDict):
    """The moves that a bot is told to make."""

    moves: list[str]



class Tournament(TypedDict):
    """A tournament."""

    id: str
    name: str
    about: str
    club: str | None
    host: str | None
    format: Literal['swiss', 'round-robin', 'knock-out', 'league'] | str
    rules: str
    options: ChosenOptions
    speed: Literal['live', 'evening', 'daily', 'slow'] | str
    spectator_delay: str | None
    table_size: int
    rounds: int | None
    advance: int | None
    league: str | None
    season: int | None
    division_size: int | None
    promoted: int | None
    season_break: str | None
    most: int
    round_length: str
    starts_at: str
    state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | str
    commitment: str
    seed: str | None
    beacon_round: int | None
    beacon_signature: str
    entries: int
    round: int
    round_ends_at: str | None
    number: int | None
    created_at: str
    started_at: str | None
    ended_at: str | None



class TournamentRequest(TypedDict):
    """A tournament to create."""

    name: str
    about: NotRequired[str]
    club: NotRequired[str | None]
    format: Literal['swiss', 'round-robin', 'knock-out', 'league']
    rules: str
    options: NotRequired[ChosenOptions]
    speed: NotRequired[Literal['live', 'evening', 'daily', 'slow']]
    spectator_delay: NotRequired[str | None]
    table_size: int
    rounds: NotRequired[int | None]
    advance: NotRequired[int | None]
    division_size: NotRequired[int | None]
    promoted: NotRequired[int | None]
    season_break: NotRequired[str | None]
    most: NotRequired[int | None]
    round_length: str
    starts_at: str



class TournamentRound(TypedDict):
    """A round of a tournament."""

    number: int
    starts_at: str
    ends_at: str
    ended_at: str | None
    tables: list[TournamentTable]
    byes: list[Entrant]
    rests: list[Entrant]



class TournamentTable(TypedDict):
    """A table of a round."""

    table: int
    game: str | None
    seats: list[TableSeat]



class TurningPoint(TypedDict):
    """A turn that changed the game."""

    line: int
    told: str
    why: str



class Unreachable(TypedDict):
    """The reason why no email goes to you, and since when."""

    why: Literal['bounced', 'complained'] | str
    since: str



class Vacation(TypedDict):
    """A vacation of your own."""

    id: str
    first: str
    last: str



class VacationRequest(TypedDict):
    """A vacation to plan."""

    first: str
    last: str



class Webhook(TypedDict):
    """An address to which notifications for you are posted."""

    id: str
    url: str
    kinds: list[Literal['question', 'closed', 'event', 'game', 'chat', 'presence'] | str]
    created_at: str
    disabled_at: str | None
    failing_since: str | None



class WebhookChat(TypedDict):
    """Someone wrote something that you may read."""

    type: Literal['chat']
    timestamp: str
    data: StreamChat



class WebhookClosed(TypedDict):
    """A question for you is closed."""

    type: Literal['closed']
    timestamp: str
    data: StreamClosed



class WebhookEvent(TypedDict):
    """Something happened in a game."""

    type: Literal['event']
    timestamp: str
    data: StreamProgress



class WebhookGame(TypedDict):
    """A game has started, ended or been cancelled."""

    type: Literal['game']
    timestamp: str
    data: StreamGame


WebhookMessage: TypeAlias = "WebhookQuestion | WebhookClosed | WebhookEvent | WebhookGame | WebhookChat | WebhookPresence | WebhookTest"


class WebhookPresence(TypedDict):
    """Everyone playing is here now, and agreed to show it: see `games/{game}/presence/`."""

    type: Literal['presence']
    timestamp: str
    data: StreamPresence



class WebhookQuestion(TypedDict):
    """You are asked something."""

    type: Literal['question']
    timestamp: str
    data: StreamQuestion



class WebhookRequest(TypedDict):
    """An address to register."""

    url: str
    kinds: list[Literal['question', 'closed', 'event', 'game', 'chat', 'presence']]



class WebhookTest(TypedDict):
    """`ready`: from here on you are told everything; what waits already is at `questions/`."""

    type: Literal['test']
    timestamp: str
    data: StreamNotice



class Why(TypedDict):
    """The reason why a move was not applied."""

    code: Literal['malformed', 'illegal', 'question-closed', 'error'] | str
    status: int
    detail: str
    ruling: str | None


_EVENTS = frozenset(('coup.set-up', 'coup.dealt', 'coup.turn-began', 'coup.declared', 'coup.window-opened', 'coup.answered', 'coup.window-closed', 'coup.challenged', 'coup.challenge-dropped', 'coup.proved', 'coup.replaced', 'coup.conceded', 'coup.refunded', 'coup.blocked', 'coup.block-lapsed', 'coup.stopped', 'coup.loss-asked', 'coup.lost', 'coup.went-out', 'coup.purse-emptied', 'coup.gained', 'coup.stole', 'coup.drew', 'coup.kept', 'coup.resigned', 'coup.asked-anew', 'coup.game-ended', 'coup.draft-opened', 'coup.picked', 'coup.put-out', 'coup.party-asked', 'coup.parties-chosen', 'coup.converted', 'coup.embezzled', 'coup.show-asked', 'coup.shown', 'coup.handed-back', 'coup.swapped', 'coup.bomb-handed', 'coup.bomb-claimed', 'coup.exploded', 'coup.bomb-returned', 'sedlec.set-up', 'sedlec.card-turned', 'sedlec.turn-began', 'sedlec.dug', 'sedlec.taken', 'sedlec.laid', 'sedlec.resigned', 'sedlec.game-ended', 'table.created', 'table.joined', 'table.left', 'table.started', 'table.position-copied', 'table.cancelled', 'table.deadlines-moved', 'table.email-outage', 'table.due-later', 'table.time-bank-changed', 'table.resigned', 'table.bot-takeover', 'table.ended', 'table.deal-listed', 'table.seeds-awaited', 'table.seed-revealed', 'table.seed-missing', 'table.beacon-awaited', 'table.beacon-published', 'table.pause-proposed', 'table.pause-agreed', 'table.pause-declined', 'table.paused', 'table.resume-agreed', 'table.resumed', 'table.temporary-takeover', 'table.seat-offered', 'table.returned', 'table.player-takeover', 'table.forfeited', 'table.stand-in-named', 'table.stand-in-left',))


def is_known_event(event: GameEvent) -> TypeGuard[KnownEvent]:
    """Return whether this client knows the shape of this event."""
    return event["type"] in _EVENTS


_MOVES = frozenset(('coup.income', 'coup.foreign-aid', 'coup.coup', 'coup.tax', 'coup.assassinate', 'coup.steal', 'coup.exchange', 'coup.allow', 'coup.challenge', 'coup.block', 'coup.prove', 'coup.concede', 'coup.lose', 'coup.keep', 'coup.pick', 'coup.empire', 'coup.resistance', 'coup.convert', 'coup.embezzle', 'coup.examine', 'coup.show', 'coup.return', 'coup.swap', 'coup.bomb', 'coup.explode', 'coup.defuse', 'coup.hand', 'sedlec.dig', 'sedlec.collect', 'sedlec.lay', 'sedlec.take',))


def is_known_move(move: GameMove) -> TypeGuard[KnownMove]:
    """Return whether this client knows the shape of this move."""
    return move["type"] in _MOVES


_PLANS = frozenset(('coup.allow-others', 'coup.allow', 'coup.challenge', 'coup.if-challenged', 'coup.if-losing', 'coup.block', 'coup.if-blocked', 'coup.next-turn', 'sedlec.next-turn',))


def is_known_plan(plan: GamePlan) -> TypeGuard[KnownPlan]:
    """Return whether this client knows the shape of this plan."""
    return plan["type"] in _PLANS


_VIEWS = frozenset(('coup', 'sedlec',))


def is_known_view(view: GameView) -> TypeGuard[KnownView]:
    """Return whether this client knows the shape of this view."""
    return view["rules"] in _VIEWS

