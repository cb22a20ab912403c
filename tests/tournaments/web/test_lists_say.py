"""The state shown on every list, provisional or definitive, and the delay shown in the record."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from tests.tournaments.factories import (
    NOW,
    enter_results,
    make_ready,
    pair_and_publish,
    play_rounds,
)
from tests.tournaments.markup import tidy
from tournaments.models import Decision, Eligible, Round
from tournaments.reports.record_against_tables import differences
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import list_close
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

pytestmark = pytest.mark.django_db

PRIZES = PrizePlan(
    currency="EUR", categories=(CategoryPlan("Open", Eligible.EVERYBODY, "", (10_000,)),)
)


@pytest.mark.costly
@pytest.mark.parametrize(
    "closed, word", [(False, "numbers provisional"), (True, "numbers definitive")]
)
def test_c04_2_2_5_every_list_shows_the_state_of_its_numbers(
    closed: bool, word: str, played_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    if closed:
        list_close(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
    lists = {
        name: reverse(name, args=[tournament.slug])
        for name in ("players", "standings", "crosstable")
    }
    lists["pairings"] = reverse("pairings-public", args=[tournament.slug, 1])
    lists["progress"] = reverse("progress", args=[tournament.slug])
    prizes_set(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, plan=PRIZES)
    for name in ("prizes", "event-report"):
        lists[name] = reverse(name, args=[tournament.slug])
    lists["round"] = reverse("round", args=[tournament.slug, 1])
    client.force_login(chief_arbiter)
    message = {
        name: tidy(re.sub(r"<[^>]+>", "", client.get(address).content.decode())).count(
            f"{word} [C.04.2\u00a02.5]"
        )
        for name, address in lists.items()
    }
    assert message == dict.fromkeys(lists, 1)


@pytest.mark.costly
def test_no_list_is_provisional_after_the_last_round(client: Client, chief_arbiter: User) -> None:
    """The numbers matter only for future pairings, and there are none."""
    tournament = make_ready(chief_arbiter, players=4, rounds=1)
    prizes_set(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, plan=PRIZES)
    play_rounds(tournament, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    for name in ("standings", "crosstable", "progress", "prizes", "event-report"):
        response = client.get(reverse(name, args=[tournament.slug]))
        assert response.status_code == 200
        assert "numbers provisional" not in response.content.decode(), name


@pytest.mark.costly
@pytest.mark.parametrize("closed, word", [(False, "provisional"), (True, "definitive")])
def test_c04_2_2_5_now_and_the_page_of_numbers_show_the_state_once(
    closed: bool, word: str, played_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    if closed:
        list_close(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)

    def words(name: str) -> str:
        text = client.get(reverse(name, args=[tournament.slug])).content.decode()
        return tidy(re.sub(r"<[^>]+>", " ", text))

    needs = "Pairing numbers are provisional until you close it. [C.04.2\u00a02.5]"
    assert [words("desk").count(text) for text in (needs, "provisional", "definitive")] == (
        [0, 0, 0] if closed else [1, 1, 0]
    )
    assert words("numbers").count(f"Numbers {word} ") == 1


@pytest.mark.costly
@pytest.mark.parametrize(
    "minutes, sentence", [(-7, "7 min early"), (0, "on time"), (12, "12 min late")]
)
def test_c04_2_4_2_the_record_says_how_late_or_early_results_came(
    minutes: int, sentence: str, published_round: Round, client: Client, chief_arbiter: User
) -> None:
    who = {"actor": chief_arbiter, "now": NOW}
    tournament = published_round.tournament
    round_schedule(
        round_id=published_round.pk,
        starts_at=None,
        results_due_at=NOW - timedelta(minutes=minutes),
        reason="the hall opened late",
        **who,
    )
    enter_results(tournament, 1, chief_arbiter)
    results_publish(round_id=published_round.pk, before_time=minutes < 0, **who)
    decision = Decision.objects.get(tournament=tournament, action="results.published")
    assert decision.after["minutes_late"] == minutes
    assert sentence in client.get(reverse("record", args=[tournament.slug])).content.decode()


def test_where_nothing_was_announced_nothing_is_late(played_round: Round) -> None:
    decision = Decision.objects.get(tournament=played_round.tournament, action="results.published")
    assert decision.after == {"state": "results_published"}


@pytest.mark.costly
@pytest.mark.parametrize("played, word", [(4, "provisional"), (5, "definitive")])
def test_c04_2_2_5_numbers_are_not_provisional_once_nobody_can_enter(
    played: int, word: str, client: Client, chief_arbiter: User
) -> None:
    """A late entry can move numbers until the last round is published:
    its pairings close the list.
    """
    tournament = make_ready(chief_arbiter, players=8, rounds=5)
    play_rounds(tournament, range(1, played), chief_arbiter)
    pair_and_publish(tournament, played, chief_arbiter)
    client.force_login(chief_arbiter)
    for name in ("players", "entries", "crosstable", "standings"):
        text = tidy(client.get(reverse(name, args=[tournament.slug])).content.decode())
        assert f"numbers {word}" in text, name
    tournament.refresh_from_db()
    assert tournament.list_state == word


def test_c04_2_2_5_the_last_pairings_close_an_open_list_with_a_line_of_its_own(
    client: Client, chief_arbiter: User
) -> None:
    tournament = make_ready(chief_arbiter, players=8, rounds=2)
    play_rounds(tournament, [1], chief_arbiter)
    assert not Decision.objects.filter(tournament=tournament, article="C.04.2 2.5").exists()
    pair_and_publish(tournament, 2, chief_arbiter)
    line = Decision.objects.get(tournament=tournament, article="C.04.2 2.5")
    assert (line.action, line.before, line.after) == (
        "tournament.updated",
        {"list_state": "provisional"},
        {"list_state": "definitive"},
    )
    assert differences(tournament) == []
    # A list that an arbiter has closed before stays as it is.
    other = make_ready(chief_arbiter, players=8, rounds=1, name="Closed Before")
    list_close(tournament_id=other.pk, actor=chief_arbiter, now=NOW)
    lines = Decision.objects.filter(tournament=other, action="tournament.updated").count()
    pair_and_publish(other, 1, chief_arbiter)
    assert Decision.objects.filter(tournament=other, action="tournament.updated").count() == lines
