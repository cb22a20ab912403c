"""The list of tie-breaks in a form: names, sentences, and buttons that change it without saving."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from pairing.standings.editions import EDITIONS
from pairing.standings.tie_breaks import TIE_BREAKS
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.models import Decision, Tournament
from tournaments.setup.tie_break_lists import LISTS, OFFERED, after_step, can_add, codes_of
from tournaments.web.templatetags.tie_break_picker import tie_break_names
from tournaments.web.templatetags.tie_breaks import tie_break_sentence

OURS = "BH/C1,BH,SB,DE,WIN"


def listed(page: str) -> list[str]:
    return re.findall(r'<li data-code="([^"]+)"', page)


@pytest.mark.parametrize(
    "step, given, expected",
    [
        ("up:BH", {}, "BH,BH/C1,SB,DE,WIN"),
        ("down:BH", {}, "BH/C1,SB,BH,DE,WIN"),
        ("up:BH/C1", {}, OURS),
        ("down:WIN", {}, OURS),
        ("remove:SB", {}, "BH/C1,BH,DE,WIN"),
        ("add", {"new": "PS"}, f"{OURS},PS"),
        ("add", {"new": "BH"}, OURS),
        ("add", {"new": "nonsense"}, OURS),
        ("use", {"chosen": "encounter"}, "DE,BH/C1,BH,SB,WIN"),
        ("use", {"chosen": "none of them"}, OURS),
        ("up:ARO", {}, OURS),
        ("anything", {}, OURS),
    ],
)
def test_c07_5_a_step_changes_the_order(step: str, given: dict[str, str], expected: str) -> None:
    assert after_step(OURS, "", step, **given) == expected


def test_c07_5_what_cannot_be_read_stays_as_typed() -> None:
    assert after_step("BH,XYZ", "", "up:BH") == "BH,XYZ"
    assert after_step("pts; bh-c1; sb", "", "read") == "BH/C1,SB"


def test_c07_5_an_empty_list_is_none_in_both_languages() -> None:
    assert tie_break_names("") == "none"
    with translation.override("fr"):
        assert tie_break_names("") == "aucun"


def test_c07_5_every_tie_break_has_a_sentence_and_can_be_added() -> None:
    assert {code.split("/")[0] for code in OFFERED} == {*TIE_BREAKS}
    assert can_add("", "fide-2026", 1) == list(OFFERED)
    assert [str(code) for code in codes_of(",".join(OFFERED), "fide-2026")] == list(OFFERED)
    assert {"STD", "TPN", "RTNG"}.isdisjoint(can_add("", "fide-2024", 1))
    assert {"WIN", "TPR"}.isdisjoint(can_add("", "", 2))
    assert tie_break_sentence("KS/L-1").endswith("the limit moved by -1 half points.")
    assert (
        tie_break_sentence("BH/C1")
        == "The points of all opponents, added up, without the lowest value."
    )
    assert tie_break_names("bh-c1,de") == "Buchholz, Cut-1 · Direct Encounter"
    for named in LISTS.values():
        assert all(codes_of(named.codes, edition) for edition in EDITIONS)


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


class TestSettings:
    def test_c07_5_the_list_has_names_sentences_and_buttons(
        self, desk: Client, tournament: Tournament
    ) -> None:
        page = desk.get(reverse("settings-tie-breaks", args=[tournament.slug])).content.decode()
        assert listed(page) == OURS.split(",")
        assert "The points of all opponents, added up, without the lowest value." in page
        assert 'value="down:BH/C1"' in page
        # Enter presses the first button, which saves.
        assert page.index('<button class="visually-hidden"') < page.index("tie_break_step")

    @pytest.mark.parametrize("htmx", [False, True])
    def test_c07_5_a_step_keeps_what_was_typed_and_saves_nothing(
        self, desk: Client, tournament: Tournament, htmx: bool
    ) -> None:
        url = reverse("settings-tie-breaks", args=[tournament.slug])
        before = own(Decision).count()
        typed = {"tie_breaks": OURS, "tie_break_edition": "fide-2026"}
        sent = typed | {"tie_break_step": "remove:BH", "shown": '{"tie_breaks": ""}'}
        response = desk.post(url, sent, headers={"HX-Request": "true"} if htmx else {})
        page = response.content.decode()
        assert response.status_code == 200
        assert listed(page) == ["BH/C1", "SB", "DE", "WIN"]
        assert ("<html" in page) is not htmx
        if not htmx:
            assert "Nothing is saved yet" not in page
            assert "{&quot;tie_breaks&quot;: &quot;&quot;}" in page
        assert own(Decision).count() == before

    @pytest.mark.costly
    def test_c07_5_a_typed_list_is_shown_or_its_mistake_is_named(
        self, desk: Client, tournament: Tournament
    ) -> None:
        url = reverse("settings-tie-breaks", args=[tournament.slug])
        typed = {
            "tie_break_step": "read",
            "tie_break_edition": "fide-2026",
            "tie_breaks": "PTS, BH-C1; KS-L-1",
        }
        assert listed(desk.post(url, typed).content.decode()) == ["BH/C1", "KS/L-1"]
        page = desk.post(url, typed | {"tie_breaks": "BH,XYZ"}).content.decode()
        assert "There is no tie-break “XYZ”" in page
        assert 'value="BH,XYZ"' in page
        assert listed(page) == []

    @pytest.mark.costly
    def test_c07_4_1_1_a_locked_list_has_no_buttons(
        self, desk: Client, chief_arbiter: User
    ) -> None:
        begun = factories.make_ready(chief_arbiter)
        factories.pair_and_publish(begun, 1, chief_arbiter)
        page = desk.get(reverse("settings-tie-breaks", args=[begun.slug])).content.decode()
        assert listed(page) == OURS.split(",")
        assert "tie_break_step" not in page


class TestOtherForms:
    def test_c07_5_a_step_on_the_page_of_a_new_tournament(self, desk: Client) -> None:
        sent = {
            "name": "Spring Open",
            "tie_breaks": OURS,
            "tie_break_step": "up:WIN",
            "tie_break_edition": "",
        }
        page = desk.post(reverse("tournament-create"), sent).content.decode()
        assert listed(page) == ["BH/C1", "BH", "SB", "WIN", "DE"]
        assert 'value="Spring Open"' in page
        assert own(Tournament).count() == 0

    @pytest.mark.costly
    def test_c07_4_1_1_a_step_before_the_effect_is_shown(
        self, desk: Client, chief_arbiter: User
    ) -> None:
        begun = factories.make_ready(chief_arbiter)
        factories.play_rounds(begun, [1], chief_arbiter)
        sent = {
            "tie_breaks": OURS,
            "tie_break_edition": "fide-2026",
            "reason": "Misprint",
            "tie_break_step": "up:DE",
        }
        page = desk.post(reverse("tie-breaks", args=[begun.slug]), sent).content.decode()
        assert listed(page) == ["BH/C1", "BH", "DE", "SB", "WIN"]
        assert 'value="Misprint"' in page
        assert "Confirm change" not in page


class TestPreview:
    @pytest.fixture
    def finished(self, chief_arbiter: User) -> Tournament:
        event = factories.make_ready(chief_arbiter, players=6, rounds=2)
        factories.play_rounds(event, [1, 2], chief_arbiter)
        return event

    @pytest.mark.costly
    def test_c07_4_1_1_every_rank_by_both_lists_and_nothing_saved(
        self, desk: Client, finished: Tournament
    ) -> None:
        url = reverse("tie-break-preview", args=[finished.slug])
        assert desk.get(url).context["rows"] is None
        response = desk.post(url, {"tie_breaks": "TPN/R", "tie_break_edition": "fide-2026"})
        rows = response.context["rows"]
        assert sorted(row.now for row in rows) != []
        assert [row.then for row in rows] == sorted(row.then for row in rows)
        assert {row.tpn for row in rows} == set(range(1, 7))
        moved = [row for row in rows if row.gains]
        assert moved
        assert f"{len(moved)} ranks would change" in response.content.decode()
        before = finished.tie_breaks
        finished.refresh_from_db()
        assert finished.tie_breaks == before
        # By the present list nothing changes.
        same = desk.get(url, {"tie_breaks": before})
        assert not any(row.gains for row in same.context["rows"])

    def test_c07_10_a_list_that_cannot_be_used_is_refused(
        self, desk: Client, finished: Tournament
    ) -> None:
        response = desk.post(
            reverse("tie-break-preview", args=[finished.slug]), {"tie_breaks": "XYZ"}
        )
        assert response.status_code == 422
        assert "There is no tie-break “XYZ”" in response.content.decode()

    @pytest.mark.costly
    def test_c07_4_1_1_a_new_list_is_tried_on_the_newest_event_with_results(
        self, desk: Client, finished: Tournament
    ) -> None:
        sent = {"tie_breaks": "DE,BH", "tie_break_edition": ""}
        response = desk.post(reverse("tie-breaks-try"), sent)
        wanted = reverse("tie-break-preview", args=[finished.slug])
        assert response.headers["Location"] == f"{wanted}?tie_breaks=DE%2CBH&tie_break_edition="
        assert desk.get(response.headers["Location"]).status_code == 200

    def test_without_results_anywhere_the_home_page_says_so(
        self, desk: Client, tournament: Tournament
    ) -> None:
        page = desk.post(
            reverse("tie-breaks-try"), {"tie_breaks": "DE"}, follow=True
        ).content.decode()
        assert "No tournament of yours has results yet" in page

    def test_strangers_see_no_ranks_of_others(
        self, client: Client, finished: Tournament, stranger: User
    ) -> None:
        client.force_login(stranger)
        assert client.get(reverse("tie-break-preview", args=[finished.slug])).status_code == 403
        assert client.post(reverse("tie-breaks-try"), {"event": finished.slug}).headers[
            "Location"
        ] == reverse("home")
