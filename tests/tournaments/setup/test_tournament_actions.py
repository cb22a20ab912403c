"""Setting up a tournament through the services."""

import hashlib
import hmac
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from pairing.rounds.pair import round_unpair
from pairing.rounds.publish import round_publish
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    make_tournament,
    pair_and_publish,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core import permissions
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.entries.entries import entry_remove
from tournaments.models import Decision, Round, Tournament
from tournaments.models.regulations import pairs_of
from tournaments.reports.record_against_tables import differences
from tournaments.setup.initial_colour import initial_colour_draw, initial_colour_set
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import list_close, tournament_create, tournament_update

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]


def test_c04_1_1_the_rounds_are_declared_with_the_tournament(chief_arbiter):
    tournament = make_tournament(chief_arbiter, rounds=7)
    assert list(tournament.rounds.values_list("number", "state")) == [
        (n, "planned") for n in range(1, 8)
    ]


def test_the_address_is_made_from_the_name_and_is_unique(chief_arbiter):
    names = ["Tournoi d’été", "Tournoi d’été", "Турнир", "Турнир", "x" * 150]
    slugs = [make_tournament(chief_arbiter, name=name).slug for name in names]
    assert slugs == ["tournoi-dete", "tournoi-dete-2", "tournament", "tournament-2", "x" * 70]


@pytest.mark.parametrize(
    "fields, field",
    [
        ({"name": " "}, "name"),
        ({"total_rounds": 0}, "total_rounds"),
        ({"total_rounds": 100}, "total_rounds"),
        ({"system": "lim"}, "system"),
        ({"points_draw": 11}, "points_draw"),
        (
            {"points_win": 30, "points_draw": 20, "points_loss": 0},
            "points_draw",
        ),  # two draws: more than 3 + 0
        ({"points_win": 20, "points_draw": 20, "points_loss": 0}, "points_draw"),
        ({"points_win": -1}, "points_win"),
        ({"version": 3}, "version"),
    ],
)
def test_an_invalid_field_is_named_and_nothing_is_saved(chief_arbiter, fields, field):
    with pytest.raises(BadInput) as bad:
        tournament_create(
            **{"actor": chief_arbiter, "now": NOW, "name": "Open", "total_rounds": 5} | fields
        )
    assert bad.value.field == field
    assert (own(Tournament).count(), own(Round).count()) == (0, 0)


def test_a_visitor_cannot_set_up_a_tournament(db):
    with pytest.raises(PermissionDenied):
        make_tournament(AnonymousUser())


def test_who_may_run_a_tournament(tournament, chief_arbiter, deputy, stranger, visitor):
    retired = type(chief_arbiter)(pk=chief_arbiter.pk, is_active=False)
    people = (chief_arbiter, deputy, stranger, visitor, retired)
    assert [permissions.may_run(person, tournament) for person in people] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert [permissions.may_create(person) for person in people] == [True, True, True, False, False]


def test_descriptions_change_at_any_time(ready, published_round, chief_arbiter):
    tournament = tournament_update(
        tournament_id=ready.pk,
        actor=chief_arbiter,
        now=NOW,
        city="Lyon",
        start_date=date(2026, 11, 21),
    )
    tournament.refresh_from_db()
    assert (tournament.city, tournament.start_date) == ("Lyon", date(2026, 11, 21))
    row = own(Decision).last()
    assert (row.before, row.after) == (
        {"city": "", "start_date": None},
        {"city": "Lyon", "start_date": "2026-11-21"},
    )


def test_c04_1_1_the_number_of_rounds_is_declared_before_round_1(ready, chief_arbiter):
    tournament_update(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, total_rounds=3)
    assert list(ready.rounds.values_list("number", flat=True)) == [1, 2, 3]
    tournament_update(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, total_rounds=6)
    assert list(ready.rounds.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_c04_1_3_points_stay_once_round_1_is_paired(ready, draft_round, chief_arbiter):
    with pytest.raises(RuleRefused) as refused:
        tournament_update(
            tournament_id=ready.pk, actor=chief_arbiter, now=NOW, city="Lyon", points_pab=5
        )
    assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.1 3")
    ready.refresh_from_db()
    assert (ready.points_pab, ready.city) == (10, "")


def test_a_description_does_not_make_a_draft_stale(ready, draft_round, chief_arbiter):
    tournament_update(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, city="Lyon")
    assert (
        round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW).state
        == "pairings_published"
    )


