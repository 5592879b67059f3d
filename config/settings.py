"""Django's settings, read from environment variables. Without any, the server runs on this machine only."""

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from corsheaders.defaults import default_headers
from django.utils.module_loading import import_string

from config import (
    environment,
)
from config.core import logs, loopback
from config.core.database import connections
from config.server import postgres, security_policy
from config.server.api_description import spectacular
from games.rules.packages import packages

BASE_DIR = Path(__file__).resolve().parent.parent
environment.read_own_file(BASE_DIR)
DATA_DIR = environment.folder("DATA_DIR", environment.default_data_dir(BASE_DIR))

# Addresses and ports
PORT = environment.number("PORT", 8000, 1, 65535)
LISTEN = environment.address("LISTEN", "127.0.0.1")
MAIL_PORT = environment.number("MAIL_PORT", 8025, 1, 65535)
METRICS_PORT = environment.optional_number("METRICS_PORT", 1, 65535)
if METRICS_PORT is not None:
    environment.keep_metrics(DATA_DIR / "metrics")
LMTP_PORT = environment.optional_number("LMTP_PORT", 1, 65535)
LMTP_SOCKET = environment.socket("LMTP_SOCKET")
PUBLIC_URL = environment.public_url("PUBLIC_URL", f"http://localhost:{PORT}")
STREAM_PORT = environment.number("STREAM_PORT", min(PORT + 1, 65535), 1, 65535)
STREAM_URL = environment.stream_url("STREAM_URL", PUBLIC_URL, PORT, STREAM_PORT)
"""The address of the event stream for programs: PUBLIC_URL if a proxy passes its path to STREAM_PORT."""
_LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = environment.hosts("ALLOWED_HOSTS", [*_LOCAL_NAMES, urlsplit(PUBLIC_URL).hostname or "localhost"])
ON_LOOPBACK = all(map(loopback.is_loopback, [LISTEN, *ALLOWED_HOSTS]))
"""True if only this machine can reach the server."""

SECRET_KEY = environment.secret("SECRET_KEY", DATA_DIR / "secret-key")
SECRET_KEY_FALLBACKS = environment.secret_list("SECRET_KEY_FALLBACKS")
DEBUG = False
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "config.server.problems.form_expired"
CONTENT_SECURITY_POLICY = {"DIRECTIVES": security_policy.policy(STREAM_URL)}
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS = PUBLIC_URL.startswith("https://")
LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 14 * 24 * 60 * 60
"""Seconds after log-in at which a session ends, whether it is used or not."""
LANGUAGE_COOKIE_HTTPONLY = True
DEVICE_COOKIE_NAME = "device"
if HTTPS:
    # With this prefix a browser accepts the cookie from this host only, over TLS, and no subdomain can set it.
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    DEVICE_COOKIE_NAME = "__Host-device"
    # Our proxy speaks TLS, sets this header, and redirects plain HTTP to HTTPS.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("HSTS_SUBDOMAINS")
    # The proxy redirects. Subdomains and preload lists are decisions of the domain's owner.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]

# Requests in each minute (config.server.rate_limits; docs/limits.md)
REQUESTS_PER_ACCOUNT = environment.number("REQUESTS_PER_ACCOUNT", 3000, 1, 10_000_000)
"""Requests of an account in a minute, by all its tokens, apps and sessions together."""
REQUESTS_PER_ADDRESS = environment.number("REQUESTS_PER_ADDRESS", 600, 1, 1_000_000)
"""Requests of an address to the API in a minute, without a token."""

