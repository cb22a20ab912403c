"""The program asks about an unusual result once, and never refuses it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.corrections import Report, colours_correct
from pairing.rounds.plausible import questions, result_confirm
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rules.plausible import PlayedBoard, Shift, moves
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.models import (
    Action,
    Decision,
    Entry,
    Event,
    Game,
    RequestedBye,
    Round,
    Seat,
    Section,
)

Answer = Callable[[Round, str, User], None]


@pytest.fixture
def upset(published_round: Round, chief_arbiter: User) -> Round:
    """Board 1: player 5, rated 500 points lower, has beaten player 1."""
    Entry.objects.filter(tournament=published_round.tournament, tpn=5).update(rating=1900)
    white = Seat.objects.get(game__round=published_round, game__board=1, colour="w").entry
    enter(published_round, 1, "10" if white.tpn == 5 else "01", chief_arbiter)
    return published_round


def enter(round_: Round, board: int, result: str, actor: User) -> None:
    result_record(
        game_id=Game.objects.get(round=round_, board=board).pk, result=result, actor=actor, now=NOW
    )


def open_questions(round_: Round) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.kind, each.boards) for each in questions(round_.tournament, round_)]


def confirm(round_: Round, question: str, actor: User) -> None:
    result_confirm(round_id=round_.pk, question=question, actor=actor, now=NOW)


def confirmed() -> list[Decision]:
    return list(own(Decision).filter(action="result.confirmed"))


def test_an_upset_is_asked_about_until_somebody_confirms_it(
    upset: Round, chief_arbiter: User, deputy: User
) -> None:
    (question,) = questions(upset.tournament, upset)
    assert (question.kind, question.boards, len(question.names)) == ("upset", (1,), 2)
    confirm(upset, question.key, deputy)
    confirm(upset, question.key, chief_arbiter)  # two at once: the first answer stays
    assert open_questions(upset) == []
    (line,) = confirmed()
    assert (line.actor_name, line.after) == (
        "Dan Deputy",
        {"question": question.key, "boards": [1]},
    )
    # It is not asked again, not even after the result was changed and entered once more.
    result = Game.objects.get(round=upset, board=1).result
    enter(upset, 1, "==", chief_arbiter)
    enter(upset, 1, result, chief_arbiter)
    assert open_questions(upset) == []


def test_c04_2_4_3_2_swapped_colours_ask_nothing_again_and_another_winner_does(
    upset: Round, chief_arbiter: User
) -> None:
    (question,) = questions(upset.tournament, upset)
    confirm(upset, question.key, chief_arbiter)
    game = Game.objects.get(round=upset, board=1)
    report = Report(NOW, "The players told the arbiter.")
    colours_correct(game_id=game.pk, report=report, actor=chief_arbiter, now=NOW)
    assert open_questions(upset) == []
    # As after a change of the pairings: another player rated lower has won at this board.
    winner = game.seats.get(colour="w" if Game.objects.get(pk=game.pk).result == "10" else "b")
    other = (
        Seat.objects.exclude(game=game)
        .filter(round=upset, entry__tpn__gt=4)
        .select_related("entry")
        .first()
    )
    assert other is not None
    Entry.objects.filter(pk=other.entry_id).update(rating=1900)
    winner.entry, other.entry = other.entry, winner.entry
    Seat.objects.filter(pk__in=(winner.pk, other.pk)).delete()
    Seat.objects.bulk_create([winner, other])
    assert open_questions(upset) == [("upset", (1,))]


def test_a_question_stops_nobody(upset: Round, chief_arbiter: User) -> None:
    for board in (2, 3, 4):
        enter(upset, board, "==", chief_arbiter)
    results_publish(round_id=upset.pk, actor=chief_arbiter, now=NOW)
    upset.refresh_from_db()
    assert open_questions(upset) == []
    with pytest.raises(RuleRefused):
        confirm(upset, "upset:1:0:10", chief_arbiter)


def test_a_question_whose_result_has_changed_is_gone(
    upset: Round, chief_arbiter: User, stranger: User
) -> None:
    (question,) = questions(upset.tournament, upset)
    with pytest.raises(PermissionDenied):
        confirm(upset, question.key, stranger)
    enter(upset, 1, "==", chief_arbiter)
    for gone in (question.key, "", "nonsense", "upset:1"):
        with pytest.raises(Conflict):
            confirm(upset, gone, chief_arbiter)
    assert confirmed() == []


def test_a_played_game_of_an_absent_player_is_asked_about(
    published_round: Round, chief_arbiter: User
) -> None:
    """The rules do not let it come to this; a pairing by hand,
    a change of the pairings or an import may.
    """
    seats = Seat.objects.filter(round=published_round, colour="w").select_related("entry", "game")
    away, left, out = (seat.entry for seat in seats.order_by("game__board")[:3])
    RequestedBye.objects.create(entry=away, round_number=1, kind="H")
    Entry.objects.filter(pk__in=(left.pk, out.pk)).update(withdrawn_from=1)
    tournament = published_round.tournament
    tournament.expelled = [out.pk]
    tournament.save()
    for board, result in ((1, "=="), (2, "=="), (3, "=="), (4, "+-")):
        enter(published_round, board, result, chief_arbiter)
    assert open_questions(published_round) == [
        ("absence", (1,)),
        ("absence", (2,)),
        ("absence", (3,)),
    ]
    reasons = [each.finding.reason for each in questions(tournament, published_round)]  # type: ignore[union-attr]
    assert reasons == ["bye", "withdrawn", "expelled"]
    enter(published_round, 1, "-+", chief_arbiter)
    assert open_questions(published_round) == [("absence", (2,)), ("absence", (3,))]


def test_a_person_with_two_results_is_asked_about(
    published_round: Round, chief_arbiter: User
) -> None:
    players = [
        seat.entry
        for seat in Seat.objects.filter(round=published_round, colour="w").order_by("game__board")
    ]
    Entry.objects.filter(pk=players[2].pk).update(name=players[0].name.upper(), fide_id=None)
    for board in (1, 2, 3, 4):
        enter(published_round, board, "==", chief_arbiter)
    assert open_questions(published_round) == [("twice", (3,))]
    # Two namesakes with a FIDE ID each are two persons.
    Entry.objects.filter(pk=players[0].pk).update(fide_id=1001)
    assert open_questions(published_round) == [("twice", (3,))]
    Entry.objects.filter(pk=players[2].pk).update(fide_id=1002)
    assert open_questions(published_round) == []


@pytest.mark.costly
def test_a_person_who_plays_in_two_sections_at_once_is_asked_about(
    published_round: Round, chief_arbiter: User
) -> None:
    first = published_round.tournament
    other = factories.make_ready(chief_arbiter, name="Other Open")
    event = Event.objects.create(
        name="Festival", slug="festival", created_by=chief_arbiter, created_at=NOW
    )
    for tournament, label in ((first, "A"), (other, "B")):
        Section.objects.create(event=event, tournament=tournament, label=label)
    elsewhere = factories.pair_and_publish(other, 1, chief_arbiter)
    Entry.objects.filter(tournament=first, tpn=3).update(fide_id=1003)
    Entry.objects.filter(tournament=other).update(name="Somebody Else")
    Entry.objects.filter(tournament=other, tpn=3).update(fide_id=1003, name="Spelled, Otherwise")
    for board in (1, 2, 3, 4):
        enter(published_round, board, "==", chief_arbiter)
    assert open_questions(published_round) == []
    for board in (1, 2, 3, 4):
        enter(elsewhere, board, "==", chief_arbiter)
    (question,) = questions(type(first).objects.get(pk=first.pk), published_round)
    assert (question.kind, question.boards) == ("twice", (3,))


def one_board_too_high(actor: User) -> tuple[Round, list[str]]:
    """Return round 1 of 40 players and its right results:
    boards 1 to 14 have each the result of the next board.
    """
    tournament = factories.make_ready(actor, players=40)
    for entry in Entry.objects.filter(tournament=tournament):
        assert entry.tpn is not None
        Entry.objects.filter(pk=entry.pk).update(
            rating=2400 - 4 * entry.tpn - 400 * (entry.tpn > 20)
        )
    round_ = factories.pair_and_publish(tournament, 1, actor)
    games = factories.boards(tournament, 1)
    right = ["10" if white < black else "01" for white, black, _ in games]
    for board in range(1, 15):
        enter(round_, board, right[board], actor)  # the result of the next board
    return round_, right


@pytest.mark.costly
def test_results_on_the_wrong_lines_are_asked_about_once(
    chief_arbiter: User, client: Client
) -> None:
    round_, right = one_board_too_high(chief_arbiter)
    tournament = round_.tournament
    (question,) = questions(tournament, round_)
    assert (question.kind, question.boards[0]) == ("shift", 1)
    client.force_login(chief_arbiter)
    url = reverse("results-checks", args=[tournament.slug, 1])
    text = client.get(url).content.decode()
    assert "Boards 1 to 14: these results would fit the ratings much better" in text
    assert 'href="#board-1"' in text
    confirm(round_, question.key, chief_arbiter)
    enter(round_, 15, right[15], chief_arbiter)  # the run grows
    assert open_questions(round_) == []
    confirm(round_, "shift:1:15", chief_arbiter)  # a page that was open still asked
    assert [line.after["question"] for line in confirmed()] == [question.key]


@pytest.mark.costly
def test_results_on_the_wrong_lines_are_moved_by_one_board(
    chief_arbiter: User, client: Client
) -> None:
    """None is lost: the last one goes to a board without a result, the first board gets none."""
    round_, right = one_board_too_high(chief_arbiter)
    tournament = round_.tournament
    client.force_login(chief_arbiter)
    url = reverse("results-checks", args=[tournament.slug, 1])
    text = client.get(url).content.decode()
    assert "Move the results of boards 1–14 one board down" in text
    (move,) = re.findall(r'name="move" value="([^"]+)"', text)
    before = Decision.objects.filter(tournament=tournament).count()
    done = client.post(url, {"move": move}, headers={"HX-Request": "true"})
    assert (done.status_code, 'name="move"' in done.content.decode()) == (200, False)
    now = [result for _white, _black, result in factories.boards(tournament, 1)]
    assert now == ["", *right[1:15], "", "", "", "", ""]
    # Each board that changes has its line in the record; a second time nothing moves.
    lines = Decision.objects.filter(tournament=tournament)[before:]
    assert {line.action for line in lines} == {Action.RESULT_RECORDED}
    assert client.post(url, {"move": move}, headers={"HX-Request": "true"}).status_code == 409
    assert [result for *_, result in factories.boards(tournament, 1)] == now


def test_a_move_of_results_loses_none_and_stays_on_the_boards() -> None:
    def board(number: int, result: str, game: int | None = None) -> PlayedBoard:
        return PlayedBoard(number, 2 * number, 2 * number + 1, 2000, 1900, result, game)

    def possible(results: str, found: Shift) -> list[tuple[int, int, int]]:
        boards = [board(n, result) for n, result in enumerate(results.split(","), start=1)]
        return [(move.first, move.last, move.by) for move in moves(boards, found)]

    assert possible("10,01,10,01,10,,", Shift(1, 5, 1)) == [(1, 5, 1)]
    # The later results move too, up to the first board without a result.
    assert possible("10,01,10,01,10,==,", Shift(1, 5, 1)) == [(1, 6, 1)]
    assert possible(",10,01,10,01,10,", Shift(2, 6, -1)) == [(2, 6, -1), (2, 6, 1)]
    assert possible("10,01,10,01,10", Shift(1, 5, 1)) == []  # no board is free
    assert possible("10,01,10,01,10,+-,", Shift(1, 5, 1)) == []  # a forfeit stays where it is
    match = [board(n, "10", game) for n in range(1, 7) for game in (1, 2)]
    assert moves(match, Shift(1, 5, 1)) == ()


@pytest.mark.costly
def test_the_page_asks_and_the_answer_is_kept(
    upset: Round, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    page = reverse("round", args=[upset.tournament.slug, 1])
    text = client.get(page).content.decode()
    assert "rated 500 points higher. Is that right?" in text
    (count,) = re.findall(r'<a id="to-questions"[^>]*>[^<]*</a>', text)
    assert ("1 question" in count, " hidden" in count, "hx-swap-oob" in count) == (
        True,
        False,
        False,
    )
    (key,) = re.findall(r'name="question" value="([^"]+)"', text)
    url = reverse("results-checks", args=[upset.tournament.slug, 1])
    assert client.post(url, {"question": "upset:9:0:10"}).status_code == 409
    done = client.post(url, {"question": key}, follow=True)
    assert done.redirect_chain == [(page, 302)]
    assert "Is that right?" not in done.content.decode()
    # Without the script the button sends the whole form, with all its choices.
    game = Game.objects.get(round=upset, board=4)
    chosen = {f"result-{game.pk}": "==", f"was-{game.pk}": "", f"version-{game.pk}": "0"}
    client.post(url, {"question": key, **chosen})
    game.refresh_from_db()
    assert game.result == "=="
    part = client.post(url, {"question": key}, headers={"HX-Request": "true"})
    assert (part.status_code, len(confirmed())) == (200, 1)
    (count,) = re.findall(r'<a id="to-questions"[^>]*>', part.content.decode())
    assert (" hidden" in count, 'hx-swap-oob="true"' in count) == (True, True)
