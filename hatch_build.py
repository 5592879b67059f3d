"""Refuses to build a package without the documents site, which ``make release`` makes first."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DocumentsHook(BuildHookInterface[Any]):
    """Looks for the site before anything is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Stop where the site is not there."""
        if not (Path(self.root) / "config" / "server" / "documents" / "site" / "policy.json").is_file():
            raise SystemExit("The documents site is not made, and every server serves it. Type: make release")
