"""Followed players: a list in an address, across the sections of an event."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.rounds.test_report_pages import text_of
from tournaments.core.short_address import short_code
from tournaments.entries.entries import numbers_assign
from tournaments.models import Entry, Event, Tournament
from tournaments.web.events.follow import entry_ids
from tournaments.web.events.followed import followed_players, players_found

HTMX = {"HX-Request": "true"}


@pytest.fixture
def playing(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 running, with seven players of whom one has a bye."""
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def sections(
    first: Tournament, second: Tournament, chief_arbiter: User
) -> tuple[Tournament, Tournament]:
    """The two sections of the event, each with numbered players."""
    for section in (first, second):
        factories.make_entries(section, chief_arbiter, 3)
        numbers_assign(tournament_id=section.pk, actor=chief_arbiter, now=NOW)
    return first, second


@pytest.mark.costly
@pytest.mark.django_db
def test_the_code_on_a_poster_leads_to_all_sections(
    sections: tuple[Tournament, Tournament], chief_arbiter: User, client: Client
) -> None:
    section = Tournament.objects.get(pk=sections[0].pk)
    code = short_code(section, whole_event=True)
    assert all(a != b for a, b in zip(code[-2:], short_code(section)[-2:], strict=True))
    assert client.get(f"/s/{code}/").headers["Location"] == f"/e/{section.section.event.slug}/me/"
    assert client.get(f"/s/{short_code(section)}/").headers["Location"] == f"/t/{section.slug}/me/"
    client.force_login(chief_arbiter)
    posters = client.get(f"/t/{section.slug}/print/sheets/?list=posters").content.decode()
    assert f"/s/{code}/" in posters
    section.section.delete()
    assert client.get(f"/s/{code}/").headers["Location"] == f"/t/{section.slug}/me/"


def url(tournament: Tournament, *entries: Entry | int) -> str:
    numbers = ".".join(str(getattr(each, "pk", each)) for each in entries)
    return reverse("follow", args=[tournament.slug]) + (f"?p={numbers}" if numbers else "")


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", ""),
        ("7", "7"),
        ("9.3.3.07", "3.7.9"),
        ("3,9;x", "3.9"),
        ("209471930370", "209471930370"),
        ("٣", ""),
        ("-1", "1"),
        ("9" * 5_000, "9999999999.999999999999999"),
        ("\x00' or 1=1", "1"),
    ],
)
def test_a_list_has_one_address(text: str, expected: str) -> None:
    assert entry_ids(text) == expected


def test_a_list_is_never_longer_than_allowed() -> None:
    assert entry_ids(".".join(map(str, range(1, 400)))).count(".") == 99


@pytest.mark.costly
def test_cards_are_in_the_order_of_the_boards_with_rank_and_points(
    playing: Tournament, client: Client
) -> None:
    everybody = list(Entry.objects.filter(tournament=playing).order_by("-pk"))
    cards = followed_players(playing, [each.pk for each in everybody])
    boards = [card.seat.board for card in cards if card.seat]
    assert boards == [1, 1, 2, 2, 3, 3, None]
    assert all(card.rank and card.round_number == 2 for card in cards)
    text = text_of(client.get(url(playing, *everybody)))
    assert "Board 1" in text
    assert "After round 1: rank 1 with 1 point." in text
    assert "pairing-allocated bye" in text.lower()


def test_players_of_all_sections_are_on_one_page(
    event: Event, sections: tuple[Tournament, Tournament], client: Client
) -> None:
    first, second = (Tournament.objects.get(pk=each.pk) for each in sections)
    ours = Entry.objects.filter(tournament=first, tpn__isnull=False).first()
    theirs = Entry.objects.filter(tournament=second, tpn__isnull=False).first()
    assert ours is not None
    assert theirs is not None
    labels = [card.label for card in followed_players(second, [ours.pk, theirs.pk])]
    assert labels == [first.section.label, second.section.label]
    text = text_of(client.get(url(second, ours, theirs)))
    assert first.section.label in text
    assert {each.entry.pk for each in players_found(second, ours.name)} >= {ours.pk}
    # The page asks for the news of the event, because both sections change it.
    page = client.get(url(second, ours)).content.decode()
    assert reverse("event-news", args=[event.slug]) in page
    key = client.get(reverse("event-news", args=[event.slug])).json()["key"]
    assert f'data-key="{key}"' in page


def test_a_player_of_another_event_is_left_out(
    playing: Tournament, chief_arbiter: User, client: Client
) -> None:
    stranger = Entry.objects.exclude(tournament=playing).first()
    assert stranger is not None
    assert followed_players(playing, [stranger.pk, 999_999]) == []
    assert "my-board" not in client.get(url(playing, stranger)).content.decode()


