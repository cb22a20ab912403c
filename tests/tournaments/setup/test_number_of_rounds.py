"""The number of rounds is a setting before the start, and an action in two steps afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rules.corrections import CorrectionEffect
from pairing.rules.number_of_rounds import LastPaired
from pairing.trf.reader import read
from tests.tournaments import factories
from tests.tournaments.factories import (
    NOW,
    boards,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
    white_wins,
)
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import entry_add
from tournaments.models import Correction, Decision, Game, RequestedBye, Round, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.number_of_rounds import number_of_rounds_change, number_of_rounds_effect
from tournaments.setup.schedule import round_schedule

pytestmark = pytest.mark.django_db

WHY = "the hall closes a day early"


@pytest.fixture
def begun(ready: Tournament, chief_arbiter: User) -> Tournament:
    """Eight players, five rounds declared, White won every game;
    the pairings of round 3 are published.
    """
    play_rounds(ready, [1, 2], chief_arbiter, white_wins)
    pair_and_publish(ready, 3, chief_arbiter)
    ready.refresh_from_db()
    return ready


def change(tournament: Tournament, actor: User, total: int, **given: object) -> Tournament:
    tournament.refresh_from_db()
    values: dict[str, object] = {"reason": WHY, "version": tournament.version, **given}
    return number_of_rounds_change(
        tournament_id=tournament.pk,
        actor=actor,
        now=NOW,
        total_rounds=total,
        **values,  # type: ignore[arg-type]
    )


def numbers(tournament: Tournament) -> list[int]:
    return list(
        Round.objects.filter(tournament=tournament)
        .order_by("number")
        .values_list("number", flat=True)
    )


@pytest.mark.costly
def test_c04_1_1_fewer_rounds_name_the_boards_of_the_last_round_that_would_differ(
    begun: Tournament,
) -> None:
    effect = number_of_rounds_effect(begun, total_rounds=3)
    assert (effect.before, effect.after, effect.round_number, effect.becomes) == (
        5,
        3,
        3,
        LastPaired.BECOMES_LAST,
    )
    assert effect.articles == "C.04.3 1.8, 2.1.3, 2.4.5, 2.4.6"
    tpns = [
        (
            board.number,
            *([name.split()[0] for name in side] for side in (board.before, board.after)),
        )
        for board in effect.boards
    ]
    assert tpns == [
        (1, ["3", "6"], ["8", "6"]),
        (2, ["1", "8"], ["1", "4"]),
        (4, ["5", "4"], ["5", "3"]),
    ]
    assert number_of_rounds_effect(begun, total_rounds=4).boards == ()
    begun.refresh_from_db()
    assert (begun.total_rounds, numbers(begun)) == (5, [1, 2, 3, 4, 5])


def test_c04_1_1_the_action_is_recorded_with_both_numbers_the_recheck_and_the_reason(
    begun: Tournament, chief_arbiter: User
) -> None:
    published = boards(begun, 3)
    change(begun, chief_arbiter, 3)
    begun.refresh_from_db()
    assert (begun.total_rounds, numbers(begun), boards(begun, 3)) == (3, [1, 2, 3], published)
    row = Decision.objects.filter(tournament=begun).latest("sequence")
    assert (row.action, row.article, row.reason) == ("rounds.changed", "C.04.1 1", WHY)
    assert row.before == {"total_rounds": 5, "byes": [], "schedule": {}}
    assert row.after == {
        "total_rounds": 3,
        "published": 3,
        "checked_again": 3,
        "becomes": "becomes_last",
        "boards_otherwise": [1, 2, 4],
        "no_legal_pairing": "",
    }
    assert record.verify(begun) == []


def test_c04_1_1_the_report_file_has_the_new_number_and_names_the_change(
    begun: Tournament, chief_arbiter: User
) -> None:
    text = trf_export(change(begun, chief_arbiter, 7), public=True)
    assert "### Rounds @ Round 3: 5 -> 7, C.04.1 1" in text.splitlines()
    assert "142 7" in text.splitlines()
    assert read(text).texts("###")[1:] == ("Rounds @ Round 3: 5 -> 7, C.04.1 1",)


def test_c04_1_1_the_report_file_names_published_boards_that_would_be_paired_differently(
    begun: Tournament, chief_arbiter: User
) -> None:
    """Round 3 of 5 becomes the last round: topscorers would be paired by other rules."""
    lines = trf_export(change(begun, chief_arbiter, 3), public=True).splitlines()
    assert "### Rounds @ Round 3: 5 -> 3, C.04.1 1" in lines
    assert (
        "### Configuration @ Round 3: boards 1, 2, 4 differ with the new number of rounds, C.04.1 1"
        in lines
    )


@pytest.mark.costly
def test_c04_3_1_9_3_a_round_that_can_be_paired_only_as_the_last_one(chief_arbiter: User) -> None:
    """Nine players, White always won: round 8 can be paired only as the last one,
    because topscorers may meet.
    """
    tournament = make_ready(chief_arbiter, players=9, rounds=8)
    play_rounds(tournament, range(1, 8), chief_arbiter, white_wins)
    pair_and_publish(tournament, 8, chief_arbiter)
    effect = number_of_rounds_effect(tournament, total_rounds=9)
    assert (effect.becomes, effect.no_legal_pairing) == (LastPaired.NO_LONGER_LAST, "C.04.3 1.9.3")
    assert len(effect.boards) == 5
    assert all(board.before and not board.after for board in effect.boards)
    text = trf_export(change(tournament, chief_arbiter, 9), public=True)
    expected = (
        "### Configuration @ Round 8: no legal pairing with the new number of rounds, C.04.1 1"
    )
    assert expected in text.splitlines()


@pytest.mark.costly
def test_c04_1_1_a_draft_is_out_of_date_when_the_number_changes(
    begun: Tournament, chief_arbiter: User
) -> None:
    factories.enter_results(begun, 3, chief_arbiter, white_wins)
    results_publish(round_id=round_of(begun, 3).pk, actor=chief_arbiter, now=NOW)
    round_pair(round_id=round_of(begun, 4).pk, actor=chief_arbiter, now=NOW)
    change(begun, chief_arbiter, 4)
    begun.refresh_from_db()
    assert round_of(begun, 4).paired_from_version != begun.pairing_version
    # Nobody reads that there was a draft.
    lines = trf_export(begun, public=True).splitlines()
    assert "### Rounds @ Round 3: 5 -> 4, C.04.1 1" in lines
    assert not any(line.startswith("### Configuration") for line in lines)
    round_pair(round_id=round_of(begun, 4).pk, actor=chief_arbiter, now=NOW)


@pytest.mark.parametrize("total, code", [(2, "rounds.below_paired"), (1, "rounds.below_paired")])
def test_c04_1_1_never_fewer_rounds_than_are_paired(
    total: int, code: str, begun: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused) as refused:
        change(begun, chief_arbiter, total)
    assert (refused.value.code, refused.value.article) == (code, "C.04.1 1")
    assert numbers(begun) == [1, 2, 3, 4, 5]


def test_before_the_start_it_is_a_setting(ready: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(RuleRefused, match="in the settings"):
        change(ready, chief_arbiter, 7)


@pytest.mark.parametrize(
    "total, given, code",
    [
        (7, {"reason": "5."}, "rounds.reason_missing"),
        (5, {}, "rounds.same"),
        (100, {}, "field.invalid"),
    ],
)
def test_an_invalid_number_is_refused_and_nothing_saved(
    total: int, given: dict[str, object], code: str, begun: Tournament, chief_arbiter: User
) -> None:
    rows = own(Decision).count()
    with pytest.raises(BadInput) as refused:
        change(begun, chief_arbiter, total, **given)
    assert (refused.value.code, numbers(begun), own(Decision).count()) == (
        code,
        [1, 2, 3, 4, 5],
        rows,
    )


def test_after_another_action_the_effect_is_shown_again(
    begun: Tournament, chief_arbiter: User
) -> None:
    with pytest.raises(Conflict):
        change(begun, chief_arbiter, 7, version=begun.version - 1)


@pytest.mark.costly
def test_c04_2_1_1_announced_virtual_points_stay(chief_arbiter: User) -> None:
    """Five rounds accelerate three, and so do six; seven accelerate four."""
    tournament = make_ready(chief_arbiter, players=8, acceleration="baku")
    pair_and_publish(tournament, 1, chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        change(tournament, chief_arbiter, 7)
    assert (refused.value.code, refused.value.article) == ("rounds.acceleration", "C.04.2 1.1")
    assert number_of_rounds_effect(tournament, total_rounds=6).accelerated
    change(tournament, chief_arbiter, 6)
    assert numbers(tournament) == [1, 2, 3, 4, 5, 6]


def test_c04_2_3_3_byes_and_late_entries_of_removed_rounds(
    begun: Tournament, chief_arbiter: User
) -> None:
    who = {"actor": chief_arbiter, "now": NOW}
    asking = entry_of(begun, 2)
    bye_request(entry_id=asking.pk, round_number=5, kind="H", **who)
    bye_request(entry_id=asking.pk, round_number=4, kind="H", **who)
    late = entry_add(tournament_id=begun.pk, name="Late, Lara", first_round=5, **who)
    round_schedule(round_id=round_of(begun, 5).pk, starts_at=NOW, results_due_at=None, **who)
    Tournament.objects.filter(pk=begun.pk).update(last_bye_round=4)
    begun.refresh_from_db()
    effect = number_of_rounds_effect(begun, total_rounds=4)
    assert [(bye.name, bye.round_number, bye.kind) for bye in effect.byes_gone] == [
        (asking.name, 5, "H")
    ]
    assert (effect.never_play, effect.times_gone, effect.last_bye_round) == ((late.name,), (5,), 4)
    change(begun, chief_arbiter, 4)
    assert list(own(RequestedBye).values_list("entry", "round_number")) == [(asking.pk, 4)]
    row = Decision.objects.filter(tournament=begun).latest("sequence")
    assert row.before == {
        "total_rounds": 5,
        "byes": [{"entry": asking.pk, "round": 5, "kind": "H"}],
        "schedule": {"5": [NOW.isoformat(), None]},
    }


@pytest.mark.costly
def test_c04_2_3_1_fewer_rounds_give_no_final_standings_while_a_game_is_adjourned(
    begun: Tournament, chief_arbiter: User
) -> None:
    factories.enter_results(
        begun, 3, chief_arbiter, lambda board, white, black: "??" if board == 2 else "10"
    )
    results_publish(round_id=round_of(begun, 3).pk, actor=chief_arbiter, now=NOW)
    with pytest.raises(RuleRefused) as refused:
        change(begun, chief_arbiter, 3)
    assert (
        str(refused.value)
        == "The final standings cannot be published while games are adjourned (round/board): 3/2. "
        "(C.04.2 3.1)"
    )


@pytest.mark.costly
def test_c04_2_4_3_a_correction_that_waits_for_a_removed_round_is_applied(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, correction_minutes=30)
    play_rounds(tournament, [1, 2], chief_arbiter)
    game = Game.objects.get(round=round_of(tournament, 2), board=1)
    late = NOW + timedelta(minutes=45)
    report = Report(late, "both players", CorrectionEffect.NEXT_PAIRING)
    result_correct(game_id=game.pk, result="==", report=report, actor=chief_arbiter, now=late)
    check_in_open(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    effect = number_of_rounds_effect(tournament, total_rounds=2)
    assert (effect.ends, effect.waiting) == (True, 1)
    change(tournament, chief_arbiter, 2)
    game.refresh_from_db()
    tournament.refresh_from_db()
    assert (game.result, own(Correction).get().waiting) == ("==", False)
    assert (tournament.check_in_round, tournament.check_in_open) == (None, False)


def test_only_the_chief_arbiter_changes_the_number(
    begun: Tournament, deputy: User, client: Client
) -> None:
    with pytest.raises(PermissionDenied):
        change(begun, deputy, 7)
    client.force_login(deputy)
    page = client.get(reverse("number-of-rounds", args=[begun.slug])).content.decode()
    assert "Only the Chief Arbiter can change the number of rounds." in page


@pytest.mark.costly
def test_the_page_previews_the_effect_and_saves_only_the_previewed_number(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("number-of-rounds", args=[begun.slug])
    given = {"total_rounds": "3", "reason": WHY}
    shown = client.post(url, given)
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "3 boards would be different. Published pairings and results do not change." in text
    assert "Round 3 becomes the last round" in text
    confirmed = f"{begun.version} 3"
    assert f'value="{confirmed}"' in text
    # With a number different from the previewed one, the new effect is shown first.
    assert (
        client.post(url, {**given, "total_rounds": "4", "confirmed": confirmed}).status_code == 200
    )
    assert client.post(url, {**given, "total_rounds": "2"}).status_code == 422
    assert numbers(begun) == [1, 2, 3, 4, 5]
    assert client.post(url, {**given, "confirmed": confirmed}).status_code == 302
    assert numbers(begun) == [1, 2, 3]


@pytest.mark.costly
def test_everybody_reads_it_in_the_record_and_in_the_api(
    begun: Tournament, chief_arbiter: User, client: Client
) -> None:
    address = reverse("api:tournament", args=[begun.slug])
    before = client.get(address)
    change(begun, chief_arbiter, 7)
    page = " ".join(client.get(reverse("record", args=[begun.slug])).content.decode().split())
    assert (
        f'number of rounds changed after the start <span class="muted">5 → 7: {WHY}</span>' in page
    )
    after = client.get(address, headers={"If-None-Match": before.headers["ETag"]})
    assert (before.json()["total_rounds"], after.json()["total_rounds"]) == (5, 7)
    rounds = client.get(reverse("api:rounds", args=[begun.slug])).json()["results"]
    assert [row["number"] for row in rounds] == [1, 2, 3, 4, 5, 6, 7]
    newest = client.get(reverse("api:record", args=[begun.slug])).json()["results"][-1]
    assert (newest["action"], newest["article"]) == ("rounds.changed", "C.04.1 1")


@pytest.mark.costly
@pytest.mark.parametrize("system", ["dutch_2026", "dutch_2017", "dutch_pre2017"])
def test_c04_1_1_no_round_is_added_to_final_standings(
    system: str, chief_arbiter: User, deputy: User, client: Client
) -> None:
    """Nor from a page opened before they were published; another event may still get a round."""
    over, neighbour = (
        factories.make_ready(chief_arbiter, players=6, rounds=2, name=name, system=system)
        for name in ("over", "beside")
    )
    factories.play_rounds(neighbour, [1], chief_arbiter)
    factories.play_rounds(over, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    url = reverse("number-of-rounds", args=[over.slug])
    stale = {"total_rounds": "3", "reason": "so", "confirmed": f"{over.version} 3"}
    factories.play_rounds(over, [2], chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        change(over, chief_arbiter, 3)
    assert refused.value.code == "rounds.final"
    assert refused.value.article == {"dutch_2026": "C.04.1 1", "dutch_2017": "C.04.1 a"}.get(
        system, ""
    )
    with pytest.raises(PermissionDenied):
        change(over, deputy, 3)
    for form in (stale, {**stale, "confirmed": f"{over.version} 3"}):
        response = client.post(url, form, headers={"HX-Request": "true"})
        assert response.status_code == 422
        assert (
            "The final standings are published: rounds can no longer be added."
            in response.content.decode()
        )
    assert over.rounds.count() == 2
    change(neighbour, chief_arbiter, 3)
