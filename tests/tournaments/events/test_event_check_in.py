"""One check-in page for all sections of an event:
the same desk, with the section beside each name.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.tournaments.factories import NOW, make_ready, round_of
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.desk_data import desk_data_set, fee_set
from tournaments.entries.entries import entry_add, entry_check_in
from tournaments.events.check_in import check_ins_switch
from tournaments.events.event_page import event_key, sections_of
from tournaments.events.sections import event_create, section_add
from tournaments.models import Appointment, Decision, Entry, Event, Role, Tournament
from tournaments.people.people import Access, person_appoint

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("sorting and searching")]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def event(chief_arbiter: User) -> Event:
    """An event with the sections A (eight players, a fee) and B (three players)."""
    by = {"actor": chief_arbiter, "now": NOW}
    first = make_ready(chief_arbiter, name="City Open", rounds=1)
    made = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    second = section_add(event_id=made.pk, like_id=first.pk, label="B", limits={}, **by)
    for name in ("Abel, Ada", "Zorn, Zoé", "Eriksen, Eva"):
        entry_add(tournament_id=second.pk, name=name, **by)
    fee_set(tournament_id=second.pk, fee=1500, **by)
    return made


def section(label: str) -> Tournament:
    return own(Tournament).get(section__label=label)


def address(event: Event, name: str = "event-check-in") -> str:
    return reverse(name, args=[event.slug])


def helper_of(*labels: str) -> User:
    user = User.objects.create_user("hal", password="helper-secret")
    for label in labels:
        Appointment.objects.create(
            tournament=section(label), person=user, role=Role.CHECK_IN_DESK, since=NOW
        )
    return user


@pytest.mark.costly
def test_letters_and_enter_check_in_whoever_it_is(event: Event, client: Client) -> None:
    client.force_login(helper_of("A", "B"))
    page = client.get(address(event))
    assert [line.entry.name for line, _ in page.context["lines"]][:2] == [
        "Abara, Player 1",
        "Abel, Ada",
    ]
    find = address(event, "event-check-in-find")
    lines = [
        client.post(find, {"who": who}, follow=True).content.decode()
        for who in ("zoe", "zoe", "eri", "xyz", "")
    ]
    assert "Zorn, Zoé (B) is checked in." in lines[0]
    assert "Zorn, Zoé (B) is not expected, or is checked in already." in lines[1]
    assert "2 players fit: choose one." in lines[2]
    assert "No player matches your search." in lines[3]
    assert "Type the first letters of a name." in lines[4]
    listed = client.get(address(event)).context["listed"]
    assert (listed.not_there, listed.present, listed.expected) == (10, 1, 11)
    assert [part.not_there for part in listed.parts] == [8, 2]
    assert (listed.due, listed.paid, listed.to_pay) == (3 * 1500, 0, 3 * 1500)
    zoe = Entry.objects.get(name="Zorn, Zoé")
    out = client.post(address(event, "event-check-in-tick"), {"out": zoe.pk}, headers=HTMX)
    assert (
        out["HX-Trigger"],
        "Zorn, Zoé (B) is no longer checked in." in out.content.decode(),
    ) == ("saved", True)
    assert client.post(address(event, "event-check-in-tick"), {"in": "x"}).status_code == 422


@pytest.mark.costly
def test_the_card_leads_back_to_the_event(event: Event, client: Client) -> None:
    client.force_login(helper_of("A", "B"))
    zoe = Entry.objects.get(name="Zorn, Zoé")
    card = reverse("desk-card", args=[section("B").slug, zoe.pk])
    assert f'href="{card}?event"' in client.get(address(event)).content.decode()
    assert client.post(f"{card}?event", {"pay": "1500"})["Location"] == address(event)
    assert client.post(card, {"pay": "1500"})["Location"] == reverse(
        "check-in", args=[section("B").slug]
    )
    listed = client.get(address(event)).context["listed"]
    assert (listed.paid, listed.to_pay) == (1500, 3000)


@pytest.mark.costly
def test_a_helper_of_one_section_sees_that_one_only(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    ada = Entry.objects.get(name="Abel, Ada")
    desk_data_set(
        entry_id=ada.pk,
        actor=chief_arbiter,
        now=NOW,
        phone="06 12",
        note="",
        fee_due=None,
        fee_paid=0,
    )
    client.force_login(helper_of("A"))
    assert client.get(reverse("event-desk", args=[event.slug]))["Location"] == address(event)
    seen = client.get(address(event)).content.decode()
    assert ("Abara, Player 1" in seen, "Abel, Ada" in seen, "06 12" in seen) == (True, False, False)
    assert "Open check-in" not in seen
    message = client.post(address(event, "event-check-in-find"), {"who": "abel"}).content.decode()
    assert "No player matches your search." in message
    assert client.post(address(event, "event-check-in-tick"), {"in": ada.pk}).status_code == 404
    assert client.post(address(event, "event-check-in-turn"), {"open": "yes"}).status_code == 403
    ada.refresh_from_db()
    assert not ada.checked_in


@pytest.mark.costly
def test_readers_see_no_private_data_and_strangers_nothing(
    event: Event, client: Client, chief_arbiter: User, stranger: User
) -> None:
    ada = Entry.objects.get(name="Abel, Ada")
    desk_data_set(
        entry_id=ada.pk,
        actor=chief_arbiter,
        now=NOW,
        phone="06 12",
        note="",
        fee_due=None,
        fee_paid=0,
    )
    reader = User.objects.create_user("reader", password="reader-secret")
    for label in ("A", "B"):
        Appointment.objects.create(
            tournament=section(label), person=reader, role=Role.READER, since=NOW
        )
    client.force_login(reader)
    seen = client.get(address(event)).content.decode()
    assert ("Abel, Ada" in seen, "06 12" in seen, 'id="who"' in seen) == (True, False, False)
    assert client.post(address(event, "event-check-in-find"), {"who": "abel"}).status_code == 403
    client.force_login(stranger)
    assert client.get(address(event)).status_code == 403
    client.logout()
    assert client.get(address(event)).status_code == 302


@pytest.mark.costly
def test_c04_2_4_1_all_sections_are_opened_and_closed_at_once(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    turn = address(event, "event-check-in-turn")
    seen = {f"seen-{section(label).pk}": section(label).version for label in ("A", "B")}
    assert client.get(address(event)).context["closed"]
    assert client.post(turn, seen | {"open": "yes"})["Location"] == address(event)
    assert [section(label).check_in_open for label in ("A", "B")] == [True, True]
    stale = client.post(turn, seen | {"open": "no"})
    assert (stale.status_code, "Nothing was" in stale.content.decode()) == (409, True)
    now = {f"seen-{section(label).pk}": section(label).version for label in ("A", "B")}
    half = {**now, f"seen-{section('B').pk}": -1}
    lines = Decision.objects.count()
    assert client.post(turn, half | {"open": "no"}).status_code == 409
    assert client.post(turn, {"open": "no"}).status_code == 400
    assert Decision.objects.count() == lines
    assert [section(label).check_in_open for label in ("A", "B")] == [True, True]
    assert client.post(turn, now | {"open": "no"}).status_code == 302
    page = client.get(address(event)).content.decode()
    assert "check in</button>" not in page
    assert [section(label).check_in_open for label in ("A", "B")] == [False, False]


def test_only_an_arbiter_of_each_section_turns_it(
    event: Event, neighbour: Tournament, chief_arbiter: User
) -> None:
    helper = helper_of("A", "B")
    both = {section(label).pk: section(label).version for label in ("A", "B")}
    with pytest.raises(PermissionDenied):
        check_ins_switch(event=event, seen=both, opens=True, actor=helper, now=NOW)
    with pytest.raises(BadInput, match="not a section"):
        check_ins_switch(
            event=event, seen={neighbour.pk: 1}, opens=True, actor=chief_arbiter, now=NOW
        )
    with pytest.raises(Conflict):
        check_ins_switch(
            event=event, seen=dict.fromkeys(both, -1), opens=True, actor=chief_arbiter, now=NOW
        )
    assert not section("A").check_in_open


@pytest.mark.costly
def test_an_open_page_hears_about_every_section(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    client.force_login(helper_of("A", "B"))
    key = client.get(address(event)).context["key"]
    assert key == event_key(sections_of(event), runs=True)
    assert client.get(address(event), {"v": key}, headers=HTMX).status_code == 204
    zoe = Entry.objects.get(name="Zorn, Zoé")
    entry_check_in(entry_id=zoe.pk, actor=chief_arbiter, now=NOW, checked_in=True)
    part = client.get(address(event), {"v": key}, headers=HTMX).content.decode()
    assert ('id="live"' in part, 'id="who"' in part, 'id="check-in-counts"' in part) == (
        True,
        False,
        True,
    )


@pytest.mark.costly
def test_a_section_whose_rounds_are_all_published_is_left_out(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    number_one = round_of(section("A"), 1)
    round_pair(round_id=number_one.pk, actor=chief_arbiter, now=NOW)
    round_publish(round_id=number_one.pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)
    page = client.get(address(event))
    assert [label for _, label in page.context["lines"]] == ["B"] * 3
    assert [part.tournament.pk for part in page.context["closed"]] == [section("B").pk]
    assert (
        "Eriksen, Eva (B) is checked in."
        in client.post(
            address(event, "event-check-in-find"), {"who": "erik"}, follow=True
        ).content.decode()
    )


def test_a_link_for_all_sections_leads_to_the_check_in(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    access = Access("s" * 32, "123456")
    made = person_appoint(
        tournament_id=section("A").pk, name="Hal Helper", role="check_in_desk", access=access,
        actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    signed_in = client.post(
        reverse("sign-in-link", args=["s" * 32]), {"pin": "123456"}, follow=True
    )
    assert made.person is not None
    assert signed_in.redirect_chain[-1][0] == address(event)


@pytest.mark.costly
def test_a_point_stands_only_between_two_texts(
    event: Event, client: Client, chief_arbiter: User
) -> None:
    entry_add(
        tournament_id=section("B").pk, name="Lone, Leo", club="Mat", actor=chief_arbiter, now=NOW
    )
    client.force_login(chief_arbiter)
    leo = (
        client.get(address(event))
        .content.decode()
        .partition("Lone, Leo</a>")[2]
        .partition("</li>")[0]
    )
    assert '<span class="muted small">Mat</span>' in leo
    desk = client.get(reverse("desk", args=[section("B").slug])).content.decode()
    assert "·" not in desk.partition('class="event-title"')[2].partition("</p>")[0]


@pytest.mark.costly
def test_all_missing_players_of_all_sections_are_checked_in_or_nobody(
    event: Event, client: Client
) -> None:
    client.force_login(helper_of("A", "B"))
    text = client.get(address(event)).content.decode()
    sent = dict(re.findall(r'name="((?:round|missing)-\d+)" value="([^"]*)"', text))
    tick, everybody = address(event, "event-check-in-tick"), sent | {"all": "yes"}
    assert "Check in all 11 missing players" in text
    stale = client.post(tick, everybody | {f"round-{section('B').pk}": "2"}, headers=HTMX)
    assert (stale.status_code, own(Entry).filter(checked_in=True).count()) == (409, 0)
    done = client.post(tick, everybody, headers=HTMX)
    assert (done.status_code, done["HX-Redirect"]) == (200, address(event))
    assert own(Entry).filter(checked_in=True).count() == 11
    assert "11 players are checked in." in client.get(address(event)).content.decode()
