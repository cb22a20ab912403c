"""Titles by place or result [B.01/2024 0.6.2, 1.2]."""

from __future__ import annotations

import pytest

from pairing.ratings.direct_titles import (
    CLAIMS,
    OPEN_TITLES,
    TITLES,
    WOMENS_TITLES,
    TitleClaim,
    is_possible,
    rating_needed,
)
from pairing.ratings.editions import NORM_EDITIONS

EDITION = NORM_EDITIONS[-1]
LIMITS = {"GM": 2300, "IM": 2200, "FM": 2100, "CM": 2000} | {
    "WGM": 2100,
    "WIM": 2000,
    "WFM": 1900,
    "WCM": 1800,
}


def can_get(*held: str, is_man: bool = False) -> set[str]:
    return {each for each in CLAIMS if is_possible(TitleClaim(each), held, is_man=is_man)}


def test_062_a_title_below_its_rating_is_conditional() -> None:
    assert set(LIMITS) == set(TITLES) == set(EDITION.direct_ratings)
    for title, rating in LIMITS.items():
        claimed = TitleClaim(title)
        assert rating_needed(claimed, rating, EDITION) is None
        assert rating_needed(claimed, rating - 1, EDITION) == rating
        assert rating_needed(claimed, None, EDITION) == rating


def test_a_norm_is_never_conditional() -> None:
    norms = [TitleClaim(each) for each in CLAIMS if each.endswith("norm")]
    assert [each.of_title for each in norms] == ["GM", "IM", "WGM", "WIM"]
    assert {rating_needed(each, None, EDITION) for each in norms} == {None}


def test_12_without_a_title_everything_is_possible_and_womens_titles_for_women() -> None:
    assert can_get() == can_get("") == set(CLAIMS)
    women = {*WOMENS_TITLES, "WGM norm", "WIM norm"}
    assert can_get(is_man=True) == set(CLAIMS) - women


@pytest.mark.parametrize("kind", [OPEN_TITLES, WOMENS_TITLES])
def test_12_only_a_higher_title_of_its_kind_is_possible(kind: tuple[str, ...]) -> None:
    for place, held in enumerate(kind[1:], start=1):
        found = {each for each in can_get(held) if each.removesuffix(" norm") in kind}
        assert {each.removesuffix(" norm") for each in found} == set(kind[:place]), held


def test_12_titles_of_both_kinds() -> None:
    """A grandmaster gets nothing more; a woman who is FM and WIM can still get IM and WGM."""
    assert can_get("GM") == can_get("GM", "WFM") == set()
    assert can_get("FM", "WIM") == {"GM", "IM", "WGM", "GM norm", "IM norm", "WGM norm"}
    assert "WGM" in can_get("IM")
