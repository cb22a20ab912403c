"""The arbiter's report, and its tables as CSV."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.entries import entry_add, entry_return, entry_withdraw
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Correction, Game, Tournament
from tournaments.reports.event_report import event_report, minutes_late
from tournaments.reports.trf_export import trf_export
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tie_breaks import tie_breaks_change

HOUR = timedelta(hours=1)


@pytest.fixture
@factories.cached
def event(chief_arbiter: User) -> Tournament:
    """Six players, results of round 1 20 minutes late, of round 2 an hour early,
    and one event of each kind.

    A forfeit, a late entry, a withdrawal, a late correction.
    """
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=3)
    first, second = (factories.round_of(tournament, number) for number in (1, 2))
    late = factories.NOW - timedelta(minutes=20)
    for round_, starts, due in (
        (first, factories.NOW + HOUR, late),
        (second, None, factories.NOW + HOUR),
    ):
        round_schedule(
            round_id=round_.pk,
            actor=chief_arbiter,
            now=factories.NOW,
            starts_at=starts,
            results_due_at=due,
        )
    factories.play_rounds(
        tournament, [1], chief_arbiter, lambda board, white, black: "+-" if board == 2 else "10"
    )
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        name="Late, Lena",
        fide_rating=1500,
        checked_in=True,
    )
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 6).pk, actor=chief_arbiter, now=factories.NOW
    )
    factories.play_rounds(tournament, [2], chief_arbiter)
    Correction.objects.create(
        tournament=tournament,
        kind=CorrectionKind.RATING,
        round_number=1,
        entry=factories.entry_of(tournament, 1),
        reported_at=factories.NOW,
        entered_at=factories.NOW,
        effect=CorrectionEffect.RATING_ONLY,
        before={"fide_rating": 2400},
        after={"fide_rating": 2300},
        reason="an old list",
    )
    return tournament


def test_c04_2_4_2_the_schedule_is_compared_with_what_happened(event: Tournament) -> None:
    report = event_report(tournament_frame(event, runs=True))
    times = [
        (line.number, line.pairings_late, line.results_late, line.results_early)
        for line in report.schedule
    ]
    assert times == [(1, 0, 20, 0), (2, 0, 0, 60), (3, 0, 0, 0)]
    assert [line.number for line in report.not_kept] == [1, 2]


def test_c04_2_4_2_within_the_announced_minute_is_on_time() -> None:
    assert minutes_late(factories.NOW, factories.NOW) == 0
    assert minutes_late(factories.NOW, factories.NOW + timedelta(seconds=59)) == 0
    assert minutes_late(factories.NOW, factories.NOW + timedelta(seconds=60)) == 1
    assert minutes_late(factories.NOW, None) == minutes_late(None, factories.NOW) == 0


def test_absences_and_corrections_are_listed(event: Tournament) -> None:
    report = event_report(tournament_frame(event, runs=True))
    assert [entry.tpn for entry in report.withdrawals] == [6]
    assert [(entry.name, entry.first_round) for entry in report.late_entries] == [("Late, Lena", 2)]
    assert [(game.round_number, game.board, game.result) for game in report.forfeits] == [
        (1, 2, "+-")
    ]
    assert (
        [row.reason for row in report.corrections],
        [row.reason for row in report.rating_only],
    ) == (
        [],
        ["an old list"],
    )


@pytest.mark.costly
def test_c04_2_3_2_an_undone_withdrawal_is_in_the_report(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    neighbour = factories.make_ready(chief_arbiter, name="Beside")
    for at in (neighbour, event):
        entry_withdraw(
            entry_id=factories.entry_of(at, 3).pk,
            actor=chief_arbiter,
            now=factories.NOW,
            from_round=3,
        )
    back = {
        "entry_id": factories.entry_of(event, 3).pk,
        "actor": chief_arbiter,
        "now": factories.NOW + HOUR,
    }
    entry_return(**back, reason="the train was late")
    # An undone bye is not a withdrawal.
    asking = {
        "entry_id": factories.entry_of(event, 4).pk,
        "actor": chief_arbiter,
        "now": factories.NOW,
    }
    bye_request(**asking, round_number=3, kind="H")
    bye_cancel(**asking, round_number=3)
    report = event_report(tournament_frame(event, runs=True))
    assert [(line.tpn, line.withdrawn_from, line.decision.article) for line in report.returns] == [
        (3, 3, "")
    ]
    assert event_report(tournament_frame(neighbour, runs=True)).returns == ()
    client.force_login(chief_arbiter)
    text = client.get(reverse("event-report", args=[event.slug])).content.decode()
    assert "withdrawn from round 3, undone 21 Nov 2026, 10:00" in text
    answer = client.get(f"/api/v1/tournaments/{event.slug}/report/").json()
    whom = {
        "id": factories.entry_of(event, 3).pk,
        "tpn": 3,
        "name": "Czerny, Player 3",
        "fide_id": None,
    }
    assert answer["returns"] == [{**whom, "from_round": 3, "at": "2026-11-21T10:00:00Z"}]


def test_a_reason_follows_the_arbiter_without_a_blank_before_the_colon(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    tie_breaks_change(
        tournament_id=event.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        tie_breaks="SB",
        edition="fide-2026",
        reason="on time",
        version=Tournament.objects.get(pk=event.pk).version,
    )
    client.force_login(chief_arbiter)
    text = client.get(reverse("event-report", args=[event.slug])).content.decode()
    assert re.search(r"Clara Chief\s[^:]* → SB: on time", re.sub(r"<[^>]*>", "", text))
    assert not re.search(r"\s:", re.sub(r"<[^>]*>", "", text[text.index("<main") :]))


@pytest.mark.costly
def test_a_round_from_a_file_has_no_time_of_publication(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    """The file has no time of publication, and the time of the import is not that time."""
    made = tournament_import_trf(
        actor=chief_arbiter, now=factories.NOW, data=trf_export(event, public=True).encode()
    )
    factories.pair_and_publish(made, 3, chief_arbiter)
    lines = event_report(tournament_frame(made, runs=True)).schedule
    assert [(line.published_at, line.results_published_at, line.is_imported) for line in lines] == [
        (None, None, True),
        (None, None, True),
        (factories.NOW, None, False),
    ]
    address = reverse("pairings-public", args=[made.slug, 1])
    text = client.get(address).content.decode()
    assert "Pairings imported from a file · results also imported" in tidy(text)
    assert "published 21 Nov" not in text
    assert (
        "Pairings published 21 Nov 2026"
        in client.get(reverse("pairings-public", args=[made.slug, 3])).content.decode()
    )
    client.force_login(chief_arbiter)
    assert (
        "published 21 Nov" not in client.get(reverse("round", args=[made.slug, 1])).content.decode()
    )
    report = client.get(reverse("event-report", args=[made.slug])).content.decode()
    assert report.count('<span class="muted">imported from a file</span>') == 2
    assert "Pairings of round 1" in report
    found = client.get(f"/api/v1/tournaments/{made.slug}/rounds/").json()["results"]
    assert [line["published_at"] for line in found] == [None, None, "2026-11-21T09:00:00Z"]


def test_decisions_are_counted_under_their_articles(event: Tournament) -> None:
    actions = {
        line.article: dict(line.actions)
        for line in event_report(tournament_frame(event, runs=True)).decisions
    }
    assert actions["C.04.2 4.4"] == {"pairings.published": 2}
    assert actions["C.04.2 4.2"] == {"results.published": 2, "round.scheduled": 2}
    assert actions["C.04.3 5.1"] == {"colour.drawn": 1}
    assert "" not in actions


def test_the_page_is_in_both_languages(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("event-report", args=[event.slug])
    text = " ".join(re.sub(r"<[^>]*>", " ", client.get(url).content.decode()).split())
    for words in (
        "FIDE Dutch System 2026 [C.04.3/2026]",
        "Acceleration none",
        "Schedule not kept in 2 rounds.",
        "results published 20 min late",
        "results published 1 h early",
        "withdrawn from round 2 [C.04.2 3.2]",
        "Round 1, board 2",
        "an old list",
        "Norms and rating changes",
    ):
        assert words in text, words
    french = client.get(url, headers={"Accept-Language": "fr"}).content.decode()
    assert "Horaire non tenu dans 2 rondes." in french


def rows(client: Client, address: str) -> list[dict[str, str]]:
    response = client.get(f"/api/v1/tournaments/{address}")
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_standings_entries_and_pairings_as_csv_are_those_of_the_json(
    event: Tournament, client: Client
) -> None:
    about = f"/api/v1/tournaments/{event.slug}/"
    standings = client.get(about + "standings/").json()["standings"]
    found = rows(client, f"{event.slug}/standings/csv/")
    assert [(row["rank"], row["tpn"]) for row in found] == [
        (str(line["rank"]), str(line["tpn"])) for line in standings
    ]
    first = standings[0]
    assert {tie["code"] for tie in first["tie_breaks"]} <= set(found[0])
    entries = client.get(about + "entries/").json()["results"]
    assert [row["name"] for row in rows(client, f"{event.slug}/entries/csv/")] == [
        line["name"] for line in entries
    ]
    boards = client.get(about + "rounds/1/pairings/").json()["boards"]
    assert [
        (
            row["board"],
            row["white_tpn"],
            row["black_tpn"],
            row["white_result"] + row["black_result"],
        )
        for row in rows(client, f"{event.slug}/rounds/1/pairings/csv/")
    ] == [
        (
            str(board["board"]),
            str(board["white"]["tpn"]),
            str(board["black"]["tpn"]),
            board["result"],
        )
        for board in boards
    ]


@pytest.mark.costly
def test_c04_2_4_4_a_round_that_is_not_published_has_no_csv(
    event: Tournament, client: Client
) -> None:
    assert client.get(f"/api/v1/tournaments/{event.slug}/rounds/3/pairings/csv/").status_code == 404


@pytest.fixture
def corrected(event: Tournament) -> Tournament:
    """The same event with a result corrected in time."""
    Correction.objects.create(
        tournament=event,
        kind=CorrectionKind.RESULT,
        round_number=2,
        game=Game.objects.filter(round__tournament=event, round__number=2).order_by("board")[0],
        reported_at=factories.NOW,
        entered_at=factories.NOW,
        effect=CorrectionEffect.NEXT_ROUND,
        before={"result": "10"},
        after={"result": "=="},
        reason="both players said so",
    )
    return event


@pytest.mark.costly
def test_the_report_as_json_has_the_content_of_the_page(
    corrected: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    answer = client.get(f"/api/v1/tournaments/{corrected.slug}/report/").json()
    report = event_report(tournament_frame(corrected, runs=True))
    assert (answer["system"], answer["system_articles"]) == ("dutch_2026", report.articles)
    assert (answer["schedule_kept"], [line["kept"] for line in answer["schedule"]]) == (
        False,
        [False, False, True],
    )
    assert [
        (line["results_minutes_late"], line["results_minutes_early"]) for line in answer["schedule"]
    ] == [(line.results_late, line.results_early) for line in report.schedule]
    assert [line["article"] for line in answer["decisions"]] == [
        line.article for line in report.decisions
    ]
    assert [len(line["reasons"]) for line in answer["decisions"]] == [
        len(line.with_reason) for line in report.decisions
    ]
    assert [line["name"] for line in answer["withdrawals"]] == [
        entry.name for entry in report.withdrawals
    ]
    assert [line["from_round"] for line in answer["late_entries"]] == [
        e.first_round for e in report.late_entries
    ]
    assert [(line["round"], line["board"], line["result"]) for line in answer["forfeits"]] == [
        (line.round_number, line.board, line.result) for line in report.forfeits
    ]
    assert [line["after"] for line in answer["corrections"]] == [
        row.after for row in report.corrections
    ]
    assert [line["after"] for line in answer["rating_only"]] == [
        row.after for row in report.rating_only
    ]
    assert report.corrections
    assert report.rating_only


def test_the_report_as_csv_has_a_line_for_each_fact(
    corrected: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    answer = client.get(f"/api/v1/tournaments/{corrected.slug}/report/").json()
    found = rows(client, f"{corrected.slug}/report/csv/")
    assert {row["item"]: row["text"] for row in found if row["section"] == "event"}[
        "system"
    ] == "dutch_2026"
    for section in (
        "withdrawals",
        "returns",
        "late_entries",
        "forfeits",
        "corrections",
        "rating_only",
    ):
        assert sum(row["section"] == section for row in found) == len(answer[section])
    actions = [
        (line["article"], action["action"], str(action["times"]))
        for line in answer["decisions"]
        for action in line["actions"]
    ]
    lines = [
        (row["article"], row["item"], row["text"]) for row in found if row["section"] == "decisions"
    ]
    assert set(actions) <= set(lines)
    corrections = rows(client, f"{corrected.slug}/report/corrections/csv/")
    assert [row["effect"] for row in corrections] == [
        line["effect"] for line in (*answer["corrections"], *answer["rating_only"])
    ]


def test_only_arbiters_of_the_tournament_get_the_report(
    event: Tournament, client: Client, stranger: User
) -> None:
    for login in (None, stranger):
        if login is not None:
            client.force_login(login)
        for name in ("report/", "report/csv/", "report/corrections/csv/"):
            response = client.get(f"/api/v1/tournaments/{event.slug}/{name}")
            assert (response.status_code, response.json()["error"]["code"]) == (
                403,
                "permission_denied",
            )


@pytest.mark.costly
def test_the_page_links_every_table_as_csv_and_json(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(reverse("event-report", args=[event.slug])).content.decode()
    for name in ("event-report", "crosstable", "prizes", "standings", "entries"):
        for address in (f"api:{name}", f"api:{name}-csv"):
            link = reverse(address, args=[event.slug])
            assert f'href="{link}' in page
            assert client.get(link).status_code == 200
