"""The pages that mails link to."""

from django.urls import path

from games.pages import answer

urlpatterns = [
    path("answer/<str:token>/", answer.page, name="answer"),
    path("answer/<str:token>/<int:number>/", answer.page, name="answer-one"),
]
