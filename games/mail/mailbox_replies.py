"""The content of replies to commands that were sent to the server's own address."""

from collections.abc import Iterator
from datetime import time
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from msgspec.structs import replace

from accounts import local_times
from accounts.local_times import format_moment
from accounts.models import Account
from config.core.email_spellings import readable
from games import links
from games.announcements.batches import topic_of
from games.announcements.invitation_emails import time_zone_question
from games.deadlines.deadline_words import day, hour
from games.engine import Phrase
from games.mail.game_replies import both_readings
from games.mail.mailbox_commands import first_word, read_options, seek_line
from games.models import GOING, Game, OpenQuestion, Seat, Seek
from games.phrases import isolated, number, render_phrase
from games.rules.registry import RULES
from games.tables.rematch import Rematch
from games.tables.seeks import ListedSeek, list_entries
from games.tables.vacations import Vacation, list_vacations
from games.terms import SPEEDS, name_speed
from games.visibility.words import rematch_lines, short_code, title_of
from notifications import preferences, reply_addresses
from notifications.content import (
    Answer,
    Answers,
    Block,
    Footnote,
    Link,
    Links,
    Listing,
    Prose,
    RenderedNotification,
    answerable,
)
from notifications.models import Preferences

THREAD: Final = "mailbox"
"""The thread of all these replies to one reader."""
_MOST_GAMES: Final = 20
_MOST_SEARCHES: Final = 20
_LONGEST_LINE: Final = 100


def help_text(account: Account) -> RenderedNotification:
    """List the commands."""
    return answerable(_rendered(account, _("You can send Darbar these commands by email."), _commands()))


def not_understood(account: Account, line: str, nearest: str, why: Phrase) -> RenderedNotification:
    """Quote the line that is not a command, or tell why there is no line, and list the commands.

    ``nearest`` is the command that was probably meant, or blank.
    """
    quote = _("We read: %(line)s") % {"line": isolated(line[:_LONGEST_LINE])}
    sentences = [quote if line else render_phrase(why, {})]
    if nearest:
        sentences.append(_("Did you mean “%(line)s”?") % {"line": isolated(nearest)})
    return answerable(_rendered(account, _("Your email changed nothing."), Prose(tuple(sentences)), _commands()))


def unclear(account: Account, line: str, text: str) -> RenderedNotification:
    """Return the command that was read, and the text because of which it was not carried out."""
    return answerable(_rendered(account, _("Your email changed nothing."), Prose(both_readings(line, text))))


def refused(account: Account, why: Phrase, line: str) -> RenderedNotification:
    """Return why a command changed nothing, with its line."""
    quote = _("We read: %(line)s") % {"line": isolated(line[:_LONGEST_LINE])}
    return answerable(_rendered(account, _("Your email changed nothing."), Prose((render_phrase(why, {}), quote))))


def ask_back(account: Account, line: str) -> RenderedNotification:
    """Ask the account to confirm a command that anyone could have sent in its name."""
    request = _("We got an email from your address that asks for this: %(line)s") % {"line": isolated(line)}
    how = _("Nothing has changed yet. If it was you, reply “yes”. If not, ignore this email.")
    return replace(answerable(_rendered(account, _("Was this email from you?"), Prose((request, how)))), command=line)


def created(account: Account, game: Game, invited: tuple[str, ...]) -> RenderedNotification:
    """Confirm a new game and its invitations."""
    headline = _("You have a seat in a new game: %(game)s.") % {"game": isolated(_name(game))}
    has_begun = game.state not in (Game.State.OPEN, Game.State.STARTING)
    how_to_play = _("We’ll email you whenever we need a move from you. Just reply with your move.")
    lines = [_("The game has started.") if has_begun else _("The game starts when everyone has joined."), how_to_play]
    lines += [_("The invitation is on its way to %(address)s.") % {"address": isolated(address)} for address in invited]
    if game.state == Game.State.OPEN:
        code = game.code if game.private else short_code(game)
        join = _("Others who have an account can join by email: “%(line)s”.")
        lines.append(join % {"line": isolated(_("join %(code)s") % {"code": code})})
    page = Link(_("The page of the game"), links.game_page(game.pk))
    terms = Listing(_("The game"), (*_conditions(game),))
    return _rendered(account, headline, Prose(tuple(lines)), terms, page)


