"""A player's ranks and prizes if it ended now, what the last round can change, and the end."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from pairing.standings.prize_rules import Division
from tests.conftest import forget_pages
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.models import Eligible, Entry, Game, GameResult, Tournament
from tournaments.standings.player import player_page
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, replace_plan
from tournaments.standings.prizes import prize_list
from tournaments.standings.prospects import Prospect, prospects

pytestmark = pytest.mark.django_db

CATEGORIES = (
    CategoryPlan("", Eligible.EVERYBODY, "", (100_000, 40_000, 20_000)),
    CategoryPlan("Women", Eligible.WOMEN, "", (15_000,)),
    CategoryPlan("Youth", Eligible.AGE_UNTIL, "15", (5_000,), things=("A cup",)),
)


@pytest.fixture
def before_last(chief_arbiter: User) -> Tournament:
    """Two of three rounds are over, and the last one is published."""
    tournament = factories.make_ready(chief_arbiter, players=8, rounds=3)
    women = Entry.objects.filter(tournament=tournament, tpn__in=(2, 5, 8))
    women.update(sex="w", birth_date="2012/06/05")
    Entry.objects.filter(tournament=tournament, tpn=6).update(birth_date="2010/11/21")
    replace_plan(tournament, PrizePlan("EUR", Division.EQUAL, 1, CATEGORIES))
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    factories.pair_and_publish(tournament, 3, chief_arbiter)
    return tournament


def prospect(tournament: Tournament, tpn: int) -> Prospect:
    frame = tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=False)
    page = player_page(frame, factories.entry_of(tournament, tpn).pk)
    assert page is not None
    assert page.prospect is not None
    return page.prospect


def text_of(client: Client, name: str, tournament: Tournament, tpn: int) -> str:
    entry = factories.entry_of(tournament, tpn)
    page = client.get(reverse(name, args=[tournament.slug, entry.pk])).content.decode()
    page = re.sub(r"<[^>]+>", " ", page[page.index("<main") :])
    return " ".join(html.unescape(page).split())


def test_the_prizes_are_those_of_the_prize_list(before_last: Tournament) -> None:
    frame = tournament_frame(before_last, runs=True)
    awarded = {
        winner.tpn: (of.heading, winner.place, winner.amount, winner.thing)
        for of in prize_list(frame).categories
        for winner in of.winners
    }
    assert len(awarded) > 3
    for tpn, (heading, place, amount, thing) in awarded.items():
        if factories.entry_of(before_last, tpn).birth_date.startswith("2010"):
            continue  # see below
        found = [
            (each.heading, each.place, each.amount, each.thing)
            for each in prospect(before_last, tpn).prizes
        ]
        assert (heading, place, amount, thing) in found


@pytest.mark.costly
def test_the_own_result_bounds_rank_and_money(before_last: Tournament, client: Client) -> None:
    ranks = {line: prospect(before_last, line) for line in range(1, 9)}
    for each in ranks.values():
        best = [ending.places.best for ending in each.endings]
        assert [ending.result for ending in each.endings] == ["win", "draw", "loss"]
        assert best == sorted(best)
    leader = next(each for each in ranks.values() if each.endings[0].places.best == 1)
    win = leader.endings[0]
    assert win.money is not None
    assert win.money[1] == 100_000
    tpn = next(tpn for tpn, each in ranks.items() if each is leader)
    text = text_of(client, "player-page", before_last, tpn)
    assert "After the last round" in text
    # On the way ahead: the win makes the first place sure, and the draw does not.
    assert "with a win 1 1000.00 EUR" in text
    draw = leader.endings[1]
    assert draw.money is not None
    assert draw.money[0] < draw.money[1]
    amounts = f"{draw.money[0] // 100}.00–{draw.money[1] // 100}.00 EUR"
    assert f"with a draw {draw.places.best}–{draw.places.worst} {amounts}" in text


@pytest.mark.costly
def test_nothing_of_the_results_that_are_not_published_is_in_it(
    before_last: Tournament, chief_arbiter: User
) -> None:
    before = prospects(tournament_frame(before_last, runs=False))
    assert before["last"]
    factories.enter_results(before_last, 3, chief_arbiter)
    Game.objects.filter(round__tournament=before_last, round__number=3, board=1).update(
        result=GameResult.ADJOURNED
    )
    forget_pages()
    frame = tournament_frame(Tournament.objects.get(pk=before_last.pk), runs=False)
    assert prospects(frame) == before


def test_initials_and_days_of_birth_show_no_category(
    before_last: Tournament, client: Client
) -> None:
    # Under 16 on the first day, 21 November 2026, by the day only: the year 2010 does not say it.
    young = prospect(before_last, 6)
    assert "Youth" not in [each.heading for each in young.ranks]
    assert "Women" in text_of(client, "player-page", before_last, 5)
    Entry.objects.filter(tournament=before_last, tpn=5).update(full_name="Whole, Name")
    forget_pages()
    hidden = prospect(before_last, 5)
    assert [each.heading for each in hidden.ranks] == []
    assert all(ending.money is None for ending in hidden.endings)


@pytest.mark.costly
def test_the_end_names_only_the_winners_among_players_shown_with_initials(
    before_last: Tournament, client: Client, chief_arbiter: User
) -> None:
    women = Entry.objects.filter(tournament=before_last, sex="w")
    women.update(full_name="Whole, Name")
    factories.enter_results(before_last, 3, chief_arbiter)
    results_publish(
        round_id=factories.round_of(before_last, 3).pk, actor=chief_arbiter, now=factories.NOW
    )
    prizes = []
    for entry in women:
        assert prospect(before_last, entry.tpn or 0).ranks == ()
        prizes += [each.heading for each in prospect(before_last, entry.tpn or 0).prizes]
    assert prizes.count("Women") == 1
    groups = client.get(reverse("player-groups", args=[before_last.slug])).content.decode()
    assert "Youth" not in groups
    assert "Women" not in groups


@pytest.mark.costly
def test_the_end_has_rank_prize_and_certificate(
    before_last: Tournament, client: Client, chief_arbiter: User
) -> None:
    winner = factories.entry_of(before_last, 1)
    address = reverse("certificate", args=[before_last.slug, winner.pk])
    early = client.get(address).content.decode()
    assert "Certificates are there once" in early
    assert "<h1" in early
    factories.enter_results(before_last, 3, chief_arbiter)
    results_publish(
        round_id=factories.round_of(before_last, 3).pk, actor=chief_arbiter, now=factories.NOW
    )
    text = text_of(client, "player-page", before_last, 1)
    assert re.search(r"Rank \d of 8 provisional", text)
    assert "After the last round" not in text
    sheet = text_of(client, "certificate", before_last, 1)
    assert winner.name in sheet
    assert "Provisional" in sheet
    assert client.get(reverse("certificate", args=[before_last.slug, 10**9])).status_code == 404
    client.force_login(chief_arbiter)
    sheets = reverse("sheets", args=[before_last.slug]) + "?list=certificates"
    assert client.get(sheets).content.decode().count('class="certificate"') == 8
    both = client.get(f"{sheets}&language=fr&language=en").content.decode()
    assert '<span lang="fr">Women\u202f: place 1</span>' in both
    assert '<span lang="en">Women: place 1</span>' in both


@pytest.mark.costly
def test_without_results_or_prizes_there_is_no_section(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=3)
    assert "If it ended now" not in text_of(client, "player-page", tournament, 1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    assert "If it ended now" not in text_of(client, "player-page", tournament, 1)
