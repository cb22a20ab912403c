"""The finder, the letters after ``g`` and the list of keys, for every role."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments import factories
from tests.tournaments.web.test_queries_pages import count, make_big
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.find import MOST, Found, find
from tournaments.desk.navigation import destinations
from tournaments.entries.entries import entry_add
from tournaments.events.sections import event_create, section_add
from tournaments.models import Appointment, DeskData, Role, Round, Tournament
from tournaments.web.keys import key_parts
from tournaments.web.templatetags.keys import destination_url

HANDBOOK = Path(__file__).resolve().parents[3] / "docs" / "arbiter"


@pytest.fixture
def on_site(published_round: Round) -> Tournament:
    """Round 1 is published; one player has a name with accent,
    hyphen and apostrophe, and a FIDE ID.
    """
    tournament = published_round.tournament
    tournament.entries.filter(tpn=3).update(name="O’Brien-Łukasz, Žofie", fide_id=25012345)
    return tournament


@pytest.fixture
def person(on_site: Tournament) -> User:
    return User.objects.create_user("person", password="person-secret")


def give(person: User, tournament: Tournament, role: Role) -> None:
    """Give *person* this role alone; there is one Chief Arbiter already."""
    if role is not Role.CHIEF:
        Appointment.objects.filter(person=person).delete()
        Appointment.objects.create(
            tournament=tournament, person=person, role=role, since=factories.NOW
        )


def found(tournament: Tournament, typed: str, role: Role = Role.CHIEF) -> Found:
    return find(tournament_frame(tournament, runs=Power.READ in POWERS[role]), role, typed)


def names(tournament: Tournament, typed: str) -> list[str]:
    return [player.name for player in found(tournament, typed).players]


def hits(client: Client, tournament: Tournament, typed: str) -> dict[str, str]:
    """Return the lines of the finder: the text with the address."""
    text = client.get(
        reverse("find", args=[tournament.slug]), {"q": typed}, headers={"HX-Request": "true"}
    ).content
    links = re.findall(r'<a (?:class="board" )?href="([^"]+)">(.*?)</a>', text.decode(), re.DOTALL)
    return {
        " ".join(html.unescape(re.sub(r"<[^>]+>", " ", words)).split()): url for url, words in links
    }


@pytest.mark.parametrize(
    "typed",
    [
        "obrien",
        "O'Brien",
        "brien",
        "lukasz zof",
        "ŽOFIE",
        "3",
        "25012345",
        "2501",
        "  zofie ",
        "o'brien-l",
    ],
)
def test_a_player_is_found_by_the_parts_of_the_name_the_number_or_the_fide_id(
    on_site: Tournament, typed: str
) -> None:
    assert names(on_site, typed) == ["O’Brien-Łukasz, Žofie"]


@pytest.mark.parametrize("typed", ["ryen", "obrien x", "250", "99", "%", "' OR 1=1", "½"])
def test_what_does_not_fit_is_not_found(on_site: Tournament, typed: str) -> None:
    assert found(on_site, typed).players == ()


def test_a_board_of_the_round_is_found_by_its_number_and_says_who_plays(
    on_site: Tournament,
) -> None:
    (board,) = found(on_site, "2").boards
    white, black, _ = factories.boards(on_site, 1)[1]
    of = {entry.tpn: entry.name for entry in on_site.entries.all()}
    assert (board.number, board.white, board.black) == (2, of[white], of[black])
    (player,) = [each for each in found(on_site, "2").players if each.tpn == 2]
    assert player.board == next(
        n for n, row in enumerate(factories.boards(on_site, 1), 1) if 2 in row[:2]
    )


def test_the_boards_of_a_draft_stay_on_the_pages_that_record_who_has_seen_it(
    played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    if played_round.state != "results_published":
        results_publish(round_id=played_round.pk, actor=chief_arbiter, now=factories.NOW)
    before = found(tournament, "1")
    round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert found(tournament, "1") == before


def test_pages_are_found_in_the_language_of_the_reader(on_site: Tournament) -> None:
    with override("fr"):
        assert [place.name for place in found(on_site, "grille").destinations] == ["crosstable"]
        assert "record" in [place.name for place in found(on_site, "reg").destinations]
        assert [place.name for place in found(on_site, "ronde 3").destinations] == ["round"]
    assert [place.name for place in found(on_site, "grille").destinations] == []
    assert [place.letter for place in found(on_site, "crosst").destinations] == ["x"]


def test_nothing_typed_shows_the_pages_with_letters(on_site: Tournament) -> None:
    shown = found(on_site, " ")
    assert "".join(place.letter for place in shown.destinations) == "decrbpsxol"
    assert (shown.players, shown.boards) == ((), ())


@pytest.mark.costly
def test_more_players_than_fit_on_the_page_are_counted(client: Client, chief_arbiter: User) -> None:
    tournament = make_big(chief_arbiter, 60)
    shown = found(tournament, "player")
    assert (len(shown.players), shown.players_in_all) == (MOST, 121)
    client.force_login(chief_arbiter)
    page = client.get(reverse("find", args=[tournament.slug]), {"q": "player"}).content.decode()
    assert "109 more players: go on typing" in page


@pytest.mark.costly
def test_each_role_is_led_to_pages_that_it_can_open_and_to_all_of_them(
    on_site: Tournament, client: Client, person: User
) -> None:
    everything = {
        each.name: each for each in destinations(tournament_frame(on_site, runs=True), Role.CHIEF)
    }
    letters = {}
    for role in Role:
        give(person, on_site, role)
        client.force_login(on_site.created_by if role is Role.CHIEF else person)
        own = destinations(tournament_frame(on_site, runs=Power.READ in POWERS[role]), role)
        opened = {each: client.get(destination_url(on_site.slug, each)).status_code for each in own}
        refused = {
            name: client.get(destination_url(on_site.slug, each)).status_code
            for name, each in everything.items()
            if name not in {place.name for place in own}
        }
        assert set(opened.values()) == {200}, (role, opened)
        # A person at a desk has a first page at the address of the arbiters' desk; a reader sees
        # results on the round.
        assert {name for name, status in refused.items() if status == 200} == set(), role
        letters[role] = "".join(each.letter for each in own)
    assert letters == {
        Role.CHIEF: "decrbpsxol",
        Role.DEPUTY: "decrbpsxol",
        Role.RESULT_DESK: "dbpsxol",
        Role.CHECK_IN_DESK: "decpsxol",
        Role.READER: "decrpsxol",
    }


@pytest.mark.costly
def test_a_player_leads_each_role_to_its_own_page_of_the_player(
    on_site: Tournament, client: Client, person: User
) -> None:
    client.force_login(person)
    entry = factories.entry_of(on_site, 3)
    DeskData.objects.create(entry=entry, phone="+33 1 23 45", note="fragile")
    expected = {
        Role.DEPUTY: ("entry-edit", "round"),
        Role.READER: ("entry-edit", "round"),
        Role.RESULT_DESK: ("player-page", "round-results"),
        Role.CHECK_IN_DESK: ("desk-card", "pairings-public"),
    }
    for role, (player_page, board_page) in expected.items():
        give(person, on_site, role)
        of_player, of_board = hits(client, on_site, "brien").values()
        assert of_player == reverse(player_page, args=[on_site.slug, entry.pk]), role
        assert of_board.startswith(reverse(board_page, args=[on_site.slug, 1]) + "#board-"), role
        assert client.get(of_player).status_code == client.get(of_board).status_code == 200
        page = client.get(reverse("find", args=[on_site.slug]), {"q": "brien"}).content.decode()
        assert "+33" not in page
        assert "fragile" not in page
        assert "25012345" not in page


def test_after_the_results_a_board_leads_to_its_row_on_the_page_of_the_round(
    played_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    if played_round.state != "results_published":
        results_publish(round_id=played_round.pk, actor=chief_arbiter, now=factories.NOW)
    client.force_login(chief_arbiter)
    (url,) = [url for words, url in hits(client, tournament, "1").items() if " – " in words]
    assert url == f"{reverse('round', args=[tournament.slug, 1])}#board-1"
    assert 'id="board-1"' in client.get(url).content.decode()


@pytest.mark.costly
def test_names_are_text_in_the_finder(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    on_site.entries.filter(tpn=3).update(name="<b>Bold</b>")
    client.force_login(chief_arbiter)
    page = client.get(reverse("find", args=[on_site.slug]), {"q": '<b>" x'}).content.decode()
    assert "<b>&quot;" not in page
    assert (
        "&lt;b&gt;Bold"
        in client.get(reverse("find", args=[on_site.slug]), {"q": "3"}).content.decode()
    )


@pytest.mark.costly
def test_the_finder_takes_the_same_queries_for_ten_times_the_players(
    client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    counts = {}
    for boards in (6, 60):
        url = reverse("find", args=[make_big(chief_arbiter, boards).slug])
        client.get(url)
        counts[boards] = [
            count(lambda url=url, q=q: client.get(url, {"q": q})) for q in ("", "player", "3")
        ]  # type: ignore[misc]
    assert counts[6] == counts[60]
    assert max(counts[60]) <= 7


@pytest.mark.costly
def test_every_page_of_an_arbiter_has_the_letters_and_a_visitor_has_none(
    on_site: Tournament, client: Client, person: User
) -> None:
    pages = ["desk", "entries", "record", "own-part"]
    for name in ["standings", "tournament", "players", "record"]:
        page = client.get(reverse(name, args=[on_site.slug])).content.decode()
        assert "keys" not in re.findall(r'data-keys="(\w+)"|(keys)\.js', page)
        assert "finder" not in page
    client.force_login(person)
    assert "keys-link" not in client.get(reverse("own-part", args=[on_site.slug])).content.decode()
    give(person, on_site, Role.DEPUTY)
    for name in pages:
        page = client.get(reverse(name, args=[on_site.slug])).content.decode()
        letters = json.loads(html.unescape(re.findall(r'data-places="([^"]+)"', page)[0]))
        assert letters["d"] == [reverse("desk", args=[on_site.slug]), "Now"]
        assert page.count('data-keys="list"') == 1, name
        assert page.count('data-keys="find"') == 2, name  # in the head, and at the bottom of phones
        assert f'hx-get="{reverse("find", args=[on_site.slug])}"' in page, name


@pytest.mark.costly
def test_the_list_begins_with_the_keys_of_its_page_and_leaves_out_those_of_others(
    on_site: Tournament, client: Client, person: User
) -> None:
    client.force_login(person)
    give(person, on_site, Role.RESULT_DESK)
    url = reverse("keys", args=[on_site.slug])

    def headings(on: str, **headers: str) -> list[str]:
        return re.findall(
            r"<h2[^>]*>(.*?)</h2>", client.get(url, {"on": on}, headers=headers).content.decode()
        )

    everywhere = "On every page of the tournament"
    assert headings("round-results") == ["Result entry", everywhere]
    assert headings("standings", **{"HX-Request": "true"}) == [everywhere]
    assert headings("") == headings("nonsense") == ["Result entry", everywhere]
    client.force_login(on_site.created_by)
    others = ["Boards of a round", "Check-in", "Draft of a round", "Name of a new player"]
    assert headings("") == ["Result entry", *others, everywhere]


@pytest.mark.costly
def test_the_list_names_no_key_that_does_not_work_on_the_page_of_the_round_or_for_the_role(
    on_site: Tournament, client: Client, person: User
) -> None:
    tournament, chief = on_site, on_site.created_by
    client.force_login(chief)

    def listed(number: int) -> list[str]:
        page = client.get(reverse("round", args=[tournament.slug, number])).content.decode()
        (address,) = re.findall(r'id="keys-link"[^>]*href="([^"]+)"', page)
        text = client.get(html.unescape(address), headers={"HX-Request": "true"}).content.decode()
        return re.findall(r"<h2[^>]*>(.*?)</h2>", text)

    everywhere = "On every page of the tournament"
    assert listed(1) == ["Result entry", everywhere]
    factories.enter_results(tournament, 1, chief)
    results_publish(round_id=factories.round_of(tournament, 1).pk, actor=chief, now=factories.NOW)
    assert listed(1) == ["Boards of a round", everywhere]
    round_pair(round_id=factories.round_of(tournament, 2).pk, actor=chief, now=factories.NOW)
    assert listed(2) == ["Draft of a round", everywhere]
    give(person, tournament, Role.RESULT_DESK)
    client.force_login(person)
    for on in ("round-results", "second-reading"):
        page = client.get(reverse("keys", args=[tournament.slug]), {"on": on}).content.decode()
        assert "find a board or a name" in page
        assert "card of" not in page
        assert "colours swapped" not in page


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_handbook_lists_every_key(language: str) -> None:
    """Also the page for the arbiters' table, and the letters of the menu of all results."""
    with override(language):
        caps = {cap for part in key_parts() for line in part.lines for cap in line.caps}
    caps = caps - {"⏎", "Backspace", "Delete"} | {"Enter" if language == "en" else "Entrée"}
    for name in ("pages.md", "day-of-the-event.md"):
        text = (HANDBOOK / language / name).read_text(encoding="utf-8")
        assert caps - {*re.findall(r"`([^`\s]+)`", text)} == set(), name