# Games of an account (games.play.game_caps)
GAMES_AT_ONCE = environment.number("GAMES_AT_ONCE", 500, 1, 1_000_000)
"""Games, open or running, in which an account may sit."""
OPEN_GAMES = environment.number("OPEN_GAMES", 50, 1, 1_000_000)
"""Games that have not begun, in which an account may sit."""
OPEN_GAMES_HOSTED = environment.number("OPEN_GAMES_HOSTED", 20, 1, 1_000_000)
"""Games that have not begun, which an account may host."""
GAMES_PER_HOUR = environment.number("GAMES_PER_HOUR", 60, 1, 10_000_000)
"""Games that an account may create in an hour, a third of them at the same time. It may join as many."""
GAMES_PER_DAY = environment.number("GAMES_PER_DAY", 300, 1, 10_000_000)
ARENA_GAMES_PER_HOUR = environment.number("ARENA_GAMES_PER_HOUR", 60, 0, 100_000)
"""Games that begin in the arena of bot accounts in an hour. With 0 there is no arena."""

ALLAUTH_TRUSTED_PROXY_COUNT = environment.number("TRUSTED_PROXIES", 0, 0, 10)
"""Our own proxies in front of the web server. Each of them adds to X-Forwarded-For."""

CONNECTIONS = environment.number("CONNECTIONS", 4000, 10, 1_000_000)
"""Open connections of each listening process."""
CONNECTIONS_PER_ADDRESS = environment.number("CONNECTIONS_PER_ADDRESS", 100, 1, 1_000_000)
"""Open connections of an IPv4 address or IPv6 /64. Networks may have more (``accounts.rate_limits.SHARES``)."""
REQUESTS_AT_ONCE_PER_ADDRESS = environment.number("REQUESTS_AT_ONCE_PER_ADDRESS", 50, 1, 1_000_000)
"""Requests of an address in progress. Most of them wait for a thread."""

WEB_THREADS = 16
"""Threads for requests. A request with ``Prefer: wait`` holds one, so at most half of them may wait."""
WEB_THREADS_PER_NETWORK = 4
"""Threads of one network (IPv4 /24, IPv6 /48) for requests that do not wait. The others are left for other networks."""

SIGN_UP = environment.one_of("SIGN_UP", ("open", "invitation", "closed"))
"""Accounts are for all visitors, for people invited to a game, or only made by the operator."""

MAINTENANCE = environment.flag("MAINTENANCE")
"""True during maintenance: everything can be read and nothing changed. Workers do nothing."""
BANNER = {"en": environment.line("BANNER_EN", 300), "fa": environment.line("BANNER_FA", 300)}
"""A sentence at the top of each page, by language. Blank for none."""

# Application
INSTALLED_APPS = [
    # Our own apps come first, because Django uses the first template or translation that it finds.
    "accounts",
    "notifications",
    "games",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.idp.oidc",
    "corsheaders",
    "knox",
    "rest_framework",
    "drf_standardized_errors",
    "drf_spectacular",
    *packages(),
]
MIDDLEWARE = [
    "config.server.problems.time_limit_middleware",
    "config.server.request_log.request_log_middleware",
    "config.server.headers.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "accounts.security_log.security_log_middleware",
    "config.server.middleware.BodyLimits",
    "corsheaders.middleware.CorsMiddleware",
    "config.server.static_files.StaticFiles",
    "config.server.middleware.language_middleware",
    "config.server.middleware.maintenance_middleware",
    "config.server.middleware.SlashRedirects",
    "config.server.middleware.begin_page_middleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.server.middleware.Sessions",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.web.requests.reader_middleware",
    "accounts.authentication.sessions.second_factor_middleware",
    "config.server.middleware.GuestAccess",
    "config.server.middleware.end_page_middleware",
    "config.server.middleware.RateLimits",
    "config.server.middleware.StorablePaths",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.server.static_files.public_url",
                "config.server.middleware.banner",
                "config.server.page_stream.event_stream",
                "games.pages.home.waiting_count",
            ]
        },
    }
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Database, cache and broker: those named in the environment, otherwise the embedded ones
EMBEDDED_DATABASE = postgres.ServerPaths.in_data_dir(DATA_DIR)
DATABASE_URL = environment.database("DATABASE_URL")
DIRECT_DATABASE = connections.direct_description(DATABASE_URL, environment.database("DIRECT_DATABASE_URL"))
"""The connection that bypasses the pooler, if DATABASE_URL is the address of one."""
_POOLED = DIRECT_DATABASE is not None
DATABASES = {"default": connections.description(DATABASE_URL or EMBEDDED_DATABASE.connection(), pooled=_POOLED)}
if _REPLICA := environment.database("REPLICA_URL"):
    DATABASES[connections.REPLICA] = connections.description(_REPLICA, pooled=_POOLED)
    DATABASE_ROUTERS = ["config.core.database.replica.ReplicaRouter"]
