"""Undo of a saved arrangement: the draft is again exactly what it was, for people,
pages and reports.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import pairings_of, round_arrange
from pairing.rounds.checklist import checklist
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.snapshot import snapshot
from pairing.rounds.swapping import Click, swapping
from pairing.rounds.versions import pairing_action, round_version
from tests.tournaments import factories
from tests.tournaments.factories import NOW, boards, byes, entry_of, round_of
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import Conflict, RuleRefused, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.models import Decision, Game, Seat, Tournament
from tournaments.reports.event_report import event_report
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export

WHY = "they travel together"
SWAP, OTHER_SWAP, INTO_THE_BYE = (4, 2), (5, 7), (9, 1)


@pytest.fixture
@factories.cached
def draft(chief_arbiter: User) -> Tournament:
    """Nine players after round 1; the draft of round 2, in which player 9 has the allocated bye."""
    tournament = factories.make_ready(chief_arbiter, players=9)
    factories.play_rounds(tournament, [1], chief_arbiter)
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    return tournament


def arranged(tournament: Tournament, actor: User, one: int, other: int) -> Decision:
    """Let two players of the draft change places, by number; return the line."""
    round_ = round_of(tournament, 2)
    found = swapping(
        tournament, round_, "", Click(entry_of(tournament, one).pk, entry_of(tournament, other).pk)
    )
    places = pairings_of(found.saved_as, found.entries)
    round_arrange(round_id=round_.pk, pairings=places, reason=WHY, actor=actor, now=NOW)
    return newest(tournament)


def newest(tournament: Tournament) -> Decision:
    return Decision.objects.filter(tournament=tournament).latest("sequence")


def undo(tournament: Tournament, actor: User, line: Decision, minutes: int = 0) -> Decision:
    now = NOW + timedelta(minutes=minutes)
    return action_undo(tournament_id=tournament.pk, actor=actor, now=now, sequence=line.sequence)


def refusal(tournament: Tournament, actor: User, line: Decision, minutes: int = 0) -> str:
    with pytest.raises(ServiceError) as refused:
        undo(tournament, actor, line, minutes)
    return refused.value.code


def places(tournament: Tournament) -> object:
    round_ = round_of(tournament, 2)
    return (
        list(
            own(Seat)
            .filter(round=round_)
            .order_by("entry")
            .values_list("entry", "game__board", "colour", "bye")
        ),
        list(
            own(Game).filter(round=round_).order_by("board").values_list("board", "table", "result")
        ),
    )


@pytest.mark.parametrize("swap", [SWAP, OTHER_SWAP, INTO_THE_BYE])
def test_c04_3_1_9_3_an_undone_arrangement_leaves_the_draft_exactly_as_it_was(
    swap: tuple[int, int], draft: Tournament, chief_arbiter: User
) -> None:
    before = places(draft)
    line = arranged(draft, chief_arbiter, *swap)
    assert places(draft) != before
    undone = undo(draft, chief_arbiter, line, minutes=9)
    assert places(draft) == before
    assert (undone.action, undone.before, undone.is_public) == ("action.undone", line.after, False)
    assert undone.after == {**line.before, "undone": line.sequence, "action": "round.arranged"}
    assert (undone.article, undone.round_number) == (line.article, 2)
    assert (differences(draft), record.verify(draft)) == ([], [])
    assert refusal(draft, chief_arbiter, line) == "undo.already"


@pytest.mark.costly
def test_c04_3_1_9_3_arrangements_are_undone_one_after_the_other_and_then_the_draft(
    draft: Tournament, chief_arbiter: User
) -> None:
    paired, before = newest(draft), places(draft)
    first = arranged(draft, chief_arbiter, *SWAP)
    between = places(draft)
    second = arranged(draft, chief_arbiter, *OTHER_SWAP)
    assert refusal(draft, chief_arbiter, first) == "undo.moved_on"
    undo(draft, chief_arbiter, second)
    assert places(draft) == between
    undo(draft, chief_arbiter, first)
    assert (places(draft), differences(draft)) == (before, [])
    undo(draft, chief_arbiter, paired)
    assert (boards(draft, 2), differences(draft)) == ([], [])


@pytest.mark.costly
def test_c04_2_4_4_an_arrangement_of_published_pairings_is_not_undone(
    draft: Tournament, chief_arbiter: User, deputy: User
) -> None:
    """Nor by a deputy, nor after ten minutes and another action,
    nor in a draft that is out of date.
    """
    line = arranged(draft, chief_arbiter, *SWAP)
    assert refusal(draft, deputy, line) == "undo.of_another"
    bye_request(
        entry_id=entry_of(draft, 8).pk, round_number=3, kind="H", actor=chief_arbiter, now=NOW
    )
    assert refusal(draft, chief_arbiter, line, minutes=11) == "undo.too_late"
    bye_request(
        entry_id=entry_of(draft, 8).pk, round_number=2, kind="H", actor=chief_arbiter, now=NOW
    )
    assert refusal(draft, chief_arbiter, line) == "draft.stale"
    undo(draft, chief_arbiter, newest(draft))
    round_pair(round_id=round_of(draft, 2).pk, actor=chief_arbiter, now=NOW)
    assert refusal(draft, chief_arbiter, line) == "undo.moved_on"
    line = arranged(draft, chief_arbiter, *SWAP)
    round_publish(round_id=round_of(draft, 2).pk, actor=chief_arbiter, now=NOW)
    with pytest.raises((RuleRefused, Conflict)):
        undo(draft, chief_arbiter, line)


@pytest.mark.costly
def test_c04_3_1_9_3_nothing_takes_an_undone_arrangement_for_one_that_stands(
    draft: Tournament, chief_arbiter: User
) -> None:
    """The checklist, the page and both reports; a page from before is stale."""
    round_ = round_of(draft, 2)
    before = checklist(draft, round_, NOW)
    line = arranged(draft, chief_arbiter, 1, byes_of(draft))
    assert (checklist(draft, round_, NOW) != before, pairing_action(draft, 2)) == (
        True,
        "round.arranged",
    )
    seen = round_version(draft, 2)
    undo(draft, chief_arbiter, line)
    assert round_version(draft, 2) > seen
    assert (checklist(draft, round_, NOW), pairing_action(draft, 2)) == (before, "round.paired")
    round_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW)
    draft.refresh_from_db()
    assert "MPA @" not in trf_export(draft, public=True)
    lines = event_report(tournament_frame(draft, runs=True)).decisions
    listed = next(each.listed for each in lines if each.article == "C.04.3 1.9.3")
    assert [each.action for each in listed] == ["round.arranged", "action.undone"]


def byes_of(tournament: Tournament) -> int:
    """Return the number of the player with the allocated bye."""
    (found,) = (tpn for tpn, letter in byes(tournament, 2).items() if letter == "U")
    return found


@pytest.mark.costly
def test_c04_3_1_9_3_the_message_after_a_swap_offers_its_undo(
    draft: Tournament, client: Client, chief_arbiter: User
) -> None:
    """One button, back to the round; a page of the swap that was open meanwhile is out of date."""
    client.force_login(chief_arbiter)
    before = places(draft)
    url = reverse("round-swap", args=[draft.slug, 2])
    found = swapping(
        draft, round_of(draft, 2), "", Click(entry_of(draft, 4).pk, entry_of(draft, 2).pk)
    )
    version = draft.version
    page = client.post(url, {"m": found.token, "reason": WHY, "version": version}, follow=True)
    text = page.content.decode()
    line = newest(draft)
    assert (line.action, text.count('class="actions undo"')) == ("round.arranged", 1)
    back = page.request["PATH_INFO"]
    form = {"sequence": line.sequence, "seen_line": line.sequence, "next": back}
    done = client.post(reverse("undo", args=[draft.slug]), form, follow=True)
    assert (done.request["PATH_INFO"], places(draft)) == (
        reverse("round", args=[draft.slug, 2]),
        before,
    )
    assert "Undone. The record keeps both actions." in done.content.decode()
    again = client.post(url, {"m": found.token, "reason": WHY, "version": line.sequence})
    assert (again.status_code, places(draft)) == (409, before)
    assert snapshot(draft, 2)