def test_prohibited_pairs_are_two_participants_each(ready, chief_arbiter):
    one, other = entry_of(ready, 1).pk, entry_of(ready, 5).pk
    for wrong in ([[one, one]], [[one]], [[one, 999_999]]):
        with pytest.raises(BadInput, match="not two participants"):
            prohibited_pairs_set(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, pairs=wrong)
    prohibited_pairs_set(
        tournament_id=ready.pk, actor=chief_arbiter, now=NOW, pairs=[[other, one], [one, other]]
    )
    assert pairs_of(ready) == [[one, other]]
    row = ready.decisions.latest("sequence")
    assert (row.action, row.article) == ("prohibited_pairs.set", "C.04.2 1.5")
    assert (row.before, row.after) == ({"pairs": []}, {"pairs": [[one, other]]})
    prohibited_pairs_set(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, pairs=[[one, other]])
    assert ready.decisions.latest("sequence") == row
    entry_remove(entry_id=one, actor=chief_arbiter, now=NOW)
    assert (pairs_of(ready), differences(ready)) == ([], [])


def test_c04_2_1_5_prohibited_pairs_are_declared_before_the_first_round(
    ready, draft_round, chief_arbiter, deputy
):
    def prohibit(actor, **more):
        pair = [entry_of(ready, 1).pk, entry_of(ready, 5).pk]
        prohibited_pairs_set(tournament_id=ready.pk, actor=actor, now=NOW, pairs=[pair], **more)

    for actor in (chief_arbiter, deputy):
        with pytest.raises(RuleRefused, match=r"C\.04\.2 1\.5"):
            prohibit(actor, reason="the federation asked")
    round_unpair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused):
        prohibit(deputy, reason="the federation asked")
    with pytest.raises(BadInput):
        prohibit(chief_arbiter)
    prohibit(chief_arbiter, reason="the federation asked")
    assert len(pairs_of(ready)) == 1


class TestInitialColour:
    def test_c04_3_5_1_it_is_drawn_before_round_1_is_paired_and_recorded(
        self, tournament, chief_arbiter
    ):
        drawn = initial_colour_set(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            colour="b",
            witness=" Wanda  Witness ",
        )
        assert (drawn.initial_colour, drawn.initial_colour_method) == ("b", "drawn_outside")
        row = own(Decision).last()
        assert (row.action, row.article, row.after) == (
            "colour.drawn",
            "C.04.3 5.1",
            {"colour": "b", "method": "drawn_outside", "witness": "Wanda Witness"},
        )

    def test_c04_3_5_1_the_program_draws_from_its_secret_and_what_a_witness_names(
        self, tournament, chief_arbiter
    ):
        made = own(Decision).get(action="tournament.created")
        assert (
            made.after["draw_commitment"]
            == hashlib.sha256(tournament.draw_secret.encode()).hexdigest()
        )
        drawn = initial_colour_draw(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            named="4711",
            witness="Wanda Witness",
        )
        seed = hmac.digest(tournament.draw_secret.encode(), b"colour:4711", "sha256").hex()[:32]
        assert drawn.initial_colour == "wb"[int(seed[0], 16) % 2]
        assert own(Decision).last().after == {
            "colour": drawn.initial_colour,
            "method": "drawn",
            "seed": seed,
            "named": "4711",
            "witness": "Wanda Witness",
        }
        assert tournament.draw_secret not in str(list(own(Decision).values()))

    def test_c04_3_5_1_the_program_draws_once(self, tournament, chief_arbiter):
        given = {
            "tournament_id": tournament.pk,
            "actor": chief_arbiter,
            "now": NOW,
            "reason": "two dice",
        }
        initial_colour_draw(**given)
        with pytest.raises(RuleRefused, match="draws it only once"):
            initial_colour_draw(**given, named="2", witness="Wanda Witness")
        initial_colour_set(**given, colour="b")
        with pytest.raises(RuleRefused, match="draws it only once"):
            initial_colour_draw(**given)

    @pytest.mark.parametrize(
        "named, witness", [("4711", ""), ("", "Wanda"), ("x" * 101, "Wanda"), ("1", "a\0b")]
    )
    def test_a_draw_has_a_witness_and_what_was_named_or_neither(
        self, tournament, chief_arbiter, named, witness
    ):
        with pytest.raises(BadInput):
            initial_colour_draw(
                tournament_id=tournament.pk,
                actor=chief_arbiter,
                now=NOW,
                named=named,
                witness=witness,
            )
        assert own(Decision).filter(action="colour.drawn").count() == 0

    @pytest.mark.parametrize(
        "system, article", [("dutch_2026", "C.04.3 5.1"), ("dutch_pre2017", "C.04.3 A7")]
    )
    def test_c04_3_5_1_only_the_chief_arbiter_draws_again_with_a_reason(
        self, system, article, chief_arbiter, deputy, stranger, visitor
    ):
        """Also when the pairing of round 1 was read and discarded in between."""
        tournament, neighbour = (
            make_tournament(chief_arbiter, system=system, name=name)
            for name in ("Autumn Open", "Beside it")
        )
        given = {"tournament_id": tournament.pk, "now": NOW, "colour": "b", "reason": "two dice"}
        initial_colour_set(**(given | {"actor": deputy, "reason": ""}))
        rows = own(Decision).count()
        for actor in (deputy, stranger, visitor):
            with pytest.raises(PermissionDenied):
                initial_colour_set(**given, actor=actor)
        with pytest.raises(BadInput, match="enter a reason for the new draw"):
            initial_colour_set(**(given | {"actor": chief_arbiter, "reason": "."}))
        assert own(Decision).count() == rows
        initial_colour_set(**(given | {"actor": chief_arbiter, "colour": "w"}))
        row = own(Decision).last()
        assert (row.action, row.article, row.reason) == ("colour.drawn", article, "two dice")
        initial_colour_set(
            **(given | {"tournament_id": neighbour.pk, "actor": deputy, "reason": ""})
        )

    def test_c04_3_5_1_no_draw_after_round_1_is_paired(self, ready, draft_round, chief_arbiter):
        given = {"tournament_id": ready.pk, "actor": chief_arbiter, "now": NOW}
        for draw in (
            lambda: initial_colour_set(**given, colour="b"),
            lambda: initial_colour_draw(**given),
        ):
            with pytest.raises(RuleRefused) as refused:
                draw()
            assert (refused.value.code, refused.value.article) == (
                "colour.event_begun",
                "C.04.3 5.1",
            )

    def test_a_colour_is_white_or_black(self, tournament, chief_arbiter):
        with pytest.raises(BadInput) as bad:
            initial_colour_set(
                tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, colour="x"
            )
        assert bad.value.field == "colour"


