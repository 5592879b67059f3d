"""The page on which the operator writes news."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Account
from notifications import preferences
from notifications.models import News, Notification
from tests.games.operations.admin.conftest import browser
from tests.games.seated import NOON

pytestmark = pytest.mark.django_db
WRITTEN = {"subject_en": "A new game", "text_en": "Try it.", "subject_fa": "یک بازی تازه", "text_fa": "امتحان کنید."}


@pytest.fixture
def operator(dariush: Account) -> Client:
    return browser(dariush)


def test_news_that_is_saved_is_on_its_way_and_cannot_be_changed(operator: Client, maryam: Account) -> None:
    preferences.change(maryam, {"news": True}, NOON)
    page = operator.get(reverse("admin:notifications_news_add")).content.decode()
    assert 'dir="rtl"' in page
    answer = operator.post(reverse("admin:notifications_news_add"), WRITTEN, follow=True)
    assert "Emails on their way: 1." in answer.content.decode()
    news = News.objects.get()
    assert news.words["fa"] == {"subject": "یک بازی تازه", "text": "امتحان کنید."}
    assert Notification.objects.get().topic == f"news:{news.pk}"
    change = reverse("admin:notifications_news_change", args=[news.pk])
    assert "Try it." in operator.get(change).content.decode()
    assert operator.post(change, {**WRITTEN, "text_en": "Do not."}).status_code == 403
    delete = reverse("admin:notifications_news_delete", args=[news.pk])
    assert operator.post(delete, {"post": "yes"}).status_code == 403


def test_news_that_was_sent_already_or_lacks_a_language_is_refused(operator: Client, maryam: Account) -> None:
    add = reverse("admin:notifications_news_add")
    operator.post(add, WRITTEN)
    assert "Nobody gets it twice." in operator.post(add, WRITTEN).content.decode()
    assert operator.post(add, {**WRITTEN, "text_fa": " "}).status_code == 200
    assert News.objects.count() == 1


def test_a_moderator_writes_no_news(kaveh: Account) -> None:
    assert browser(kaveh).post(reverse("admin:notifications_news_add"), WRITTEN).status_code == 403
    assert not News.objects.exists()
