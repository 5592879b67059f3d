"""The URLs of the server."""

from django.urls import include, path

from accounts.web.requests import compressed_for_visitors
from config.server.api_description.reference import Reference, ReferenceEntry
from config.server.api_description.views import AccountSchema, ApiRoot, ApiSchema, CoreSchema, llms
from config.server.documents.pages import document, documents
from config.server.health import healthz
from config.server.static_files import manifest, offline, robots
from games.operations.admin import site as administration

handler400 = "config.server.problems.bad_request"
handler403 = "config.server.problems.permission_denied"
handler404 = "config.server.problems.page_not_found"
handler500 = "config.server.problems.server_error"

urlpatterns = [
    path("api/", ApiRoot.as_view(), name="api"),
    path("api/v1/", ApiRoot.as_view(), name="api-v1"),
    path("api/v1/", include("games.api.urls")),
    path("api/v1/", include("accounts.api.urls")),
    path("api/schema/", ApiSchema.as_view(), name="schema"),
    path("api/schema/account/", AccountSchema.as_view(), name="account-schema"),
    path("api/schema/core/", CoreSchema.as_view(), name="core-schema"),
    path("api/docs/", compressed_for_visitors(Reference.as_view()), name="docs"),
    path("api/docs/<str:name>/", compressed_for_visitors(ReferenceEntry.as_view()), name="docs-entry"),
    path("llms.txt", llms, name="llms"),
    path("docs/", documents, name="documents"),
    path("docs/<path:path>", document, name="document"),
    path("healthz", healthz, name="healthz"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("robots.txt", robots, name="robots"),
    path("offline/", offline, name="offline"),
    path("admin/", administration.urls),
    path("", include("accounts.pages.urls")),
    path("", include("accounts.oauth.urls")),
    path("", include("games.pages.urls")),
    path("", include("games.mail.intake")),
    path("", include("notifications.api.urls")),
]
