"""The data of each action in the record: declared for every action, and written as declared."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args, get_type_hints, is_typeddict

import pytest
from django.contrib.auth.models import User

from pairing.record.player_fields import RECORDED as ENTRY_FIELDS, TEXTS, TYPED, PlayerValues
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rules.settings import SettingValues
from tests.tournaments.declared_keys import declared, require_declared_keys, required_keys
from tests.tournaments.factories import NOW, entry_of, make_ready, play_rounds, round_of
from tests.tournaments.neighbour import NUMBER_OF_ACTIONS
from tournaments.entries.entries import described
from tournaments.lists.imports.entry_lists import entries_import
from tournaments.lists.imports.reading import read_list
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Action, Decision, Eligible, Entry, Tournament
from tournaments.models.payload_data import EntryChange, EntryData, Settings
from tournaments.models.payloads import PAYLOADS
from tournaments.reports.trf_export import trf_export
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.tournaments import FIELDS as SETTINGS
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set
from tournaments.web.entries.forms import EntryForm

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


def test_every_action_declares_the_types_of_its_data() -> None:
    assert PAYLOADS.keys() == {*Action}, (
        "Each action has a class with the types of its data in tournaments/models/payloads.py: "
        "docs/developer/add-an-action.md"
    )
    for action in set(Action) - {Action.ACTION_UNDONE, Action.CORRECTION_APPLIED}:
        for form in declared(action):
            assert all(map(is_typeddict, get_args(form) or (form,))), action


def test_every_field_of_a_tournament_and_of_an_entry_is_declared() -> None:
    # A change of settings that leaves FIDE mode says so in the same line; no form sets it.
    settings = SETTINGS | {"left_fide_mode"}
    assert (required_keys(Settings), {*get_type_hints(Settings)}) == (set(), settings)
    declared_fields = {**get_type_hints(PlayerValues)}
    assert declared_fields.keys() == ENTRY_FIELDS
    for model, values in ((Entry, PlayerValues), (Tournament, SettingValues)):
        for name, form in get_type_hints(values).items():
            column = model._meta.get_field(name)
            if name != "total_rounds":  # Every tournament names it.
                assert isinstance(column.get_default(), form), name  # type: ignore[union-attr]
            assert column.null == isinstance(None, form), name
    assert {*TEXTS} <= TYPED
    assert {*get_type_hints(EntryData)} == ENTRY_FIELDS | {"entry", "tpn"}
    assert (required_keys(EntryChange), {*get_type_hints(EntryChange)}) == (
        {"entry"},
        ENTRY_FIELDS | {"entry"},
    )
    assert described(Entry()).keys() == ENTRY_FIELDS | {"entry", "tpn"}


def test_every_field_that_an_arbiter_types_is_in_the_form_of_a_player() -> None:
    # The whole name is what is typed as the name of a player who is shown with initials.
    assert TYPED - {"full_name"} <= {*EntryForm.base_fields}, (
        "A text has a line in `Texts` of pairing/record/player_fields.py, any other value a field "
        "in tournaments/web/entries/forms.py: docs/developer/add-a-player-field.md"
    )


@pytest.mark.django_db
def test_the_tournament_next_door_has_exactly_the_declared_keys(neighbour: Tournament) -> None:
    rows = list(Decision.objects.filter(tournament=neighbour))
    assert len(rows) == NUMBER_OF_ACTIONS
    for row in rows:
        require_declared_keys(row)


@pytest.mark.costly
@pytest.mark.django_db
def test_actions_that_random_arbiters_do_not_do_have_exactly_the_declared_keys(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, players=6, rounds=3, correction_minutes=30)
    doing = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": NOW}
    category = CategoryPlan("First", Eligible.EVERYBODY, "", (10_000,))
    prizes_set(**doing, plan=PrizePlan(categories=(category,)))
    prizes_set(**doing, plan=PrizePlan(categories=(category, category)))
    prohibited_pairs_set(**doing, pairs=[[entry_of(tournament, 1).pk, entry_of(tournament, 2).pk]])
    play_rounds(tournament, [1], chief_arbiter)
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    soon = NOW + timedelta(minutes=1)
    round_publish(
        round_id=round_of(tournament, 2).pk,
        actor=chief_arbiter,
        now=soon,
        cut_short="the hall closes",
    )
    entries_import(**doing, rows=read_list(b"name,federation\nZhu,FRA\n").rows)
    copy = tournament_import_trf(
        actor=chief_arbiter, now=NOW, data=trf_export(tournament, public=False).encode()
    )
    rows = list(Decision.objects.filter(tournament__in=[tournament, copy]))
    assert {row.action for row in rows} >= {
        Action.ENTRIES_IMPORTED,
        Action.PRIZES_SET,
        Action.PROHIBITED_PAIRS_SET,
        Action.DEADLINE_CUT_SHORT,
        Action.TOURNAMENT_IMPORTED,
    }
    for row in rows:
        require_declared_keys(row)