def _conditions(game: Game) -> Iterator[str]:
    """Return the speed and the expansions of a game, and who can join it while it is open."""
    speed = name_speed(game.terms)
    if speed is not None:
        yield _(SPEEDS[speed].label)
    labels = RULES[game.rules].words.options
    expansions = (label for name, label in labels.items() if game.options.get(name) is True)
    yield from (render_phrase(label, {}) for label in expansions)
    if game.state == Game.State.OPEN:
        private = _("Private: only people with the code or the link can join.")
        yield private if game.private else _("Public: anyone can join.")


def rematch_answered(account: Account, rematch: Rematch) -> RenderedNotification:
    """Confirm an answer to a rematch, with the answers of the others, or the game that has started."""
    if rematch.state == "started" and rematch.game.rematch is not None:
        new_game = rematch.game.rematch
        if new_game.seats.filter(account=account).exists():
            return created(account, new_game, ())
    headlines = {
        "offered": _("We have your answer about a rematch of %(game)s."),
        "started": _("The rematch of %(game)s has started without you."),
        "lapsed": _("There won’t be a rematch of %(game)s."),
    }
    lines = []
    if rematch.state == "offered":
        lines += rematch_lines(rematch.answers, rematch.game.names())
        until = _("It starts as soon as everyone has answered, and at the latest on %(until)s.")
        lines.append(until % {"until": format_moment(rematch.offer.until, ZoneInfo(account.time_zone))})
    page = Link(_("The page of the game"), links.game_page(rematch.game.pk))
    headline = headlines[rematch.state] % {"game": isolated(_name(rematch.game))}
    return _rendered(account, headline, *((Prose(tuple(lines)),) if lines else ()), page)


def signed_up(account: Account) -> RenderedNotification:
    """Welcome a new account that was made by email, and ask for its time zone."""
    lines = (
        _("Your name in the game is %(name)s. To change it, reply “name” and your name, for example “%(example)s”.")
        % {"name": isolated(account.name), "example": isolated(_("name Bahareh"))},
        time_zone_question(),
        _("To play, reply “%(line)s”. For all commands reply “help”.")
        % {"line": isolated(_("new %(title)s with 2 bots") % {"title": _first_title()})},
        _("You don’t need a password to play by email. For your settings and all other pages, set one here:"),
    )
    password = _link(_("Set a password"), "account_reset_password")
    return answerable(_rendered(account, _("Welcome! Your account is ready."), Prose(lines), password))


def has_account(account: Account) -> RenderedNotification:
    """Answer a sign-up from an address that has an account."""
    line = _("Your account has the name %(name)s.") % {"name": isolated(account.name)}
    return answerable(_rendered(account, _("You already have an account at Darbar."), Prose((line,)), _commands()))


def blocked(account: Account, name: str) -> RenderedNotification:
    """Confirm that an account has blocked another one."""
    headline = _("You’ve blocked %(name)s.") % {"name": isolated(name)}
    line = _("They won’t know. You won’t get their messages or invitations. Games you’re already in go on.")
    return _rendered(account, headline, Prose((line,)))


def unblocked(account: Account, name: str) -> RenderedNotification:
    """Confirm that an account no longer blocks another one."""
    return _rendered(account, _("You’ve unblocked %(name)s.") % {"name": isolated(name)})


def reported(account: Account, name: str) -> RenderedNotification:
    """Confirm a report."""
    headline = _("Your report about %(name)s has reached the moderators.") % {"name": isolated(name)}
    line = _("%(name)s won’t learn who reported them.") % {"name": isolated(name)}
    return _rendered(account, headline, Prose((line,)))


def data_link(account: Account, download: UUID) -> RenderedNotification:
    """Return the link to the data of an account, which works once, after log-in."""
    line = _("The link works once, within a day, after you’ve logged in. Without a password, set one first.")
    link = _link(_("Your data"), "settings-download", str(download))
    password = _link(_("Set a password"), "account_reset_password")
    return _rendered(account, _("You can download your data."), Prose((line,)), link, password)


def new_address_asked(account: Account, address: str) -> RenderedNotification:
    """Tell the owner what happens next with a new address. The answer is the same if it has an account already."""
    line = _("We’ve sent an email to %(address)s. Your account gets the new address once you reply to that email.")
    headline = _("The new address must be confirmed.")
    return _rendered(account, headline, Prose((line % {"address": isolated(readable(address))},)))


