"""Absent without notice: shown on the desk by edition;
the arbiter withdraws the player or records the explanation.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.absences import absence_explain, no_shows
from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from tests.tournaments.factories import (
    CUT_SHORT,
    NOW,
    boards,
    byes,
    cached,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
    seen_now,
)
from tests.tournaments.markup import tidy
from tournaments.core import record
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.entries import entry_return, entry_withdraw
from tournaments.models import Decision, Game, Tournament
from tournaments.reports.event_report import event_report

pytestmark = pytest.mark.django_db


def black_stays_away_on_1_and_both_on_2(board: int, white: int, black: int) -> str:
    return {1: "+-", 2: "--"}.get(board, "==")


@pytest.fixture
def played(ready: Tournament, chief_arbiter: User) -> Tournament:
    """Round 1 with three absent players."""
    play_rounds(ready, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    return ready


def absent(tournament: Tournament) -> list[tuple[int | None, int]]:
    return [(each.tpn, each.board) for each in no_shows(tournament_frame(tournament, runs=True))]


def test_c04_2_3_3_players_who_forfeited_are_named_until_the_next_pairings(
    played: Tournament, chief_arbiter: User
) -> None:
    [(_, black, _), (white_2, black_2, _), *_rest] = boards(played, 1)
    assert sorted(absent(played)) == sorted([(black, 1), (white_2, 2), (black_2, 2)])
    pair_and_publish(played, 2, chief_arbiter)
    assert absent(played) == []


def test_an_explanation_is_recorded_and_the_question_goes_away(
    played: Tournament, chief_arbiter: User
) -> None:
    black = boards(played, 1)[0][1]
    entry = entry_of(played, black)
    absence_explain(
        entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=1, explanation=" a train "
    )
    assert black not in [tpn for tpn, _ in absent(played)]
    decision = Decision.objects.filter(tournament=played).latest("sequence")
    assert (decision.action, decision.article, decision.round_number) == (
        "absence.explained",
        "C.04.2 3.3",
        1,
    )
    assert decision.after == {
        "entry": entry.pk,
        "name": entry.name,
        "tpn": black,
        "explanation": "a train",
    }


def test_a_player_who_played_has_nothing_to_explain(
    played: Tournament, chief_arbiter: User
) -> None:
    white = boards(played, 1)[0][0]
    with pytest.raises(RuleRefused) as refused:
        absence_explain(
            entry_id=entry_of(played, white).pk, actor=chief_arbiter, now=NOW, round_number=1
        )
    assert refused.value.code == "absence.not_absent"


def words_of(client: Client, address: str) -> str:
    """Return the words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", "", client.get(address).content.decode()).split())


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, sentence",
    [
        ("dutch_2026", "These players lost by forfeit."),
        (
            "dutch_2017",
            "unless they explain the absence before the next pairings are published. [C.04.2 D.2]",
        ),
        ("dutch_pre2017", "or record that the absence is explained. [C.04.3 F8]"),
    ],
)
def test_the_desk_and_both_rounds_show_it_by_edition(
    system: str, sentence: str, client: Client, chief_arbiter: User
) -> None:
    tournament = make_ready(chief_arbiter, system=system)
    play_rounds(tournament, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    client.force_login(chief_arbiter)
    addresses = [reverse("desk", args=[tournament.slug])]
    addresses += [reverse("round", args=[tournament.slug, number]) for number in (1, 2, 3)]
    assert [sentence in words_of(client, address) for address in addresses] == [
        True,
        True,
        True,
        False,
    ]


@pytest.mark.costly
def test_the_desk_withdraws_one_player_and_records_an_explanation(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    desk = reverse("desk", args=[played.slug])
    first, second, third = (entry_of(played, tpn or 0) for tpn, _ in absent(played))
    gone = client.post(
        reverse("entry-withdraw", args=[played.slug, first.pk]),
        {"from_round": "2", "back": "desk", **seen_now(played)},
    )
    assert gone.headers["Location"] == desk
    here = client.post(
        reverse("absence-explain", args=[played.slug, second.pk]),
        {"round_number": "1", **seen_now(played)},
    )
    assert here.headers["Location"] == desk
    assert absent(played) == [(third.tpn, 2)]
    refused = client.post(
        reverse("absence-explain", args=[played.slug, third.pk]),
        {"round_number": "2", **seen_now(played)},
    )
    assert refused.status_code == 409
    assert "did not lose by forfeit in round 2" in refused.content.decode()


@pytest.mark.costly
def test_c04_2_3_3_undecided_players_are_counted_beside_the_players_to_pair(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    desk = reverse("desk", args=[played.slug])
    shown = re.sub(r"<[^>]*>", "", client.get(desk).content.decode())
    assert "8 players to pair" in shown
    assert "3 players absent without notice" in shown
    for tpn, _ in absent(played):
        entry_withdraw(entry_id=entry_of(played, tpn or 0).pk, actor=chief_arbiter, now=NOW)
    shown = re.sub(r"<[^>]*>", "", client.get(desk).content.decode())
    assert "5 players to pair" in shown
    assert "absent without notice" not in shown


@pytest.fixture
@cached
def older(chief_arbiter: User) -> Tournament:
    """Round 1 with three absent players, by the rules of 2017."""
    tournament = make_ready(chief_arbiter, system="dutch_2017", correction_minutes=30)
    play_rounds(tournament, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    return tournament


def absentees(tournament: Tournament) -> list[int]:
    [(_, black, _), (white_2, black_2, _), *_rest] = boards(tournament, 1)
    return [black, white_2, black_2]


def withdrawn(tournament: Tournament) -> dict[int, int]:
    rows = tournament.entries.filter(withdrawn_from__isnull=False).values_list(
        "tpn", "withdrawn_from"
    )
    return dict(rows)


@pytest.mark.costly
def test_c04_2_2017_d_2_a_player_absent_without_notice_is_withdrawn_by_the_rules(
    older: Tournament, chief_arbiter: User
) -> None:
    gone = absentees(older)
    assert withdrawn(older) == dict.fromkeys(gone, 2)
    rows = list(
        Decision.objects.filter(tournament=older, action="absence.withdrawn").order_by("sequence")
    )
    assert sorted(row.after["tpn"] for row in rows) == sorted(gone)
    assert {
        (row.article, row.round_number, row.before["value"], row.after["value"]) for row in rows
    } == {("C.04.2 D.2", 1, None, 2)}
    # The last action is the publication of the results, which nobody can undo.
    assert (
        Decision.objects.filter(tournament=older).latest("sequence").action == "results.published"
    )
    pair_and_publish(older, 2, chief_arbiter)
    assert {
        tpn: letter for tpn, letter in byes(older, 2).items() if letter == "Z"
    } == dict.fromkeys(gone, "Z")
    assert record.verify(older) == []


def test_c04_2_2017_d_2_the_report_separates_absent_players_from_withdrawn_ones(
    older: Tournament, chief_arbiter: User
) -> None:
    gone = absentees(older)
    left = next(tpn for tpn in range(1, 9) if tpn not in gone)
    entry_withdraw(entry_id=entry_of(older, left).pk, actor=chief_arbiter, now=NOW)
    lines = event_report(tournament_frame(older, runs=True)).withdrawals
    assert {line.tpn: line.article for line in lines} == dict.fromkeys(gone, "C.04.2 D.2") | {
        left: "C.04.2 D.3"
    }


@pytest.mark.costly
def test_c04_2_2017_d_2_an_explanation_before_the_next_pairing_cancels_the_withdrawal(
    older: Tournament, chief_arbiter: User
) -> None:
    first, second, _third = absentees(older)
    draft = round_pair(round_id=round_of(older, 2).pk, actor=chief_arbiter, now=NOW)
    explained = absence_explain(
        entry_id=entry_of(older, first).pk,
        actor=chief_arbiter,
        now=NOW,
        round_number=1,
        explanation="a train",
    )
    assert explained.withdrawn_from is None
    assert first not in withdrawn(older)
    report = event_report(tournament_frame(older, runs=True))
    assert [(line.tpn, line.withdrawn_from, line.decision.article) for line in report.returns] == [
        (first, 2, "C.04.2 D.2")
    ]
    with pytest.raises(RuleRefused, match="is out of date"):
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW, cut_short=CUT_SHORT)
    pair_and_publish(older, 2, chief_arbiter)
    assert first not in byes(older, 2)
    with pytest.raises(RuleRefused) as refused:
        absence_explain(
            entry_id=entry_of(older, second).pk,
            actor=chief_arbiter,
            now=NOW,
            round_number=1,
            explanation="late",
        )
    assert refused.value.code == "absence.too_late"


@pytest.mark.costly
def test_c04_2_2017_d_2_an_explanation_cancels_only_the_withdrawal_by_the_rules(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, system="dutch_2017")
    pair_and_publish(tournament, 1, chief_arbiter)
    first, _, third = absentees(tournament)
    entry_withdraw(
        entry_id=entry_of(tournament, third).pk, actor=chief_arbiter, now=NOW, from_round=4
    )
    enter_results(tournament, 1, chief_arbiter, black_stays_away_on_1_and_both_on_2)
    results_publish(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=NOW)
    explain = {"actor": chief_arbiter, "now": NOW, "round_number": 1, "explanation": "a train"}
    assert (
        absence_explain(entry_id=entry_of(tournament, first).pk, **explain).withdrawn_from is None
    )
    assert absence_explain(entry_id=entry_of(tournament, third).pk, **explain).withdrawn_from == 4


@pytest.mark.costly
def test_c04_2_2017_d_2_the_text_of_the_explanation_is_required_and_kept(
    older: Tournament, chief_arbiter: User
) -> None:
    first = entry_of(older, absentees(older)[0])
    with pytest.raises(BadInput) as missing:
        absence_explain(
            entry_id=first.pk, actor=chief_arbiter, now=NOW, round_number=1, explanation="  "
        )
    assert missing.value.code == "absence.explanation_missing"
    assert first.withdrawn_from == 2


@pytest.mark.costly
def test_c04_2_2017_d_2_an_explanation_during_the_round_prevents_the_withdrawal(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, system="dutch_2017")
    pair_and_publish(tournament, 1, chief_arbiter)
    _, black, _ = boards(tournament, 1)[0]
    Game.objects.filter(round__tournament=tournament, board=1).update(result="+-")
    entry = entry_of(tournament, black)
    absence_explain(
        entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=1, explanation="telephoned"
    )
    entry_withdraw(entry_id=entry_of(tournament, 1).pk, actor=chief_arbiter, now=NOW, from_round=4)
    Game.objects.filter(round__tournament=tournament, board=1).update(result="--")
    Game.objects.filter(round__tournament=tournament, board__gt=1).update(result="==")
    publish_results(tournament, chief_arbiter)
    # Number 1 had announced to leave from round 4; absent from round 1 without notice, the player
    # leaves from round 2.
    assert withdrawn(tournament) == {1: 2}
    absence_explain(
        entry_id=entry_of(tournament, 1).pk,
        actor=chief_arbiter,
        now=NOW,
        round_number=1,
        explanation="ill",
    )
    assert withdrawn(tournament) == {1: 4}


def publish_results(tournament: Tournament, actor: User) -> None:
    results_publish(round_id=round_of(tournament, 1).pk, actor=actor, now=NOW)


@pytest.mark.costly
def test_c04_2_2017_d_2_the_withdrawal_follows_a_corrected_result(
    older: Tournament, chief_arbiter: User
) -> None:
    first, second, third = absentees(older)
    report = Report(NOW, "they did play")
    board_1, board_3 = (Game.objects.get(round=round_of(older, 1), board=n) for n in (1, 3))
    result_correct(game_id=board_1.pk, result="10", report=report, actor=chief_arbiter, now=NOW)
    assert withdrawn(older) == {second: 2, third: 2}
    assert Decision.objects.filter(tournament=older, action="absence.lifted").count() == 1
    # A player whom the arbiter brings back stays, whatever else is corrected.
    entry_return(
        entry_id=entry_of(older, third).pk,
        actor=chief_arbiter,
        now=NOW,
        reason="the arbiter saw her",
    )
    result_correct(game_id=board_3.pk, result="-+", report=report, actor=chief_arbiter, now=NOW)
    assert withdrawn(older) == {second: 2, boards(older, 1)[2][0]: 2}
    result_correct(game_id=board_1.pk, result="+-", report=report, actor=chief_arbiter, now=NOW)
    assert first in withdrawn(older)


@pytest.mark.costly
@pytest.mark.parametrize("system", ["dutch_2026", "dutch_pre2017"])
def test_c04_2_3_3_the_other_editions_withdraw_nobody_automatically(
    system: str, chief_arbiter: User
) -> None:
    tournament = make_ready(chief_arbiter, system=system)
    play_rounds(tournament, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    assert withdrawn(tournament) == {}


@pytest.mark.costly
def test_c04_2_2017_d_2_after_the_last_round_nobody_is_withdrawn(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, system="dutch_2017", rounds=1)
    play_rounds(tournament, [1], chief_arbiter, black_stays_away_on_1_and_both_on_2)
    assert withdrawn(tournament) == {}


@pytest.mark.costly
def test_the_explanation_is_typed_on_the_desk_and_shown_to_arbiters(
    older: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    desk = client.get(reverse("desk", args=[older.slug])).content.decode()
    assert tidy(desk).count("withdrawn from round 2</span>") == 3
    assert desk.count('name="explanation"') == 3
    entry = entry_of(older, absentees(older)[0])
    address = reverse("absence-explain", args=[older.slug, entry.pk])
    assert client.post(address, {"round_number": "1", **seen_now(older)}).status_code == 400
    assert (
        client.post(
            address, {"round_number": "1", "explanation": "the train was late", **seen_now(older)}
        ).status_code
        == 302
    )
    page = client.get(reverse("record", args=[older.slug])).content.decode()
    assert f'absence explained <span class="muted">{entry.name}: the train was late</span>' in page
    client.logout()
    public = client.get(reverse("record", args=[older.slug])).content.decode()
    assert "absence explained" in public
    assert "the train was late" not in public


@pytest.mark.costly
def test_a_tournament_of_2017_cites_the_articles_of_2017(
    older: Tournament, client: Client, chief_arbiter: User
) -> None:
    actions = dict(Decision.objects.filter(tournament=older).values_list("action", "article"))
    assert {
        action: actions[action]
        for action in (
            "tournament.created",
            "numbers.assigned",
            "pairings.published",
            "results.published",
        )
    } == {
        "tournament.created": "C.04.1 a",
        "numbers.assigned": "C.04.2 B.2",
        "pairings.published": "C.04.2 D.10",
        "results.published": "C.04.2 D.7",
    }
    assert 'numbers provisional <span class="only-screen">[C.04.2 C.3]</span>' in " ".join(
        client.get(reverse("players", args=[older.slug])).content.decode().split()
    )
    client.force_login(chief_arbiter)
    pair_and_publish(older, 2, chief_arbiter)
    refused = client.post(reverse("round-pair", args=[older.slug, 2]))
    assert "can no longer be changed. (C.04.2 D.10)" in refused.content.decode()
    assert (
        client.get(reverse("desk", args=[older.slug])).content.decode().count("[C.04.2 3.3]") == 0
    )
