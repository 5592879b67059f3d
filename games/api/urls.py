"""Rules, games and play, below ``/api/v1/``."""

from django.urls import path
from django.views.decorators.gzip import gzip_page

from games.api.away import back, pauses, stand_ins, vacations
from games.api.lobby import games, invitations, open_games, rules
from games.api.play import events, exports, finished_games, moves, plans, questions, view
from games.api.sandbox import sandbox
from games.api.social import chat, player_stats, reports, table_channels

urlpatterns = [
    path("rules/", gzip_page(rules.RulesList.as_view()), name="rules"),
    path("rules/<slug:name>/", gzip_page(rules.RulesDetail.as_view()), name="rules-of"),
    path("stream/games/", open_games.OpenGamesStream.as_view(), name="stream-games"),
    path("games/", games.GameList.as_view(), name="games"),
    path("games/export/", exports.GamesExport.as_view(), name="export-games"),
    path("games/<uuid:game>/", games.GameDetail.as_view(), name="game"),
    path("games/<uuid:game>/commitment/", games.Commitment.as_view(), name="commitment"),
    path("games/<uuid:game>/join/", games.Join.as_view(), name="join"),
    path("games/<uuid:game>/seed/", games.RevealSeed.as_view(), name="reveal-seed"),
    path("games/<uuid:game>/leave/", games.Leave.as_view(), name="leave"),
    path("games/<uuid:game>/start/", games.Start.as_view(), name="start"),
    path("games/<uuid:game>/rematch/", games.Rematch.as_view(), name="rematch"),
    path("games/<uuid:game>/back/", back.ComeBack.as_view(), name="back"),
    path("games/<uuid:game>/stand-in/", stand_ins.StandInView.as_view(), name="stand-in"),
    path("games/<uuid:game>/invitations/", invitations.InvitationList.as_view(), name="invitations"),
    path("games/<uuid:game>/invitations/<uuid:invitation>/", invitations.InvitationDetail.as_view(), name="invitation"),
    path("games/<uuid:game>/pause/", pauses.Pause.as_view(), name="pause"),
    path("games/<uuid:game>/pause/agree/", pauses.Agree.as_view(), name="agree-to-pause"),
    path("games/<uuid:game>/pause/decline/", pauses.Decline.as_view(), name="decline-pause"),
    path("games/<uuid:game>/pause/resume/", pauses.Resume.as_view(), name="end-pause"),
    path("games/<uuid:game>/resign/", moves.Resign.as_view(), name="resign"),
    path("games/<uuid:game>/view/", view.View.as_view(), name="view"),
    path("games/<uuid:game>/picture.svg", view.Picture.as_view(), name="picture"),
    path("games/<uuid:game>/events/", events.Events.as_view(), name="events"),
    path("games/<uuid:game>/events/export/", exports.EventsExport.as_view(), name="export-events"),
    path("games/<uuid:game>/questions/", questions.GameQuestions.as_view(), name="game-questions"),
    path("games/<uuid:game>/moves/", moves.Moves.as_view(), name="moves"),
    path("games/<uuid:game>/moves/<uuid:move>/", moves.OneMove.as_view(), name="move"),
    path("games/<uuid:game>/record/", finished_games.OneRecord.as_view(), name="record"),
    path("games/<uuid:game>/replay/<int:number>/", finished_games.OneStep.as_view(), name="step"),
    path("games/<uuid:game>/transcript/", finished_games.Transcript.as_view(), name="transcript"),
    path("games/<uuid:game>/statistics/", finished_games.OneStatistics.as_view(), name="statistics"),
    path("games/<uuid:game>/sandbox/clock/", sandbox.Clock.as_view(), name="sandbox-clock"),
    path("games/<uuid:game>/sandbox/bots/<int:seat>/", sandbox.BotMoves.as_view(), name="sandbox-bot"),
    path("games/<uuid:game>/plans/", plans.PlanList.as_view(), name="plans"),
    path("games/<uuid:game>/plans/<uuid:plan>/", plans.PlanDetail.as_view(), name="plan"),
    path("games/<uuid:game>/channel/", table_channels.TableChannelView.as_view(), name="table-channel"),
    path("games/<uuid:game>/chat/", chat.ChatMessageList.as_view(), name="chat"),
    path("games/<uuid:game>/chat/<uuid:message>/", chat.ChatMessageDetail.as_view(), name="chat-message"),
    path("players/<path:name>/", player_stats.Player.as_view(), name="player"),
    path("leaders/", player_stats.Leaders.as_view(), name="leaders"),
    path("reports/", reports.ReportList.as_view(), name="reports"),
    path("reports/<uuid:report>/", reports.ReportDetail.as_view(), name="report"),
    path("views/", view.Views.as_view(), name="views"),
    path("questions/", questions.Questions.as_view(), name="questions"),
    path("me/vacations/", vacations.VacationList.as_view(), name="vacations"),
    path("me/vacations/<uuid:id>/", vacations.VacationDetail.as_view(), name="vacation"),
]
