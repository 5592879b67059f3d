"""Messages about a tournament in the chat of its club. Each is ordered in the transaction of its event."""

from datetime import datetime

from games.models import ClubChannel, Tournament, TournamentPost


def order(tournament: Tournament, event: str, now: datetime, round: int | None = None) -> None:
    """Order a message about a tournament, if its club has a chat."""
    channel = ClubChannel.objects.filter(club=tournament.club_id).first()
    if channel is not None:
        TournamentPost.objects.create(
            channel=channel, tournament=tournament, event=event, round=round, next_attempt_at=now
        )
