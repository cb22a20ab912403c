"""A new tournament: four fields, kinds of events that fill the rest,
and a schedule from a pattern.
"""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput
from tournaments.models import Decision, Round, Tournament
from tournaments.setup.presets import DEFAULTS, PRESETS, values_for, with_preset
from tournaments.setup.schedule_pattern import starts, times_of
from tournaments.web.setup.new_form import NewTournamentForm

URL = "/new/"


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def sent(kind: str, shown: str = "weekend", **more: str) -> dict[str, str]:
    """Return the form as a browser sends it, with the folded fields
    as the kind *shown* has filled them.
    """
    folded = {name: value for name, value in values_for(shown).items() if value}
    return {
        **folded,
        "total_rounds": "",
        "name": "Spring Open",
        "start_date": "2027-04-02",
        "system": "dutch_2026",
        "kind": kind,
        "kind_shown": shown,
        **more,
    }


class TestKinds:
    @pytest.mark.parametrize("kind", PRESETS)
    def test_c04_2_every_kind_makes_a_tournament_with_its_settings(
        self, kind: str, desk: Client
    ) -> None:
        """Without JavaScript: the folded fields still have the values
        of the kind that the page showed first.
        """
        response = desk.post(URL, sent(kind))
        made = own(Tournament).get()
        assert response.headers["Location"] == reverse("desk", args=[made.slug])
        wanted = values_for(kind)
        assert {
            "total_rounds": str(made.total_rounds),
            "late_entry_bye": made.late_entry_bye,
            "byes_in_advance": "on" if made.byes_in_advance else "",
            "max_byes": "" if made.max_byes is None else str(made.max_byes),
            "last_bye_round": "" if made.last_bye_round is None else str(made.last_bye_round),
            "correction_minutes": ""
            if made.correction_minutes is None
            else str(made.correction_minutes),
            "tie_breaks": made.tie_breaks,
        } == {
            name: value
            for name, value in wanted.items()
            if name not in ("scoring", "pab", "days_between")
        }
        assert (made.points_win, made.points_draw, made.points_loss, made.points_pab) == (
            10,
            5,
            0,
            10,
        )

    def test_what_was_typed_is_kept(self, desk: Client) -> None:
        desk.post(
            URL, sent("rated", max_byes="4", total_rounds="6", tie_breaks="DE", scoring="football")
        )
        made = own(Tournament).get()
        assert (made.max_byes, made.total_rounds, made.tie_breaks, made.points_win) == (
            4,
            6,
            "DE",
            30,
        )
        # The last round for byes follows the number of rounds.
        assert (made.last_bye_round, made.correction_minutes) == (3, 60)

    def test_c04_2_3_3_the_last_round_for_byes_follows_a_number_of_rounds_typed_later(
        self, desk: Client
    ) -> None:
        """The page showed round 5 of 7, because the number of rounds was empty."""
        desk.post(URL, sent("club", shown="club", total_rounds="4"))
        assert own(Tournament).get().last_bye_round == 2

    def test_a_kind_fills_only_what_the_last_one_had_filled(self) -> None:
        typed = {**values_for("club"), "total_rounds": "", "max_byes": "9"}
        filled = with_preset(typed, "rapid", "club")
        assert filled == {**values_for("rapid"), "max_byes": "9"}
        assert with_preset(dict.fromkeys(DEFAULTS, ""), "blitz", "nonsense")["total_rounds"] == "11"

    @pytest.mark.parametrize("htmx", [False, True])
    def test_choosing_a_kind_shows_its_settings_and_saves_nothing(
        self, desk: Client, htmx: bool
    ) -> None:
        headers = {"HX-Request": "true"} if htmx else {}
        page = desk.post(URL, sent("youth", fill="kind", name=""), headers=headers).content.decode()
        assert 'name="kind_shown" value="youth"' in page
        assert "Direct Encounter · Buchholz, Cut-1" in page
        assert "until round 4" in page
        assert ("<html" in page) is not htmx
        assert "Nothing is saved yet" not in page
        assert own(Tournament).count() == 0

    @pytest.mark.costly
    def test_a_form_without_a_kind_needs_the_number_of_rounds(self, desk: Client) -> None:
        given = sent("weekend") | {"kind": ""}
        response = desk.post(URL, given)
        assert response.status_code == 422
        assert "Enter the number of rounds." in response.content.decode()
        assert desk.post(URL, given | {"total_rounds": "5"}).status_code == 302

    def test_the_page_has_four_fields_and_the_rest_folded_with_its_values(
        self, desk: Client
    ) -> None:
        page = desk.get(URL).content.decode()
        first, folded = (
            page[page.index("<h1>") : page.index('id="folded"')],
            page[page.index('id="folded"') :],
        )
        for name in ("name", "start_date", "total_rounds", "kind"):
            assert f'name="{name}"' in first
        assert "<details" not in first
        for preset in PRESETS.values():
            assert str(preset.name) in first
            assert str(preset.sentence).replace("'", "&#x27;") in first
        assert folded.count("<details") == 8
        assert "open>" not in folded
        form = NewTournamentForm()
        assert all(f'name="{name}"' in page for name in form.fields if name != "reason")


