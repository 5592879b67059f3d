"""A notification of every kind that there is, with the people and tables it needs; and the kinds that the code
knows.
"""

import ast
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
from django.utils.translation import override

from accounts import names
from accounts.authentication import emails
from accounts.authentication import emails as of_accounts
from accounts.models import Account
from games import clubs, links, moderation
from games.announcements import notify, seek_emails, setbacks, table_emails
from games.engine import Phrase, SeatNumber
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game, Heartbeat, Invitation, Move, OpenQuestion, Seek, commitment_of
from games.play import plans, timeouts
from games.tables import chat, invitations, joining, matching, pausing, rematch, stand_ins
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch
from games.tables.seeks import NewSeek, create_seek
from games.tables.starting import create_game
from games.tournaments import entering, organizing
from games.tournaments import rounds as tournament_sweep
from notifications import deliverability, outbox, preferences, reply_addresses, server_emails
from notifications.endpoints import Webhook
from notifications.models import Notification, State
from notifications.set_aside import SetAside
from notifications.webhooks import DISABLED, disabled_email
from tests.games.seated import NOON, absent, agree, begin, play
from tests.games.tournaments import tournament_cast

ROOT: Final = Path(__file__).parent.parent
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)


def kinds() -> set[str]:
    """Return the reasons of all notifications in the code: orders and composed ones."""
    reasons: set[str] = set()
    for package in ("accounts", "games", "notifications"):
        for path in (ROOT / package).rglob("*.py"):
            if "migrations" not in path.parts:
                reasons |= {reason for reason in _reasons(path) if reason}
    return reasons


def _reasons(path: Path) -> Iterator[str]:
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in _ORDERING:
            values = [word.value for word in node.keywords if word.arg == "reason"]
            seat = _ORDERING[getattr(node.func, "attr", getattr(node.func, "id", ""))]
            yield from (_value(module, arg) for arg in [*values, *node.args[seat : seat + 1]])


_ORDERING: Final = {"NewModerationAction": 1, "_order": 0, "_asking": 0, "_post": 1}
"""The functions that order notifications, and the number of the argument that is the reason."""


