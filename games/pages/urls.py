"""The pages of the games. Their names are apart from the API's: ``pages:table``."""

from django.urls import path

from games.pages import answer, home, invitation, tables

app_name = "pages"
urlpatterns = [
    path("", home.home, name="home"),
    path("tables/", tables.tables, name="tables"),
    path("invitation/<str:token>/", invitation.page, name="invitation"),
    path("invitation/<str:token>/stop/", invitation.stop, name="invitation-stop"),
    path("answer/<str:token>/", answer.page, name="answer"),
    path("answer/<str:token>/<int:number>/", answer.page, name="answer-one"),
]
