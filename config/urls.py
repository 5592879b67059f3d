"""Where everything is."""

urlpatterns: list = []
