"""Players leave and enter during the last round [C.04.2/2026 3.2, 4.4.4]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from pairing.rules.published import Situation
from tests.tournaments.agreement import require_agreement, require_import, require_recheck
from tests.tournaments.contents import tables
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.replay import Replay
from tests.tournaments.rounds.test_change_actions import change
from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo
from tournaments.entries.entries import entry_add, entry_return, entry_withdraw
from tournaments.models import Decision, Tournament
from tournaments.setup.tournaments import list_reopen
from tournaments.standings.standings import standings

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


@pytest.mark.costly
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
    for name, args in (
        ("entries", []),
        ("entry-edit", [entry.pk]),
        ("round-player", [2, entry.pk]),
    ):
        text = client.get(reverse(name, args=[last.slug, *args])).content.decode()
        assert "withdrawn during the last round" in text
    agrees(last)
    enter_results(last, 2, chief_arbiter)
    results_publish(round_id=round_of(last, 2).pk, actor=chief_arbiter, now=NOW)
    agrees(last)
    require_recheck(last)
    require_import(last, chief_arbiter, NOW)
    assert (
        "withdrawn during the last round"
        in client.get(reverse("event-report", args=[last.slug])).content.decode()
    )


@pytest.mark.costly
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


@pytest.mark.costly
@pytest.mark.parametrize("bye", ["Z", "H"])
@pytest.mark.parametrize("seated", [True, False])
def test_c04_2_4_4_4_a_player_who_enters_during_the_last_round_gets_a_place_by_a_change_only(
    chief_arbiter: User, client: Client, seated: bool, bye: str
) -> None:
    last = make_ready(chief_arbiter, players=7, rounds=2, late_entry_bye=bye)
    play_rounds(last, [1], chief_arbiter)
    pair_and_publish(last, 2, chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        entry_add(tournament_id=last.pk, actor=chief_arbiter, now=NOW, name="Late, Lara")
    assert refused.value.code == "entry.list_closed"
    list_reopen(tournament_id=last.pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)
    form = " ".join(client.get(reverse("entry-add", args=[last.slug])).content.decode().split())
    assert "only get a place by a pairing change" in form
    assert "paired from the next round" not in form
    assert "C.04.2 2.4, 4.4.4" in form
    late = entry_add(
        tournament_id=last.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
    )
    assert (late.tpn, late.first_round) == (8, 3)
    agrees(last)
    for name, args in (
        ("entries", []),
        ("round-player", [2, late.pk]),
        ("round", [2]),
        ("event-report", []),
    ):
        text = client.get(reverse(name, args=[last.slug, *args])).content.decode()
        assert "entered during the last round" in text, name
        assert "round 3" not in text, name
    if seated:
        same = " ".join(f"{white}-{black}" for white, black, _result in boards(last, 2))
        (holder,) = (tpn for tpn, letter in byes(last, 2).items() if letter == "U")
        change(
            last, 2, chief_arbiter, f"{same} {holder}-8", Situation.LATE_ENTRY, agreed=f"{holder} 8"
        )
        late.refresh_from_db()
        assert late.first_round == 2
        agrees(last)
    enter_results(last, 2, chief_arbiter)
    results_publish(round_id=round_of(last, 2).pk, actor=chief_arbiter, now=NOW)
    agrees(last)
    require_recheck(last)
    require_import(last, chief_arbiter, NOW)
    if not seated and bye == "Z":
        lines = standings(tournament_frame(last, runs=True), after_round=2).lines
        assert [line.points for line in lines if line.tpn == 8] == [0]
    with pytest.raises(RuleRefused) as refused:
        entry_add(tournament_id=last.pk, actor=chief_arbiter, now=NOW, name="Later, Lou")
    assert refused.value.code == "entry.too_late"


def test_c04_2_3_2_a_player_entered_by_mistake_during_the_last_round_withdraws(
    last: Tournament, chief_arbiter: User
) -> None:
    list_reopen(tournament_id=last.pk, actor=chief_arbiter, now=NOW)
    mistake = entry_add(tournament_id=last.pk, actor=chief_arbiter, now=NOW, name="Wrong, Wanda")
    line = Decision.objects.filter(tournament=last).latest("sequence")
    with pytest.raises(RuleRefused) as refused:  # as in every round after the first
        action_undo(tournament_id=last.pk, sequence=line.sequence, actor=chief_arbiter, now=NOW)
    assert refused.value.code == "entry.event_begun"
    entry_withdraw(entry_id=mistake.pk, actor=chief_arbiter, now=NOW)
    agrees(last)
    assert entry_of(last, mistake.tpn or 0).withdrawn_from == 3
