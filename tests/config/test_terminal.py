"""What a person on the terminal reads when a command ends early:
one sentence, without a traceback.
"""

from __future__ import annotations

import errno
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.core.management.base import CommandError
from django.db import OperationalError

from config import terminal
from config.commands import RULE_OF_PASSWORDS, WITHOUT_SITE, Commands, _execute, execute
from config.env import Environment, SettingError
from config.first_account import _typed
from config.terminal import RefusedError, in_words, sentence, uninterrupted

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]


def run(folder: Path, *arguments: object, **more: object) -> subprocess.CompletedProcess[str]:
    kept = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("DATABASE_URL", "SWISS_"))
    }
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*MANAGE, *map(str, arguments)],
        env={**kept, "SWISS_DATA_DIR": str(folder), **more.pop("environment", {})},  # type: ignore[dict-item]
        capture_output=True,
        text=True,
        **more,
    )


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Ctrl+C has its usual effect, also if the tests run in the background,
    and again after the test.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted() -> int:
    raise KeyboardInterrupt


def knows_better() -> int:
    raise KeyboardInterrupt("Interrupted. The copy was not checked.")


@pytest.mark.parametrize(
    "work, expected",
    [
        (interrupted, "Interrupted. Nothing was changed.\n"),
        (knows_better, "Interrupted. The copy was not checked.\n"),
    ],
)
def test_ctrl_c_is_one_sentence(
    work: object, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert in_words(work) == 130  # type: ignore[arg-type]
    assert capsys.readouterr().err == expected


def test_ctrl_c_before_the_first_line_is_one_sentence_too(tmp_path: Path) -> None:
    """./run keeps it waiting until the command can answer it, whatever is still imported."""

    def keep_waiting() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        os.kill(os.getpid(), signal.SIGINT)

    done = run(tmp_path / "new", "verify_site", preexec_fn=keep_waiting)
    assert (done.returncode, done.stdout, done.stderr) == (
        130,
        "",
        "Interrupted. Nothing was changed.\n",
    )


def test_ctrl_d_at_the_first_password_ends_it_as_ctrl_c_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def closed(question: str) -> str:
        raise EOFError

    monkeypatch.setattr("config.first_account.getpass.getpass", closed)
    with pytest.raises(KeyboardInterrupt):
        _typed("Password: ")


def test_what_is_being_put_in_place_is_finished_first(capsys: pytest.CaptureFixture[str]) -> None:
    with uninterrupted("The copy is being put in place"):
        signal.raise_signal(signal.SIGINT)
        print("finished")
    printed = capsys.readouterr()
    assert printed.out == "finished\n"
    assert (
        printed.err
        == "\nThe copy is being put in place: this takes a moment and is not interrupted.\n"
    )
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_unknown_error_keeps_its_traceback_and_a_known_one_does_for_developers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fault() -> int:
        raise ValueError("our fault")

    def refused() -> int:
        raise RefusedError("There is no tournament “x”.", 3)

    with pytest.raises(ValueError, match="our fault"):
        in_words(fault)
    assert in_words(refused) == 3
    assert capsys.readouterr().err == "There is no tournament “x”.\n"
    monkeypatch.setenv("DEBUG", "1")
    with pytest.raises(RefusedError):
        in_words(refused)


def raised(database: sqlite3.Connection, statement: str) -> OperationalError:
    """Return the error of *statement* as Django passes it on."""
    with pytest.raises(sqlite3.OperationalError) as found:
        database.execute(statement)
    error = OperationalError(str(found.value))
    error.__cause__ = found.value
    return error


def test_a_database_that_cannot_be_used_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "django.conf.settings.DATABASES",
        {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": tmp_path / "site.sqlite3"}},
    )
    monkeypatch.setattr("django.db.connection", SimpleNamespace(vendor="sqlite"))
    with closing(sqlite3.connect(tmp_path / "site.sqlite3")) as database:
        database.execute("CREATE TABLE one (text)")
        database.execute("PRAGMA max_page_count = 2")
        assert sentence(raised(database, "INSERT INTO one VALUES (hex(zeroblob(99999)))")) == (
            f"The disk of the folder {tmp_path} is full. Make space on that disk, and start again."
        )
        database.execute("PRAGMA query_only = ON")
        found = sentence(raised(database, "INSERT INTO one VALUES (1)"))
        assert found == (
            f"The database {tmp_path}/site.sqlite3 cannot be written or opened: attempt to write "
            f"a readonly database. "
            "Start the program as the user whom it belongs to, or take another folder with --data."
        )


@pytest.mark.costly
def test_a_damaged_database_leads_to_the_copies(tmp_path: Path) -> None:
    (tmp_path / "swiss-arbiter.sqlite3").write_text("no database at all " * 400)
    done = run(tmp_path, "venue_check")
    assert done.stderr == (
        f"The database {tmp_path}/swiss-arbiter.sqlite3 is damaged: file is not a database. "
        "Restore the newest copy: ./run restore FILE\n"
    )


@pytest.mark.costly
def test_a_database_without_tables_has_no_site(tmp_path: Path) -> None:
    """Such as a new one of PostgreSQL."""
    with closing(sqlite3.connect(tmp_path / "swiss-arbiter.sqlite3")) as database:
        database.execute("CREATE TABLE other (text)")
        database.execute("INSERT INTO other VALUES (hex(zeroblob(9999)))")
        database.commit()
    done = run(tmp_path, "verify_record", "autumn-open")
    assert (done.returncode, done.stderr.partition(".")[0]) == (
        1,
        f"There is no site in {tmp_path}",
    )
    assert f"./run --data {shlex.quote(str(tmp_path))} makes a new site there" in done.stderr


@pytest.mark.costly
def test_the_key_beside_postgresql_stays(tmp_path: Path) -> None:
    run(tmp_path / "new", "check", environment={"DATABASE_URL": "postgresql://u@127.0.0.1:5999/x"})
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret-key"]


def test_a_key_that_cannot_be_read_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(tmp_path / "secret-key"))

    monkeypatch.setattr("config.env.stored_secret", refuse)
    with pytest.raises(
        SettingError, match=r"Permission denied. Start the program as the user whom it belongs to"
    ):
        Environment({}).secret_key("SECRET_KEY", key_file=tmp_path / "secret-key")


