"""Rules that were no longer in force on the first day leave FIDE mode, after two questions,
and nothing leads back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rules.fide_mode import may_use_rules
from pairing.rules.verdict import ALLOWED, Refused
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.chosen_rules import left_fide_mode
from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo, offered_undo, undoable_actions
from tournaments.events.sections import event_create, section_add
from tournaments.lists.imports.duplicate import tournament_duplicate
from tournaments.models import Action, Decision, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_create, tournament_update

OLD: Final = {"system": "dutch_2017"}
TODAY: Final = date(2026, 11, 21)
THEN: Final = date(2025, 5, 4)
CONFIRMED: Final = {"leave_fide_mode": "yes", "leave_fide_mode_again": "yes"}
COMMENT: Final = "### FIDE mode left @ Round 0: rules no longer in force"


def by(actor: User) -> dict[str, Any]:
    return {"actor": actor, "now": NOW}


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(RuleRefused) as refused:
        action()
    return refused.value.code


@pytest.mark.parametrize(
    "leaves, decides, confirmed, expected",
    [
        (False, False, False, ALLOWED),
        (True, False, True, Refused("fide_mode.chief_arbiter_chooses", "C.04.2 1.1")),
        (True, True, False, Refused("fide_mode.confirm_rules", "C.04.2 1.1")),
        (True, True, True, ALLOWED),
    ],
)
def test_c04_2_1_1_older_rules_are_confirmed_by_the_chief_arbiter(
    leaves, decides, confirmed, expected
):
    assert may_use_rules(leaves=leaves, decides=decides, confirmed=confirmed) == expected


@pytest.mark.parametrize("day", [None, TODAY])
def test_c04_2_1_1_a_new_tournament_with_older_rules_leaves_fide_mode_once(
    chief_arbiter: User, day: date
) -> None:
    given: dict[str, Any] = {
        "name": "Retro Open",
        "total_rounds": 5,
        "start_date": day,
        **OLD,
        **by(chief_arbiter),
    }
    assert code_of(lambda: tournament_create(**given)) == "fide_mode.confirm_rules"
    assert not own(Tournament).exists()
    made = tournament_create(**given, leave_fide_mode=True)
    assert made.left_fide_mode == 0
    assert differences(made) == []
    assert trf_export(made, public=True).count(COMMENT) == 1
    for change in ({"system": "dutch_2026"}, {"start_date": THEN}):
        made = tournament_update(tournament_id=made.pk, **change, **by(chief_arbiter))
        assert left_fide_mode(made) == 0
    assert differences(made) == []


@pytest.mark.costly
def test_c04_2_1_1_settings_leave_fide_mode_by_system_edition_or_first_day(
    chief_arbiter: User, deputy: User
) -> None:
    for change in (OLD, {"handling_edition": "c04_2_2017"}, {"system": "dutch_pre2017"}):
        new = factories.make_tournament(chief_arbiter)
        given: dict[str, Any] = {"tournament_id": new.pk, **change}
        assert (
            code_of(lambda: tournament_update(**given, **by(chief_arbiter)))  # noqa: B023
            == "fide_mode.confirm_rules"
        )
        new.refresh_from_db()
        assert (new.left_fide_mode, new.system) == (None, "dutch_2026")
        left = tournament_update(**given, leave_fide_mode=True, **by(chief_arbiter))
        line = Decision.objects.filter(tournament=new).latest("sequence")
        assert (
            left.left_fide_mode,
            line.before["left_fide_mode"],
            line.after["left_fide_mode"],
        ) == (0, None, 0)
        assert differences(left) == []
    old = factories.make_tournament(chief_arbiter, start_date=THEN, **OLD)
    assert left_fide_mode(old) is None
    factories.appoint_on_record(old, deputy, chief_arbiter)
    later: dict[str, Any] = {"tournament_id": old.pk, "start_date": TODAY}
    assert (
        code_of(lambda: tournament_update(**later, **by(chief_arbiter)))
        == "fide_mode.confirm_rules"
    )
    refused = code_of(lambda: tournament_update(**later, leave_fide_mode=True, **by(deputy)))
    assert refused == "fide_mode.chief_arbiter_chooses"
    tournament_update(**later, leave_fide_mode=True, **by(chief_arbiter))
    back = tournament_update(tournament_id=old.pk, start_date=THEN, **by(chief_arbiter))
    assert (left_fide_mode(back), differences(back)) == (0, [])


def test_c04_2_1_1_undo_does_not_lead_back_into_fide_mode(chief_arbiter: User) -> None:
    tournament = factories.make_tournament(chief_arbiter)
    tournament_update(tournament_id=tournament.pk, leave_fide_mode=True, **OLD, **by(chief_arbiter))
    line = Decision.objects.filter(tournament=tournament).latest("sequence")
    undo: dict[str, Any] = {
        "tournament_id": tournament.pk,
        "sequence": line.sequence,
        **by(chief_arbiter),
    }
    assert code_of(lambda: action_undo(**undo)) == "undo.fide_mode_left"
    tournament.refresh_from_db()
    assert (tournament.system, left_fide_mode(tournament)) == ("dutch_2017", 0)


def test_c04_2_1_1_no_undo_is_offered_for_leaving_fide_mode(chief_arbiter: User) -> None:
    tournament = factories.make_tournament(chief_arbiter)
    for change, offered in (
        ({"name": "Retro Open"}, True),
        (OLD, False),
        ({"name": "Old Open"}, True),
    ):
        tournament = tournament_update(
            tournament_id=tournament.pk, leave_fide_mode=True, **change, **by(chief_arbiter)
        )
        line = Decision.objects.filter(tournament=tournament).latest("sequence")
        frame = tournament_frame(tournament, runs=True)
        found = offered_undo(frame, chief_arbiter, now=NOW, fingerprint=line.hash[:12])
        assert (found == line, line in undoable_actions(frame, chief_arbiter, now=NOW)) == (
            offered,
            offered,
        )


@pytest.mark.costly
def test_c04_2_1_3_the_first_day_is_fixed_once_round_1_is_paired(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, start_date=TODAY)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    moved: dict[str, Any] = {
        "tournament_id": tournament.pk,
        "start_date": THEN,
        **by(chief_arbiter),
    }
    assert code_of(lambda: tournament_update(**moved)) == "tournament.begun"
    assert (
        code_of(lambda: tournament_update(**(moved | {"start_date": None}))) == "tournament.begun"
    )
    # A day that nobody has given can be added, without a way back into FIDE mode.
    old = factories.make_ready(chief_arbiter, name="Retro Open", **OLD)
    factories.pair_and_publish(old, 1, chief_arbiter)
    dated = tournament_update(tournament_id=old.pk, start_date=THEN, **by(chief_arbiter))
    assert (dated.start_date, left_fide_mode(dated)) == (THEN, 0)


def test_c04_2_1_1_copies_and_sections_ask_too(chief_arbiter: User) -> None:
    source = factories.make_tournament(chief_arbiter, start_date=THEN, **OLD)
    copy: dict[str, Any] = {
        "source_id": source.pk,
        "name": "Again",
        "first_day": TODAY,
        **by(chief_arbiter),
    }
    assert code_of(lambda: tournament_duplicate(**copy)) == "fide_mode.confirm_rules"
    assert tournament_duplicate(**copy, leave_fide_mode=True).left_fide_mode == 0
    like = factories.make_tournament(chief_arbiter, name="Section event", **OLD)
    event = event_create(tournament_id=like.pk, name="Festival", label="A", **by(chief_arbiter))
    section: dict[str, Any] = {"event_id": event.pk, "like_id": like.pk, "label": "B", "limits": {}}
    assert code_of(lambda: section_add(**section, **by(chief_arbiter))) == "fide_mode.confirm_rules"
    assert section_add(**section, leave_fide_mode=True, **by(chief_arbiter)).left_fide_mode == 0


@pytest.mark.costly
def test_the_pages_ask_two_questions(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    source = factories.make_tournament(chief_arbiter, start_date=THEN, **OLD)
    pages = {
        reverse("tournament-create"): {
            "name": "Retro",
            "total_rounds": "5",
            "system": "dutch_2017",
            "kind": "",
        },
        reverse("tournament-duplicate", args=[source.slug]): {
            "name": "Copy",
            "first_day": "2026-11-21",
        },
    }
    for url, form in pages.items():
        if url == reverse("tournament-create"):
            shown = client.get(url).context["form"]
            form |= {
                field.html_name: field.value()
                for field in shown
                if field.value() and field.html_name not in form
            }
        for answers in ({}, {"leave_fide_mode": "yes"}, {"leave_fide_mode_again": "yes"}):
            answer = client.post(url, form | answers)
            body = answer.content.decode()
            assert (answer.status_code, body.count('name="leave_fide_mode')) == (422, 2)
            assert "leaves FIDE mode permanently" in body
        answer = client.post(url, form | CONFIRMED)
        assert answer.status_code == 302
        assert client.post(url, form | CONFIRMED).status_code == 302  # the same form sent twice
    made = own(Tournament).exclude(pk=source.pk).values_list("name", "left_fide_mode")
    assert sorted(made) == [("Copy", 0), ("Retro", 0)]
    line = Decision.objects.get(tournament__name="Retro", action=Action.TOURNAMENT_CREATED)
    page = client.get(reverse("tournament", args=[line.tournament.slug])).content.decode()
    assert "Outside FIDE mode: the rules were no longer in force on the first day." in page
    assert f"?line={line.sequence}#line-" in page
