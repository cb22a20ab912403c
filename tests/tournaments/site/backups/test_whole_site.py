"""Copy, check and restore the whole site, with an event in its third round."""

import importlib
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import settings as the_settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from tests.tournaments import factories
from tournaments.models import Game, Passkey, TableCodes, Tournament
from tournaments.site.backups import state as states
from tournaments.site.backups.automatic import copy_automatically
from tournaments.site.backups.checks import Report
from tournaments.site.backups.copy_file import extract, read_manifest
from tournaments.site.backups.copying import copy_sqlite, make_copy
from tournaments.site.backups.restoring import DATABASE, environment_of, prepare

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the lines of the tournament next door are not signed"),
]
NOW = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)


@pytest.fixture
def data(tmp_path: Path, settings: Settings) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    settings.DATA_DIR = folder
    (folder / "secret-key").write_text("s" * 60)
    (folder / "signing-key").write_text("12" * 32)
    return folder


@pytest.fixture
def copy(data: Path, chief_arbiter: User) -> Path:
    tournament = factories.make_ready(actor=chief_arbiter, players=9, automatic_results=True)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    Session.objects.create(session_key="of the Chief Arbiter", session_data="x", expire_date=NOW)
    make_copy(data / "site.backup", now=NOW)
    return data / "site.backup"


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as ``./run --data FOLDER`` does:
    the environment names the folder, and no database.
    """
    return subprocess.run(
        [sys.executable, str(the_settings.BASE_DIR / "manage.py"), *arguments],
        env={name: text for name, text in environment_of(folder).items() if name != "DATABASE_URL"},
        capture_output=True,
        text=True,
    )


@pytest.mark.costly
def test_a_copy_is_restored_in_another_folder_with_its_keys(copy: Path, tmp_path: Path) -> None:
    there = tmp_path / "other"
    there.mkdir()
    done = command(there, "restore", str(copy))
    assert done.returncode == 0, done.stderr
    assert "Restored: the site of 21 November 2026, " in done.stdout
    assert f"Start it with ./run --data {there}\n" in done.stdout
    with closing(sqlite3.connect(there / DATABASE)) as database:
        rows = database.execute(
            "SELECT slug, version, fingerprint FROM tournaments_tournament ORDER BY id"
        ).fetchall()
        set_by = database.execute(
            "SELECT DISTINCT automatic_by_id FROM tournaments_tournament"
        ).fetchall()
        results = database.execute("SELECT result FROM tournaments_game ORDER BY id").fetchall()
    assert rows == list(
        Tournament.objects.order_by("pk").values_list("slug", "version", "fingerprint")
    )
    assert results == list(Game.objects.order_by("pk").values_list("result"))
    # An old draft that is due is not published before an arbiter has looked.
    assert set_by == [(None,)]
    assert "nothing is published automatically until that is switched on again" in done.stdout
    assert (there / "signing-key").read_text() == "12" * 32
    assert (there / "secret-key").read_text() == "s" * 60
    # Once more: now there is something to keep.
    done = command(there, "restore", str(copy))
    assert "The state before is kept in" in done.stdout, done.stderr
    assert [path.suffix for path in (there / "backups").iterdir()] == [".backup"]


@pytest.mark.costly
def test_the_manifest_names_every_event_with_the_end_of_its_record(copy: Path) -> None:
    manifest = read_manifest(copy)
    wanted = Tournament.objects.order_by("pk").values_list("slug", "version", "fingerprint")
    assert [(event.slug, event.lines, event.fingerprint) for event in manifest.events] == list(
        wanted
    )
    assert manifest.parts.keys() >= {"signing-key", "secret-key"}


@pytest.mark.costly
def test_a_result_that_was_changed_in_the_copied_table_is_found(copy: Path, tmp_path: Path) -> None:
    """A copy of a site whose tables are not what its record says is complete,
    but its check says so.
    """
    Game.objects.filter(board=1, round__number=1).update(result="==")
    make_copy(copy.with_name("altered.backup"), now=NOW)
    (tmp_path / "work").mkdir()
    report = prepare(copy.with_name("altered.backup"), tmp_path / "work", seconds=0)
    assert any("result of board 1" in fault for fault in report.faults), report.faults


@pytest.mark.costly
def test_every_six_hours_an_automatic_copy_is_checked_in_full(
    copy: Path, settings: Settings
) -> None:
    """In between, a record that has no new line is compared with
    the end that an earlier check found.
    """
    settings.BACKUP_DIR, found = "", []
    game = Game.objects.get(board=1, round__number=1)
    others = [result for result in ("10", "==", "01") if result != game.result]
    for hours, result in ((0, game.result), (1, others[0]), (7, others[1])):
        Game.objects.filter(pk=game.pk).update(result=result)
        whole = copy_automatically(clock=lambda hours=hours: NOW + timedelta(hours=hours))  # type: ignore[misc]
        found.append((whole, states.read().problem is None))
    assert found == [(True, True), (True, True), (False, False)]
    assert any("result of board 1" in fault for fault in states.read().faults)


@pytest.mark.parametrize(
    "counts, again",
    [
        ({"rounds": 3, "different": 1}, "3 rounds paired again, 1 of them come out otherwise"),
        ({"left_out": 8}, "8 rounds not paired again"),
        (
            {"rounds": 3, "left_out": 5},
            (
                "3 rounds paired again, 0 of them come out otherwise; 5 more were not, because the "
                "time was over"
            ),
        ),
    ],
)
def test_a_check_says_which_rounds_it_paired_again(counts: dict[str, int], again: str) -> None:
    """An upgrade pairs none again, and does not call that a lack of time."""
    assert (
        str(Report(events=2, lines=40, **counts))
        == f"2 tournaments, 40 lines of their records, {again}"
    )


@pytest.mark.costly
def test_a_copy_without_keys_opens_no_account(
    copy: Path, data: Path, chief_arbiter: User, tmp_path: Path
) -> None:
    TOTPDevice.objects.create(user=chief_arbiter, key="c0ffee" * 7)
    StaticDevice.objects.create(user=chief_arbiter).token_set.create(token="recover2")
    Passkey.objects.create(user=chief_arbiter, credential="of-the-phone", data=b"public half")
    secrets = [b"of the Chief Arbiter", b"c0ffee" * 7, b"recover2", b"of-the-phone"]
    for with_keys in (True, False):
        path = data / f"keys-{with_keys}.backup"
        make_copy(path, now=NOW, with_keys=with_keys)
        content = [part for part in read_manifest(path).parts if not part.endswith("-key")]
        assert len(content) == 1
        extract(path, content[0], tmp_path / path.name)
        copied = (tmp_path / path.name).read_bytes()
        assert [secret in copied for secret in secrets] == [with_keys] * 4


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_a_copy_without_keys_says_what_it_keeps(
    data: Path, chief_arbiter: User, tmp_path: Path
) -> None:
    ours = factories.make_tournament(chief_arbiter)
    TableCodes.objects.create(tournament=ours, secret="of the tables")
    output = StringIO()
    call_command("backup", str(tmp_path), without_keys=True, seconds=0.0, stdout=output)
    path = Path(output.getvalue().splitlines()[0])
    (part,) = read_manifest(path).parts
    extract(path, part, tmp_path / "content")
    copied = (tmp_path / "content").read_bytes()
    assert (chief_arbiter.password.encode() in copied, b"of the tables" in copied) == (True, True)
    assert (
        "It has the hashes of passwords and PINs, the secrets of table codes, and personal data"
        in output.getvalue()
    )


@pytest.mark.django_db(transaction=True)
def test_the_sessions_in_a_copy_open_nothing(
    data: Path, chief_arbiter: User, tmp_path: Path
) -> None:
    phone = Client()
    form = {"username": "chief", "password": "chief-secret"}
    assert phone.post(reverse("login"), form).status_code == 302
    cookie = phone.cookies["sessionid"].value
    make_copy(data / "site.backup", now=NOW)
    (part,) = [
        part for part in read_manifest(data / "site.backup").parts if not part.endswith("-key")
    ]
    extract(data / "site.backup", part, tmp_path / "content")
    copied = (tmp_path / "content").read_bytes()
    (stored,) = Session.objects.values_list("session_key", flat=True)
    assert (stored.encode() in copied, cookie.encode() in copied) == (True, False)
    thief = Client()
    thief.cookies["sessionid"] = stored
    assert [client.get(reverse("account")).status_code for client in (phone, thief)] == [200, 302]
    phone.post(reverse("logout"))
    assert not Session.objects.filter(session_key=stored).exists()


@pytest.mark.costly
@pytest.mark.django_db
def test_an_upgrade_ends_the_sessions_whose_keys_are_in_older_copies() -> None:
    Session.objects.create(session_key="an old key", session_data="x", expire_date=NOW)
    end = importlib.import_module("tournaments.migrations.0009_session_keys").end_sessions
    end(apps, SimpleNamespace(connection=connection))
    assert not Session.objects.exists()


@pytest.mark.costly
def test_prepare_copy_refuses_a_folder_that_is_in_use(copy: Path, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("a site")
    (tmp_path / "unchanged.json").write_text(json.dumps([]))
    done = command(tmp_path, "prepare_copy", str(copy))
    assert done.returncode == 1
    assert "only for ./run restore" in done.stderr
    assert (tmp_path / DATABASE).read_text() == "a site"


def test_a_damaged_database_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "broken.sqlite3").write_bytes(b"SQLite format 3\0" + b"\1" * 8_000)
    with pytest.raises(Exception, match="is damaged"):
        copy_sqlite(tmp_path / "broken.sqlite3", tmp_path / "copy.sqlite3")