def address_changed(account: Account) -> RenderedNotification:
    """Confirm the new address of an account."""
    line = _("From now on, we’ll write to this address. Your old address can no longer do anything for your account.")
    return _rendered(account, _("Your account has a new address."), Prose((line,)))


def invited(account: Account, game: Game, address: str) -> RenderedNotification:
    """Confirm an invitation."""
    sentence = _("The invitation is on its way to %(address)s.") % {"address": isolated(address)}
    return _rendered(account, sentence, Prose((_name(game),)))


def vacation_announced(account: Account, vacation: Vacation) -> RenderedNotification:
    """Confirm the days of a vacation."""
    days = {"first": day(vacation.first), "last": day(vacation.last)}
    sentence = _("Vacation announced. Your deadlines don’t pass on these days.")
    return _rendered(account, sentence, Prose((_("You’re away from %(first)s to %(last)s.") % days,)))


def seeking(account: Account, seek: Seek) -> RenderedNotification:
    """Confirm a search for players and its end."""
    listed_seek = ListedSeek(seek)
    until = _("The search ends on %(moment)s.") % {"moment": format_moment(seek.until, ZoneInfo(account.time_zone))}
    without = [_("Without: %(expansion)s") % {"expansion": expansion} for expansion in listed_seek.unwanted]
    bots = [listed_seek.bots] if listed_seek.bots else []
    conditions = (listed_seek.players, listed_seek.speed, *listed_seek.expansions, *without, *bots, until)
    begins = _("A public game starts as soon as enough people want the same one. We’ll email you then.")
    headline = _("You’re looking for players for %(game)s.") % {"game": listed_seek.title}
    blocks = (Listing(listed_seek.title, conditions), Prose((begins,)), _link(_("Your searches"), "pages:seeks"))
    return _rendered(account, headline, *blocks)


def searches(account: Account) -> RenderedNotification:
    """List the open searches, each with the command that joins it."""
    entries = list_entries(account)
    if not entries:
        headline = _("Nobody is looking for players right now.")
        return answerable(_rendered(account, headline, _link(_("Find players"), "pages:seeks")))
    subject = _subject()
    answers = []
    for entry in entries[:_MOST_SEARCHES]:
        listed_seek = ListedSeek(entry.game)
        progress = _("%(found)s of %(least)s players found.") % {
            "found": number(entry.player_count),
            "least": number(entry.game.least),
        }
        between = pgettext("between the items of a list", ", ")
        about = between.join(
            (
                listed_seek.title,
                listed_seek.players,
                listed_seek.speed,
                *listed_seek.conditions,
                *filter(None, [listed_seek.bots]),
            )
        )
        names = between.join(map(isolated, entry.names))
        label = " ".join(
            filter(None, (f"{about}.", progress, _("With %(names)s.") % {"names": names} if names else ""))
        )
        word = seek_line(entry.game)
        answers.append(Answer("", word, label, mail=links.reply_link(reply_addresses.mailbox(), subject, word)))
    how = Answers(_("Write one of these on the first line"), tuple(answers), _("answer by email"))
    consent = Prose((_("By searching, you agree to play. The game starts as soon as enough players are found."),))
    headline = _("Players are wanted for these games.")
    return answerable(_rendered(account, headline, how, consent, _link(_("Find players"), "pages:seeks")))


def search_ended(account: Account) -> RenderedNotification:
    """Confirm the end of all searches for players."""
    return _rendered(account, _("You’re no longer looking for players."))


def left(account: Account, game: Game) -> RenderedNotification:
    """Confirm that the account has left a table."""
    sentence = _("You’ve left %(game)s.") % {"game": isolated(_name(game))}
    return _rendered(account, sentence)


def games_of(account: Account) -> RenderedNotification:
    """List the account's games. Games that wait for the account come first."""
    seats = Seat.objects.filter(account=account, game__state__in=GOING)
    seats = seats.select_related("game").order_by("-game__created_at")
    waiting_seats = {*OpenQuestion.objects.filter(game__seats__account=account, bot=False).values_list("game", "seat")}
    seats_in_order = sorted(seats, key=lambda seat: (seat.game_id, seat.number) not in waiting_seats)[:_MOST_GAMES]
    if not seats_in_order:
        return answerable(_rendered(account, _("You’re not in a game."), _link(_("All games"), "pages:games")))
    lines = tuple(_game_line(seat.game, waits=(seat.game_id, seat.number) in waiting_seats) for seat in seats_in_order)
    pages = tuple(Link(_name(seat.game), links.game_page(seat.game_id)) for seat in seats_in_order)
    return answerable(_rendered(account, _("These are your games."), Listing(_("Your games"), lines), Links(pages)))


