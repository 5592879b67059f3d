"""The picture of the table, drawn from a view. It can show only the facts in the view.

From top to bottom: the status and the question, the middle of the table, the way of the bomb, cards that only the
viewer sees, and the players in the order of their seats. Face-down cards show their back, tinted in the card's colour
for viewers who may know it. Lost cards are pale and struck through. For right-to-left scripts the whole picture is
mirrored.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

from games.engine import Phrase, Reader, SeatName, SeatNumber
from games.engine import drawing as svg
from games.engine import gettext_noop as _
from games.rules.coup.game import law_of
from games.rules.coup.pictures import drawing
from games.rules.coup.pictures.drawing import ICON, STYLE, TILE, coins_in
from games.rules.coup.state import Character, Party
from games.rules.coup.text import status
from games.rules.coup.text.words import CHARACTERS
from games.rules.coup.views import SeatView, View

ACROSS: Final = 640.0
GAP: Final = 12.0
INNER: Final = ACROSS - 2 * GAP
FEW: Final = 3
"""Up to this number of players, each player has a row of the picture. More players share rows in pairs."""
MANY: Final = 6
"""More players than these share rows of three while the game is running, each with small cards."""
HEAD: Final = 80.0
"""The height of a player's name and of the line below it."""
BADGE: Final = 152.0
"""The width of a party's badge."""
BOLD_STYLES: Final = ("cp-text cp-bold", "cp-asking")
LONGEST_WAY: Final = 9
"""The highest number of stations of the bomb that fit."""

Drawer = Callable[[float, float], str]
"""A function that draws something, given its left edge and its width, or its left and upper edge."""


def picture(view: View, reader: Reader) -> str:
    """Return the table as SVG, in the reader's words."""
    page = Page(reader)
    tell(page, view)
    middle(page, view)
    way_of_the_bomb(page, view)
    own_cards(page, view)
    players(page, view)
    label = reader.say(status.headline(view, reader.seat))
    return svg.sheet(ACROSS, round(page.top), STYLE, drawing.SYMBOLS, page.drawn, "cp-paper", label)


class Page:
    """The picture so far, and its present height. A ``start`` is a distance from the edge at which the reader's lines
    begin.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.rtl = reader.right_to_left
        self.drawn: list[str] = []
        self.top = GAP

    def add(self, *pieces: str) -> None:
        """Add pieces to the picture."""
        self.drawn.extend(pieces)

    def left(self, start: float, width: float = 0) -> float:
        """Return the left edge of an item that begins at ``start``."""
        return ACROSS - start - width if self.rtl else start

    def say(self, msgid: str) -> str:
        """Return a phrase without values in the reader's words."""
        return self.reader.say(Phrase(msgid))

    def write(self, content: str, start: float, down: float, size: float, style: str, ends: bool = False) -> None:
        """Write a line that begins at ``start``, or ends there if ``ends`` is true."""
        anchor = "end" if ends != self.rtl else "start"
        self.add(svg.text(content, self.left(start), down, size, style, anchor, self.rtl))

    def fit(self, content: str, start: float, down: float, room: float, size: float, style: str) -> None:
        """Write a line that begins at ``start``, shortened to its room."""
        fitted, size = svg.fitting(content, room / svg.BOLD if style in BOLD_STYLES else room, size)
        self.write(fitted, start, down, size, style)

    def tiles(self, drawers: Iterable[Drawer], start: float, room: float, down: float) -> None:
        """Draw cards side by side."""
        drawers = tuple(drawers)
        width = min(140.0, (room - 8 * (len(drawers) - 1)) / max(1, len(drawers)))
        for at, draw in enumerate(drawers):
            self.add(draw(self.left(start + at * (width + 8), width), width))


def tell(page: Page, view: View) -> None:
    """Draw the status of the game. The viewer's own question stands out."""
    before = len(page.drawn)
    own_turn = view.question is not None and view.question.kind == "turn"
    sayings = [] if own_turn else [(status.headline(view, page.reader.seat), 28, "cp-text cp-bold")]
    sayings += [(phrase, 24, "cp-text") for phrase in status.under_way(view)]
    request = status.asked_for(view)
    if request and view.question is None:
        sayings.append((request, 24, "cp-text cp-bold"))
    if missing := status.still_missing(view):
        sayings.append((missing, 22, "cp-faint"))
    for phrase, size, style in sayings:
        paragraph(page, phrase, size, style, GAP + 4)
    if view.action:
        page.drawn[before:] = [svg.moving_part("claim", "", *page.drawn[before:])]
    if request and view.question is not None and not page.reader.asked_beside:
        question(page, request)
    page.top += GAP


