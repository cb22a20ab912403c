"""The page *Check before sending*, and the archive of the whole report."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from pairing.cli.main import main
from pairing.record.report_archive import archive_faults
from pairing.rounds.absences import absence_explain
from pairing.rules.report_checks import CHECKS, Listed
from tests.tournaments import factories
from tests.tournaments.double_swiss.matches import DOUBLE_SWISS, play
from tests.tournaments.factories import pair_and_publish
from tests.tournaments.large import make_large
from tests.tournaments.reports.test_norms import change
from tournaments.core import signing
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Round, Tournament
from tournaments.reports.protests import protest_lodge
from tournaments.reports.report_check import report_findings
from tournaments.standings.final import standings_make_final
from tournaments.web.templatetags.report_checks import TOPICS, WORDS

pytestmark = pytest.mark.django_db

NOW = factories.NOW
SHEETS = {"it1.html", "it3.html", "it4.html", "full-report.html"}
OF_EVENT = {"fa1.html", "ia1.html"}
OTHERS = {"standings.csv", "crosstable.csv", "record.jsonl"}


@pytest.fixture
@factories.cached
def whole(chief_arbiter: User) -> Tournament:
    """Return an event of two rounds, final, of which every fact is known."""
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=2)
    for tpn in range(1, 5):
        Entry.objects.filter(tournament=tournament, tpn=tpn).update(
            fide_id=2000016 + tpn, birth_date="1990/01/02", sex="w", national_id=f"A{tpn}"
        )
    change(
        tournament,
        chief_arbiter,
        city="Graz",
        federation="AUT",
        organiser="Chess Club Graz (2000059)",
        event_code="412345",
        start_date=date(2026, 11, 20),
        end_date=date(2026, 11, 21),
        time_control="120 min + 30 s",
        chief_arbiter="IA Naves, Iara (2000032)",
    )
    for number in (1, 2):
        at = NOW.replace(day=19 + number)
        Round.objects.filter(tournament=tournament, number=number).update(starts_at=at)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    standings_make_final(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, ties_stay=True)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def found(tournament: Tournament) -> dict[str, list[str]]:
    """Return what each check has found."""
    tournament.refresh_from_db()
    frame = tournament_frame(tournament, runs=True)
    return {
        each.check.code: [one.text or str(one.key or "") for one in each.subjects]
        for each in report_findings(frame, Listed())
    }


def page(tournament: Tournament, client: Client) -> str:
    response = client.get(reverse("report-check", args=[tournament.slug]))
    assert response.status_code == 200
    return response.content.decode()


def words(text: str) -> str:
    main_part = text.partition("<main")[2].partition("</main>")[0]
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", main_part).split()))


def archive(tournament: Tournament, client: Client) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the files of the archive and its summary."""
    response = client.get(reverse("report-archive", args=[tournament.slug]))
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/zip"
    summary, faults = archive_faults(response.content, keys=[signing.public_key()])
    assert faults == []
    with zipfile.ZipFile(io.BytesIO(response.content)) as made:
        return {name: made.read(name) for name in made.namelist()}, summary


def test_every_check_and_topic_has_its_words() -> None:
    assert set(WORDS) == {check.code for check in CHECKS}
    assert set(TOPICS) == {check.topic for check in CHECKS}


def test_a_whole_event_has_no_findings(whole: Tournament, desk: Client) -> None:
    assert found(whole) == {}
    text = words(page(whole, desk))
    assert "Nothing was found for which the report would be sent back." in text
    assert "For FIDE" in text


def test_a_player_who_never_came_is_in_no_report(whole: Tournament, chief_arbiter: User) -> None:
    Entry.objects.create(tournament=whole, name="Absent, Ada", created_at=NOW)
    assert found(whole) == {}
    planned = factories.make_tournament(chief_arbiter, name="Other")
    Entry.objects.create(tournament=planned, name="Absent, Ada", created_at=NOW)
    assert found(planned)["no_fide_id"] == ["Absent, Ada"]


