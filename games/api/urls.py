"""URLs of games below ``/api/v1/``."""

from typing import Final

from django.urls import include, path
from django.views.decorators.gzip import gzip_page

from config.core.database.replica import reads_replica
from games.api.away import back, pauses, stand_ins, vacations
from games.api.clubs import channel as club_channel
from games.api.clubs import clubs, members
from games.api.lobby import arena, games, invitations, open_games, rules, seeks
from games.api.play import analysis, events, exports, finished_games, moves, plans, presence, questions, view
from games.api.sandbox import sandbox
from games.api.social import chat, player_stats, profiles, reports, table_channels
from games.api.tournaments import tournaments

# Paths below ``games/{id}/``. Django tries them in this order, so the most frequent ones come first.
_OF_A_GAME: Final = [
    path("", games.GameDetail.as_view(), name="game"),
    path("moves/", moves.Moves.as_view(), name="moves"),
    path("moves/<uuid:move>/", moves.OneMove.as_view(), name="move"),
    path("questions/", questions.GameQuestions.as_view(), name="game-questions"),
    path("view/", view.View.as_view(), name="view"),
    path("picture.svg", view.Picture.as_view(), name="picture"),
    path("events/", events.Events.as_view(), name="events"),
    path("events/export/", exports.EventsExport.as_view(), name="export-events"),
    path("presence/", presence.PresenceView.as_view(), name="presence"),
    path("plans/", plans.PlanList.as_view(), name="plans"),
    path("plans/<uuid:plan>/", plans.PlanDetail.as_view(), name="plan"),
    path("resign/", moves.Resign.as_view(), name="resign"),
    path("commitment/", games.Commitment.as_view(), name="commitment"),
    path("join/", games.Join.as_view(), name="join"),
    path("seed/", games.RevealSeed.as_view(), name="reveal-seed"),
    path("leave/", games.Leave.as_view(), name="leave"),
    path("start/", games.Start.as_view(), name="start"),
    path("rematch/", games.Rematch.as_view(), name="rematch"),
    path("back/", back.ComeBack.as_view(), name="back"),
    path("stand-in/", stand_ins.StandInView.as_view(), name="stand-in"),
    path("invitations/", invitations.InvitationList.as_view(), name="invitations"),
    path("invitations/<uuid:invitation>/", invitations.InvitationDetail.as_view(), name="invitation"),
    path("pause/", pauses.Pause.as_view(), name="pause"),
    path("pause/agree/", pauses.Agree.as_view(), name="agree-to-pause"),
    path("pause/decline/", pauses.Decline.as_view(), name="decline-pause"),
    path("pause/resume/", pauses.Resume.as_view(), name="end-pause"),
    path("record/", reads_replica(finished_games.OneRecord.as_view()), name="record"),
    path("replay/<int:number>/", reads_replica(finished_games.OneStep.as_view()), name="step"),
    path("transcript/", reads_replica(finished_games.Transcript.as_view()), name="transcript"),
    path("analysis/", analysis.OneAnalysis.as_view(), name="analysis"),
    path("statistics/", reads_replica(finished_games.OneStatistics.as_view()), name="statistics"),
    path("sandbox/clock/", sandbox.Clock.as_view(), name="sandbox-clock"),
    path("sandbox/bots/<int:seat>/", sandbox.BotMoves.as_view(), name="sandbox-bot"),
    path("channel/", table_channels.TableChannelView.as_view(), name="table-channel"),
    path("channel/handle/", table_channels.TableHandleView.as_view(), name="table-handle"),
    path("chat/", chat.ChatMessageList.as_view(), name="chat"),
    path("chat/<uuid:message>/", chat.ChatMessageDetail.as_view(), name="chat-message"),
]
# Paths below ``clubs/{id}/``.
_OF_A_CLUB: Final = [
    path("", clubs.ClubDetail.as_view(), name="club"),
    path("link/", clubs.ClubLink.as_view(), name="club-link"),
    path("leaders/", clubs.ClubLeaders.as_view(), name="club-leaders"),
    path("members/", members.MemberList.as_view(), name="members"),
    path("members/<uuid:member>/", members.MemberDetail.as_view(), name="member"),
    path("notifications/", members.ClubNotifications.as_view(), name="club-notifications"),
    path("channel/", club_channel.ClubChannelView.as_view(), name="club-channel"),
    path("channel/handle/", club_channel.ClubHandleView.as_view(), name="club-handle"),
]
# Paths below ``tournaments/{id}/``.
_OF_A_TOURNAMENT: Final = [
    path("", tournaments.TournamentDetail.as_view(), name="tournament"),
    path("begin/", tournaments.BeginTournament.as_view(), name="begin-tournament"),
    path("cancel/", tournaments.CancelTournament.as_view(), name="cancel-tournament"),
    path("entry/", tournaments.EntryDetail.as_view(), name="entry"),
    path("standings/", tournaments.Standings.as_view(), name="standings"),
    path("rounds/", tournaments.RoundList.as_view(), name="rounds"),
]
urlpatterns = [
    path("games/<uuid:game>/", include(_OF_A_GAME)),
    path("rules/", gzip_page(rules.RulesList.as_view()), name="rules"),
    path("rules/<slug:name>/", gzip_page(rules.RulesDetail.as_view()), name="rules-of"),
    path("stream/games/", open_games.OpenGamesStream.as_view(), name="stream-games"),
    path("games/", reads_replica(games.GameList.as_view()), name="games"),
    path("games/export/", exports.GamesExport.as_view(), name="export-games"),
    path("arena/", arena.Arena.as_view(), name="arena"),
    path("seeks/", seeks.SeekList.as_view(), name="seeks"),
    path("seeks/<uuid:seek>/", seeks.SeekDetail.as_view(), name="seek"),
    path("clubs/", clubs.ClubList.as_view(), name="clubs"),
    path("clubs/join/", clubs.JoinClub.as_view(), name="join-club"),
    path("clubs/<uuid:club>/", include(_OF_A_CLUB)),
    path("tournaments/", tournaments.TournamentList.as_view(), name="tournaments"),
    path("tournaments/<uuid:tournament>/", include(_OF_A_TOURNAMENT)),
    path("players/<path:name>/", reads_replica(profiles.Player.as_view()), name="player"),
    path("leaders/", reads_replica(player_stats.Leaders.as_view()), name="leaders"),
    path("reports/", reports.ReportList.as_view(), name="reports"),
    path("reports/<uuid:report>/", reports.ReportDetail.as_view(), name="report"),
    path("views/", view.Views.as_view(), name="views"),
    path("questions/", questions.Questions.as_view(), name="questions"),
    path("me/vacations/", vacations.VacationList.as_view(), name="vacations"),
    path("me/vacations/<uuid:id>/", vacations.VacationDetail.as_view(), name="vacation"),
]
