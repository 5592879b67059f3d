"""The pages that a walk looks at: their names and paths, and the people and games that they show."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from time import time
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import Account
from accounts.pages.authentication import WAITING
from config.server.documents.build import SITE
from games import clubs, links
from games import clubs as club_members
from games.archive import analyses, ratings
from games.engine import SeatNumber
from games.models import ArenaStats, Bot, Club, Game, Move, OpenQuestion, Tournament
from games.play import bots
from games.play.bots import THINKER
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.tables import chat, invitations
from games.tables import matching as seek_sweep
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.seeks import NewSeek, create_seek
from games.tables.starting import create_game
from games.tournaments import entering, organizing
from games.tournaments import rounds as tournament_sweep
from games.tournaments.new_tournament import NewTournament, create_tournament
from tests.accounts.oauth.app import app_of
from tests.factors import passed
from tests.games.tournaments.tournament_cast import finish_round


def people() -> dict[str, Account]:
    """Return readers of English and of Persian with friends at their tables, and two new players."""
    return {
        "en": Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Europe/Berlin"),
        "fa": Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran"),
        "bahareh": Account.objects.create_user("bahareh@example.org", name="Bahareh"),
        "kaveh": Account.objects.create_user("kaveh@example.org", name="کاوه", language="fa"),
        "newcomer-en": Account.objects.create_user("dariush@example.org", name="Dariush"),
        "newcomer-fa": Account.objects.create_user("daryoush@example.org", name="داریوش", language="fa"),
    }


def opened(host: Account, *others: Account, **fields: Any) -> Game:
    """A table with these people, and bots on its other seats."""
    now = timezone.now()
    fields["bots"] = (Bot(),) * fields.get("bots", 0)
    game = create_game(host, NewGame(**fields), "page", now)
    for other in others:
        game = join_game(game.pk, other, game.code, "page", now)
    bots.play(game.pk, now)
    return Game.objects.get(pk=game.pk)


def played(game: Game, most: int) -> Game:
    """Play a number of first offered answers, and return the game."""
    for _ in range(most):
        row = OpenQuestion.objects.filter(game=game, bot=False).order_by("seat").first()
        if row is None:
            break
        now, account = timezone.now(), game.seats.get(number=row.seat).account
        store_move(game, account, WrittenMove(row.question, "1"), Move.Via.PAGE, now)
        resolve(game.pk, now)
        bots.play(game.pk, now)
        game.refresh_from_db()
    return game


def some_games(me: Account, other: Account, third: Account) -> dict[str, Game]:
    """A game of each kind, and what some more leave behind."""
    coup = played(opened(me, other, third, rules="coup", seat_count=5, bots=2, options={"reformation": True}), 8)
    say(coup, me, other)
    sedlec = played(opened(me, other, rules="sedlec", seat_count=3, bots=1), 7)
    over = played(opened(me, rules="coup", seat_count=2, bots=1), 200)
    gathering = opened(me, third, rules="coup", seat_count=6, bots=1, private=True)
    public = opened(other, rules="sedlec", seat_count=3)
    strangers = played(opened(other, third, rules="coup", seat_count=3, bots=1), 3)
    turn = opened(me, other, third, rules="coup", seat_count=3)
    while not asks(turn, me):
        played(turn, 1)
    claim = opened(me, other, third, rules="coup", seat_count=3)
    while not asks(claim, other):
        played(claim, 1)
    store_move(claim, other, WrittenMove(claim.open_questions.get().question, "steal 1"), Move.Via.PAGE, timezone.now())
    resolve(claim.pk, timezone.now())
    for _ in range(3):
        played(opened(me, other, third, rules="coup", seat_count=3), 300)
    ratings.count_all(timezone.now())
    Account.objects.update(public_profile=True)
    return {
        "coup": coup,
        "sedlec": sedlec,
        "over": over,
        "gathering": gathering,
        "public": public,
        "strangers": strangers,
        "turn": turn,
        "claim": claim,
    }


def pages(accounts: dict[str, Account], language: str) -> Iterator[tuple[str, str, Client]]:
    """Yield the name and path of every page, and the browser of its reader."""
    me, other, third = accounts[language], accounts["fa" if language == "en" else "en"], accounts["bahareh"]
    visitor, member, newcomer = Client(), Client(), Client()
    member.force_login(me)
    newcomer.force_login(accounts[f"newcomer-{language}"])
    passed(member, me)
    yield "second-factor", "/login/second-factor/", halfway(me)
    yield "consent", f"/oauth/authorize?{urlencode(app_of(other).asks())}", member
    for path in document_paths(language):
        yield f"document-{path.strip('/').replace('/', '-')}", f"/docs/{path}", visitor
    for name, path in (
        ("welcome", "/"),
        ("sign-up", "/signup/"),
        ("code", "/signup/code/"),
        ("log-in", "/login/"),
        ("forgotten-password", "/password/"),
        ("new-password", "/password/code/"),
        ("nothing", "/nothing/"),
        ("offline", "/offline/"),
        ("lesson-first", "/learn/coup/"),
        ("lesson-sedlec", "/learn/sedlec/"),
        ("lesson-wrong", "/learn/coup/?moves=tax,prove&answer=1"),
        ("lesson-last", "/learn/coup/?moves=tax,prove,challenge,block+duke"),
        ("lesson-done", "/learn/coup/?moves=tax,prove,challenge,block+duke,concede+captain"),
    ):
        yield name, path, visitor
    for name in ("", "app/", "passkey/", "codes/"):
        yield f"two-factor-{name.strip('/') or 'all'}", f"/settings/two-factor/{name}", member
    yield "settings", "/settings/", member
    for name in ("emails", "calendar", "channels", "people", "tokens", "password", "webhooks", "account", "address"):
        yield name, f"/settings/{name}/", member
    for name in ("", "coup/", "sedlec/"):
        yield f"rules-{name.strip('/') or 'all'}", f"/rules/{name}", visitor
    yield "confirm", "/login/again/", member
    yield "home-first", "/", newcomer
    games = some_games(me, other, third)
    yield "home", "/", member
    yield "leaders", "/leaders/", member
    if not ArenaStats.objects.exists():  # the other language has put them there
        some_bots(me, other)
    yield "arena", "/arena/", member
    yield "player", f"/players/{other.name}/", member
    yield "replay", f"/games/{games['over'].pk}/replay/", member
    yield "replay-analysed", analysed_path(games["over"], me), member
    yield "tables", "/games/?state=all", member
    yield "games", "/games/new/", member
    yield "open-coup", "/games/new/coup/", member
    yield "open-sedlec", "/games/new/sedlec/", member
    create_seek(me, NewSeek("coup", 3, 5, options={"reformation": True}), timezone.now())
    yield "seeks", "/seeks/", member
    yield "seek-coup", "/seeks/new/coup/", member
    club = some_club(me, other, third, games["over"])
    yield "clubs", "/clubs/", member
    yield "club", f"/clubs/{club.pk}/?leaders=all", member
    yield "club-edit", f"/clubs/{club.pk}/edit/", member
    yield "club-leave", f"/clubs/{club.pk}/close/", member
    yield "club-game", f"/games/new/coup/?club={club.pk}", member
    yield "club-join", f"/clubs/join/{club.code}/", newcomer
    yield "visitor-club", f"/clubs/join/{club.code}/", visitor
    tournament = some_tournament(me, other, third)
    yield "tournaments", "/tournaments/", member
    yield "tournament-new", "/tournaments/new/coup/", member
    yield "tournament", f"/tournaments/{tournament.pk}/", member
    league = Tournament.objects.get(host=other, format="league")
    yield "league", f"/tournaments/{league.pk}/", member
    yield "tournament-edit", f"/tournaments/{tournament.pk}/edit/", member
    yield "tournament-leave", f"/tournaments/{tournament.pk}/leave/", member
    yield "visitor-tournament", f"/tournaments/{tournament.pk}/", visitor
    yield "join-visitor", f"/join/?code={games['public'].code}", visitor
    yield "join", f"/join/?code={games['public'].code}", member
    yield "join-wrong", "/join/?code=none", member
    for name, game in games.items():
        yield f"table-{name}", f"/games/{game.pk}/", member
    for name, path in (
        ("tables", "/games/?state=all"),
        ("table", f"/games/{games['strangers'].pk}/"),
        ("public", f"/games/{games['public'].pk}/"),
        ("over", f"/games/{games['over'].pk}/"),
        ("replay", f"/games/{games['over'].pk}/replay/?step=9"),
        ("leaders", "/leaders/"),
        ("arena", "/arena/"),
        ("privacy", "/privacy/"),
        ("player", f"/players/{other.name}/"),
    ):
        yield f"visitor-{name}", path, visitor
    yield "invitation", invitation_link(games["gathering"], me, language), visitor
    Game.objects.filter(pk=games["gathering"].pk).update(guest_token="x" * 22)
    yield "guest-link", f"/join/{'x' * 22}/", visitor
    yield "answer", answer_link(games["claim"], me), visitor
    yield "answer-turn", answer_link(games["turn"], me), visitor
    yield "report", f"/games/{games['coup'].pk}/report/", member
    yield "plans", f"/games/{games['coup'].pk}/plans/", member
    yield "leave", f"/games/{games['gathering'].pk}/leave/", member
    yield "resign", f"/games/{games['coup'].pk}/resign/", member


def some_bots(*owners: Account) -> None:
    """Put bot accounts of these people into the arena, with two games that go on."""
    for owner in owners:
        mailbox, at, domain = owner.email.partition("@")
        bot = Account.objects.create_user(f"{mailbox}.bot{at}{domain}", name=f"{owner.name} 2.0", is_bot=True)
        create_seek(bot, NewSeek("coup", 2, 2, "live", games_at_once=2), timezone.now())
        ArenaStats.objects.create(
            account=bot, rules="coup", games=120, wins=66, asked=900, in_time=899, mean=28, doubt=1
        )
    for minutes in (1, 2):
        seek_sweep.sweep(timezone.now() + timedelta(minutes=minutes))


def analysed_path(game: Game, account: Account) -> str:
    """The replay with the analysis of this person's decisions, at the first of them."""
    seat = SeatNumber(game.seats.get(account=account).number)
    while analyses.open_analysis(game, seat, account, timezone.now()).done_at is None:
        analyses.make(timezone.now)
    THINKER.end()
    return f"/games/{game.pk}/replay/?line={analyses.analysed_decisions(game.analyses.get(seat=seat))[0].line}"


