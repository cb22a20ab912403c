"""An event has its own sections, and an action in one of them stays there."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.events.conftest import add
from tests.tournaments.factories import NOW, make_ready, make_tournament
from tournaments.core.actions import locked
from tournaments.core.errors import BadInput, Conflict
from tournaments.events import sections, waiting_in_sections
from tournaments.events.event_page import events_for, named_sections
from tournaments.events.moves import entries_move
from tournaments.events.sections import event_create
from tournaments.events.staff import _lock_sections, person_leave, shared
from tournaments.events.waiting_in_sections import event_row_enter
from tournaments.models import Appointment, Entry, Event, Role, Section, Tournament, WaitingEntry
from tournaments.people.people import account_appoint
from tournaments.setup.visibility import tournament_list_set


def event_of(tournament: Tournament, actor: User) -> Event:
    return event_create(
        tournament_id=tournament.pk, name=tournament.name, label="A", actor=actor, now=NOW
    )


def test_a_reader_sees_the_events_with_a_public_section_or_an_own_role(
    chief_arbiter: User, stranger: User
) -> None:
    shown, helped, hidden = (
        make_tournament(chief_arbiter, name=name) for name in ("Shown", "Helped", "Hidden")
    )
    events = [event_of(each, chief_arbiter) for each in (shown, helped, hidden)]
    tournament_list_set(tournament_id=shown.pk, actor=chief_arbiter, now=NOW, listed=True)
    Appointment.objects.create(tournament=helped, person=stranger, role=Role.DEPUTY, since=NOW)
    assert list(events_for(AnonymousUser())) == events[:1]
    assert list(events_for(stranger)) == [events[1], events[0]]
    section = Section.objects.get(event=events[0])
    assert named_sections(events_for(AnonymousUser())) == [(events[0].pk, section.pk, "Shown")]


@pytest.mark.costly
def test_players_below_the_one_who_moves_get_new_numbers_in_that_section_alone(
    chief_arbiter: User,
) -> None:
    source = make_ready(chief_arbiter, name="Source")
    event = event_of(source, chief_arbiter)
    target = add(event, source, chief_arbiter)
    newer = make_ready(chief_arbiter, name="Newer")
    third = Entry.objects.get(tournament=source, tpn=3)
    entries_move(moves={third.pk: target.pk}, event_id=event.pk, actor=chief_arbiter, now=NOW)
    for tournament, numbers in ((source, range(1, 8)), (newer, range(1, 9))):
        assert list(tournament.entries.order_by("pk").values_list("tpn", flat=True)) == list(
            numbers
        )


def test_a_section_is_not_made_like_a_tournament_of_another_event(chief_arbiter: User) -> None:
    one, other = (make_tournament(chief_arbiter, name=name) for name in ("One", "Other"))
    event = event_of(one, chief_arbiter)
    event_of(other, chief_arbiter)
    with pytest.raises(BadInput) as refused:
        add(event, other, chief_arbiter)
    assert refused.value.code == "section.unknown"


def test_sections_of_other_events_leave_room_for_one_more(
    chief_arbiter: User, neighbour: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Section.objects.filter(tournament=neighbour).exists()
    monkeypatch.setattr(sections, "MOST_SECTIONS", 2)
    one = make_tournament(chief_arbiter, name="One")
    assert add(event_of(one, chief_arbiter), one, chief_arbiter).pk != one.pk


def test_the_first_section_of_each_event_has_the_first_place(chief_arbiter: User) -> None:
    for name in ("One", "Other"):
        event_of(make_tournament(chief_arbiter, name=name), chief_arbiter)
    places = Section.objects.filter(event__name__in=("One", "Other")).values_list(
        "position", flat=True
    )
    assert list(places) == [sections.STEP] * 2


def test_a_role_in_all_sections_begins_and_ends_in_no_other_tournament(
    chief_arbiter: User, stranger: User
) -> None:
    one, other = (make_tournament(chief_arbiter, name=name) for name in ("One", "Other"))
    two = add(event_of(one, chief_arbiter), one, chief_arbiter)
    by: dict[str, Any] = {
        "actor": chief_arbiter,
        "now": NOW,
        "username": stranger.username,
        "role": "deputy",
    }
    made = shared(account_appoint, everywhere=True, tournament_id=one.pk, **by)
    roles = Appointment.objects.filter(person=stranger, until=None).order_by("tournament")
    assert list(roles.values_list("tournament", flat=True)) == [one.pk, two.pk]
    account_appoint(tournament_id=other.pk, **by)
    person_leave(appointment_id=made.pk, actor=chief_arbiter, now=NOW)
    assert list(roles.values_list("tournament", flat=True)) == [other.pk]


def test_an_invitation_locks_the_sections_of_its_event_and_no_other_tournament(
    chief_arbiter: User,
) -> None:
    one, other = (make_tournament(chief_arbiter, name=name) for name in ("One", "Other"))
    two = add(event_of(one, chief_arbiter), one, chief_arbiter)
    for tournament, together in ((one, [one, two]), (other, [other])):
        with CaptureQueriesContext(connection) as captured:
            _lock_sections(tournament.pk)
        assert f"IN ({', '.join(str(each.pk) for each in together)})" in captured[-1]["sql"]


def test_a_row_that_another_arbiter_has_moved_meanwhile_is_not_taken_from_there(
    chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = make_tournament(chief_arbiter, name="One")
    event = event_of(one, chief_arbiter)
    two, three = (add(event, one, chief_arbiter, label) for label in ("B", "C"))
    fields = {"name": "Zapp, Zoe"}
    row = WaitingEntry.objects.create(tournament=one, fields=fields, created_at=NOW)

    def moved_first(*sections: int, **by: Any) -> AbstractContextManager[object]:
        WaitingEntry.objects.filter(pk=row.pk).update(tournament=three)
        return locked(*sections, **by)

    monkeypatch.setattr(waiting_in_sections, "locked", moved_first)
    with pytest.raises(Conflict):
        event_row_enter(
            event=event,
            waiting_id=row.pk,
            to_id=two.pk,
            values=fields,
            seen=fields,
            actor=chief_arbiter,
            now=NOW,
        )
    row.refresh_from_db()
    assert row.tournament == three