@pytest.mark.costly
def test_nothing_that_cannot_be_undone_has_the_focus(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    """The first pairing fixes settings, and a publication is seen:
    Enter by mistake must not do either.
    """
    client.force_login(chief_arbiter)

    def focused() -> list[str]:
        pages = [
            client.get(reverse("desk", args=[ready.slug])),
            client.get(reverse("round", args=[ready.slug, n])),
        ]
        marked = r"<(?:a|button|form)[^>]*data-focus[^>]*>\s*([^<]*)"
        return [", ".join(re.findall(marked, page.content.decode())).strip() for page in pages]

    n = 1
    assert focused() == ["", ""]
    round_pair(round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW)
    assert focused() == ["Review and publish pairings", ""]
    round_ = factories.round_of(ready, 1)
    round_publish(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
    assert focused() == [
        "Enter results",
        "",
    ]  # there the script begins at the first board without a result
    factories.enter_results(ready, 1, chief_arbiter)
    assert focused() == ["", ""]
    results_publish(
        round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW
    )
    n = 2
    assert focused() == ["Pair round 2", "Pair round 2"]


@pytest.mark.costly
def test_pages_of_an_event_have_the_finder_the_letters_and_the_list(
    on_site: Tournament, client: Client, person: User
) -> None:
    """A digit is a section: its desk for those with a role in it. A visitor has none of it."""
    chief = on_site.created_by
    event = event_create(
        tournament_id=on_site.pk, name="City Open", label="A", actor=chief, now=factories.NOW
    )
    second = section_add(
        event_id=event.pk, like_id=on_site.pk, label="B", limits={}, actor=chief, now=factories.NOW
    )
    entry_add(tournament_id=second.pk, name="Brienne, Zoé", actor=chief, now=factories.NOW)
    pages = [
        "event-desk",
        "event-entries",
        "event-check-in",
        "event-sections",
        "event-import",
        "event",
    ]
    assert "keys-link" not in client.get(reverse("event", args=[event.slug])).content.decode()
    client.force_login(chief)
    for name in pages:
        page = client.get(reverse(name, args=[event.slug])).content.decode()
        letters = json.loads(html.unescape(re.findall(r'data-places="([^"]+)"', page)[0]))
        assert letters["d"] == [reverse("event-desk", args=[event.slug]), "Now"], name
        assert letters["2"] == [reverse("desk", args=[second.slug]), second.name], name
    url = reverse("event-find", args=[event.slug])
    found = client.get(url, {"q": "brien"}, headers={"HX-Request": "true"}).content.decode()
    assert re.findall(r'<a href="([^"]+)"', found) == [
        reverse(
            "entry-edit", args=[tournament.slug, tournament.entries.get(name__contains="rien").pk]
        )
        for tournament in (second, on_site)
    ]
    assert "2 lines found" in found
    assert (
        reverse("event-sections", args=[event.slug])
        in client.get(url, {"q": "sect"}).content.decode()
    )
    listed = client.get(
        reverse("event-keys", args=[event.slug]), {"on": "event-check-in"}
    ).content.decode()
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", listed) == ["Check-in", "On every page of the event"]
    client.force_login(person)
    give(person, second, Role.RESULT_DESK)
    page = client.get(reverse("event", args=[event.slug])).content.decode()
    letters = json.loads(html.unescape(re.findall(r'data-places="([^"]+)"', page)[0]))
    assert {letter: address for letter, (address, _) in letters.items()} == {
        "d": reverse("event-desk", args=[event.slug]),
        "o": reverse("event", args=[event.slug]),
        "1": reverse("tournament", args=[Tournament.objects.get(pk=on_site.pk).slug]),
        "2": reverse("desk", args=[second.slug]),
    }
    assert client.get(url).status_code == 200
    client.force_login(User.objects.create_user("nobody", password="person-secret"))
    assert client.get(url).status_code == 403
