"""Results before they are published: by everybody, by the players of the game, by nobody
[C.04.2/2026 4.2].
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from pairing.rounds.running_results import running_results
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.rounds.test_entered_results import enter, players_at, url_of
from tests.tournaments.rounds.test_players_reports import running
from tests.tournaments.rounds.test_report_pages import table_url, text_of
from tests.tournaments.web.test_hidden_pages import public_pages
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Game, Round
from tournaments.setup.tournaments import tournament_update

__all__ = ["running"]

HTMX = {"HX-Request": "true"}


def choose(round_: Round, value: str, actor: User) -> None:
    tournament_update(
        tournament_id=round_.tournament_id, actor=actor, now=NOW, entered_results=value
    )
    round_.tournament.refresh_from_db()


def live_url(round_: Round) -> str:
    return reverse("live-results", args=[round_.tournament.slug])


@pytest.mark.costly
def test_c04_2_4_2_everybody_reads_results_as_they_come_in_marked_as_provisional(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    choose(running, "all", chief_arbiter)
    count = Game.objects.filter(round=running).count()
    page = client.get(live_url(running))
    assert f"0 of {count} games finished" in (text := text_of(page))
    assert "Provisional" in text
    assert page.headers["Cache-Control"] == "no-cache"
    assert "Surprises" not in text
    enter(running, 1, "01", chief_arbiter, 0)
    enter(running, 2, "??", chief_arbiter, 0)
    lower = Entry.objects.get(pk=players_at(running, 1)["b"])
    text = text_of(client.get(live_url(running)))
    assert f"1 of {count} games finished" in text
    # 2400 against 2360: less than a surprise.
    assert "Surprises" not in text
    Entry.objects.filter(pk=lower.pk).update(rating=1900)
    enter(running, 1, "10", chief_arbiter, 1)
    enter(running, 1, "01", chief_arbiter, 1)
    assert "difference of 500 points" in text_of(client.get(live_url(running)))


@pytest.mark.costly
def test_an_open_page_gets_each_entered_result_once(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    choose(running, "all", chief_arbiter)
    newest = re.findall(r'hx-get="([^"]+)"', client.get(live_url(running)).content.decode())[0]
    assert client.get(newest, headers=HTMX).status_code == 204
    enter(running, 1, "10", chief_arbiter, 0)
    part = client.get(newest, headers=HTMX)
    assert part.status_code == 200
    assert "1 of" in part.content.decode()
    again = re.findall(r'hx-get="([^"]+)"', part.content.decode())[0]
    assert client.get(again, headers=HTMX).status_code == 204
    # Nothing but results changes it: the version of the record would name a draft.
    whole = client.get(live_url(running))
    same = client.get(live_url(running), headers={"If-None-Match": whole.headers["ETag"]})
    assert same.status_code == 304


@pytest.mark.costly
def test_c04_2_4_2_no_other_page_changes_with_an_entered_result(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    choose(running, "all", chief_arbiter)
    # The pages that show results as they come in, and a random token.
    others = ("own result ", "live-results", "push")
    pages = [page for page in public_pages(running.tournament) if not page[0].startswith(others)]
    before = {name: client.get(url).content for name, url in pages}
    for board in range(1, Game.objects.filter(round=running).count() + 1):
        enter(running, board, "10", chief_arbiter, 0)
    after = {name: client.get(url).content for name, url in pages}
    assert after == before
    results_publish(round_id=running.pk, actor=chief_arbiter, now=NOW)
    assert "No round is running." in text_of(client.get(live_url(running)))


@pytest.mark.costly
def test_a_hidden_name_is_not_on_the_page(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    choose(running, "all", chief_arbiter)
    player = Entry.objects.get(pk=players_at(running, 1)["w"])
    full = player.name
    Entry.objects.filter(pk=player.pk).update(name="A. P.", full_name=full)
    enter(running, 1, "10", chief_arbiter, 0)
    text = text_of(client.get(live_url(running)))
    assert "A. P." in text
    assert full not in text


@pytest.mark.parametrize("value", ["own", "none"])
def test_without_the_setting_there_is_no_page_and_no_query_for_screens(
    value: str, running: Round, chief_arbiter: User, client: Client
) -> None:
    choose(running, value, chief_arbiter)
    enter(running, 1, "10", chief_arbiter, 0)
    frame = tournament_frame(running.tournament, runs=False)
    assert client.get(live_url(running)).status_code == 404
    assert running_results(frame) is None
    pairings = client.get(reverse("pairings-public", args=[running.tournament.slug, 1]))
    assert live_url(running) not in pairings.content.decode()


@pytest.mark.costly
def test_c04_2_4_2_nobody_reads_a_result_where_the_setting_says_so(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    choose(running, "none", chief_arbiter)
    enter(running, 1, "10", chief_arbiter, 0)
    for player in players_at(running, 1).values():
        assert text_of(client.get(url_of(running, player))) == (
            "The result of this game is shown when the results of the round are published."
        )
    table = text_of(client.get(table_url(running, 1)))
    assert "An arbiter has entered the result" in table
    assert "Entered:" not in table


def test_a_draft_is_never_a_running_round(
    draft_round: Round, chief_arbiter: User, client: Client
) -> None:
    choose(draft_round, "all", chief_arbiter)
    assert "No round is running." in text_of(client.get(live_url(draft_round)))
    assert factories.boards(draft_round.tournament, 1)
