"""The pages of the operator and the moderators at ``/admin/``: Django's admin with the registered models only.

Hands, seeds, snapshots, events, moves and the texts of notifications and emails are never shown, because operators play
too. Moderators see reports with their evidence; other messages between players are not shown anywhere.
"""

from games.operations.admin.site import site

__all__ = ["site"]
