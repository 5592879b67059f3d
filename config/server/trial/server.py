"""The web server of a trial: ``python -m config.server.trial.server FOLDER SOCKET``, with an inherited socket.

A package that cannot be loaded is answered with the traceback, until the supervisor starts the server again.
"""

import os
import shutil
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path
from select import select
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

from config.core import processes
from config.server.postgres import Server, ServerPaths

GAME: Final = "TRIAL_GAME"
"""The variable with the name of the game."""
SEAT: Final = "/seat/"
"""The beginning of the paths of the ordinary pages. The number of the seat follows."""
SEAT_MIDDLEWARE: Final = "config.server.trial.pages.seat_middleware"
_BEFORE: Final = "django.contrib.messages.middleware.MessageMiddleware"
_BROKEN: Final = """<!doctype html>
<meta charset="utf-8"><meta http-equiv="refresh" content="2"><meta name="color-scheme" content="light dark">
<title>Not loaded</title>
<h1>The game can’t be loaded</h1>
<p>This page loads again when you save a file.</p>
<pre>{}</pre>"""

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class TrialServer(ThreadingMixIn, WSGIServer):
    """A WSGI server with a thread for each request. At the end it waits for its answers."""

    daemon_threads = False

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        super().process_request_thread(request, client_address)
        connections.close_all()  # the connections belong to this thread, which ends now


class QuietHandler(WSGIRequestHandler):
    """A handler that logs no requests."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    """Serve the trial until the process is stopped. Delete the database if the supervisor was killed."""
    supervisor = os.getppid()
    processes.watch_parent()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # so that the database is deleted also while it loads
    try:
        serve(Path(sys.argv[1]), int(sys.argv[2]))
    finally:
        if select([int(os.environ[processes.PIPE_VARIABLE])], [], [], 0)[0]:  # the supervisor was killed
            while os.getppid() == supervisor:  # its pipe closes shortly before it lets go of the database
                time.sleep(0.01)
            data = Path(os.environ["DATA_DIR"])
            Server(ServerPaths.in_data_dir(data)).delete_data()
            shutil.rmtree(data)


def serve(folder: Path, descriptor: int) -> None:
    """Load the game of a package, and serve it until the process is stopped."""
    try:
        # This module loads the game, so it is imported here.
        os.environ[GAME] = import_string("games.kit.package.find_package")(folder).rules()[0].name
        application = below_seats(trial_application())
    except Exception as error:
        application = broken_application(error)
    with TrialServer(("127.0.0.1", int(os.environ["PORT"])), QuietHandler, bind_and_activate=False) as server:
        server.socket.close()
        server.socket = socket.socket(fileno=descriptor)
        server.server_name, server.server_port = "localhost", server.server_address[1]
        server.setup_environ()
        server.set_app(application)
        signal.signal(signal.SIGTERM, lambda *_: Thread(target=server.shutdown).start())
        server.serve_forever()


def trial_application() -> Application:
    """Return Django's application with the URLs of the trial, after the database has been prepared."""
    settings.ROOT_URLCONF = "config.server.trial.pages"
    settings.DEBUG = True  # the author sees the traceback of a page that fails
    settings.TEMPLATES[0]["DIRS"] = [settings.BASE_DIR / "config" / "templates", Path(__file__).parent]
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    settings.X_FRAME_OPTIONS = "SAMEORIGIN"
    settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]["frame-ancestors"] = ["'self'"]
    place = settings.MIDDLEWARE.index(_BEFORE)
    settings.MIDDLEWARE = [*settings.MIDDLEWARE[:place], SEAT_MIDDLEWARE, *settings.MIDDLEWARE[place:]]
    processes.set_up_django()
    # Before the application, which checks the tables when it is imported.
    import_string("config.server.prepare.prepare_database")()
    application: Application = import_string("config.wsgi.application")
    return application


def below_seats(application: Application) -> Application:
    """Return an application that takes ``/seat/N`` from the path, so that all addresses of a page begin with it."""

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path.startswith(SEAT):
            number, _, rest = path.removeprefix(SEAT).partition("/")
            environ |= {"SCRIPT_NAME": f"{SEAT}{number}", "PATH_INFO": f"/{rest}"}
        return application(environ, start_response)

    return respond


def broken_application(error: Exception) -> Application:
    """Return an application that answers every request with the reason why the game could not be loaded."""
    text = "".join(traceback.format_exception(error.__cause__ or error))
    sys.stderr.write(text)

    def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")])
        return [_BROKEN.format(escape(text)).encode()]

    return respond


if __name__ == "__main__":
    main()
