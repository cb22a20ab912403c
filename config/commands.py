"""The commands of ``manage.py`` as a person meets them: sentences without names of classes."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

from django.core.management import ManagementUtility, call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser, SystemCheckError

from config.data_folder import data_folder, is_without_site, no_site, nothing_left_without_site
from config.env import Environment
from config.terminal import NOTHING_CHANGED, RefusedError

SHORT: Final = {"backup": "backup", "restore": "restore", "verify_site": "verify"}
"""The commands that ``./run`` starts under a name of its own."""
WITHOUT_SITE: Final = frozenset(
    {
        "check", "collectstatic", "compare_records", "compilemessages", "diffsettings", "findstatic",
        "generateschema", "help", "import_event", "makemessages", "makemigrations", "migrate", "optimizemigration",
        "prepare_copy", "restore", "sendtestemail", "showmigrations", "spectacular", "sqlmigrate",
        "shell", "sqlsequencereset", "squashmigrations", "startapp", "startproject", "test", "testserver", "upgrade",
        "version",
    }
)  # fmt: skip
"""Commands that make a site or need none. All others are refused where there is none."""
RENDERS: Final = frozenset(
    ["delete_personal_data", "demo", "import_event", "mirror", "publish_due", "work"]
)
"""Commands that make pages, and therefore need the collected static files."""
ASKS: Final = frozenset(["changepassword", "createsuperuser", "flush", "remove_stale_contenttypes"])
"""Commands that ask in the terminal, where Ctrl+D ends them like Ctrl+C."""
PARTS_STAY: Final = "Interrupted. What was saved before that stays."
CHANGES_NOTHING: Final = frozenset(
    {
        *ASKS, "backup", "check", "compare_records", "export_event", "prepare_copy", "restore", "venue_check",
        "verify_record", "verify_site",
    }
)  # fmt: skip
"""Commands that leave everything as it was if Ctrl+C ends them;
what they cannot undo they do not let interrupt.
"""
PASSWORDS: Final = frozenset(["changepassword", "createsuperuser"])
RULE_OF_PASSWORDS: Final = (
    "  At least ten characters, no common password, not only digits, nothing like the name."
)
"""What a person reads before a password is typed; the forms say the same
(tournaments/people/accounts/forms.py).
"""
INTERRUPTED: Final = {
    "demo": "Interrupted. What was played so far stays; start again to go on.",
    "upgrade": "Interrupted. No data were changed or lost; start again when you like.",
    **dict.fromkeys(CHANGES_NOTHING, NOTHING_CHANGED),
}


def execute(arguments: list[str]) -> None:
    """Do the command in *arguments*, those of the process.

    Raise what :func:`~config.terminal.in_words` knows.
    """
    name = (*arguments, "help")[1]
    if _needs_site(name, arguments[2:]) and is_without_site():
        raise RefusedError(no_site(_place()))
    try:
        with nothing_left_without_site():
            Commands(arguments).execute()
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(str(error) or INTERRUPTED.get(name, PARTS_STAY)) from error


def _needs_site(name: str, rest: list[str]) -> bool:
    if name in WITHOUT_SITE or name.startswith("-") or {"-h", "--help"} & {*rest}:
        return False
    # “verify FILE” needs the file alone; a number belongs to --seconds.
    return name != "verify_site" or all(re.fullmatch(r"-.*|[\d.]+", text) for text in rest)


def _place() -> str:
    return (
        "the database of DATABASE_URL" if Environment().text("DATABASE_URL") else str(data_folder())
    )


class Commands(ManagementUtility):
    """Django's commands; errors come without the usage of all options and ``CommandError:``."""

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        self.prog_name = "./run manage"

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command = super().fetch_command(subcommand)
        command.create_parser = partial(_parser, command.create_parser)  # type: ignore[method-assign]
        command.execute = partial(_execute, subcommand, command.execute)  # type: ignore[method-assign]
        return command


def _parser(make: Any, /, prog_name: str, subcommand: str, **options: Any) -> CommandParser:
    parser: CommandParser = make(prog_name, subcommand, **options)
    parser.prog = (
        f"./run {SHORT[subcommand]}" if subcommand in SHORT else f"./run manage {subcommand}"
    )
    parser.error = partial(_refuse, parser.prog)  # type: ignore[method-assign]
    return parser


def _refuse(program: str, message: str) -> NoReturn:
    raise RefusedError(
        f"{message[:1].upper()}{message[1:]}. {program} --help explains the command.", code=2
    )


def _execute(name: str, execute: Any, /, *arguments: Any, **options: Any) -> Any:
    if name in RENDERS:
        collect_if_missing()
    if name in PASSWORDS and sys.stdin.isatty():
        print(RULE_OF_PASSWORDS)
    try:
        return execute(*arguments, **options)
    except SystemCheckError:
        raise
    except CommandError as error:
        if options.get("traceback"):
            raise
        raise RefusedError(str(error), error.returncode) from error
    except EOFError:
        if name not in ASKS:
            raise
        raise KeyboardInterrupt from None


def collect_if_missing() -> None:
    """Collect the static files if that was never done: pages need the names of their styles."""
    from django.conf import settings

    if not settings.DEBUG and not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        call_command("collectstatic", interactive=False, verbosity=0)