DISKS = [DATA_DIR, *([] if DATABASE_URL else [EMBEDDED_DATABASE.home])]
"""Folders whose disks should have free space."""
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "KEY_FUNCTION": "config.core.database.shared_values.hashed",
        # The cache holds rate limits and codes, so it must not overflow easily.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # The moves of open questions, already encoded (games.api.questions): 1 to 4 kB each.
    "questions": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "questions",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 5000},
    },
}

BROKER_URL = environment.broker("BROKER_URL")
CELERY_BROKER_URL = BROKER_URL or "folder://localhost//"
BROKER_TRANSPORTS = {"folder": "config.server.folder_broker:Transport"}
"""Broker transports that Celery does not know, by the scheme of their URL."""
CELERY_IMPORTS = [
    "accounts.tasks",
    "games.tasks",
    "games.mail.tasks",
    "notifications.tasks",
    "notifications.tasks",
]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # unlimited
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0}
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, str | int] = {}
if not BROKER_URL:
    QUEUE_DIR = DATA_DIR / "queue"
    QUEUE_DIR.mkdir(mode=0o700, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {"folder": str(QUEUE_DIR)}
elif CELERY_BROKER_URL.startswith("redis"):
    # Without these, the tasks of a killed worker come back only after about 100 seconds.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"unacked_restore_interval": 5, "unacked_restore_throttle": 1}
    # A Redis that hangs accepts connections and does not answer.
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"socket_timeout": 5, "socket_connect_timeout": 2}
elif CELERY_BROKER_URL.startswith("amqp"):
    # With acknowledgements, the threads of a worker would write to one connection and mix their frames. A message that
    # is older than a minute is useless, because a tick has found its work.
    CELERY_TASK_DEFAULT_QUEUE = "darbar"
    CELERY_TASK_QUEUES = [import_string("kombu.Queue")(CELERY_TASK_DEFAULT_QUEUE, no_ack=True, message_ttl=60)]
    CELERY_WORKER_ENABLE_PREFETCH_COUNT_REDUCTION = False

