"""The first account: made once, never with a default password."""

import io
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from config.commands import RULE_OF_PASSWORDS
from config.data_folder import BASE_DIR
from config.first_account import main

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("constraints")]
GOOD = "correct horse battery"


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.delenv("SWISS_ADMIN_USER", raising=False)
    monkeypatch.delenv("SWISS_ADMIN_PASSWORD", raising=False)


def test_made_from_the_variables(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SWISS_ADMIN_USER", "anna")
    monkeypatch.setenv("SWISS_ADMIN_PASSWORD", GOOD)
    assert main() == 0
    user = User.objects.get()
    assert (user.username, user.is_superuser, user.is_staff, user.check_password(GOOD)) == (
        "anna",
        True,
        True,
        True,
    )
    assert capsys.readouterr().out == "  Made the chief arbiter's account 'anna'.\n"


def test_called_arbiter_where_no_name_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWISS_ADMIN_PASSWORD", GOOD)
    assert main() == 0
    assert User.objects.get().username == "arbiter"


def test_made_with_the_password_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SWISS_ADMIN_PASSWORD_FILE", str(tmp_path / "password"))
    assert main() == 1
    assert (
        f"SWISS_ADMIN_PASSWORD_FILE is '{tmp_path}/password', which cannot be used"
        in capsys.readouterr().err
    )
    (tmp_path / "password").write_text(f"{GOOD}\n")
    assert main() == 0
    assert User.objects.get().check_password(GOOD)


def test_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWISS_ADMIN_PASSWORD", GOOD)
    assert main() == 0
    monkeypatch.setenv("SWISS_ADMIN_USER", "somebody.else")
    assert main() == 0
    assert [user.username for user in User.objects.all()] == ["arbiter"]


@pytest.mark.parametrize(
    "folder, database, option",
    [
        (str(BASE_DIR / "var"), "", ""),
        ("/media/my stick", "", " --data '/media/my stick'"),
        ("/media/my stick", "postgresql://u@localhost/x", ""),  # ./run refuses the option beside it
    ],
)
def test_without_variable_and_terminal_none_is_made(
    folder: str,
    database: str,
    option: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentence can be typed as it stands, for a data folder of one's own too."""
    monkeypatch.setenv("SWISS_DATA_DIR", folder)
    monkeypatch.setenv("DATABASE_URL", database)
    assert main() == 0
    assert not User.objects.exists()
    assert (
        capsys.readouterr().out
        == f"  There is no account yet. To make one: ./run manage createsuperuser{option}\n"
    )


def test_in_a_container_without_run_another_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("config.first_account.BASE_DIR", tmp_path)
    assert main() == 0
    assert (
        capsys.readouterr().out
        == "  There is no account yet. To make one: python -m config.first_account\n"
    )


@pytest.mark.parametrize(
    "password, reason",
    [
        ("short-1", "too short"),
        ("password123", "too common"),
        ("4815162342108", "entirely numeric"),
        ("arbiter-2026", "too similar to the username"),
    ],
)
def test_a_weak_password_is_refused(
    password: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SWISS_ADMIN_PASSWORD", password)
    assert main() == 1
    assert not User.objects.exists()
    printed = capsys.readouterr().err
    assert printed.startswith("The account 'arbiter' was not made: ")
    assert reason in printed
    assert password not in printed


def test_an_existing_name_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    User.objects.create_user("arbiter")
    monkeypatch.setenv("SWISS_ADMIN_PASSWORD", GOOD)
    assert main() == 1
    assert capsys.readouterr().err == (
        "The account 'arbiter' was not made: A user with that username already exists.\n"
    )


def test_the_rule_is_said_before_the_password_is_typed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines: list[str] = []

    def typed(question: str) -> str:
        lines.append(capsys.readouterr().out)
        return GOOD

    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", typed)
    assert main() == 0
    assert RULE_OF_PASSWORDS in lines[0]
    assert User.objects.get().check_password(GOOD)
