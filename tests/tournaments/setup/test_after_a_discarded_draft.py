"""After a draft of round 1 has been read, only the Chief Arbiter
changes the settings announced before round 1.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair, round_unpair
from tests.tournaments.factories import NOW, entry_of, round_of, seen_now
from tests.tournaments.web.test_shown_values import opened
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.entries.entries import entry_remove
from tournaments.models import Decision, Entry, Tournament
from tournaments.setup.tournaments import tournament_update

WHY = "the regulations say so"


@pytest.fixture
def discarded(ready: Tournament, deputy: User) -> Tournament:
    """Round 1 was paired and the draft discarded."""
    round_ = round_of(ready, 1)
    round_pair(round_id=round_.pk, actor=deputy, now=NOW)
    round_unpair(round_id=round_.pk, actor=deputy, now=NOW)
    return ready


@pytest.mark.parametrize(
    "change",
    [
        {"system": "dutch_2017"},
        {"max_byes": 1},
        {"change_clause": "7.3"},
        {"points_pab": 5},
        {"total_rounds": 4},
    ],
)
def test_c04_2_1_3_only_the_chief_arbiter_changes_a_declared_setting(
    change: dict[str, object], discarded: Tournament, chief_arbiter: User, deputy: User
) -> None:
    given = {"tournament_id": discarded.pk, "now": NOW}
    with pytest.raises(RuleRefused) as refused:
        tournament_update(**given, actor=deputy, reason=WHY, **change)
    assert refused.value.code == "tournament.chief_arbiter_changes"
    with pytest.raises(BadInput) as missing:
        tournament_update(**given, actor=chief_arbiter, reason=".", **change)
    assert (missing.value.code, missing.value.field) == ("tournament.reason_missing", "reason")
    tournament_update(**given, actor=chief_arbiter, reason=WHY, leave_fide_mode=True, **change)
    row = Decision.objects.latest("pk")
    assert (row.action, row.reason) == ("tournament.updated", WHY)
    # Any arbiter changes a description of the event, without a reason.
    tournament_update(**given, actor=deputy, city="Lyon", reason="not asked for")
    assert Decision.objects.latest("pk").reason == ""


def test_c04_2_2_3_a_removed_player_is_not_entered_again_with_other_data(
    discarded: Tournament, chief_arbiter: User, deputy: User
) -> None:
    given = {"entry_id": entry_of(discarded, 8).pk, "now": NOW}
    with pytest.raises(RuleRefused) as refused:
        entry_remove(**given, actor=deputy, reason=WHY)
    assert refused.value.code == "entry.chief_arbiter_removes"
    with pytest.raises(BadInput) as missing:
        entry_remove(**given, actor=chief_arbiter)
    assert (missing.value.code, missing.value.field) == ("entry.removal_reason_missing", "reason")
    entry_remove(**given, actor=chief_arbiter, reason=WHY)
    assert (Decision.objects.latest("pk").action, Decision.objects.latest("pk").reason) == (
        "entry.removed",
        WHY,
    )


@pytest.mark.costly
def test_the_pages_ask_the_chief_arbiter_for_a_reason_and_refuse_a_deputy(
    ready: Tournament, client: Client, chief_arbiter: User, deputy: User
) -> None:
    settings = reverse("tournament-edit", args=[ready.slug])
    entry = reverse("entry-edit", args=[ready.slug, entry_of(ready, 8).pk])
    remove = reverse("entry-remove", args=[ready.slug, entry_of(ready, 8).pk])
    client.force_login(chief_arbiter)
    assert ['name="reason"' in client.get(url).content.decode() for url in (settings, entry)] == [
        False,
        False,
    ]
    round_pair(round_id=round_of(ready, 1).pk, actor=deputy, now=NOW)
    round_unpair(round_id=round_of(ready, 1).pk, actor=deputy, now=NOW)
    assert ['name="reason"' in client.get(url).content.decode() for url in (settings, entry)] == [
        True,
        True,
    ]
    form = opened(client, settings)
    refused = client.post(settings, form | {"max_byes": "1"})
    assert (
        refused.status_code,
        "enter a reason for the change of a setting" in refused.content.decode(),
    ) == (
        422,
        True,
    )
    client.force_login(deputy)
    page = client.get(settings).content.decode()
    assert "only the Chief Arbiter can change settings announced before the start" in page
    assert 'name="reason"' not in page
    assert client.post(settings, form | {"max_byes": "1", "reason": WHY}).status_code == 422
    assert "only the Chief Arbiter can now remove an entry" in client.get(entry).content.decode()
    assert client.post(remove, {"reason": WHY, **seen_now(ready)}).status_code == 409
    ready.refresh_from_db()
    assert (ready.max_byes, Entry.objects.filter(tournament=ready).count()) == (None, 8)
    client.force_login(chief_arbiter)
    assert client.post(settings, form | {"max_byes": "1", "reason": WHY}).status_code == 302
    assert client.post(remove, {"reason": WHY, **seen_now(ready)}).status_code == 302
    ready.refresh_from_db()
    assert (ready.max_byes, Entry.objects.filter(tournament=ready).count()) == (1, 7)
