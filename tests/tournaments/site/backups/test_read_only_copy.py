"""In a copy that was handed over nothing is saved any more:
no page, no form, no link and no clock changes a row.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from pairing.rounds.automatic import publish_due, to_come
from pairing.rounds.pair import round_pair
from pairing.rounds.players_reports import players_report_give
from pairing.rounds.table_codes import players_reports_open
from tests.tournaments import factories
from tests.tournaments.events.registration.conftest import opened, wish
from tests.tournaments.factories import NOW, entry_of, round_of
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_automatic_publication import PAIRINGS_AT, announce
from tests.tournaments.row_cache import all_rows
from tests.tournaments.site.backups.test_hand_over import LATER, bring_back, hand_over
from tests.tournaments.web.test_access_pages import (
    ARBITER_ACTIONS,
    ARBITER_PAGES,
    EVERYBODY,
    NOT_ALWAYS,
    addresses,
)
from tournaments.core import jobs
from tournaments.core.errors import RuleRefused
from tournaments.entries.check_in import check_in_open
from tournaments.entries.self_check_in import code_of, self_check_in, self_check_in_open
from tournaments.events.registration.queue import queue
from tournaments.events.registration.visitor import registration_add
from tournaments.models import (
    Appointment,
    DraftView,
    Forecast,
    Game,
    Registration,
    RequestCount,
    StoredAnswer,
    Tournament,
)
from tournaments.people.people import Access, person_appoint
from tournaments.people.sign_in import pin_is_right
from tournaments.setup.personal_data import data_delete_due
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.final import standings_make_final
from tournaments.standings.forecasts import forecast_make

ROOT: Final = Path(__file__).resolve().parents[4]
OF_THE_SITE: Final = {each._meta.db_table for each in (RequestCount, StoredAnswer)}
"""Requests are counted for the site as a whole."""
LOCKS: Final = {
    "tournaments/api/writes.py": "locks in order; then come actions",
    "tournaments/core/actions.py": "asks whether the copy is live",
    "tournaments/site/backups/log_ins.py": "confirms roles of live copies alone",
    "tournaments/site/backups/taking_over.py": "makes the copy live",
    "tournaments/site/mirrors/sources.py": "asks whether the copy is live; writes no row",
    "tournaments/management/commands/appoint.py": "writes a line, which is refused",
    "tournaments/people/log_in_changes.py": "leaves out copies that are away",
    "tournaments/people/people.py": "leaves out copies that are away",
    "tournaments/setup/deletion.py": "asks whether the copy is live",
    "tournaments/setup/personal_data.py": "asks whether the copy is live",
    "tournaments/events/sections.py": "asks whether the copy is live",
    "tournaments/events/staff.py": "locks in order; then come actions",
    "pairing/rounds/automatic.py": "asks whether the copy is live; then comes an action",
    "pairing/rounds/new_opponent.py": "locks in order; then come actions",
    "pairing/rounds/moved_results.py": "locks in order; then come actions",
    "pairing/rounds/report_acceptance.py": "locks in order; then comes an action",
    "pairing/rounds/players_reports.py": "asks whether the copy is live",
}
"""Where a tournament is locked without ``lock_if_live``,
and why a copy that was handed over stays as it is.
"""


def rows() -> dict[str, list[tuple[Any, ...]]]:
    return {table: held for table, held in all_rows().items() if table not in OF_THE_SITE}


@pytest.mark.costly
def test_no_page_and_no_form_saves_anything(
    ready: Tournament,
    chief_arbiter: User,
    deputy: User,
    client: Client,
    logged_in: Callable[[User], Client],
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    round_pair(round_id=round_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
    names = EVERYBODY - NOT_ALWAYS | ARBITER_PAGES | ARBITER_ACTIONS
    urls = {
        name: url.replace("/rounds/1/", "/rounds/2/")
        for name, url in addresses(names, ready).items()
    }
    away = hand_over(ready, chief_arbiter)
    before = rows()
    sent = {
        "seen_version": away.version,
        "confirmed": "yes",
        "reason": "the hall",
        "round_number": "3",
        "kind": "Z",
    }
    chief = logged_in(chief_arbiter)
    for name, url in urls.items():
        if name in EVERYBODY:
            assert client.get(url).status_code < 500, name
        elif name in ARBITER_PAGES:
            assert chief.get(url).status_code < 500, name
        if name != "hand-over":
            assert chief.post(url, sent).status_code < 500, name
    assert chief.get(f"/api/v1/tournaments/{ready.slug}/rounds/2/pairings/").status_code == 200
    assert rows() == before
    assert not DraftView.objects.filter(round__tournament=ready).exists()
    # The same page saves it in a live copy.
    bring_back(ready, chief_arbiter)
    logged_in(deputy).get(urls["round"])
    assert DraftView.objects.filter(round__tournament=ready).count() == 1


@pytest.mark.costly
def test_a_tournament_is_locked_for_saving_by_what_asks_whether_it_is_live() -> None:
    found = set()
    for folder in ("tournaments", "pairing"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if "select_for_update" in text else ():
                if isinstance(node, ast.Attribute) and node.attr == "select_for_update":
                    whose = ast.unparse(node.value)
                    if whose.startswith(("Tournament.", "together", "self.tournaments")):
                        found.add(path.relative_to(ROOT).as_posix())
    assert found == LOCKS.keys()


def test_a_link_opens_nothing_and_no_pin_is_counted(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    access = Access("one-secret", "123456")
    person_appoint(
        tournament_id=ready.pk,
        name="Rita Result",
        role="deputy",
        access=access,
        actor=chief_arbiter,
        now=NOW,
    )
    hand_over(ready, chief_arbiter)
    before = rows()
    url = reverse("sign-in-link", args=["one-secret"])
    for answer in (
        client.get(url),
        client.post(url, {"pin": "111111"}),
        client.post(url, {"pin": "123456"}),
    ):
        assert (answer.status_code, "continues on another computer" in answer.content.decode()) == (
            409,
            True,
        )
        assert "ask the Chief Arbiter there for a new link and a new PIN" in answer.text
    assert "_auth_user_id" not in client.session
    # Two requests come at once: the page was sent before, the PIN arrives after.
    link = Appointment.objects.select_related("person").latest("pk")
    assert not pin_is_right(link, "111111")
    assert not pin_is_right(link, "123456")
    assert rows() == before
    bring_back(ready, chief_arbiter)
    assert pin_is_right(link, "123456")


def test_players_check_in_and_report_on_the_other_computer(
    ready: Tournament, chief_arbiter: User
) -> None:
    given: dict[str, Any] = {"tournament_id": ready.pk, "actor": chief_arbiter, "now": NOW}
    desk = self_check_in_open(**given, secret="of-the-desk", code_secret="seed", asks_code=True)
    check_in_open(**given)
    hand_over(ready, chief_arbiter)
    before, entry = rows(), entry_of(ready, 3)
    for code in ("1", code_of(desk, entry.pk)):
        with pytest.raises(RuleRefused) as refused:
            self_check_in(secret="of-the-desk", entry_id=entry.pk, code=code, now=NOW)
        assert refused.value.code == "self_check_in.off"
    assert rows() == before


def test_players_report_no_result(ready: Tournament, chief_arbiter: User) -> None:
    factories.pair_and_publish(ready, 1, chief_arbiter)
    players_reports_open(
        tournament_id=ready.pk, actor=chief_arbiter, now=NOW, secret="of-the-tables"
    )
    game = Game.objects.filter(round__tournament=ready).earliest("board")
    hand_over(ready, chief_arbiter)
    before = rows()
    with pytest.raises(RuleRefused) as refused:
        players_report_give(
            game_id=game.pk, side="w", result="10", now=NOW, seen_version=game.version
        )
    assert (refused.value.code, "laptop" in str(refused.value)) == ("players_report.off", False)
    assert rows() == before


@pytest.mark.costly
def test_nobody_registers_and_nothing_expires(
    tournament: Tournament, chief_arbiter: User, client: Client
) -> None:
    opened(tournament, chief_arbiter)
    registration_add(tournament_id=tournament.pk, wish=wish(), secret="of-ada", now=NOW)
    away = hand_over(tournament, chief_arbiter)
    before, much_later = rows(), NOW + timedelta(days=30)
    assert queue(away, now=much_later) == []
    with pytest.raises(RuleRefused) as refused:
        registration_add(
            tournament_id=tournament.pk, wish=wish("Blom, Bo"), secret="of-bo", now=NOW
        )
    assert (refused.value.code, "laptop" in str(refused.value)) == ("registration.off", False)
    assert (
        "Registration is not open."
        in client.get(reverse("register", args=[away.slug])).content.decode()
    )
    front = client.get(reverse("tournament", args=[away.slug])).content.decode()
    assert reverse("register", args=[away.slug]) not in front
    assert rows() == before
    assert queue(bring_back(tournament, chief_arbiter), now=much_later) == []
    assert not Registration.objects.filter(tournament=tournament).exists()


@pytest.mark.costly
def test_the_clock_publishes_nothing(chief_arbiter: User) -> None:
    ready = factories.make_ready(chief_arbiter, rounds=3, automatic_pairings=30)
    announce(round_of(ready, 1), chief_arbiter)
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    away = hand_over(ready, chief_arbiter)
    Tournament.objects.filter(pk=ready.pk).update(
        automatic_by=chief_arbiter
    )  # as if somebody had repaired it by hand
    before = rows()
    assert to_come(away, round_of(ready, 1)) is None
    assert publish_due(PAIRINGS_AT) == []
    call_command("publish_due")
    assert rows() == before
    bring_back(ready, chief_arbiter)
    assert len(publish_due(PAIRINGS_AT)) == 1


@pytest.mark.costly
def test_the_server_deletes_no_personal_data(ready: Tournament, chief_arbiter: User) -> None:
    factories.play_rounds(ready, range(1, ready.total_rounds + 1), chief_arbiter)
    tournament_update(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, keeps_data_days=0)
    at = NOW + timedelta(hours=2)
    standings_make_final(tournament_id=ready.pk, actor=chief_arbiter, now=at, ties_stay=True)
    hand_over(ready, chief_arbiter)
    before = rows()
    assert data_delete_due(tournament_id=ready.pk, now=at + timedelta(days=400)) is None
    call_command("delete_personal_data")
    assert rows() == before


@pytest.mark.costly
def test_no_forecast_is_made(chief_arbiter: User) -> None:
    ready = factories.make_ready(chief_arbiter, rounds=3, forecast_public=True)
    factories.play_rounds(ready, [1], chief_arbiter)
    assert forecast_make(ready.pk, lambda: NOW, most=1) is not None
    jobs.cancel("forecast", str(ready.pk))
    hand_over(ready, chief_arbiter, address="https://club.example/")
    before = list(own(Forecast).values())
    assert forecast_make(ready.pk, lambda: LATER, most=1) is None
    assert not jobs.is_active("forecast", str(ready.pk))
    assert list(own(Forecast).values()) == before


@pytest.mark.costly
def test_a_forecast_that_ends_after_the_hand_over_is_not_stored(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = factories.make_ready(chief_arbiter, rounds=3, forecast_public=True)
    factories.play_rounds(ready, [1], chief_arbiter)

    def clock() -> Any:
        hand_over(ready, chief_arbiter)
        return LATER

    assert forecast_make(ready.pk, clock, most=1) is None
    assert not Forecast.objects.filter(tournament=ready).exists()
