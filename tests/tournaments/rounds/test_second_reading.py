"""The second reading: without the first results, by another person,
with a decision about each difference.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, colours_correct
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rounds.second_reading import (
    game_readings,
    open_readings,
    reading_decide,
    reading_record,
)
from pairing.rules.second_reading import ReadingState
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tests.tournaments.web.test_shown_values import opened
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.desk.undo import action_undo
from tournaments.models import Appointment, Decision, Game, Role, Round, SecondReading
from tournaments.setup.tournaments import tournament_update

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


def game_of(round_: Round, board: int) -> Game:
    return Game.objects.get(round=round_, board=board)


def read(
    round_: Round, board: int, result: str, actor: User, seen: int | None = None
) -> SecondReading | None:
    return reading_record(
        game_id=game_of(round_, board).pk, result=result, actor=actor, now=NOW, seen_version=seen
    )


def decide(round_: Round, board: int, result: str, actor: User) -> Game:
    return reading_decide(game_id=game_of(round_, board).pk, result=result, actor=actor, now=NOW)


def states(round_: Round) -> list[str]:
    return [each.state.value for each in game_readings(round_.tournament, round_.number)]


def lines(action: str) -> list[Decision]:
    return list(own(Decision).filter(action=action).order_by("sequence"))


def test_only_the_differences_remain_and_the_record_names_both(
    entered: Round, reader: User, chief_arbiter: User, deputy: User
) -> None:
    for board, result in ((1, "10"), (2, "01"), (3, "==")):
        read(entered, board, result, reader)
    assert states(entered) == ["agreed", "different", "different", "unread"]
    assert [game.result for game in Game.objects.filter(round=entered).order_by("board")] == [
        "10"
    ] * 4
    line = lines("result.read")[0]
    assert (line.actor_name, line.after) == (
        "Rita Reader",
        {"board": 1, "result": "10", "entered_by": "Clara Chief"},
    )
    decide(entered, 2, "01", deputy)
    decide(entered, 3, "10", deputy)
    assert states(entered) == ["agreed", "decided", "decided", "unread"]
    assert [game.result for game in Game.objects.filter(round=entered).order_by("board")] == [
        "10",
        "01",
        "10",
        "10",
    ]
    decided = lines("reading.decided")
    assert decided[0].before == {
        "board": 2, "result": "10", "entered_by": "Clara Chief", "reading": "01", "read_by": "Rita Reader",
    }  # fmt: skip
    assert (decided[0].actor_name, decided[0].after) == ("Dan Deputy", {"board": 2, "result": "01"})
    assert len(lines("result.recorded")) == 5


def test_nobody_reads_what_they_entered_themselves(
    entered: Round, reader: User, chief_arbiter: User
) -> None:
    with pytest.raises(RuleRefused) as refused:
        read(entered, 1, "10", chief_arbiter)
    assert refused.value.code == "reading.own"
    # A reading made first does not count after the reader has entered the result, and another
    # person may read it.
    read(entered, 2, "01", reader)
    result_record(game_id=game_of(entered, 2).pk, result="01", actor=reader, now=NOW)
    assert states(entered)[1] == "unread"
    read(entered, 2, "01", chief_arbiter)
    assert states(entered)[1] == "agreed"


def test_strangers_read_only_people_and_the_check_in_desk_cannot_read(
    entered: Round, stranger: User, chief_arbiter: User
) -> None:
    for role in (None, Role.READER, Role.CHECK_IN_DESK):
        Appointment.objects.filter(person=stranger).delete()
        if role:
            Appointment.objects.create(
                tournament=entered.tournament, person=stranger, role=role, since=NOW
            )
        with pytest.raises(PermissionDenied):
            read(entered, 1, "10", stranger)
    assert not own(SecondReading).exists()


def test_the_result_desk_does_not_decide(entered: Round, reader: User) -> None:
    read(entered, 1, "01", reader)
    with pytest.raises(PermissionDenied):
        decide(entered, 1, "01", reader)


def test_a_reading_twice_is_one_and_a_stale_one_is_refused(
    entered: Round, reader: User, deputy: User
) -> None:
    first = read(entered, 1, "01", reader, seen=0)
    assert first is not None
    assert read(entered, 1, "01", reader, seen=0) == first
    assert len(lines("result.read")) == 1
    with pytest.raises(Conflict):
        read(entered, 1, "10", reader, seen=0)
    with pytest.raises(RuleRefused) as refused:  # two readers at once: the first one counts
        read(entered, 1, "10", deputy, seen=0)
    assert refused.value.code == "reading.by_another"
    corrected = read(entered, 1, "10", reader, seen=1)
    assert corrected is not None
    assert (corrected.version, states(entered)[0]) == (2, "agreed")
    read(entered, 1, "", reader, seen=2)
    assert states(entered)[0] == "unread"
    assert read(entered, 2, "", reader) is None
    with pytest.raises(BadInput):
        read(entered, 1, "22", reader)


def test_a_result_that_was_cleared_does_not_set_aside_the_reading_of_its_typist(
    entered: Round, reader: User, chief_arbiter: User
) -> None:
    result_record(game_id=game_of(entered, 1).pk, result="", actor=chief_arbiter, now=NOW)
    read(entered, 1, "10", chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        read(entered, 1, "01", reader)
    assert refused.value.code == "reading.by_another"
    result_record(game_id=game_of(entered, 1).pk, result="10", actor=reader, now=NOW)
    assert states(entered)[0] == "agreed"


def test_c04_2_3_1_a_result_read_for_an_adjourned_game_is_a_difference(
    entered: Round, reader: User, chief_arbiter: User
) -> None:
    result_record(game_id=game_of(entered, 1).pk, result="??", actor=chief_arbiter, now=NOW)
    assert states(entered)[0] == "no_result"
    read(entered, 1, "10", reader)
    assert states(entered)[0] == "different"
    decide(entered, 1, "10", chief_arbiter)
    assert (states(entered)[0], game_of(entered, 1).result) == ("decided", "10")


def test_a_decision_needs_the_values_on_the_page_and_one_of_them(
    entered: Round, reader: User, deputy: User
) -> None:
    read(entered, 1, "01", reader)
    given = {"game_id": game_of(entered, 1).pk, "actor": deputy, "now": NOW}
    for seen in ({"seen_version": 0}, {"seen_reading": 0}):
        with pytest.raises(Conflict):
            reading_decide(**given, **seen, result="10")
    with pytest.raises(BadInput):
        reading_decide(**given, result="==")
    reading_decide(**given, result="10", seen_version=1, seen_reading=1)
    reading_decide(**given, result="10", seen_version=1, seen_reading=1)  # sent twice
    assert len(lines("reading.decided")) == 1
    with pytest.raises(RuleRefused) as refused:
        reading_decide(**given, result="01", seen_version=1, seen_reading=2)
    assert refused.value.code == "reading.no_difference"


def test_a_later_result_is_compared_again(entered: Round, reader: User, deputy: User) -> None:
    read(entered, 1, "01", reader)
    decide(entered, 1, "10", deputy)
    result_record(game_id=game_of(entered, 1).pk, result="==", actor=deputy, now=NOW)
    assert states(entered)[0] == "different"
    undone = lines("result.recorded")[-1]
    action_undo(
        tournament_id=entered.tournament_id, actor=deputy, now=NOW, sequence=undone.sequence
    )
    assert states(entered)[0] == "decided"
    assert game_readings(entered.tournament, 1)[0].entered_by.name == "Clara Chief"  # type: ignore[union-attr]


@pytest.mark.costly
def test_c04_2_4_3_2_swapped_colours_turn_the_reading_too(
    entered: Round, reader: User, chief_arbiter: User
) -> None:
    read(entered, 1, "10", reader)
    report = Report(NOW, "The players told the arbiter.")
    colours_correct(game_id=game_of(entered, 1).pk, report=report, actor=chief_arbiter, now=NOW)
    assert states(entered)[0] == "agreed"
    assert SecondReading.objects.get(game__round=entered).result == "01"
    with pytest.raises(Conflict) as stale:  # the reader's page still has the old colours
        read(entered, 1, "==", reader, seen=1)
    assert "or its colours" in str(stale.value)


@pytest.mark.costly
def test_results_wait_for_the_second_reading_if_the_tournament_requires_it(
    entered: Round, reader: User, chief_arbiter: User
) -> None:
    given = {"actor": chief_arbiter, "now": NOW}
    tournament_update(tournament_id=entered.tournament_id, second_reading=True, **given)
    for board in (1, 2, 3):
        read(entered, board, "10", reader)
    with pytest.raises(RuleRefused) as refused:
        results_publish(round_id=entered.pk, **given)
    assert (refused.value.code, refused.value.params["boards"]) == ("reading.unread", (4,))
    read(entered, 4, "==", reader)
    with pytest.raises(RuleRefused) as refused:
        results_publish(round_id=entered.pk, **given)
    assert (refused.value.code, refused.value.params["boards"]) == ("reading.different", (4,))
    decide(entered, 4, "==", chief_arbiter)
    results_publish(round_id=entered.pk, **given)
    with pytest.raises(RuleRefused) as refused:
        read(entered, 1, "10", reader)
    assert refused.value.code == "reading.closed"


@pytest.mark.costly
def test_only_the_chief_arbiter_ends_the_second_reading_once_pairings_are_published(
    entered: Round, deputy: User, chief_arbiter: User, client: Client
) -> None:
    setting: dict[str, Any] = {"tournament_id": entered.tournament_id, "now": NOW}
    tournament_update(**setting, second_reading=True, actor=chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        tournament_update(**setting, second_reading=False, actor=deputy)
    assert refused.value.code == "tournament.chief_arbiter_declares"
    assert "“Second reading of results required”" in str(refused.value)
    client.force_login(deputy)
    page = reverse("settings-deadlines", args=[entered.tournament.slug])
    text = client.get(page).content.decode()
    assert re.search(r"<dt>Second reading of results required</dt>\s*<dd>yes", text)
    assert 'name="second_reading"' not in text  # a browser does not send what is fixed
    assert client.post(page, opened(client, page)).status_code == 302
    url = reverse("tournament-edit", args=[entered.tournament.slug])
    assert client.post(url, opened(client, url) | {"city": "Lyon"}).status_code == 302
    entered.tournament.refresh_from_db()
    assert (entered.tournament.city, entered.tournament.second_reading) == ("Lyon", True)
    tournament_update(**setting, second_reading=False, actor=chief_arbiter)
    results_publish(round_id=entered.pk, actor=deputy, now=NOW)


def test_without_the_setting_nothing_need_be_read_but_a_difference_is_decided(
    entered: Round, reader: User, chief_arbiter: User
) -> None:
    given = {"actor": chief_arbiter, "now": NOW}
    read(entered, 2, "01", reader)
    with pytest.raises(RuleRefused) as refused:
        results_publish(round_id=entered.pk, **given)
    assert (refused.value.code, refused.value.params["boards"]) == ("reading.different", (2,))
    decide(entered, 2, "10", chief_arbiter)
    results_publish(round_id=entered.pk, **given)


def test_games_without_a_result_need_no_reading(
    published_round: Round, reader: User, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    tournament_update(
        tournament_id=tournament.pk, second_reading=True, actor=chief_arbiter, now=NOW
    )
    read(published_round, 1, "10", reader)
    assert open_readings(game_readings(tournament, 1), ReadingState.NO_RESULT) == (1, 2, 3, 4)
    results_publish(
        round_id=published_round.pk, actor=chief_arbiter, now=NOW, adjourning=[1, 2, 3, 4]
    )
