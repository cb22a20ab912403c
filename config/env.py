"""Read environment variables as typed values, or refuse them with a sentence.

An empty variable counts as not set, because that is the meaning of ``VARIABLE=`` in a compose file.
Each name read here is explained in docs/operations/settings.md; tests/test_docs.py compares the
two.
"""

import contextlib
import os
import re
import secrets
from collections.abc import Collection, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ImproperlyConfigured

from config.terminal import of_file

YES = frozenset({"1", "true", "yes", "on"})
NO = frozenset({"0", "false", "no", "off"})

# Allowed options after the question mark of a postgresql:// address; they are passed to libpq
# unchanged.
POSTGRES_OPTIONS = frozenset(
    {"host", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout", "application_name"}
)
DATABASE_ADDRESS = "sqlite:///file.sqlite3 or postgresql://user:password@host:port/name"
POSTGRESQL = "django.db.backends.postgresql"
ORIGIN = r"https?://[^/?#\s]+"
SQLITE_TIMEOUT = 20  # seconds that a writer waits for another one
# Variables whose value may be in a file instead, which NAME_FILE names: the secrets of containers
# and of systemd.
IN_FILES = frozenset(
    [
        "SECRET_KEY",
        "SWISS_SIGNING_KEY",
        "DATABASE_URL",
        "POSTGRES_PASSWORD",
        "EMAIL_URL",
        "SWISS_ADMIN_PASSWORD",
        "SWISS_METRICS_TOKEN",
    ]
)


class SettingError(ImproperlyConfigured):
    """An environment variable that cannot be used: its name, its value and what is expected."""


class Environment:
    """Read typed values from *values*; by default ``os.environ``."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = os.environ if values is None else values

    def text(self, name: str, default: str = "") -> str:
        """Return the text of *name*, without surrounding white space.

        For the names in :data:`IN_FILES` it may be in the file that ``NAME_FILE`` names. Raise
        :class:`SettingError` if that file cannot be read or has not one line, and if both variables
        are set.
        """
        text = self._values.get(name, "").strip()
        if name in IN_FILES and (path := self._values.get(f"{name}_FILE", "").strip()):
            if text:
                raise SettingError(
                    f"The environment variables {name} and {name}_FILE are both set; keep only one."
                )
            return _secret_in(path, f"{name}_FILE")
        return text or default

    def source_of(self, name: str) -> str:
        """Return what a person must change for *name*: the variable, or the file with its value."""
        path = self._values.get(f"{name}_FILE", "").strip() if name in IN_FILES else ""
        return f"{name}_FILE (file {path})" if path else name

    def flag(self, name: str, *, default: bool) -> bool:
        """Return True or False.

        Raise :class:`SettingError` for anything but 1/true/yes/on and 0/false/no/off.
        """
        text = self.text(name).lower()
        if not text:
            return default
        if text in YES:
            return True
        if text in NO:
            return False
        raise refusal(name, text, "yes or no (1, true, yes, on / 0, false, no, off)")

    def whole_number(self, name: str, *, default: int, minimum: int, maximum: int) -> int:
        """Return a whole number from *minimum* to *maximum*, both included; raise
        :class:`SettingError` otherwise.
        """
        text = self.text(name)
        if not text:
            return default
        expected = f"a whole number from {minimum} to {maximum}"
        if not (text.isascii() and text.removeprefix("-").isdigit()):
            raise refusal(name, text, expected)
        number = int(text)
        if not minimum <= number <= maximum:
            raise refusal(name, text, expected)
        return number

    def choice(self, name: str, *, default: str, choices: Collection[str]) -> str:
        """Return one of *choices*; raise :class:`SettingError` for anything else."""
        text = self.text(name, default)
        if text not in choices:
            raise refusal(name, text, "one of " + ", ".join(sorted(choices)))
        return text

    def words(self, name: str, *, default: Collection[str] = ()) -> list[str]:
        """Return the parts of a list separated by commas, without empty ones."""
        return [word for part in self.text(name).split(",") if (word := part.strip())] or list(
            default
        )

    def hosts(self, name: str, *, default: Collection[str]) -> list[str]:
        """Return host names for ``ALLOWED_HOSTS``: bare names without scheme, port or path."""
        hosts = self.words(name, default=default)
        for host in hosts:
            if "/" in host or host.count(":") == 1 or " " in host:
                raise refusal(
                    name,
                    host,
                    "host names alone: chess.example.org,192.168.1.5 (no http://, no port)",
                )
            if host == "*":
                raise refusal(
                    name,
                    host,
                    "the names of this site; * would let anybody forge the address of a page",
                )
        return hosts

    def networks(self, name: str) -> list[IPv4Network | IPv6Network]:
        """Return networks such as 127.0.0.1 and 10.0.0.0/8; :class:`SettingError` otherwise."""
        found = []
        for word in self.words(name):
            try:
                found.append(ip_network(word))
            except ValueError:
                raise refusal(name, word, "addresses or networks: 127.0.0.1,10.0.0.0/8") from None
        return found

    def token(self, name: str) -> str:
        """Return a secret of at least 20 characters, or an empty text;
        raise :class:`SettingError` if it is shorter.
        """
        text = self.text(name)
        if text and len(text) < 20:
            raise refusal(self.source_of(name), None, "at least 20 characters nobody can guess")
        return text

    def push_services(self, name: str) -> list[str]:
        """Return hosts of push services, and whole origins that may be in the own network."""
        found = self.words(name)
        for word in found:
            if not re.fullmatch(rf"(\*\.)?[a-z0-9.-]+\.[a-z0-9-]+|{ORIGIN}", word):
                raise refusal(name, word, "hosts such as push.example.org or *.push.example.org")
        return found

    def origins(self, name: str) -> list[str]:
        """Return origins for ``CSRF_TRUSTED_ORIGINS``: scheme, host, optional port, no more."""
        origins = self.words(name)
        for origin in origins:
            if not re.fullmatch(ORIGIN, origin):
                raise refusal(
                    name, origin, "addresses such as https://chess.example.org, without a path"
                )
        return origins

    def origin(self, name: str) -> str:
        """Return one origin, or an empty text."""
        text = self.text(name).rstrip("/")
        if text and not re.fullmatch(ORIGIN, text):
            raise refusal(
                name, text, "an address such as https://chess.example.org, without a path"
            )
        return text

    def time_zone(self, name: str, *, default: str) -> str:
        """Return a time zone by its IANA name, such as Europe/Paris."""
        text = self.text(name, default)
        try:
            ZoneInfo(text)
        except (KeyError, ValueError, OSError):
            raise refusal(
                name, text, "a time zone by its IANA name, such as Europe/Paris"
            ) from None
        return text

    def folder(self, name: str, *, default: Path) -> Path:
        """Return a folder; if it does not exist, make it for its owner only."""
        path = Path(self.text(name, str(default))).expanduser().absolute()
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise refusal(
                name, str(path), f"a folder that can be made and written ({error.strerror})"
            ) from error
        return path

    def file(self, name: str) -> Path | None:
        """Return a file in a folder that exists; None if *name* is not set.

        A new one is its owner's only.
        """
        if not (text := self.text(name)):
            return None
        path = Path(text).expanduser().absolute()
        if not path.parent.is_dir() or path.is_dir():
            raise refusal(name, str(path), "a file in a folder that exists")
        with contextlib.suppress(OSError):  # A later reader of the file finds out.
            path.touch(mode=0o600)
        return path

    def secret_key(self, name: str, *, key_file: Path | None) -> str:
        """Return the key that signs sessions, from the variable or from the file *key_file*,
        which is made on first use.

        Raise :class:`SettingError` if the variable is too short for a secret, or if it is empty and
        there is no file to keep a key in (production).
        """
        text = self.text(name)
        if text:
            if len(text) < 50:
                raise refusal(self.source_of(name), None, "at least 50 characters nobody can guess")
            return text
        if key_file is None:
            raise refusal(
                name,
                None,
                "a key of at least 50 characters, kept secret: production makes none by itself",
            )
        try:
            return stored_secret(key_file, secrets.token_urlsafe(64))
        except OSError as error:
            raise SettingError(
                of_file(error, key_file) or f"{key_file} cannot be used: {error}."
            ) from error

    def signing_key(self, name: str) -> str:
        """Return a private Ed25519 key: 64 hexadecimal digits, or empty.

        Raise :class:`SettingError`.
        """
        text = self.text(name).lower()
        if text and not re.fullmatch("[0-9a-f]{64}", text):
            raise refusal(self.source_of(name), None, "64 hexadecimal digits, kept secret")
        return text

    def mail(self, name: str) -> dict[str, Any]:
        """Return Django's settings for the mail server at the address in *name*,
        with an empty host if it is not set.

        ``smtp://user:password@host:587`` (encrypted by STARTTLS), ``smtps://…:465``, or
        ``smtp-plain://localhost:25``.
        """
        text = self.text(name)
        expected = (
            "smtp://user:password@host:587, smtps://… or smtp-plain://…, special characters as %XX"
        )
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError:
            raise refusal(self.source_of(name), None, expected) from None
        ports = {"smtp": 587, "smtps": 465, "smtp-plain": 25}
        if text and (
            parts.scheme not in ports or not parts.hostname or parts.path.strip("/") or parts.query
        ):
            raise refusal(self.source_of(name), None, expected)
        return {
            "EMAIL_HOST": parts.hostname or "",
            "EMAIL_PORT": port or ports.get(parts.scheme, 25),
            "EMAIL_HOST_USER": unquote(parts.username or ""),
            "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
            "EMAIL_USE_TLS": parts.scheme == "smtp",
            "EMAIL_USE_SSL": parts.scheme == "smtps",
        }

    def database(self, name: str, *, default: str, base_dir: Path) -> dict[str, Any]:
        """Return Django's settings for the database at the address in *name*;
        see :func:`database_from_url`.

        An address of PostgreSQL without a password takes it from ``POSTGRES_PASSWORD``. Raise
        :class:`SettingError` if both have one.
        """
        found = database_from_url(
            self.text(name, default), base_dir=base_dir, name=self.source_of(name)
        )
        if found["ENGINE"] == POSTGRESQL and (password := self.text("POSTGRES_PASSWORD")):
            if found["PASSWORD"]:
                both = f"{self.source_of(name)} and {self.source_of('POSTGRES_PASSWORD')}"
                raise SettingError(
                    f"The environment variables {both} both have a password; keep only one."
                )
            found["PASSWORD"] = password
        return found


def database_from_url(url: str, *, base_dir: Path, name: str = "DATABASE_URL") -> dict[str, Any]:
    """Return Django's settings for the database at *url*.

    ``sqlite:///relative/to/base_dir.sqlite3``, ``sqlite:////absolute.sqlite3``, or
    ``postgresql://user:password@host:port/name?sslmode=require``, with special characters as %XX.
    Raise :class:`SettingError` with the variable *name*, but without the address, because it may
    contain a password.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise refusal(name, None, DATABASE_ADDRESS) from None
    match parts.scheme:
        case "sqlite":
            return _sqlite(parts, base_dir, name)
        case "postgresql" | "postgres":
            return _postgresql(parts, name)
        case _:
            raise refusal(name, None, DATABASE_ADDRESS)


def refusal(name: str, value: str | None, expected: str) -> SettingError:
    """Return the error for the variable *name*; *value* is None if it must not be shown."""
    problem = "cannot be used" if value is None else f"is {value!r}, which cannot be used"
    message = f"The environment variable {name} {problem}; expected: {expected}."
    return SettingError(message)


def _secret_in(path: str, name: str) -> str:
    """Return the one line of the file *path*, named by *name*; its text is in no message."""
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8").strip()
    except OSError as error:
        raise refusal(name, path, f"a file that can be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise refusal(name, path, "a file with text in UTF-8") from None
    if not text or len(text.splitlines()) > 1:
        raise refusal(name, path, f"a file with one line, not {len(text.splitlines())}")
    return text


def _sqlite(parts: SplitResult, base_dir: Path, name: str) -> dict[str, Any]:
    file_name = unquote(parts.path).removeprefix("/")
    if parts.netloc or not file_name or file_name == ":memory:" or parts.query:
        raise refusal(
            name,
            None,
            "sqlite:///file.sqlite3, or sqlite:////folder/file.sqlite3 for an absolute path",
        )
    path = base_dir / file_name
    if not path.parent.is_dir():
        raise refusal(
            name, None, f"a file in a folder that exists; there is no folder {path.parent}"
        )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # Opening the file again for each request would take a third of the time of a cached page.
        "CONN_MAX_AGE": 60,  # seconds
        "OPTIONS": {
            # A transaction takes the write lock when it begins, so two writers wait for each other
            # instead of failing.
            "transaction_mode": "IMMEDIATE",
            "timeout": SQLITE_TIMEOUT,
            # Readers do not wait for the writer (WAL); committed data survive a power cut (FULL). A
            # row removed by INSERT OR REPLACE fires the triggers that protect the record of
            # decisions.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA "
            "recursive_triggers=ON;",
        },
        # A file in tests too; tests/plugins/postgres.py gives each run and each worker its own.
        "TEST": {"NAME": path.with_name("test.sqlite3")},
    }


def _postgresql(parts: SplitResult, name: str) -> dict[str, Any]:
    database = unquote(parts.path).removeprefix("/")
    if not database:
        raise refusal(
            name,
            None,
            "an address that ends in the name of the database: "
            "postgresql://user:password@host/name",
        )
    try:
        port = parts.port
        options = dict(parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
    except ValueError:
        raise refusal(
            name,
            None,
            "postgresql://user:password@host:port/name?option=value, special characters as %XX",
        ) from None
    unknown = sorted(options.keys() - POSTGRES_OPTIONS)
    if unknown:
        raise refusal(
            name,
            None,
            f"of options only {', '.join(sorted(POSTGRES_OPTIONS))}; not {', '.join(unknown)}",
        )
    return {
        "ENGINE": POSTGRESQL,
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,  # seconds
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
        "TEST": {},
    }


def stored_secret(path: Path, fresh: str) -> str:
    """Return the secret in the file *path*; on first use keep the *fresh* one there,
    readable only by its owner.

    Two processes that start at the same time agree: the complete file appears at once (as a link to
    a finished one), and the second process uses the secret of the first.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(fresh)
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def machine_time_zone(clock: Path = Path("/etc/localtime")) -> str:
    """Return the IANA name of the machine's time zone, from the target of the link *clock*;
    UTC if it is unknown.

    On Linux and macOS it is a link into a folder called zoneinfo; Windows and some containers have
    none.
    """
    _, found, name = clock.resolve().as_posix().partition("/zoneinfo/")
    return name if found and name in available_timezones() else "UTC"