def paragraph(page: Page, phrase: Phrase, size: float, style: str, start: float) -> None:
    """Write a sentence in as many lines as it needs."""
    room = ACROSS - 2 * start
    for line in svg.wrapped(page.reader.say(phrase), room / svg.BOLD if style in BOLD_STYLES else room, size):
        page.fit(line, start, page.top + size, room, size, style)
        page.top += 1.35 * size


def question(page: Page, request: Phrase) -> None:
    """Draw the question of the viewer."""
    lines = list(svg.wrapped(page.reader.say(request), (INNER - 40) / svg.BOLD, 24))
    page.add(svg.box("cp-ask", GAP, page.top + 6, INNER, 33 * len(lines) + 18, 10))
    page.top += 15
    paragraph(page, request, 24, "cp-asking", GAP + 20)
    page.top += 9


def middle(page: Page, view: View) -> None:
    """Draw the court, the treasury and the reserve, each with its number."""
    cells = [(_("court"), view.court, None), (_("treasury"), view.treasury, partial(coins_in, "chest"))]
    if view.options.reformation:
        cells.append((_("reserve"), view.reserve, partial(coins_in, "pouch")))
    width = INNER / len(cells)
    page.add(svg.box("cp-panel", GAP, page.top, INNER, 58, 10))
    for at, (label, number, sign) in enumerate(cells):
        start, before = GAP + at * width + 14, len(page.drawn)
        page.add(sign(page.left(start, ICON), page.top + 14) if sign else deck(page.left(start, ICON), page.top + 13))
        figure = svg.figure(number, page.reader)
        page.write(figure, start + ICON + 8, page.top + 39, 30, "cp-text cp-bold")
        if sign:
            page.drawn[before:] = [
                svg.named_place(f"{label}-1", [svg.moving_part("coins", number, *page.drawn[before:])])
            ]
        used = ICON + 16 + 20 * len(figure)
        page.fit(page.say(label), start + used, page.top + 38, width - used - 24, 22, "cp-faint")
    page.top += 58 + GAP


def deck(left: float, top: float) -> str:
    """Draw a stack of cards."""
    stack = (svg.box("cp-back", left + at, top + 8 - at, 20, 24, 3) for at in (0, 4, 8))
    return "".join(stack) + svg.used("cp-star", left + 10, top + 4, 16, 16, "cp-star")


def way_of_the_bomb(page: Page, view: View) -> None:
    """Draw the seats that have paid for the bomb or held it, in order, and its next receiver."""
    if view.bomb is None:
        return
    page.add(
        svg.box("cp-panel", GAP, page.top, INNER, 54, 10),
        drawing.mark("bomb", page.left(GAP + 12, 36), page.top + 9, 36),
    )
    stations = [*view.bomb.held, *([view.bomb.receiver] if view.bomb.receiver else [])][-LONGEST_WAY:]
    for at, seat in enumerate(stations):
        x = page.left(GAP + 78 + at * 62)
        if at:
            page.add(svg.arrow("cp-mark", page.rtl, page.left(GAP + 47 + at * 62), page.top + 27, 8))
        page.add(drawing.seat_badge(svg.figure(seat, page.reader), x, page.top + 27))
        if seat == view.bomb.receiver and at == len(stations) - 1:
            page.add(f'<circle class="cp-gone" cx="{x:.4g}" cy="{page.top + 27:.4g}" r="22"/>')
    page.top += 54 + GAP


def own_cards(page: Page, view: View) -> None:
    """Draw the cards of an exchange, the card being examined, and after the end the cards of the court."""
    if view.drawn:
        cards(page, _("Drawn from the court"), Counter(view.drawn))
    if view.examined:
        cards(page, _("The examined card"), Counter([view.examined]))
    if view.court_cards:
        cards(page, _("The cards of the court"), Counter(view.court_cards))


def cards(page: Page, title: str, counted: Counter[Character]) -> None:
    """Draw known cards below a title, each character once with its number."""
    down, reader = page.top + 34, page.reader
    page.fit(page.say(title), GAP + 4, page.top + 24, INNER - 8, 22, "cp-text cp-bold")

    tiles = (partial(so_many, number, card, reader, down) for card, number in sorted(counted.items()))
    page.tiles(tiles, GAP, INNER, down)
    page.top = down + TILE + GAP


