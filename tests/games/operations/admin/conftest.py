"""The cast: two who play, a moderator, and the operator, each at a browser."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client

from accounts.models import Account
from tests.factors import passed


@pytest.fixture
def bahareh(db: None) -> Account:
    """Plays; and must see nothing here."""
    return Account.objects.create_user("bahareh@example.org", name="Bahareh", language="fa")


@pytest.fixture
def kaveh(db: None) -> Account:
    """A moderator, by a group's right."""
    account = Account.objects.create_user("kaveh@example.org", name="Kaveh", is_staff=True)
    group = Group.objects.create(name="Moderators")
    group.permissions.add(Permission.objects.get(codename="moderate"))
    account.groups.add(group)
    return account


@pytest.fixture
def dariush(db: None) -> Account:
    """The operator."""
    return Account.objects.create_superuser("dariush@example.org", name="Dariush")


def browser(account: Account) -> Client:
    """A browser in which this account is logged in, and has passed the second factor that the staff needs."""
    client = Client()
    client.force_login(account, "allauth.account.auth_backends.AuthenticationBackend")
    return passed(client, account) if account.is_staff else client
