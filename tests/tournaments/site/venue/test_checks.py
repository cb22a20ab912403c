"""Each check of *Is my venue ready?* with its three levels: good, check this, problem."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import translation
from pytest_django import Settings

from tournaments.models import RatingList
from tournaments.site.backups.state import Problem, State
from tournaments.site.venue import capacity, checks, machine
from tournaments.site.venue.capacity import Capacity
from tournaments.site.venue.checks import GIGABYTE, Finding, Level
from tournaments.site.venue.machine import Power, clock_is_set_by_network, power

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
GOOD, CHECK, PROBLEM = Level.GOOD, Level.CHECK, Level.PROBLEM


def test_a_full_disk_and_one_that_cannot_be_written_are_problems() -> None:
    found = [checks.disk(int(n * GIGABYTE), is_writable=True) for n in (50, 1.5, 0.4)]
    assert [each.level for each in found] == [GOOD, CHECK, PROBLEM]
    assert found[1].says == "1.5 GB are free."
    assert "%" not in checks.disk(50 * GIGABYTE, is_writable=False).advice
    assert checks.disk(50 * GIGABYTE, is_writable=False).level == PROBLEM


@pytest.mark.parametrize(
    "newest, by_network, level",
    [
        (None, True, GOOD),
        (NOW - MINUTE, True, GOOD),
        (NOW - MINUTE, False, CHECK),
        (None, None, CHECK),
        (NOW + 3 * MINUTE, True, PROBLEM),
    ],
)
def test_a_clock_behind_the_record_is_wrong(
    newest: datetime | None, by_network: bool | None, level: Level
) -> None:
    found = checks.clock(NOW, newest, by_network)
    assert found.level == level
    assert "21 Nov 2026, 09:00:00" in found.says


def made(minutes: float, **more: object) -> State:
    state = State(at=(NOW - minutes * MINUTE).isoformat(), file="auto.backup", mark="x")
    for name, value in more.items():
        setattr(state, name, value)
    return state


@pytest.mark.parametrize(
    "state, newest_line, level",
    [
        (made(5), NOW - MINUTE, GOOD),
        (made(60 * 24 * 9), None, GOOD),
        (made(60 * 24 * 9), NOW - timedelta(days=10), GOOD),
        (made(60), NOW - MINUTE, CHECK),
        (made(60), NOW - timedelta(minutes=60), CHECK),
        (made(60 * 25), NOW - MINUTE, PROBLEM),
        (State(), None, CHECK),
        (made(5, problem=Problem("full", "", "")), None, PROBLEM),
    ],
)
def test_the_newest_copy_is_of_the_present_state(
    state: State, newest_line: datetime | None, level: Level
) -> None:
    assert checks.copy(state, NOW, newest_line).level == level


def test_copies_that_are_off_and_a_missing_second_folder_are_said(settings: Settings) -> None:
    settings.BACKUP_MINUTES = 0
    assert checks.copy(made(5), NOW, None).level == CHECK
    settings.BACKUP_DIR = ""
    assert checks.second_folder(State()).level == CHECK
    settings.BACKUP_DIR = "/media/stick"
    assert checks.second_folder(State()).level == CHECK
    assert checks.second_folder(State(second_at=NOW.isoformat())).level == GOOD
    failed = checks.second_folder(State(second_problem=Problem("missing", "", "")))
    assert (failed.level, failed.advice) == (
        PROBLEM,
        "The folder is missing: plug the memory stick in again.",
    )


def test_a_second_place_that_fails_with_the_first_is_said(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR, settings.BACKUP_DIR = tmp_path / "var", str(tmp_path / "stick")
    (tmp_path / "stick").mkdir()
    (copies := tmp_path / "var" / "backups").mkdir(parents=True)
    state = State(second_at=NOW.isoformat())
    second = checks.second_folder(state)
    settings.BACKUP_DIR = str(tmp_path / "stick" / ".." / "var" / "backups")
    itself = checks.second_folder(state)
    assert [second.level, itself.level] == [CHECK, CHECK]
    assert (
        "is on the same disk as the other copies: if the disk fails, all are lost." in second.says
    )
    assert "is the one where the copies are made" in itself.says
    settings.BACKUP_DIR = str(tmp_path / "stick")
    with translation.override("fr"):
        assert (
            "est sur le même disque que les autres sauvegardes" in checks.second_folder(state).says
        )
    copies.rmdir()
    assert checks.second_folder(state).level == CHECK
    monkeypatch.setattr(machine, "same_disk", lambda one, other: False)
    assert checks.second_folder(state).level == GOOD


@pytest.mark.skipif(os.name == "nt", reason="Windows is not asked")
def test_a_disk_that_cannot_be_told_is_not_compared(tmp_path: Path) -> None:
    assert machine.same_disk(tmp_path, tmp_path.parent) is True
    assert machine.same_disk(tmp_path, tmp_path / "missing") is None
    if Path("/proc/self").exists():
        assert machine.same_disk(tmp_path, Path("/proc/self")) is not True


@pytest.mark.parametrize(
    "page_ms, saving_ms, processors, level",
    [
        (0.2, 5, 2, GOOD),
        (0.2, 5, 1, CHECK),
        (0.2, 200, 2, CHECK),
        (5, 5, 2, PROBLEM),
        (0.2, 900, 2, PROBLEM),
    ],
)
def test_speed_counts_pages_and_saving(
    page_ms: float, saving_ms: float, processors: int, level: Level
) -> None:
    found = checks.speed(Capacity(NOW.isoformat(), page_ms, saving_ms, processors))
    assert found.level == level
    assert "(measured 21 Nov 2026, 09:00)" in found.says


@pytest.mark.parametrize(
    "public, level",
    [
        (None, CHECK),
        ("http://192.168.1.20:8000/", GOOD),
        ("http://192.168.1.99:8000/", PROBLEM),
        ("http://[fd00::7]:8000/", PROBLEM),
        ("http://laptop.local:8000/", GOOD),
        ("https://chess.example.org/", GOOD),
        ("https://8.8.8.8/", GOOD),
    ],
)
def test_an_address_that_the_router_gave_to_somebody_else_is_a_problem(
    public: str | None, level: Level, settings: Settings
) -> None:
    own = {"127.0.0.1", "192.168.1.20", "172.17.0.1"}
    found = checks.address(public, own)
    assert found.level == level
    assert ("192.168.1.20" in found.advice) is (level == PROBLEM)
    settings.TRUST_PROXY = True  # the address is that of the proxy
    assert checks.address(public, own).level == (CHECK if public is None else GOOD)


def test_plain_http_for_phones_is_a_warning() -> None:
    levels = [
        checks.privacy(public, is_secure=False).level
        for public in (None, "http://10.0.0.7/", "https://a.example/")
    ]
    assert levels == [GOOD, CHECK, GOOD]
    assert "can read along" in checks.privacy("http://10.0.0.7/", is_secure=False).says
    assert "SWISS_PUBLIC_ADDRESS" in checks.privacy("http://10.0.0.7/", is_secure=True).advice


def test_a_list_of_an_earlier_month_is_to_be_replaced() -> None:
    def of(month: int, federation: str = "") -> RatingList:
        return RatingList(month=date(2026, month, 1), federation=federation)

    today = date(2026, 11, 21)
    assert checks.rating_lists([], today).level == GOOD
    assert checks.rating_lists([of(11), of(3, "FRA")], today).level == GOOD
    old = checks.rating_lists([of(9), of(11, "FRA")], today)
    assert (old.level, old.says) == (CHECK, "The rating list of FIDE is of September 2026.")


def test_a_battery_that_runs_out_is_a_problem() -> None:
    known = [None, Power(True, None), Power(True, 90), Power(False, 80), Power(False, 12)]
    assert [checks.power(each).level for each in known] == [CHECK, GOOD, GOOD, CHECK, PROBLEM]
    assert "12 %" in checks.power(Power(False, 12)).says


def supply(folder: Path, name: str, **values: str) -> None:
    (folder / name).mkdir()
    for key, value in values.items():
        (folder / name / key).write_text(f"{value}\n")


def test_power_is_read_from_the_system(tmp_path: Path) -> None:
    assert power(tmp_path / "none") is None
    assert power(tmp_path) == Power(is_plugged_in=True, battery=None)
    supply(tmp_path, "mouse", type="Battery", scope="Device", capacity="3", status="Discharging")
    assert power(tmp_path) == Power(is_plugged_in=True, battery=None)
    supply(tmp_path, "AC", type="Mains", online="0")
    supply(tmp_path, "BAT0", type="Battery", capacity="41", status="Discharging")
    assert power(tmp_path) == Power(is_plugged_in=False, battery=41)
    (tmp_path / "AC" / "online").write_text("1\n")
    assert power(tmp_path) == Power(is_plugged_in=True, battery=41)
    supply(tmp_path, "BAT1", type="Battery", status="Unknown")  # tells no charge
    assert power(tmp_path) == Power(is_plugged_in=True, battery=41)


def test_what_the_machine_tells_has_its_type() -> None:
    assert clock_is_set_by_network() in (True, False, None)


def test_the_worst_finding_counts() -> None:
    found = [Finding("a", "A", level, "") for level in (GOOD, CHECK)]
    assert (checks.worst([]), checks.worst(found)) == (GOOD, CHECK)
    assert checks.worst([*found, Finding("b", "B", PROBLEM, "")]) == PROBLEM


@pytest.mark.django_db
def test_a_trial_is_kept_for_all_processes(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capacity, "SECONDS", 0.02)
    settings.DATA_DIR, settings.WORKERS = tmp_path, 1
    assert capacity.read() is None
    found = capacity.measure(now=NOW)
    assert found is not None
    assert (found.moment, found.processors, capacity.read()) == (NOW, 1, found)
    assert found.page_ms > 0
    assert found.saving_ms > 0
    assert found.pages_per_second > 0
    (tmp_path / "capacity.json").write_text('{"at": 1}')
    assert capacity.read() is None
