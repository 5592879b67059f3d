"""Creates accounts for players on a running server: ``python -m bench.siege.cast COUNT`` prints their tokens."""

import json
import sys

import django

django.setup()

from accounts import tokens  # noqa: E402
from accounts.models import Account  # noqa: E402
from accounts.tokens import ALL  # noqa: E402


def main() -> None:
    accounts = [
        Account.objects.create_user(f"siege-{n}@example.org", name=f"Siege {n}") for n in range(int(sys.argv[1]))
    ]
    json.dump([tokens.issue(account, "siege", list(ALL))[1] for account in accounts], sys.stdout)


if __name__ == "__main__":
    main()
