"""The data that order the players, after a round was paired:
the Chief Arbiter, with a reason [C.04.2/2026 2.1-2.3].
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.corrections import Report, rating_correct, ratings_decided
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rules.corrections import CorrectionEffect
from tests.tournaments.factories import (
    NOW,
    entry_of,
    get_or_make,
    make_entries,
    make_tournament,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_add, entry_update, numbers_assign
from tournaments.models import Decision, Entry, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.standings.standings import standings

pytestmark = pytest.mark.django_db

WHY = "the national list was read a line too low"


def with_an_unrated(actor: User, **fields: object) -> Tournament:
    """Eight players, the last with only an arbiter's estimate."""

    def make() -> Tournament:
        tournament = make_tournament(actor, **fields)
        make_entries(tournament, actor, 7)
        given = {"tournament_id": tournament.pk, "actor": actor, "now": NOW}
        entry_add(**given, name="Unrated, Uma", rating=1500)
        numbers_assign(**given)
        initial_colour_set(**given, colour="w")
        return tournament

    return get_or_make("an unrated player", (actor.pk, sorted(fields.items())), make)


@pytest.fixture
def event(chief_arbiter: User) -> Tournament:
    with_an_unrated(chief_arbiter, name="Beside it")
    return with_an_unrated(chief_arbiter)


def answer(action: Callable[[], object]) -> str:
    try:
        action()
    except (RuleRefused, BadInput) as error:
        return f"{error.code} {getattr(error, 'article', '')}".strip()
    return "yes"


def draft(tournament: Tournament, number: int, actor: User) -> None:
    round_pair(round_id=round_of(tournament, number).pk, actor=actor, now=NOW)


def estimate(
    tournament: Tournament, actor: User, rating: int = 2999, tpn: int = 8, **more: object
) -> Entry:
    return entry_update(
        entry_id=entry_of(tournament, tpn).pk,
        actor=actor,
        now=NOW,
        **({"rating": rating, "reason": WHY} | more),
    )


def test_c04_2_2_1_before_a_round_is_paired_any_arbiter_changes_an_estimate(event, deputy):
    estimate(event, deputy, reason="")
    assert Decision.objects.latest("pk").action == "entry.updated"


@pytest.mark.parametrize("discarded", ["no", "discarded", "undone"])
def test_c04_2_2_1_afterwards_the_chief_arbiter_changes_it_with_a_reason(
    event, chief_arbiter, deputy, stranger, visitor, discarded
):
    """A discarded draft of round 1 that people could read counts too."""
    draft(event, 1, chief_arbiter)
    if discarded == "discarded":
        round_unpair(round_id=round_of(event, 1).pk, actor=chief_arbiter, now=NOW)
    elif discarded == "undone":
        last = Decision.objects.filter(tournament=event).latest("sequence")
        action_undo(tournament_id=event.pk, actor=chief_arbiter, now=NOW, sequence=last.sequence)
    rows = Decision.objects.count()
    assert answer(lambda: estimate(event, deputy)) == "rating.chief_arbiter_decides C.04.2 2.1"
    assert answer(lambda: estimate(event, chief_arbiter, reason=".")) == "rating.reason_missing"
    for nobody in (stranger, visitor):
        with pytest.raises(PermissionDenied):
            estimate(event, nobody)
    assert (Decision.objects.count(), entry_of(event, 8).rating) == (rows, 1500)
    estimate(event, chief_arbiter)
    row = Decision.objects.latest("pk")
    assert (row.action, row.article, row.reason) == ("entry.rating_changed", "C.04.2 2.3", WHY)
    assert (row.before["rating"], row.after["rating"]) == (1500, 2999)
    # Once more from the same page: nothing changes, and nothing is recorded.
    estimate(event, chief_arbiter)
    assert Decision.objects.count() == rows + 1
    # Any arbiter may change data that do not order the players.
    entry_update(entry_id=entry_of(event, 8).pk, actor=deputy, now=NOW, club="Old Town")
    assert Decision.objects.latest("pk").action == "entry.updated"


