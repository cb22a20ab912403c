"""What a player still needs for a norm before the last rounds."""

from __future__ import annotations

from dataclasses import replace

from pairing.ratings.editions import Title
from pairing.ratings.forecast import HIGHEST, LOWEST, Chance, Opponents, forecast
from pairing.ratings.model import Kind
from pairing.ratings.norms import norm
from tests.ratings.notation import EVENT, HERO, NINE, changed, games, person

EIGHT = games(NINE)[:8]
"""Six points of eight games against an average of 2408."""


def test_a_published_opponent_leaves_only_the_score() -> None:
    found = forecast(Title.GM, HERO, EVENT, EIGHT, [person("2320 - AUT")])
    assert (found.chances, found.already, found.by_forfeit) == ((Chance(2),), False, True)
    assert forecast(Title.GM, HERO, EVENT, EIGHT, [person("2700 GM SWE")]).chances == (Chance(1),)
    weaker = changed(NINE, r5="0 2380 FM CZE")[:8]
    assert not forecast(Title.GM, HERO, EVENT, weaker, [person("2320 - AUT")]).is_possible
    assert forecast(Title.GM, HERO, EVENT, weaker, [person("2700 GM SWE")]).is_possible


def test_an_unknown_opponent_needs_a_rating_that_is_the_least() -> None:
    found = forecast(Title.GM, HERO, EVENT, EIGHT, [None])
    assert [chance.halves for chance in found.chances] == [1, 2]
    assert found.chances[1].opponents == Opponents(LOWEST, frozenset(), is_foreign=False)
    for chance in found.chances[:1]:
        assert chance.opponents is not None
        assert (chance.opponents.titles, chance.opponents.is_foreign) == (frozenset(), False)
        rating = chance.opponents.rating
        for tried, is_enough in ((rating, True), (rating - 1, False)):
            games_then = [
                *EIGHT,
                replace(games(f"1 {tried} - AUT")[0], round=9, halves=chance.halves),
            ]
            assert norm(Title.GM, HERO, EVENT, games_then).is_met is is_enough


def test_a_missing_title_or_federation_is_needed_of_the_opponent() -> None:
    third_gm = changed(NINE, r3="1 2440 IM HUN")[:8]
    (chance, *_) = forecast(Title.GM, HERO, EVENT, third_gm, [None]).chances
    assert chance.opponents is not None
    assert (chance.opponents.titles, chance.opponents.is_foreign) == (frozenset({"GM"}), False)
    fifth_titled = changed(NINE, r5="= 2380 - CZE")[:8]
    (chance, *_) = forecast(Title.GM, HERO, EVENT, fifth_titled, [None]).chances
    assert chance.opponents is not None
    assert chance.opponents.titles == frozenset({"FM"})
    local = NINE.replace("SLO", "AUT").replace("CZE", "AUT")
    (chance, *_) = forecast(Title.GM, HERO, EVENT, games(local)[:8], [None]).chances
    assert chance.opponents is not None
    assert not chance.opponents.is_foreign
    sixth = games(local.replace("IM HUN", "IM AUT"))[:8]
    (chance, *_) = forecast(Title.GM, HERO, EVENT, sixth, [None]).chances
    assert chance.opponents is not None
    assert chance.opponents.is_foreign


def test_two_missing_rounds_share_the_score() -> None:
    found = forecast(Title.IM, HERO, EVENT, games(NINE)[:7], [None, None])
    assert found.is_possible
    assert (found.rounds, found.already) == (2, False)
    ratings = [chance.opponents.rating for chance in found.chances if chance.opponents]
    assert ratings == sorted(ratings, reverse=True)
    assert all(LOWEST <= rating <= HIGHEST for rating in ratings)


def test_a_norm_that_is_complete_cannot_be_lost_in_a_swiss() -> None:
    found = forecast(Title.GM, HERO, replace(EVENT, rounds=10), games(NINE), [None])
    assert found.already
    assert found.chances == (Chance(0, Opponents(LOWEST, frozenset(), is_foreign=False)),)


def test_eight_games_after_a_requested_bye_are_not_enough() -> None:
    lines = [replace(EIGHT[0], kind=Kind.HALF_POINT_BYE, opponent=None), *EIGHT[1:]]
    found = forecast(Title.GM, HERO, EVENT, lines, [None])
    assert (found.is_possible, found.by_forfeit) == (False, False)


def test_a_player_who_is_too_far_away_has_no_forecast() -> None:
    assert not forecast(Title.GM, HERO, EVENT, games(NINE)[:4], [None] * 5).is_possible
    assert not forecast(Title.WGM, HERO, EVENT, EIGHT, [None]).is_possible
