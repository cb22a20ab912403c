"""Undo the last action: the record gets a new line, and the tables are as they were before."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext, override

from pairing.record.people import People
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.results import result_record
from pairing.rules.undo import OPPOSITE
from tests.tournaments.factories import NOW, entry_of, pair_and_publish, round_of
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import Conflict, RuleRefused, ServiceError
from tournaments.desk.undo import UndoablePayload, action_undo
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.desk_data import desk_data_set, fee_set
from tournaments.entries.entries import (
    entry_add,
    entry_check_in,
    entry_remove,
    entry_return,
    entry_update,
    entry_withdraw,
)
from tournaments.entries.missing import missing_answer
from tournaments.models import (
    Action,
    Appointment,
    CheckInDesk,
    Decision,
    DeskData,
    Entry,
    Game,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.regulations import pairs_of
from tournaments.people.people import Access, person_appoint
from tournaments.reports.record_against_tables import differences, people_differences
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update
from tournaments.setup.visibility import tournament_archive, tournament_list_set
from tournaments.standings.prize_plan import CategoryPlan, Eligible, PrizePlan, plan_of
from tournaments.standings.prizes import prizes_set

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]


def newest(tournament: Tournament) -> Decision:
    return Decision.objects.filter(tournament=tournament).latest("sequence")


def undo(tournament: Tournament, actor: User, line: Decision | None = None) -> Decision:
    sequence = (line or newest(tournament)).sequence
    return action_undo(tournament_id=tournament.pk, actor=actor, now=NOW, sequence=sequence)


def refusal(tournament: Tournament, line: Decision, actor: User, now: datetime = NOW) -> str:
    with pytest.raises(ServiceError) as refused:
        action_undo(tournament_id=tournament.pk, actor=actor, now=now, sequence=line.sequence)
    return refused.value.code


def tables(tournament: Tournament) -> dict[str, list[tuple[object, ...]]]:
    """Return everything that an action with an undo may change."""
    return {
        "entries": list(
            Entry.objects.filter(tournament=tournament)
            .order_by("pk")
            .values_list("pk", "withdrawn_from", "checked_in")
        ),
        "byes": list(
            own(RequestedBye)
            .order_by("entry", "round_number")
            .values_list("entry", "round_number", "kind")
        ),
        "rounds": list(
            Round.objects.filter(tournament=tournament)
            .order_by("number")
            .values_list("number", "state", "paired_at")
        ),
        "boards": list(
            own(Game).order_by("round", "board").values_list("round", "board", "result")
        ),
        "seats": list(
            own(Seat).order_by("round", "entry").values_list("round", "entry", "colour", "bye")
        ),
    }


def settle(tournament: Tournament, consequence: str, who: dict[str, object]) -> None:
    missing = Entry.objects.filter(tournament=tournament, checked_in=False, withdrawn_from=None)
    seen = [
        entry.pk for entry in missing if not entry.requested_byes.filter(round_number=2).exists()
    ]
    check_in_settle(
        tournament_id=tournament.pk, consequence=consequence, seen=seen, confirmed=True, **who
    )


ACTIONS: dict[str, Callable[[Tournament, dict[str, object]], object]] = {
    "a draft": lambda t, who: round_pair(round_id=round_of(t, 2).pk, **who),
    "a withdrawal": lambda t, who: entry_withdraw(entry_id=entry_of(t, 1).pk, from_round=3, **who),
    "a second withdrawal": lambda t, who: entry_withdraw(
        entry_id=entry_of(t, 8).pk, from_round=3, **who
    ),
    "a return": lambda t, who: entry_return(entry_id=entry_of(t, 8).pk, reason="as told", **who),
    "a bye": lambda t, who: bye_request(
        entry_id=entry_of(t, 1).pk, round_number=2, kind="H", **who
    ),
    "another bye": lambda t, who: bye_request(
        entry_id=entry_of(t, 7).pk, round_number=2, kind="Z", **who
    ),
    "a bye cancelled": lambda t, who: bye_cancel(entry_id=entry_of(t, 7).pk, round_number=2, **who),
    "those missing excluded": lambda t, who: settle(t, "excluded", who),
    "those missing given a bye": lambda t, who: settle(t, "H", who),
    "those missing paired": lambda t, who: settle(t, "paired", who),
}


@pytest.mark.parametrize("name", ACTIONS)
def test_an_undone_action_leaves_the_tables_as_they_were(
    name: str, played_round: Round, chief_arbiter: User
) -> None:
    tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
    entry_withdraw(entry_id=entry_of(tournament, 8).pk, from_round=2, **who)
    bye_request(entry_id=entry_of(tournament, 7).pk, round_number=2, kind="H", **who)
    if name.startswith("those missing"):
        check_in_open(tournament_id=tournament.pk, **who)
        check_in_close(tournament_id=tournament.pk, **who)
    before = tables(tournament)
    ACTIONS[name](tournament, who)
    done = Decision.objects.filter(tournament=tournament).latest("sequence")
    assert tables(tournament) != before
    undone = undo(tournament, chief_arbiter)
    assert tables(tournament) == before
    assert (undone.sequence, undone.action, undone.article) == (
        done.sequence + 1,
        "action.undone",
        done.article,
    )
    assert undone.before == done.after
    assert undone.after == {**done.before, "undone": done.sequence, "action": done.action}
    assert record.verify(tournament) == []


def test_c04_2_3_2_undoing_an_exclusion_restores_the_announced_withdrawal(
    played_round: Round, chief_arbiter: User
) -> None:
    """The player is missing at the check-in of round 2 and excluded,
    after announcing a withdrawal from round 4.
    """
    tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
    entry = entry_withdraw(entry_id=entry_of(tournament, 3).pk, from_round=4, **who)
    check_in_open(tournament_id=tournament.pk, **who)
    check_in_close(tournament_id=tournament.pk, **who)
    missing = [each.pk for each in Entry.objects.filter(tournament=tournament)]
    check_in_settle(
        tournament_id=tournament.pk, consequence="excluded", seen=missing, confirmed=True, **who
    )
    entry.refresh_from_db()
    assert entry.withdrawn_from == 2
    undo(tournament, chief_arbiter)
    assert set(own(Entry).exclude(withdrawn_from=None).values_list("tpn", "withdrawn_from")) == {
        (3, 4)
    }


@pytest.mark.parametrize("earlier", ["", "=="])
def test_a_result_just_typed_is_undone(
    earlier: str, published_round: Round, chief_arbiter: User
) -> None:
    game = Game.objects.get(round=published_round, board=2)
    for result in filter(None, (earlier, "10")):
        result_record(game_id=game.pk, result=result, actor=chief_arbiter, now=NOW)
    seen = Game.objects.get(pk=game.pk).version
    undone = undo(published_round.tournament, chief_arbiter)
    game.refresh_from_db()
    assert (game.result, game.version, undone.action) == (earlier, seen + 1, "result.undone")


@pytest.mark.parametrize("checked_in", [True, False])
def test_a_check_in_is_undone(checked_in: bool, ready: Tournament, chief_arbiter: User) -> None:
    entry = entry_of(ready, 4)
    Entry.objects.filter(pk=entry.pk).update(checked_in=not checked_in)
    entry_check_in(entry_id=entry.pk, actor=chief_arbiter, now=NOW, checked_in=checked_in)
    undo(ready, chief_arbiter)
    entry.refresh_from_db()
    assert entry.checked_in is not checked_in


def test_c04_2_4_4_a_publication_is_not_undone(draft_round: Round, chief_arbiter: User) -> None:
    tournament = draft_round.tournament
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused) as refused:
        undo(tournament, chief_arbiter)
    assert refused.value.code == "undo.not_this"


def test_an_undone_action_is_not_undone_again(draft_round: Round, chief_arbiter: User) -> None:
    undo(draft_round.tournament, chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        undo(draft_round.tournament, chief_arbiter)
    assert refused.value.code == "undo.not_this"


@pytest.mark.costly
def test_c04_2_4_4_an_older_action_is_undone_if_nothing_depends_on_it(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    """Ten minutes, unless it is the newest; a later line about the same player,
    round or board is named.
    """
    tournament, who = draft_round.tournament, {"actor": chief_arbiter, "now": NOW}
    paired = newest(tournament)
    bye_request(entry_id=entry_of(tournament, 1).pk, round_number=3, kind="H", **who)
    granted = newest(tournament)
    entry_withdraw(entry_id=entry_of(tournament, 2).pk, from_round=4, actor=deputy, now=NOW)
    assert (
        refusal(tournament, granted, chief_arbiter, NOW + timedelta(minutes=11)) == "undo.too_late"
    )
    assert undo(tournament, chief_arbiter, granted).after["undone"] == granted.sequence
    assert not own(RequestedBye).exists()
    assert refusal(tournament, granted, chief_arbiter) == "undo.already"
    assert undo(tournament, chief_arbiter, paired).before == paired.after
    bye_request(entry_id=entry_of(tournament, 1).pk, round_number=3, kind="H", **who)
    granted = newest(tournament)
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, from_round=4, **who)
    with pytest.raises(Conflict) as conflict:
        undo(tournament, chief_arbiter, granted)
    assert [line.sequence for line in conflict.value.lines] == [granted.sequence + 1]
    undo(tournament, chief_arbiter)
    undo(tournament, chief_arbiter, granted)
    assert differences(tournament) == []
    assert refusal(tournament, granted, deputy) == "undo.already"
    with pytest.raises(Conflict, match="The record has no such action"):
        action_undo(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, sequence=999)


def test_c04_2_4_4_a_draft_that_was_published_since_is_not_undone(
    draft_round: Round, chief_arbiter: User
) -> None:
    tournament = draft_round.tournament
    paired = newest(tournament)
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    assert refusal(tournament, paired, chief_arbiter) == "round.already_published"


@pytest.mark.costly
def test_c04_2_4_4_who_plays_is_not_undone_after_the_pairings_were_published(
    played_round: Round, chief_arbiter: User
) -> None:
    """A player who has returned, and one who withdraws later than announced,
    are in the published pairings.
    """
    tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, **who)
    entry_return(entry_id=entry_of(tournament, 1).pk, reason="as told", **who)
    returned = newest(tournament)
    for number in (2, 3):
        entry_withdraw(entry_id=entry_of(tournament, 2).pk, from_round=number, **who)
    later = newest(tournament)
    pair_and_publish(tournament, 2, chief_arbiter)
    assert refusal(tournament, returned, chief_arbiter) == "undo.moved_on"
    assert refusal(tournament, later, chief_arbiter) == "withdrawal.round_published"
    assert differences(tournament) == []


def test_undo_and_cancel_are_different_words_in_french() -> None:
    """Both can be buttons of one page."""
    with override("fr"):
        assert gettext("Undo") != gettext("Cancel")


def test_a_deputy_undoes_only_own_actions(
    draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    tournament = draft_round.tournament
    with pytest.raises(RuleRefused) as refused:
        undo(tournament, deputy)
    assert refused.value.code == "undo.of_another"
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, actor=deputy, now=NOW)
    assert undo(tournament, deputy).actor == deputy
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, actor=deputy, now=NOW)
    assert undo(tournament, chief_arbiter).actor == chief_arbiter


def sections_of(tournament: Tournament) -> dict[str, object]:
    """Return what the ordinary actions of :data:`ORDINARY` change."""
    row = Tournament.objects.get(pk=tournament.pk)
    return {
        "settings": (
            row.name,
            row.top_boards,
            row.listed,
            row.archived,
            row.start_date,
            row.system,
            row.tie_breaks,
        ),
        "entries": list(
            Entry.objects.filter(tournament=row)
            .order_by("pk")
            .values_list(
                "pk", "tpn", "name", "fide_rating", "rating", "rating_source", "club", "first_round"
            )
        ),
        "pairs": pairs_of(row),
        "prizes": plan_of(row),
        "fee": list(
            CheckInDesk.objects.filter(tournament=row, fee__gt=0).values_list("fee", flat=True)
        ),
        "desk": list(
            DeskData.objects.filter(entry__tournament=row)
            .exclude(phone="")
            .values_list("phone", "fee_paid")
        ),
        "times": list(row.rounds.order_by("number").values_list("starts_at", "results_due_at")),
        "people": list(
            Appointment.objects.filter(tournament=row, until=None).values_list("person", "role")
        ),
    }


PLAN = PrizePlan("EUR", categories=(CategoryPlan("Main", Eligible.EVERYBODY, "", (10_000, 5_000)),))
ORDINARY: dict[str, Callable[[Tournament, dict[str, object], dict[str, object]], object]] = {
    "entry.added": lambda t, of, by: entry_add(
        **of, name="Newcomer, Nina", federation="FRA", fide_rating=1900
    ),
    "entry.removed": lambda t, of, by: entry_remove(entry_id=entry_of(t, 3).pk, **by),
    "entry.updated": lambda t, of, by: entry_update(
        entry_id=entry_of(t, 3).pk, club="Lyon", fide_rating=2150, birth_date="1990", **by
    ),
    "desk_data.changed": lambda t, of, by: desk_data_set(
        entry_id=entry_of(t, 3).pk, phone="0612", note="late", fee_due=500, fee_paid=100, **by
    ),
    "fee.set": lambda t, of, by: fee_set(fee=1500, **of),
    "tournament.updated": lambda t, of, by: tournament_update(
        top_boards=3, start_date=date(2026, 11, 1), system="double_swiss_2026", **of
    ),
    "tournament.listed": lambda t, of, by: tournament_list_set(listed=True, **of),
    "tournament.archived": lambda t, of, by: tournament_archive(archived=True, **of),
    "prohibited_pairs.set": lambda t, of, by: prohibited_pairs_set(
        pairs=[[entry_of(t, 1).pk, entry_of(t, 2).pk]], **of
    ),
    "prizes.set": lambda t, of, by: prizes_set(plan=PLAN, **of),
    "round.scheduled": lambda t, of, by: round_schedule(
        round_id=round_of(t, 1).pk, starts_at=NOW, results_due_at=None, **by
    ),
    "person.appointed": lambda t, of, by: person_appoint(
        name="Rita Result", role="result_desk", access=Access("secret", "1234"), **of
    ),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", ORDINARY)
def test_c04_2_4_4_an_ordinary_action_restores_the_values(
    name: str, ready: Tournament, chief_arbiter: User
) -> None:
    """Also after another action; the record alone leads to the same tables,
    and to the same people.
    """
    by: dict[str, object] = {"actor": chief_arbiter, "now": NOW}
    before = sections_of(ready)
    ORDINARY[name](ready, {"tournament_id": ready.pk, **by}, by)
    done = newest(ready)
    assert (done.action, sections_of(ready) != before) == (name, True)
    entry_check_in(
        entry_id=entry_of(ready, 1).pk, checked_in=not entry_of(ready, 1).checked_in, **by
    )
    undone = undo(ready, chief_arbiter, done)
    assert sections_of(ready) == before
    assert (undone.action, undone.before, undone.is_public) == (
        "action.undone",
        done.after,
        done.is_public,
    )
    assert undone.after == {**done.before, "undone": done.sequence, "action": name}
    assert (differences(ready), people_differences(ready), record.verify(ready)) == ([], [], [])
    assert refusal(ready, done, chief_arbiter) == "undo.already"


def test_the_undo_reverses_itself_what_the_table_of_actions_names() -> None:
    reversed_here = {kind.action for kind in get_args(UndoablePayload)}
    assert reversed_here == {action for action in Action if action.row.reversed}


def test_every_action_undone_by_an_ordinary_one_is_tried_here() -> None:
    turned = {"tournament.unlisted", "tournament.restored", "entry.rating_changed"}
    assert {*ORDINARY} | turned | {"round.arranged"} == {
        *OPPOSITE
    }  # see rounds/test_undone_arrangement.py
    assert all(
        OPPOSITE[opposite] in (action, opposite)
        for action, opposite in OPPOSITE.items()
        if action in turned
    )


@pytest.mark.costly
def test_c04_2_4_1_what_the_values_no_longer_allow_is_refused(
    ready: Tournament, chief_arbiter: User
) -> None:
    by: dict[str, object] = {"actor": chief_arbiter, "now": NOW}
    added = entry_add(tournament_id=ready.pk, name="Newcomer, Nina", **by)
    line = newest(ready)
    bye_request(entry_id=added.pk, round_number=2, kind="H", **by)
    assert refusal(ready, line, chief_arbiter) == "undo.moved_on"
    entry_remove(entry_id=added.pk, **by)
    assert refusal(ready, newest(ready), chief_arbiter) == "undo.entry_had_more"
    answered = entry_of(ready, 8)
    entry_check_in(entry_id=answered.pk, checked_in=False, **by)
    missing_answer(
        tournament_id=ready.pk, round_number=1, answers={answered.pk: "skip"}, confirmed=True, **by
    )
    entry_remove(entry_id=answered.pk, **by)
    assert refusal(ready, newest(ready), chief_arbiter) == "undo.entry_had_more"
    tournament_update(tournament_id=ready.pk, top_boards=2, **by)
    settings = newest(ready)
    round_pair(round_id=round_of(ready, 1).pk, **by)
    assert refusal(ready, settings, chief_arbiter) == "undo.not_now"
    assert differences(ready) == []


def test_c04_2_4_4_nothing_is_undone_after_the_final_standings(
    played_round: Round, chief_arbiter: User
) -> None:
    tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
    fee_set(tournament_id=tournament.pk, fee=1000, **who)
    line = newest(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(final_at=NOW)
    assert refusal(tournament, line, chief_arbiter) == "standings.final"


def test_a_forged_undo_of_what_another_person_did_is_found(
    draft_round: Round, chief_arbiter: User
) -> None:
    """A deputy cannot write it, and the record alone shows it;
    that of the Chief Arbiter is honest.
    """
    tournament = draft_round.tournament
    undo(tournament, chief_arbiter)
    lines = list(record.lines_of(tournament, private=True))
    people = People()
    assert [people.read(line) for line in lines] == [None] * len(lines)
    helper = {"person": 999, "name": "Rita", "role": "deputy"}
    appointed = replace(lines[-1], action="person.appointed", before={}, after=helper)
    forged = replace(lines[-1], account=999, actor="Rita")
    people = People()
    faults = [people.read(line) for line in (*lines[:-1], appointed, forged)]
    assert str(faults[-1]) == f"#{forged.sequence}: Rita undoes what another person did."


def test_the_document_says_of_every_action_how_it_is_undone_or_why_not() -> None:
    text = (Path(settings.BASE_DIR) / "docs/developer/undo.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    named = [
        code for row in rows for code in re.findall(r"`([a-z_]+\.[a-z_]+)`", row.split("|")[1])
    ]
    assert sorted(named) == sorted(Action), (
        "Each action has one row in docs/developer/undo.md: "
        f"missing {sorted({*Action} - {*named})}, unknown {sorted({*named} - {*Action})}."
    )
    undone = text[: text.index("## Undone only by another action")]
    assert {code for code in named if f"`{code}`" in undone.split("|", 1)[1]} == {
        *OPPOSITE, *(action.value for action in Action if action.row.reversed)
    }  # fmt: skip
