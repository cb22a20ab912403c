"""What a player still needs for a norm before the last rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest

from pairing.ratings.editions import Title
from pairing.ratings.forecast import HIGHEST, LOWEST, Chance, Opponents, forecast
from pairing.ratings.model import Game, Kind, Person
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


# On both sides of each limit: what the forecast asks for is enough, and a little less is not.


def is_met_with(
    lines: Sequence[Game], chance: Chance, opponents: Opponents, title: Title = Title.GM
) -> bool:
    """Return whether the norm is met when each missing round has such an opponent, in every order
    of the results.
    """
    missing = EVENT.rounds - len(lines)
    rows = []
    for share in product((0, 1, 2), repeat=missing):
        if sum(share) == chance.halves:
            later = [
                Game(
                    len(lines) + 1 + place,
                    Kind.PLAYED,
                    halves,
                    Person(
                        opponents.rating,
                        titles=opponents.titles,
                        federation=f"?{place}" if opponents.is_foreign else HERO.federation,
                    ),
                )
                for place, halves in enumerate(share)
            ]
            rows.append(norm(title, HERO, EVENT, [*lines, *later]).is_met)
    return all(rows)


SITUATIONS = {
    "one round": EIGHT,
    "two rounds": EIGHT[:7],
    "third GM missing": changed(NINE, r3="1 2440 IM HUN")[:8],
    "fifth title missing": changed(NINE, r5="= 2380 - CZE")[:8],
    "second federation missing": games(NINE.replace("SLO", "AUT").replace("CZE", "AUT"))[:8],
    "one own federation too many": games(
        NINE.replace("SLO", "AUT").replace("CZE", "AUT").replace("IM HUN", "IM AUT")
    )[:8],
    "weak opponent raised": changed(NINE, r8="1 1900 - AUT")[:8],
    "two rounds and a title": changed(NINE, r3="1 2440 IM HUN")[:7],
}


@pytest.mark.parametrize("title", [Title.GM, Title.IM])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_each_demand_of_a_forecast_is_the_least(situation: str, title: Title) -> None:
    lines = SITUATIONS[situation]
    found = forecast(title, HERO, EVENT, lines, [None] * (EVENT.rounds - len(lines)))
    assert found.chances, situation
    for chance in found.chances:
        needed = chance.opponents
        assert needed is not None
        assert is_met_with(lines, chance, needed, title)
        if needed.rating > LOWEST:
            assert not is_met_with(lines, chance, replace(needed, rating=needed.rating - 1), title)
        if needed.titles:
            untitled = replace(needed, rating=HIGHEST, titles=frozenset())
            assert not is_met_with(lines, chance, untitled, title)
        if needed.is_foreign:
            own = replace(needed, rating=HIGHEST, is_foreign=False)
            assert not is_met_with(lines, chance, own, title)
    lowest = found.chances[0]
    if lowest.halves:
        best = Opponents(HIGHEST, frozenset({title.value}), is_foreign=True)
        assert not is_met_with(lines, Chance(lowest.halves - 1), best, title)


@pytest.mark.parametrize(
    "opponent, halves",
    [
        # 7 of 9 is enough even against the floor of 2200: 21460 / 9 = 2384, and 220.
        ("0 - AUT", 2),
        # With 6½ of 9, 72 % gives 166: the average must be 2434, so the sum 21902.
        ("2641 - AUT", 2),
        ("2642 - AUT", 1),
        ("2700 GM SWE", 1),
    ],
)
def test_the_score_against_a_published_opponent_is_the_least(opponent: str, halves: int) -> None:
    found = forecast(Title.GM, HERO, EVENT, EIGHT, [person(opponent)])
    assert found.chances == (Chance(halves),)


def test_a_round_in_play_and_one_that_is_not_paired() -> None:
    lines = games(NINE)[:7]
    found = forecast(Title.GM, HERO, EVENT, lines, [person("2340 - AUT"), None])
    for chance in found.chances:
        assert chance.opponents is not None
        for rating, is_enough in (
            (chance.opponents.rating, True),
            (chance.opponents.rating - 1, chance.opponents.rating == LOWEST),
        ):
            shares = [
                share for share in product((0, 1, 2), repeat=2) if sum(share) == chance.halves
            ]
            answers = []
            for eighth, ninth in shares:
                last = Person(rating, titles=chance.opponents.titles, federation=HERO.federation)
                later = [
                    Game(8, Kind.PLAYED, eighth, person("2340 - AUT")),
                    Game(9, Kind.PLAYED, ninth, last),
                ]
                answers.append(norm(Title.GM, HERO, EVENT, [*lines, *later]).is_met)
            assert all(answers) is is_enough
