"""The data that order the players, after a round was paired: the Chief Arbiter, with a reason [C.04.2/2026 2.1-2.3]."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair, round_unpair
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_entries,
    make_tournament,
    play_rounds,
    round_of,
    saved_again,
)
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_add, entry_update, numbers_assign
from tournaments.models import Decision, Entry, Tournament
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

    return saved_again("an unrated player", (actor.pk, sorted(fields.items())), make)


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


def estimate(tournament: Tournament, actor: User, rating: int = 2999, tpn: int = 8, **more: object) -> Entry:
    return entry_update(
        entry_id=entry_of(tournament, tpn).pk, actor=actor, now=NOW, **({"rating": rating, "reason": WHY} | more)
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


@pytest.mark.parametrize("fields", [{"title": "GM"}, {"fide_rating": 2999}, {"national_rating": 2999}])
def test_c04_2_2_2_title_and_rating_too_until_results_are_published(event, chief_arbiter, deputy, fields):
    draft(event, 1, chief_arbiter)
    pk = entry_of(event, 8).pk
    shown = answer(lambda: entry_update(entry_id=pk, actor=deputy, now=NOW, reason=WHY, **fields))
    assert shown == "rating.chief_arbiter_decides C.04.2 2.1"
    entry_update(entry_id=pk, actor=chief_arbiter, now=NOW, reason=WHY, **fields)
    assert Decision.objects.latest("pk").action == "entry.rating_changed"


@pytest.mark.parametrize(
    "system, article", [("dutch_2026", "C.04.2 4.3.3"), ("dutch_2017", "C.04.2 D.8"), ("dutch_pre2017", "C.04.3 F7")]
)
def test_c04_2_4_3_3_an_estimate_does_not_replace_a_rating_that_needs_a_correction(chief_arbiter, system, article):
    tournament = with_an_unrated(chief_arbiter, system=system)
    play_rounds(tournament, [1], chief_arbiter)
    assert answer(lambda: estimate(tournament, chief_arbiter, tpn=3)) == f"rating.results_published {article}"
    assert answer(lambda: estimate(tournament, chief_arbiter)) == "yes"


@pytest.mark.parametrize(
    "system, article", [("dutch_2026", "C.04.2 4.3.3"), ("dutch_2017", "C.04.2 D.8"), ("dutch_pre2017", "C.04.3 F7")]
)
def test_c04_2_4_3_an_estimate_does_not_change_the_final_standings(chief_arbiter, deputy, system, article):
    tournament = with_an_unrated(chief_arbiter, rounds=2, system=system, tie_breaks="ARO,BH")
    play_rounds(tournament, [1, 2], chief_arbiter)

    def places() -> list[tuple[int, int]]:
        page = standings(tournament_frame(tournament, runs=True), after_round=2)
        return [(line.tpn, line.rank) for line in page.lines]

    before = places()
    for actor in (deputy, chief_arbiter):
        assert answer(lambda: estimate(tournament, actor)) == f"rating.final {article}"  # noqa: B023
        assert answer(
            lambda: numbers_assign(tournament_id=tournament.pk, actor=actor, now=NOW)  # noqa: B023
        ).startswith("numbers.final")
    assert places() == before


@pytest.mark.parametrize("system, article", [("dutch_2026", "C.04.2 2.3"), ("dutch_2017", "C.04.2 B.3")])
@pytest.mark.parametrize("undone", [False, True])
def test_c04_2_2_3_numbers_stay_after_a_discarded_draft_of_round_4(chief_arbiter, system, article, undone):
    """After reading the pairings of round 4, nobody may choose others by an estimate."""
    tournament = with_an_unrated(chief_arbiter, system=system)
    beside = with_an_unrated(chief_arbiter, system=system, name="Beside it")
    play_rounds(tournament, [1, 2, 3], chief_arbiter)
    draft(tournament, 4, chief_arbiter)
    if undone:
        last = Decision.objects.filter(tournament=tournament).latest("sequence")
        action_undo(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, sequence=last.sequence)
    else:
        round_unpair(round_id=round_of(tournament, 4).pk, actor=chief_arbiter, now=NOW)
    estimate(tournament, chief_arbiter)
    numbers = {"actor": chief_arbiter, "now": NOW}
    shown = answer(lambda: numbers_assign(tournament_id=tournament.pk, **numbers))
    assert shown == f"numbers.frozen {article}"
    estimate(beside, chief_arbiter, reason="")
    numbers_assign(tournament_id=beside.pk, **numbers)
    assert entry_of(beside, 1).name == "Unrated, Uma"
    assert entry_of(tournament, 8).name == "Unrated, Uma"


class TestPage:
    def form(self, tournament: Tournament, **fields: object) -> dict[str, object]:
        entry = entry_of(tournament, 8)
        return {"name": entry.name, "rating_source": "estimate", "estimate": entry.rating, **fields}

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
        assert "only the Chief Arbiter can now change the rating or title" in response.content.decode()
        assert client.post(url, self.form(event, club="Old Town")).status_code == 302
        client.force_login(chief_arbiter)
        form = self.form(event, estimate=2000, reason=WHY)
        assert client.post(url, form, headers={"HX-Request": "true"}).status_code == 302
        assert entry_of(event, 8).rating == 2000
        record = client.get(reverse("record", args=[event.slug])).content.decode()
        assert "rating or title changed after the start" in record

    def test_only_arbiters_have_the_page(self, event: Tournament, client: Client, stranger: User) -> None:
        draft(event, 1, event.created_by)
        url = reverse("entry-edit", args=[event.slug, entry_of(event, 8).pk])
        assert client.post(url, self.form(event, estimate=2000, reason=WHY)).status_code in (302, 403)
        client.force_login(stranger)
        assert client.post(url, self.form(event, estimate=2000, reason=WHY)).status_code in (403, 404)
        assert entry_of(event, 8).rating == 1500
