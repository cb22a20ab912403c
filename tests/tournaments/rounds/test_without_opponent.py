"""Everybody without an opponent in a published round may get one:
4.4.3 and 4.4.4 [C.04.2/2026 4.4].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.engine.model import TPN
from pairing.rounds.absences import absence_explain, no_shows
from pairing.rounds.change_page import change_page
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rules.published import Situation, without_opponent
from pairing.rules.smallest import proposal
from tests.tournaments.agreement import require_agreement, require_import, require_recheck
from tests.tournaments.contents import tables
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.replay import Replay
from tests.tournaments.rounds.test_change_actions import change
from tournaments.core.errors import RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open
from tournaments.entries.entries import entry_add, entry_check_in, entry_return, entry_withdraw
from tournaments.entries.entry_list import EntryFilter, entry_line, entry_list
from tournaments.entries.expulsion import entry_expel
from tournaments.entries.missing import missing_answer
from tournaments.models import Game, Tournament

pytestmark = pytest.mark.django_db

WHY = "both are here now"


def both_skipped(tournament: Tournament, actor: User) -> tuple[int, int]:
    """Leave 7 and 8 out of round 2 because they missed the check-in."""
    given: dict[str, Any] = {"actor": actor, "now": NOW}
    check_in_open(tournament_id=tournament.pk, **given)
    for entry in tournament.entries.filter(tpn__lte=6):
        entry_check_in(entry_id=entry.pk, checked_in=True, **given)
    check_in_close(tournament_id=tournament.pk, **given)
    answers = {entry_of(tournament, tpn).pk: "skip" for tpn in (7, 8)}
    missing_answer(
        tournament_id=tournament.pk, round_number=2, answers=answers, confirmed=True, **given
    )
    return (7, 8)


def both_arrive(tournament: Tournament, actor: User) -> None:
    for tpn in (7, 8):
        entry_check_in(entry_id=entry_of(tournament, tpn).pk, checked_in=True, actor=actor, now=NOW)


def both_absences_announced(tournament: Tournament, actor: User) -> tuple[int, int]:
    for tpn, kind in ((7, "Z"), (8, "H")):
        entry = entry_of(tournament, tpn)
        bye_request(entry_id=entry.pk, round_number=2, kind=kind, actor=actor, now=NOW)
    return (7, 8)


def both_withdrawn(tournament: Tournament, actor: User) -> tuple[int, int]:
    for tpn in (7, 8):
        entry_withdraw(entry_id=entry_of(tournament, tpn).pk, actor=actor, now=NOW)
    return (7, 8)


def both_return(tournament: Tournament, actor: User) -> None:
    for tpn in (7, 8):
        entry_return(entry_id=entry_of(tournament, tpn).pk, actor=actor, now=NOW, reason=WHY)


def nothing(tournament: Tournament, actor: User) -> None:
    """They simply come."""


def one_withdrawn(tournament: Tournament, actor: User) -> tuple[int, int]:
    """Withdraw 8; somebody else gets the allocated bye."""
    entry_withdraw(entry_id=entry_of(tournament, 8).pk, actor=actor, now=NOW)
    return (0, 8)


def eighth_returns(tournament: Tournament, actor: User) -> None:
    entry_return(entry_id=entry_of(tournament, 8).pk, actor=actor, now=NOW, reason=WHY)


def one_skipped(tournament: Tournament, actor: User) -> tuple[int, int]:
    bye_request(entry_id=entry_of(tournament, 8).pk, round_number=2, kind="Z", actor=actor, now=NOW)
    return (0, 8)


@pytest.fixture
def first_over(chief_arbiter: User) -> Tournament:
    """Eight players, round 1 of five over, everything drawn: all are close in the standings."""
    return after_a_drawn_round(chief_arbiter, max_byes=2)


def after_a_drawn_round(actor: User, **settings: Any) -> Tournament:
    tournament = make_ready(actor, **settings)
    pair_and_publish(tournament, 1, actor)
    enter_results(tournament, 1, actor, lambda *_: "==")
    results_publish(round_id=round_of(tournament, 1).pk, actor=actor, now=NOW)
    return tournament


def with_new_board(tournament: Tournament, one: int, other: int) -> str:
    """Return the boards of round 2 and a new one."""
    pairs = [f"{white}-{black}" for white, black, _ in boards(tournament, 2)]
    return " ".join([*pairs, f"{one}-{other}"])


Given = Callable[[Tournament, User], tuple[int, int]]


@pytest.mark.costly
@pytest.mark.parametrize(
    "before, after",
    [
        (both_skipped, both_arrive),
        (both_skipped, nothing),
        (both_absences_announced, nothing),
        (both_withdrawn, both_return),
        (one_withdrawn, eighth_returns),
        (one_skipped, nothing),
    ],
)
def test_c04_2_4_4_3_everybody_without_an_opponent_may_get_one(
    first_over: Tournament,
    chief_arbiter: User,
    before: Given,
    after: Callable[[Tournament, User], None],
) -> None:
    one, other = before(first_over, chief_arbiter)
    pair_and_publish(first_over, 2, chief_arbiter)
    after(first_over, chief_arbiter)
    first_over.refresh_from_db()
    one = one or next(tpn for tpn, letter in byes(first_over, 2).items() if letter == "U")
    page = change_page(first_over, round_of(first_over, 2), at=NOW)
    assert {one, other} <= {*without_opponent(page.facts)}
    found = proposal(page.facts, Situation.WITHOUT_OPPONENT)
    assert found is not None
    assert {*found.after.opponents()} - {*page.facts.now.opponents()} == {one, other}
    pair = found.after.boards[max(found.after.boards)]
    text = with_new_board(first_over, *pair)
    change(first_over, 2, chief_arbiter, text, Situation.WITHOUT_OPPONENT, agreed=f"{one} {other}")
    assert {one, other} == {*boards(first_over, 2)[-1][:2]}
    assert byes(first_over, 2).keys() & {one, other} == set()
    agrees(first_over)
    enter_results(first_over, 2, chief_arbiter)
    results_publish(round_id=round_of(first_over, 2).pk, actor=chief_arbiter, now=NOW)
    agrees(first_over)
    require_recheck(first_over)
    require_import(first_over, chief_arbiter, NOW)
    pair_and_publish(first_over, 3, chief_arbiter)
    agrees(first_over)


@pytest.mark.costly
def test_c04_2_3_3_a_bye_replaced_by_a_game_is_not_used(
    chief_arbiter: User, client: Client
) -> None:
    tournament = after_a_drawn_round(chief_arbiter, max_byes=1)
    entries = [
        entry_of(tournament, tpn) for tpn in both_absences_announced(tournament, chief_arbiter)
    ]
    half = entries[1]
    pair_and_publish(tournament, 2, chief_arbiter)
    assert [bye.round_number for bye in entry_line(half).byes] == [2]
    with pytest.raises(RuleRefused) as refused:
        bye_request(entry_id=half.pk, round_number=4, kind="H", actor=chief_arbiter, now=NOW)
    assert refused.value.code == "bye.too_many"
    change(
        tournament,
        2,
        chief_arbiter,
        with_new_board(tournament, 7, 8),
        Situation.WITHOUT_OPPONENT,
        agreed="7 8",
    )
    assert [entry_line(entry).byes for entry in entries] == [(), ()]
    listed = entry_list(tournament, for_arbiters=True, shown=EntryFilter.BYES)
    assert (listed.lines, listed.counts[EntryFilter.BYES]) == ((), 0)
    bye_request(entry_id=half.pk, round_number=4, kind="H", actor=chief_arbiter, now=NOW)
    assert [bye.round_number for bye in entry_line(half).byes] == [4]
    client.force_login(chief_arbiter)
    page = client.get(reverse("entry-edit", args=[tournament.slug, half.pk])).content.decode()
    assert ("Round 2 · half-point bye" in page, "Round 4 · half-point bye" in page) == (False, True)
    agrees(tournament)


def agrees(tournament: Tournament) -> None:
    tournament.refresh_from_db()
    require_agreement(tournament, Replay(), tables(tournament))


@pytest.mark.costly
@pytest.mark.parametrize("is_expelled", [False, True])
def test_c04_2_3_2_a_player_who_has_left_gets_no_game(
    first_over: Tournament, chief_arbiter: User, is_expelled: bool
) -> None:
    """An expelled player is not brought back either:
    4.4.3 is about the players of the tournament.
    """
    for tpn in (7, 8):
        pk = entry_of(first_over, tpn).pk
        if is_expelled:
            entry_expel(entry_id=pk, actor=chief_arbiter, now=NOW, reason="cheating")
        else:
            entry_withdraw(entry_id=pk, actor=chief_arbiter, now=NOW)
    pair_and_publish(first_over, 2, chief_arbiter)
    page = change_page(first_over, round_of(first_over, 2), at=NOW)
    assert without_opponent(page.facts) == ()
    assert not next(
        one for one in page.situations if one.situation is Situation.WITHOUT_OPPONENT
    ).holds
    with pytest.raises(RuleRefused) as refused:
        change(
            first_over,
            2,
            chief_arbiter,
            with_new_board(first_over, 7, 8),
            Situation.WITHOUT_OPPONENT,
            agreed="7 8",
        )
    assert refused.value.code == "manual.absent"


@pytest.mark.costly
def test_c04_2_4_4_3_a_late_entry_may_be_one_of_the_two(
    first_over: Tournament, chief_arbiter: User
) -> None:
    both_skipped(first_over, chief_arbiter)
    pair_and_publish(first_over, 2, chief_arbiter)
    late = entry_add(
        tournament_id=first_over.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Late, Lara",
        checked_in=True,
    )
    text = with_new_board(first_over, 7, late.tpn or 0)
    change(
        first_over,
        2,
        chief_arbiter,
        text,
        Situation.WITHOUT_OPPONENT,
        agreed=f"7 {late.tpn}",
        Z="8",
    )
    late.refresh_from_db()
    assert late.first_round == 2
    agrees(first_over)


class TestForfeits:
    """Round 2 of seven players: somebody has the bye, and Black of board 2 did not come."""

    @pytest.fixture
    def seven(self, chief_arbiter: User) -> Tournament:
        tournament = make_ready(chief_arbiter, players=7)
        play_rounds(tournament, [1], chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        game = Game.objects.get(round=round_of(tournament, 2), board=2)
        result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
        return tournament

    def places(self, tournament: Tournament) -> tuple[int, int, int]:
        """Return the player whose opponent is missing, that opponent, and the holder of the bye."""
        white, black, _ = boards(tournament, 2)[1]
        return white, black, next(iter(byes(tournament, 2)))

    def test_c04_2_4_4_4_a_late_entry_takes_the_place_of_an_absent_player(
        self, seven: Tournament, chief_arbiter: User
    ) -> None:
        late = entry_add(
            tournament_id=seven.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
        )
        here, gone, holder = self.places(seven)
        pairs = [f"{white}-{black}" for white, black, _ in boards(seven, 2)]
        pairs[1] = f"{here}-{late.tpn}"
        change(
            seven, 2, chief_arbiter, " ".join(pairs), Situation.LATE_ENTRY, agreed=f"{here} {late.tpn}",
            U=str(holder), Z=str(gone),
        )  # fmt: skip
        assert byes(seven, 2) == {holder: "U", gone: "Z"}
        agrees(seven)

    @pytest.mark.costly
    def test_c04_2_4_4_4_the_ticks_choose_the_opponent(
        self, seven: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        late = entry_add(
            tournament_id=seven.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
        )
        here, _gone, holder = self.places(seven)
        client.force_login(chief_arbiter)

        def opponent(**ticks: object) -> int:
            query = urlencode({"situation": "4.4.4", "go": "on", **ticks}, doseq=True)
            found = (
                client.get(f"{reverse('round-change', args=[seven.slug, 2])}?{query}")
                .context["choice"]
                .suggested
            )
            return int(found.after.opponents()[late.tpn])

        assert opponent() == holder
        assert opponent(p=late.pk) == holder
        assert opponent(p=[late.pk, entry_of(seven, holder).pk]) == holder
        assert opponent(p=late.pk, b=2) == here

    def test_c04_2_4_4_4_a_player_nobody_has_seen_is_not_proposed(
        self, seven: Tournament, chief_arbiter: User
    ) -> None:
        late = entry_add(
            tournament_id=seven.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
        )
        here, _, holder = self.places(seven)
        Tournament.objects.filter(pk=seven.pk).update(check_in_round=2)
        seven.entries.exclude(tpn=holder).update(checked_in=True)
        seven.refresh_from_db()
        facts = change_page(seven, round_of(seven, 2), at=NOW).facts
        assert holder in facts.unseen
        found = proposal(facts, Situation.LATE_ENTRY)
        assert found is not None
        assert found.after.opponents()[late.tpn] == here  # type: ignore[index]

    def test_c04_2_2_4_a_late_entry_who_has_not_arrived_is_not_proposed(
        self, seven: Tournament, chief_arbiter: User
    ) -> None:
        given: dict[str, Any] = {"tournament_id": seven.pk, "actor": chief_arbiter, "now": NOW}
        entry_add(**given, name="Absent, Ava")
        late = entry_add(**given, name="Late, Lara", checked_in=True)
        facts = change_page(seven, round_of(seven, 2), at=NOW).facts
        assert len(facts.late) == 2
        found = proposal(facts, Situation.LATE_ENTRY)
        assert found is not None
        assert found.after.opponents()[late.tpn] == self.places(seven)[2]  # type: ignore[index]


def test_c04_2_4_4_each_player_without_a_board_has_a_bye_of_their_own(
    first_over: Tournament, chief_arbiter: User, client: Client
) -> None:
    """In a draft, the arbiter gives 1 the bye and leaves 2 out; one choice for both could not."""
    client.force_login(chief_arbiter)
    pair_and_publish(first_over, 2, chief_arbiter)
    late = entry_add(
        tournament_id=first_over.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Late, Lara",
        checked_in=True,
    )
    second = entry_add(tournament_id=first_over.pk, actor=chief_arbiter, now=NOW, name="Later, Lou")
    url = f"{reverse('round-change', args=[first_over.slug, 2])}?situation=4.4.4&p={late.pk}&p={second.pk}"
    response = client.get(url)
    assert [(one.entry.pk, one.is_late) for one in response.context["left"]] == [
        (late.pk, True),
        (second.pk, True),
    ]
    first_over.refresh_from_db()
    form = {
        "w-5": "", "b-5": "", f"left-{late.pk}": "U", f"left-{second.pk}": "Z", "consent": [late.pk], "reason": WHY,
        "witness": "Wilma Witness", "version": first_over.version, "save": "yes",
    }  # fmt: skip
    assert client.post(url, form).status_code == 302
    assert byes(first_over, 2) == {late.tpn: "U"}
    agrees(first_over)


@pytest.mark.costly
@pytest.mark.parametrize("situation", [Situation.WITHOUT_OPPONENT, Situation.LATE_ENTRY])
def test_c04_2_3_3_a_missing_player_who_lost_the_place_is_still_asked_about(
    chief_arbiter: User, client: Client, situation: Situation
) -> None:
    """After the change nobody lost by forfeit, and yet one player was absent without notice."""
    tournament = make_ready(chief_arbiter, players=7)
    pair_and_publish(tournament, 1, chief_arbiter)
    (holder,) = byes(tournament, 1)
    here, gone, _ = boards(tournament, 1)[1]
    game = Game.objects.get(round=round_of(tournament, 1), board=2)
    result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
    other, left = holder, {}
    if situation is Situation.LATE_ENTRY:
        late = entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lara",
            checked_in=True,
        )
        other, left = late.tpn or 0, {"U": str(holder)}
    pairs = [f"{white}-{black}" for white, black, _ in boards(tournament, 1)]
    pairs[1] = f"{here}-{other}"
    agreed = f"{here} {other}"
    change(
        tournament, 1, chief_arbiter, " ".join(pairs), situation, agreed=agreed, Z=str(gone), **left
    )
    entry = entry_of(tournament, gone)
    (absent,) = no_shows(tournament_frame(tournament, runs=True))
    assert (absent.entry_id, absent.board, absent.withdrawn) == (entry.pk, 2, False)
    client.force_login(chief_arbiter)
    assert (
        "Absent without notice?"
        in client.get(reverse("desk", args=[tournament.slug])).content.decode()
    )
    absence_explain(
        entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=1, explanation="ill"
    )
    assert no_shows(tournament_frame(tournament, runs=True)) == ()
    agrees(tournament)


@pytest.mark.costly
def test_c04_2_3_3_a_missing_player_who_came_after_all_is_not_asked_about(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, players=7)
    pair_and_publish(tournament, 1, chief_arbiter)
    (holder,) = byes(tournament, 1)
    here, gone, _ = boards(tournament, 1)[1]
    game = Game.objects.get(round=round_of(tournament, 1), board=2)
    result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
    pairs = [f"{white}-{black}" for white, black, _ in boards(tournament, 1)]
    pairs[1] = f"{here}-{holder}"
    agreed = f"{here} {holder}"
    change(
        tournament,
        1,
        chief_arbiter,
        " ".join(pairs),
        Situation.WITHOUT_OPPONENT,
        agreed=agreed,
        Z=str(gone),
    )
    late = entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Late, Lara",
        checked_in=True,
    )
    pairs.append(f"{gone}-{late.tpn}")
    agreed = f"{gone} {late.tpn}"
    change(tournament, 1, chief_arbiter, " ".join(pairs), Situation.WITHOUT_OPPONENT, agreed=agreed)
    assert no_shows(tournament_frame(tournament, runs=True)) == ()
    agrees(tournament)


@pytest.mark.costly
def test_c04_2_2_4_a_late_entry_who_has_not_arrived_gets_no_board(chief_arbiter: User) -> None:
    """Neither is the player offered, nor can a change under 4.4.3
    or 4.4.4 seat them or give them the bye.
    """
    odd = make_ready(chief_arbiter, players=7)
    pair_and_publish(odd, 1, chief_arbiter)
    late = entry_add(tournament_id=odd.pk, actor=chief_arbiter, now=NOW, name="Late, Lara")
    page = change_page(odd, round_of(odd, 1), at=NOW)
    assert (page.late, page.not_arrived) == ([], [late])
    holds = {one.situation: one.holds for one in page.situations}
    assert (holds[Situation.LATE_ENTRY], holds[Situation.WITHOUT_OPPONENT]) == (False, False)
    for situation in (Situation.LATE_ENTRY, Situation.WITHOUT_OPPONENT):
        assert proposal(page.facts, situation) is None
        with pytest.raises(RuleRefused) as refused:
            change(odd, 1, chief_arbiter, "1-4 5-2 3-6 7-8", situation, agreed="7 8")
        assert (refused.value.code, refused.value.article) == ("change.not_arrived", "C.04.2 2.4")
        assert "Late, Lara" in str(refused.value)
    assert proposal(page.facts, Situation.LATE_ENTRY, new=[TPN(8)]) is None
    entry_check_in(entry_id=late.pk, checked_in=True, actor=chief_arbiter, now=NOW)
    assert change_page(odd, round_of(odd, 1), at=NOW).late == [late]
    change(odd, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    assert boards(odd, 1)[3][:2] == (7, 8)