def some_club(me: Account, other: Account, third: Account, over: Game) -> Club:
    """My club, in which an organizer and a member play with me."""
    now = timezone.now()
    own_club = clubs.create_club(me, "دروغ‌گوهای پنجشنبه" if me.language == "fa" else "Thursday liars", "", now)
    clubs.change_club(own_club, about="شب‌ها بلوف می‌زنیم." if me.language == "fa" else "We bluff all week.")
    places = [clubs.join_club(player, own_club.club.code, now) for player in (other, third)]
    club_members.appoint(own_club, places[0].pk, "organizer", now)
    for host in (other, third):
        create_game(host, NewGame(rules="coup", seat_count=4, club=own_club.club.pk), "page", now)
    finished = Game.objects.filter(state=Game.State.OVER, bot_count=0).exclude(pk=over.pk)
    finished.update(club=own_club.club, private=True)
    return own_club.club


def some_tournament(me: Account, other: Account, third: Account) -> Tournament:
    """My tournament of three, whose first round has ended."""
    now = timezone.now()
    new_tournament = NewTournament(
        name="جام بهار" if me.language == "fa" else "Spring cup",
        about="دو نفر سر هر میز." if me.language == "fa" else "Two at a table.",
        format="swiss",
        rules="coup",
        table_size=2,
        rounds=4,
        starts_at=now + timedelta(days=7),
        round_length=timedelta(days=14),
    )
    own_tournament = create_tournament(me, new_tournament, now)
    terms = {"format": "league", "rounds": None, "division_size": 3, "promoted": 1, "season_break": timedelta(days=7)}
    league = create_tournament(other, replace(new_tournament, name="Autumn league", about="", **terms), now)
    for account in (me, other, third):
        entering.enter(account, own_tournament.pk, now)
        entering.enter(account, league.pk, now)
    organizing.begin(me, own_tournament.pk, now)
    tournament_sweep.sweep(now)
    finish_round(own_tournament, now)
    return own_tournament


