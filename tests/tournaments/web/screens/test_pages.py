"""What everybody with the address of a screen reads, and when it changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.core.errors import BadInput
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import entry_check_in, entry_withdraw
from tournaments.events.screens import screen_remove, screen_show, screens_message
from tournaments.events.sections import event_create
from tournaments.models import Eligible, Entry, Event, Screen, Section, Tournament
from tournaments.setup.deletion import tournament_delete
from tournaments.setup.visibility import tournament_archive
from tournaments.standings.final import standings_make_final
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

from .conftest import MakeScreen

ALL = ("boards", "names", "results", "standings", "missing", "clock", "prizes")


def address(screen: Screen) -> str:
    return reverse("screen", args=[screen.code])


def page(screen: Screen, **query: str) -> str:
    answer = Client().get(address(screen), query)
    assert answer.status_code == 200
    return answer.content.decode()


def key(screen: Screen) -> str:
    return str(Client().get(reverse("screen-news", args=[screen.code])).json()["key"])


def headings(text: str) -> list[str]:
    return [
        " ".join(re.sub("<.*?>", "", found).split()) for found in re.findall("<h1>(.*?)</h1>", text)
    ]


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": factories.NOW}


@pytest.mark.costly
def test_a_screen_shows_what_is_published_in_every_state(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, *ALL)
    names = list(Entry.objects.filter(tournament=ready).values_list("name", flat=True))
    assert headings(page(screen)) == []  # only the clock
    before = key(screen)
    row = round_pair(round_id=factories.round_of(ready, 1).pk, **by(chief_arbiter))
    draft = page(screen)
    assert [name for name in names if name in draft] == []
    round_publish(round_id=row.pk, **by(chief_arbiter))
    assert key(screen) != before
    shown = page(screen)
    assert headings(shown) == ["Round 1: pairings by board", "Round 1: pairings by name"]
    assert [name for name in names if name not in shown] == []
    before = key(screen)
    factories.enter_results(ready, 1, chief_arbiter)
    entered = page(screen)
    assert ">1 – 0<" not in entered
    assert "standings" not in entered.lower()
    results_publish(round_id=row.pk, **by(chief_arbiter))
    assert key(screen) != before
    assert headings(page(screen)) == [
        "Round 1: pairings by board",
        "Round 1: pairings by name",
        "Standings after round 1",
    ]
    round_pair(round_id=factories.round_of(ready, 2).pk, **by(chief_arbiter))
    assert "Round 2:" not in page(screen)
    round_publish(round_id=factories.round_of(ready, 2).pk, **by(chief_arbiter))
    assert headings(page(screen)) == [
        "Round 2: pairings by board",
        "Round 2: pairings by name",
        "Round 1: results",
        "Standings after round 1",
    ]


def test_the_answer_is_the_same_for_everybody_and_sent_once(
    published_round: Any, chief_arbiter: User, make_screen: MakeScreen, client: Client
) -> None:
    screen = make_screen(published_round.tournament, "boards", language="fr")
    mine = Client().get(address(screen), headers={"Accept-Language": "en"})
    client.force_login(chief_arbiter)
    theirs = client.get(address(screen).lower(), headers={"Accept-Language": "fr"})
    assert client.get(f"/screen/{screen.code}/").content == mine.content == theirs.content
    assert (mine["Content-Language"], mine["X-Robots-Tag"]) == ("fr", "noindex")
    assert "Ronde 1" in mine.content.decode()
    again = client.get(address(screen), headers={"If-None-Match": mine["ETag"]})
    assert again.status_code == 304
    digest = key(screen)
    assert f'data-key="{digest}"' in mine.content.decode()
    part = client.get(address(screen), {"v": digest}, headers={"HX-Request": "true"})
    assert part.status_code == 204
    news = client.get(reverse("screen-news", args=[screen.code]))
    known = {"If-None-Match": news["ETag"]}
    assert client.get(reverse("screen-news", args=[screen.code]), headers=known).status_code == 304
    assert float(news["X-Ask-Again"]) >= 1.5


@pytest.mark.parametrize("code", ["ABCDEFGH", "x", "-", "A" * 200])
def test_an_unknown_address_is_not_found(ready: Tournament, client: Client, code: str) -> None:
    assert client.get(f"/screen/{code}/").status_code == 404
    assert client.get(f"/screen/{code}/news.json").status_code == 404


@pytest.mark.costly
def test_a_removed_screen_ends(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen, client: Client
) -> None:
    screen, other = make_screen(ready, "clock"), make_screen(ready, "clock")
    screen_remove(screen_id=screen.pk, **by(chief_arbiter))
    assert client.get(address(screen)).status_code == 404
    assert client.get(address(other)).status_code == 200
    tournament_delete(tournament_id=ready.pk, name=ready.name, **by(chief_arbiter))
    assert client.get(address(other)).status_code == 404


@pytest.mark.costly
def test_show_this_now_and_a_message_change_the_page(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    screen = make_screen(ready, "boards", "standings", "notice", notice="<b>Lunch</b>")
    ready.refresh_from_db()
    versions = (ready.version, ready.public_version)
    first = key(screen)
    screen_show(screen_id=screen.pk, content="notice", **by(chief_arbiter))
    assert key(screen) != first
    assert headings(page(screen)) == []
    assert "&lt;b&gt;Lunch&lt;/b&gt;" in page(screen)
    second = key(screen)
    screens_message(tournament_id=ready.pk, text="Round 2 at 15:30", **by(chief_arbiter))
    assert key(screen) != second
    assert '<p class="message" role="status">Round 2 at 15:30</p>' in page(screen)
    screens_message(tournament_id=ready.pk, text="", **by(chief_arbiter))
    screen_show(screen_id=screen.pk, content="", **by(chief_arbiter))
    assert "Round 2 at" not in page(screen)
    assert len(headings(page(screen))) == 2
    ready.refresh_from_db()
    # Nothing about the event has changed.
    assert (ready.version, ready.public_version) == versions


@pytest.mark.costly
def test_who_is_missing_is_shown_while_the_check_in_is_open(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    screen, other = make_screen(ready, "missing"), make_screen(ready, "boards")
    assert headings(page(screen)) == []
    check_in_open(tournament_id=ready.pk, **by(chief_arbiter))
    anna, bert, carl = Entry.objects.filter(tournament=ready).order_by("tpn")[:3]
    Entry.objects.filter(pk=carl.pk).update(name="C. C.", full_name=carl.name)
    assert headings(page(screen)) == ["Round 1: not checked in yet"]
    before = key(screen)
    entry_check_in(entry_id=anna.pk, checked_in=True, **by(chief_arbiter))
    entry_withdraw(entry_id=bert.pk, **by(chief_arbiter))
    assert key(screen) != before
    shown = page(screen)
    assert anna.name not in shown
    assert bert.name not in shown
    assert carl.name not in shown
    assert "C. C." in shown
    assert "not checked in" not in page(other)


def test_a_check_in_is_no_news_for_a_screen_without_missing_players(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    screen = make_screen(ready, "boards")
    check_in_open(tournament_id=ready.pk, **by(chief_arbiter))
    before = key(screen)
    entry = factories.entry_of(ready, 1)
    entry_check_in(entry_id=entry.pk, checked_in=True, **by(chief_arbiter))
    assert key(screen) == before


@pytest.mark.costly
@pytest.mark.parametrize("setting", ["own", "none", "all"])
def test_results_come_in_only_where_the_tournament_shows_them(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen, setting: str
) -> None:
    Tournament.objects.filter(pk=ready.pk).update(entered_results=setting)
    factories.pair_and_publish(ready, 1, chief_arbiter)
    screen, boards = make_screen(ready, "boards", "results"), make_screen(ready, "boards")
    before, others = key(screen), key(boards)
    page(screen)
    factories.enter_results(ready, 1, chief_arbiter)
    running = "Round 1: results as they come in"
    assert ([running] if setting == "all" else []) == headings(page(screen))[1:]
    assert (key(screen) != before) is (setting == "all")
    assert key(boards) == others
    assert (">1 – 0<" in page(screen)) is (setting == "all")
    assert ">1 – 0<" not in page(boards)


@pytest.mark.costly
def test_a_withdrawn_player_has_no_board_and_stays_in_the_standings(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    gone = factories.entry_of(ready, 2)
    entry_withdraw(entry_id=gone.pk, **by(chief_arbiter))
    factories.pair_and_publish(ready, 2, chief_arbiter)
    assert gone.name not in page(make_screen(ready, "names"))
    assert re.search(
        f"{gone.name}</bdi>\\s*<small>\\(withdrawn\\)", page(make_screen(ready, "standings"))
    )


@pytest.mark.costly
def test_prizes_go_from_the_last_to_the_first_after_the_end(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    category = CategoryPlan("Main", Eligible.EVERYBODY, "", (30000, 20000, 10000))
    plan = PrizePlan("EUR", Division.EQUAL, True, (category,))
    prizes_set(tournament_id=ready.pk, plan=plan, **by(chief_arbiter))
    screen = make_screen(ready, "prizes", seconds=0)
    for number in range(1, 6):
        assert "ceremony" not in page(screen)
        factories.play_rounds(ready, [number], chief_arbiter)
    places = [int(n) for n in re.findall('class="place">(\\d+)<', page(screen))]
    assert places == sorted(places, reverse=True)
    assert len(places) >= 3
    assert "Provisional" in page(screen)
    standings_make_final(tournament_id=ready.pk, ties_stay=True, **by(chief_arbiter))
    tournament_archive(tournament_id=ready.pk, archived=True, **by(chief_arbiter))
    assert "ceremony" in page(screen)
    assert "Provisional" not in page(screen)
    screen_show(screen_id=screen.pk, content="prizes", **by(chief_arbiter))


@pytest.mark.costly
def test_the_finder_has_the_names_with_a_letter(
    ready: Tournament, chief_arbiter: User, make_screen: MakeScreen
) -> None:
    Entry.objects.filter(pk=factories.entry_of(ready, 1).pk).update(name="Édouard, Zoé")
    screen = make_screen(ready, "boards", has_finder=True)
    assert "finder" not in re.sub(r"has-finder|data-\w+", "", page(screen))
    factories.pair_and_publish(ready, 1, chief_arbiter)
    assert '<a href="?q=E" >E</a>' in page(screen)
    found = page(screen, q="éd")
    assert "Édouard, Zoé" in found
    assert 'http-equiv="refresh" content="20' in found
    assert found.count("<tr>") == 1 + len(re.findall("<bdi>E|<bdi>É", found))
    assert "Nobody was found." in page(screen, q="ß")


@pytest.mark.costly
def test_without_a_script_the_next_page_is_loaded(
    chief_arbiter: User, make_screen: MakeScreen
) -> None:
    tournament = make_large(chief_arbiter, players=117)
    screen = make_screen(tournament, "boards", seconds=7)
    refresh = f'<meta http-equiv="refresh" content="7; url={address(screen)}'
    assert f'{refresh}?page=2">' in page(screen)
    assert f'{refresh}">' in page(screen, page="2")
    assert f'{refresh}?page=2">' in page(screen, page="3")
    for query in ("0", "-1", "x", "999999"):
        assert page(screen, page=query).count(" current") == 1


@pytest.mark.costly
@pytest.mark.parametrize("players", [17, 260])
def test_no_more_queries_for_more_players(
    chief_arbiter: User,
    make_screen: MakeScreen,
    players: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    screen = make_screen(make_large(chief_arbiter, players=players), *ALL, has_finder=True)
    client = Client()
    with django_assert_num_queries(1):
        client.get(reverse("screen-news", args=[screen.code]))
    with django_assert_num_queries(QUERIES):
        client.get(address(screen))
    with django_assert_num_queries(1):
        client.get(address(screen))


QUERIES = 14


class TestSections:
    """A screen for several sections of an event."""

    @pytest.fixture
    def sections(self, ready: Tournament, chief_arbiter: User) -> list[Tournament]:
        other = factories.make_ready(chief_arbiter, name="Spring Open", players=12)
        event: Event = event_create(
            tournament_id=ready.pk, name="City Open", label="A", **by(chief_arbiter)
        )
        Section.objects.create(event=event, tournament=other, label="B", position=20)
        for tournament in (ready, other):
            factories.pair_and_publish(tournament, 1, chief_arbiter)
        return [Tournament.objects.get(pk=each.pk) for each in (ready, other)]

    @pytest.mark.costly
    def test_in_turn(
        self, sections: list[Tournament], chief_arbiter: User, make_screen: MakeScreen
    ) -> None:
        first, second = sections
        own = make_screen(second, "boards")
        both = make_screen(second, "boards", "clock", sections=[first.identity, second.identity])
        assert headings(page(own)) == ["B · Round 1: pairings by board"]
        assert headings(page(both)) == [
            "A · Round 1: pairings by board",
            "B · Round 1: pairings by board",
        ]
        before = key(own), key(both)
        factories.enter_results(first, 1, chief_arbiter)
        results_publish(round_id=factories.round_of(first, 1).pk, **by(chief_arbiter))
        assert key(own) == before[0]
        assert key(both) != before[1]
        Section.objects.filter(tournament=first).delete()
        assert headings(page(both)) == ["B · Round 1: pairings by board"]

    @pytest.mark.costly
    def test_side_by_side(self, sections: list[Tournament], make_screen: MakeScreen) -> None:
        identities = [each.identity for each in sections]
        shown = page(make_screen(sections[0], "boards", sections=identities, are_side_by_side=True))
        assert headings(shown) == []
        assert re.findall("<h2>(.*?)</h2>", shown) == [
            "A · Round 1: pairings by board",
            "B · Round 1: pairings by board",
        ]
        assert shown.count('class="half"') == 2

    def test_a_section_of_somebody_else_is_refused(
        self, sections: list[Tournament], neighbour: Tournament, make_screen: MakeScreen
    ) -> None:
        with pytest.raises(BadInput, match="sections of this event"):
            make_screen(sections[0], "boards", sections=[neighbour.identity])
        assert not Screen.objects.filter(tournament=sections[0]).exists()