def _value(module: str, node: ast.expr) -> str:
    """Return the value of an argument: a literal or a constant of the module. Blank for a parameter."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    value: Any = import_module(module)
    for name in ast.unparse(node).split(".") if isinstance(node, ast.Name | ast.Attribute) else [""]:
        value = getattr(value, name, "")
    return value if isinstance(value, str) else ""


class Scene:
    """A server on which every kind of notification has been ordered. ``text`` is used for all texts of people."""

    def __init__(self, text: str = "") -> None:
        Heartbeat.objects.get_or_create(id=1, defaults={"at": NOON})
        room = names.LONGEST - 3
        self.maryam = self._person("maryam", f"M {text}"[:room], "en", "Europe/Berlin")
        self.sepideh = self._person("sepideh", f"س {text}"[:room], "fa", "Asia/Tehran")
        self.bahareh = self._person("bahareh", f"B {text}"[:room], "en", "Asia/Tehran")
        self.people = [self.maryam, self.sepideh]
        self.text = text or "I have the duke."
        self.games: list[Game] = []
        self.invitations: list[Invitation] = []

    def _person(self, name: str, calls: str, language: str, zone: str) -> Account:
        return Account.objects.create_user(
            f"{name}@example.org", "seven goats on a roof", name=calls, language=language, time_zone=zone
        )

    def write_everything(self) -> list[Notification]:
        """A notification of every kind to readers of both languages; all are written and none is sent."""
        self._play()
        self._start()
        self._pause()
        self._stay_away()
        self._chat()
        self._answer_mails()
        self._invite()
        self._found_clubs()
        self._offer_rematches()
        self._seek()
        self._hold_tournaments()
        self._play_a_season()
        self._set_aside()
        self._send_news()
        self._of_accounts()
        self._gather()
        return list(Notification.objects.filter(state=State.READY).order_by("created_at", "key"))

    def _table(self, *people: Account | None) -> Game:
        game = begin([*people, None])
        self.games.append(game)
        return game

    def _play(self) -> None:
        for seated in (self.people, self.people[::-1]):
            game = self._table(*seated)
            notify.write_due(NOON)
            notify.remind(OpenQuestion.objects.filter(game=game), NOON + DAY)
            for row in OpenQuestion.objects.filter(game=game, bot=False):
                notify.ask_again(row, game.seats.get(number=row.seat).account.pk, "asked", NOON)
            notify.write_due(NOON + DAY)
            ahead = self._table(*seated)
            Game.objects.filter(pk=ahead.pk).update(terms=msgspec.structs.replace(ahead.terms, plans="quick"))
            plans.store_plan(ahead.id, seated[1], {"type": "next-turn", "move": {"type": "income"}}, NOON)
            play(ahead, "1 income", at=NOON + HOUR)
            notify.write_due(NOON + DAY)
        over = self._table(*self.people)
        play(over, "1 resign yes", "2 resign yes", at=NOON + HOUR)
        notify.write_due(NOON + DAY)

    def _start(self) -> None:
        """Order the notifications before a protected deal: its proof, seeds to reveal, and its cancellation."""
        game = self._table(*self.people)
        game.seats.filter(bot=False).update(seed_commitment="5f" * 32)
        seats = list(game.seats.select_related("account"))
        for person in self.people:
            table_emails.joined(game, person, 90, NOON)
        table_emails.reveal(game, seats, 91, NOON)
        table_emails.cancelled(game, seats, 92, NOON)
        game.beacon_round, game.deal_list = 1000, "{}"
        table_emails.awaits_beacon(game, seats, 93, NOON)

    def _pause(self) -> None:
        """A pause that is proposed, begun and ended, to readers of both languages."""
        game = self._table(*self.people)
        pausing.propose(game.id, self.maryam, DAY, "api", NOON)
        notify.write_due(NOON)
        pausing.agree(game.id, self.sepideh, "api", NOON)
        notify.write_due(NOON)
        timeouts.end_pause(game.id, NOON + DAY)
        pausing.propose(self._table(*self.people).id, self.sepideh, DAY, "api", NOON)
        notify.write_due(NOON + DAY)

    def _stay_away(self) -> None:
        """Let a bot replace a player, another player take the seat, and stand-ins begin and end."""
        for owner, guest in ((self.maryam, self.sepideh), (self.sepideh, self.maryam)):
            game = self._table(owner, self.bahareh)
            stand_ins.name_stand_in(game.id, owner, guest, NOON + DAY, NOON)
            notify.write_due(NOON)
            stand_ins.sweep(NOON + DAY)
            absent(game, 1, NOON)
            agree(game, absence="invite")
            joining.take_over_seat(
                game.id, 1, self._person(f"guest{owner.pk}", f"G{owner.pk}", "en", "UTC"), "mail", NOON
            )
            notify.write_due(NOON)

    def _chat(self) -> None:
        chat.send_message(self.games[0], self.maryam, None, self.text, NOON)
        chat.send_message(self.games[0], self.sepideh, None, self.text, NOON)
        notify.write_due(NOON + DAY)

    def _answer_mails(self) -> None:
        """Mails that are refused, doubted, and played with a receipt."""
        for number, seated in enumerate((self.people, self.people[::-1])):
            game = self._table(*seated)
            question = OpenQuestion.objects.get(game=game, seat=1)
            reader = game.seats.get(number=1).account
            own_address = links.question_address(game.id, question.question, reader.pk)
            other_address = links.seat_address(game.id, SeatNumber(1), seated[1].pk)
            for index, (sender, line, to) in enumerate(
                [
                    (reader.email, self.text, own_address),
                    (reader.email, "resign", own_address),
                    ("kaveh@example.com", "1", own_address),
                    (reader.email, "1", other_address),
                    (reader.email, "1", own_address),
                ]
            ):
                head = f"From: {_quoted(self.text)} <{sender}>\nMessage-ID: <{number}.{index}@example.org>\n"
                raw = f"{head}Subject: {self.text}\nContent-Type: text/plain; charset=utf-8\n\n{line}\n".encode()
                receive(raw, sender, [to], NOON + HOUR)
        for person in self.people:
            for index, line in enumerate(("help", "games", "rules", "status", self.text)):
                head = f"From: {person.email}\nMessage-ID: <{person.pk}.{index}.command@example.org>\n"
                raw = f"{head}Content-Type: text/plain; charset=utf-8\n\n{line}\n".encode()
                receive(raw, person.email, [reply_addresses.mailbox()], NOON + HOUR)
        mail_tasks.read_due(NOON + HOUR)
        notify.write_due(NOON + DAY)

    def _invite(self) -> None:
        for number, (host, guest) in enumerate([(self.maryam, self.sepideh), (self.sepideh, self.bahareh)]):
            game = Game(
                rules="coup", rules_version=self.games[0].rules_version, options=self.games[0].options, seat_count=3,
                created_at=NOON, host=host,
            )  # fmt: skip
            game.commitment = commitment_of(game.id, game.seed)
            game.save()
            game.seats.create(number=1, account=host)
            for to in (f"kaveh{number}@example.com", guest.email):
                invitations.invite(game.pk, host, to, guest.language, NOON)
            notify.write_due(NOON)
            self.games.append(game)
        self.invitations = list(Invitation.objects.select_related("game", "inviter", "account"))
        invitations.join(self.invitations[-1], self.text[:20], "mail", NOON)

    def _found_clubs(self) -> None:
        """A club gets a game, and goes to another owner, for readers of both languages."""
        for owner, other in ((self.maryam, self.sepideh), (self.sepideh, self.maryam)):
            own_club = clubs.create_club(owner, f"C {self.text}"[:60], "", NOON)
            place = clubs.join_club(other, own_club.club.code, NOON)
            create_game(owner, NewGame(rules="coup", seat_count=3, club=own_club.club.pk), "page", NOON)
            setbacks.of_club_chat(own_club.club, owner, self.text.strip(), str(owner.pk), NOON)
            notify.write_due(NOON + DAY)
            clubs.appoint(own_club, place.pk, "owner", NOON)

    def _hold_tournaments(self) -> None:
        """Order the notifications of tournaments: another date, a table, a bye, a round off, the end, a
        cancellation.
        """
        four = [*self.people, self.bahareh, self._person("parviz", "Parviz", "fa", "UTC")]
        for state, out in (("running", self.maryam), ("running", self.sepideh), ("over", None), ("cancelled", None)):
            cup = tournament_cast.create_cup(self.maryam, four, name=f"T {self.text}"[:60], rounds=1, table_size=2)
            if state == "cancelled":
                organizing.change(self.maryam, cup.pk, NOON, starts_at=NOON + 9 * DAY)
                notify.write_due(NOON + DAY)
            if out is not None:
                entering.set_rounds_to_sit_out(out, cup.pk, [1])
            if state == "cancelled":
                organizing.cancel(self.maryam, cup.pk, NOON)
            else:
                organizing.begin(self.maryam, cup.pk, NOON)
                tournament_sweep.sweep(NOON)
            if state == "over":
                tournament_sweep.sweep(NOON + 14 * DAY)
            notify.write_due(NOON + DAY)

    def _play_a_season(self) -> None:
        """A season of a league, after which one goes up, one goes down, and one has to enter the next."""
        six = [self.maryam, self.sepideh, self.bahareh]
        six += [self._person(f"league{number}", f"League {number}", "fa", "UTC") for number in range(3)]
        terms = {**tournament_cast.LEAGUE, "division_size": 3, "table_size": 3, "name": f"L {self.text}"[:60]}
        season = tournament_cast.begun(self.bahareh, six, **terms)
        season.entries.filter(account=self.sepideh).update(absences=1)
        tournament_sweep.sweep(NOON + 14 * DAY)
        notify.write_due(NOON + 15 * DAY)

    def _offer_rematches(self) -> None:
        """Offer a rematch, with other options, that too few players accept."""
        for offerer in self.people:
            game = begin([self.maryam, self.sepideh, self.bahareh])
            play(game, "1 resign yes", "2 resign yes")
            accept_rematch(game.pk, offerer, {"inquisitor": True, "starting_player": 2}, "page", NOON)
            notify.write_due(NOON + DAY)
            rematch.sweep(NOON + DAY)

    def _seek(self) -> None:
        """Searches for players that lapse, and bots that leave the arena."""
        for person in self.people:
            create_seek(person, NewSeek("coup", 9, 10, "live"), NOON)
            for state in (Seek.State.LAPSED, Seek.State.REMOVED):
                seek_emails.notify_ended(Seek(account=person, rules="coup", games_at_once=1, state=state), NOON)
        matching.sweep(NOON + DAY)

    def _set_aside(self) -> None:
        for person in self.people:
            setbacks.of_mail(person.pk, self.games[0], person, NOON)
            setbacks.of_group_chat(self.games[0], self.text.strip(), str(person.pk), NOON)
            rendered = disabled_email(Webhook(account=person, url=f"https://bots.example/{self.text}"))
            outbox.add_rendered(outbox.NewNotification(f"webhook:{person.pk}", DISABLED, person.pk), rendered, NOON)
            refused = msgspec.json.encode(Phrase("This move isn’t possible here.")).decode()
            for phrase in (None, refused):
                move = Move(game=self.games[0], account=person, via="mail", received_at=NOON, phrase=phrase)
                setbacks.of_move(move, NOON)
                setbacks.of_delay(move, NOON)
                setbacks.notify_resolved_at_last(move, {}, NOON)
        server_emails.set_aside_and_notify(SetAside.Kind.MAIL, 7, "", self.text, NOON)
        for person in self.people:
            deliverability.note(person.email, deliverability.Failure.FOR_GOOD, None, NOON)
            server_emails.ask_to_confirm(person, NOON)
            deliverability.confirm(person.email, NOON)

    def _send_news(self) -> None:
        for person in self.people:
            preferences.change(person, {"news": True}, NOON)
        data = {"subject": "News", "text": self.text}
        server_emails.send_news({"en": data, "fa": data}, NOON)
        notify.write_due(NOON + DAY)

    def _of_accounts(self) -> None:
        moderator = Account.objects.create_superuser("dariush@example.org", name="Dariush")
        order = moderation.NewModerationAction(moderation.Kind.WARN, self.text, self.sepideh)
        moderation.moderate(moderator, order, NOON)
        emails: list[Any] = [of_accounts.password_reset_code, of_accounts.deletion_code]
        for person in self.people:
            with override(person.language):
                rendered_notifications = [
                    *(email(person, "BCDF-GHJK") for email in emails),
                    of_accounts.account_exists(person),
                ]
                rendered_notifications.append(of_accounts.sign_up_code(person.name, "BCDF-GHJK"))
                rendered_notifications += self._of_security(person)
            for number, rendered in enumerate(rendered_notifications):
                outbox.add_rendered(
                    outbox.NewNotification(f"account:{person.pk}:{number}", "account", person.pk), rendered, NOON
                )

    def _of_security(self, person: Account) -> list[Any]:
        """Return the notifications about log-ins and second factors, in the active language."""
        kinds = emails.Type
        return [
            emails.new_device(person, self.text, "192.0.2.7", NOON),
            emails.new_token(person, self.text[:100], "2001:db8::7", NOON),
            *(emails.factor_added(person, kind, NOON) for kind in kinds),
            *(emails.factor_removed(person, kind, NOON) for kind in (kinds.TOTP, kinds.WEBAUTHN)),
            emails.recovery_code_used(person, 9, NOON),
            emails.factors_removed_by_operator(person, NOON),
        ]

    def _gather(self) -> None:
        for person in self.people:
            preferences.change(person, {"digest": "hours"}, NOON)
            for _ in range(2):
                self._table(person)
        notify.write_due(NOON + 2 * DAY)

    def moves(self) -> list[Move]:
        """Return the moves of the game."""
        return list(Move.objects.filter(state=Move.State.APPLIED).exclude(account=None))


def _quoted(text: str) -> str:
    """A display name in a header."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
