"""Point adjustments on the pages: their form, their withdrawal, and who reads the reason."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import entry_of, pair_and_publish, play_rounds, player_address
from tests.tournaments.markup import tidy
from tests.tournaments.standings.test_point_adjustments import WHY, adjust, saved
from tournaments.models import Tournament
from tournaments.standings.adjust_points import adjustments, decisions_on_points

pytestmark = pytest.mark.django_db


@pytest.mark.costly
def test_of_two_equal_adjustments_the_page_withdraws_the_named_one_once(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    begun.point_adjustments.create(entry=entry_of(begun, 1), points=-5, round_number=2)
    adjust(begun, chief_arbiter, article="Laws 11.1")
    adjust(begun, chief_arbiter, reason="again")
    client.force_login(chief_arbiter)
    named = re.findall(
        r'name="decision" value="(\d+)"',
        client.get(reverse("points", args=[begun.slug])).content.decode(),
    )
    assert sorted(map(int, named)) == [0, *(row.sequence for row in decisions_on_points(begun))]
    sent = {
        "player": entry_of(begun, 1).pk,
        "points": "-5",
        "round": "2",
        "reason": "it was the clock",
    }
    for left, row in zip(
        (2, 1, 0),
        [decisions_on_points(begun).first(), None, decisions_on_points(begun).last()],
        strict=True,
    ):
        form = {**sent, "decision": row.sequence if row else 0}
        action = reverse("points-withdraw", args=[begun.slug])
        assert [client.post(action, form).status_code for _ in range(2)] == [302, 409]
        begun.refresh_from_db()
        assert len(saved(begun)) == left
        assert decisions_on_points(begun).last().article == (row.article if row else "")
        still = [
            line.decision.reason if line.decision else "file"
            for line in adjustments(begun, after_round=9)
        ]
        assert sorted(still) == [["again"], ["again", "file"]][left - 1] if left else not still


@pytest.mark.costly
def test_everybody_can_read_the_reason(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    adjust(begun, chief_arbiter)
    shown = f"in round 2 [Laws 12.9]: {WHY}"
    own = [player_address(begun, 1, after=2), player_address(begun, 1)]
    for url in (reverse("standings", args=[begun.slug]), *own):
        page = client.get(url).content.decode()
        assert (
            " ".join(page.split()).count(f"<strong>1 Abara, Player 1 −½</strong> {shown}") == 1
        ), url
    others = [
        player_address(begun, 1, after=1),
        player_address(begun, 2, after=2),
        player_address(begun, 2),
    ]
    for url in (reverse("standings-after", args=[begun.slug, 1]), *others):
        assert WHY not in client.get(url).content.decode(), url
    page = client.get(reverse("record", args=[begun.slug])).content.decode()
    assert (
        f'<span class="muted">Abara, Player 1 −½</span> <span class="muted">({WHY})</span>' in page
    )
    lines = client.get(f"/api/v1/tournaments/{begun.slug}/standings/").json()["standings"]
    assert {line["tpn"]: line["by_decision"] for line in lines} == {1: -0.5} | dict.fromkeys(
        range(2, 9), 0
    )
    assert {line["tpn"]: line["points"] for line in lines}[1] == 1.5


@pytest.mark.costly
@pytest.mark.parametrize("name", ["standings", "player", "points"])
def test_the_pages_take_the_same_queries_for_any_number_of_adjustments(
    name: str, begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = player_address(begun, 1) if name == "player" else reverse(name, args=[begun.slug])
    client.get(url)
    counts = []
    for tpn in (1, 2, 3):
        adjust(begun, chief_arbiter, tpn)
        with CaptureQueriesContext(connection) as requested:
            assert client.get(url).status_code == 200
        counts.append(len(requested))
    assert counts[0] == counts[1] == counts[2]


def form(tournament: Tournament, tpn: int = 1, **given: object) -> dict[str, object]:
    return {
        "player": entry_of(tournament, tpn).pk,
        "sign": "-1",
        "amount": "5",
        "article": "Laws 12.9",
        "reason": WHY,
        **given,
    }


@pytest.mark.costly
def test_the_page_previews_the_effect_then_saves(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("points", args=[begun.slug])
    page = client.post(url, form(begun)).content.decode()
    assert "1 Abara, Player 1: −½" in page
    assert '<td class="number">2 → 1½</td>' in tidy(page)
    begun.refresh_from_db()
    assert saved(begun) == []
    button = re.search(r'name="confirmed" value="([^"]+)"', page)
    assert button is not None
    # An arbiter who changed the form before confirming is shown the new effect.
    other = client.post(url, form(begun, 2, confirmed=button[1]))
    assert (other.status_code, "2 Blomqvist, Player 2: −½" in other.content.decode()) == (200, True)
    done = client.post(url, form(begun, confirmed=button[1]))
    assert (done.status_code, done.headers["Location"]) == (302, url)
    begun.refresh_from_db()
    assert saved(begun) == [(-5, 2, entry_of(begun, 1).pk)]
    # Sent a second time, the form shows the new effect and changes nothing.
    again = client.post(url, form(begun, confirmed=button[1]))
    assert (again.status_code, "1½ → 1" in tidy(again.content.decode())) == (409, True)
    begun.refresh_from_db()
    assert len(saved(begun)) == 1


@pytest.mark.costly
def test_the_page_of_a_player_links_to_it_after_the_first_round(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    entry = entry_of(ready, 3)
    page, there = (
        reverse("entry-edit", args=[ready.slug, entry.pk]),
        reverse("points", args=[ready.slug]),
    )
    assert there not in client.get(page).content.decode()
    pair_and_publish(ready, 1, chief_arbiter)
    assert f'href="{there}?player={entry.pk}"' in client.get(page).content.decode()
    shown = client.get(there, {"player": entry.pk}).content.decode()
    assert f'<option value="{entry.pk}" selected>3 Czerny, Player 3</option>' in shown


def test_the_page_names_a_missing_value_at_its_field(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("points", args=[begun.slug])
    answer = client.post(url, form(begun, reason="", amount="3"))
    page = answer.content.decode()
    assert (answer.status_code, page.count('class="errorlist"')) == (422, 2)
    assert '<a href="#id_reason">Reason</a>' in page
    assert '<a href="#id_amount">Number of points</a>' in page


@pytest.mark.costly
def test_the_page_withdraws_while_the_next_round_is_not_published(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    decision = adjust(begun, chief_arbiter).sequence
    url, action = (
        reverse("points", args=[begun.slug]),
        reverse("points-withdraw", args=[begun.slug]),
    )
    assert f'action="{action}"' in client.get(url).content.decode()
    sent = {"player": entry_of(begun, 1).pk, "points": "-5", "round": "2", "decision": decision}
    refused = client.post(action, sent)
    assert (refused.status_code, "Enter a reason" in refused.content.decode()) == (400, True)
    assert client.post(action, {**sent, "points": "x", "reason": "so"}).status_code == 422
    done = client.post(action, {**sent, "reason": "it was the clock"})
    assert (done.status_code, done.headers["Location"]) == (302, url)
    gone = client.post(action, {**sent, "reason": "again"})
    assert (gone.status_code, "check the list again" in gone.content.decode()) == (409, True)
    adjust(begun, chief_arbiter)
    pair_and_publish(begun, 3, chief_arbiter)
    page = client.get(url).content.decode()
    assert (f'action="{action}"' in page, "To compensate" in page) == (False, True)


def test_an_adjustment_of_another_tournament_is_not_withdrawn_here(
    begun: Tournament, neighbour: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    there = neighbour.point_adjustments.get()
    sent = {
        "player": there.entry_id,
        "points": there.points,
        "round": 1,
        "decision": 1,
        "reason": "it was the clock",
    }
    assert client.post(reverse("points-withdraw", args=[begun.slug]), sent).status_code == 404
    assert neighbour.point_adjustments.get() == there


@pytest.mark.costly
def test_there_is_no_form_for_a_deputy_or_before_round_1(
    ready: Tournament, chief_arbiter: User, deputy: User, client: Client
) -> None:
    url = reverse("points", args=[ready.slug])
    client.force_login(chief_arbiter)
    page = client.get(url).content.decode()
    assert ("id_reason" in page, "The pairings of round 1 are not published yet" in page) == (
        False,
        True,
    )
    client.force_login(deputy)
    play_rounds(ready, [1, 2], chief_arbiter)
    adjust(ready, chief_arbiter)
    page = client.get(url).content.decode()
    assert ("id_reason" in page, "Only the Chief Arbiter" in page, WHY in page) == (
        False,
        True,
        True,
    )
    answer = client.post(url, form(ready))
    assert answer.status_code == 403
