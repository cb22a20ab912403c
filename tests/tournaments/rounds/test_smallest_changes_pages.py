"""The smallest change of published pairings on the pages, for each user [C.04.2/2026 4.4]."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.change_page import change_page
from pairing.rounds.results import result_record
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.met_again import pairs_of
from tests.tournaments.rounds.test_smallest_changes import WHY
from tournaments.models import Decision, Game, Tournament
from tournaments.setup.schedule import round_schedule

pytestmark = pytest.mark.django_db


class TestPages:
    def address(self, tournament: Tournament, query: str = "?situation=4.4.1&go=on") -> str:
        return reverse("round-change", args=[tournament.slug, 2]) + query

    def form(
        self, response: HttpResponse, tournament: Tournament, **more: object
    ) -> dict[str, object]:
        """Return the form as the page shows it."""
        tournament.refresh_from_db()
        context: Any = response.context  # type: ignore[attr-defined]
        seats = {
            f"{side}-{row.board}": pk or ""
            for row in context["rows"]
            for side, pk in (("w", row.white), ("b", row.black))
        }
        return {
            **seats,
            "left": context["left"],
            "reason": WHY,
            "version": tournament.version,
            "save": "yes",
            **more,
        }

    @pytest.mark.costly
    def test_c04_2_4_4_1_the_smallest_change_is_proposed_and_saved_with_one_reason(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        response = client.get(self.address(repeated))
        text = tidy(response.content.decode())
        assert "2 published boards change. This is the smallest change that is enough." in text
        assert "Save change" in text
        assert "Reason for the further changes" not in text
        form = self.form(response, repeated)
        assert client.post(self.address(repeated), {**form, "reason": "."}).status_code == 400
        assert client.post(self.address(repeated), form).status_code == 302
        line = own(Decision).latest("sequence")
        assert (line.action, line.article, len(line.after["boards"])) == (
            "round.changed",
            "C.04.2 4.4.1",
            2,
        )
        # Twice, and from the same page: the situation does not hold any more.
        again = client.post(self.address(repeated), form)
        assert again.status_code == 200
        assert own(Decision).latest("sequence") == line

    @pytest.mark.costly
    def test_c04_2_4_4_1_a_stale_page_saves_nothing(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        form = self.form(client.get(self.address(repeated)), repeated)
        round_schedule(
            round_id=round_of(repeated, 3).pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=NOW,
            results_due_at=None,
            reason="the hall opened late",
        )
        before = pairs_of(repeated, 2)
        for version in (form["version"], ""):
            response = client.post(self.address(repeated), {**form, "version": version})
            assert response.status_code == 409
        assert pairs_of(repeated, 2) == before

    @pytest.mark.costly
    def test_c04_2_4_4_1_a_deputy_changes_nothing(
        self, repeated: Tournament, client: Client, chief_arbiter: User, deputy: User
    ) -> None:
        client.force_login(chief_arbiter)
        form = self.form(
            client.get(self.address(repeated)), repeated, further=WHY, exception=WHY, started="yes"
        )
        client.force_login(deputy)
        assert client.post(self.address(repeated), form).status_code == 403
        assert "5-1" in pairs_of(repeated, 2)

    @pytest.mark.costly
    def test_c04_2_4_4_1_more_boards_need_the_second_reason_which_is_shown(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = self.address(repeated, "?situation=4.4.1&go=on&more=1,2,3,4")
        response = client.get(url)
        assert [row.board for row in response.context["rows"]] == [1, 2, 3, 4]
        pk = {tpn: entry_of(repeated, tpn).pk for tpn in range(1, 9)}
        wide = {"5-1": "5-3", "2-3": "8-1", "7-8": "2-7"}
        seats = {}
        for n, two in enumerate(pairs_of(repeated, 2), start=1):
            white, black = wide.get(two, two).split("-")
            seats |= {f"w-{n}": pk[int(white)], f"b-{n}": pk[int(black)]}
        form = self.form(response, repeated) | seats
        shown = client.post(
            url, {key: value for key, value in form.items() if key != "save"} | {"show": "yes"}
        )
        assert "Reason for the further changes" in shown.content.decode()
        for further in ("", "."):
            refused = client.post(url, {**form, "further": further})
            assert refused.status_code == 409
            assert "3 published games; 2 would be enough" in refused.content.decode()
        assert client.post(url, {**form, "further": "7 and 8 are sisters"}).status_code == 302
        for name in ("record", "event-report"):
            page = client.get(reverse(name, args=[repeated.slug])).content.decode()
            assert "reason for the further changes: 7 and 8 are sisters" in page
        client.logout()
        assert "sisters" not in client.get(reverse("record", args=[repeated.slug])).content.decode()

    @pytest.mark.costly
    def test_c04_2_4_4_4_boards_that_are_typed_and_not_shown_are_not_ignored(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = self.address(repeated)
        response = client.get(url)
        shown = [row.board for row in response.context["rows"]]
        other = next(board for board in (1, 2, 3, 4) if board not in shown)
        form = self.form(response, repeated, more=str(other))
        before = pairs_of(repeated, 2)
        refused = client.post(url, form)
        assert refused.status_code == 422
        assert f"not in the form yet: {other}." in refused.content.decode()
        assert pairs_of(repeated, 2) == before
        opened = client.post(url, form | {"boards": "show"}, follow=True)
        assert [row.board for row in opened.context["rows"]] == sorted([*shown, other])
        assert client.post(url, form | {"more": ""}).status_code == 302

    @pytest.mark.costly
    def test_c04_2_4_4_1_the_announced_start_is_confirmed_on_the_page(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        past: datetime = timezone.now() - timedelta(minutes=1)
        round_schedule(
            round_id=round_of(repeated, 2).pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=past,
            results_due_at=None,
            reason="the hall opened late",
        )
        client.force_login(chief_arbiter)
        response = client.get(self.address(repeated))
        assert 'name="started" value="yes" required' in tidy(response.content.decode())
        form = self.form(response, repeated)
        refused = client.post(self.address(repeated), form)
        assert refused.status_code == 409
        assert "Confirm that their games are stopped" in refused.content.decode()
        assert client.post(self.address(repeated), {**form, "started": "yes"}).status_code == 302
        record = client.get(reverse("record", args=[repeated.slug])).content.decode()
        assert "announced start passed" in record

    @pytest.mark.costly
    def test_c04_1_7_a_warning_is_in_the_record_page_and_the_report(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        """Round 2 was arranged by hand: 5 and 1 had met before."""
        client.force_login(chief_arbiter)
        for name in ("record", "event-report"):
            text = client.get(reverse(name, args=[repeated.slug])).content.decode()
            assert "they have already played each other [C.04.1 2]" in text

    @pytest.mark.costly
    def test_c04_2_4_4_5_nothing_is_ticked_for_the_top_boards(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = make_ready(chief_arbiter, players=8, rounds=2, top_boards=2)
        play_rounds(tournament, [1], chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        client.force_login(chief_arbiter)
        url = self.address(tournament, "?situation=4.4.5&go=on")
        assert "Tick the boards and players that change" in client.get(url).content.decode()
        game = Game.objects.get(round=round_of(tournament, 2), board=1)
        result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
        assert client.get(url).context["choice"].concerned == (1,)

    @pytest.mark.costly
    def test_c04_2_4_4_5_each_other_top_board_is_a_choice_with_its_cost(
        self, client: Client, chief_arbiter: User
    ) -> None:
        """The rule names no order: the smallest change is one of several, and none is one too."""
        tournament = make_ready(chief_arbiter, players=10, rounds=2, top_boards=4)
        play_rounds(tournament, [1], chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        game = Game.objects.get(round=round_of(tournament, 2), board=1)
        result_record(game_id=game.pk, result="-+", actor=chief_arbiter, now=NOW)
        client.force_login(chief_arbiter)
        url = self.address(tournament, "?situation=4.4.5&go=on")
        page = client.get(url)
        others = page.context["others"]
        assert {other.board for other in others} <= {2, 3, 4}
        assert len(others) > 1
        assert sum(other.is_chosen for other in others) == 1
        text = page.content.decode()
        for other in others:
            assert f"With board {other.board}" in text
            assert other.byes, "somebody has no game after it"
            chosen = client.get(other.url).context["choice"].suggested
            assert set(chosen.games) == {1, other.board}
        assert "Change nothing" in text
        assert client.get(url + "&with=99&with=x").status_code == 200
        assert not any(other.breaches for other in others)

    def test_c04_2_4_4_the_five_situations_are_read_with_few_queries(
        self, repeated: Tournament, django_assert_max_num_queries: Any
    ) -> None:
        row = round_of(repeated, 2)
        with django_assert_max_num_queries(8):
            assert len(change_page(repeated, row, at=NOW).situations) == 5
