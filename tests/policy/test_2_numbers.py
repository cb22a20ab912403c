"""C.04.2 2: ratings, numbers, late entries and the list of participants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, rating_correct
from pairing.rounds.pair import round_pair, round_unpair
from tests.policy.refusals import page_refuses, refused
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.web.test_shown_values import opened
from tournaments.entries.entries import (
    entry_add,
    entry_check_in,
    entry_remove,
    entry_update,
    numbers_assign,
)
from tournaments.models import Entry, RatingSource, Round, Tournament
from tournaments.setup.tournaments import list_close

WHY = "so the deputy says"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


def read_and_discarded(tournament: Tournament, number: int, actor: User) -> None:
    """Pair round *number*, read the draft and discard it."""
    round_pair(round_id=round_of(tournament, number).pk, **by(actor))
    round_unpair(round_id=round_of(tournament, number).pk, **by(actor))
    tournament.refresh_from_db()


def unrated(tournament: Tournament, tpn: int) -> Entry:
    entry = entry_of(tournament, tpn)
    entry.fide_rating, entry.rating_source = None, RatingSource.ESTIMATE
    entry.save()
    return entry


@pytest.mark.costly
@pytest.mark.parametrize("tie_breaks", ["ARO,BH", "BH"])
def test_c04_2_2_1_a_deputy_changes_no_estimate_after_a_draft_was_read(
    tie_breaks: str, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = make_ready(chief_arbiter, rounds=2, tie_breaks=tie_breaks)
    entry = unrated(tournament, 8)
    read_and_discarded(tournament, 1, deputy)
    given: dict[str, Any] = {"entry_id": entry.pk, "rating": 2999}
    code = "rating.chief_arbiter_decides C.04.2 2.1"
    refused(lambda: entry_update(**given, reason=WHY, **by(deputy)), code)
    url = reverse("entry-edit", args=[tournament.slug, entry.pk])
    form = opened(as_deputy, url) | {"estimate": "2999", "reason": WHY}
    page_refuses(as_deputy, url, form, 422, "C.04.2 2.1")
    refused(
        lambda: entry_update(**given, reason="...", **by(chief_arbiter)), "rating.reason_missing"
    )
    # Another way to the same end: remove the player and enter somebody of the same name.
    refused(
        lambda: entry_remove(entry_id=entry.pk, **by(deputy)),
        "entry.chief_arbiter_removes C.04.2 3.2",
    )
    play_rounds(tournament, [1, 2], chief_arbiter)
    for actor in (deputy, chief_arbiter):
        refused(
            lambda: entry_update(**given, reason=WHY, **by(actor)),  # noqa: B023
            "rating.results_published C.04.2 4.3.3",
        )


@pytest.mark.costly
def test_c04_2_2_2_3_another_name_gives_no_other_number(
    deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """Two players have equal rating and title; after a draft was read,
    a deputy renames the one to be first.
    """
    tournament = make_ready(chief_arbiter)
    for tpn in (3, 4):
        Entry.objects.filter(pk=entry_of(tournament, tpn).pk).update(fide_rating=2380, rating=2380)
    read_and_discarded(tournament, 1, deputy)
    fourth = entry_of(tournament, 4)
    given: dict[str, Any] = {"entry_id": fourth.pk, "name": "Aaron, Player 4"}
    refused(
        lambda: entry_update(**given, reason=WHY, **by(deputy)),
        "name.chief_arbiter_decides C.04.2 2.2.3",
    )
    url = reverse("entry-edit", args=[tournament.slug, fourth.pk])
    form = opened(as_deputy, url) | {"name": "Aaron, Player 4", "reason": WHY}
    page_refuses(as_deputy, url, form, 422, "C.04.2 2.2.3")
    refused(lambda: entry_update(**given, reason="-", **by(chief_arbiter)), "name.reason_missing")
    # A misspelt name that leaves the order as it is can be put right by everybody.
    entry_update(entry_id=fourth.pk, name=f"{fourth.name}e", reason=WHY, **by(deputy))
    entry_update(**given, reason="the passport says so", **by(chief_arbiter))
    line = tournament.decisions.latest("sequence")
    assert (line.action, line.reason) == ("entry.updated", "the passport says so")


def test_c04_2_2_5_the_desk_asks_to_close_the_list(
    ready: Tournament, chief_arbiter: User, as_chief: Client
) -> None:
    desk, expected = reverse("desk", args=[ready.slug]), "The list of players is open"
    assert expected not in as_chief.get(desk).content.decode()
    play_rounds(ready, [1], chief_arbiter)
    assert expected in as_chief.get(desk).content.decode()
    list_close(tournament_id=ready.pk, **by(chief_arbiter))
    assert expected not in as_chief.get(desk).content.decode()


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, article", [("dutch_2026", "C.04.2 2.3"), ("dutch_2017", "C.04.2 B.3")]
)
def test_c04_2_2_3_numbers_stay_once_round_4_was_paired(
    system: str, article: str, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    """Even in a draft that was read and discarded."""
    tournament = make_ready(chief_arbiter, system=system)
    unrated(tournament, 8)
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    read_and_discarded(tournament, 4, deputy)
    report = Report(NOW, WHY)
    rating_correct(
        entry_id=entry_of(tournament, 8).pk,
        ratings={"rating": 2999},
        report=report,
        **by(chief_arbiter),
    )
    for actor in (deputy, chief_arbiter):
        numbers: Callable[[], object] = lambda: numbers_assign(  # noqa: E731
            tournament_id=tournament.pk,
            **by(actor),  # noqa: B023
        )
        refused(numbers, f"numbers.frozen {article}")
    page_refuses(
        as_deputy, reverse("numbers", args=[tournament.slug]), {"assign": "yes"}, 409, article
    )


@pytest.mark.costly
def test_c04_2_2_4_nobody_becomes_a_late_entry(
    ready: Tournament, deputy: User, chief_arbiter: User
) -> None:
    """First for byes beyond the limit, then as the late entry of 4.4.4."""
    play_rounds(ready, [1], chief_arbiter)
    pair_and_publish(ready, 2, chief_arbiter)
    for actor in (deputy, chief_arbiter):
        moved: Callable[[], object] = lambda: entry_update(  # noqa: E731
            entry_id=entry_of(ready, 3).pk, first_round=4, reason=WHY, **by(actor)  # noqa: B023
        )  # fmt: skip
        refused(moved, "entry.takes_part C.04.2 2.4")


@pytest.mark.costly
def test_c04_2_2_4_a_late_entry_is_paired_after_arrival(
    played_round: Round, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = played_round.tournament
    late = entry_add(tournament_id=tournament.pk, name="Late, Lena", **by(deputy))
    row = round_of(tournament, 2)
    refused(
        lambda: round_pair(round_id=row.pk, **by(chief_arbiter)), "entry.not_arrived C.04.2 2.4"
    )
    url = reverse("round-pair", args=[tournament.slug, 2])
    page_refuses(as_deputy, url, {}, 409, "C.04.2 2.4", "Late, Lena")
    entry_check_in(entry_id=late.pk, checked_in=True, **by(deputy))
    assert round_pair(round_id=row.pk, **by(deputy)).state == "draft"


def test_c04_2_2_4_no_late_entry_for_a_published_round(
    published_round: Round, deputy: User
) -> None:
    given: dict[str, Any] = {
        "tournament_id": published_round.tournament_id,
        "name": "Late, Lena",
        **by(deputy),
    }
    refused(lambda: entry_add(**given, first_round=1), "entry.round_published C.04.2 2.4")


@pytest.mark.costly
def test_c04_2_2_5_nobody_enters_a_closed_list(
    played_round: Round, deputy: User, chief_arbiter: User, as_deputy: Client
) -> None:
    tournament = played_round.tournament
    list_close(tournament_id=tournament.pk, **by(chief_arbiter))
    given: dict[str, Any] = {"tournament_id": tournament.pk, "name": "Late, Lena", **by(deputy)}
    refused(lambda: entry_add(**given), "entry.list_closed C.04.2 2.5")
    url = reverse("entry-add", args=[tournament.slug])
    page_refuses(as_deputy, url, {"name": "Late, Lena"}, 422, "C.04.2 2.5")


@pytest.mark.costly
def test_c04_2_2017_c_2_late_entries_come_for_rounds_2_and_3(
    deputy: User, chief_arbiter: User
) -> None:
    """So that no number moves once round 4 was paired (B.3), not even in a draft."""
    tournament = make_ready(chief_arbiter, system="dutch_2017")
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    numbers = dict(tournament.entries.values_list("pk", "tpn"))
    for actor in (deputy, chief_arbiter):
        for first in ({}, {"first_round": 5}):
            late: Callable[[], object] = lambda: entry_add(  # noqa: E731
                tournament_id=tournament.pk, name="Late, Lena", **first, **by(actor)  # noqa: B023
            )  # fmt: skip
            refused(late, "entry.too_late_in_edition C.04.2 C.2")
    assert dict(tournament.entries.values_list("pk", "tpn")) == numbers
