from django.apps import AppConfig

import config.celery  # noqa: F401 - the app that shared_task enqueues with


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
