"""A player leaves during the last round [C.04.2/2026 3.2]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from tests.tournaments.agreement import require_agreement, require_import, require_recheck
from tests.tournaments.contents import tables
from tests.tournaments.factories import (
    NOW,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.replay import Replay
from tournaments.core.errors import RuleRefused
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_return, entry_withdraw
from tournaments.models import Decision, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def last(chief_arbiter: User) -> Tournament:
    """Two rounds; the second and last one is being played."""
    tournament = make_ready(chief_arbiter, rounds=2)
    play_rounds(tournament, [1], chief_arbiter)
    pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def agrees(tournament: Tournament) -> None:
    tournament.refresh_from_db()
    require_agreement(tournament, Replay(), tables(tournament))


def test_c04_2_3_2_a_player_withdraws_during_the_last_round(
    last: Tournament, chief_arbiter: User, client: Client
) -> None:
    entry = entry_of(last, 3)
    client.force_login(chief_arbiter)
    card = reverse("round-player", args=[last.slug, 2, entry.pk])
    assert "Withdraw during the last round" in client.get(card).content.decode()
    page = client.get(reverse("entry-edit", args=[last.slug, entry.pk])).content.decode()
    assert "now, during the last round" in page
    url = reverse("entry-withdraw", args=[last.slug, entry.pk])
    form = {"from_round": "3", "seen_version": last.version}
    assert client.post(url, form).status_code == 302
    entry.refresh_from_db()
    assert entry.withdrawn_from == 3
    lines = Decision.objects.count()
    client.post(url, form)  # twice
    assert Decision.objects.count() == lines
    for name, args in (("entries", []), ("entry-edit", [entry.pk]), ("round-player", [2, entry.pk])):
        text = client.get(reverse(name, args=[last.slug, *args])).content.decode()
        assert "withdrawn during the last round" in text
    agrees(last)
    enter_results(last, 2, chief_arbiter)
    results_publish(round_id=round_of(last, 2).pk, actor=chief_arbiter, now=NOW)
    agrees(last)
    require_recheck(last)
    require_import(last, chief_arbiter, NOW)
    assert "withdrawn during the last round" in client.get(reverse("event-report", args=[last.slug])).content.decode()


def test_c04_2_3_2_it_is_undone_or_the_chief_arbiter_brings_the_player_back(
    last: Tournament, chief_arbiter: User
) -> None:
    entry = entry_of(last, 3)
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    newest = Decision.objects.filter(tournament=last).latest("sequence").sequence
    action_undo(tournament_id=last.pk, actor=chief_arbiter, now=NOW, sequence=newest)
    entry.refresh_from_db()
    assert entry.withdrawn_from is None
    agrees(last)
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    entry_return(entry_id=entry.pk, actor=chief_arbiter, now=NOW, reason="it was a mistake")
    agrees(last)
    enter_results(last, 2, chief_arbiter)
    results_publish(round_id=round_of(last, 2).pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused) as refused:
        entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    assert refused.value.code == "withdrawal.over"
