"""The second reading: without the first results, by another person, with a decision about each
difference.
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
from pairing.rules.rounds import RoundState
from pairing.rules.second_reading import ReadingState
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tests.tournaments.web.test_shown_values import opened
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.desk.undo import action_undo
from tournaments.models import Appointment, Decision, Game, Role, Round, SecondReading, Tournament
from tournaments.setup.tournaments import tournament_update

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


@pytest.fixture
def reader(published_round: Round) -> User:
    """A person of the result desk."""
    user = User.objects.create_user(
        "reader", password="reader-secret", first_name="Rita", last_name="Reader"
    )
    Appointment.objects.create(
        tournament=published_round.tournament, person=user, role=Role.RESULT_DESK, since=NOW
    )
    return user


@pytest.fixture
def entered(published_round: Round, chief_arbiter: User) -> Round:
    """White wins at all four boards, entered by the Chief Arbiter."""
    factories.enter_results(
        published_round.tournament, 1, chief_arbiter, lambda board, white, black: "10"
    )
    return published_round


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
    url = reverse("tournament-edit", args=[entered.tournament.slug])
    assert re.search(
        r'<input type="checkbox" name="second_reading"[^>]* disabled',
        client.get(url).content.decode(),
    )
    form = opened(client, url) | {"city": "Lyon"}
    del form["second_reading"]  # a browser does not send what is locked
    assert client.post(url, form).status_code == 302
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


# Pages


def page_of(tournament: Tournament, name: str = "second-reading") -> str:
    return reverse(name, args=[tournament.slug, 1])


def test_the_page_shows_no_result_of_another_person(
    entered: Round, reader: User, client: Client
) -> None:
    client.force_login(reader)
    read(entered, 1, "01", reader)
    text = client.get(page_of(entered.tournament)).content.decode()
    assert re.findall(r'data-board="(\d)"', text) == ["1", "2", "3", "4"]
    assert re.findall(r'data-result="([^"]*)"', text) == ["01", "", "", ""]
    assert "Clara" not in text
    state = reverse("game-reading", args=[entered.tournament.slug, game_of(entered, 2).pk])
    answer = client.post(state, {"result": "01", "seen_version": "0"})
    assert (answer.status_code, answer.json()) == (200, {"result": "01", "version": 1})


def test_the_page_leaves_out_own_boards_and_those_of_another_reader(
    entered: Round, reader: User, deputy: User, chief_arbiter: User, client: Client
) -> None:
    read(entered, 1, "10", reader)
    client.force_login(chief_arbiter)
    text = client.get(page_of(entered.tournament)).content.decode()
    assert "data-board=" not in text
    assert "js/results.js" not in text  # there is no table to work on
    assert "You entered the results of boards 1, 2, 3, 4" in text
    client.force_login(deputy)
    text = client.get(page_of(entered.tournament)).content.decode()
    assert re.findall(r'data-board="(\d)"', text) == ["2", "3", "4"]
    assert "Another person has already read board 1." in text
    answer = client.post(
        reverse("game-reading", args=[entered.tournament.slug, game_of(entered, 1).pk]),
        {"result": "01", "seen_version": "0"},
    )
    assert answer.status_code == 409
    assert answer.json() == {
        "result": "",
        "version": 0,
        "sentence": "Another person has already entered the second reading of board 1.",
        "conflict": False,
        "confirm": False,
    }


def test_the_plain_form_saves_all_readings(entered: Round, reader: User, client: Client) -> None:
    client.force_login(reader)
    games = list(Game.objects.filter(round=entered).order_by("board"))
    form = {f"was-{game.pk}": "" for game in games} | {f"version-{game.pk}": "0" for game in games}
    form |= {f"result-{game.pk}": "10" for game in games[:3]}
    response = client.post(page_of(entered.tournament), form, follow=True)
    assert "The second reading is saved." in response.content.decode()
    assert states(entered) == ["agreed", "agreed", "agreed", "unread"]


@pytest.fixture
def elsewhere(entered: Round, chief_arbiter: User, deputy: User) -> Round:
    """The same round of another tournament of the same arbiters: White wins at all boards, and
    nothing is read.
    """
    other = factories.make_ready(chief_arbiter, name="Other")
    round_ = factories.pair_and_publish(other, 1, chief_arbiter)
    factories.enter_results(other, 1, chief_arbiter, lambda board, white, black: "10")
    return round_


def test_a_form_with_games_of_another_tournament_reads_none_of_them(
    entered: Round, elsewhere: Round, deputy: User, client: Client
) -> None:
    client.force_login(deputy)
    games = [game_of(round_, 1) for round_ in (entered, elsewhere)]
    form = {f"was-{game.pk}": "" for game in games} | {f"version-{game.pk}": "0" for game in games}
    form |= {f"result-{game.pk}": "10" for game in games}
    assert client.post(page_of(entered.tournament), form).status_code == 302
    assert states(entered) == ["agreed", "unread", "unread", "unread"]
    assert states(elsewhere) == ["unread"] * 4


def test_a_difference_of_another_tournament_is_not_decided_here(
    entered: Round, elsewhere: Round, reader: User, deputy: User, client: Client
) -> None:
    Appointment.objects.create(
        tournament=elsewhere.tournament, person=reader, role=Role.RESULT_DESK, since=NOW
    )
    for round_ in (entered, elsewhere):
        read(round_, 2, "01", reader)
    client.force_login(deputy)
    url = page_of(entered.tournament, "reading-differences")
    form = {"result": "01", "seen_version": 1, "seen_reading": 1}
    assert client.post(url, form | {"game": game_of(elsewhere, 2).pk}).status_code == 404
    assert states(elsewhere) == ["unread", "different", "unread", "unread"]
    assert client.post(url, form | {"game": game_of(entered, 2).pk}).status_code == 302
    assert states(entered) == ["unread", "decided", "unread", "unread"]


def test_a_refused_reading_answers_with_nothing_that_was_read_of_another_board(
    entered: Round, reader: User, deputy: User, client: Client
) -> None:
    read(entered, 1, "01", reader)
    read(entered, 2, "10", deputy)
    client.force_login(reader)
    answers = []
    for board in (1, 2):
        url = reverse("game-reading", args=[entered.tournament.slug, game_of(entered, board).pk])
        refused = client.post(url, {"result": "==", "seen_version": "0"})
        answers.append((refused.status_code, refused.json()["result"], refused.json()["version"]))
    assert answers == [(409, "01", 1), (409, "", 0)]


@pytest.mark.costly
def test_the_page_of_the_differences_shows_both_values_and_decides(
    entered: Round, reader: User, deputy: User, client: Client
) -> None:
    client.force_login(deputy)
    url = page_of(entered.tournament, "reading-differences")
    text = client.get(url).content.decode()
    assert ("Two people" in text, "read a second time, with" in text) == (False, False)
    read(entered, 2, "01", reader)
    read(entered, 3, "10", reader)
    text = client.get(url).content.decode()
    assert ("Two people" in text, "1 result has been read a second time, with" in text) == (
        True,
        True,
    )
    assert re.findall(r'<tr id="difference-(\d)"', text) == ["2"]
    headings = re.findall(r'class="only-narrow[^"]*">(\w+)<', text)
    assert headings == ["Board", "White", "Black"]  # on a phone the table has no headings
    assert "1 – 0 <small>Clara Chief</small>" in re.sub(r"\s+", " ", text)
    assert "0 – 1 <small>Rita Reader</small>" in re.sub(r"\s+", " ", text)
    form = {"game": game_of(entered, 2).pk, "result": "01", "seen_version": 1, "seen_reading": 1}
    stale = client.post(url, form | {"seen_reading": 0})
    assert stale.status_code == 409
    done = client.post(url, form, follow=True)
    assert "The difference on board 2 is decided." in done.content.decode()
    assert "No difference is open." in done.content.decode()
    client.force_login(reader)
    assert client.get(url).status_code == 403


@pytest.mark.costly
def test_the_results_page_says_what_the_second_reading_lacks(
    entered: Round, reader: User, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = page_of(entered.tournament, "round")
    assert "second time" not in client.get(url).content.decode()
    read(entered, 2, "01", reader)
    text = re.sub(r"\s+", " ", client.get(url).content.decode())
    assert "The second reading differs on board 2." in text
    assert "Not read a second time: boards 1, 3, 4." in text
    result_record(game_id=game_of(entered, 2).pk, result="", actor=chief_arbiter, now=NOW)
    text = re.sub(r"\s+", " ", client.get(url).content.decode())
    assert "The second reading has a result for board 2, where none is entered." in text
    result_record(game_id=game_of(entered, 2).pk, result="10", actor=chief_arbiter, now=NOW)
    publish = page_of(entered.tournament, "results-publish")
    assert (
        client.post(publish, factories.page_versions(entered.tournament, 1)).status_code == 409
    )  # one differs
    decide(entered, 2, "10", chief_arbiter)
    assert client.post(publish, factories.page_versions(entered.tournament, 1)).status_code == 302


def test_c04_2_4_2_after_the_publication_open_pages_say_that_nothing_is_saved(
    entered: Round, reader: User, chief_arbiter: User, client: Client
) -> None:
    read(entered, 2, "01", reader)
    decide(entered, 2, "10", chief_arbiter)
    results_publish(round_id=entered.pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)
    decision = {
        "game": game_of(entered, 2).pk,
        "result": "01",
        "seen_version": 1,
        "seen_reading": 2,
    }
    late = client.post(page_of(entered.tournament, "reading-differences"), decision)
    client.force_login(reader)
    game = game_of(entered, 3).pk
    form = {f"was-{game}": "", f"version-{game}": "0", f"result-{game}": "10"}
    for answer in (late, client.post(page_of(entered.tournament), form)):
        assert answer.status_code == 409
        assert "the second reading is over" in answer.content.decode()
        assert client.get(answer.request["PATH_INFO"]).status_code in (302, 403)


def test_a_form_sent_to_a_draft_shows_no_board_of_it(
    published_round: Round, reader: User, chief_arbiter: User, client: Client
) -> None:
    Round.objects.filter(pk=published_round.pk).update(state=RoundState.DRAFT)
    client.force_login(reader)
    game = game_of(published_round, 1).pk
    form = {f"was-{game}": "", f"version-{game}": "0", f"result-{game}": "10"}
    assert client.post(page_of(published_round.tournament), form).status_code == 302
