"""The checklist before pairings are published:
shown on the draft, and recorded with the publication.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.checklist import Checklist, boards_otherwise, checklist
from pairing.rounds.game_dates import game_schedule
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from tests.tournaments import factories
from tests.tournaments.factories import CUT_SHORT, NOW, round_of
from tournaments.core.errors import RuleRefused
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import entry_check_in
from tournaments.entries.missing import missing_answer
from tournaments.models import Action, Decision, Entry, Game, Round, Tournament
from tournaments.reports.record_against_tables import differences

DATE: Final = datetime(2027, 1, 9, 18, 30, tzinfo=UTC)


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Round 1 over with board 1 adjourned, half an hour for reports from ``NOW`` on,
    round 2 paired.
    """
    tournament = factories.make_ready(chief_arbiter, correction_minutes=30)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    for game in Game.objects.filter(round__tournament=tournament, board__gt=1):
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    results_publish(
        round_id=round_of(tournament, 1).pk, adjourning=[1], actor=chief_arbiter, now=NOW
    )
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    return tournament


def missing(actor: User, *coming: int) -> Round:
    """Return the draft of round 1 of seven players: those *coming* are not checked in,
    and the last has the bye.
    """
    tournament = factories.make_ready(actor, players=7)
    by: dict[str, Any] = {"actor": actor, "now": NOW}
    check_in_open(tournament_id=tournament.pk, **by)
    for entry in Entry.objects.filter(tournament=tournament).exclude(tpn__in=coming):
        entry_check_in(entry_id=entry.pk, checked_in=True, **by)
    answers = {factories.entry_of(tournament, tpn).pk: "coming" for tpn in coming}
    missing_answer(
        tournament_id=tournament.pk, round_number=1, answers=answers, confirmed=True, **by
    )
    return round_pair(round_id=round_of(tournament, 1).pk, **by)


@pytest.mark.costly
def test_c04_2_4_1_the_bye_of_a_player_who_was_never_seen_is_confirmed(
    chief_arbiter: User, client: Client
) -> None:
    draft = missing(chief_arbiter, 2, 7)
    tournament = draft.tournament
    seen = checklist(tournament, draft, NOW)
    assert [(each.name, each.board) for each in seen.coming] == [
        (factories.entry_of(tournament, 2).real_name, 2), (factories.entry_of(tournament, 7).real_name, None),
    ]  # fmt: skip
    with pytest.raises(RuleRefused) as refused:
        round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
    assert (refused.value.code, refused.value.article) == ("bye.not_seen", "C.04.2 4.1")
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[tournament.slug, 1])).content.decode()
    assert 'name="bye_not_seen"' in page
    assert "Paired although not checked in" in page
    assert '<span class="badge bad">not checked in</span>' in page
    url, form = (
        reverse("round-publish", args=[tournament.slug, 1]),
        factories.page_versions(tournament, 1),
    )
    assert client.post(url, form).status_code == 409
    assert client.post(url, form | {"bye_not_seen": "yes"}).status_code == 302
    assert client.post(url, form | {"bye_not_seen": "yes"}).status_code == 409
    assert published(tournament, 1).after["open_points"] == {"bye_not_seen": True}
    assert differences(tournament) == []


@pytest.mark.costly
def test_c04_2_4_1_a_player_with_a_game_or_who_was_seen_asks_nothing(chief_arbiter: User) -> None:
    draft = missing(chief_arbiter, 2)
    assert checklist(draft.tournament, draft, NOW).bye_not_seen == ""
    round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
    # A player who came after all was at the board: the next round does not mention it.
    factories.enter_results(draft.tournament, 1, chief_arbiter)
    results_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
    second = round_pair(round_id=round_of(draft.tournament, 2).pk, actor=chief_arbiter, now=NOW)
    assert checklist(draft.tournament, second, NOW).coming == ()


