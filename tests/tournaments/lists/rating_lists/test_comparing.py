"""Compare entries with the lists: old and new value, a box for each,
and a line of the record for each player.
"""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.entries import entry_add, entry_update
from tournaments.lists.rating_lists.comparing import compare, outdated_list, refresh
from tournaments.models import Decision, Entry, Tournament

from .conftest import NATIONAL, PLAYERS, Load, text_list

pytestmark = pytest.mark.on_postgres("many rows in one statement")

WHY = "the November list"


@pytest.fixture
def event(load: Load, ready: Tournament, chief_arbiter: User) -> Tournament:
    """Eight players with numbers; the first by FIDE ID, the second by name alone,
    the others are in no list.
    """
    load(text_list())
    Entry.objects.filter(tournament=ready, tpn=1).update(fide_id=2000016)
    ready.refresh_from_db()
    return ready


def differences(tournament: Tournament) -> list[tuple[str, object, object]]:
    return [
        (each.field, each.old, each.new)
        for one in compare(tournament).different
        for each in one.differences
    ]


def keys(tournament: Tournament, *fields: str) -> set[str]:
    return {
        each.key
        for one in compare(tournament).different
        for each in one.differences
        if each.field in fields
    }


def take(tournament: Tournament, actor: User, wanted: set[str], reason: str = "") -> int:
    return refresh(
        tournament_id=tournament.pk, actor=actor, now=factories.NOW, keys=wanted, reason=reason
    )


def test_old_and_new_value_of_every_field_that_differs(event: Tournament) -> None:
    found = compare(event)
    assert differences(event) == [
        ("fide_rating", 2400, 2450), ("title", "", "GM"), ("birth_date", "", "1990/00/00"), ("sex", "", "m"),
        ("fide_rating", 2390, 2395), ("title", "", "WIM"), ("women_title", "", "WIM"),
        ("federation", "FRA", "SWE"), ("birth_date", "", "1988/00/00"), ("fide_id", None, 2000024), ("sex", "", "w"),
    ]  # fmt: skip
    assert [one.by_name for one in found.different] == [False, True]
    assert (len(found.not_found), found.same) == (6, 0)


def test_what_is_ticked_is_saved_with_a_line_for_each_player(
    event: Tournament, deputy: User
) -> None:
    lines = Decision.objects.count()
    assert take(event, deputy, keys(event, "fide_rating", "fide_id")) == 2
    rows = list(Decision.objects.order_by("pk")[lines:])
    assert [row.action for row in rows] == ["entry.updated"] * 2
    assert (
        rows[0].before["fide_rating"],
        rows[0].after["fide_rating"],
        rows[0].after["rating"],
    ) == (2400, 2450, 2450)
    assert "title" not in rows[0].after
    assert not keys(event, "fide_rating", "fide_id")


@pytest.mark.costly
def test_a_player_whom_the_list_no_longer_rates_is_shown_and_not_ticked(
    event: Tournament, load: Load, deputy: User
) -> None:
    load(text_list([(*PLAYERS[0][:5], 0, 0, 0, 1990)]), smaller=True)
    (found,) = [
        each
        for one in compare(event).different
        for each in one.differences
        if each.field == "fide_rating"
    ]
    assert (found.new, found.is_ticked) == (None, False)
    take(event, deputy, {found.key})
    assert factories.entry_of(event, 1).rating == 0


def test_c04_2_2_1_a_rating_of_the_list_takes_the_place_of_an_estimate(
    event: Tournament, deputy: User
) -> None:
    Entry.objects.filter(tournament=event, tpn=1).update(
        fide_rating=None, rating=1500, rating_source="estimate"
    )
    take(event, deputy, {key for key in keys(event, "fide_rating") if key.endswith("2450")})
    entry = factories.entry_of(event, 1)
    assert (entry.rating_source, entry.rating) == ("fide", 2450)


@pytest.mark.parametrize("birth, found", [("1990/05/17", []), ("1991/05/17", ["1990/00/00"])])
def test_a_full_date_agrees_with_the_year_of_the_list(
    event: Tournament, birth: str, found: list[str], chief_arbiter: User
) -> None:
    Entry.objects.filter(tournament=event, tpn=1).update(birth_date=birth)
    Entry.objects.filter(tournament=event, tpn=2).delete()
    assert [new for field, _, new in differences(event) if field == "birth_date"] == found


def test_capitals_and_accents_of_a_name_are_no_difference(event: Tournament) -> None:
    Entry.objects.filter(tournament=event, tpn=1).update(name="ÁBARA Player 1")
    assert "name" not in [field for field, *_ in differences(event)]
    Entry.objects.filter(tournament=event, tpn=1).update(name="Abarra, Player 1")
    assert ("name", "Abarra, Player 1", "Abara, Player 1") in differences(event)


def test_namesakes_of_another_year_are_not_taken(event: Tournament) -> None:
    Entry.objects.filter(tournament=event, tpn=2).update(birth_date="1970/00/00")
    assert len(compare(event).different) == 1


def test_the_national_rating_is_compared_too(event: Tournament, load: Load) -> None:
    load(NATIONAL.encode(), "f.csv", federation="FRA")
    assert ("national_rating", None, 2431) in differences(event)


