"""The page *Is my venue ready?* and the command with the same findings."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from tournaments.models import Decision, Tournament
from tournaments.site.backups.state import Problem, State, save
from tournaments.site.venue import capacity


@pytest.fixture
def chief(
    client: Client, tournament: Tournament, chief_arbiter: User, settings: Settings, tmp_path: Path
) -> Client:
    """Return the browser of a Chief Arbiter; the data folder has nothing yet."""
    settings.DATA_DIR = tmp_path
    client.force_login(chief_arbiter)
    return client


def levels(page: str) -> dict[str, str]:
    return {code: level for level, code in re.findall(r'data-level="(\w+)" id="(\w+)"', page)}


def test_the_page_has_a_line_for_each_check(chief: Client, settings: Settings) -> None:
    settings.PUBLIC_ADDRESS = "https://chess.example.org"
    page = chief.get(reverse("venue")).content.decode()
    codes = [
        "disk",
        "clock",
        "copy",
        "second",
        "speed",
        "address",
        "privacy",
        "ratings",
        "power",
        "browser",
    ]
    assert list(levels(page)) == codes
    assert levels(page)["privacy"] == "good"
    assert 'aria-label="QR code of this address"' in page
    french = chief.get(reverse("venue"), headers={"Accept-Language": "fr"}).content.decode()
    assert "Ma salle est-elle prête ?" in french.replace("\u202f", " ")
    assert list(levels(french)) == codes


def test_the_page_reads_no_table_of_an_event_as_a_whole(chief: Client, tmp_path: Path) -> None:
    """With 10,000 players that took 200 ms of processor time."""
    (tmp_path / "backups").mkdir()
    newest = Decision.objects.latest("at").at
    save(State(at=(newest - timedelta(seconds=1)).isoformat(), file="auto.backup"))
    with CaptureQueriesContext(connection) as queries:
        assert levels(chief.get(reverse("venue")).content.decode())["copy"] == "problem"
    assert [each["sql"] for each in queries if "tournaments_entry" in each["sql"]] == []
    save(State(at=(newest + timedelta(seconds=1)).isoformat(), file="auto.backup"))
    assert levels(chief.get(reverse("venue")).content.decode())["copy"] == "good"


def test_the_browser_asks_for_the_time_alone(chief: Client) -> None:
    response = chief.get(reverse("venue"), {"clock": ""})
    assert list(response.json()) == ["now"]
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.costly
def test_only_chief_arbiters_and_site_administrators_read_it(chief: Client, stranger: User) -> None:
    url = reverse("venue")
    assert url in chief.get("/").content.decode()
    other = Client()
    other.force_login(stranger)
    assert (other.get(url).status_code, other.post(url).status_code) == (403, 403)
    assert f'"{url}"' not in other.get("/").content.decode()
    assert capacity.read() is None
    stranger.is_staff = True
    stranger.save()
    other.force_login(stranger)
    assert other.get(url).status_code == 200
    assert Client().get(url).status_code == 302


def test_the_button_measures_once_at_a_time(chief: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial itself is tested in test_checks.py; it takes a second."""
    monkeypatch.setattr(capacity, "SECONDS", 0.02)
    url = reverse("venue")
    assert levels(chief.get(url).content.decode())["speed"] == "check"
    assert chief.post(url).status_code == 302
    first = capacity.read()
    assert first is not None
    assert "stored pages a second" in chief.get(url).content.decode()
    with capacity.ONE_AT_A_TIME:
        refused = chief.post(url, follow=True).content.decode()
    assert "The speed could not be measured." in refused
    assert capacity.read() == first


def test_the_command_says_the_same_and_fails_on_a_problem(
    chief: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.PUBLIC_ADDRESS = "http://chess.example.org"
    out = io.StringIO()
    call_command("venue_check", stdout=out)
    output = out.getvalue()
    assert "check   Speed: It was not measured on this computer yet." in output
    assert "check   Https: Without https everybody in the network can read along" in output
    assert output.splitlines()[-1].startswith("No problem.")
    (tmp_path / "backups").mkdir()
    save(State(problem=Problem("full", "", "")))
    with pytest.raises(CommandError, match=r"Not ready: Newest copy\."):
        call_command("venue_check", stdout=out)
    assert "The disk is full: delete files that nobody needs." in out.getvalue()
    # Without an address of its own, the command does not know that of the server.
    settings.PUBLIC_ADDRESS, settings.ALLOWED_HOSTS = "", ["localhost"]
    (tmp_path / "backups" / "state.json").unlink()
    out = io.StringIO()
    call_command("venue_check", stdout=out)
    assert "Https" not in out.getvalue()
