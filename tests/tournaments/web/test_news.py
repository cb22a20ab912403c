"""The news file: small, the same for everybody, and changed by public actions only."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.published import Situation
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.rounds.test_change_actions import change
from tests.tournaments.rounds.test_correction_actions import after, correct, game_of
from tests.tournaments.web.test_every_public_page import OPEN_PAGES, OTHER_PAGES, address, on_site
from tournaments.core.frame import state_key, tournament_frame
from tournaments.entries.entries import entry_add
from tournaments.events.sections import event_create
from tournaments.models import Round, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.visibility import tournament_list_set
from tournaments.standings.adjust_points import points_adjust
from tournaments.standings.final import standings_make_final, standings_reopen
from tournaments.web.news import MOST_BYTES, packed

pytestmark = pytest.mark.on_postgres("largest and smallest of joined rows")

__all__ = ["on_site"]


def ask(tournament: Tournament, client: Client | None = None, **headers: str) -> Any:
    return (client or Client()).get(reverse("news", args=[tournament.slug]), headers=headers)


def news_of(tournament: Tournament) -> dict[str, Any]:
    found: dict[str, Any] = ask(tournament).json()
    return found


@pytest.mark.costly
def test_the_news_follow_the_round_and_no_private_action_changes_them(
    ready: Tournament, chief_arbiter: User
) -> None:
    by: dict[str, Any] = {"actor": chief_arbiter, "now": factories.NOW}
    before = ask(ready)
    assert (news_of(ready)["pairings"], news_of(ready)["results"]) == (0, 0)
    row = round_pair(round_id=factories.round_of(ready, 1).pk, **by)
    assert ask(ready).content == before.content  # a draft
    round_publish(round_id=row.pk, **by, cut_short=factories.CUT_SHORT)
    published = ask(ready)
    assert (news_of(ready)["pairings"], news_of(ready)["results"]) == (1, 0)
    factories.enter_results(ready, 1, chief_arbiter)
    assert (ask(ready).content, ask(ready).headers["ETag"]) == (
        published.content,
        published.headers["ETag"],
    )
    results_publish(round_id=row.pk, **by)
    assert (news_of(ready)["pairings"], news_of(ready)["results"]) == (1, 1)
    ready.refresh_from_db()
    assert news_of(ready)["key"] == state_key(ready, runs=False)
    assert news_of(ready)["key"] == tournament_frame(ready, runs=True).state.key


def test_the_headers_let_a_proxy_answer_and_nothing_of_the_visitor_matters(
    published_round: Round, chief_arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = published_round.tournament
    arbiter = Client()
    arbiter.force_login(chief_arbiter)
    first = ask(tournament)
    with django_assert_num_queries(1):
        ask(tournament)
    forget_pages()
    with django_assert_num_queries(4):
        second = ask(tournament, arbiter, **{"Accept-Language": "fr"})
    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert first.headers["Cache-Control"] == "public, max-age=1"
    assert "Cookie" not in first.headers.get("Vary", "")
    assert not first.cookies
    assert not second.cookies
    same = ask(tournament, **{"If-None-Match": first.headers["ETag"]})
    assert (same.status_code, same.content, same.headers["Cache-Control"]) == (
        304,
        b"",
        "public, max-age=1",
    )
    assert ask(tournament, **{"If-None-Match": '"other"'}).status_code == 200
    assert Client().post(reverse("news", args=[tournament.slug])).status_code == 405


def test_an_unlisted_event_has_news_for_those_with_its_address_and_an_unknown_one_has_none(
    published_round: Round, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    tournament_list_set(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, listed=False
    )
    assert ask(tournament).status_code == 200
    missing = Client().get(reverse("news", args=["nowhere"]))
    assert (missing.status_code, missing.headers["Cache-Control"], len(missing.content)) == (
        404,
        "no-store",
        2,
    )


def test_the_largest_file_is_small(ready: Tournament) -> None:
    until = factories.NOW + timedelta(days=30_000)
    Tournament.objects.filter(pk=ready.pk).update(
        public_version=2_147_483_647, public_fingerprint="f" * 64, corrections_until=until
    )
    Round.objects.filter(tournament=ready, number=1).update(
        number=199, state="results_published", starts_at=until, results_due_at=until
    )
    Round.objects.filter(tournament=ready, number=2).update(starts_at=until)
    content = ask(ready).content
    assert json.loads(content)["key"] == "2147483647.ffffffffffff"
    assert len(content) <= MOST_BYTES


@pytest.mark.costly
def test_c04_2_4_4_the_news_name_the_boards_of_the_last_change(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    assert "changes" not in news_of(tournament)
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        name="Late, Lara",
        checked_in=True,
    )
    change(tournament, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    assert (news_of(tournament)["changes"], news_of(tournament)["boards"]) == (1, [4])
    factories.enter_results(tournament, 1, chief_arbiter)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief_arbiter, now=factories.NOW
    )
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    assert "changes" not in news_of(tournament)  # those of an older round


@pytest.mark.costly
def test_c04_2_4_3_the_news_count_the_corrections_and_name_the_board_of_the_last(
    chief_arbiter: User,
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=8, correction_minutes=30)
    neighbour = factories.make_ready(chief_arbiter, players=8, name="Beside")
    factories.play_rounds(neighbour, [1], chief_arbiter)
    factories.play_rounds(tournament, [1], chief_arbiter)
    assert "corrected" not in news_of(tournament)
    correct(game_of(tournament, 1, board=2), chief_arbiter, result="==")
    assert (news_of(tournament)["corrected"], news_of(tournament)["board"]) == (1, [1, 2])
    correct(game_of(tournament, 1, board=3), chief_arbiter, result="==", minutes=6)
    assert (news_of(tournament)["corrected"], news_of(tournament)["board"]) == (2, [1, 3])
    assert "corrected" not in news_of(neighbour)
    points_adjust(
        tournament_id=tournament.pk,
        entry_id=factories.entry_of(tournament, 1).pk,
        points=-5,
        round_number=1,
        article="FIDE Laws of Chess 11.3.2.2",
        reason="A phone rang",
        seen=0,
        actor=chief_arbiter,
        now=after(7),
    )
    assert news_of(tournament)["corrected"] == 3
    assert "board" not in news_of(tournament)
    factories.play_rounds(tournament, [2], chief_arbiter)
    assert "corrected" not in news_of(tournament)  # those of older standings


def test_c04_2_3_1_the_news_name_an_adjourned_game_that_has_ended_and_call_it_no_correction(
    chief_arbiter: User,
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=8)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    factories.enter_results(
        tournament, 1, chief_arbiter, lambda board, *_: "??" if board == 2 else "=="
    )
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief_arbiter, now=factories.NOW
    )
    game = game_of(tournament, 1, board=2)
    result_record(game_id=game.pk, result="01", actor=chief_arbiter, now=after(5), confirmed=True)
    news = news_of(tournament)
    assert (news["corrected"], news["ended"]) == (1, [1, 2])
    assert "board" not in news


@pytest.mark.costly
def test_the_news_say_that_the_standings_are_final(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=8, rounds=1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    assert "final" not in news_of(tournament)
    standings_make_final(
        tournament_id=tournament.pk, ties_stay=True, actor=chief_arbiter, now=factories.NOW
    )
    assert news_of(tournament)["final"] == 1
    standings_reopen(
        tournament_id=tournament.pk, reason="A protest", actor=chief_arbiter, now=factories.NOW
    )
    assert "final" not in news_of(tournament)


def test_what_has_no_room_in_the_file_is_left_out() -> None:
    body = {"key": "x" * 40, "pairings": 3, "results": 2}
    content, _ = packed(body, {"changes": 2, "boards": list(range(100, 130))})
    assert json.loads(content) == {**body, "changes": 2}
    content, _ = packed(body, {"changes": 1, "boards": [5, 9]})
    assert json.loads(content) == {**body, "changes": 1, "boards": [5, 9]}


def test_the_news_of_an_event_change_with_each_of_its_sections(
    ready: Tournament, chief_arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    by: dict[str, Any] = {"actor": chief_arbiter, "now": factories.NOW}
    event = event_create(tournament_id=ready.pk, name="City Open", label="A", **by)
    address = reverse("event-news", args=[event.slug])
    page = Client().get(reverse("event", args=[event.slug])).content.decode()
    before = Client().get(address)
    with django_assert_num_queries(2):
        assert Client().get(address).content == before.content
    assert f'data-news="{address}" data-key="{before.json()["key"]}"' in page
    assert "every 20s" not in page
    row = round_pair(round_id=factories.round_of(ready, 1).pk, **by)
    assert (
        Client().get(address, headers={"If-None-Match": before["ETag"]}).status_code == 304
    )  # a draft
    round_publish(round_id=row.pk, **by)
    after = Client().get(address)
    assert (after.status_code, after["Cache-Control"]) == (200, "public, max-age=1")
    assert after.content != before.content
    assert len(after.content) <= MOST_BYTES
    assert (
        "A: the pairings of round 1 are published"
        in Client().get(reverse("event", args=[event.slug])).content.decode()
    )
    assert Client().get(reverse("event-news", args=["nowhere"])).status_code == 404


def test_the_news_are_answered_before_anything_about_a_visitor(ready: Tournament) -> None:
    answer = ask(ready, **{"Accept-Language": "fr"})
    assert answer["X-Ask-Again"] == "16.0"  # it was numbered a week ago, and nothing is announced
    assert "Vary" not in answer.headers
    assert "default-src" in answer["Content-Security-Policy"]
    assert answer["X-Robots-Tag"] == "noindex"
    assert Client().get("/nowhere/news.json").status_code == 404


def test_open_pages_ask_seldom_while_nothing_can_happen(
    ready: Tournament, chief_arbiter: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()

    def pause(url: str = "") -> str:
        return Client().get(url or reverse("news", args=[ready.slug]))["X-Ask-Again"]

    assert pause() == "16.0"
    event = event_create(
        tournament_id=ready.pk, name="City Open", label="A", actor=chief_arbiter, now=factories.NOW
    )
    of_event = reverse("event-news", args=[event.slug])
    assert pause(of_event) == "16.0"
    # Play begins in forty minutes: the pairings may come.
    round_schedule(
        round_id=factories.round_of(ready, 1).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        starts_at=now + timedelta(minutes=40),
        results_due_at=None,
    )
    assert (pause(), pause(of_event)) == ("1.5", "1.5")
    with django_assert_num_queries(1):
        pause()
    Round.objects.filter(tournament=ready).update(starts_at=None)
    forget_pages()
    assert pause() == "16.0"
    # Somebody has just published something.
    row = round_pair(
        round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW
    )
    round_publish(round_id=row.pk, actor=chief_arbiter, now=now - timedelta(minutes=5))
    assert pause() == "1.5"


@pytest.mark.costly
def test_every_public_page_asks_for_news_and_no_page_of_arbiters(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    key = news_of(on_site)["key"]
    for name, numbers in (OPEN_PAGES | OTHER_PAGES).items():
        page = client.get(address(on_site, name, numbers))
        if not page.headers["Content-Type"].startswith("text/html"):
            continue
        if name == "embedded":  # in a frame on another site it runs nothing
            assert b"<script" not in page.content
            continue
        if name == "certificate":  # a sheet to print
            continue
        text = page.content.decode()
        assert text.count('id="news"') == 1, name
        assert f'data-key="{key}"' in text, name
        assert "every 20s" not in text, name
        assert "<noscript>" in text, name
    client.force_login(chief_arbiter)
    assert 'id="news"' not in client.get(reverse("desk", args=[on_site.slug])).content.decode()


def test_the_page_of_a_player_says_where_the_next_game_is(
    on_site: Tournament, client: Client
) -> None:
    boards = factories.boards(on_site, 2)
    white, black, _ = boards[1]
    for tpn, colour in ((white, "White"), (black, "Black")):
        text = client.get(factories.player_address(on_site, tpn)).content.decode()
        assert f'data-announcement="Round 2 is published: board 2, {colour}' in text
