"""The figures of the arbiter's report."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from pairing.ratings.rated_games import NotRated
from tests.tournaments import factories
from tests.tournaments.double_swiss import matches
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Tournament
from tournaments.reports.event_figures import EventFigures, GameCounts, Gap, event_figures

pytestmark = pytest.mark.django_db


def figures_of(tournament: Tournament) -> EventFigures:
    return event_figures(tournament_frame(tournament, runs=True))


def change(tournament: Tournament, tpn: int, **values: object) -> None:
    Entry.objects.filter(tournament=tournament, tpn=tpn).update(**values)


def test_every_player_is_counted_once(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    Tournament.objects.filter(pk=tournament.pk).update(start_date="2026-03-01")
    tournament.refresh_from_db()
    Entry.objects.filter(tournament=tournament).update(federation="GER", sex="m")
    change(tournament, 1, title="GM", federation="FRA", rating=2500, fide_rating=2500)
    change(tournament, 2, title="WIM", federation="", sex="w", birth_date="2016")
    change(tournament, 3, title="", rating=0, fide_rating=None, birth_date="1996-12-31")
    change(tournament, 4, birth_date="1927")
    found = figures_of(tournament)
    assert (found.players, found.women, found.titled) == (6, 1, 2)
    assert found.federations == (("GER", 4), ("", 1), ("FRA", 1))
    assert found.titles == (("GM", 1), ("WIM", 1), ("", 4))
    # 10, 30 and 99 in 2026; the classes between them are there too.
    assert found.ages[0] == (10, 1)
    assert dict(found.ages)[30] == 1
    assert found.ages[-1] == (90, 1)
    assert len(found.ages) == 9
    assert found.without_age == 3
    # 2500, and 2390, 2370, 2360 and 2350 as the factory makes them.
    assert found.average == 2394
    assert found.average_of_top == 2394
    assert found.upsets == ()
    assert found.games == GameCounts(0, 0, 0, 0)


def test_every_game_is_counted_once(chief_arbiter: User) -> None:
    """Round 1 of seven players: 1–4, 5–2, 3–6, and 7 has the bye."""
    tournament = factories.make_ready(chief_arbiter, players=7)
    change(tournament, 6, fide_rating=None)
    results = {1: "01", 2: "==", 3: "10"}
    factories.play_rounds(tournament, [1], chief_arbiter, lambda board, *_players: results[board])
    found = figures_of(tournament)
    assert factories.boards(tournament, 1) == [(1, 4, "01"), (5, 2, "=="), (3, 6, "10")]
    assert found.games == GameCounts(
        played=3, forfeited=0, still_open=0, byes=1, not_rated=((NotRated.UNRATED_OPPONENT, 1),)
    )
    [colours] = found.colours
    assert (colours.number, colours.white, colours.drawn, colours.black) == (1, 1, 1, 1)
    # The ratings differ by 30 points on each board.
    assert found.gaps[0] == Gap(1, 99, higher=1, drawn=1, lower=1)
    assert found.gaps[-1] == Gap(400, None, 0, 0, 0)
    [upset] = found.upsets
    assert (upset.number, upset.winner.tpn, upset.loser.tpn, upset.gap) == (1, 4, 1, 30)
    assert found.scores == ((10, 3), (5, 2), (0, 2))


@pytest.mark.costly
def test_forfeits_and_short_games_are_no_rated_games(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    Entry.objects.filter(tournament=tournament).update(fide_rating=2000)
    results = {1: "+-", 2: "--", 3: "DD"}
    factories.play_rounds(tournament, [1], chief_arbiter, lambda board, *_players: results[board])
    found = figures_of(tournament)
    assert found.games == GameCounts(
        played=1, forfeited=2, still_open=0, byes=0, not_rated=((NotRated.LESS_THAN_A_MOVE, 1),)
    )
    assert found.colours[0].drawn == 1


@pytest.mark.costly
def test_games_are_rated_as_on_the_players_pages(chief_arbiter: User) -> None:
    """A standard rating replaces a rapid one, and a game needs the time of its rate of play."""
    tournament = factories.make_ready(chief_arbiter, players=6)
    Entry.objects.filter(tournament=tournament).update(fide_rating=2000)
    change(tournament, 6, fide_rating=None, second_rating=1900)
    factories.play_rounds(tournament, [1], chief_arbiter)
    settings = {"rate_of_play": "rapid", "second_rating_method": "fide_standard"}
    for time_control, not_rated in (
        ("15 min + 10 s", ()),
        ("5 min + 3 s", ((NotRated.WRONG_TIME, 3),)),
    ):
        Tournament.objects.filter(pk=tournament.pk).update(time_control=time_control, **settings)
        tournament.refresh_from_db()
        assert figures_of(tournament).games.not_rated == not_rated
    Tournament.objects.filter(pk=tournament.pk).update(second_rating_method="", time_control="")
    tournament.refresh_from_db()
    assert figures_of(tournament).games.not_rated == ((NotRated.UNRATED_OPPONENT, 1),)


def test_the_flag_of_fide_is_no_federation(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    Entry.objects.filter(tournament=tournament).update(federation="GER")
    for tpn, code in enumerate(("FID", "NON", "", "FRA"), start=1):
        change(tournament, tpn, federation=code)
    found = figures_of(tournament)
    assert len(found.federations) == 5
    assert found.different_federations == 2


def test_a_game_that_both_lost_has_no_winner(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    results = {1: "00", 2: "=0", 3: "0="}
    factories.play_rounds(tournament, [1], chief_arbiter, lambda board, *_players: results[board])
    found = figures_of(tournament)
    assert found.games.played == 3
    [colours] = found.colours
    assert (colours.white, colours.drawn, colours.black) == (0, 0, 0)
    assert found.upsets == ()


def test_results_that_are_not_published_count_for_nothing(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    factories.enter_results(tournament, 1, chief_arbiter)
    found = figures_of(tournament)
    assert found.after_round == 0
    assert found.games.played == 0
    assert found.colours == ()


@pytest.mark.costly
def test_both_games_of_a_match_count(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6, system="double_swiss_2026")
    matches.play(tournament, 1, chief_arbiter, lambda board: ("10", "01"))
    found = figures_of(tournament)
    assert found.games.played == 6
    [colours] = found.colours
    # White won the first game and Black the second one: the same player.
    assert (colours.white, colours.drawn, colours.black) == (3, 0, 3)


def test_an_event_without_players_has_no_figures(chief_arbiter: User) -> None:
    found = figures_of(factories.make_tournament(chief_arbiter))
    assert (found.players, found.average, found.federations, found.ages) == (0, None, (), ())
