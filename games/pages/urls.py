"""The pages of the games. Their names are apart from the API's: ``pages:table``."""

from django.urls import path

from games.pages import (
    acting,
    answer,
    correspondence,
    home,
    invitation,
    mails,
    opening,
    players,
    replay,
    rules,
    table,
    tables,
)

app_name = "pages"
urlpatterns = [
    path("", home.home, name="home"),
    path("play/", opening.play_now, name="play-now"),
    path("tables/", tables.tables, name="tables"),
    path("tables/new/", opening.games, name="open"),
    path("tables/new/<slug:name>/", opening.form, name="open-game"),
    path("join/", tables.join, name="join-by-code"),
    path("games/<uuid:game>/", table.table, name="table"),
    path("games/<uuid:game>/picture.svg", table.picture, name="picture"),
    path("games/<uuid:game>/answer/", acting.answer, name="answer-question"),
    path("games/<uuid:game>/talk/", correspondence.talk, name="talk"),
    path("games/<uuid:game>/join/", acting.join, name="join"),
    path("games/<uuid:game>/leave/", acting.leave, name="leave"),
    path("games/<uuid:game>/start/", acting.start, name="start"),
    path("games/<uuid:game>/invite/", acting.invite, name="invite"),
    path("games/<uuid:game>/resign/", acting.resign, name="resign"),
    path("games/<uuid:game>/rematch/", acting.rematch, name="rematch"),
    path("invitation/<str:token>/", invitation.page, name="invitation"),
    path("invitation/<str:token>/stop/", invitation.stop, name="invitation-stop"),
    path("answer/<str:token>/", answer.page, name="answer"),
    path("answer/<str:token>/<int:number>/", answer.page, name="answer-one"),
    path("rules/", rules.shelf, name="rules"),
    path("rules/<slug:name>/", rules.one, name="rules-of"),
    path("rules/<slug:name>/<slug:drawing>.<str:language>.svg", rules.figure, name="figure"),
    path("settings/mails/", mails.mails, name="settings-mails"),
    path("settings/mails/<uuid:game>/", mails.hear, name="settings-hear"),
    path("games/<uuid:game>/replay/", replay.replay, name="replay"),
    path("games/<uuid:game>/replay/<int:step>.<str:language>.svg", replay.picture, name="replay-picture"),
    path("players/<path:name>/", players.one, name="player"),
    path("leaders/", players.leaders, name="leaders"),
]
