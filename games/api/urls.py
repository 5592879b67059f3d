"""URLs of games below ``/api/v1/``."""

from typing import Final

from django.urls import include, path
from django.views.decorators.gzip import gzip_page

from games.api import (
    absence,
    chat,
    clubs,
    finished_games,
    games,
    invitations,
    moves,
    plans,
    players,
    questions,
    reports,
    rules,
    sandbox,
    seeks,
    table_channels,
    tournaments,
    views,
)

# Paths below ``games/{game}/``. Django tries them in this order, so the most frequent ones come first.
_OF_A_GAME: Final = [
    path("", games.GameDetail.as_view(), name="game"),
    path("moves/", moves.Moves.as_view(), name="moves"),
    path("moves/<uuid:move>/", moves.OneMove.as_view(), name="move"),
    path("questions/", questions.GameQuestions.as_view(), name="game-questions"),
    path("view/", views.View.as_view(), name="view"),
    path("picture.svg", views.Picture.as_view(), name="picture"),
    path("events/", views.Events.as_view(), name="events"),
    path("events/export/", views.EventsExport.as_view(), name="export-events"),
    path("presence/", views.PresenceView.as_view(), name="presence"),
    path("plans/", plans.PlanList.as_view(), name="plans"),
    path("plans/<uuid:plan>/", plans.PlanDetail.as_view(), name="plan"),
    path("resign/", moves.Resign.as_view(), name="resign"),
    path("commitment/", games.Commitment.as_view(), name="commitment"),
    path("join/", games.Join.as_view(), name="join"),
    path("seed/", games.RevealSeed.as_view(), name="reveal-seed"),
    path("leave/", games.Leave.as_view(), name="leave"),
    path("start/", games.Start.as_view(), name="start"),
    path("practice/", games.Practice.as_view(), name="practice"),
    path("rematch/", games.RematchView.as_view(), name="rematch"),
    path("back/", absence.ComeBack.as_view(), name="back"),
    path("stand-in/", absence.StandInView.as_view(), name="stand-in"),
    path("invitations/", invitations.InvitationList.as_view(), name="invitations"),
    path("invitations/<uuid:invitation>/", invitations.InvitationDetail.as_view(), name="invitation"),
    path("pause/", absence.Pause.as_view(), name="pause"),
    path("record/", finished_games.OneRecord.as_view(), name="record"),
    path("replay/<int:number>/", finished_games.OneStep.as_view(), name="step"),
    path("transcript/", finished_games.Transcript.as_view(), name="transcript"),
    path("analysis/", finished_games.OneAnalysis.as_view(), name="analysis"),
    path("statistics/", finished_games.OneStatistics.as_view(), name="statistics"),
    path("sandbox/clock/", sandbox.Clock.as_view(), name="sandbox-clock"),
    path("sandbox/bots/<int:seat>/", sandbox.BotMoves.as_view(), name="sandbox-bot"),
    path("chat/", chat.ChatMessageList.as_view(), name="chat"),
    path("chat/<uuid:message>/", chat.ChatMessageDetail.as_view(), name="chat-message"),
]
# Paths below ``clubs/{club}/``.
_OF_A_CLUB: Final = [
    path("", clubs.ClubDetail.as_view(), name="club"),
    path("link/", clubs.ClubLink.as_view(), name="club-link"),
    path("leaders/", clubs.ClubLeaders.as_view(), name="club-leaders"),
    path("members/", clubs.MemberList.as_view(), name="members"),
    path("members/<uuid:member>/", clubs.MemberDetail.as_view(), name="member"),
]
# Paths below ``tournaments/{tournament}/``.
_OF_A_TOURNAMENT: Final = [
    path("", tournaments.TournamentDetail.as_view(), name="tournament"),
    path("start/", tournaments.StartTournament.as_view(), name="start-tournament"),
    path("cancel/", tournaments.CancelTournament.as_view(), name="cancel-tournament"),
    path("entry/", tournaments.EntryDetail.as_view(), name="entry"),
    path("standings/", tournaments.Standings.as_view(), name="standings"),
    path("rounds/", tournaments.RoundList.as_view(), name="rounds"),
]
urlpatterns = [
    path("games/<uuid:game>/", include(_OF_A_GAME)),
    path("rules/", gzip_page(rules.RulesList.as_view()), name="rules"),
    path("rules/<slug:rules>/", gzip_page(rules.RulesDetail.as_view()), name="rules-of"),
    path("stream/games/", seeks.OpenGamesStream.as_view(), name="stream-games"),
    path("games/", games.GameList.as_view(), name="games"),
    path("games/export/", views.GamesExport.as_view(), name="export-games"),
    path("arena/", seeks.Arena.as_view(), name="arena"),
    path("seeks/", seeks.SeekList.as_view(), name="seeks"),
    path("seeks/open/", seeks.OpenSeekList.as_view(), name="open-seeks"),
    path("seeks/open/<slug:entry>/join/", seeks.JoinSeek.as_view(), name="join-seek"),
    path("seeks/<uuid:seek>/", seeks.SeekDetail.as_view(), name="seek"),
    path("clubs/", clubs.ClubList.as_view(), name="clubs"),
    path("clubs/join/", clubs.JoinClub.as_view(), name="join-club"),
    path("clubs/<uuid:club>/", include(_OF_A_CLUB)),
    path("group-chats/<slug:place>/<uuid:group>/", table_channels.GroupChatView.as_view(), name="group-chat"),
    path("tournaments/", tournaments.TournamentList.as_view(), name="tournaments"),
    path("tournaments/<uuid:tournament>/", include(_OF_A_TOURNAMENT)),
    path("players/<path:player>/", players.Player.as_view(), name="player"),
    path("leaders/", players.Leaders.as_view(), name="leaders"),
    path("reports/", reports.ReportList.as_view(), name="reports"),
    path("reports/<uuid:report>/", reports.ReportDetail.as_view(), name="report"),
    path("views/", views.Views.as_view(), name="views"),
    path("questions/", questions.Questions.as_view(), name="questions"),
    path("me/vacations/", absence.VacationList.as_view(), name="vacations"),
    path("me/vacations/<uuid:vacation>/", absence.VacationDetail.as_view(), name="vacation"),
]