@pytest.mark.costly
def test_names_clubs_and_federations_are_found_and_all_are_added(
    playing: Tournament, client: Client
) -> None:
    players = list(Entry.objects.filter(tournament=playing).order_by("tpn"))
    for each in players[:3]:
        Entry.objects.filter(pk=each.pk).update(club="Rochade Kuppenheim")
    page = client.get(url(playing), {"q": "kuppenheim", "p": str(players[4].pk)}).content.decode()
    together = entry_ids(".".join(str(each.pk) for each in (*players[:3], players[4])))
    assert f'href="?p={together}"' in page
    names = f"{players[0].name.split(',')[0]}, {players[1].name.split(',')[0]}"
    found = players_found(playing, names)
    assert {each.entry.pk for each in found} == {players[0].pk, players[1].pk}


@pytest.mark.costly
def test_c04_2_4_4_a_draft_is_on_no_card(
    playing: Tournament, chief_arbiter: User, client: Client
) -> None:
    factories.enter_results(playing, 2, chief_arbiter)
    entries = list(Entry.objects.filter(tournament=playing))
    before = client.get(url(playing, *entries)).content
    assert b"1 \xe2\x80\x93 0" not in before  # an entered result is not published
    results_publish(round_id=factories.round_of(playing, 2).pk, actor=chief_arbiter, now=NOW)
    published = client.get(url(playing, *entries)).content
    assert published != before
    round_pair(round_id=factories.round_of(playing, 3).pk, actor=chief_arbiter, now=NOW)
    assert client.get(url(playing, *entries)).content == published


@pytest.mark.costly
def test_initials_and_private_data_stay_hidden(playing: Tournament, client: Client) -> None:
    player = Entry.objects.filter(tournament=playing).first()
    assert player is not None
    full = player.name
    Entry.objects.filter(pk=player.pk).update(name="A. P.", full_name=full)
    for query in ({"p": str(player.pk)}, {"q": "A. P."}):
        page = client.get(url(playing), query).content.decode()
        assert "A. P." in page
        assert full not in page
    assert players_found(playing, full) == []


@pytest.mark.costly
def test_an_open_page_gets_204_until_something_is_published(
    playing: Tournament, chief_arbiter: User, client: Client
) -> None:
    player = factories.entry_of(playing, 1)
    address = re.findall(r'hx-get="([^"]+)"', client.get(url(playing, player)).content.decode())[0]
    address = address.replace("&amp;", "&")
    assert client.get(address, headers=HTMX).status_code == 204
    factories.enter_results(playing, 2, chief_arbiter)
    assert client.get(address, headers=HTMX).status_code == 204
    results_publish(round_id=factories.round_of(playing, 2).pk, actor=chief_arbiter, now=NOW)
    part = client.get(address, headers=HTMX)
    assert part.status_code == 200
    assert b'id="followed"' in part.content


def test_more_players_need_no_more_queries(
    playing: Tournament, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    entries = [each.pk for each in Entry.objects.filter(tournament=playing)]
    playing = Tournament.objects.select_related("section__event").get(pk=playing.pk)
    followed_players(playing, entries)  # the standings are in the store now
    with django_assert_num_queries(6):
        followed_players(playing, entries[:1])
    with django_assert_num_queries(6):
        followed_players(playing, entries)


@pytest.mark.costly
def test_before_the_first_pairings_a_card_has_the_name_only(
    chief_arbiter: User, client: Client
) -> None:
    ready = factories.make_ready(chief_arbiter, players=4)
    text = text_of(client.get(url(ready, factories.entry_of(ready, 1))))
    assert factories.entry_of(ready, 1).name in text
    assert "Board" not in text.replace("My board", "")


@pytest.mark.costly
def test_me_of_an_event_finds_the_section(
    event: Event, sections: tuple[Tournament, Tournament], client: Client
) -> None:
    first, second = sections
    player = Entry.objects.filter(tournament=second, tpn__isnull=False).first()
    assert player is not None
    address = reverse("event-me", args=[event.slug])
    page = client.get(address, {"q": player.name}).content.decode()
    assert f'href="{reverse("me", args=[second.slug])}#{player.pk}"' in page
    assert reverse("tournament", args=[first.slug]) in client.get(address).content.decode()
    assert "No player matches" in text_of(client.get(address, {"q": "nobody at all"}))
    assert client.get("/e/no-event/me/").status_code == 404


@pytest.mark.costly
def test_a_parent_goes_from_the_poster_to_several_players_with_the_same_search(
    event: Event, sections: tuple[Tournament, Tournament], client: Client
) -> None:
    me, follow = (
        reverse("event-me", args=[event.slug]),
        reverse("follow", args=[sections[0].slug]),
    )
    assert f'href="{follow}"' in client.get(me).content.decode()
    assert f'href="{follow}?q=a%20b"' in client.get(me, {"q": "a b"}).content.decode()
    found = client.get(follow, {"q": "player"}).content.decode()
    assert f'<a class="alone" href="{reverse("me", args=[sections[0].slug])}">' in found
