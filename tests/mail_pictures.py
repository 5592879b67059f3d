"""The mails and pages as pictures, to be looked at: ``python -m tests.mail_pictures FOLDER``.

Every kind in both languages and both themes, narrow as on a phone and wide. It plays a game in a database
of its own and needs Chromium; it is no test.
"""

import argparse
import html
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Final

import_module("tests.conftest")  # before anything of Django's

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import override_settings  # noqa: E402

from accounts.models import Account  # noqa: E402
from config.embedded.postgres import Server  # noqa: E402
from games.announcements import notify  # noqa: E402
from games.lobby import invitations  # noqa: E402
from games.lobby.create import create_game  # noqa: E402
from games.lobby.new_game import NewGame  # noqa: E402
from games.mail import tasks as mail_tasks  # noqa: E402
from games.mail.intake.receive import receive  # noqa: E402
from games.models import Bot, Invitation, Move, OpenQuestion  # noqa: E402
from games.text import links  # noqa: E402
from notifications.channels.mail.message import message, stop_link  # noqa: E402
from notifications.models import Notification, State  # noqa: E402
from notifications.recipients import preferences  # noqa: E402
from tests.games.seated import NOON, begin, play  # noqa: E402

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")
WIDTHS: Final = {"narrow": 360, "wide": 800}
THEMES: Final = {"light": "1", "dark": "0"}
"""Chromium's numbers for them."""
_STYLES: Final = Path(__file__).parent.parent / "config/static/darbar/darbar.css"


def mails() -> Iterator[tuple[str, str, str]]:
    """The name, text and HTML of each kind of mail, in both languages."""
    people = [
        Account.objects.create_user("maryam@example.org", name="Maryam", time_zone="Europe/Berlin"),
        Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa", time_zone="Asia/Tehran"),
    ]
    games = [begin([*people, None]), begin([*reversed(people), None])]
    play(games[0], "1 tax")
    notify.write_due(NOON)
    notify.remind(OpenQuestion.objects.all(), NOON + timedelta(days=1))
    notify.write_due(NOON + timedelta(days=1))
    begin([*people, None])
    notify.write_due(NOON + timedelta(days=1))
    for person in people:
        preferences.change(person, {"digest": "hours"}, NOON)
    for _ in range(2):
        begin([*people, None])
        play(begin([*people, None]), "1 tax")
    notify.write_due(NOON + timedelta(days=2))
    play(begin([*people, None]), "1 resign yes", "2 resign yes", at=NOON + timedelta(days=2))
    notify.write_due(NOON + timedelta(days=3))
    invite(people[0])
    for notification in Notification.objects.filter(state=State.READY).order_by("created_at", "key"):
        kind = "digest" if notification.gathered.exists() else notification.reason
        mail = message(notification)
        shown = str(mail.alternatives[0].content)
        for picture in notification.written().pictures:
            shown = shown.replace(f"cid:{picture.name}", f"data:image/png;base64,{b64encode(picture.png).decode()}")
        yield f"{kind}-{notification.written().language}", str(mail.body), shown


def invite(host: Account) -> None:
    """Invitations in both languages, and all that can come of them."""
    game = create_game(host, NewGame(rules="coup", seat_count=4, bots=(Bot(),) * 1), "api", NOON)
    for language in ("en", "fa"):
        for name in ("waiting", "joined", "unread"):
            invitations.invite(game.id, host, f"{name}-{language}@example.com", language, NOON)
    notify.write_due(NOON)
    for invitation in Invitation.objects.select_related("game", "inviter").exclude(address__startswith="waiting"):
        raw = f"From: Kaveh <{invitation.address}>\r\nMessage-ID: <{invitation.pk}@example.com>\r\n\r\n"
        said = "join" if invitation.address.startswith("joined") else "perhaps"
        receive(f"{raw}{said}\r\n".encode(), invitation.address, [links.of_invitation(invitation.pk)], NOON)
    mail_tasks.read_due(NOON)


def pages() -> Iterator[tuple[str, str]]:
    """The name and HTML of each page that mails link to, in both languages."""
    browser = Client(headers={"host": "localhost"})
    for row in OpenQuestion.objects.filter(bot=False).order_by("-asked_at")[:6]:
        account = row.game.seats.get(number=row.seat).account
        for number in (0, 1):
            link = links.page_of(row.game_id, row.question, account.pk, number)
            yield f"answer{number}-{account.language}", browser.get(link).content.decode()
    for move in Move.objects.filter(state=Move.State.APPLIED).exclude(question=""):
        if account := move.game.seats.get(number=move.seat).account:
            closed = links.page_of(move.game_id, move.question, account.pk)
            yield f"closed-{account.language}", browser.get(closed).content.decode()
    for invitation in Invitation.objects.all():
        kind = f"{invitation.state}-{invitation.language}"
        shown = browser.get(links.page_of_invitation(invitation.pk))
        yield f"invitation-{kind}", shown.content.decode()
        yield f"stop-{kind}", browser.get(links.stop_of_invitation(invitation.pk)).content.decode()
    for notification in Notification.objects.filter(topic__startswith="game:"):
        yield f"stop-{notification.account.language}", browser.get(stop_link(notification)).content.decode()


def picture(browser: str, shown: str, file: Path, width: int, theme: str) -> None:
    """Open HTML at this width in this theme, and keep what is seen."""
    page = file.absolute().with_suffix(".html")
    page.write_text(
        f'<meta charset="utf-8"><meta name="color-scheme" content="light dark"><body style="margin:0">'
        f'<iframe style="width:{width}px;height:2400px;border:0" srcdoc="{html.escape(shown)}"></iframe>'
    )
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
    ]
    command += [f"--blink-settings=preferredColorScheme={THEMES[theme]}", f"--window-size={width},2400"]
    subprocess.run([*command, f"--screenshot={file}", page.as_uri()], check=True, capture_output=True, timeout=120)
    page.unlink()


def main(folder: Path) -> None:
    """Draw everything there is."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.exit("There is no Chromium on this machine.")
    folder.mkdir(parents=True, exist_ok=True)
    with Server(settings.EMBEDDED_DATABASE), override_settings(ALLOWED_HOSTS=["*"]):
        call_command("migrate", verbosity=0)
        drawn: dict[str, str] = {}
        for name, text, shown in mails():
            drawn.setdefault(name, shown)
            (folder / f"{name}.txt").write_text(text)
        styles = f"<style>{_STYLES.read_text()}</style>"
        for name, shown in pages():
            drawn.setdefault(name, shown.replace("</head>", f"{styles}</head>"))
        for name, shown in drawn.items():
            for theme in THEMES:
                for width, pixels in WIDTHS.items():
                    picture(browser, shown, folder / f"{name}-{theme}-{width}.png", pixels, theme)
    sys.stdout.write(f"{len(drawn) * len(THEMES) * len(WIDTHS)} pictures are in {folder}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mail_pictures", description="Draw every mail.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    main(parser.parse_args().folder)
