"""People with roles: appointed, signed in with a link and a PIN, removed, and the hand-over."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from config.log import WithoutSecrets
from pairing.rounds.pair import round_pair
from pairing.rules.powers import BY_THE_CONSOLE
from tests.plugins.empty_tables import guard_lifted
from tests.policy.refusals import words_of
from tests.tournaments.factories import NOW, make_ready, play_rounds, round_of, seen_now
from tests.tournaments.neighbour import own
from tests.tournaments.reports.wanderers import checked, exported, verified
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import role_of
from tournaments.models import Appointment, Decision, Invitation, Role, Tournament
from tournaments.people.people import (
    Access,
    access_renew,
    account_appoint,
    chief_hand_over,
    person_appoint,
    person_remove,
    role_end,
)
from tournaments.people.sign_in import MOST_WRONG_PINS, appointment_of, is_locked, pin_is_right
from tournaments.reports.record_against_tables import people_differences
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.final import standings_make_final, standings_reopen

pytestmark = pytest.mark.on_postgres("constraints")

ACCESS = Access("a-long-secret", "012345")


def appoint(
    tournament: Tournament, actor: User, name: str = "Rita Result", role: str = "result_desk"
) -> Appointment:
    return person_appoint(
        tournament_id=tournament.pk, name=name, role=role, access=Access(f"secret of {name}", "012345"), actor=actor,
        now=NOW,
    )  # fmt: skip


def lines(tournament: Tournament) -> list[tuple[str, str]]:
    rows = Decision.objects.filter(tournament=tournament).order_by("sequence")
    return [(row.action, row.actor_name) for row in rows]


@pytest.fixture
def chief(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def test_the_creator_is_the_chief_arbiter_and_an_administrator_has_no_role(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    stranger.is_staff = stranger.is_superuser = True
    stranger.save()
    assert (role_of(chief_arbiter, tournament), role_of(stranger, tournament)) == (Role.CHIEF, None)


def test_a_person_is_appointed_once_and_the_record_names_the_person(
    tournament: Tournament, chief_arbiter: User
) -> None:
    made = appoint(tournament, chief_arbiter)
    assert (made.person.first_name, made.person.has_usable_password(), made.role) == (
        "Rita Result",
        False,
        "result_desk",
    )
    assert "012345" not in made.pin
    assert "secret" not in made.link
    row = Decision.objects.get(tournament=tournament, action="person.appointed")
    assert row.after == {"person": made.person_id, "name": "Rita Result", "role": "result_desk"}
    with pytest.raises(Conflict, match="has a role in this tournament already"):
        appoint(tournament, chief_arbiter, name=" rita  result ")
    for name, role in (("", "deputy"), ("x" * 151, "deputy"), ("Max", "chief"), ("Max", "king")):
        with pytest.raises(BadInput):
            appoint(tournament, chief_arbiter, name=name, role=role)
    assert own(Appointment).count() == 2


def test_only_the_chief_arbiter_changes_roles(
    tournament: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    made = appoint(tournament, chief_arbiter)
    before = lines(tournament)
    given = {"now": NOW, "appointment_id": made.pk}
    for actor in (deputy, stranger, made.person):
        with pytest.raises(PermissionDenied):
            appoint(tournament, actor, name="Somebody Else")
        with pytest.raises(PermissionDenied):
            account_appoint(
                tournament_id=tournament.pk,
                username="stranger",
                role="deputy",
                actor=actor,
                now=NOW,
            )
        with pytest.raises(PermissionDenied):
            person_remove(actor=actor, **given)
        with pytest.raises(PermissionDenied):
            access_renew(actor=actor, access=ACCESS, **given)
        with pytest.raises(PermissionDenied):
            chief_hand_over(actor=actor, **given)
    assert lines(tournament) == before


@pytest.mark.costly
def test_link_and_pin_sign_in_and_the_end_of_the_role_ends_everything(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    made = appoint(ready, chief_arbiter, role="deputy")
    url = reverse("sign-in-link", args=["secret of Rita Result"])
    shown = client.get(url)
    assert (shown.status_code, shown.headers["Referrer-Policy"]) == (200, "same-origin")
    assert "no-store" in shown.headers["Cache-Control"]
    assert client.post(url, {"pin": "999999"}).status_code == 403
    response = client.post(url, {"pin": "012 345"})
    assert (response.status_code, response.headers["Location"]) == (
        302,
        reverse("desk", args=[ready.slug]),
    )
    assert client.get(reverse("desk", args=[ready.slug])).status_code == 200
    assert client.get(reverse("tournament-create")).status_code in (302, 403)
    person_remove(appointment_id=made.pk, actor=chief_arbiter, now=NOW)
    pair = reverse("round-pair", args=[ready.slug, 1])
    for answer in (client.get(reverse("desk", args=[ready.slug])), client.post(pair)):
        assert answer.status_code == 403
        assert "Clara Chief ended your role in Autumn Open on 21 Nov 2026, 09:00." in words_of(
            answer.content.decode()
        )
    # The page of the link says why it ended, not whose it was; the PIN opens nothing.
    for answer in (client.get(url), Client().get(url), Client().post(url, {"pin": "012345"})):
        words = words_of(answer.content.decode())
        assert answer.status_code == 404
        assert "Clara Chief ended your role in Autumn Open on 21 Nov 2026, 09:00." in words
    assert "Rita" not in words_of(Client().get(url).content.decode())
    unknown = Client().get(reverse("sign-in-link", args=["another secret"]))
    assert (unknown.status_code, "It is unknown" in words_of(unknown.content.decode())) == (
        404,
        True,
    )
    with pytest.raises(Conflict):
        person_remove(appointment_id=made.pk, actor=chief_arbiter, now=NOW)


@pytest.mark.costly
def test_c04_2_4_3_a_link_that_ended_with_the_event_says_so(
    chief_arbiter: User, stranger: User, client: Client
) -> None:
    over = make_ready(chief_arbiter, rounds=1)
    play_rounds(over, [1], chief_arbiter)
    appoint(over, chief_arbiter, role="deputy")
    url, desk = (
        reverse("sign-in-link", args=["secret of Rita Result"]),
        reverse("desk", args=[over.slug]),
    )
    client.post(url, {"pin": "012345"})
    standings_make_final(tournament_id=over.pk, actor=chief_arbiter, now=NOW, ties_stay=True)
    expected = "Your role in Autumn Open ended with the final standings on 21 Nov 2026, 09:00."
    for answer, status in ((client.get(desk), 403), (Client().get(url), 404)):
        assert (answer.status_code, expected in words_of(answer.content.decode())) == (status, True)
    # A stranger learns nothing; a person with a new role reads nothing about the old one.
    client.force_login(stranger)
    assert "ended" not in words_of(client.get(desk).content.decode())
    standings_reopen(
        tournament_id=over.pk, actor=chief_arbiter, now=NOW, reason="a scoresheet was found"
    )
    again = appoint(over, chief_arbiter, "Rita again", role="deputy")
    assert role_end(over, again.person_id) is None


def test_a_link_is_locked_after_five_wrong_pins_until_there_is_a_new_one(
    tournament: Tournament, chief_arbiter: User
) -> None:
    made = appoint(tournament, chief_arbiter)
    assert [pin_is_right(made, "000000") for _ in range(MOST_WRONG_PINS)] == [
        False
    ] * MOST_WRONG_PINS
    assert not pin_is_right(made, "012345")
    made.refresh_from_db()
    assert is_locked(made)
    access_renew(appointment_id=made.pk, access=ACCESS, actor=chief_arbiter, now=NOW)
    assert appointment_of("secret of Rita Result") is None
    again = appointment_of(ACCESS.secret)
    assert again is not None
    assert not is_locked(again)
    assert pin_is_right(again, ACCESS.pin)


def test_the_log_says_who_typed_wrong_pins_and_when_the_link_is_locked(
    tournament: Tournament, chief_arbiter: User, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    appoint(tournament, chief_arbiter)
    path = reverse("sign-in-link", args=["secret of Rita Result"])
    for _ in range(MOST_WRONG_PINS):
        assert client.post(path, {"pin": "000000"}).status_code == 403
    lines = [
        record.getMessage()
        for record in caplog.records
        if record.name == "tournaments.web.people.sign_in"
    ]
    assert lines == [
        *["Wrong PIN: Rita Result from 127.0.0.1"] * (MOST_WRONG_PINS - 1),
        "PIN refused, the link is locked: Rita Result from 127.0.0.1",
    ]


def test_the_chief_arbiter_hands_over_to_a_deputy_and_becomes_one(
    tournament: Tournament, chief_arbiter: User, deputy: User
) -> None:
    desk = appoint(tournament, chief_arbiter)
    with pytest.raises(BadInput, match="is not a deputy"):
        chief_hand_over(appointment_id=desk.pk, actor=chief_arbiter, now=NOW)
    theirs = Appointment.objects.get(tournament=tournament, person=deputy)
    mine = Appointment.objects.get(tournament=tournament, person=chief_arbiter)
    with pytest.raises(BadInput, match="hand over"):
        person_remove(appointment_id=mine.pk, actor=chief_arbiter, now=NOW)
    chief_hand_over(appointment_id=theirs.pk, actor=chief_arbiter, now=NOW)
    fresh = Tournament.objects.get(pk=tournament.pk)
    assert (role_of(deputy, fresh), role_of(chief_arbiter, fresh)) == (Role.CHIEF, Role.DEPUTY)
    assert lines(tournament)[-2:] == [
        ("chief.handed_over", "Clara Chief"),
        ("tournament.updated", "Clara Chief"),
    ]
    assert fresh.chief_arbiter == "Dan Deputy"
    with pytest.raises(PermissionDenied):
        chief_hand_over(appointment_id=theirs.pk, actor=chief_arbiter, now=NOW)


def test_the_console_of_the_server_replaces_a_chief_arbiter_who_is_gone(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    call_command("appoint", tournament.slug, "stranger")
    call_command("appoint", tournament.slug, "stranger")
    fresh = Tournament.objects.get(pk=tournament.pk)
    assert (role_of(stranger, fresh), role_of(chief_arbiter, fresh)) == (Role.CHIEF, Role.DEPUTY)
    row = Decision.objects.get(tournament=tournament, action="chief.handed_over")
    assert row.reason == "by the console of the server"
    assert (row.actor, row.actor_name) == (None, "the server")
    assert verified(tournament) == ""
    assert [checked(exported(tournament, runs=runs)) for runs in (True, False)] == [None, None]
    tournament_update(tournament_id=tournament.pk, actor=stranger, now=NOW, chief_arbiter="Another")
    row = Decision.objects.filter(tournament=tournament).latest("sequence")
    with guard_lifted(connection):
        Decision.objects.filter(pk=row.pk).update(
            actor=None, actor_name="the server", reason=BY_THE_CONSOLE
        )
    assert "the server held no role" in str(people_differences(tournament))
    for slug, name in (("nowhere", "stranger"), (tournament.slug, "nobody")):
        with pytest.raises(CommandError, match="There is no"):
            call_command("appoint", slug, name)


@pytest.mark.costly
def test_the_page_shows_link_and_pin_once(
    chief: Client, tournament: Tournament, client: Client
) -> None:
    url = reverse("people", args=[tournament.slug])
    shown = chief.post(
        url, {"name": "Carl Check", "role": "check_in_desk"}, follow=True
    ).content.decode()
    link, pin = (
        re.search(r"/join/([\w-]+)/", shown),
        re.search(r'class="pin">(\d{3} \d{3})<', shown),
    )
    assert link
    assert pin
    assert "Carl Check, check-in desk" in shown
    again = chief.get(url).content.decode()
    assert link[0] not in again
    assert pin[1] not in again
    assert chief.post(url, {"name": "Carl Check", "role": "deputy"}).status_code == 409
    assert chief.post(url, {"name": "", "role": "deputy"}).status_code == 400
    assert chief.post(url, {"username": "no\nbody", "role": "deputy"}).status_code == 400
    assert chief.post(url, {"username": "chief", "role": "deputy"}).status_code == 409
    visitor = Client()
    assert visitor.post(link[0], {"pin": pin[1]}).status_code == 302


@pytest.mark.costly
def test_an_account_is_invited_by_its_name_and_accepts(
    chief: Client, tournament: Tournament, stranger: User
) -> None:
    url = reverse("people", args=[tournament.slug])
    assert (
        chief.post(url, {"username": "stranger", "name": "Sam", "role": "reader"}).status_code
        == 400
    )
    assert chief.post(url, {"username": "stranger", "role": "reader"}).status_code == 302
    theirs = Client()
    theirs.force_login(stranger)
    assert theirs.post(reverse("invitation", args=[own(Invitation).get().pk])).status_code == 302
    theirs = Appointment.objects.get(tournament=tournament, person=stranger)
    assert theirs.role == "reader"
    assert (
        chief.post(
            reverse("person-renew", args=[tournament.slug, theirs.pk]), seen_now(tournament)
        ).status_code
        == 400
    )
    assert (
        chief.post(
            reverse("person-remove", args=[tournament.slug, theirs.pk]), seen_now(tournament)
        ).status_code
        == 302
    )
    assert Client().get(url).status_code == 302


def test_people_of_another_tournament_cannot_be_reached(
    chief: Client, tournament: Tournament, neighbour: Tournament
) -> None:
    theirs = Appointment.objects.get(tournament=neighbour)
    for name in ("person-remove", "person-renew", "person-hand-over"):
        assert chief.post(reverse(name, args=[tournament.slug, theirs.pk])).status_code == 404


@pytest.mark.parametrize("name", ["\u200b", "\u2800", "a\x00b", "Dep\u200bUty", "\u202eeve", "12"])
def test_a_name_that_cannot_be_read_is_refused(
    name: str, tournament: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(BadInput):
        appoint(tournament, chief_arbiter, name=name)


@pytest.mark.parametrize("again", ["ZOË", "Zoe\u0308", "zoe", "\uff3a\uff4f\uff45"])
def test_a_name_is_the_same_however_it_is_written(
    again: str, tournament: Tournament, chief_arbiter: User
) -> None:
    appoint(tournament, chief_arbiter, name="Zoë")
    with pytest.raises(Conflict):
        appoint(tournament, chief_arbiter, name=again)


def test_a_new_link_ends_the_sessions_of_the_person(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    made = appoint(ready, chief_arbiter, role="deputy")
    assert (
        client.post(
            reverse("sign-in-link", args=["secret of Rita Result"]), {"pin": "012345"}
        ).status_code
        == 302
    )
    access_renew(appointment_id=made.pk, access=ACCESS, actor=chief_arbiter, now=NOW)
    assert (
        client.get(reverse("desk", args=[ready.slug]))
        .headers["Location"]
        .startswith("/accounts/login/")
    )


def test_a_right_pin_forgets_the_wrong_ones_before(
    tournament: Tournament, chief_arbiter: User
) -> None:
    made = appoint(tournament, chief_arbiter)
    assert not pin_is_right(made, "000000")
    assert pin_is_right(made, "012-345")
    made.refresh_from_db()
    assert made.wrong_pins == 0


def test_only_a_page_that_is_shown_forgets_link_and_pin(
    chief: Client, tournament: Tournament
) -> None:
    url = reverse("people", args=[tournament.slug])
    chief.post(url, {"name": "Carl Check", "role": "check_in_desk"})
    assert chief.head(url).status_code == 200
    assert 'class="pin"' in chief.get(url).content.decode()


def test_the_secret_of_a_link_is_not_in_the_log(
    tournament: Tournament, chief_arbiter: User, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    appoint(tournament, chief_arbiter, name="Rita")
    caplog.handler.addFilter(WithoutSecrets())
    client.post("/join/secret%20of%20Rita/", {"pin": "999999"})
    assert "/join/…" in caplog.text
    assert "secret" not in caplog.text


def test_a_person_at_a_desk_who_may_not_undo_sees_no_draft(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    person = appoint(ready, chief_arbiter).person
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    client.force_login(person)
    first = reverse("desk", args=[ready.slug])
    response = client.post(reverse("undo", args=[ready.slug]), {"sequence": "1"}, follow=True)
    assert response.redirect_chain == [(first, 302)]
    page = response.content.decode()
    assert "Nothing was changed" in page
    # Nothing of the draft: neither its boards nor its missing results.
    assert "You can enter results here once the pairings of round 1 are published." in page
    assert "of round 1 are missing" not in page
    assert "Abara" not in page
    assert client.get(reverse("results-state", args=[ready.slug, 1])).status_code == 404
