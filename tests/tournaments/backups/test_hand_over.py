"""One live copy of an event: handed over, the copy here is read only until it is brought back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.backups.checks import event_faults
from tournaments.backups.hand_over import event_bring_back, event_hand_over
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.models import Action, Decision, Tournament
from tournaments.people.people import password_set
from tournaments.setup.deletion import tournament_delete
from tournaments.setup.visibility import tournament_list_set

LATER = NOW + timedelta(hours=1)


def hand_over(tournament: Tournament, actor: User, **given: Any) -> Tournament:
    values = {"to": "the laptop of the club", "now": LATER, **given}
    event_hand_over(tournament_id=tournament.pk, actor=actor, **values)
    return Tournament.objects.get(pk=tournament.pk)


def bring_back(tournament: Tournament, actor: User, **given: Any) -> Tournament:
    event_bring_back(tournament_id=tournament.pk, actor=actor, **{"now": LATER, "confirmed": True, **given})
    return Tournament.objects.get(pk=tournament.pk)


def actions(tournament: Tournament, count: int) -> list[tuple[str, bool]]:
    rows = Decision.objects.filter(tournament=tournament).order_by("-sequence")[:count]
    return [(row.action, row.is_public) for row in rows]


def test_a_copy_that_was_handed_over_refuses_every_action(ready: Tournament, chief_arbiter: User) -> None:
    there = hand_over(ready, chief_arbiter)
    assert (there.handed_over_at, there.handed_over_to) == (LATER, "the laptop of the club")
    assert (there.public_version, there.automatic_by) == (ready.public_version, None)
    given: dict[str, Any] = {"actor": chief_arbiter, "now": LATER}
    tries = (
        lambda: round_pair(round_id=factories.round_of(ready, 1).pk, **given),
        lambda: entry_add(tournament_id=ready.pk, name="Late, Luc", **given),
        lambda: entry_withdraw(entry_id=factories.entry_of(ready, 1).pk, from_round=1, **given),
        lambda: tournament_list_set(tournament_id=ready.pk, listed=True, **given),
        lambda: tournament_delete(tournament_id=ready.pk, name=ready.name, **given),
        lambda: hand_over(ready, chief_arbiter),
    )
    for attempt in tries:
        with pytest.raises(RuleRefused, match=r"handed over to the laptop of the club on .*: go on there") as refused:
            attempt()
        assert refused.value.code == "hand_over.is_away"
    assert actions(ready, 1) == [(Action.TOURNAMENT_HANDED_OVER, False)]
    assert Tournament.objects.get(pk=ready.pk).version == there.version
    assert event_faults(there) == []


def test_brought_back_it_goes_on_here(ready: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(RuleRefused, match="not handed over"):
        bring_back(ready, chief_arbiter)
    hand_over(ready, chief_arbiter, address="https://club.example/t/autumn-open/")
    with pytest.raises(BadInput, match="Two live copies make a fork"):
        bring_back(ready, chief_arbiter, confirmed=False)
    back = bring_back(ready, chief_arbiter)
    assert (back.handed_over_at, back.handed_over_to, back.handed_over_address) == (None, "", "")
    assert actions(ready, 2) == [(Action.TOURNAMENT_BROUGHT_BACK, True), (Action.TOURNAMENT_HANDED_OVER, True)]
    factories.play_rounds(back, [1], chief_arbiter)
    assert event_faults(back) == []


def test_only_the_chief_arbiter_who_has_seen_the_event_as_it_is(
    ready: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    for somebody in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            hand_over(ready, somebody)
    with pytest.raises(Conflict):
        hand_over(ready, chief_arbiter, seen_version=ready.version - 1)
    for to, address in (("  ", ""), ("x" * 101, ""), ("a laptop", "javascript:alert(1)"), ("a laptop", "club")):
        with pytest.raises(BadInput):
            hand_over(ready, chief_arbiter, to=to, address=address)
    assert Tournament.objects.get(pk=ready.pk).handed_over_at is None
    there = hand_over(ready, chief_arbiter, seen_version=Tournament.objects.get(pk=ready.pk).version)
    for somebody in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            bring_back(ready, somebody)
    with pytest.raises(Conflict):
        bring_back(ready, chief_arbiter, seen_version=there.version - 1)


def test_a_password_writes_no_line_in_a_copy_that_went_elsewhere(
    ready: Tournament, chief_arbiter: User, stranger: User
) -> None:
    hand_over(ready, chief_arbiter)
    password_set(person=chief_arbiter, actor=stranger, now=LATER)
    assert actions(ready, 1) == [(Action.TOURNAMENT_HANDED_OVER, False)]