def swap_colours(tournament: Tournament, actor: User) -> None:
    """Swap the colours of board 2 in the draft of round 2."""
    round_ = round_of(tournament, 2)
    now, _ = arrangement_of(round_, snapshot(tournament, 2)[1])
    pk = {entry.tpn: entry.pk for entry in Entry.objects.filter(tournament=tournament)}
    boards = {n: (pk[white], pk[black]) for n, (white, black) in now.boards.items()}
    boards[2] = boards[2][::-1]
    round_arrange(
        round_id=round_.pk, pairings=Pairings(boards, {}), reason="as told", actor=actor, now=NOW
    )


def published(tournament: Tournament, number: int) -> Decision:
    return Decision.objects.get(
        tournament=tournament, action=Action.PAIRINGS_PUBLISHED, round_number=number
    )


def test_a_quiet_round_has_nothing_open(draft_round: Round, chief_arbiter: User) -> None:
    seen = checklist(draft_round.tournament, draft_round, NOW)
    assert seen == Checklist(
        had_check_in=False,
        minutes_left=0,
        missing=(),
        not_arrived=(),
        otherwise=(),
        broken=(),
        open_games=(),
    )
    round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
    assert published(draft_round.tournament, 1).after["open_points"] == {}


@pytest.mark.costly
def test_c04_2_4_3_what_is_open_is_shown_and_recorded(
    played: Tournament, chief_arbiter: User, client: Client
) -> None:
    swap_colours(played, chief_arbiter)
    game = Game.objects.get(round__tournament=played, round__number=1, board=1)
    game_schedule(game_id=game.pk, starts_at=DATE, place="Club room", actor=chief_arbiter, now=NOW)
    played.refresh_from_db()
    at = NOW + timedelta(minutes=10)
    seen = checklist(played, round_of(played, 2), at)
    assert (seen.minutes_left, seen.otherwise, seen.adjourned) == (20, (2,), ("1/1",))
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[played.slug, 2])).content.decode()
    assert "This board differs from the engine’s pairing: 2" in page
    expected = "1/1 Abara, Player 1 – Eriksen, Player 5 (9 Jan 2027, 18:30, Club room)"
    assert f"Adjourned games (round/board), counted as draws for this pairing: {expected}" in page
    round_publish(round_id=round_of(played, 2).pk, actor=chief_arbiter, now=at, cut_short=CUT_SHORT)
    assert published(played, 2).after["open_points"] == {
        "minutes_left": 20,
        "otherwise": [2],
        "adjourned": ["1/1"],
    }
    record = client.get(reverse("record", args=[played.slug])).content.decode()
    expected = "20 min; boards that differ from the engine’s pairing: 2; adjourned games: 1/1"
    assert expected in record
    assert expected not in Client().get(reverse("record", args=[played.slug])).content.decode()


def test_c04_2_2_4_a_late_entry_who_left_again_is_named(
    played: Tournament, chief_arbiter: User
) -> None:
    entry = Entry.objects.filter(tournament=played, tpn=8)
    entry.update(first_round=2, checked_in=False)
    Game.objects.filter(round__tournament=played, seats__entry__in=entry).delete()
    seen = checklist(played, round_of(played, 2), NOW)
    assert seen.not_arrived == (entry.get().name,)
    assert seen.recorded["not_arrived"] == [entry.get().name]
    entry.update(withdrawn_from=2)
    assert checklist(played, round_of(played, 2), NOW).not_arrived == ()


@pytest.mark.costly
def test_c04_2_4_1_players_missing_at_the_check_in_are_named(played: Tournament) -> None:
    Tournament.objects.filter(pk=played.pk).update(check_in_round=2)
    Entry.objects.filter(tournament=played).exclude(tpn=3).update(checked_in=True)
    played.refresh_from_db()
    seen = checklist(played, round_of(played, 2), NOW)
    assert seen.had_check_in
    assert seen.missing == (Entry.objects.get(tournament=played, tpn=3).name,)


def test_without_the_engines_pairing_nothing_is_compared(played: Tournament) -> None:
    assert boards_otherwise(round_of(played, 3), []) is None