def test_c04_2_4_2_the_schedule_is_announced_and_recorded(tournament, chief_arbiter):
    due = NOW + timedelta(hours=5)
    round_schedule(
        round_id=round_of(tournament, 1).pk,
        actor=chief_arbiter,
        now=NOW,
        starts_at=NOW,
        results_due_at=due,
    )
    round_ = round_of(tournament, 1)
    assert (round_.starts_at, round_.results_due_at) == (NOW, due)
    assert own(Decision).last().after == {
        "starts_at": NOW.isoformat(),
        "results_due_at": due.isoformat(),
    }


def test_c04_2_2_5_the_list_is_closed_and_its_numbers_are_definitive(ready, chief_arbiter):
    assert (
        list_close(tournament_id=ready.pk, actor=chief_arbiter, now=NOW).list_state == "definitive"
    )


class TestEditionOfTheTieBreaks:
    """One default, by the first day, for the form, the service and an import [C.07]."""

    def test_c07_the_default_is_the_edition_in_force_on_the_first_day(self, chief_arbiter):
        def edition(**fields):
            made = tournament_create(
                actor=chief_arbiter, now=NOW, name="Dated", total_rounds=5, **fields
            )
            return made.tie_break_edition

        assert edition(start_date=date(2025, 5, 4)) == "fide-2024"
        assert edition(start_date=date(2025, 5, 4), tie_break_edition="") == "fide-2024"
        assert edition(start_date=date(2026, 3, 1)) == "fide-2026"
        assert edition() == "fide-2026"
        assert edition(start_date=date(2025, 5, 4), tie_break_edition="fide-2026") == "fide-2026"

    @pytest.mark.costly
    def test_c07_the_default_follows_the_first_day_until_the_start(self, chief_arbiter):
        made, other = (make_ready(chief_arbiter, players=4, rounds=3) for _ in range(2))
        dated = tournament_update(
            tournament_id=made.pk, actor=chief_arbiter, now=NOW, start_date=date(2025, 5, 4)
        )
        assert dated.tie_break_edition == "fide-2024"
        pair_and_publish(made, 1, chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            tournament_update(
                tournament_id=made.pk, actor=chief_arbiter, now=NOW, start_date=date(2026, 5, 4)
            )
        assert (refused.value.code, refused.value.article) == ("tournament.begun", "C.04.2 1.3")
        other.refresh_from_db()
        assert other.tie_break_edition == "fide-2026"

    def test_c07_the_form_defaults_to_the_edition_of_the_first_day(self, chief_arbiter, client):
        client.force_login(chief_arbiter)
        page = client.get(reverse("tournament-create")).content.decode()
        assert '<option value="" selected>the text in force on the first day</option>' in page