def _name(game: Game) -> str:
    return f"{title_of(game)} {short_code(game)}"


def _game_line(game: Game, *, waits: bool) -> str:
    if waits:
        return _("%(game)s: a question is waiting for your answer.") % {"game": isolated(_name(game))}
    if game.state == Game.State.OPEN:
        counts = {"taken": number(game.seats.count() + game.bot_count), "seats": number(game.seat_count)}
        return _("%(game)s: waiting for players, %(taken)s of %(seats)s have joined.") % {
            "game": isolated(_name(game)),
            **counts,
        }
    if game.state == Game.State.STARTING:
        return _("%(game)s: everyone has joined, and the deal is waiting for what protects it.") % {
            "game": isolated(_name(game))
        }
    return _("%(game)s: waiting for others.") % {"game": isolated(_name(game))}


def status_of(account: Account) -> RenderedNotification:
    """List when emails are sent, the sleep hours and the vacations."""
    blocks: list[Block] = [
        Listing(_("Your settings"), tuple(_settings_lines(account))),
        _link(_("Change the settings of emails"), "pages:settings-emails"),
        _link(_("Change sleep hours and vacations"), "pages:settings-calendar"),
    ]
    return answerable(_rendered(account, _("These are your settings."), *blocks))


def _settings_lines(account: Account) -> Iterator[str]:
    own_preferences = preferences.of(account)
    yield _mails_line(own_preferences)
    if muted_names := [_name(game) for game in _muted_games(own_preferences)]:
        sentence = _("You turned off the emails of: %(games)s. Reply “%(word)s” to get them again.")
        yield sentence % {
            "games": pgettext("between the items of a list", ", ").join(map(isolated, muted_names)),
            "word": isolated(pgettext("command in an email", "start")),
        }
    if account.sleep_from is None or account.sleep_to is None:
        yield _("You haven’t set any sleep hours.")
    else:
        hours = {"falls": hour(account.sleep_from), "wakes": hour(account.sleep_to)}
        yield _("You sleep from %(falls)s to %(wakes)s.") % hours
    for vacation in list_vacations(account):
        yield _("You’re away from %(first)s to %(last)s.") % {"first": day(vacation.first), "last": day(vacation.last)}
    yield _("Your name in the games is %(name)s.") % {"name": isolated(account.name)}
    yield _("Your time zone is %(zone)s.") % {"zone": isolated(local_times.zone_label(account.time_zone))}


def _muted_games(account_preferences: Preferences) -> list[Game]:
    """Return the running games whose emails are turned off, the newest first."""
    seats = Seat.objects.filter(account=account_preferences.account_id).exclude(
        game__state__in=(Game.State.OVER, Game.State.CANCELLED)
    )
    games = (seat.game for seat in seats.select_related("game").order_by("-game__created_at"))
    return [game for game in games if topic_of(game.pk) in account_preferences.muted]


def _mails_line(account_preferences: Preferences) -> str:
    if not account_preferences.wants_mails:
        sentence = _("You don’t get emails about your games. Reply “%(word)s” to get them again.")
        return sentence % {"word": isolated(pgettext("command in an email", "start"))}
    match account_preferences.digest:
        case Preferences.Digest.HOURS:
            return _("We send your emails together, at most one in %(hours)s hours.") % {
                "hours": number(account_preferences.digest_every)
            }
        case Preferences.Digest.DAILY:
            return _("We send your emails together, once a day at %(at)s.") % {
                "at": hour(time(account_preferences.digest_at))
            }
    return _("We send each email right away.")


def rules_summary(account: Account, name: str) -> RenderedNotification:
    """Summarise the rules of one game, or of all games if the name is blank."""
    blocks: list[Block] = []
    for rules in [RULES[name]] if name else RULES.values():
        summary = rules.words.summary(rules.options(), min(rules.players) + 1)
        blocks.append(Listing(render_phrase(rules.words.title, {}), tuple(render_phrase(line, {}) for line in summary)))
        blocks.append(_link(_("All rules, with pictures"), "pages:rules-of", rules.name))
    return answerable(_rendered(account, _("The rules in short"), *blocks))


