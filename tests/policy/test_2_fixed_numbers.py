"""C.04.2 2.3, 2.4: once round 4 was paired, corrected data change no number;
newcomers get the one of their rating.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, rating_correct
from pairing.rounds.pair import round_pair, round_unpair
from tests.policy.refusals import refused
from tests.tournaments.entries.test_waiting import enter, form_of
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.core.actions import open_action
from tournaments.desk.undo import action_undo
from tournaments.entries.cells import ImportRow
from tournaments.entries.entries import (
    entry_add,
    entry_remove,
    entry_return,
    entry_update,
    entry_withdraw,
    numbers_assign,
)
from tournaments.entries.expulsion import entry_expel
from tournaments.entries.waiting_rows import WaitingRow, let_wait, waiting_enter_all, waiting_rows
from tournaments.lists.imports.entry_lists import Choice, entries_import, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Decision, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.setup.tournaments import list_close, list_reopen, tournament_update

WHY = "the passport says so"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


def numbers(tournament: Tournament) -> dict[str, int | None]:
    return dict(tournament.entries.order_by("tpn").values_list("name", "tpn"))


def names(tournament: Tournament) -> list[str]:
    return list(numbers(tournament))


@pytest.fixture(params=["published", pytest.param("discarded", marks=pytest.mark.costly)])
def four_rounds(request: pytest.FixtureRequest, chief_arbiter: User, deputy: User) -> Tournament:
    """Three rounds of eight are played, and round 4 was paired:
    published, or a draft that was discarded.
    """
    tournament = make_ready(chief_arbiter)
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    if request.param == "published":
        pair_and_publish(tournament, 4, chief_arbiter)
    else:
        round_pair(round_id=round_of(tournament, 4).pk, **by(deputy))
        round_unpair(round_id=round_of(tournament, 4).pk, **by(deputy))
    tournament.refresh_from_db()
    return tournament


def test_c04_2_2_4_newcomers_get_the_number_of_their_rating_after_round_4_too(
    four_rounds: Tournament, deputy: User, as_deputy: Client
) -> None:
    """The list was closed; a deputy opens it again and enters players on every path there is."""
    tournament, pk = four_rounds, four_rounds.pk
    before = names(tournament)
    list_close(tournament_id=pk, **by(deputy))
    list_reopen(tournament_id=pk, **by(deputy))
    entry_add(tournament_id=pk, name="By hand, Ada", fide_rating=2999, **by(deputy))
    url = reverse("entry-add", args=[tournament.slug])
    page = {"name": "By page, Bea", "fide_rating": "2998", "arrived": "on"}
    assert as_deputy.post(url, page).status_code == 302
    rows = [
        ImportRow(1, "Of a file, Weak", fide_rating=2001),
        ImportRow(2, "Of a file, Strong", fide_rating=2997),
    ]
    entries_import(tournament_id=pk, rows=rows, **by(deputy))
    newer = read_list("Name;Elo\nOf a newer list, Eva;2995\n")
    list_import(tournament_id=pk, reading=newer, choice=Choice(), **by(deputy))
    body = b"Name;Elo\nOf REST, Rita;2994\n"
    address = f"/api/v1/tournaments/{tournament.slug}/entries/import/"
    assert as_deputy.post(address, body, content_type="application/octet-stream").status_code == 200
    for name in ("Waiting, Wim", "Waiting, Zoe"):
        with open_action(actor=deputy, now=NOW, pk=pk) as action:
            let_wait(action, [WaitingRow({"name": name, "fide_rating": "2993"})])
    waiting = waiting_rows(tournament)[0]
    enter(as_deputy, tournament, waiting, form_of(as_deputy, tournament, waiting))
    waiting_enter_all(tournament_id=pk, last=waiting_rows(tournament)[0].pk, **by(deputy))
    came = [
        "By hand, Ada", "By page, Bea", "Of a file, Strong", "Of a newer list, Eva", "Of REST, Rita", "Waiting, Wim",
        "Waiting, Zoe",
    ]  # fmt: skip
    assert names(tournament) == [*came, *before, "Of a file, Weak"]
    assert list(numbers(tournament).values()) == list(range(1, len(before) + len(came) + 2))
    tournament.refresh_from_db()
    assert not differences(tournament)


@pytest.mark.costly
def test_c04_2_2_3_no_other_action_moves_a_number(
    four_rounds: Tournament, chief_arbiter: User, deputy: User
) -> None:
    """``tests/tournaments/events`` has the test that nobody moves to
    another section once round 1 was paired.
    """
    tournament, pk = four_rounds, four_rounds.pk
    late = entry_add(tournament_id=pk, name="Latecomer, Lars", fide_rating=2999, **by(deputy))
    before = dict(tournament.entries.values_list("pk", "tpn"))
    added = Decision.objects.filter(tournament=pk).latest("sequence").sequence
    refused(
        lambda: action_undo(tournament_id=pk, sequence=added, **by(chief_arbiter)),
        "entry.event_begun C.04.2 3.2",
    )
    refused(
        lambda: entry_remove(entry_id=late.pk, reason=WHY, **by(chief_arbiter)),
        "entry.event_begun C.04.2 3.2",
    )
    refused(
        lambda: numbers_assign(tournament_id=pk, **by(chief_arbiter)), "numbers.frozen C.04.2 2.3"
    )
    refused(lambda: tournament_update(tournament_id=pk, rating_method="NRO", reason=WHY, **by(chief_arbiter)),
            "tournament.begun C.04.2 2.1")  # fmt: skip
    eighth = entry_of(tournament, 8)
    changes: tuple[dict[str, Any], ...] = (
        {"title": "GM"}, {"name": "Aaron, Aa"}, {"birth_date": "1999/01/01"}, {"fide_id": 4711},
    )  # fmt: skip
    for fields in changes:
        entry_update(entry_id=eighth.pk, reason=WHY, **fields, **by(chief_arbiter))
    at = NOW + timedelta(minutes=1)
    given: dict[str, Any] = {"ratings": {"fide_rating": 2998}, "report": Report(at, WHY)}
    rating_correct(entry_id=eighth.pk, **given, actor=chief_arbiter, now=at)
    entry_withdraw(entry_id=late.pk, **by(deputy))
    undo = Decision.objects.filter(tournament=pk).latest("sequence").sequence
    action_undo(tournament_id=pk, sequence=undo, **by(deputy))
    entry_withdraw(entry_id=late.pk, **by(deputy))
    entry_return(entry_id=late.pk, reason=WHY, **by(chief_arbiter))
    entry_expel(entry_id=late.pk, reason=WHY, **by(chief_arbiter))
    assert dict(tournament.entries.values_list("pk", "tpn")) == before
    tournament.refresh_from_db()
    assert not differences(tournament)