@pytest.mark.costly
@pytest.mark.parametrize(
    "fields", [{"title": "GM"}, {"fide_rating": 2999}, {"national_rating": 2999}]
)
def test_c04_2_2_2_title_and_rating_too_until_results_are_published(
    event, chief_arbiter, deputy, fields
):
    draft(event, 1, chief_arbiter)
    pk = entry_of(event, 8).pk
    shown = answer(lambda: entry_update(entry_id=pk, actor=deputy, now=NOW, reason=WHY, **fields))
    assert shown == "rating.chief_arbiter_decides C.04.2 2.1"
    entry_update(entry_id=pk, actor=chief_arbiter, now=NOW, reason=WHY, **fields)
    assert Decision.objects.latest("pk").action == "entry.rating_changed"


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, article",
    [("dutch_2026", "C.04.2 4.3.3"), ("dutch_2017", "C.04.2 D.8"), ("dutch_pre2017", "C.04.3 F7")],
)
def test_c04_2_4_3_3_an_estimate_needs_a_correction_too(chief_arbiter, deputy, system, article):
    """It counts for tie-breaks and pairings as any other rating does."""
    tournament = with_an_unrated(chief_arbiter, system=system)
    estimate(tournament, chief_arbiter, rating=1400)
    play_rounds(tournament, [1], chief_arbiter)
    for tpn in (3, 8):
        for actor in (chief_arbiter, deputy):
            shown = answer(lambda: estimate(tournament, actor, tpn=tpn))  # noqa: B023
            assert shown == f"rating.results_published {article}"
    # Nor may an estimate give way to “no rating”, or an unrated player get one.
    assert answer(
        lambda: estimate(tournament, chief_arbiter, rating=0, rating_source="")
    ).startswith("rating.")
    assert entry_of(tournament, 8).rating == 1400


@pytest.mark.costly
def test_c04_2_4_3_3_a_correction_of_an_estimate_waits_and_is_in_the_record(chief_arbiter, visitor):
    tournament = with_an_unrated(chief_arbiter, correction_minutes=30)
    play_rounds(tournament, [1], chief_arbiter)
    late = NOW + timedelta(minutes=60)
    entry = entry_of(tournament, 8)
    seen = ratings_decided(entry)
    given = {
        "entry_id": entry.pk,
        "ratings": {"rating": 2650},
        "actor": chief_arbiter,
        "now": late,
        "seen": seen,
    }
    waits = Report(late, WHY, chosen=CorrectionEffect.NEXT_PAIRING)
    with pytest.raises(PermissionDenied):
        rating_correct(**given | {"actor": visitor}, report=waits)
    made = rating_correct(**given, report=waits)
    assert (made.before, made.after, made.waiting) == ({"rating": 1500}, {"rating": 2650}, True)
    assert (entry_of(tournament, 8).rating, differences(tournament)) == (1500, [])
    # The page from before it, sent again.
    with pytest.raises(Conflict, match="2650"):
        rating_correct(**given, report=waits)
    pair_and_publish(tournament, 2, chief_arbiter)
    corrected = entry_of(tournament, 8)
    assert (corrected.rating, corrected.rating_source, differences(tournament)) == (
        2650,
        "estimate",
        [],
    )


@pytest.mark.costly
def test_c04_2_4_3_3_an_estimate_for_an_unrated_player_is_a_correction(chief_arbiter):
    tournament = with_an_unrated(chief_arbiter)
    entry_update(
        entry_id=entry_of(tournament, 8).pk,
        actor=chief_arbiter,
        now=NOW,
        rating=0,
        rating_source="fide",
    )
    play_rounds(tournament, [1], chief_arbiter)
    given = {"actor": chief_arbiter, "now": NOW, "report": Report(NOW, WHY)}
    rating_correct(entry_id=entry_of(tournament, 8).pk, ratings={"rating": 1700}, **given)
    assert (entry_of(tournament, 8).rating, entry_of(tournament, 8).rating_source) == (
        1700,
        "estimate",
    )
    assert differences(tournament) == []
    # A rated player has a rating to correct, not an estimate.
    rated = entry_of(tournament, 3)
    assert (
        answer(lambda: rating_correct(entry_id=rated.pk, ratings={"rating": 2650}, **given))
        == "field.unknown"
    )


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, article",
    [("dutch_2026", "C.04.2 4.3.3"), ("dutch_2017", "C.04.2 D.8"), ("dutch_pre2017", "C.04.3 F7")],
)
def test_c04_2_4_3_an_estimate_does_not_change_the_final_standings(
    chief_arbiter, deputy, system, article
):
    tournament = with_an_unrated(chief_arbiter, rounds=2, system=system, tie_breaks="ARO,BH")
    play_rounds(tournament, [1, 2], chief_arbiter)

    def places() -> list[tuple[int, int]]:
        page = standings(tournament_frame(tournament, runs=True), after_round=2)
        return [(line.tpn, line.rank) for line in page.lines]

    before = places()
    for actor in (deputy, chief_arbiter):
        shown = answer(lambda: estimate(tournament, actor))  # noqa: B023
        assert shown == f"rating.results_published {article}"
        assert answer(
            lambda: numbers_assign(tournament_id=tournament.pk, actor=actor, now=NOW)  # noqa: B023
        ).startswith("numbers.final")
    assert places() == before


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, article", [("dutch_2026", "C.04.2 2.3"), ("dutch_2017", "C.04.2 B.3")]
)
@pytest.mark.parametrize("undone", [False, True])
def test_c04_2_2_3_numbers_stay_after_a_discarded_draft_of_round_4(
    chief_arbiter, system, article, undone
):
    """After reading the pairings of round 4, nobody may choose others by an estimate."""
    tournament = with_an_unrated(chief_arbiter, system=system)
    neighbour = with_an_unrated(chief_arbiter, system=system, name="Beside it")
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    draft(tournament, 4, chief_arbiter)
    if undone:
        last = Decision.objects.filter(tournament=tournament).latest("sequence")
        action_undo(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, sequence=last.sequence
        )
    else:
        round_unpair(round_id=round_of(tournament, 4).pk, actor=chief_arbiter, now=NOW)
    given = {"actor": chief_arbiter, "now": NOW, "report": Report(NOW, WHY)}
    rating_correct(entry_id=entry_of(tournament, 8).pk, ratings={"rating": 2999}, **given)
    numbers = {"actor": chief_arbiter, "now": NOW}
    shown = answer(lambda: numbers_assign(tournament_id=tournament.pk, **numbers))
    assert shown == f"numbers.frozen {article}"
    estimate(neighbour, chief_arbiter, reason="")
    numbers_assign(tournament_id=neighbour.pk, **numbers)
    assert entry_of(neighbour, 1).name == "Unrated, Uma"
    assert entry_of(tournament, 8).name == "Unrated, Uma"


