"""``darbar doctor`` on a server that runs: its words, and an email that comes back."""

import subprocess
import sys

from bench.ports import free_port
from tests.server.darbar import ROOT, Darbar


def doctor(server: Darbar, *options: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "manage.py", "doctor", *options]
    variables = {**server.environment, **environment}
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)


def test_the_doctor_reports_each_check_on_a_line_and_an_email_comes_back(running: Darbar) -> None:
    result = doctor(running, EMAIL_URL=f"smtp://127.0.0.1:{running.mail_port}")
    assert result.returncode == 0, result
    lines = result.stdout.splitlines()
    assert f"ok           relay: 127.0.0.1:{running.mail_port} accepts our login." in lines
    assert any(line.startswith("ok           round trip: The email came back after ") for line in lines)
    assert any(line.startswith("not checked  senders: AUTHENTICATION_SERVER isn’t set") for line in lines)
    assert any(line.startswith("ok           stream: ") for line in lines)
    assert lines[-1] == "Nothing is wrong."
    nowhere = doctor(running, EMAIL_URL=f"smtp://127.0.0.1:{free_port()}")
    assert (nowhere.returncode, nowhere.stderr) == (1, "CommandError: 2 things are wrong.\n")
    assert "wrong        relay: 127.0.0.1:" in nowhere.stdout
