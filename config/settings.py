"""Settings of Swiss Arbiter, from the environment (docs/operations/settings.md explains them).

There are two modes. ``local``, the default, serves plain http at one venue and keeps the key beside
the database. ``production`` serves https only and requires a key.
"""

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from config.env import Environment, machine_time_zone

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"

env = Environment()
PRODUCTION = (
    env.choice("SWISS_MODE", default="local", choices={"local", "production"}) == "production"
)
DATA_DIR = env.folder("SWISS_DATA_DIR", default=BASE_DIR / "var")
TRUST_PROXY = env.flag("SWISS_TRUST_PROXY", default=False)
VENUE_HTTPS = env.flag(
    "SWISS_HTTPS", default=False
)  # the server itself speaks https (tournaments/site/venue)
OWN_ADDRESSES = env.flag("SWISS_OWN_ADDRESSES", default=False)
WORKERS = env.whole_number(
    "WEB_CONCURRENCY", default=2, minimum=1, maximum=64
)  # processes (tournaments/site/server.py)

# Allowed hosts, proxies and browsers
DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret_key("SECRET_KEY", key_file=None if PRODUCTION else DATA_DIR / "secret-key")
# Signs the records; empty: the key in this file, made on first use
SIGNING_KEY = env.signing_key("SWISS_SIGNING_KEY")
SIGNING_KEY_FILE = DATA_DIR / "signing-key"
RATING_LISTS_DIR = (
    DATA_DIR / "rating-lists"
)  # a file for each list (tournaments/lists/rating_lists/list_file.py)
# Whether a rating list may be loaded from an address in the network of the server itself.
RATING_LISTS_FROM_PRIVATE = env.flag("SWISS_PRIVATE_RATING_LISTS", default=False)
# Mirrors (tournaments/site/mirrors): whether they may be in the network of the server itself, and a
# folder for those that another program copies to the web.
MIRRORS_IN_PRIVATE = env.flag("SWISS_PRIVATE_MIRRORS", default=False)
MIRROR_DIR = env.text("SWISS_MIRROR_DIR")
# Whether phones may keep public pages for the time without network (docs/developer/offline.md).
OFFLINE_PAGES = env.flag("SWISS_OFFLINE", default=True)
# Notifications on phones (docs/developer/push.md): whether there are any, the key of the site, and
# push services besides those of the usual browsers.
PUSH = env.flag("SWISS_PUSH", default=True)
PUSH_KEY_FILE = DATA_DIR / "push-key"
PUSH_SERVICES = env.push_services("SWISS_PUSH_SERVICES")
# Copies of the site (tournaments/site/backups): how often the server makes one, and a second folder
# for them.
BACKUP_MINUTES = env.whole_number("SWISS_BACKUP_MINUTES", default=10, minimum=0, maximum=1440)
BACKUP_DIR = env.text("SWISS_BACKUP_DIR")
# Whether the server starts a runner for long work (tournaments/core/runner.py), or leaves it to
# `manage.py work`.
WORK_BY_SERVER = env.flag("SWISS_WORK_BY_SERVER", default=True)
ALLOWED_HOSTS = env.hosts(
    "ALLOWED_HOSTS", default=[] if PRODUCTION else ["127.0.0.1", "localhost", "[::1]"]
)
CSRF_TRUSTED_ORIGINS = env.origins("CSRF_TRUSTED_ORIGINS")
PUBLIC_ADDRESS = env.origin("SWISS_PUBLIC_ADDRESS")  # on printed lists and in shared links

SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [
    "^livez$",
    "^readyz$",
    "^healthz$",
    "^metrics$",
]  # asked for in plain http from inside
SESSION_COOKIE_SECURE = PRODUCTION or VENUE_HTTPS
CSRF_COOKIE_SECURE = PRODUCTION or VENUE_HTTPS
LANGUAGE_COOKIE_SECURE = PRODUCTION or VENUE_HTTPS
SECURE_HSTS_SECONDS = env.whole_number(
    "HSTS_SECONDS", default=30 * 86_400 if PRODUCTION else 0, minimum=0, maximum=2 * 366 * 86_400
)
# Off, because the other names of the domain may belong to somebody else and have no https, and
# browsers remember it.
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.flag("HSTS_SUBDOMAINS", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # They want both on.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUST_PROXY else None
X_FRAME_OPTIONS = "DENY"
# With htmx-config in templates/base.html, htmx needs no inline style and no eval.
CONTENT_SECURITY_POLICY = [
    ("default-src", "'self'"),
    ("img-src", "'self' data:"),
    ("worker-src", "'self'"),
    ("object-src", "'none'"),
    ("base-uri", "'none'"),
    ("form-action", "'self'"),
    ("frame-ancestors", "'none'"),
]
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

# The result form that works without scripts has three fields for each game. 5,000 players, as many
# as a list may have, are 2,500 boards, of two games each in Double-Swiss; every other form has
# fewer. The bytes have limits of their own.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 3 * 2 * 2_500 + 100

# Applications and middleware
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.static_files.UsedFiles",  # django.contrib.staticfiles
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "template_partials",
    "pairing",
    "tournaments",
]
MIDDLEWARE = [
    "tournaments.site.venue.hosts.OwnAddressesMiddleware",
    "config.middleware.ContentSecurityPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.ErrorsAreNotStoredMiddleware",
    "config.middleware.PagesOnlyInSearchMiddleware",
    "config.middleware.CrossOriginReadsMiddleware",
    "tournaments.web.front.PublicPagesFirstMiddleware",
    "config.middleware.WithoutSessionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "tournaments.web.language.ArbiterLanguageMiddleware",
    "config.middleware.Utf8OnlyMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tournaments.people.accounts.sessions.SharedComputerMiddleware",
    "tournaments.web.people.accounts.log_in.KnownBrowserMiddleware",
    "tournaments.web.people.accounts.log_in.SignedInMarkMiddleware",
    "axes.middleware.AxesMiddleware",
]
MESSAGE_STORAGE = "tournaments.core.message_lines.LineStorage"
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "template_partials.loader.Loader",
                    [
                        (
                            "django.template.loaders.cached.Loader",
                            [
                                "config.template_loader.Loader",
                                "django.template.loaders.app_directories.Loader",
                            ],
                        ),
                    ],
                ),
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            # Django looks for libraries in the root of an app only.
            "libraries": {
                path.stem: f"tournaments.web.templatetags.{path.stem}"
                for path in sorted((BASE_DIR / "tournaments/web/templatetags").glob("[a-z]*.py"))
            },
        },
    },
]

DATABASES = {
    "default": env.database(
        "DATABASE_URL",
        default=f"sqlite:///{quote(str(DATA_DIR))}/swiss-arbiter.sqlite3",
        base_dir=BASE_DIR,
    ),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Counters, in the memory of each worker. Pages are in files (tournaments/core/page_store.py).
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "counters",
        "OPTIONS": {"MAX_ENTRIES": 2_500},
    },
}
PAGES_DIR = DATA_DIR / "pages"

# The people allowed to replace the rating lists, which serve the whole site.
RATING_LISTS_BY_ARBITERS = (
    env.choice(
        "SWISS_RATING_LISTS", default="administrators", choices={"administrators", "arbiters"}
    )
    == "arbiters"
)

# Accounts
SESSION_ENGINE = "tournaments.people.accounts.store"
IDLE_MINUTES = env.whole_number(
    "SWISS_IDLE_MINUTES", default=30, minimum=1, maximum=1440
)  # on shared computers
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
    "tournaments.people.sign_in.LinkBackend",  # the sessions that a link opened
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "tournaments.web.people.accounts.log_in.EndOfWaiting"},
]
OTP_TOTP_ISSUER = "Swiss Arbiter"
PASSWORD_RESET_TIMEOUT = 86_400  # seconds: a link for a new password holds for a day
# Ten wrong passwords for one name cause a pause of fifteen minutes;
# tournaments/web/people/accounts/log_in.py decides which count together.
AXES_HANDLER = "tournaments.web.people.accounts.log_in.SignInHandler"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = (
    False  # Otherwise anybody could extend the pause for ever.
)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "config.middleware.client_address"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ACCESS_FAILURE_LOG = (
    True  # for a day, tournaments/web/people/accounts/log_in.py: the slow limit for each name
)
AXES_VERBOSE = False
AXES_LOCKOUT_CALLABLE = "tournaments.web.people.accounts.log_in.locked"

# Days from the final report to the deletion of personal data, unless a tournament says otherwise;
# None: never.
KEEP_PERSONAL_DATA_DAYS = (
    env.whole_number("SWISS_KEEP_PERSONAL_DATA_DAYS", default=0, minimum=0, maximum=3650)
    if env.text("SWISS_KEEP_PERSONAL_DATA_DAYS")
    else None
)

