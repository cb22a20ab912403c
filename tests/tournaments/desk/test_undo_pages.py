"""The undo on the pages: where it is offered, to whom and how long, and what visitors read of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.results import result_record
from tests.tournaments.desk.test_undo import PLAN, newest, undo
from tests.tournaments.factories import NOW, entry_of, play_rounds
from tournaments.core.errors import Conflict
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import offered_undo, undoable_actions
from tournaments.entries.desk_data import desk_data_set, fee_set
from tournaments.models import (
    Game,
    Round,
    Tournament,
)
from tournaments.setup.visibility import tournament_list_set
from tournaments.standings.prizes import prizes_set

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]


@pytest.mark.costly
def test_the_desk_offers_the_undo_and_names_the_action(
    draft_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = draft_round.tournament
    client.force_login(chief_arbiter)
    desk, url = (reverse(name, args=[tournament.slug]) for name in ("desk", "undo"))
    page = client.get(desk)
    assert "Undo" in page.content.decode()
    sequence = max(page.context["undoables"])
    done = client.post(url, {"sequence": sequence}, follow=True).content.decode()
    assert "Undone. The record keeps both actions." in done
    assert (
        "undone: round paired (draft)" in " ".join(done.split()),
        "Undo" in done.replace("Undone", ""),
    ) == (
        True,
        False,
    )
    again = client.post(url, {"sequence": sequence})
    assert again.status_code == Conflict.status
    assert client.post(url, {"sequence": "x"}).status_code == 422


@pytest.mark.costly
def test_no_undo_hides_a_newer_action_on_the_desk(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    for number in range(1, 9):  # An own action that can be undone, for each of eight players.
        desk_data_set(
            entry_id=entry_of(ready, number).pk,
            actor=chief_arbiter,
            now=timezone.now(),
            phone="",
            note="late",
            fee_due=None,
            fee_paid=0,
        )
    play_rounds(ready, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    page = client.get(reverse("desk", args=[ready.slug]))
    actions = [line.action for line in page.context["actions"]]
    numbers = [line.sequence for line in page.context["actions"]]
    assert actions[:2] == ["results.published", "pairings.published"]
    assert actions.count("desk_data.changed") == 3
    assert numbers == sorted(numbers, reverse=True)


def test_visitors_do_not_learn_of_an_undone_result(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    game = Game.objects.get(round=published_round, board=1)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    undone = undo(tournament, chief_arbiter)
    url = reverse("record", args=[tournament.slug])
    assert undone.hash[:8] not in client.get(url).content.decode()
    client.force_login(chief_arbiter)
    shown = client.get(url).content.decode()
    assert "board 1: 1 – 0 → –" in shown


@pytest.mark.costly
def test_visitors_do_not_read_the_undo_of_what_they_may_not_see(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    fee_set(tournament_id=ready.pk, fee=1000, actor=chief_arbiter, now=NOW)
    fee = undo(ready, chief_arbiter)
    tournament_list_set(tournament_id=ready.pk, listed=True, actor=chief_arbiter, now=NOW)
    listed = undo(ready, chief_arbiter)
    shown = client.get(reverse("record", args=[ready.slug])).content.decode()
    assert (fee.hash[:8] in shown, listed.hash[:8] in shown) == (False, True)
    client.force_login(chief_arbiter)
    assert fee.hash[:8] in client.get(reverse("record", args=[ready.slug])).content.decode()


@pytest.mark.costly
def test_the_message_offers_the_undo_of_the_own_action(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    """One button, without JavaScript; afterwards the user is where the button was,
    and it is gone.
    """
    client.force_login(chief_arbiter)
    url = reverse("bye-request", args=[ready.slug, entry_of(ready, 1).pk])
    sent = {"round_number": 2, "kind": "Z", "seen_version": newest(ready).sequence}
    page = client.post(url, sent, follow=True)
    text = page.content.decode()
    granted = newest(ready)
    assert (granted.action, text.count('class="actions undo"')) == ("bye.requested", 1)
    assert f'name="sequence" value="{granted.sequence}"' in text
    back = page.request["PATH_INFO"]
    assert f'name="next" value="{back}"' in text
    form = {"sequence": granted.sequence, "seen_line": granted.sequence, "next": back}
    done = client.post(reverse("undo", args=[ready.slug]), form, follow=True)
    assert (done.request["PATH_INFO"], newest(ready).after["undone"]) == (back, granted.sequence)
    assert "Undone. The record keeps both actions." in done.content.decode()
    assert 'class="actions undo"' not in done.content.decode()
    twice = client.post(reverse("undo", args=[ready.slug]), form)
    message = twice.content.decode()
    assert (
        twice.status_code,
        "has undone this already." in message,
        "Somebody else" in message,
    ) == (409, True, False)
    elsewhere = client.post(
        reverse("undo", args=[ready.slug]), {"sequence": "x", "next": "//example.org"}
    )
    assert elsewhere.status_code == 422


def test_the_desk_lists_own_recent_actions_until_ten_minutes_have_passed(
    ready: Tournament, deputy: User, chief_arbiter: User
) -> None:
    """The newest action of anybody is offered to the Chief Arbiter, even after ten minutes."""
    fee_set(tournament_id=ready.pk, fee=1000, actor=deputy, now=NOW)
    prizes_set(tournament_id=ready.pk, plan=PLAN, actor=chief_arbiter, now=NOW)
    tournament_list_set(tournament_id=ready.pk, listed=True, actor=deputy, now=NOW)
    frame = tournament_frame(Tournament.objects.get(pk=ready.pk), runs=True)
    minutes = {"now": timedelta(minutes=5), "then": timedelta(minutes=11)}
    offered = {
        (user.username, name): [
            str(line.action) for line in undoable_actions(frame, user, now=NOW + passed)
        ]
        for user in (deputy, chief_arbiter)
        for name, passed in minutes.items()
    }
    assert offered["deputy", "now"] == ["tournament.listed", "fee.set"]
    assert offered["deputy", "then"] == offered["chief", "then"] == ["tournament.listed"]
    assert offered["chief", "now"][:2] == ["tournament.listed", "prizes.set"]
    later = NOW + timedelta(minutes=11)
    listed = newest(ready).hash
    offers = [
        offered_undo(frame, deputy, now=when, fingerprint=listed[:16]) for when in (NOW, later)
    ]
    assert [offer and offer.hash for offer in offers] == [listed, None]
    assert offered_undo(frame, chief_arbiter, now=NOW, fingerprint=listed[:16]) is None
