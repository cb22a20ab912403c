"""One list for all sections of an event: each row finds its section,
and no player is entered twice.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from tests.tournaments.factories import NOW, make_ready, make_tournament, round_of
from tests.tournaments.lists.imports.files import xlsx
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.record import verify
from tournaments.entries.entries import entry_add
from tournaments.entries.waiting_rows import waiting_enter_all
from tournaments.events.event_page import sections_of
from tournaments.events.list_comparing import EventComparison, compare_event
from tournaments.events.list_import import EventChoice, EventImported, event_list_import
from tournaments.events.placing import named_section
from tournaments.events.sections import event_create, section_add, section_update
from tournaments.events.waiting_in_sections import event_row_enter, rows_of_event
from tournaments.lists.imports.reading import read_list
from tournaments.models import Appointment, Decision, Entry, Event, Role, Section, Tournament
from tournaments.reports.record_against_tables import differences

pytestmark = pytest.mark.django_db
HEADER = "Name;Elo;Born;Fide ID;Group\n"


@pytest.fixture
def event(chief_arbiter: User) -> Event:
    """An event with the sections U12 (born in 2014 or after), A (from 1800) and B (below)."""

    by = {"actor": chief_arbiter, "now": NOW}
    first = make_tournament(chief_arbiter, name="City Open")
    made = event_create(tournament_id=first.pk, name="City Open", label="U12", **by)
    section_update(tournament_id=first.pk, label="U12", limits={"born_from": 2014}, **by)
    for label, limits in (("A", {"rating_from": 1800}), ("B", {"rating_to": 1799})):
        section_add(event_id=made.pk, like_id=first.pk, label=label, limits=limits, **by)
    return made


def found(event: Event, text: str, **more: Any) -> EventComparison:
    return compare_event(read_list(HEADER + text, has_sections=True), sections_of(event), **more)


def imported(
    event: Event, actor: User, text: str, choice: EventChoice | None = None, **more: Any
) -> EventImported:
    reading = read_list(HEADER + text, has_sections=True)
    return event_list_import(
        event=event, actor=actor, now=NOW, reading=reading, choice=choice or EventChoice(), **more
    )


def names(label: str) -> list[str]:
    there = own(Entry).filter(tournament__section__label=label).order_by("name")
    return list(there.values_list("name", flat=True))


def entered(event: Event) -> int:
    return Entry.objects.filter(tournament__section__event=event).count()


def pk_of(label: str) -> int:
    return own(Tournament).get(section__label=label).pk


def agree(event: Event) -> None:
    for section in sections_of(event):
        assert verify(section.tournament) == []
        assert differences(section.tournament) == []


LIST = (
    "Kid, Kim;1200;2015;;\nStrong, Sara;2100;;100011;\nWeak, Walt;1500;;100012;\nNamed, "
    "Nia;1500;;;Open A\n"
    "Lost, Lou;1500;;;C\nBad, Bo;many;;;\nSure, Sam;x;;;b\n"
)


@pytest.mark.costly
def test_rows_go_to_the_named_section_else_by_rating_and_age(
    event: Event, chief_arbiter: User
) -> None:
    done = imported(event, chief_arbiter, LIST, seen=found(event, LIST).digest)
    assert (names("U12"), names("A"), names("B")) == (
        ["Kid, Kim"],
        ["Named, Nia", "Strong, Sara"],
        ["Weak, Walt"],
    )
    assert {label: (len(each.entered), each.waiting) for label, each in done.sections.items()} == {
        "U12": (1, 2), "A": (2, 0), "B": (1, 1),
    }  # fmt: skip
    waits = {
        row.fields["name"]: [each["code"] for each in row.problems] for row in rows_of_event(event)
    }
    assert waits == {
        "Lost, Lou": ["section.not_named"],
        "Bad, Bo": ["csv.not_a_number", "section.undecided"],
        "Sure, Sam": ["csv.not_a_number"],
    }
    for label in ("U12", "A", "B"):
        lines = Decision.objects.filter(tournament=pk_of(label), action="entries.imported")
        assert lines.count() == 1
    agree(event)


@pytest.mark.costly
def test_a_player_for_no_section_waits_and_the_arbiter_can_choose_in_the_preview(
    event: Event, chief_arbiter: User
) -> None:
    Section.objects.filter(label="B").update(rating_from=1200)
    text = "Low, Lea;1100;;;\nWeak, Walt;1500;;;\n"
    seen = found(event, text)
    assert [(each.row.name, each.problem and each.problem.code) for each in seen.placed] == [
        ("Low, Lea", "section.none_fits"),
        ("Weak, Walt", None),
    ]
    chosen = {2: pk_of("B"), 3: pk_of("A")}
    assert found(event, text, chosen=chosen).digest == seen.digest
    imported(event, chief_arbiter, text, EventChoice(sections=chosen), seen=seen.digest)
    assert (names("A"), names("B"), rows_of_event(event).count()) == (
        ["Weak, Walt"],
        ["Low, Lea"],
        0,
    )
    more = "Other, Ole;1500;;;\nLast, Lia;1100;;;\n"
    imported(event, chief_arbiter, more, EventChoice(sections={2: 0, 3: 0}))
    assert (Entry.objects.filter(name="Other, Ole").exists(), rows_of_event(event).count()) == (
        False,
        1,
    )
    with pytest.raises(BadInput, match="not a section of this event"):
        imported(event, chief_arbiter, more, EventChoice(sections={2: 999_999}))


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_a_newer_list_recognises_players_in_every_section(
    event: Event, chief_arbiter: User
) -> None:
    imported(
        event,
        chief_arbiter,
        "Strong, Sara;2100;;100011;\nWeak, Walt;1790;;100012;\nStays, Stu;1500;;;A\n",
    )
    newer = "Sara Strong;2110;;100011;\nweak, walt;1810;;100012;\nStays, Stu;1510;;;\n"
    seen = found(event, newer)
    assert [(move.entry.name, move.source.label, move.to.label) for move in seen.moves] == [
        ("Weak, Walt", "B", "A")
    ]
    assert [part.arriving - part.leaving for part in seen.parts] == [0, 1, -1]
    done = imported(event, chief_arbiter, newer, seen=seen.digest)
    assert (done.moved, names("A"), names("B")) == (
        1,
        ["Sara Strong", "Stays, Stu", "Weak, Walt"],
        [],
    )
    assert Entry.objects.get(name="Weak, Walt").rating == 1810
    again = found(event, newer)
    assert (again.moves, again.whole.new, again.whole.changed) == ([], [], [])
    # A column of the list decides, also against the limits; without its box nobody moves.
    by_name = "Weak, Walt;1810;;100012;B\n"
    assert imported(event, chief_arbiter, by_name, EventChoice(moved=())).moved == 0
    assert imported(event, chief_arbiter, by_name).moved == 1
    assert names("B") == ["Weak, Walt"]
    agree(event)


@pytest.mark.costly
def test_c04_2_2_4_nobody_moves_after_round_1_and_late_entries_still_come(
    event: Event, chief_arbiter: User
) -> None:
    begun = make_ready(chief_arbiter, name="Begun")
    round_pair(round_id=round_of(begun, 1).pk, actor=chief_arbiter, now=NOW)
    other = event_create(
        tournament_id=begun.pk, name="Other", label="A", actor=chief_arbiter, now=NOW
    )
    section_add(
        event_id=other.pk,
        like_id=begun.pk,
        label="B",
        limits={"rating_to": 1799},
        actor=chief_arbiter,
        now=NOW,
    )
    there = Entry.objects.filter(tournament=begun).earliest("pk")
    text = f"{there.name};{there.fide_rating};;;B\nLate, Lou;2000;;;A\n"
    (move,) = found(other, text).moves
    assert "players can no longer move" in str(move.refused)
    done = imported(other, chief_arbiter, text)
    assert (done.moved, done.sections["A"].entered[0].first_round) == (0, 1)
    agree(other)


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_one_part_that_fails_saves_nothing(event: Event, chief_arbiter: User) -> None:
    lines = Decision.objects.count()
    too_many = "".join(f"P{n};x;;;B\n" for n in range(501))
    with pytest.raises(BadInput, match="More than 500 rows"):
        imported(event, chief_arbiter, "Strong, Sara;2100;;100011;\n" + too_many)
    with pytest.raises(Conflict):
        imported(event, chief_arbiter, LIST, seen="another list")
    assert (entered(event), Decision.objects.count()) == (0, lines)


@pytest.mark.costly
def test_only_an_arbiter_of_all_sections_imports(
    event: Event, deputy: User, client: Client
) -> None:
    Appointment.objects.filter(tournament_id=pk_of("B"), person=deputy).delete()
    assert Appointment.objects.filter(
        tournament_id=pk_of("A"), person=deputy, role=Role.DEPUTY
    ).exists()
    with pytest.raises(PermissionDenied):
        imported(event, deputy, LIST)
    assert not entered(event)
    client.force_login(deputy)
    for name in ("event-import", "event-waiting"):
        assert client.get(reverse(name, args=[event.slug])).status_code == 403
    assert client.post(reverse("event-waiting-row", args=[event.slug, 1])).status_code == 403


@pytest.mark.costly
def test_sections_whose_standings_are_final_stay_as_they_are(
    event: Event, chief_arbiter: User
) -> None:
    imported(event, chief_arbiter, "Strong, Sara;2100;;100011;\n")
    own(Tournament).filter(section__label="A").update(final_at=NOW)
    done = imported(
        event, chief_arbiter, "Strong, Sara;2110;;100011;\nNew, Nia;1500;;;A\nWeak, Walt;1500;;;\n"
    )
    assert (names("A"), names("B"), "A" in done.sections) == (
        ["Strong, Sara"],
        ["Weak, Walt"],
        False,
    )
    assert [each["code"] for each in rows_of_event(event).get().problems] == ["section.final"]
    Tournament.objects.filter(section__event=event).update(final_at=NOW)
    with pytest.raises(BadInput, match="all sections are final"):
        imported(event, chief_arbiter, "More, Mia;1500;;;\n")


@pytest.mark.parametrize(
    "text, label",
    [("a", "A"), ("Tournoi B", "B"), ("City Open A", "A"), ("u 12", "U12"), ("Groupe U-12", "U12")],
)
def test_a_section_is_found_by_its_label(event: Event, text: str, label: str) -> None:
    assert named_section(text, sections_of(event)).label == label


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_a_waiting_row_is_entered_in_the_chosen_section(event: Event, chief_arbiter: User) -> None:
    imported(event, chief_arbiter, LIST)
    by = {"event": event, "actor": chief_arbiter, "now": NOW}
    rows = {row.fields["name"]: row for row in rows_of_event(event)}
    # “Enter all” of one section leaves out the rows without a section.
    first = rows["Lost, Lou"]
    assert (
        waiting_enter_all(
            tournament_id=first.tournament_id, actor=chief_arbiter, now=NOW, last=10**9
        )
        == []
    )
    bad = rows["Bad, Bo"]
    fixed = bad.fields | {"fide_rating": "1900"}
    with pytest.raises(BadInput, match="many"):
        event_row_enter(waiting_id=bad.pk, to_id=None, values=bad.fields, seen=bad.fields, **by)
    entry = event_row_enter(waiting_id=bad.pk, to_id=None, values=fixed, seen=bad.fields, **by)
    assert (entry.tournament_id, entry.rating) == (pk_of("A"), 1900)
    entry = event_row_enter(
        waiting_id=first.pk, to_id=pk_of("B"), values=first.fields, seen=first.fields, **by
    )
    assert entry.tournament_id == pk_of("B")
    with pytest.raises(Conflict, match="no longer waits"):
        event_row_enter(
            waiting_id=first.pk, to_id=pk_of("B"), values=first.fields, seen=first.fields, **by
        )
    sure = rows["Sure, Sam"]
    with pytest.raises(BadInput, match="not a section of this event"):
        event_row_enter(
            waiting_id=sure.pk, to_id=999_999, values=sure.fields, seen=sure.fields, **by
        )
    # A namesake in another section is pointed out before the player is entered twice.
    entry_add(tournament_id=pk_of("A"), name="Sure, Sam", actor=chief_arbiter, now=NOW)
    good = sure.fields | {"fide_rating": "1500"}
    with pytest.raises(BadInput, match="Already entered"):
        event_row_enter(waiting_id=sure.pk, to_id=pk_of("B"), values=good, seen=sure.fields, **by)
    agree(event)


@pytest.mark.costly
def test_a_stale_page_moves_no_row_and_a_confirmed_row_finds_its_section(
    event: Event, chief_arbiter: User
) -> None:
    imported(event, chief_arbiter, "Bad, Bo;many;;\n")
    bad = rows_of_event(event).get()
    by: dict[str, Any] = {"waiting_id": bad.pk, "event": event, "actor": chief_arbiter, "now": NOW}
    with pytest.raises(Conflict, match="many"):
        event_row_enter(
            to_id=pk_of("B"), values=bad.fields | {"club": "Mate"}, seen={"name": "Bad, Bo"}, **by
        )
    assert rows_of_event(event).get().tournament_id == bad.tournament_id != pk_of("B")
    typed = {"name": "Bad, Bo", "fide_rating": "1500", "federation": "XYZ"}
    with pytest.raises(BadInput, match="XYZ is not on the list"):
        event_row_enter(to_id=None, values=typed, seen=bad.fields, **by)
    entry = event_row_enter(to_id=None, values=typed, seen=bad.fields, confirmed=True, **by)
    assert (entry.tournament_id, entry.federation) == (pk_of("B"), "XYZ")


@pytest.mark.costly
def test_the_pages_of_the_import(event: Event, chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    page = reverse("event-import", args=[event.slug])
    assert client.get(page).status_code == 200
    looked = client.post(page, {"text": HEADER + LIST})
    shown = looked.content.decode()
    assert (looked.status_code, "“C” is not a section of this event" in shown) == (200, True)
    context = looked.context
    form: dict[str, object] = {
        "confirmed": context["data"], "seen": context["compared"].digest, "columns-shown": context["columns_sent"],
        "encoding-shown": "", "encoding": "", "to-2": pk_of("A"), "to-3": pk_of("A"), "to-4": "0", "seen_line": "1",
    }  # fmt: skip
    form |= {f"column-{number}": name for number, _heading, name, _guessed in context["columns"]}
    again = client.post(page, form | {"again": "yes"})
    counts = [len(part.found.new) for part in again.context["compared"].parts]
    assert (again.status_code, counts) == (200, [0, 3, 0])
    stale = client.post(page, form | {"seen": "x"})
    assert (stale.status_code, entered(event)) == (409, 0)
    assert client.post(page, form | {"to-2": "999999"}).status_code == 400
    saved = client.post(page, form, follow=True)
    assert saved.redirect_chain[0][0] == reverse("event-waiting", args=[event.slug])
    assert "A: 3 players are entered." in saved.content.decode()
    assert names("A") == ["Kid, Kim", "Named, Nia", "Strong, Sara"]
    row = rows_of_event(event).get(fields__name="Lost, Lou")
    address = reverse("event-waiting-row", args=[event.slug, row.pk])
    typed = {f"row-{row.pk}-name": "Lost, Lou", f"row-{row.pk}-fide_rating": "1500"}
    waiting = saved.context["rows"]
    sent = next(shown.shown for shown, _ in waiting if shown.waiting.pk == row.pk)
    for to, status in (("x", 422), ("999999", 400), ("", 302)):
        assert client.post(address, typed | {"shown": sent, "to": to}).status_code == status
    assert names("B") == ["Lost, Lou"]
    assert client.post(address, typed | {"shown": sent, "to": ""}).status_code == 409
    other = rows_of_event(event).first()
    assert other is not None
    gone = reverse("event-waiting-row", args=[event.slug, other.pk])
    sent = next(shown.shown for shown, _ in waiting if shown.waiting.pk == other.pk)
    texts = {f"row-{other.pk}-{name}": text for name, text in other.fields.items()}
    assert client.post(gone, texts | {"shown": sent, "discard": "yes"}).status_code == 302
    assert client.post(gone, texts | {"shown": sent, "discard": "yes"}).status_code == 409


def test_a_tournament_alone_does_not_use_a_column_of_sections() -> None:
    reading = read_list(HEADER + "Strong, Sara;2100;;100011;A\n")
    assert (reading.rows[0].section, [remark.code for remark in reading.remarks]) == (
        "",
        ["csv.column_ignored"],
    )


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_five_thousand_rows_of_three_sections_are_read_compared_and_saved(
    event: Event, chief_arbiter: User
) -> None:
    rows = [
        ["Name", "Elo", "Section"],
        *([f"Name {n}, First {n}", 1000 + n % 1500, "AB"[n % 2]] for n in range(5000)),
    ]
    file = xlsx(rows)
    began = time.process_time()
    reading = read_list(file, has_sections=True)
    seen = compare_event(reading, sections_of(event)).digest
    middle = time.process_time()
    done = event_list_import(
        event=event, actor=chief_arbiter, now=NOW, reading=reading, choice=EventChoice(), seen=seen
    )
    assert sum(len(each.entered) for each in done.sections.values()) == 5000
    # Three seconds in all on a machine that does nothing else.
    assert (middle - began < 3, time.process_time() - middle < 6) == (True, True)


@pytest.mark.costly
def test_a_table_without_names_shows_its_columns_and_moves_nobody(
    event: Event, chief_arbiter: User, client: Client
) -> None:
    imported(event, chief_arbiter, "Strong, Sara;2100;;100011;\n")
    client.force_login(chief_arbiter)
    page = reverse("event-import", args=[event.slug])
    shown = client.post(
        page, {"text": "Xa;Xb;Rating\nTest Tom;Club One;1950\nProof Pia;Club Two;1871\n"}
    )
    assert (shown.status_code, 'name="column-1"' in shown.content.decode(), entered(event)) == (
        422,
        True,
        1,
    )
    form = {
        "confirmed": shown.context["data"],
        "seen": shown.context["digest"],
        "columns-shown": ",,fide_rating",
    }
    form |= {"column-1": "name", "column-2": "", "column-3": "fide_rating", "again": "yes"}
    chosen = client.post(page, form)
    assert (chosen.status_code, [row.row.name for row in chosen.context["rows"]]) == (
        200,
        ["Test Tom", "Proof Pia"],
    )