@pytest.mark.costly
def test_the_archive_of_a_whole_event_is_complete(
    whole: Tournament, desk: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files, summary = archive(whole, desk)
    folder = {name.partition("/")[2] for name in files if name.startswith("autumn-open/")}
    assert folder == SHEETS | OTHERS | {"rating.trf"}
    assert set(files) - {f"autumn-open/{name}" for name in folder} == {
        "summary.json", "summary.txt", "sheets.css", *OF_EVENT,
    }  # fmt: skip
    assert (summary["findings"], summary["left_out"]) == (0, [])
    [section] = summary["sections"]
    assert (section["profile"], section["event_code"]) == ("fide", "412345")
    assert section["fingerprint"] == whole.fingerprint
    assert files["autumn-open/rating.trf"].startswith(b"012 Autumn Open")
    assert b"1990/01/02" in files["autumn-open/rating.trf"]
    assert files["autumn-open/standings.csv"].count(b"\r\n") == 5
    for name in SHEETS:
        sheet = files[f"autumn-open/{name}"].decode()
        assert 'href="../sheets.css"' in sheet
        assert "<script" not in sheet
    text = files["summary.txt"].decode()
    assert "- nothing is missing" in text
    assert "- autumn-open/it3.html: Tournament report (IT3)" in text
    path = tmp_path / "report.zip"
    path.write_bytes(desk.get(reverse("report-archive", args=[whole.slug])).content)
    assert main(["verify", str(path)]) == 0
    assert "the report of “Autumn Open” is unchanged: 12 files" in capsys.readouterr().out


@pytest.mark.costly
def test_the_same_state_makes_the_same_bytes(
    whole: Tournament, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("report-archive", args=[whole.slug])
    first = desk.get(address).content
    later = timezone.now() + timedelta(minutes=5)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert desk.get(address).content == first
    monkeypatch.undo()
    french = desk.get(address, headers={"Accept-Language": "fr"}).content
    assert french != first


class TestOneFault:
    """An event with one fault: what the database has reaches the check."""

    @pytest.mark.parametrize(
        "field, code",
        [
            ("start_date", "no_first_day"),
            ("end_date", "no_last_day"),
            ("city", "no_place"),
            ("federation", "no_host"),
            ("event_code", "no_event_code"),
            ("organiser", "no_organiser"),
            ("time_control", "no_time_control"),
            ("chief_arbiter", "no_chief"),
            ("final_at", "not_final"),
        ],
    )
    def test_of_the_event(self, whole: Tournament, field: str, code: str) -> None:
        value = None if field in ("start_date", "end_date", "final_at") else ""
        Tournament.objects.filter(pk=whole.pk).update(**{field: value})
        assert found(whole) == {code: [""]}

    def test_of_the_arbiters(self, whole: Tournament) -> None:
        names = {"chief_arbiter": "Naves, Iara", "deputy_arbiters": "Roy, Luc\nFA Blom (2000024)"}
        Tournament.objects.filter(pk=whole.pk).update(**names)
        assert found(whole) == {
            "chief_without_id": ["Naves, Iara"],
            "chief_without_title": [""],
            "deputy_without_id": ["Roy, Luc"],
        }

    @pytest.mark.parametrize(
        "field, value, codes",
        [
            ("fide_id", None, {"no_fide_id"}),
            ("federation", "", {"no_federation"}),
            ("sex", "", {"no_sex"}),
            ("birth_date", "", {"no_birth"}),
        ],
    )
    def test_of_a_player(
        self, whole: Tournament, field: str, value: str | None, codes: set[str]
    ) -> None:
        entry = factories.entry_of(whole, 2)
        Entry.objects.filter(pk=entry.pk).update(**{field: value})
        assert found(whole) == {code: [entry.name] for code in codes}

    def test_of_the_days(self, whole: Tournament) -> None:
        Round.objects.filter(tournament=whole, number=1).update(starts_at=None)
        Round.objects.filter(tournament=whole, number=2).update(starts_at=NOW.replace(day=25))
        assert found(whole) == {"no_day": ["1"], "other_day": ["2"]}

    def test_days_in_an_opened_file_are_known(self, whole: Tournament) -> None:
        """The report repeats its record 132, unless a round has got a time since."""
        Round.objects.filter(tournament=whole).update(starts_at=None)
        assert found(whole) == {"no_day": ["1", "2"]}
        Tournament.objects.filter(pk=whole.pk).update(trf_extras=["132 26/11/20 26/11/21"])
        assert found(whole) == {}
        Round.objects.filter(tournament=whole, number=1).update(starts_at=NOW)
        assert found(whole) == {"no_day": ["2"]}

    def test_of_the_time_control(self, whole: Tournament) -> None:
        """In rapid chess all games with this time control are not rated."""
        Tournament.objects.filter(pk=whole.pk).update(rate_of_play="rapid")
        assert found(whole) == {"other_rate": [""], "unrated": ["wrong_time"]}

    def test_of_the_ratings(self, whole: Tournament, desk: Client) -> None:
        Entry.objects.filter(tournament=whole, tpn=2).update(fide_rating=None)
        assert found(whole) == {"unrated": ["unrated_opponent"]}
        text = words(page(whole, desk))
        assert "Games that are not rated by FIDE : opponent without a FIDE rating: 2" in text


@pytest.fixture
def running(chief_arbiter: User) -> Tournament:
    """Return an event of three rounds: a forfeit in round 1, and a result missing in round 2."""
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=3)
    results = {1: "+-", 2: "==", 3: "10"}
    factories.play_rounds(tournament, [1], chief_arbiter, lambda board, *_players: results[board])
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def test_open_games_and_forfeits_are_named(running: Tournament, chief_arbiter: User) -> None:
    codes = found(running)
    assert codes["not_over"] == ["2", "3"]
    assert len(codes["no_result"]) == 3
    assert codes["forfeit"] == ["1: Abara, Player 1 – Dumont, Player 4"]


@pytest.mark.costly
def test_an_explained_forfeit_is_no_finding(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    factories.play_rounds(tournament, [1], chief_arbiter, lambda *_players: "+-")
    assert len(found(tournament)["forfeit"]) == 2
    absent = factories.entry_of(tournament, 3)
    absence_explain(
        entry_id=absent.pk, actor=chief_arbiter, now=NOW, round_number=1, explanation="the train"
    )
    [left] = found(tournament)["forfeit"]
    assert absent.name not in left
    gone = factories.entry_of(tournament, 2)
    Entry.objects.filter(pk=gone.pk).update(withdrawn_from=2)
    assert gone.name in left
    assert "forfeit" not in found(tournament)


@pytest.mark.costly
def test_a_protest_without_a_decision_is_named(running: Tournament, chief_arbiter: User) -> None:
    protest_lodge(
        tournament_id=running.pk, by="Blom", at=NOW, subject="touch move", seen=0,
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    assert found(running)["protest"] == ["1. Blom"]


@pytest.mark.costly
def test_an_incomplete_report_says_so(running: Tournament, desk: Client) -> None:
    files, summary = archive(running, desk)
    assert "autumn-open/rating.trf" not in files
    assert files["autumn-open/incomplete.trf"].startswith(b"012 Autumn Open")
    left_out = summary["left_out"]
    assert left_out[0].startswith("The report file is incomplete (incomplete.trf): ")
    assert left_out[1] == "Sheets and lists are those after 1 of 3 rounds."
    text = files["summary.txt"].decode()
    assert all(f"- {each}" in text for each in left_out)
    assert "[to correct] Games without a result: 2: " in text


@pytest.mark.costly
def test_every_link_leads_to_its_field(running: Tournament, desk: Client) -> None:
    text = page(running, desk)
    part = text.partition(f'id="check-{running.pk}"')[2].partition("</main>")[0]
    links = {html.unescape(link) for link in re.findall(r'<a href="([^"]+)"', part)}
    fields = {link.partition("#")[2] for link in links} - {""}
    assert {"id_fide_id", "id_sex", "id_event_code", "id_report_profile"} <= fields
    entries = [link for link in links if "/entries/" in link and link.endswith("#id_fide_id")]
    assert len(entries) == 6
    for link in sorted(links):
        address, _, field = link.partition("#")
        response = desk.get(address)
        assert response.status_code == 200, link
        assert not field or f'id="{field}"' in response.content.decode(), link


@pytest.mark.costly
def test_an_empty_event_has_a_page_and_an_archive(chief_arbiter: User, desk: Client) -> None:
    tournament = factories.make_tournament(chief_arbiter, name="Empty")
    text = words(page(tournament, desk))
    assert "There are no players" in text
    assert "Rounds without published results (5): Round 1" in text
    files, summary = archive(tournament, desk)
    assert "empty/standings.csv" not in files
    assert (
        "No results are published: there are no standings and no crosstable." in summary["left_out"]
    )
    assert {f"empty/{name}" for name in SHEETS} <= set(files)


@pytest.mark.costly
def test_matches_of_two_games(chief_arbiter: User, desk: Client) -> None:
    """A forfeit is named once, whichever game of the match it is; US Chess has no form for them."""
    tournament = factories.make_ready(
        chief_arbiter, players=4, rounds=2, system=DOUBLE_SWISS, federation="USA"
    )
    results = {1: ("10", "+-"), 2: ("--", "==")}
    play(tournament, 1, chief_arbiter, lambda board: results[board])
    tournament.refresh_from_db()
    names = found(tournament)["forfeit"]
    assert len(names) == 2
    assert all(each.startswith("1: ") for each in names)
    files, summary = archive(tournament, desk)
    assert "autumn-open/rating.trf" in files
    assert any(each.startswith("US Chess: ") for each in summary["left_out"])
    pair_and_publish(tournament, 2, chief_arbiter)
    assert len(found(tournament)["no_result"]) == 2
    assert "autumn-open/incomplete.trf" in archive(tournament, desk)[0]


@pytest.mark.costly
def test_the_archive_has_the_state_of_now_not_of_the_page(whole: Tournament, desk: Client) -> None:
    """A page that is open says what it found; the archive checks again."""
    assert "Nothing was found" in page(whole, desk)
    Entry.objects.filter(tournament=whole, tpn=2).update(sex="")
    summary = archive(whole, desk)[1]
    assert [each["code"] for each in summary["sections"][0]["findings"]] == ["no_sex"]


@pytest.mark.costly
def test_in_french(running: Tournament, desk: Client) -> None:
    response = desk.get(
        reverse("report-check", args=[running.slug]), headers={"Accept-Language": "fr"}
    )
    text = words(response.content.decode())
    assert "Vérifier avant l’envoi" in text
    assert "Joueurs sans code FIDE (6)" in text
    assert "points à corriger" in text
    response = desk.get(
        reverse("report-archive", args=[running.slug]), headers={"Accept-Language": "fr"}
    )
    with zipfile.ZipFile(io.BytesIO(response.content)) as made:
        summary = made.read("summary.txt").decode()
        assert json.loads(made.read("summary.json"))["language"] == "fr"
    assert "[à corriger] Joueurs sans code FIDE\u202f: Abara, Player 1;" in summary
    assert "Pas dans le rapport" in summary


@pytest.mark.costly
@pytest.mark.parametrize("name", ["report-check", "report-archive"])
def test_as_many_queries_for_many_players(name: str, desk: Client, chief_arbiter: User) -> None:
    queries = []
    for players in (10, 100):
        tournament = make_large(chief_arbiter, players=players, rounds=4, played=4)
        with CaptureQueriesContext(connection) as captured:
            assert desk.get(reverse(name, args=[tournament.slug])).status_code == 200
        queries.append(len(captured))
    assert queries[0] == queries[1]