# Mail
_MAIL = environment.mail("EMAIL_URL")
MAILBOX = not _MAIL and ON_LOOPBACK
"""True if the page with all emails exists: only if no email is sent and only this machine can reach the server."""
EMAIL_BACKEND = _MAIL.get("EMAIL_BACKEND", "django.core.mail.backends.dummy.EmailBackend")
EMAIL_HOST = _MAIL.get("EMAIL_HOST", "localhost")
EMAIL_PORT = _MAIL.get("EMAIL_PORT", 25)
EMAIL_HOST_USER = _MAIL.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _MAIL.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _MAIL.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = _MAIL.get("EMAIL_FILE_PATH")
EMAIL_TIMEOUT = 30
QUESTION_EMAILS_APART = timedelta(seconds=environment.number("QUESTION_EMAILS_APART", 300, 0, 3600))
"""The shortest time between two emails with questions of a game, unless their reader answers by email."""
KEEP_EMAILS = timedelta(days=environment.number("KEEP_EMAILS", 30, 7, 3650))
"""The time for which the content of notifications is kept. The record of their delivery stays."""
KEEP_SIGHTINGS = timedelta(days=environment.number("KEEP_SIGHTINGS", 14, 0, 90))
"""The time for which hashes of the browsers and networks of accounts are kept for moderators. 0 keeps none."""
ARCHIVE_GAMES_AFTER = timedelta(days=environment.number("ARCHIVE_GAMES_AFTER", 30, 1, 3650))
"""The time after the end of a game at which its log becomes one compressed row."""
MAIL_DOMAIN = environment.domain("MAIL_DOMAIN", urlsplit(PUBLIC_URL).hostname)
AUTHENTICATION_SERVER = environment.server("AUTHENTICATION_SERVER")
"""The name under which our mail server writes Authentication-Results. If blank, these headers are not trusted."""
DKIM_KEY = environment.signing_key("DKIM_KEY")
"""The private key that signs our emails, as PEM. Empty if the server in EMAIL_URL signs."""
DKIM_SELECTOR = environment.label("DKIM_SELECTOR", "darbar")
"""The name of that key in the DNS: its public half is at SELECTOR._domainkey.MAIL_DOMAIN."""
MAIL_RELAYS = environment.networks("MAIL_RELAYS")
"""Mail servers that forward mail to us by SMTP. They have no quota."""
MAILS_PER_ADDRESS = environment.number("MAILS_PER_ADDRESS", 1000, 1, 10_000_000)
"""Emails by SMTP that an address may send in an hour, with 64 KiB for each. Its network may send five times as much."""
MAIL_WEBHOOKS = environment.mail_webhooks()
"""The secrets that authenticate the requests of mail providers. Without a secret, a provider is refused."""
MANDRILL_WEBHOOK_URL = f"{PUBLIC_URL}/anymail/mandrill/"
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
"""Bytes. A mail provider sends a whole email of up to 10 MiB, and a third more for its encoding. All other requests
are smaller (``config.server.middleware``)."""
OPERATOR_EMAIL = environment.mail_address("OPERATOR_EMAIL")
"""The address that is notified of work that was set aside. If blank, only the log has it."""
DEFAULT_FROM_EMAIL = f"Darbar <darbar@{MAIL_DOMAIN}>"
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# Requests to addresses that people enter: webhooks and pushes
SANDBOX = environment.flag("SANDBOX")
"""True if this server is a sandbox for authors of programs (``games.play.sandbox``), without real games."""
OUTGOING_LOOPBACK = SANDBOX or environment.flag("OUTGOING_LOOPBACK")
"""True if webhooks may also call this machine itself over plain HTTP, for trials."""
CHANNELS = environment.some_of(
    "CHANNELS",
    sorted(
        file.stem
        for file in BASE_DIR.glob("notifications/channels/*.py")
        if file.stem not in ("__init__", "base", "registry")
    ),
)
"""The notification channels that people may choose. Email is always available."""
TELEGRAM_SERVER = environment.public_url("TELEGRAM_SERVER", "https://api.telegram.org")
"""The address of Telegram's bot API."""
BEACON_URL = environment.addresses("BEACON_URL")
"""Sources of the public beacon that protects deals, with the hash of its chain. Empty for no beacon."""
BEACON_KEY = environment.digits("BEACON_KEY", 192)
"""The public key of the beacon, in hexadecimal. If blank, that of drand's quicknet."""
TIMESTAMP_URL = environment.addresses("TIMESTAMP_URL")
"""Authorities (RFC 3161) that stamp the heads of all games once a day, in turn. Empty for no stamps."""
TIMESTAMP_AUTHORITIES = environment.certificates("TIMESTAMP_AUTHORITIES")
"""The certificates of trusted authorities. If empty, the signatures are not checked here."""
VAPID_KEY = environment.push_key("VAPID_KEY", DATA_DIR / "vapid-key")

