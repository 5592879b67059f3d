"""The pages of the games. Their names are apart from the API's: ``pages:game``."""

from django.urls import path

from games.pages.game import actions, answer, chat, game, pauses, plans, replay, stand_ins
from games.pages.lobby import games, home, invitation, new_game, rules
from games.pages.people import calendar, email_settings, players, reports

app_name = "pages"
urlpatterns = [
    path("", home.home, name="home"),
    path("play/", new_game.play_now, name="play-now"),
    path("try/", new_game.try_it, name="try"),
    path("games/", games.games, name="games"),
    path("games/new/", new_game.titles, name="choose-title"),
    path("games/new/<slug:name>/", new_game.form, name="new-game"),
    path("join/", games.join, name="join-by-code"),
    path("games/<uuid:game>/", game.page, name="game"),
    path("games/<uuid:game>/answer/", actions.answer, name="answer-question"),
    path("games/<uuid:game>/plans/", plans.give, name="give-plan"),
    path("games/<uuid:game>/plans/change/", plans.change, name="change-plan"),
    path("games/<uuid:game>/plans/withdraw/", plans.withdraw, name="withdraw-plan"),
    path("games/<uuid:game>/back/", stand_ins.back, name="back"),
    path("games/<uuid:game>/stand-in/", stand_ins.name, name="name-stand-in"),
    path("games/<uuid:game>/stand-in/end/", stand_ins.end, name="end-stand-in"),
    path("games/<uuid:game>/chat/", chat.post_message, name="chat"),
    path("games/<uuid:game>/report/", reports.report, name="report"),
    path("games/<uuid:game>/report/<uuid:message>/", reports.report, name="report-message"),
    path("people/keep/", reports.keep_away, name="keep-away"),
    path("games/<uuid:game>/join/", actions.join, name="join"),
    path("games/<uuid:game>/seed/", actions.reveal, name="reveal-seed"),
    path("games/<uuid:game>/leave/", actions.leave, name="leave"),
    path("games/<uuid:game>/start/", actions.start, name="start"),
    path("games/<uuid:game>/invite/", actions.invite, name="invite"),
    path("games/<uuid:game>/invite/<uuid:invitation>/", actions.withdraw_invitation, name="withdraw-invitation"),
    path("games/<uuid:game>/resign/", actions.resign, name="resign"),
    path("games/<uuid:game>/pause/", pauses.propose, name="pause"),
    path("games/<uuid:game>/pause/agree/", pauses.agree, name="agree-to-pause"),
    path("games/<uuid:game>/pause/decline/", pauses.decline, name="decline-pause"),
    path("games/<uuid:game>/pause/resume/", pauses.resume, name="end-pause"),
    path("games/<uuid:game>/rematch/", actions.rematch, name="rematch"),
    path("invitation/<str:token>/", invitation.page, name="invitation"),
    path("invitation/<str:token>/stop/", invitation.stop, name="invitation-stop"),
    path("answer/<str:token>/", answer.page, name="answer"),
    path("answer/<str:token>/<int:number>/", answer.page, name="answer-one"),
    path("rules/", rules.rules_list, name="rules"),
    path("rules/<slug:name>/", rules.rules_detail, name="rules-of"),
    path("rules/<slug:name>/<slug:drawing>.<str:language>.svg", rules.figure, name="figure"),
    path("rules/<slug:name>/picture.css", rules.picture_style, name="picture-style"),
    path("settings/calendar/", calendar.calendar, name="settings-calendar"),
    path("settings/calendar/vacations/", calendar.announce, name="settings-vacations"),
    path("settings/calendar/vacations/<uuid:id>/", calendar.withdraw, name="settings-vacation"),
    path("settings/emails/", email_settings.mails, name="settings-emails"),
    path("settings/emails/<uuid:game>/", email_settings.hear, name="settings-hear"),
    path("games/<uuid:game>/replay/", replay.replay, name="replay"),
    path("games/<uuid:game>/record/", replay.record, name="record"),
    path("players/<path:name>/", players.one, name="player"),
    path("leaders/", players.leaders, name="leaders"),
]
