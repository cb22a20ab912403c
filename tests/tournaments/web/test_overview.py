"""The public page of a tournament: the next event, the leaders, and the winner at the end."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.events.sections import event_create
from tournaments.models import Round, Tournament
from tournaments.standings.final import standings_make_final


def page_of(client: Client, tournament: Tournament, language: str = "en") -> str:
    address = reverse("tournament", args=[tournament.slug])
    return client.get(address, headers={"Accept-Language": language}).content.decode()


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split())


def main_button(page: str) -> str:
    (found,) = re.findall(r'<a class="button [^"]*primary[^"]*"[^>]*>(.*?)</a>', page, re.DOTALL)
    return " ".join(found.split())


def test_before_the_first_results_nobody_leads(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    Round.objects.filter(tournament=ready, number=1).update(starts_at=NOW + timedelta(hours=3))
    page = page_of(client, ready)
    assert "Leaders" not in page
    assert "Round 1 · play begins 21 Nov 2026, 12:00" in text_of(page)


@pytest.mark.parametrize("language, words", [("en", "Leaders after round 1"), ("fr", "En tête")])
def test_the_first_five_are_named_while_the_event_runs(
    ready: Tournament, chief_arbiter: User, client: Client, language: str, words: str
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    factories.pair_and_publish(ready, 2, chief_arbiter)
    page = page_of(client, ready, language)
    assert words in page
    panel = page.partition('id="leaders-heading"')[2].partition("</section>")[0]
    assert panel.count('class="to-player"') == min(5, ready.entries.count())
    assert reverse("pairings-public", args=[ready.slug, 2]) in page
    if language == "en":
        assert main_button(page) == "Pairings of round 2"


def test_results_that_are_not_published_change_nothing(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    factories.pair_and_publish(ready, 2, chief_arbiter)
    before = page_of(client, ready)
    factories.enter_results(ready, 2, chief_arbiter)
    assert page_of(client, ready) == before


@pytest.mark.costly
def test_after_the_last_round_the_standings_come_first(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    factories.play_rounds(ready, range(1, ready.total_rounds + 1), chief_arbiter)
    page = page_of(client, ready)
    assert main_button(page) == f"Standings after round {ready.total_rounds}"
    ready.final_at = NOW
    Tournament.objects.filter(pk=ready.pk).update(final_at=NOW, public_version=9_999)
    final = page_of(client, ready)
    assert main_button(final) == "Final standings"
    assert "Leaders" not in final


class TestHome:
    @pytest.mark.costly
    def test_visitors_are_led_to_the_only_running_event(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = published_round.tournament
        assert client.get("/").status_code == 200  # it is in no list
        Tournament.objects.filter(pk=tournament.pk).update(listed=True)
        led = client.get("/")
        assert (led.status_code, led["Location"]) == (302, f"/t/{tournament.slug}/")
        assert "no-store" in led["Cache-Control"]
        assert tournament.name in client.get("/?all").content.decode()
        assert "/?all" in client.get(led["Location"]).content.decode()
        other = factories.make_ready(chief_arbiter, players=4, rounds=2, name="Other")
        factories.pair_and_publish(other, 1, chief_arbiter)
        Tournament.objects.filter(pk=other.pk).update(listed=True)
        assert client.get("/").status_code == 200
        client.force_login(chief_arbiter)
        assert client.get("/").status_code == 200

    @pytest.mark.costly
    def test_an_event_that_is_over_or_not_begun_is_none(
        self, client: Client, chief_arbiter: User
    ) -> None:
        planned = factories.make_ready(chief_arbiter, players=4, rounds=1)
        Tournament.objects.filter(pk=planned.pk).update(listed=True)
        assert client.get("/").status_code == 200
        factories.play_rounds(planned, [1], chief_arbiter)
        assert client.get("/").status_code == 200

    def test_sections_are_one_event(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        first = published_round.tournament
        by: Any = {"actor": chief_arbiter, "now": factories.NOW}
        event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
        Tournament.objects.filter(pk=first.pk).update(listed=True)
        assert client.get("/")["Location"] == f"/e/{event.slug}/"


@pytest.mark.costly
def test_at_the_end_the_overview_names_the_winner_and_leads_to_the_next(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=1)
    address = reverse("tournament", args=[tournament.slug])
    assert "Next tournament" not in client.get(address).content.decode()
    factories.play_rounds(tournament, [1], chief_arbiter)
    page = client.get(address).content.decode()
    assert "First, provisionally" in page
    assert "Next tournament" in page
    standings_make_final(tournament_id=tournament.pk, ties_stay=True, actor=chief_arbiter, now=NOW)
    page = client.get(address).content.decode()
    assert re.search(r"Winners · \w+, Player \d .* · \w+, Player \d", text_of(page))

    following = reverse("next-event", args=[tournament.slug])
    assert client.get(following).headers["Location"] == "/?all"
    later = factories.make_ready(chief_arbiter, players=4, name="Later")
    assert client.get(following).headers["Location"] == "/?all"  # it is not in the public list
    Tournament.objects.filter(pk=later.pk).update(listed=True)
    assert client.get(following).headers["Location"] == reverse("tournament", args=[later.slug])
    assert "no-store" in client.get(following).headers["Cache-Control"]
    event = event_create(
        tournament_id=later.pk, actor=chief_arbiter, now=factories.NOW, name="Festival", label="A"
    )
    assert client.get(following).headers["Location"] == reverse("event", args=[event.slug])
    Tournament.objects.filter(pk=tournament.pk).update(start_date="2027-01-01")
    Tournament.objects.filter(pk=later.pk).update(start_date="2026-01-01")
    assert client.get(following).headers["Location"] == "/?all"