def so_many(number: int, card: Character, reader: Reader, top: float, left: float, width: float) -> str:
    """Draw a card with its number, if there are several."""
    badge = drawing.seat_badge(svg.figure(number, reader), left + width - 20, top + 20) if number > 1 else ""
    return drawing.hand_card(card, reader, top, left, width) + badge


def players(page: Page, view: View) -> None:
    """Draw the players in the order of their seats, beginning with the viewer."""
    first = next((index for index, seat in enumerate(view.seats) if seat.seat == view.viewer), 0)
    left_over = [*view.seats[first:], *view.seats[:first]]
    crowded = len(view.seats) > MANY and view.winner is None
    while left_over:
        if crowded and left_over[0].seat != view.viewer:
            in_row, width, draw = 3, (INNER - 2 * GAP) / 3, small_player
        else:
            in_row = 2 if len(view.seats) > FEW and len(left_over) > 1 and not crowded else 1
            width, draw = (INNER - GAP * (in_row - 1)) / in_row, player
        row, left_over = left_over[:in_row], left_over[in_row:]
        page.top += GAP + max(draw(page, view, seat, GAP + at * (width + GAP), width) for at, seat in enumerate(row))


def player(page: Page, view: View, seat: SeatView, start: float, width: float) -> float:
    """Draw one player with their cards, and return the height."""
    beside = width > ACROSS / 2 and seat.cards + len(seat.lost) <= 2
    height = TILE + GAP if beside else HEAD + TILE + 2.5 * GAP
    before = len(page.drawn)
    frame(page, view, seat, start, width, height)
    room = width / 2 if beside else width
    purse = 78 if seat.alive or seat.coins else 0
    name(page, seat, start, room - purse)
    if purse:
        coins(page, seat, start + room - GAP, page.top + GAP + 26)
    below(page, view, seat, start + GAP, start + room - GAP)
    down = page.top + GAP / 2 if beside else page.top + HEAD + 1.5 * GAP
    first, across = (start + room + GAP, room - 2 * GAP) if beside else (start + GAP, width - 2 * GAP)
    page.tiles(hand(page.reader, seat, down), first, across, down)
    page.drawn[before:] = [svg.named_place(f"seat-{seat.seat}", page.drawn[before:])]
    return height


def small_player(page: Page, view: View, seat: SeatView, start: float, width: float) -> float:
    """Draw one of many players, and return the height. The colour and the shape of the seat's badge are the party's,
    and only the sign of a claim is shown: the status above has its words.
    """
    before, height, down = len(page.drawn), HEAD + GAP, page.top + GAP + 38
    frame(page, view, seat, start, width, height)
    name(page, seat, start, width, seat.party if seat.alive else None)
    if seat.alive or seat.coins:
        coins(page, seat, start + GAP + 56, down + 24)
    end = start + width - GAP
    small_cards = (*(seat.hand or [None] * seat.cards), *seat.lost)
    for at, card in reversed([*enumerate(small_cards)]):
        end -= drawing.SMALL
        is_lost = at >= len(small_cards) - len(seat.lost)
        page.add(drawing.small_card(card, is_lost, down - 2, page.left(end, drawing.SMALL)))
        end -= 4
    if claim := claims(view).get(seat.seat):
        end -= ICON + 12
        page.add(drawing.bubble(claim[0], "", page.left(end, ICON + 12), down - 1, ICON + 12, page.reader))
    for draw in () if claim else marks(page, view, seat):
        end -= ICON
        page.add(draw(page.left(end, ICON), down + 1))
    page.drawn[before:] = [svg.named_place(f"seat-{seat.seat}", page.drawn[before:])]
    return height


def frame(page: Page, view: View, seat: SeatView, start: float, width: float, height: float) -> None:
    """Draw the panel of a player. The panels of the viewer, the turn and the winner stand out."""
    edges = (page.left(start, width), page.top, width, height, 12)
    page.add(svg.box("cp-own" if seat.seat == view.viewer else "cp-panel", *edges))
    if seat.seat in (view.winner, None if view.winner else view.turn):
        page.add(svg.box("cp-turn", *edges))


def name(page: Page, seat: SeatView, start: float, room: float, party: Party | None = None) -> None:
    """Draw the seat's number, in the colour of a party if one is given, and the player's name."""
    line, middle = page.top + GAP + 26, page.left(start + GAP + 17)
    page.add(drawing.seat_badge(svg.figure(seat.seat, page.reader), middle, line - 8, party))
    content = page.reader.say(Phrase("%(seat)s", {"seat": SeatName(seat.seat)}))
    style = "cp-text cp-bold" if seat.alive else "cp-faint cp-struck"
    page.fit(content, start + GAP + 42, line, room - 2 * GAP - 42, 26, style)


