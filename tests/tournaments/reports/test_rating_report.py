"""The report for the rating officer adds the corrections that came too late for the standings,
and nothing else.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import colours_correct, rating_correct, result_correct
from pairing.rounds.results import result_record
from pairing.rules.corrections import CorrectionEffect
from pairing.trf.document import NationalRating, PlayerRecord, TrfDocument
from pairing.trf.reader import read
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_correction_actions import after, correct, game_of, report
from tournaments.core.errors import RuleRefused
from tournaments.models import Correction, Seat, Tournament
from tournaments.reports.rating_report import rating_report
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.django_db


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Both rounds of an event of four are played:
    a report of a mistake in round 1 comes too late.
    """
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=2, correction_minutes=10)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    return tournament


def player(document: TrfDocument, tpn: int) -> PlayerRecord:
    return next(one for one in document.players if one.tpn == tpn)


def first_round(document: TrfDocument, tpn: int) -> tuple[int | None, str, str]:
    cell = player(document, tpn).rounds[0]
    assert cell is not None
    assert cell.colour is not None
    assert cell.result is not None
    return cell.opponent, cell.colour.value, cell.result.value


def white_and_black(tournament: Tournament) -> tuple[int, int]:
    seats = dict(
        Seat.objects.filter(game=game_of(tournament, 1)).values_list("colour", "entry__tpn")
    )
    return seats["w"], seats["b"]


@pytest.mark.costly
def test_without_a_late_correction_it_is_the_ordinary_report(played: Tournament) -> None:
    assert rating_report(played) == trf_export(played, public=False)


def test_c04_2_4_3_1_a_late_result_is_in_the_rating_report_only(
    played: Tournament, chief_arbiter: User
) -> None:
    white, black = white_and_black(played)
    before = read(trf_export(played, public=False))
    correct(game_of(played, 1), chief_arbiter, result="==")
    standings, rating = read(trf_export(played, public=False)), read(rating_report(played))
    assert first_round(standings, white) == first_round(before, white) == (black, "w", "1")
    assert (first_round(rating, white), first_round(rating, black)) == (
        (black, "w", "="),
        (white, "b", "="),
    )
    for tpn, points in ((white, -5), (black, 5)):
        old, new = player(standings, tpn), player(rating, tpn)
        assert (new.points or 0) - (old.points or 0) == points
        assert new.rank == old.rank
    others = {1, 2, 3, 4} - {white, black}
    assert [player(rating, tpn) for tpn in others] == [player(standings, tpn) for tpn in others]


def test_c04_2_4_3_2_late_colours_are_corrected_and_points_stay(
    played: Tournament, chief_arbiter: User
) -> None:
    white, black = white_and_black(played)
    game = game_of(played, 1)
    colours_correct(game_id=game.pk, report=report(), actor=chief_arbiter, now=after(5))
    # The result was wrong too: the correction names the players with their colours as paired.
    result_correct(game_id=game.pk, result="01", report=report(), actor=chief_arbiter, now=after(5))
    rating = read(rating_report(played))
    assert (first_round(rating, white), first_round(rating, black)) == (
        (black, "b", "0"),
        (white, "w", "1"),
    )


def test_c04_2_4_3_3_a_late_rating_is_in_the_rating_report_only(
    played: Tournament, chief_arbiter: User
) -> None:
    entry = factories.entry_of(played, 4)
    rating_correct(
        entry_id=entry.pk,
        ratings={"fide_rating": 2511},
        report=report(11, CorrectionEffect.RATING_ONLY),
        actor=chief_arbiter,
        now=after(11),
    )
    assert own(Correction).get().effect == "rating_only"
    assert player(read(trf_export(played, public=False)), 4).rating == entry.fide_rating
    assert player(read(rating_report(played)), 4).rating == 2511


@pytest.mark.costly
def test_c04_2_4_3_3_a_late_national_rating_is_in_its_own_record(
    played: Tournament, chief_arbiter: User
) -> None:
    entry = factories.entry_of(played, 4)
    played.entries.update(national_rating=1900)
    rating_correct(
        entry_id=entry.pk,
        ratings={"national_rating": 1955},
        report=report(11, CorrectionEffect.RATING_ONLY),
        actor=chief_arbiter,
        now=after(11),
    )

    def national(text: str) -> dict[int, int]:
        return {record.tpn: record.rating for record in read(text).of(NationalRating)}

    assert national(trf_export(played, public=False)) == dict.fromkeys((1, 2, 3, 4), 1900)
    assert national(rating_report(played)) == {1: 1900, 2: 1900, 3: 1900, 4: 1955}
    assert player(read(rating_report(played)), 4).rating == entry.fide_rating


def test_only_arbiters_get_the_rating_report(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    url = reverse("rating-report", args=[played.slug])
    assert client.get(url).status_code == 302
    client.force_login(chief_arbiter)
    response = client.get(url)
    assert (
        response.headers["Content-Disposition"] == 'attachment; filename="autumn-open-rating.trf"'
    )
    assert response.content.decode() == rating_report(played)
    assert url in client.get(reverse("event-report", args=[played.slug])).content.decode()


@pytest.mark.costly
@pytest.mark.parametrize("result", ["??", ""])
def test_c04_2_3_1_no_rating_report_while_a_game_is_open(
    result: str, chief_arbiter: User, client: Client, played: Tournament
) -> None:
    """An adjourned game is a draw for pairing only; the other event has every result."""
    event = factories.make_ready(chief_arbiter, players=4, rounds=2)
    if result:
        factories.play_rounds(
            event, [1], chief_arbiter, lambda board, white, black: result if board == 2 else "10"
        )
    else:
        factories.pair_and_publish(event, 1, chief_arbiter)
        result_record(
            game_id=game_of(event, 1).pk, actor=chief_arbiter, now=factories.NOW, result="10"
        )
    with pytest.raises(RuleRefused) as refused:
        rating_report(event)
    assert (refused.value.code, refused.value.article) == ("report.games_open", "C.04.2 3.1")
    assert refused.value.params == {"round": 1, "games": ["4 – 2"]}
    assert trf_export(event, public=False)
    assert rating_report(played)
    client.force_login(chief_arbiter)
    for headers in ({}, {"HX-Request": "true"}):
        response = client.get(reverse("rating-report", args=[event.slug]), headers=headers)
        assert response.status_code == 409
        assert "Open in round 1: 4 – 2. (C.04.2 3.1)" in response.content.decode()
