"""Setting up a tournament: the form, the numbers, the initial colour, the schedule."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.engine.systems import SYSTEMS
from pairing.rules.draws import Draw, colour_of, commitment, seed_of
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Decision, Entry, Round, Tournament
from tournaments.models.pairing_systems import SENTENCES
from tournaments.reports.trf_export import trf_export

FORM = {
    "name": "Coupe d'Été",
    "city": "Lyon",
    "federation": "fra",
    "start_date": "2026-07-04",
    "end_date": "2026-07-11",
    "chief_arbiter": "IA Chief, Clara",
    "deputy_arbiters": "",
    "time_control": "90+30",
    "total_rounds": "9",
    "system": "dutch_2026",
    "scoring": "standard",
    "pab": "win",
}


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def points(tournament: Tournament) -> tuple[int, int, int, int]:
    return (
        tournament.points_win,
        tournament.points_draw,
        tournament.points_loss,
        tournament.points_pab,
    )


class TestCreate:
    def test_a_tournament_is_set_up(self, desk: Client, chief_arbiter: User) -> None:
        response = desk.post(reverse("tournament-create"), FORM, follow=True)
        made = own(Tournament).get()
        assert response.redirect_chain == [(reverse("desk", args=[made.slug]), 302)]
        assert "Enter the players" in response.content.decode()
        assert (made.slug, made.federation, made.created_by) == ("coupe-dete", "FRA", chief_arbiter)
        assert (made.start_date, made.end_date) == (date(2026, 7, 4), date(2026, 7, 11))
        assert points(made) == (10, 5, 0, 10)
        assert [tab.number for tab in Round.objects.filter(tournament=made)] == list(range(1, 10))

    @pytest.mark.parametrize(
        "day, system, shown",
        [
            ("2019-07-04", "dutch_2026", "FIDE Dutch System 2017"),
            ("2016-07-04", "dutch_2017", "FIDE Dutch System before"),
            ("2019-07-04", "dutch_2017", ""),
            ("2019-07-04", "double_swiss_2026", ""),
            ("2026-07-04", "dutch_2017", ""),
            ("", "dutch_2026", ""),
        ],
    )
    def test_the_page_warns_when_the_system_is_newer_than_the_first_day(
        self, desk: Client, day: str, system: str, shown: str
    ) -> None:
        form = FORM | {"start_date": day, "end_date": "", "system": system}
        text = desk.post(reverse("tournament-create"), form, follow=True).content.decode()
        assert ("On the first day the " in text) == bool(shown)
        assert shown in text

    @pytest.mark.costly
    def test_a_form_that_is_sent_twice_makes_one_tournament(self, desk: Client) -> None:
        url = reverse("tournament-create")
        first, second = (desk.post(url, FORM, follow=True) for _ in range(2))
        made = own(Tournament).get()
        assert (
            first.redirect_chain
            == second.redirect_chain
            == [(reverse("desk", args=[made.slug]), 302)]
        )
        assert "was already created a moment ago" in second.content.decode()
        # Another one is another one, and so is the same one once something was done in the first.
        desk.post(url, FORM | {"start_date": "2026-07-05"})
        desk.post(reverse("entry-add", args=[made.slug]), {"name": "Abara, Ada"})
        desk.post(url, FORM)
        assert own(Tournament).count() == 3

    @pytest.mark.costly
    def test_an_imported_tournament_of_that_name_is_not_the_same_one(
        self, desk: Client, chief_arbiter: User
    ) -> None:
        event = factories.make_ready(chief_arbiter, name=FORM["name"])
        data = trf_export(event, public=False).encode()
        tournament_import_trf(actor=chief_arbiter, now=timezone.now(), data=data)
        assert desk.post(reverse("tournament-create"), FORM).status_code == 302
        assert own(Tournament).filter(name=FORM["name"]).count() == 3

    @pytest.mark.parametrize(
        "chosen, expected",
        [
            ({"scoring": "football"}, (30, 10, 0, 30)),
            ({"pab": "draw"}, (10, 5, 0, 5)),
            ({"pab": "none"}, (10, 5, 0, 0)),
            (
                {
                    "scoring": "custom",
                    "points_win": "2",
                    "points_draw": "1",
                    "points_loss": "0.5",
                    "pab": "draw",
                },
                (20, 10, 5, 10),
            ),
        ],
    )
    def test_c04_1_3_point_systems_are_set_in_the_form(
        self, desk: Client, chosen: dict[str, str], expected: tuple[int, int, int, int]
    ) -> None:
        desk.post(reverse("tournament-create"), FORM | chosen)
        assert points(own(Tournament).get()) == expected

    @pytest.mark.parametrize(
        "wrong, field",
        [
            ({"name": ""}, "name"),
            ({"total_rounds": "0"}, "total_rounds"),
            ({"end_date": "2026-07-03"}, "end_date"),
            ({"scoring": "custom", "points_win": "1"}, "points_draw"),
            (
                {"scoring": "custom", "points_win": "3", "points_draw": "2", "points_loss": "0"},
                "points_draw",
            ),
            (
                {"scoring": "custom", "points_win": "1", "points_draw": "2", "points_loss": "0"},
                "points_draw",
            ),
            (
                {"scoring": "custom", "points_win": "0", "points_draw": "0", "points_loss": "0"},
                "points_win",
            ),
            ({"start_date": "0001-01-01"}, "start_date"),
            ({"end_date": "2999-01-01"}, "end_date"),
            ({"system": "roulette"}, "system"),
        ],
    )
    def test_an_error_is_shown_at_its_field(
        self, desk: Client, wrong: dict[str, str], field: str
    ) -> None:
        response = desk.post(reverse("tournament-create"), FORM | wrong)
        assert response.status_code == 422
        assert field in response.context["form"].errors
        assert own(Tournament).count() == 0

    def test_each_system_is_described_in_a_sentence(self, desk: Client) -> None:
        assert {*SENTENCES} == {*SYSTEMS}
        page = desk.get(reverse("tournament-create")).content.decode()
        for code, system in SYSTEMS.items():
            assert system.name in page
            assert str(SENTENCES[code]) in page
        assert (
            page.count('name="system"') == page.count('type="radio" name="system"') == len(SYSTEMS)
        )

    @pytest.mark.costly
    def test_c04_3_2017_can_be_chosen_and_is_shown_to_everybody(self, desk: Client) -> None:
        confirmed = {"leave_fide_mode": "yes", "leave_fide_mode_again": "yes"}
        desk.post(reverse("tournament-create"), FORM | {"system": "dutch_2017"} | confirmed)
        made = own(Tournament).get()
        assert made.system == "dutch_2017"
        page = desk.get(reverse("tournament", args=[made.slug])).content.decode()
        assert "FIDE Dutch System 2017" in page
        assert str(SENTENCES["dutch_2017"]) in page

    def test_any_account_may_set_up_a_tournament(self, client: Client, stranger: User) -> None:
        client.force_login(stranger)
        assert client.post(reverse("tournament-create"), FORM).status_code == 302
        assert own(Tournament).get().created_by == stranger


class TestSettings:
    def test_the_form_shows_the_present_settings(self, desk: Client) -> None:
        desk.post(reverse("tournament-create"), FORM | {"scoring": "football", "pab": "draw"})
        made = own(Tournament).get()
        url = reverse("tournament-edit", args=[made.slug])
        form = desk.get(url).context["form"]
        assert {name: form[name].value() for name in ("scoring", "pab", "total_rounds")} == {
            "scoring": "football",
            "pab": "draw",
            "total_rounds": 9,
        }
        before = own(Decision).count()
        desk.post(url, FORM | {"scoring": "football", "pab": "draw", "city": "Nantes"})
        made.refresh_from_db()
        assert (made.city, points(made)) == ("Nantes", (30, 10, 0, 10))
        assert own(Decision).count() == before + 1

    @pytest.mark.costly
    def test_c04_1_1_the_number_of_rounds_stays_once_play_has_begun(
        self, published_round: Round, desk: Client
    ) -> None:
        tournament = published_round.tournament
        url = reverse("tournament-edit", args=[tournament.slug])
        assert "<dt>Number of rounds</dt>" in desk.get(url).content.decode()
        unchanged = FORM | {"name": tournament.name, "total_rounds": "5"}
        refused = desk.post(url, unchanged | {"total_rounds": "7"})
        assert refused.status_code == 422
        assert (
            "Round 1 is paired: “Number of rounds” was announced before the start and can no "
            "longer change. (C.04.1 1)" in refused.content.decode()
        )
        assert desk.post(url, unchanged | {"city": "Metz"}).status_code == 302
        tournament.refresh_from_db()
        assert (tournament.city, tournament.total_rounds) == ("Metz", 5)

    @pytest.mark.costly
    def test_c04_1_1_locked_fields_look_locked_and_the_others_are_saved(
        self, published_round: Round, desk: Client
    ) -> None:
        """The form as a browser sends it: without the locked fields."""
        tournament = published_round.tournament
        url = reverse("tournament-edit", args=[tournament.slug])
        form = desk.get(url).context["form"]
        locked = {name for name, field in form.fields.items() if field.disabled}
        assert {
            "total_rounds",
            "system",
            "scoring",
            "pab",
            "points_win",
            "tie_breaks",
            "max_byes",
        } <= locked
        assert locked.isdisjoint({"name", "city", "chief_arbiter", "top_boards"})
        sent = {name: value for name, value in FORM.items() if name not in locked}
        assert desk.post(url, sent | {"city": "Metz"}).status_code == 302
        before = (
            points(tournament),
            tournament.total_rounds,
            tournament.system,
            tournament.tie_breaks,
        )
        tournament.refresh_from_db()
        assert tournament.city == "Metz"
        assert (
            points(tournament),
            tournament.total_rounds,
            tournament.system,
            tournament.tie_breaks,
        ) == before

    @pytest.mark.costly
    def test_the_edition_stays_once_play_has_begun(
        self, published_round: Round, desk: Client
    ) -> None:
        tournament = published_round.tournament
        url = reverse("tournament-edit", args=[tournament.slug])
        refused = desk.post(
            url, FORM | {"name": tournament.name, "total_rounds": "5", "system": "dutch_2017"}
        )
        assert refused.status_code == 422
        tournament.refresh_from_db()
        assert tournament.system == "dutch_2026"


class TestNumbers:
    @pytest.mark.costly
    def test_c04_2_2_2_the_order_is_shown_before_it_is_saved(
        self, tournament: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        factories.make_entries(tournament, chief_arbiter, 3)
        own(Entry).filter(name__startswith="Czerny").update(rating=2500)
        url = reverse("numbers", args=[tournament.slug])
        preview = desk.get(url).context["preview"]
        assert [(line.proposed, line.name.split(",")[0], line.tpn) for line in preview.lines] == [
            (1, "Czerny", None),
            (2, "Abara", None),
            (3, "Blomqvist", None),
        ]
        assert desk.post(url).status_code == 409  # the form sends what its page showed
        tournament.refresh_from_db()
        response = desk.post(url, {"seen_version": tournament.version}, follow=True)
        assert "All numbers follow this order." in response.content.decode()
        assert [line.tpn for line in response.context["preview"].lines] == [1, 2, 3]

    @pytest.mark.costly
    def test_c04_2_2_3_no_new_numbers_after_round_4_is_paired(
        self, ready: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        factories.play_rounds(ready, [1, 2, 3], chief_arbiter)
        factories.pair_and_publish(ready, 4, chief_arbiter)
        url = reverse("numbers", args=[ready.slug])
        page = desk.get(url).content.decode()
        assert "Pairing numbers can no longer change once round 4 is paired. (C.04.2 2.3)" in page
        assert "Assign these numbers" not in page
        assert desk.post(url).status_code == 409

    def test_c04_2_2_1_players_without_a_rating_are_pointed_out(
        self, tournament: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        factories.make_entries(tournament, chief_arbiter, 2)
        own(Entry).filter(name__startswith="Abara").update(rating=0)
        assert (
            "1 player has no rating."
            in desk.get(reverse("numbers", args=[tournament.slug])).content.decode()
        )


class TestInitialColour:
    def test_c04_3_5_1_drawn_by_lot(self, tournament: Tournament, desk: Client) -> None:
        url = reverse("initial-colour", args=[tournament.slug])
        assert commitment(tournament.draw_secret) in desk.get(url).content.decode()
        assert (
            desk.post(
                url, {"draw": "yes", "named": "7", **factories.seen_now(tournament)}
            ).status_code
            == 400
        )
        assert (
            desk.post(
                url,
                {"draw": "yes", "named": "7", "witness": "Wanda", **factories.seen_now(tournament)},
            ).status_code
            == 302
        )
        tournament.refresh_from_db()
        expected = colour_of(seed_of(tournament.draw_secret, Draw.COLOUR, "7"))
        assert (tournament.initial_colour, tournament.initial_colour_method) == (expected, "drawn")
        again = desk.post(
            url,
            {
                "draw": "yes",
                "reason": "the coin fell off the table",
                **factories.seen_now(tournament),
            },
        )
        assert (again.status_code, "draws it only once" in again.content.decode()) == (409, True)

    def test_c04_3_5_1_drawn_at_the_venue(self, tournament: Tournament, desk: Client) -> None:
        response = desk.post(
            reverse("initial-colour", args=[tournament.slug]),
            {"colour": "b", **factories.seen_now(tournament)},
            follow=True,
        )
        assert "The initial colour is Black." in response.content.decode()
        tournament.refresh_from_db()
        assert (tournament.initial_colour, tournament.initial_colour_method) == (
            "b",
            "drawn_outside",
        )

    @pytest.mark.costly
    def test_c04_3_5_1_drawn_again_by_the_chief_arbiter_alone_with_a_reason(
        self, tournament: Tournament, desk: Client, client: Client, deputy: User
    ) -> None:
        url = reverse("initial-colour", args=[tournament.slug])
        assert 'name="reason"' not in desk.get(url).content.decode()
        desk.post(url, {"colour": "b", **factories.seen_now(tournament)})
        for headers in ({}, {"HX-Request": "true"}):
            refused = desk.post(
                url, {"colour": "w", **factories.seen_now(tournament)}, headers=headers
            )
            assert refused.status_code == 400
            assert "enter a reason for the new draw" in refused.content.decode()
        assert desk.get(url).content.decode().count('name="reason"') == 2
        client.force_login(deputy)
        assert (
            "Only the Chief Arbiter can draw the initial colour again."
            in client.get(url).content.decode()
        )
        refused = client.post(
            url, {"draw": "yes", "reason": "so", **factories.seen_now(tournament)}
        )
        assert refused.status_code == 403
        assert (
            "Only the Chief Arbiter of this tournament can decide this." in refused.content.decode()
        )
        assert "This account is not an arbiter of the tournament" not in refused.content.decode()
        tournament.refresh_from_db()
        assert tournament.initial_colour == "b"

    def test_a_colour_without_a_method_is_refused(
        self, tournament: Tournament, desk: Client
    ) -> None:
        assert desk.post(reverse("initial-colour", args=[tournament.slug])).status_code == 422
        tournament.refresh_from_db()
        assert tournament.initial_colour == ""

    @pytest.mark.costly
    def test_c04_3_5_1_no_draw_after_round_1_is_paired(
        self, draft_round: Round, desk: Client
    ) -> None:
        url = reverse("initial-colour", args=[draft_round.tournament.slug])
        refused = desk.post(url, {"draw": "yes", **factories.seen_now(draft_round.tournament)})
        assert refused.status_code == 409
        assert "can no longer be drawn. (C.04.3 5.1)" in refused.content.decode()
        assert "Draw by lot now" not in desk.get(url).content.decode()


class TestSchedule:
    def test_c04_2_4_2_times_are_announced(self, tournament: Tournament, desk: Client) -> None:
        url = reverse("schedule", args=[tournament.slug])
        before = own(Decision).count()
        form = {
            f"round-{n}-{field}": ""
            for n in range(1, 6)
            for field in ("starts_at", "results_due_at")
        }
        form |= {
            "round-2-starts_at": "2026-11-22T14:30",
            "round-2-results_due_at": "2026-11-22T19:00",
        }
        assert desk.post(url, form).status_code == 302
        assert own(Decision).count() == before + 1
        second = factories.round_of(tournament, 2)
        assert second.starts_at == datetime(2026, 11, 22, 14, 30, tzinfo=UTC)
        desk.logout()
        seen = desk.get(reverse("tournament", args=[tournament.slug])).content.decode()
        assert "play begins 22 Nov 2026, 14:30" in seen
        assert "results announced for 22 Nov 2026, 19:00" in seen

    def test_an_invalid_time_is_refused(self, tournament: Tournament, desk: Client) -> None:
        form = {
            f"round-{n}-{field}": ""
            for n in range(1, 6)
            for field in ("starts_at", "results_due_at")
        }
        response = desk.post(
            reverse("schedule", args=[tournament.slug]), form | {"round-1-starts_at": "soon"}
        )
        assert response.status_code == 422
        assert factories.round_of(tournament, 1).starts_at is None


def test_errors_are_listed_on_top_with_links_to_the_fields(
    client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = client.post(
        reverse("tournament-create"), FORM | {"name": "", "system": "nonsense"}
    ).content.decode()
    top = text[text.index("Nothing is saved yet. Correct the following:") : text.index("<fieldset")]
    assert '<a href="#id_name">Name</a>' in top
    assert '<a href="#id_system_0">Pairing system</a>' in top
    assert 'id="id_name"' in text
    assert 'id="id_system_0"' in text
