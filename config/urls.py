"""Where everything is."""

from django.urls import include, path

from config.api_schema import ApiSchema
from config.docs import docs
from config.health import healthz
from games.administration import site as administration

handler400 = "config.problems.bad_request"
handler403 = "config.problems.permission_denied"
handler404 = "config.problems.page_not_found"
handler500 = "config.problems.server_error"

urlpatterns = [
    path("api/v1/", include("accounts.api.urls")),
    path("api/v1/", include("games.api.urls")),
    path("api/schema/", ApiSchema.as_view(), name="schema"),
    path("api/docs/", docs, name="docs"),
    path("healthz", healthz, name="healthz"),
    path("admin/", administration.urls),
    path("", include("accounts.pages.urls")),
    path("", include("accounts.oauth.urls")),
    path("", include("games.pages.urls")),
    path("", include("games.post.webhooks")),
    path("", include("notifications.api.urls")),
]