# Accounts and tokens
AUTH_USER_MODEL = "accounts.Account"
# The modules that export and delete the data of an account, in this order.
ACCOUNT_DATA_PROVIDERS = ["games.account_data", "notifications.account_data", "accounts.account_data"]
# The channels to webhooks and group chats, by their names in the outbox.
ENDPOINT_CHANNELS = {
    "webhooks": "notifications.webhooks.MESSAGES",
    "game-chats": "games.announcements.table_channels.MESSAGES",
    "club-chats": "games.tournaments.club_posts.MESSAGES",
}
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "accounts.credentials.MinimumLengthValidator",
        "accounts.credentials.ContextWordsValidator",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
        "django.contrib.auth.password_validation.NumericPasswordValidator",
    )
]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"  # accounts.authentication.sign_up does it
ACCOUNT_ADAPTER = "accounts.authentication.adapter.AccountAdapter"
# Limits of one sender. accounts.rate_limits has the limits of attempts for one address.
ACCOUNT_RATE_LIMITS = {"login_failed": None, "reset_password": "20/m/ip"}
ACCOUNT_RATE_LIMITS |= {"deletion": "10/h/key", "deletion_code": "5/h/key"}
CODE_MAILS_PER_NETWORK = environment.number("CODE_MAILS_PER_NETWORK", 100, 1, 1_000_000)
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
MFA_ADAPTER = "accounts.second_factors.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1
"""The previous and the next code are accepted too, because the clocks of phones differ."""
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "pages:home"
KNOX_TOKEN_MODEL = "accounts.Token"
# Knox's migrations would create the table of the model that ours replaces.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"AUTH_HEADER_PREFIX": "Bearer", "TOKEN_TTL": None, "TOKEN_PREFIX": "darbar_"}

# Third-party apps: OAuth 2 with codes and PKCE. Tokens are stored as hashes. A refresh token works once, for 90 days.
IDP_OIDC_ADAPTER = "accounts.oauth.adapter.OAuthAdapter"
IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN = 60 * 60
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = 90 * 24 * 60 * 60
APPS_REGISTER_THEMSELVES = environment.flag("APPS_REGISTER_THEMSELVES")
"""True if an app may register itself, without an account (``accounts.oauth.registration``)."""

# Programs in browsers may call the API from every page, with a token and never with a cookie.
CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/(api/|oauth/(token|revoke|register)$|\.well-known/oauth-)"
CORS_ALLOW_HEADERS = [*default_headers, "idempotency-key", "if-none-match", "last-event-id", "prefer"]
CORS_EXPOSE_HEADERS = [
    "Content-Disposition",
    "Deprecation",
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Sunset",
    "WWW-Authenticate",
    "X-Request-ID",
]

# API
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.tokens.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["accounts.tokens.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["config.server.rate_limits.RequestThrottle"],
    "DEFAULT_METADATA_CLASS": "config.server.json_documents.NoMetadata",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.server.json_documents.ShallowJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "config.server.api_description.component_names.OperationSchema",
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
}
DRF_STANDARDIZED_ERRORS = {
    "EXCEPTION_HANDLER_CLASS": "config.server.problems.ProblemHandler",
    "EXCEPTION_FORMATTER_CLASS": "config.server.problems.ProblemFormatter",
}
SPECTACULAR_SETTINGS = spectacular.SETTINGS

# Language and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fa", "فارسی")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files: see config/server/static_files.py
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "config" / "static"]
DOCUMENTS = BASE_DIR / "config" / "server" / "documents" / "site"
"""The folder of the documents site, if it was built (config.server.documents)."""
BUILD_DOCUMENTS = environment.flag("BUILD_DOCUMENTS", True)
"""Build the documents site of a checkout after its start, if it is missing."""
API_FOLDER = DATA_DIR / "api"
"""The folder with the OpenAPI document."""
STATIC_FOLDER = DATA_DIR / "static"
"""The folder into which static files are collected."""
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.server.static_files.storage"},
}

ACCESS_LOG = environment.flag("ACCESS_LOG")
"""True if every request is logged."""
if SENTRY_DSN := environment.sentry_dsn("SENTRY_DSN"):
    import_string("config.server.error_reports.begin")(SENTRY_DSN)
if TRACES_URL := environment.collector("TRACES_URL"):
    import_string("config.server.trace_export.begin")(TRACES_URL)
LOG_FORMAT = environment.one_of("LOG_FORMAT", ("line", "json"))
LOGGING = logs.configuration(LOG_FORMAT, environment.one_of("LOG_LEVEL", ("info", "debug")))

MISSPELT_SETTINGS = environment.misspelt_names()
"""Variables that are one letter away from a setting above, each with the name of that setting."""