def coins(page: Page, seat: SeatView, end: float, line: float) -> None:
    """Draw the seat's coins, up to ``end``."""
    before = len(page.drawn)
    page.add(drawing.coin(page.left(end - ICON, ICON), line - 23))
    page.write(svg.figure(seat.coins, page.reader), end - ICON - 6, line + 1, 30, "cp-text cp-bold", ends=True)
    page.drawn[before:] = [svg.moving_part("coins", seat.coins, *page.drawn[before:])]


def below(page: Page, view: View, seat: SeatView, start: float, end: float) -> None:
    """Draw the line below a name: the party; then the claim, or else "you" or "out"; and at its end the marks of the
    player's role.
    """
    top, claim = page.top + GAP + 44, claims(view).get(seat.seat)
    if seat.party and seat.alive and claim:
        page.add(drawing.party_sign(seat.party, page.left(start, ICON + 2), top))
        start += ICON + 10
    elif seat.party and seat.alive:
        page.add(drawing.party(seat.party, page.left(start, BADGE), top, BADGE, page.reader))
        start += BADGE + 8
    for draw in marks(page, view, seat):
        end -= ICON
        page.add(draw(page.left(end, ICON), top + 1))
        end -= 5
    if claim:
        card, words = claim
        room = end - start
        page.add(drawing.bubble(card, page.reader.say(words), page.left(start, room), top, room, page.reader))
        return
    word = _("you") if seat.seat == view.viewer else _("out") if not seat.alive else ""
    if word:
        page.fit(page.say(word), start, top + 24, end - start, 22, "cp-faint")


def claims(view: View) -> dict[SeatNumber, tuple[Character, Phrase]]:
    """Return the claims of this turn by seat, each with its card and its words."""
    if view.winner is not None:
        return {}
    law = law_of(view.options, len(view.seats))
    rows: list[tuple[SeatNumber, Character | None, bool]] = []
    if view.action:
        action = law.actions[view.action.verb]
        rows.append((view.action.seat, action.claims, action.denies))
    if view.block:
        rows.append((view.block.seat, view.block.character, False))
    if view.challenge:
        rows.append((view.challenge.seat, view.challenge.character, view.challenge.denies))
    return {
        seat: (card, Phrase(_("no %(claim)s") if denies else "%(claim)s", {"claim": CHARACTERS[card]}))
        for seat, card, denies in rows
        if card
    }


def marks(page: Page, view: View, seat: SeatView) -> Iterator[Drawer]:
    """Yield the marks of a player: a winner's star, the turn, and the player's roles in this turn."""
    if view.winner is not None:
        if seat.seat == view.winner:
            yield lambda left, top: svg.star("cp-mark", left + ICON / 2, top + ICON / 2)
        return
    if seat.seat == view.turn:
        yield lambda left, top: svg.arrow("cp-mark", page.rtl, left + ICON / 2, top + ICON / 2, 12)
    for name, player_of_it in parts(view).items():
        if seat.seat == player_of_it:
            yield partial(drawing.mark, name)
    if view.asking != "turn" and seat.seat != view.viewer and seat.seat in (view.waiting_for or ()):
        yield partial(drawing.mark, "waited")


def parts(view: View) -> dict[str, SeatNumber | None]:
    """Return the roles in this turn and their players."""
    return {
        "target": view.action.target if view.action else None,
        "block": view.block.seat if view.block else None,
        "doubt": status.challenger(view),
        "bomb": view.bomb.holder if view.bomb else None,
    }


def hand(reader: Reader, seat: SeatView, top: float) -> Iterator[Drawer]:
    """Draw a player's cards: first the face-down ones."""
    if seat.hand is None:
        yield from (partial(drawing.back, top) for _ in range(seat.cards))
    yield from (partial(own_card, card, reader, top) for card in seat.hand or ())
    yield from (partial(drawing.lost, card, reader, top) for card in seat.lost)


def own_card(card: Character, reader: Reader, top: float, left: float, width: float) -> str:
    """Draw a card that the viewer knows as a named place of the picture."""
    return svg.named_place(svg.hand_place(CHARACTERS[card]), [drawing.hand_card(card, reader, top, left, width)])
