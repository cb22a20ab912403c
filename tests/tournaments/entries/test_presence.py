"""The check-in desk judges the players for the next round;
the form of the numbers has the version of today.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, entry_of, play_rounds
from tournaments.entries.check_in_list import Presence, check_in_list
from tournaments.entries.desk_data import fee_set
from tournaments.entries.entries import entry_add, entry_check_in, entry_update, entry_withdraw
from tournaments.models import Tournament


def presence(tournament: Tournament, *entries: int) -> list[Presence]:
    found = {line.entry.pk: line.presence for line in check_in_list(tournament).lines}
    return [found[entry] for entry in entries]


@pytest.mark.costly
def test_c04_2_4_1_a_player_is_absent_from_the_round_in_question_on(
    ready: Tournament, chief_arbiter: User
) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    play_rounds(ready, [1], chief_arbiter)
    gone, leaves = entry_of(ready, 7).pk, entry_of(ready, 8).pk
    entry_withdraw(entry_id=gone, from_round=2, **by)
    entry_withdraw(entry_id=leaves, from_round=3, **by)
    late = entry_add(tournament_id=ready.pk, name="Late, Lena", first_round=3, **by).pk
    entry_check_in(entry_id=late, checked_in=True, **by)
    wanted = [Presence.WITHDRAWN, Presence.MISSING, Presence.LATER]
    assert presence(ready, gone, leaves, late) == wanted
    play_rounds(ready, [2], chief_arbiter)
    assert presence(ready, gone, leaves, late) == [
        Presence.WITHDRAWN,
        Presence.WITHDRAWN,
        Presence.THERE,
    ]


@pytest.mark.costly
def test_c04_2_4_1_after_the_last_round_the_last_one_counts(
    ready: Tournament, chief_arbiter: User
) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    play_rounds(ready, [1, 2, 3, 4], chief_arbiter)
    entry_withdraw(entry_id=entry_of(ready, 8).pk, from_round=5, **by)
    play_rounds(ready, [5], chief_arbiter)
    assert presence(ready, entry_of(ready, 8).pk, entry_of(ready, 7).pk) == [
        Presence.WITHDRAWN,
        Presence.MISSING,
    ]


def test_c04_2_2_2_the_refused_form_of_the_numbers_has_the_version_of_now(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    address = reverse("numbers", args=[ready.slug])
    client.force_login(chief_arbiter)
    stale = ready.version
    entry_update(entry_id=entry_of(ready, 1).pk, fide_rating=1500, actor=chief_arbiter, now=NOW)
    ready.refresh_from_db()
    refused = client.post(address, {"seen_version": stale})
    assert (refused.status_code, refused.context["seen_version"]) == (409, ready.version)
    assert f'name="seen_version" value="{ready.version}"' in refused.content.decode()
    assert (
        client.post(address, {"seen_version": refused.context["seen_version"]}).status_code == 302
    )
    assert entry_of(ready, 8).fide_rating == 1500


def test_the_desk_lists_nobody_of_another_tournament_and_not_its_fee(
    ready: Tournament, chief_arbiter: User
) -> None:
    found = check_in_list(ready)
    assert {line.entry.tournament for line in found.lines} == {ready}
    assert sorted(line.entry.pk for line in found.lines) == sorted(
        ready.entries.values_list("pk", flat=True)
    )
    assert [part.fee for part in found.parts] == [0]
    fee_set(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, fee=700)
    assert [part.fee for part in check_in_list(ready).parts] == [700]