@pytest.mark.costly
def test_nothing_is_saved_if_the_entry_or_the_list_changed_or_nothing_is_ticked(
    event: Tournament, load: Load, chief_arbiter: User
) -> None:
    wanted = keys(event, "fide_rating", "title")
    entry_update(
        entry_id=factories.entry_of(event, 1).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        fide_rating=2401,
    )
    lines = Decision.objects.count()
    with pytest.raises(Conflict):
        take(event, chief_arbiter, wanted)
    with pytest.raises(BadInput):
        take(event, chief_arbiter, set())
    with pytest.raises(Conflict):
        take(event, chief_arbiter, {"1/club//x"})
    assert Decision.objects.count() == lines
    # The same form again, after it was saved.
    done = keys(event, "fide_rating")
    take(event, chief_arbiter, done)
    with pytest.raises(Conflict):
        take(event, chief_arbiter, done)


def test_one_refused_entry_saves_none(event: Tournament, chief_arbiter: User) -> None:
    entry_add(
        tournament_id=event.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        name="Blomqvist, Other",
        fide_id=2000024,
    )
    wanted = keys(event, "fide_rating", "fide_id")
    lines = Decision.objects.count()
    with pytest.raises(BadInput, match=r"Blomqvist, Player 2: .*Nothing was saved"):
        take(event, chief_arbiter, wanted)
    assert Decision.objects.count() == lines
    assert factories.entry_of(event, 1).fide_rating == 2400


@pytest.mark.costly
def test_c04_2_2_1_after_round_1_is_paired_the_chief_arbiter_gives_a_reason(
    event: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    round_pair(round_id=factories.round_of(event, 1).pk, actor=chief_arbiter, now=factories.NOW)
    wanted = keys(event, "fide_rating")
    for actor, reason, message in (
        (deputy, WHY, "only the Chief Arbiter"),
        (chief_arbiter, "", "enter a reason"),
    ):
        with pytest.raises(BadInput, match=message):
            take(event, actor, wanted, reason)
    with pytest.raises(PermissionDenied):
        take(event, stranger, wanted, WHY)
    assert take(event, chief_arbiter, wanted, WHY) == 2
    row = own(Decision).latest("pk")
    assert (row.action, row.reason) == ("entry.rating_changed", WHY)


@pytest.mark.costly
def test_c04_2_4_3_3_after_results_a_rating_is_left_to_a_correction(
    event: Tournament, chief_arbiter: User
) -> None:
    factories.play_rounds(event, [1], chief_arbiter)
    with pytest.raises(BadInput, match="correction"):
        take(event, chief_arbiter, keys(event, "fide_rating"), WHY)
    assert take(event, chief_arbiter, keys(event, "sex"), WHY) == 2


def test_the_page_shows_the_differences_and_saves(
    event: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("ratings-check", args=[event.slug])
    page = client.get(url).content.decode()
    assert page.count("checked") == 2
    assert "6 players are in no list" in page
    assert "Łukasiewicz" not in page
    refused = client.post(url, {"take": ["1/fide_rating/1/2"]})
    assert refused.status_code == 409
    saved = client.post(url, {"take": sorted(keys(event, "fide_rating"))}, follow=True)
    assert "2 players are updated from the list." in saved.content.decode()


@pytest.mark.costly
def test_the_page_keeps_the_reason_when_it_saves_nothing(
    event: Tournament, chief_arbiter: User, client: Client
) -> None:
    round_pair(round_id=factories.round_of(event, 1).pk, actor=chief_arbiter, now=factories.NOW)
    client.force_login(chief_arbiter)
    url = reverse("ratings-check", args=[event.slug])
    refused = client.post(url, {"take": ["1/fide_rating/1/2"], "reason": 'The "new" list'})
    assert refused.status_code == 409
    assert 'value="The &quot;new&quot; list"' in refused.content.decode()


@pytest.mark.parametrize(
    "start, name, is_old",
    [
        (date(2026, 11, 21), "standard_nov26.txt", False),
        (date(2026, 11, 21), "standard_oct26.txt", True),
        (date(2026, 10, 31), "standard_oct26.txt", False),
        (None, "standard_oct26.txt", True),
        (None, "standard_nov26.txt", False),
    ],
)
def test_c04_2_2_1_a_list_older_than_the_month_of_the_first_day_is_outdated(
    load: Load, tournament: Tournament, start: date | None, name: str, is_old: bool
) -> None:
    load(text_list(), name)
    tournament.start_date = start
    assert (outdated_list(tournament, date(2026, 11, 20)) is not None) is is_old


@pytest.mark.costly
def test_the_desk_reminds_before_round_1_only(
    load: Load, ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    load(text_list(), "standard_oct26.txt")
    Tournament.objects.filter(pk=ready.pk).update(start_date=date(2026, 11, 21))
    client.force_login(chief_arbiter)
    short = "The rating list of FIDE is of October 2026"
    sentence = f"{short}, and the tournament starts in November 2026."
    for name, expected in (("desk", short), ("numbers", sentence), ("ratings-check", sentence)):
        assert expected in client.get(reverse(name, args=[ready.slug])).content.decode(), name
    round_pair(round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW)
    assert short not in client.get(reverse("desk", args=[ready.slug])).content.decode()


def test_without_a_list_nobody_is_reminded(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    assert (
        "No rating list is loaded yet."
        in client.get(reverse("ratings-check", args=[ready.slug])).content.decode()
    )
    assert outdated_list(ready, date(2026, 11, 20)) is None
