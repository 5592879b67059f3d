"""Messages about a club's tournament in the chat of the club: one for each event, ordered in the same transaction."""

from datetime import datetime

from games.models import ClubChannel, Tournament, TournamentPost


def order(tournament: Tournament, event: str, now: datetime, round: int | None = None) -> None:
    """Order a message about a tournament, where its club has a chat."""
    channel = ClubChannel.objects.filter(club=tournament.club_id).first()
    if channel is not None:
        TournamentPost.objects.create(
            channel=channel, tournament=tournament, event=event, round=round, next_attempt_at=now
        )