# E-mail: the links of registrations, if there is a server for it.
_MAIL = env.mail("EMAIL_URL")
EMAIL_HOST, EMAIL_PORT = _MAIL["EMAIL_HOST"], _MAIL["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _MAIL["EMAIL_HOST_USER"], _MAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _MAIL["EMAIL_USE_TLS"], _MAIL["EMAIL_USE_SSL"]
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = env.text("EMAIL_FROM", "arbiter@localhost")

# Languages and time
# Public pages are in all languages, each with its own name; the arbiter's area is in two.
LANGUAGES = [
    ("en", "English"),
    ("fr", "Français"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("pt", "Português"),
    ("uk", "Українська"),
]
ARBITER_LANGUAGES = ("en", "fr")
LANGUAGE_CODE = env.choice(
    "LANGUAGE_CODE", default="en", choices={code for code, _name in LANGUAGES}
)
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
# At a venue the laptop shows the local time; a server may be in any time zone.
TIME_ZONE = env.time_zone("TIME_ZONE", default="UTC" if PRODUCTION else machine_time_zone())

# Files that never change within a version
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [
    BASE_DIR / "static",
    ("help", BASE_DIR / "docs" / "img"),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_files.Storage",
    },
}

# REST
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tournaments.api.parsers.NestedJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 100,
    "EXCEPTION_HANDLER": "tournaments.api.errors.answer",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Swiss Arbiter",
    "DESCRIPTION": "Implements the FIDE Dutch System 2026; not endorsed.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # Two fields each use these choices; without a name the schema would get one from a checksum.
    "ENUM_NAME_OVERRIDES": {
        "GameResultEnum": "tournaments.api.serializers.GAME_RESULTS",
        "OutcomeEnum": "tournaments.api.tables.OUTCOMES",
    },
}

# Log to stderr, and to a file if there is one
ACCESS_LOG = env.choice(
    "SWISS_ACCESS_LOG", default="no", choices={"no", "short", "whole"}
)  # config/request_log.py
LOG_FILE = env.file("LOG_FILE")
LOG_FILE_BYTES = env.whole_number("LOG_FILE_MB", default=10, minimum=1, maximum=10_000) * 1_000_000
# The readers of /metrics (tournaments/site/metrics_page.py); without either there is no page and
# nothing is counted.
METRICS_FROM = env.networks("SWISS_METRICS_FROM")
METRICS_TOKEN = env.token("SWISS_METRICS_TOKEN")
_FORMATTER = env.choice("LOG_FORMAT", default="text", choices={"text", "json"})
_FILTERS = ["without_secrets", "with_request"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"text": {"()": "config.log.Text"}, "json": {"()": "config.log.Json"}},
    "filters": {
        "one_line": {"()": "config.log.OneLine"},
        "without_secrets": {"()": "config.log.WithoutSecrets"},
        "with_request": {"()": "config.log.WithRequest"},
        "reason": {"()": "config.unavailable.ReasonInOneLine"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": _FORMATTER, "filters": _FILTERS},
        "file": {
            "class": "config.log_file.SharedFile",
            "filename": LOG_FILE or os.devnull,  # Without a file no logger uses it.
            "delay": True,
            "encoding": "utf-8",
            "errors": "backslashreplace",
            "formatter": _FORMATTER,
            "filters": _FILTERS,
        },
    },
    "root": {
        "handlers": ["stderr", "file"] if LOG_FILE else ["stderr"],
        "level": env.choice(
            "LOG_LEVEL", default="INFO", choices={"DEBUG", "INFO", "WARNING", "ERROR"}
        ),
    },
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.request": {"filters": ["reason"]},
        "pairing.rounds.clock_watch": {"filters": ["reason"]},
        "django.server": {"handlers": [], "propagate": True},
        "django.security.DisallowedHost": {"filters": ["one_line"]},  # The sentence is enough.
        "waitress.queue": {
            "level": "ERROR"
        },  # One line for each request that waits a moment is too much.
        "axes": {
            "level": "ERROR"
        },  # tournaments.web.people.accounts.log_in writes a readable line.
        "fido2": {"level": "WARNING"},  # So does tournaments.people.accounts.passkeys.
    },
}
