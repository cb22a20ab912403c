"""The tags that write a player in one line."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from tournaments.web.templatetags.players import (
    address_in,
    addresses,
    distinct_name,
    entry_url,
    player_line,
)


@dataclass(frozen=True)
class Named:
    tpn: int | None
    title: str
    name: str
    rating: int | None = None
    is_namesake: bool = False


def test_a_line_has_number_title_and_name_and_the_rating_where_it_is_asked_for() -> None:
    player = Named(7, "IM", "Weiß, Ida", 2400)
    line = '<span class="tpn">7</span> <span class="title">IM</span> Weiß, Ida'
    assert player_line(player) == line
    assert player_line(player, rating=True) == f'{line} <span class="rating">2400</span>'


def test_the_number_of_a_namesake_is_in_every_list() -> None:
    player = Named(7, "IM", "Weiß, Ida", is_namesake=True)
    assert player_line(player).startswith('<span class="tpn needed">7</span> <span class="title">')
    assert distinct_name(player) == '<span class="tpn needed">7</span> Weiß, Ida'
    assert distinct_name(Named(7, "IM", "Weiß & <Ida>")) == "Weiß &amp; &lt;Ida&gt;"
    assert (
        distinct_name(Named(None, "", "Weiß, Ida", is_namesake=True)) == "Weiß, Ida"
    )  # before the numbers


def test_a_name_is_never_markup() -> None:
    assert player_line(Named(None, "", "<b>O'Neil</b>")) == "&lt;b&gt;O&#x27;Neil&lt;/b&gt;"
    assert player_line(None) == ""


def test_a_name_from_right_to_left_leaves_number_and_rating_in_their_places() -> None:
    player = Named(13, "", "محمد, علي", 1600)
    expected = '<span class="tpn">13</span> <bdi>محمد, علي</bdi> <span class="rating">1600</span>'
    assert player_line(player, rating=True) == expected
    assert "<bdi>" not in player_line(Named(2, "", "李, 小龙"))


def test_a_list_asks_once_for_the_addresses_of_all_players() -> None:
    found = addresses("player-standing", "spring-open", 3)
    expected = reverse("player-standing", args=["spring-open", 3, 42])
    assert address_in(42, found) == entry_url("player-standing", "spring-open", 3, 42) == expected
