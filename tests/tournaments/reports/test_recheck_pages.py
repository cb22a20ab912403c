"""The arbiters' page that re-checks the whole event from its report file alone."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_withdraw, numbers_assign
from tournaments.models import Decision, Entry, Round, Seat, Tournament
from tournaments.reports.recheck import ReadBoard, event_recheck
from tournaments.reports.trf_export import trf_export


@pytest.fixture
@factories.cached
def eventful(chief_arbiter: User) -> Tournament:
    """Nine players, a half-point bye, forfeits, a withdrawal,
    four rounds over and the last one in play.
    """
    tournament = factories.make_ready(chief_arbiter, players=9, rounds=5, colour="b")
    third = factories.entry_of(tournament, 3)
    bye_request(entry_id=third.pk, actor=chief_arbiter, now=factories.NOW, round_number=2, kind="H")
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 9).pk, actor=chief_arbiter, now=factories.NOW
    )
    factories.play_rounds(
        tournament,
        [3, 4],
        chief_arbiter,
        lambda board, white, black: ["+-", "==", "??", "01"][(board - 1) % 4],
    )
    factories.pair_and_publish(tournament, 5, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def page(client: Client, tournament: Tournament, query: str = "?run=1") -> str:
    """Return the text of the page without tags and extra spaces."""
    body = client.get(reverse("recheck", args=[tournament.slug]) + query).content.decode()
    return " ".join(re.sub(r"<[^>]*>", " ", body.partition("<main")[2]).split())


def test_the_page_checks_only_on_request(
    eventful: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    assert "difference" not in page(client, eventful, "")
    assert "Re-check the whole tournament" in page(client, eventful, "")


def test_an_event_run_by_the_rules_has_0_differences(
    eventful: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    before = (eventful.version, own(Decision).count())
    text = page(client, eventful)
    assert "0 differences" in text
    assert "Compared: the pairings of 5 rounds, the points of 9 players, 9 ranks." in text
    eventful.refresh_from_db()
    assert (eventful.version, own(Decision).count()) == before


def test_a_board_changed_in_the_database_is_named_with_both_pairings(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    """The colours of board 2 are swapped in the database; the rest of round 1 agrees."""
    seats = Seat.objects.filter(round=published_round, game__board=2)
    white, black = seats.get(colour="w"), seats.get(colour="b")
    white_entry, black_entry = white.entry, black.entry
    black.delete()
    Seat.objects.filter(pk=white.pk).update(colour="b")
    Seat.objects.create(round=published_round, entry=black_entry, game=white.game, colour="w")
    answer = event_recheck(published_round.tournament)
    assert answer.found is not None
    assert answer.found.differences == 1
    (difference,) = answer.rounds
    first, second = (f"{entry.tpn} {entry.name}" for entry in (white_entry, black_entry))
    assert (difference.number, difference.in_file, difference.paired_again) == (
        1,
        (ReadBoard(2, second, first),),
        (ReadBoard(2, first, second),),
    )
    client.force_login(chief_arbiter)
    text = page(client, published_round.tournament)
    assert (
        "1 difference Compared: the pairings of 1 round, the points of 8 players, 8 ranks." in text
    )
    assert f"the file 2 {second} {first} the engine 2 {first} {second}" in text


def test_a_file_that_cannot_be_checked_says_why(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    ready.entries.all().delete()
    client.force_login(chief_arbiter)
    text = page(client, ready)
    assert "The report file could not be checked" in text
    assert "This file contains no players" in text


def test_the_answer_is_never_cached(ready: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    response = client.get(reverse("recheck", args=[ready.slug]), {"run": "1"})
    assert response.headers["Cache-Control"] == "private, no-store"


@pytest.mark.costly
def test_the_page_speaks_french(eventful: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    response = client.get(
        reverse("recheck", args=[eventful.slug]), {"run": "1"}, headers={"Accept-Language": "fr"}
    )
    assert "0 différence" in response.content.decode()


class TestNumbersThatMoved:
    """Rounds 1 and 2 of eight players are published;
    comments of the file give the numbers that paired them.
    """

    @pytest.fixture
    def two_rounds(self, ready: Tournament, chief_arbiter: User) -> Tournament:
        factories.play_rounds(ready, [1, 2], chief_arbiter)
        return ready

    @staticmethod
    def number_comments(tournament: Tournament) -> list[str]:
        return [
            line for line in trf_export(tournament, public=True).splitlines() if "Numbers @" in line
        ]

    def test_c04_2_2_4_a_late_entry_above_others_leaves_the_rounds_as_they_were(
        self, two_rounds: Tournament, chief_arbiter: User
    ) -> None:
        who = {"tournament_id": two_rounds.pk, "actor": chief_arbiter, "now": factories.NOW}
        late = entry_add(name="Late, Lara", fide_rating=2395, **who, checked_in=True)
        numbers_assign(**who)
        assert late.tpn == 2
        assert (self.number_comments(two_rounds), event_recheck(two_rounds).rounds) == ([], ())

    @pytest.mark.costly
    def test_c04_2_2_3_numbers_assigned_again_are_in_the_file_with_their_round(
        self, two_rounds: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        assert (self.number_comments(two_rounds), event_recheck(two_rounds).rounds) == ([], ())
        Entry.objects.filter(pk=factories.entry_of(two_rounds, 3).pk).update(rating=2500)
        numbers_assign(tournament_id=two_rounds.pk, actor=chief_arbiter, now=factories.NOW)
        line = "### Numbers @ Round 2: assigned again, 3 moved, C.04.2 2.2"
        assert self.number_comments(two_rounds) == [line]
        found = event_recheck(two_rounds).rounds
        assert [(seen.number, seen.remarks) for seen in found] == [
            (1, (line.removeprefix("### "),))
        ]
        client.force_login(chief_arbiter)
        assert page(client, two_rounds).count(line.removeprefix("### ")) == 1

    @pytest.mark.costly
    def test_c04_2_2_3_no_numbers_are_in_the_file_before_a_round_is_published(
        self, ready: Tournament, chief_arbiter: User
    ) -> None:
        third = factories.entry_of(ready, 3)
        Entry.objects.filter(pk=third.pk).update(rating=2500)
        numbers_assign(tournament_id=ready.pk, actor=chief_arbiter, now=factories.NOW)
        factories.play_rounds(ready, [1], chief_arbiter)
        assert self.number_comments(ready) == []