class TestTimes:
    @pytest.mark.parametrize(
        "text, expected",
        [
            ("9:00, 15:00", [time(9), time(15)]),
            ("9h30 et 15h", [time(9, 30), time(15)]),
            ("9 h 30 puis 15 h", [time(9, 30), time(15)]),
            ("9.00 3pm", [time(9), time(15)]),
            ("9am / 3 p.m.", [time(9), time(15)]),
            ("12am;12pm", [time(0), time(12)]),
            ("9 heures et 15 heures 30", [time(9), time(15, 30)]),
            ("19:30", [time(19, 30)]),
            ("9 15", [time(9), time(15)]),
            ("  ", []),
        ],
    )
    def test_c04_2_4_2_times_are_read_as_people_write_them(
        self, text: str, expected: list[time]
    ) -> None:
        assert list(times_of(text, "first_times")) == expected

    @pytest.mark.parametrize(
        "text", ["soon", "25:00", "9:99", "9:00:00", "-1", "15:00, 9:00", "9:00, 9:00", "9" * 50]
    )
    def test_what_is_no_time_is_refused_at_its_field(self, text: str) -> None:
        with pytest.raises(BadInput) as caught:
            times_of(text, "other_times")
        assert caught.value.field == "other_times"

    def test_c04_2_4_2_two_rounds_a_day_from_friday_evening(self) -> None:
        friday = date(2027, 4, 2)
        found = starts(first_day=friday, rounds=5, first=[time(19)], others=[time(9), time(15)])
        assert [f"{at:%a %H:%M}" for at in found] == [
            "Fri 19:00",
            "Sat 09:00",
            "Sat 15:00",
            "Sun 09:00",
            "Sun 15:00",
        ]
        weekly = starts(first_day=friday, rounds=3, first=[], others=[time(20)], days_between=7)
        assert [at.date() for at in weekly] == [
            date(2027, 4, 2),
            date(2027, 4, 9),
            date(2027, 4, 16),
        ]
        only = starts(first_day=friday, rounds=3, first=[time(10), time(14)], others=[])
        assert [f"{at:%a %H}" for at in only] == ["Fri 10", "Fri 14", "Sat 10"]
        assert starts(first_day=friday, rounds=3, first=[], others=[]) == []


def announced(tournament: Tournament) -> list[datetime | None]:
    rows = (
        Round.objects.filter(tournament=tournament)
        .order_by("number")
        .values_list("starts_at", flat=True)
    )
    return [at and timezone.localtime(at) for at in rows]


class TestSchedule:
    PATTERN = {"first_times": "19h", "other_times": "9:00, 15:00"}

    def test_c04_2_4_2_the_times_are_announced_with_the_tournament(self, desk: Client) -> None:
        desk.post(URL, sent("weekend", **self.PATTERN))
        made = own(Tournament).get()
        assert [f"{at:%d %H:%M}" for at in announced(made) if at] == [
            "02 19:00", "03 09:00", "03 15:00", "04 09:00", "04 15:00",
        ]  # fmt: skip
        assert made.end_date == date(2027, 4, 4)
        lines = Decision.objects.filter(tournament=made).values_list("action", flat=True)
        assert list(lines) == ["tournament.created"] + 5 * ["round.scheduled"]
        # The same form again makes no second tournament and no second schedule.
        desk.post(URL, sent("weekend", **self.PATTERN))
        assert own(Tournament).count() == 1
        assert own(Decision).count() == 6

    @pytest.mark.costly
    def test_the_rounds_are_shown_before_anything_is_saved(self, desk: Client) -> None:
        page = desk.post(URL, sent("weekend", fill="schedule", **self.PATTERN)).content.decode()
        assert "Friday 2 April, 19:00" in page
        assert "Sunday 4 April, 15:00" in page
        assert own(Tournament).count() == 0
        page = desk.post(URL, sent("weekend", fill="schedule", first_times="soon")).content.decode()
        assert "“soon” is not a time of day" in page
        page = desk.post(URL, sent("weekend", fill="schedule")).content.decode()
        assert "Enter the first day and at least one time." in page

    def test_a_wrong_time_saves_nothing(self, desk: Client) -> None:
        response = desk.post(URL, sent("weekend", first_times="soon"))
        assert response.status_code == 422
        assert "first_times" in response.context["form"].errors
        assert own(Tournament).count() == 0

    @pytest.mark.costly
    def test_c04_2_4_2_the_schedule_page_fills_in_a_pattern_that_is_saved_later(
        self, desk: Client, tournament: Tournament
    ) -> None:
        url = reverse("schedule", args=[tournament.slug])
        pattern = {"first_day": "2027-04-02", "fill": "schedule", "shown": "{}", **self.PATTERN}
        response = desk.post(url, pattern)
        assert response.status_code == 200
        page = response.content.decode()
        assert "not saved yet" in page
        assert 'value="2027-04-03T09:00"' in page
        assert announced(tournament) == [None] * 5
        values = {f"round-{number}-starts_at": f"2027-04-0{number}T09:00" for number in range(1, 6)}
        assert desk.post(url, values).status_code == 302
        assert announced(tournament)[4] is not None

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "wrong, field",
        [({"first_times": "soon"}, "first_times"), ({"first_day": ""}, "first_times")],
    )
    def test_a_pattern_that_cannot_be_read_says_where(
        self, wrong: dict[str, str], field: str, desk: Client, tournament: Tournament
    ) -> None:
        pattern = {"first_day": "2027-04-02", "fill": "schedule", **self.PATTERN, **wrong}
        response = desk.post(reverse("schedule", args=[tournament.slug]), pattern)
        assert response.status_code == 422
        assert field in response.context["pattern"].errors