def test_a_key_that_does_not_fit_on_the_disk_leaves_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    monkeypatch.setattr(Path, "hardlink_to", full)
    with pytest.raises(SettingError, match=r"No space left on device. Make space on that disk"):
        Environment({}).secret_key("SECRET_KEY", key_file=tmp_path / "secret-key")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.costly
def test_postgresql_that_does_not_answer_is_named_without_the_password(tmp_path: Path) -> None:
    address = {"DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:5999/x"}
    for command in ("upgrade", "verify_site", "venue_check", "backup"):
        done = run(tmp_path, command, environment=address)
        assert done.returncode == 1
        begin = "There is no new copy: " if command == "backup" else ""
        assert done.stderr.startswith(
            f"{begin}The database x at 127.0.0.1:5999 cannot be used: connection failed:"
        )
        assert (
            "Connection refused. Start PostgreSQL, or correct DATABASE_URL; then start again."
            in done.stderr
        )
        assert "hunter2" not in done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "command", ["verify_site", "venue_check", "verify_record", "backup", "createsuperuser"]
)
def test_a_command_that_needs_a_site_makes_none(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("SWISS_DATA_DIR", str(tmp_path / "typo"))
    with pytest.raises(
        RefusedError, match=f"^There is no site in {tmp_path}/typo. Nothing was changed. "
    ):
        execute(["manage.py", command])
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_data_folder_is_called_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site.backup").write_text("")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("SWISS_DATA_DIR", str(tmp_path / "site.backup"))
    for command in ("verify_site", "backup"):
        with pytest.raises(RefusedError) as found:
            execute(["manage.py", command])
        assert str(found.value) == (
            f"{tmp_path}/site.backup is a file, not the data folder of a site. Nothing was "
            f"changed. Name the folder; "
            "a copy is a file, and ./run verify FILE checks one."
        )


@pytest.mark.costly
def test_a_mistaken_restore_leaves_no_new_folder(tmp_path: Path) -> None:
    (tmp_path / "no-copy").write_text("a list of players")
    done = run(tmp_path / "one" / "two", "restore", tmp_path / "no-copy")
    assert done.returncode == 1
    assert done.stderr == (
        f"{tmp_path}/no-copy is no copy of Swiss Arbiter, or its end is missing. Take another "
        f"copy, or copy it "
        "again from where it came from. Nothing was changed.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["no-copy"]


def test_what_a_folder_had_before_stays(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("x" * 60)
    (tmp_path / "no-copy").write_text("")
    run(tmp_path, "restore", tmp_path / "no-copy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["no-copy", "secret-key"]


def test_a_missing_argument_is_a_sentence_without_the_usage_of_all_options() -> None:
    command = Commands(["manage.py", "restore"]).fetch_command("restore")
    with pytest.raises(
        RefusedError, match=r"^The following arguments are required: file. ./run restore --help"
    ) as caught:
        command.run_from_argv(["manage.py", "restore"])
    assert caught.value.code == 2


def test_the_answer_of_a_command_has_no_name_of_a_class(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = Commands(["manage.py", "x"]).fetch_command("compare_records")
    (tmp_path / "file").write_text("")
    with pytest.raises(
        RefusedError, match=f"^{tmp_path}/file is no copy of Swiss Arbiter"
    ) as caught:
        command.run_from_argv(
            ["manage.py", "compare_records", str(tmp_path / "file"), str(tmp_path / "file")]
        )
    assert isinstance(caught.value.__cause__, CommandError)


def test_an_interrupted_command_says_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Commands, "execute", lambda self: interrupted())
    values = {}
    for name in ("restore", "demo --help", "delete_personal_data --help"):
        with pytest.raises(KeyboardInterrupt) as error:
            execute(["manage.py", *name.split()])
        values[name.split()[0]] = str(error.value)
    assert values == {
        "restore": terminal.NOTHING_CHANGED,
        "demo": "Interrupted. What was played so far stays; start again to go on.",
        "delete_personal_data": "Interrupted. What was saved before that stays.",
    }


def test_the_commands_that_need_no_site_exist() -> None:
    assert WITHOUT_SITE - {"help", "version"} <= get_commands().keys()


@pytest.mark.parametrize("command", ["demo", "clearsessions", "axes_reset", "flush", "dumpdata"])
def test_a_command_in_an_empty_folder_says_that_there_is_no_site(
    tmp_path: Path, command: str
) -> None:
    done = run(tmp_path / "new", command)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"There is no site in {tmp_path / 'new'}. Nothing was changed.")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["createsuperuser", "changepassword"])
def test_the_rule_is_said_before_a_password_is_typed(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    with pytest.raises(KeyboardInterrupt):
        _execute(name, interrupted)
    assert capsys.readouterr().out == f"{RULE_OF_PASSWORDS}\n"
