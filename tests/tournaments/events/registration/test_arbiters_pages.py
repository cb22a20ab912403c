"""The arbiters' pages of the registration: settings, the queue, and who sees the contacts."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournaments.factories import NOW, seen_now
from tournaments.events.registration.visitor import registration_withdraw
from tournaments.models import (
    Appointment,
    Entry,
    RegistrationSettings,
    Role,
    Tournament,
)

from .conftest import Register, opened

pytestmark = pytest.mark.django_db


class TestDesk:
    @pytest.mark.costly
    def test_open_and_close_and_a_stale_page(self, tournament: Tournament, desk: Client) -> None:
        url = reverse("registration-settings", args=[tournament.slug])
        assert "closed" in desk.get(url).content.decode()
        form = {
            "is_open": "on",
            "closes_at": "2026-12-01T18:00",
            "most": "40",
            "hours": "48",
        } | seen_now(tournament)
        assert desk.post(url, form).status_code == 302
        found = RegistrationSettings.objects.get(tournament=tournament)
        assert (found.is_open, found.most, found.waiting_list) == (True, 40, False)
        assert reverse("register", args=[tournament.slug]) in desk.get(url).content.decode()
        stale = desk.post(url, form | {"most": "50"})
        assert stale.status_code == 409
        assert "Nothing was saved" in stale.content.decode()
        assert desk.post(url, {key: form[key] for key in ("is_open", "hours")}).status_code == 409
        bad = desk.post(url, seen_now(tournament) | {"hours": "0", "closes_at": "never"})
        assert bad.status_code == 422

    def test_accept_correct_and_refuse(
        self, autumn: Tournament, desk: Client, register: Register
    ) -> None:
        row = register()
        url = reverse("registrations", args=[autumn.slug])
        page = desk.get(url).content.decode()
        assert "ada@example.org" in page
        assert "without doubts" in page
        accept = reverse("registration-accept", args=[autumn.slug, row.pk])
        form = {f"r{row.pk}-{name}": text for name, text in row.fields.items()} | {
            "seen": row.version,
            "doubts": "",
        }
        kept = desk.post(accept, form | {f"r{row.pk}-fide_rating": "many"})
        assert kept.status_code == 400
        assert 'value="many"' in kept.content.decode()
        assert desk.post(accept, form).status_code == 302
        assert Entry.objects.get(tournament=autumn).name == "Abara, Ada"
        assert desk.post(accept, form).status_code == 409
        assert desk.post(accept, form | {"seen": "x"}).status_code == 422
        decided = desk.get(url).content.decode()
        assert "No registrations are waiting." in decided
        assert "accepted" in decided

    def test_a_refusal_that_fails_keeps_its_reason(
        self, autumn: Tournament, desk: Client, register: Register
    ) -> None:
        row = register()
        refuse = reverse("registration-refuse", args=[autumn.slug, row.pk])
        stale = desk.post(
            refuse, {"seen": row.version - 1, f"r{row.pk}-reason": "The fee was not paid."}
        )
        page = stale.content.decode()
        assert stale.status_code == 409
        assert 'value="The fee was not paid."' in page
        assert 'value="Abara, Ada"' in page
        assert '<details class="confirm" open>' in page

    @pytest.mark.costly
    def test_the_queue_counts_places_and_rounds(
        self, autumn: Tournament, desk: Client, chief_arbiter: User, register: Register
    ) -> None:
        opened(autumn, chief_arbiter, most=1, offers_byes=True)
        register(byes=[2])
        register("Blom, Bo", byes=[2, 3])
        register("Czerny, Cleo")
        registration_withdraw(secret="secret of Czerny, Cleo", now=NOW)
        page = desk.get(reverse("registrations", args=[autumn.slug])).content.decode()
        for words in (
            "1 of 1 place is taken",
            "On the waiting list: 1.",
            "bye: round 2",
            "byes: rounds 2, 3",
        ):
            assert words in page
        assert '<th scope="row">–</th>' in page

    def test_the_desk_says_what_waits(
        self, autumn: Tournament, desk: Client, register: Register
    ) -> None:
        register()
        page = desk.get(reverse("desk", args=[autumn.slug])).content.decode()
        assert "1 confirmed registration</strong>" in page

    @pytest.mark.costly
    def test_all_without_doubts(self, autumn: Tournament, desk: Client, register: Register) -> None:
        register()
        register("Blom, Bo", confirm=False)
        url = reverse("registrations", args=[autumn.slug])
        shown = re.findall(r'name="seen" value="([^"]*)"', desk.get(url).content.decode())[0]
        answer = desk.post(
            reverse("registrations-accept", args=[autumn.slug]), {"seen": shown}, follow=True
        )
        assert "1 player is entered." in answer.content.decode()
        assert (
            desk.post(
                reverse("registrations-accept", args=[autumn.slug]), {"seen": "1;2"}
            ).status_code
            == 422
        )

    @pytest.mark.parametrize("role", [Role.READER, Role.RESULT_DESK, Role.CHECK_IN_DESK])
    def test_nobody_else_sees_the_contacts(
        self, role: Role, autumn: Tournament, client: Client, stranger: User, register: Register
    ) -> None:
        Appointment.objects.create(tournament=autumn, person=stranger, role=role, since=NOW)
        register()
        client.force_login(stranger)
        for name in ("registrations", "registration-settings", "api:registrations-csv"):
            answer = client.get(reverse(name, args=[autumn.slug]))
            assert answer.status_code == 403
            assert "ada@example.org" not in answer.content.decode()

    @pytest.mark.costly
    def test_the_file_has_every_registration_and_follows_changes(
        self, autumn: Tournament, desk: Client, chief_arbiter: User, register: Register
    ) -> None:
        opened(autumn, chief_arbiter, most=1, offers_byes=True)
        register(byes=[2])
        register("Blom, Bo", byes=[2, 3])
        page = desk.get(reverse("registrations", args=[autumn.slug])).content.decode()
        url = reverse("api:registrations-csv", args=[autumn.slug])
        assert f"{url}?heads=words&amp;as=xlsx" in page
        answer = desk.get(url)

        def found(answer: HttpResponse) -> list[tuple[str, ...]]:
            rows = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
            shown = ("name", "state", "waiting_number", "byes", "email")
            return [tuple(row[name] for name in shown) for row in rows]

        assert found(answer) == [
            ("Abara, Ada", "confirmed", "", "2", "ada@example.org"),
            ("Blom, Bo", "confirmed", "1", "2 3", "ada@example.org"),
        ]
        same = {"If-None-Match": answer.headers["ETag"]}
        assert desk.get(url, headers=same).status_code == 304
        registration_withdraw(secret="secret of Abara, Ada", now=NOW)
        changed = desk.get(url, headers=same)
        assert found(changed)[0][:3] == ("Blom, Bo", "confirmed", "")
        assert found(changed)[-1] == ("", "withdrawn", "", "", "")

    @pytest.mark.costly
    def test_the_pages_need_no_query_per_row(
        self, autumn: Tournament, desk: Client, register: Register
    ) -> None:
        url, counts = reverse("registrations", args=[autumn.slug]), []
        for names in (("Abara, Ada",), ("Blom, Bo", "Czerny, Cleo", "Dumont, Dora")):
            for name in names:
                register(name)
            with CaptureQueriesContext(connection) as queries:
                assert desk.get(url).status_code == 200
            counts.append(len(queries))
        assert counts[0] == counts[1]
