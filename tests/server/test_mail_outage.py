"""The mail server behind ``EMAIL_URL`` fails for a day: players who are asked by mail lose no time."""

import smtplib
from pathlib import Path

from tests.notifications.mail_server import MailServer
from tests.server.conftest import on_a_copy
from tests.server.correspondents import Host, Mailboxes
from tests.server.darbar import database, wait_until
from tests.server.replies import answered, opened
from tests.server.upset import beats, stopped

DAY = 24 * 3600


def relay(post: Mailboxes) -> MailServer:
    """The mail server. It accepts all mail once it is started."""
    return MailServer(post, post.port)


def test_a_question_that_no_email_could_put_does_not_pass(prepared: Path) -> None:
    post = Mailboxes()
    first, second = relay(post), relay(post)
    first.start()
    with on_a_copy(prepared, EMAIL_URL=f"smtp://127.0.0.1:{post.port}") as server:
        server.start()
        wait_until(lambda: beats(server), "the clock ticks")
        with Host(server, "Maryam", post) as maryam:
            first.stop()
            game = opened(maryam, "P1D")
            with database(server) as connection:
                wait_until(
                    lambda: connection.execute("SELECT 1 FROM notifications_mailoutage").fetchone(),
                    "nothing can be sent",
                )
            with stopped(server) as connection:
                connection.execute("UPDATE notifications_mailoutage SET since = since - interval '25 hours'")
                connection.execute(
                    "UPDATE games_openquestion SET asked_at = asked_at - interval '25 hours',"
                    " due_at = due_at - interval '25 hours', remind_at = NULL WHERE game_id = %s",
                    [game],
                )
            wait_until(lambda: moved(maryam, game), "deadlines are moved while it is away")
            second.start()
            try:
                wait_until(lambda: question_subjects(post, maryam), "she is asked by mail")
                assert DAY <= sum(moved(maryam, game)) - 3600 < DAY + 1200
                mail = question_subjects(post, maryam)[0]
                with smtplib.SMTP("127.0.0.1", server.mail_port, timeout=30) as client:
                    text = f"From: {maryam.email}\r\nMessage-ID: <late@darbar.example>\r\n\r\nincome\r\n"
                    client.sendmail(maryam.email, [mail], text)
                wait_until(lambda: answered(maryam, game) == "mail", "her answer counts")
            finally:
                second.stop()


def question_subjects(post: Mailboxes, player: Host) -> list[str]:
    """The addresses that answer the questions which came by mail."""
    emails = post.kept.get(player.email, [])
    return [mail["Reply-To"] for mail in emails if (mail["Reply-To"] or "").startswith("q-")]


def moved(player: Host, game: str) -> list[int]:
    """The seconds by which deadlines were moved for the outage, for each time."""
    events = [line["event"] for line in player.get(f"games/{game}/events/")["results"]]
    return [event["seconds"] for event in events if event["type"] == "table.email-outage"]
