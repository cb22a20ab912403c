"""Events of several sections: set-up, order of the sections, and people."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments.events.conftest import add
from tests.tournaments.factories import NOW, round_of
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.record import verify
from tournaments.entries.entries import entry_add
from tournaments.events.event_page import sections_of
from tournaments.events.moves import misplaced
from tournaments.events.sections import event_create, section_update
from tournaments.events.staff import person_leave, shared
from tournaments.models import (
    Appointment,
    Decision,
    Event,
    Role,
    Tournament,
)
from tournaments.people.people import Access, access_renew, person_appoint
from tournaments.reports.record_against_tables import differences
from tournaments.setup.schedule import round_schedule


def test_the_first_section_is_called_after_its_label(event: Event, first: Tournament) -> None:
    first.refresh_from_db()
    assert (event.slug, first.name, first.slug) == ("city-open", "City Open A", "city-open")
    assert (
        Decision.objects.filter(tournament=first, action="section.set").get().after["label"] == "A"
    )
    assert not verify(first)


@pytest.mark.on_postgres("many rows in one statement")
def test_a_tournament_is_a_section_once(
    event: Event, first: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(Conflict, match="already a section"):
        event_create(tournament_id=first.pk, name="Other", label="A", actor=chief_arbiter, now=NOW)
    assert own(Event).count() == 1


def test_only_the_chief_arbiter_makes_sections(
    first: Tournament, deputy: User, stranger: User
) -> None:
    Appointment.objects.get_or_create(
        tournament=first, person=deputy, until=None, defaults={"role": Role.DEPUTY, "since": NOW}
    )
    for user in (deputy, stranger):
        with pytest.raises(PermissionDenied):
            event_create(tournament_id=first.pk, name="City Open", label="A", actor=user, now=NOW)
    assert not own(Event).exists()


def test_a_new_section_has_the_settings_the_schedule_and_the_people(
    event: Event, first: Tournament, chief_arbiter: User
) -> None:
    round_schedule(
        round_id=round_of(first, 1).pk,
        actor=chief_arbiter,
        now=NOW,
        starts_at=NOW,
        results_due_at=None,
    )
    helper = person_appoint(
        tournament_id=first.pk, name="Hal Helper", role="check_in_desk", access=Access("s" * 32, "123456"),
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    second = add(event, first, chief_arbiter, rating_to=1799)
    assert (second.name, second.tie_breaks, second.points_pab) == ("City Open B", "BH,SB", 5)
    assert round_of(second, 1).starts_at == NOW
    there = Appointment.objects.get(tournament=second, person=helper.person)
    assert (there.role, there.link, there.pin) == ("check_in_desk", helper.link, helper.pin)
    assert (second.section.label, second.section.rating_to) == ("B", 1799)
    assert not differences(second)


def test_labels_and_limits_are_checked(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput, match="Another section of this event is called b"):
        add(event, first, chief_arbiter, "b")
    with pytest.raises(BadInput, match="1500 is below the lower limit 1800"):
        add(event, first, chief_arbiter, "C", rating_from=1800, rating_to=1500)
    with pytest.raises(BadInput, match="one line"):
        add(event, first, chief_arbiter, " \n ")
    assert Tournament.objects.filter(section__event=event).count() == 2
    lines = Decision.objects.filter(tournament=second).count()
    given = {"label": "B", "actor": chief_arbiter, "now": NOW}
    section_update(tournament_id=second.pk, limits={"rating_to": 1799}, **given)
    assert Decision.objects.filter(tournament=second).count() == lines
    section_update(tournament_id=second.pk, limits={"rating_to": 1699}, **given)
    assert Decision.objects.filter(tournament=second).count() == lines + 1


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_the_arbiter_chooses_the_order_of_the_sections(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    stranger: User,
    client: Client,
) -> None:
    third = add(event, first, chief_arbiter, "C")
    third.refresh_from_db()
    assert [(each.label, each.position) for each in sections_of(event)] == [
        ("A", 10),
        ("B", 20),
        ("C", 30),
    ]
    client.force_login(chief_arbiter)
    page = reverse("event-sections", args=[event.slug])
    pk = third.section.pk
    sent = {"section": pk, "seen_version": third.version, f"{pk}-label": "C", f"{pk}-position": "5"}
    assert client.post(page, sent | {f"{pk}-position": "0"}).status_code == 422
    assert client.post(page, sent).status_code == 302
    assert client.post(page, sent | {f"{pk}-position": "15"}).status_code == 409
    shown = client.get(reverse("event-desk", args=[event.slug])).context["desks"]
    answer = client.get(f"/api/v1/events/{event.slug}/").json()["sections"]
    assert (
        [each.section.label for each in shown]
        == [each["section"] for each in answer]
        == ["C", "A", "B"]
    )
    # Without a number the order stays. Of several sections that fit a player, the first one is
    # proposed.
    third.refresh_from_db()
    limit = {"seen_version": third.version, f"{pk}-position": "", f"{pk}-rating_to": "2000"}
    assert client.post(page, sent | limit).status_code == 302
    section_update(
        tournament_id=first.pk,
        label="A",
        limits={"rating_from": 1800},
        actor=chief_arbiter,
        now=NOW,
    )
    entry_add(
        tournament_id=first.pk, actor=chief_arbiter, now=NOW, name="Weak, Walt", fide_rating=1500
    )
    assert [move.to.label for move in misplaced(sections_of(event))[0]] == ["C"]
    lines = Decision.objects.filter(tournament=third, action="section.set").order_by("sequence")
    assert [line.after["position"] for line in lines] == [30, 5, 5]
    third.refresh_from_db()
    assert (verify(third), differences(third)) == ([], [])
    with pytest.raises(BadInput, match="between 1 and 999"):
        section_update(
            tournament_id=third.pk,
            label="C",
            limits={},
            position=1000,
            actor=chief_arbiter,
            now=NOW,
        )
    with pytest.raises(PermissionDenied):
        section_update(
            tournament_id=third.pk, label="C", limits={}, position=40, actor=stranger, now=NOW
        )


@pytest.mark.costly
@pytest.mark.on_postgres("many rows in one statement")
def test_people_of_an_event_have_one_link_for_all_sections(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    given = {"actor": chief_arbiter, "now": NOW}
    access = Access("s" * 32, "123456")
    made = shared(
        person_appoint, everywhere=True, tournament_id=first.pk, name="Hal Helper", role="result_desk",
        access=access, **given,
    )  # fmt: skip
    roles = Appointment.objects.filter(person=made.person, until=None)
    assert sorted(roles.values_list("tournament", "link")) == sorted(
        (pk, made.link) for pk in (first.pk, second.pk)
    )
    new = access_renew(appointment_id=made.pk, access=Access("t" * 32, "654321"), **given)
    assert set(roles.values_list("link", "pin")) == {(new.link, new.pin)}
    signed_in = client.post(reverse("sign-in-link", args=["t" * 32]), {"pin": "654 321"})
    assert signed_in["Location"] == reverse("event-desk", args=[event.slug])
    assert client.get(reverse("event-desk", args=[event.slug])).status_code == 200
    person_leave(appointment_id=made.pk, **given)
    assert not roles.exists()
    assert client.get(reverse("event-desk", args=[event.slug])).status_code == 403
    for section in (first, second):
        assert not verify(section)


def test_a_role_in_one_section_only(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    client.post(reverse("people", args=[first.slug]), {"name": "Only Here", "role": "reader"})
    client.post(
        reverse("people", args=[first.slug]),
        {"name": "Every Where", "role": "reader", "everywhere": "yes"},
    )
    assert Appointment.objects.filter(person__first_name="Only Here").count() == 1
    assert Appointment.objects.filter(person__first_name="Every Where").count() == 2
