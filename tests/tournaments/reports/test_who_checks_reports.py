"""Who may open *Check before sending*, and who may save the report."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tournaments.models import Appointment, Role, Tournament

from .test_report_check import desk, whole

__all__ = ["desk", "whole"]

pytestmark = pytest.mark.django_db


class TestPeople:
    """Arbiters save the report; whoever reads only sees the check."""

    @pytest.mark.parametrize(
        "role, sees, saves",
        [
            (Role.DEPUTY, 200, 200),
            (Role.READER, 200, 403),
            (Role.RESULT_DESK, 403, 403),
            (Role.CHECK_IN_DESK, 403, 403),
            (None, 403, 403),
        ],
    )
    def test_by_role(
        self,
        whole: Tournament,
        stranger: User,
        logged_in: Callable[[User], Client],
        role: Role | None,
        sees: int,
        saves: int,
    ) -> None:
        if role:
            Appointment.objects.create(
                tournament=whole, person=stranger, role=role, since=NOW, accepted=True
            )
        client = logged_in(stranger)
        check, zipped = (
            client.get(reverse(name, args=[whole.slug]))
            for name in ("report-check", "report-archive")
        )
        assert (check.status_code, zipped.status_code) == (sees, saves)
        if role is Role.READER:
            text = check.content.decode()
            assert "Save the report" not in text
            assert "The Chief Arbiter and the deputies can save the report." in text

    @pytest.mark.costly
    def test_visitors_log_in_first(self, whole: Tournament, client: Client) -> None:
        for name in ("report-check", "report-archive"):
            response = client.get(reverse(name, args=[whole.slug]))
            assert response.status_code == 302
            assert "/log-in/" in response.url or "login" in response.url

    def test_nothing_can_be_sent_to_them(self, whole: Tournament, desk: Client) -> None:
        for name in ("report-check", "report-archive"):
            assert desk.post(reverse(name, args=[whole.slug])).status_code == 405
