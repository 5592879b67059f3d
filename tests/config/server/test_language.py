"""The language of a request: what its cookie or ``Accept-Language`` asks for."""

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/rules/", "/api/v1/me/"])
def test_an_answer_is_in_the_language_that_was_asked_for_and_caches_keep_it_apart(path: str) -> None:
    for language in ("fa", "en"):
        answer = Client(headers={"accept-language": language}).get(path)
        assert answer.headers["Content-Language"] == language
        assert "accept-language" in answer.headers["Vary"].lower()


def test_the_language_cookie_is_stronger_than_the_browser() -> None:
    browser = Client(headers={"accept-language": "en"})
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "fa"
    assert 'lang="fa"' in browser.get("/rules/").content.decode()


def test_a_language_that_the_server_does_not_speak_gives_english() -> None:
    Client(headers={"accept-language": "fa"}).get("/rules/")
    assert Client(headers={"accept-language": "xx"}).get("/rules/").headers["Content-Language"] == "en"