def last_of_today(rendered: RenderedNotification, is_trusted: bool) -> RenderedNotification:
    """Add to a reply that it is the last one of this day, and how to continue."""
    more = _("This is our last answer today. You can do all of this on the pages, too.")
    if not is_trusted:
        more = _("You’ve reached the limit of new emails for today. Replies to this email still work.")
    return replace(rendered, blocks=(*rendered.blocks, Footnote((more,))))


def _first_title() -> str:
    return render_phrase(next(iter(RULES.values())).words.title, {}).casefold()


def _first_option() -> str:
    """Return the word for an expansion of the first game."""
    rules = next(iter(RULES.values()))
    words = read_options(rules.name)
    return next(
        (word for name, label in rules.words.options.items() if words.get(word := first_word(label)) == name), ""
    )


def _commands() -> Answers:
    title = _first_title()
    labels = {
        pgettext("command in an email", "help"): _("The list of commands"),
        pgettext("command in an email", "games"): _("Your games, and which of them are waiting for you"),
        pgettext("command in an email", "rules"): _(
            "The rules in short; for one game add its name, for example %(line)s"
        )
        % {"line": isolated(_("rules %(title)s") % {"title": title})},
        _("new %(title)s 4") % {"title": title}: _("A new game for four; others can join it"),
        _("new %(title)s with 2 bots") % {"title": title}: _("A new game with two bots, which starts right away"),
        _("new %(title)s with 2 strong bots") % {"title": title}: _("The same with easy, strong or master bots"),
        _("new %(title)s with ali@example.org and 1 bot") % {"title": title}: _(
            "A new game to which someone is invited"
        ),
        _("new %(title)s 4, %(option)s, slow, private") % {"title": title, "option": _first_option()}: _(
            "The same with expansions, a speed, and for friends only"
        ),
        _("join %(code)s") % {"code": "VED4"}: _("Join a game by its code"),
        _("seek %(title)s 3 to 5") % {"title": title}: _(
            "Find players for a public game; you can add a speed, expansions, and bots after some hours"
        ),
        pgettext("command in an email", "searches"): _("The searches of all players, and how to join them"),
        _("stop seeking"): _("End your searches for players"),
        pgettext("command in an email", "rematch"): _(
            "Offer a rematch of your last game; for another one, add its code"
        ),
        pgettext("command in an email", "leave"): _("Leave a game before it starts; add its code if you’re in several"),
        _("invite ali@example.org"): _(
            "Invite someone to your game; add its code if you have several, and a colon and a note if you like"
        ),
        _("vacation 3 days"): _("Announce a vacation; the answer tells you its dates"),
        _("sleep 23-7"): _("Your sleep hours: no deadline passes in them"),
        _("emails daily"): _("When we send you emails: daily, every 6 hours, or immediately"),
        pgettext("command in an email", "stop"): _("Stop emails about games, and news"),
        pgettext("command in an email", "start"): _("Emails about games again"),
        _("name Bahareh"): _("Change your name in the games"),
        _("time zone Tehran"): _("Your time zone, by a large city"),
        _("language Persian"): _("Change the language of emails and pages"),
        _("block Kaveh"): _("Get no messages or invitations from a player; “unblock” undoes it"),
        _("report Kaveh: insults"): _("Report a player to the moderators"),
        _("new address ali@example.org"): _("Change the address of your account; we send codes first"),
        _("send my data"): _("A link to everything we keep about you; we send a code first"),
        _("delete my account"): _("Delete your account; we send a code first"),
        pgettext("command in an email", "status"): _("When we email you, when you sleep, and when you’re away"),
    }
    subject = _subject()
    answers = (
        Answer("", word, label, mail=links.reply_link(reply_addresses.mailbox(), subject, word))
        for word, label in labels.items()
    )
    return Answers(_("Write one of these on the first line"), tuple(answers), _("answer by email"))


def _link(label: str, page: str, *about: str) -> Link:
    return Link(label, f"{settings.PUBLIC_URL}{reverse(page, args=about)}")


def _subject() -> str:
    return _("Your games at Darbar")


def _rendered(account: Account, headline: str, *blocks: Block) -> RenderedNotification:
    """Return a reply without a question."""
    return RenderedNotification(
        language=account.language,
        subject=_subject(),
        headline=headline,
        blocks=blocks,
        thread=THREAD,
    )
