"""Two people at once set up an event or move its players:
one is done, the other gets a clear answer.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, make_entries, make_tournament
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.entries import entry_add
from tournaments.events.check_in import check_ins_switch
from tournaments.events.event_page import sections_of
from tournaments.events.list_comparing import compare_event
from tournaments.events.list_import import EventChoice, event_list_import
from tournaments.events.moves import entries_move
from tournaments.events.sections import event_create, section_add
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Event, Section, Tournament, WaitingEntry
from tournaments.reports.record_against_tables import differences

pytestmark = pytest.mark.django_db(transaction=True)


def only_refused(outcomes: list[Any], *refused: type[Exception]) -> None:
    errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert [type(outcome) in refused for outcome in errors] == [True], outcomes


def agree(*tournaments: Tournament) -> None:
    for tournament in tournaments:
        tournament.refresh_from_db()
        assert differences(tournament) == []


def test_one_event_and_one_section_of_a_label(chief_arbiter: User) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    first = make_tournament(chief_arbiter, name="City Open")
    create = partial(event_create, tournament_id=first.pk, name="City Open", label="A", **by)
    only_refused(at_once(create, create), Conflict)
    event = own(Event).get()
    add = partial(section_add, event_id=event.pk, like_id=first.pk, label="B", limits={}, **by)
    only_refused(at_once(add, add), BadInput)
    assert list(own(Section).order_by("label").values_list("label", flat=True)) == ["A", "B"]
    assert Tournament.objects.filter(section__event=event).count() == 2


@pytest.mark.costly
def test_c04_2_2_4_a_player_moves_once_and_opposite_moves_do_not_wait_for_each_other(
    chief_arbiter: User,
) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    first = make_tournament(chief_arbiter, name="City Open")
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    second, third = (
        section_add(event_id=event.pk, like_id=first.pk, label=label, limits={}, **by)
        for label in ("B", "C")
    )
    one, other = make_entries(first, chief_arbiter, 2)
    move = partial(entries_move, event_id=event.pk, **by)
    only_refused(
        at_once(partial(move, moves={one.pk: second.pk}), partial(move, moves={one.pk: third.pk})),
        Conflict,
    )
    assert Entry.objects.filter(name=one.name, tournament__in=[second, third]).count() == 1
    back = entry_add(tournament_id=second.pk, name="Back, Bea", **by)
    outcomes = at_once(
        partial(move, moves={other.pk: second.pk}), partial(move, moves={back.pk: first.pk})
    )
    assert outcomes == [1, 1]
    agree(first, second, third)


def test_one_of_two_lists_is_imported_and_one_of_two_openings_is_done(chief_arbiter: User) -> None:
    by = {"actor": chief_arbiter, "now": NOW}
    first = make_tournament(chief_arbiter, name="City Open")
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    second = section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, **by)
    reading = read_list(
        "Name;Elo;Section\nStrong, Sara;2100;A\nWeak, Walt;1500;B\nBad, Bo;x;B\n", has_sections=True
    )
    seen = compare_event(reading, sections_of(event)).digest
    load = partial(
        event_list_import, event=event, reading=reading, choice=EventChoice(), seen=seen, **by
    )
    only_refused(at_once(load, load), Conflict)
    assert Entry.objects.filter(tournament__in=[first, second]).count() == 2
    assert WaitingEntry.objects.filter(tournament__in=[first, second]).count() == 1
    versions = dict(Tournament.objects.filter(section__event=event).values_list("pk", "version"))
    turn = partial(check_ins_switch, event=event, seen=versions, opens=True, **by)
    only_refused(at_once(turn, turn), Conflict, RuleRefused)
    agree(first, second)
    assert (first.check_in_open, second.check_in_open) == (True, True)
