"""``manage.py record GAME`` writes the record of a game; ``manage.py record --take FILE`` imports one."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.archive import records
from games.engine import RuleViolation
from games.engine.record import dump, heads, load
from games.event_log.log_store import UnknownRules
from games.models import Game
from games.refusals import Refusal


class Command(BaseCommand):
    """Export and import records of finished games (docs/fairness.md)."""

    help = "Write the record of a finished game to standard output, or import one as a finished game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("game", nargs="?", type=UUID, help="the id of a finished game")
        which.add_argument("--take", type=Path, metavar="FILE", help="a record to check and import")
        source = "which someone had before the end: the record must have it"
        parser.add_argument("--head", action="append", default=[], metavar="HEX", help=f"a head of the log, {source}")
        parser.add_argument(
            "--deal-head", action="append", default=[], metavar="HEX", help=f"a head of the list of the deal, {source}"
        )
        parser.add_argument("--commitment", default="", metavar="HEX", help=f"the commitment, {source}")

    def handle(
        self,
        *args: Any,
        game: UUID | None,
        take: Path | None,
        head: list[str],
        deal_head: list[str],
        commitment: str,
        **options: Any,
    ) -> None:
        try:
            if take is not None:
                record = load(take.read_bytes())
                imported = records.import_record(record, head, commitment, deal_head)
                bound = max(
                    (number for number, line_head in enumerate(heads(record), start=1) if line_head in head), default=0
                )
                self.stdout.write(
                    f"Imported game {imported.id}. It is consistent. The heads that you gave bind {bound} of its "
                    f"{imported.version} events. verify.py says what is proven about the deal."
                )
                return
            assert game is not None
            row = Game.objects.prefetch_related("seats__account").filter(pk=game).first()
            if row is None:
                raise CommandError(f"There is no game {game}.")
            sys.stdout.write(dump(records.export_record(row)).decode())
        except (Refusal, RuleViolation) as error:
            raise CommandError(str(error.phrase)) from error
        except (OSError, UnknownRules) as error:
            raise CommandError(str(error)) from error