def invitation_link(game: Game, host: Account, language: str) -> str:
    """The path of the page that an invitation by email leads to."""
    invitation = invitations.invite(game.pk, host, f"friend-{language}@example.org", language, timezone.now())
    return urlsplit(links.invitation_page(invitation.pk)).path


def answer_link(game: Game, account: Account) -> str:
    """The path of the page that a question by email leads this person to."""
    (row,) = game.open_questions.filter(seat=game.seats.get(account=account).number)
    return urlsplit(links.question_page(game.pk, row.question, account.pk)).path


def asks(game: Game, account: Account) -> bool:
    """Return whether this person is asked something."""
    return game.open_questions.filter(seat=game.seats.get(account=account).number).exists()


def halfway(account: Account) -> Client:
    """Return a browser after the password, before the second factor."""
    browser = Client()
    session = browser.session
    session[WAITING] = {"account": account.pk, "hash": account.get_session_auth_hash(), "at": time(), "next": "/"}
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return browser


def document_paths(language: str) -> list[str]:
    """The paths of the documents of a language, below those of all."""
    return sorted(f"{page.parent.relative_to(SITE)}/" for page in (SITE / language).rglob("index.html"))


def say(game: Game, *authors: Account) -> None:
    """Some chat."""
    now = timezone.now()
    words = ("I have nothing but dukes, as always.", "دوباره؟ این بار باور نمی‌کنم!")
    for author, text in zip(authors, words, strict=True):
        chat.send_message(game, author, None, text, now)
    chat.send_message(game, authors[1], SeatNumber(1), "میان خودمان: بهاره بلوف می‌زند.", now)
