"""The browser that tests use sees the server under test and nothing else."""

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import Account
from tests.browser import Visit

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_visitor_reaches_the_server_and_the_test_its_database(live_server: LiveServer, visit: Visit) -> None:
    maryam = visit(live_server.url)
    answer = maryam.go("/healthz")
    assert answer.status == 200
    Account.objects.create_user("maryam@example.org", name="Maryam")
    assert Account.objects.count() == 1


def test_nothing_is_fetched_from_elsewhere(live_server: LiveServer, visit: Visit) -> None:
    maryam = visit(live_server.url)
    maryam.page.goto("about:blank")
    maryam.page.set_content("<img src='http://127.0.0.1:9/tracker.png'><script>alert('a script')</script>")
    maryam.page.wait_for_load_state("networkidle")
    assert maryam.elsewhere == ["http://127.0.0.1:9/tracker.png"]
    assert maryam.dialogs == ["a script"]
    maryam.elsewhere.clear()