class TestPage:
    def form(self, tournament: Tournament, **fields: object) -> dict[str, object]:
        entry = entry_of(tournament, 8)
        return {"name": entry.name, "rating_source": "estimate", "estimate": entry.rating, **fields}

    @pytest.mark.costly
    def test_c04_2_2_1_the_page_asks_for_the_reason_and_refers_a_deputy_to_the_chief_arbiter(
        self, event: Tournament, client: Client, chief_arbiter: User, deputy: User
    ) -> None:
        url = reverse("entry-edit", args=[event.slug, entry_of(event, 8).pk])
        client.force_login(chief_arbiter)
        assert 'name="reason"' not in client.get(url).content.decode()
        draft(event, 1, chief_arbiter)
        assert 'name="reason"' in client.get(url).content.decode()
        response = client.post(url, self.form(event, estimate=2000))
        assert response.status_code == 422
        assert "enter a reason for the change of rating or title" in response.content.decode()
        client.force_login(deputy)
        response = client.post(url, self.form(event, estimate=2000, reason=WHY))
        assert response.status_code == 422
        assert (
            "only the Chief Arbiter can now change the rating or title" in response.content.decode()
        )
        assert client.post(url, self.form(event, club="Old Town")).status_code == 302
        client.force_login(chief_arbiter)
        form = self.form(event, estimate=2000, reason=WHY)
        assert client.post(url, form, headers={"HX-Request": "true"}).status_code == 302
        assert entry_of(event, 8).rating == 2000
        record = client.get(reverse("record", args=[event.slug])).content.decode()
        assert "rating or title changed after the start" in record

    @pytest.mark.costly
    def test_c04_2_4_3_3_the_page_of_the_correction_takes_the_estimate(
        self, event: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        play_rounds(event, [1], chief_arbiter)
        entry = entry_of(event, 8)
        client.force_login(chief_arbiter)
        url = reverse("entry-edit", args=[event.slug, entry.pk])
        response = client.post(url, self.form(event, estimate=2650, reason=WHY))
        assert response.status_code == 422
        assert "use a correction to change a rating. (C.04.2 4.3.3)" in response.content.decode()
        url = reverse("round-correct", args=[event.slug, 1]) + "?kind=rating&player="
        assert 'name="rating"' not in client.get(f"{url}{entry_of(event, 3).pk}").content.decode()
        page = client.get(f"{url}{entry.pk}")
        form = page.context["form"]
        assert form.initial["rating"] == 1500
        sent = {
            "rating": 2650,
            "because": "entry",
            "save": "yes",
            "seen": json.dumps(form.initial["seen"]),
        }
        at = timezone.localtime()
        sent |= {"reported_at_0": at.strftime("%Y-%m-%d"), "reported_at_1": at.strftime("%H:%M")}
        sent |= {"reported_at": at.strftime("%Y-%m-%dT%H:%M"), "chosen": "next_round"}
        assert client.post(f"{url}{entry.pk}", sent).status_code == 302
        assert (entry_of(event, 8).rating, differences(event)) == (2650, [])
        assert (
            "1500 → 2650" in client.get(reverse("corrections", args=[event.slug])).content.decode()
        )

    def test_only_arbiters_have_the_page(
        self, event: Tournament, client: Client, stranger: User
    ) -> None:
        draft(event, 1, event.created_by)
        url = reverse("entry-edit", args=[event.slug, entry_of(event, 8).pk])
        assert client.post(url, self.form(event, estimate=2000, reason=WHY)).status_code in (
            302,
            403,
        )
        client.force_login(stranger)
        assert client.post(url, self.form(event, estimate=2000, reason=WHY)).status_code in (
            403,
            404,
        )
        assert entry_of(event, 8).rating == 1500
