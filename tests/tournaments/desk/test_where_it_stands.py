"""Every page of an arbiter shows the state of the round and links to its next action."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments import factories
from tournaments.models import Game, Tournament

pytestmark = pytest.mark.django_db


def where(client: Client, tournament: Tournament, page: str = "entries") -> tuple[str, str] | None:
    """Return the state of the round on *page*, and the address of its link."""
    text = client.get(reverse(page, args=[tournament.slug])).content.decode()
    found = re.search(
        r'<a [^>]*class="badge \w+ where-it-stands[^>]*href="/t/[\w-]+/(.*?)">\s*(.*?)\s*</a>', text
    )
    return (found[2], found[1]) if found else None


@pytest.mark.costly
def test_the_current_round_is_shown_from_planned_to_played(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=1)
    round_ = factories.round_of(tournament, 1)
    given = {"round_id": round_.pk, "actor": chief_arbiter, "now": factories.NOW}
    client.force_login(chief_arbiter)
    assert where(client, tournament) == ("Round 1: not paired yet", "rounds/1/")
    round_pair(**given)
    assert where(client, tournament) == ("Round 1: draft, pairings not published", "rounds/1/")
    round_publish(**given)
    assert where(client, tournament) == ("Round 1: 4 results missing", "rounds/1/")
    Game.objects.filter(round=round_, board__gt=1).update(result="10")
    assert where(client, tournament) == ("Round 1: 1 result missing", "rounds/1/")
    Game.objects.filter(round=round_).update(result="10")
    assert where(client, tournament) == ("Round 1: all results entered, not published", "rounds/1/")
    results_publish(**given)
    assert where(client, tournament) == ("All rounds are played", "standings/")
    Tournament.objects.filter(pk=tournament.pk).update(final_at=factories.NOW)
    assert where(client, tournament) == ("The standings are final", "standings/")


@pytest.mark.parametrize("page", ["entries", "own-part", "record", "tournament-edit", "check-in"])
def test_it_is_shown_on_every_page(page: str, client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    assert where(client, tournament, page) == ("Round 1: 4 results missing", "rounds/1/")


@pytest.mark.costly
@pytest.mark.parametrize("page", ["tournament", "standings"])
def test_visitors_do_not_see_missing_results(
    page: str, client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    assert where(client, tournament, page) is None
    client.force_login(chief_arbiter)
    # The arbiter's browser adds it: tests/tournaments/web/test_session_fragment.py.
    assert where(client, tournament, page) is None


@pytest.mark.costly
def test_a_match_without_results_counts_as_one_missing_board(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, system="double_swiss_2026")
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    assert Game.objects.filter(round__tournament=tournament).count() == 8
    assert where(client, tournament) == ("Round 1: 4 results missing", "rounds/1/")


@pytest.mark.costly
def test_the_page_of_the_round_offers_the_next_action(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    page = reverse("round", args=[tournament.slug, 1])
    entry, publishing = 'id="results"', '<button id="publish-results" class="{}">'
    missing = client.get(page).content.decode()
    assert (entry in missing, publishing.format("") in missing) == (True, True)
    factories.enter_results(tournament, 1, chief_arbiter)
    all_in = client.get(page).content.decode()
    assert (entry in all_in, publishing.format("primary") in all_in) == (True, True)


@pytest.mark.costly
def test_the_desk_of_a_finished_event_offers_no_further_round(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, rounds=2)
    client.force_login(chief_arbiter)
    desk = reverse("desk", args=[tournament.slug])
    factories.play_rounds(tournament, [1], chief_arbiter)
    assert "<strong>0</strong> not playing" in client.get(desk).content.decode()
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    assert "not playing" not in client.get(desk).content.decode()
    factories.enter_results(tournament, 2, chief_arbiter)
    assert "not playing" not in client.get(desk).content.decode()
    results_publish(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    finished = client.get(desk).content.decode()
    assert "not playing" not in finished
    action = finished.partition('class="next-action"')[2].partition("</section>")[0]
    leads_to = [
        reverse(name, args=[tournament.slug])
        for name in ("standings", "prizes", "event-report", "trf-export")
    ]
    final = reverse("final-standings", args=[tournament.slug])
    assert re.findall(r'href="(.*?)"', action) == [final, *leads_to]
