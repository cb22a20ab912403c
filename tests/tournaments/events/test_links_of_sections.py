"""The link of a helper opens all sections of an event:
who renews it, and where wrong PINs count.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments.events.conftest import add
from tests.tournaments.factories import NOW, seen_now
from tournaments.core.record import verify
from tournaments.events.staff import shared
from tournaments.models import Appointment, Decision, Event, Tournament
from tournaments.people.people import (
    Access,
    access_renew,
    chief_hand_over,
    person_appoint,
    person_remove,
)
from tournaments.people.sign_in import MOST_WRONG_PINS
from tournaments.reports.record_against_tables import differences


@pytest.mark.costly
def test_a_new_link_is_for_the_chief_arbiter_of_every_section_and_in_every_record(
    event: Event,
    first: Tournament,
    second: Tournament,
    chief_arbiter: User,
    deputy: User,
    client: Client,
) -> None:
    given = {"actor": chief_arbiter, "now": NOW}
    made = shared(
        person_appoint, everywhere=True, tournament_id=first.pk, name="Hal Helper", role="deputy",
        access=Access("s" * 32, "123456"), **given,
    )  # fmt: skip
    new = access_renew(appointment_id=made.pk, access=Access("t" * 32, "654321"), **given)
    for section in (first, second):
        line = Decision.objects.filter(tournament=section).latest("sequence")
        assert (line.action, line.actor, line.after["person"]) == (
            "access.renewed",
            chief_arbiter,
            made.person_id,
        )
        assert not verify(section)
        assert not differences(Tournament.objects.get(pk=section.pk))
    theirs, _ = Appointment.objects.get_or_create(
        tournament=second, person=deputy, until=None, defaults={"role": "deputy", "since": NOW}
    )
    chief_hand_over(appointment_id=theirs.pk, **given)
    lines = Decision.objects.count()
    roles = list(Appointment.objects.filter(person=made.person_id).order_by("pk"))
    for role, actor in zip(roles, (chief_arbiter, deputy), strict=True):
        with pytest.raises(PermissionDenied, match=r"has a role in “City Open [AB]” too"):
            access_renew(
                appointment_id=role.pk, access=Access("u" * 32, "000000"), actor=actor, now=NOW
            )
    client.force_login(chief_arbiter)
    refused = client.post(reverse("person-renew", args=[first.slug, made.pk]), seen_now(first))
    assert (refused.status_code, "End the role here" in refused.content.decode()) == (403, True)
    assert set(
        Appointment.objects.filter(person=made.person_id).values_list("link", flat=True)
    ) == {new.link}
    assert Decision.objects.count() == lines


def test_wrong_pins_count_for_the_link_in_all_sections(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    given = {"actor": chief_arbiter, "now": NOW}
    made = shared(
        person_appoint, everywhere=True, tournament_id=first.pk, name="Hal Helper", role="reader",
        access=Access("s" * 32, "123456"), **given,
    )  # fmt: skip
    url = reverse("sign-in-link", args=["s" * 32])
    assert [client.post(url, {"pin": "000000"}).status_code for _ in range(MOST_WRONG_PINS)] == [
        403
    ] * MOST_WRONG_PINS
    rows = Appointment.objects.filter(person=made.person_id)
    assert set(rows.values_list("wrong_pins", flat=True)) == {MOST_WRONG_PINS}
    # The lock stays when the role of the first section ends, and in a section that is added later.
    third = add(event, second, chief_arbiter, "C")
    person_remove(appointment_id=made.pk, **given)
    assert "locked after too many wrong PINs" in client.get(url).content.decode()
    assert client.post(url, {"pin": "123456"}).status_code == 403
    person_remove(appointment_id=rows.get(tournament=second).pk, **given)
    assert client.post(url, {"pin": "123456"}).status_code == 403
    assert "_auth_user_id" not in client.session
    access_renew(
        appointment_id=rows.get(tournament=third).pk, access=Access("t" * 32, "654321"), **given
    )
    assert (
        client.post(reverse("sign-in-link", args=["t" * 32]), {"pin": "654321"}).status_code == 302
    )


def test_a_link_that_an_earlier_version_counted_in_one_section_is_locked_in_all(
    event: Event, first: Tournament, second: Tournament, chief_arbiter: User, client: Client
) -> None:
    made = shared(
        person_appoint, everywhere=True, tournament_id=first.pk, name="Hal Helper", role="reader",
        access=Access("s" * 32, "123456"), actor=chief_arbiter, now=NOW,
    )  # fmt: skip
    Appointment.objects.filter(pk=made.pk).update(wrong_pins=MOST_WRONG_PINS, until=NOW, pin="")
    url = reverse("sign-in-link", args=["s" * 32])
    assert client.post(url, {"pin": "123456"}).status_code == 403
    assert "locked after too many wrong PINs" in client.get(url).content.decode()
