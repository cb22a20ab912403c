"""Point adjustments by the Chief Arbiter: their effect, where they are shown,
and their withdrawal.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.engine.systems import pair
from pairing.rounds.computed_standings import as_records, point_adjustments
from pairing.rounds.pair import is_stale, round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.snapshot import snapshot
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from tests.tournaments.factories import (
    NOW,
    boards,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Decision, Entry, PointAdjustment, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export
from tournaments.standings.adjust_points import Place, points_adjust, points_effect, points_withdraw
from tournaments.standings.lots import lots_draw
from tournaments.standings.player import player_page
from tournaments.standings.standings import standings

pytestmark = pytest.mark.django_db

WHY = "telephone rang in round 2"
PENALTY = {"points": -5, "round_number": 2, "article": "Laws 12.9", "reason": WHY}


def saved(tournament: Tournament) -> list[tuple[int, int | None, int | None]]:
    """Return points, round and entry of every saved point adjustment, the oldest first."""
    rows = PointAdjustment.objects.filter(tournament=tournament).order_by("pk")
    return list(rows.values_list("points", "round_number", "entry_id"))


def adjust(tournament: Tournament, actor: User, tpn: int = 1, **given: object) -> Decision:
    actions = Decision.objects.filter(tournament=tournament, action__startswith="points.")
    values: dict[str, object] = {**PENALTY, "seen": actions.count(), **given}
    done = points_adjust(
        tournament_id=tournament.pk,
        entry_id=entry_of(tournament, tpn).pk,
        actor=actor,
        now=NOW,
        **values,  # type: ignore[arg-type]
    )
    tournament.refresh_from_db()
    return done


def withdraw(tournament: Tournament, actor: User, tpn: int = 1, **given: object) -> Decision:
    values: dict[str, object] = {
        "points": -5,
        "round_number": 2,
        "reason": "it was the clock",
        **given,
    }
    done = points_withdraw(
        tournament_id=tournament.pk,
        entry_id=entry_of(tournament, tpn).pk,
        actor=actor,
        now=NOW,
        **values,  # type: ignore[arg-type]
    )
    tournament.refresh_from_db()
    return done


def scores(tournament: Tournament, after_round: int) -> dict[int, int]:
    page = standings(tournament_frame(tournament, runs=False), after_round=after_round)
    return {line.tpn: line.points for line in page.lines}


@pytest.mark.costly
def test_they_count_from_their_round_on_and_are_in_the_record(
    begun: Tournament, chief_arbiter: User
) -> None:
    first, second = scores(begun, 1), scores(begun, 2)
    row = adjust(begun, chief_arbiter)
    assert (row.action, row.article, row.reason, row.round_number) == (
        "points.adjusted",
        "Laws 12.9",
        WHY,
        2,
    )
    assert row.after == {"entry": entry_of(begun, 1).pk, "name": "Abara, Player 1", "points": -5}
    assert scores(begun, 1) == first
    assert scores(begun, 2) == second | {1: second[1] - 5}
    assert record.verify(begun) == []


def test_the_preview_names_the_players_who_move_and_saves_nothing(begun: Tournament) -> None:
    before = saved(begun)
    effect = points_effect(begun, entry_id=entry_of(begun, 1).pk, points=-10, round_number=2)
    assert (effect.round_number, effect.results_published, effect.next_round, effect.has_draft) == (
        2,
        True,
        3,
        False,
    )
    own = next(place for place in effect.moved if place.tpn == 1)
    assert own == Place(1, "Abara, Player 1", 20, 10, 1, own.rank_after)
    assert own.rank_after > 1
    begun.refresh_from_db()
    assert saved(begun) == before == []


@pytest.mark.costly
def test_c04_2_4_4_a_draft_is_out_of_date_and_the_next_pairing_counts_them(
    begun: Tournament, chief_arbiter: User
) -> None:
    draft = round_pair(round_id=round_of(begun, 3).pk, actor=chief_arbiter, now=NOW)
    effect = points_effect(begun, entry_id=entry_of(begun, 1).pk, points=-20, round_number=2)
    assert (effect.next_round, effect.has_draft) == (3, True)
    paired_before = boards(begun, 3)
    adjust(begun, chief_arbiter, points=-20)
    assert is_stale(round_of(begun, 3), begun)
    with pytest.raises(RuleRefused, match="Pair the round again"):
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
    expected = pair(state_before_round(read(trf_export(begun, public=False)), 3))
    pair_and_publish(begun, 3, chief_arbiter)
    now = [(white, black) for white, black, _ in boards(begun, 3)]
    assert now == list(expected.pairs)
    assert now != [(white, black) for white, black, _ in paired_before]


@pytest.mark.costly
def test_while_a_round_is_played_they_belong_to_it(begun: Tournament, chief_arbiter: User) -> None:
    pair_and_publish(begun, 3, chief_arbiter)
    published, second = boards(begun, 3), scores(begun, 2)
    effect = points_effect(begun, entry_id=entry_of(begun, 1).pk, points=5, round_number=3)
    assert (effect.results_published, effect.moved, effect.next_round) == (False, (), 4)
    adjust(begun, chief_arbiter, points=5, round_number=3)
    assert (boards(begun, 3), scores(begun, 2)) == (published, second)
    public = trf_export(begun, public=True).splitlines()
    assert public[-1] == "299           0.5  003    1"
    assert "### Points @ Round 3: TPN 1 +0.5, Laws 12.9" in public
    found = event_recheck(begun)
    assert (found.problem, found.points, found.rounds) == ("", (), ())


@pytest.mark.costly
@pytest.mark.parametrize("tenths", [-5, -95, 25, 95])
def test_the_report_file_exports_and_imports_them(
    begun: Tournament, chief_arbiter: User, tenths: int
) -> None:
    adjust(begun, chief_arbiter, points=tenths)
    text = trf_export(begun, public=False)
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert trf_export(again, public=False) == text
    assert scores(again, 2) == scores(begun, 2)
    assert snapshot(again, 3)[0] == snapshot(begun, 3)[0]
    found = event_recheck(begun)
    assert (found.problem, found.points, found.ranks, found.rounds) == ("", (), (), ())


@pytest.mark.costly
def test_a_finished_round_keeps_them_and_a_newer_adjustment_balances_them(
    begun: Tournament, chief_arbiter: User
) -> None:
    adjust(begun, chief_arbiter)
    play_rounds(begun, [3], chief_arbiter)
    third = scores(begun, 3)
    for refused in (adjust, withdraw):
        with pytest.raises(RuleRefused, match="belongs to round 3") as caught:
            refused(begun, chief_arbiter)
        assert (caught.value.code, caught.value.article) == ("points.counted", "C.04.2 4.4")
    adjust(begun, chief_arbiter, points=5, round_number=3, reason="the appeals committee")
    assert scores(begun, 3) == third | {1: third[1] + 5}
    assert event_recheck(begun).rounds == ()


@pytest.mark.costly
def test_a_withdrawn_adjustment_remains_only_in_the_record(
    begun: Tournament, chief_arbiter: User
) -> None:
    plain, text = scores(begun, 2), trf_export(begun, public=False)
    adjust(begun, chief_arbiter)
    version = begun.pairing_version
    row = withdraw(begun, chief_arbiter)
    assert (row.action, row.article, row.reason, row.round_number) == (
        "points.withdrawn",
        "Laws 12.9",
        "it was the clock",
        2,
    )
    assert row.before == {"entry": entry_of(begun, 1).pk, "name": "Abara, Player 1", "points": -5}
    assert begun.pairing_version == version + 1
    assert (saved(begun), scores(begun, 2)) == ([], plain)
    shown = [
        line
        for line in trf_export(begun, public=False).splitlines()
        if line.startswith("### Points")
    ]
    assert shown == [
        "### Points @ Round 2: TPN 1 -0.5, Laws 12.9",
        "### Points withdrawn @ Round 2: TPN 1 -0.5, Laws 12.9",
    ]
    rest = [line for line in trf_export(begun, public=False).splitlines() if line not in shown]
    assert rest == text.splitlines()
    with pytest.raises(Conflict, match="no longer has such a point adjustment"):
        withdraw(begun, chief_arbiter)
    assert record.verify(begun) == []


@pytest.mark.costly
def test_of_two_equal_adjustments_one_is_withdrawn_and_of_a_shared_record_one_player(
    begun: Tournament, chief_arbiter: User
) -> None:
    first, second = entry_of(begun, 1).pk, entry_of(begun, 2).pk
    for pk in (first, second):
        begun.point_adjustments.create(entry_id=pk, points=-5, round_number=2)
    adjust(begun, chief_arbiter)
    withdraw(begun, chief_arbiter)
    assert saved(begun) == [(-5, 2, second), (-5, 2, first)]
    withdraw(begun, chief_arbiter, reason="both")
    assert saved(begun) == [(-5, 2, second)]


@pytest.mark.parametrize(
    "given, code, field",
    [
        ({"points": -3}, "points.amount", "amount"),
        ({"points": 0}, "points.amount", "amount"),
        ({"article": " "}, "points.article_missing", "article"),
        ({"article": "x" * 41}, "points.article", "article"),
        ({"article": "two\nlines"}, "points.article", "article"),
        ({"reason": "-½ !"}, "points.reason_missing", "reason"),
    ],
)
def test_invalid_values_are_refused_and_nothing_saved(
    given: dict[str, object], code: str, field: str, begun: Tournament, chief_arbiter: User
) -> None:
    rows = own(Decision).count()
    with pytest.raises(BadInput) as caught:
        adjust(begun, chief_arbiter, **given)
    assert (caught.value.code, caught.value.field) == (code, field)
    begun.refresh_from_db()
    assert (saved(begun), own(Decision).count()) == ([], rows)


@pytest.mark.costly
def test_what_the_rules_refuse(begun: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(RuleRefused, match=re.escape("cannot exceed 9.9 points")):
        adjust(begun, chief_arbiter, points=-100)
    with pytest.raises(RuleRefused, match="The pairings of round 3 are not published yet"):
        adjust(begun, chief_arbiter, round_number=3)
    with pytest.raises(BadInput, match="Enter a reason"):
        withdraw(begun, chief_arbiter, reason="")
    with pytest.raises(Conflict, match="in the meantime"):
        adjust(begun, chief_arbiter, seen=1)
    matches = make_ready(
        chief_arbiter, name="Matches", system="double_swiss_2026", tie_breaks="BH,DE"
    )
    pair_and_publish(matches, 1, chief_arbiter)
    with pytest.raises(RuleRefused, match="match of two games"):
        adjust(matches, chief_arbiter, round_number=1)


@pytest.mark.costly
def test_only_the_chief_arbiter_adjusts_points_of_a_player_of_the_tournament(
    begun: Tournament, chief_arbiter: User, deputy: User
) -> None:
    for action in (adjust, withdraw):
        with pytest.raises(PermissionDenied):
            action(begun, deputy)
    other = make_ready(chief_arbiter, name="Another")
    with pytest.raises(Entry.DoesNotExist):
        points_adjust(
            tournament_id=begun.pk,
            entry_id=entry_of(other, 1).pk,
            actor=chief_arbiter,
            now=NOW,
            seen=0,
            **PENALTY,  # type: ignore[arg-type]
        )


@pytest.mark.costly
def test_c07_4_2_once_lots_are_drawn_the_points_are_final(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, players=4, rounds=2, tie_breaks="")
    play_rounds(tournament, [1, 2], chief_arbiter, lambda board, white, black: "==")
    adjust(tournament, chief_arbiter)
    lots_draw(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
    for refused in (adjust, withdraw):
        with pytest.raises(RuleRefused, match="Lots have been drawn") as caught:
            refused(tournament, chief_arbiter)
        assert caught.value.article == "C.07 4.2"


@pytest.mark.costly
def test_every_player_page_has_the_points_and_the_rank_of_the_standings(
    begun: Tournament, chief_arbiter: User
) -> None:
    """The rounds of one player are read alone, so the adjustments of others must not matter."""
    for tpn, tenths in ((1, -5), (3, 10), (3, -5)):
        adjust(begun, chief_arbiter, tpn, points=tenths)
    frame = tournament_frame(begun, runs=False)
    for line in standings(frame, after_round=2).lines:
        page = player_page(frame, line.entry_id)
        assert page is not None
        assert (page.rank, page.points, page.rounds[-1].total) == (
            line.rank,
            line.points,
            line.points,
        ), line


@pytest.mark.costly
def test_c04_2_3_3_a_round_after_a_bye_with_other_points_is_not_paired(
    ready: Tournament, chief_arbiter: User
) -> None:
    """A half-point bye for nothing would be no float: the file of the round could not say so."""
    who, by = entry_of(ready, 1), {"actor": chief_arbiter, "now": NOW}
    bye_request(entry_id=who.pk, round_number=1, kind="H", **by)
    play_rounds(ready, [1], chief_arbiter)
    PointAdjustment.objects.create(tournament=ready, entry=who, points=0, result="H")
    with pytest.raises(BadInput) as bad:
        round_pair(round_id=round_of(ready, 2).pk, **by)
    assert bad.value.code == "trf.invalid"
    assert "change the float or the right to the bye" in str(bad.value)
    assert round_of(ready, 2).state == "planned"


def test_neighbours_that_differ_only_in_their_players_share_a_record(ready: Tournament) -> None:
    rows = [(1, -5, 1), (2, -5, 1), (1, -5, 1), (3, -5, 2), (4, -10, 2)]
    for tpn, points, number in rows:
        PointAdjustment.objects.create(
            tournament=ready, entry=entry_of(ready, tpn), points=points, round_number=number
        )
    records = as_records(point_adjustments(ready))
    assert [(each.players, each.points, each.round_number) for each in records] == [
        ((1, 2), -5, 1), ((1,), -5, 1), ((3,), -5, 2), ((4,), -10, 2),
    ]  # fmt: skip
