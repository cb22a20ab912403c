"""The provisional pairing of the next round, and its certain boards."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.look_ahead import LookAhead
from pairing.rounds.next_round import LookAheads, next_round
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tournaments.entries.byes import bye_request
from tournaments.models import Game, Seat, Tournament

HTMX = {"HX-Request": "true"}


def at_once() -> LookAheads:
    """Return look-aheads that pair everything before they answer."""
    return LookAheads(lambda work: work())


@pytest.fixture
def playing(chief_arbiter: User) -> Tournament:
    """Twenty players; round 1 played, round 2 published with results on all boards but 9 and 10."""
    tournament = factories.make_ready(chief_arbiter, players=20)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    for game in games(tournament, 2)[:8]:
        enter(game, "10", chief_arbiter)
    return tournament


def games(tournament: Tournament, number: int) -> list[Game]:
    return list(
        Game.objects.filter(round__tournament=tournament, round__number=number).order_by("board")
    )


def enter(game: Game, result: str, actor: User) -> None:
    result_record(
        game_id=game.pk, result=result, actor=actor, now=factories.NOW, seen_version=game.version
    )


def pair_third(tournament: Tournament, actor: User) -> None:
    results_publish(round_id=factories.round_of(tournament, 2).pk, actor=actor, now=factories.NOW)
    round_pair(round_id=factories.round_of(tournament, 3).pk, actor=actor, now=factories.NOW)


def as_paired(tournament: Tournament, number: int) -> list[tuple[int, int]]:
    """Return (White, Black) by entry id and board of a paired round."""
    seats = Seat.objects.filter(
        round__tournament=tournament, round__number=number, game__isnull=False
    )
    by_board: dict[int, dict[str, int]] = {}
    for seat in seats.select_related("game"):
        assert seat.game is not None
        by_board.setdefault(seat.game.board, {})[seat.colour] = seat.entry_id
    return [(pair["w"], pair["b"]) for _, pair in sorted(by_board.items())]


@pytest.mark.costly
def test_c04_2_3_1_open_games_count_as_draws_in_the_provisional_pairing(
    playing: Tournament, chief_arbiter: User
) -> None:
    ahead = next_round(playing, 3, at_once())
    assert ahead is not None
    assert [line.board for line in ahead.open_boards] == [9, 10]
    for game in games(playing, 2)[8:]:
        enter(game, "==", chief_arbiter)
    pair_third(playing, chief_arbiter)
    assert [(line.white.pk, line.black.pk) for line in ahead.boards] == as_paired(playing, 3)


@pytest.mark.costly
def test_the_certain_boards_are_paired_whatever_happens(
    playing: Tournament, chief_arbiter: User
) -> None:
    ahead = next_round(playing, 3, at_once())
    assert ahead is not None
    assert (ahead.outlook.possible, ahead.outlook.paired, ahead.is_done) == (9, 9, True)
    certain = {(line.white.pk, line.black.pk) for line in ahead.certain}
    assert certain
    for game, result in zip(games(playing, 2)[8:], ["01", "10"], strict=True):
        enter(game, result, chief_arbiter)
    pair_third(playing, chief_arbiter)
    assert certain <= set(as_paired(playing, 3))


@pytest.mark.costly
def test_a_result_that_comes_in_is_not_paired_again(
    playing: Tournament, chief_arbiter: User
) -> None:
    begun: list[bool] = []

    def begin(work: Callable[[], None]) -> None:
        begun.append(True)
        work()

    ahead = LookAheads(begin)
    next_round(playing, 3, ahead)
    enter(games(playing, 2)[8], "01", chief_arbiter)
    after = next_round(playing, 3, ahead)
    assert after is not None
    assert (after.outlook.possible, after.outlook.paired) == (3, 3)
    assert len(begun) == 1
    bye_request(
        entry_id=factories.entry_of(playing, 5).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        round_number=3,
        kind="H",
    )
    changed = next_round(playing, 3, ahead)
    assert changed is not None
    assert len(begun) == 2
    assert factories.entry_of(playing, 5).pk not in {
        player for line in changed.boards for player in (line.white.pk, line.black.pk)
    }


@pytest.mark.costly
def test_c04_2_3_1_an_adjourned_game_stays_a_draw(
    client: Client, playing: Tournament, chief_arbiter: User
) -> None:
    enter(games(playing, 2)[8], "10", chief_arbiter)
    results_publish(
        round_id=factories.round_of(playing, 2).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        adjourning=[10],
    )
    ahead = next_round(playing, 3, at_once())
    assert ahead is not None
    assert ahead.open_boards == ()
    assert len(ahead.certain) == 10
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[playing.slug, 3])).content.decode()
    assert "has a result, or is adjourned and counts as a draw." in page


@pytest.mark.costly
def test_of_many_tournaments_those_asked_for_last_are_kept(
    playing: Tournament, chief_arbiter: User
) -> None:
    begun: list[bool] = []

    def begin(work: Callable[[], None]) -> None:
        begun.append(True)
        work()

    other = factories.make_ready(chief_arbiter, name="Spring Open")
    factories.pair_and_publish(other, 1, chief_arbiter)
    for most, pairings in ((2, 2), (1, 4)):
        begun.clear()
        ahead = LookAheads(begin, most=most)
        for tournament, number in ((playing, 3), (other, 2)) * 2:
            assert next_round(tournament, number, ahead) is not None
        assert len(begun) == pairings, most


@pytest.mark.costly
def test_after_a_fault_the_outcomes_are_paired_anew(
    playing: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = at_once()

    def fault(_ahead: LookAhead) -> None:
        raise MemoryError

    with monkeypatch.context() as here:
        here.setattr(LookAhead, "advance", fault)
        with pytest.raises(MemoryError):
            next_round(playing, 3, ahead)
    after = next_round(playing, 3, ahead)
    assert after is not None
    assert (after.outlook.paired, after.is_done) == (9, True)


@pytest.mark.costly
def test_nothing_is_known_ahead_while_the_data_cannot_be_paired(playing: Tournament) -> None:
    """The initial colour, a number, or a round of the number of rounds is missing."""
    assert next_round(playing, 3, at_once()) is not None
    Tournament.objects.filter(pk=playing.pk).update(total_rounds=2)
    assert next_round(Tournament.objects.get(pk=playing.pk), 3, at_once()) is None
    Tournament.objects.filter(pk=playing.pk).update(total_rounds=5, initial_colour="")
    assert next_round(Tournament.objects.get(pk=playing.pk), 3, at_once()) is None
    Tournament.objects.filter(pk=playing.pk).update(initial_colour="w")
    assert next_round(Tournament.objects.get(pk=playing.pk), 3, at_once()) is not None
    playing.entries.filter(tpn=20).update(tpn=None)
    assert next_round(Tournament.objects.get(pk=playing.pk), 3, at_once()) is None


def test_many_open_games_are_tried_by_lot(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=20)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    ahead = next_round(tournament, 2, at_once())
    assert ahead is not None
    assert ahead.is_sample
    assert ahead.is_done
    assert not ahead.certain
    again = next_round(tournament, 2, at_once())
    assert again is not None
    assert again.outlook == ahead.outlook


def test_without_numbers_or_a_round_being_played_there_is_no_outlook(
    playing: Tournament, chief_arbiter: User
) -> None:
    assert next_round(playing, 1, at_once()) is None
    assert next_round(playing, 2, at_once()) is None
    assert next_round(playing, 4, at_once()) is None
    assert next_round(playing, 99, at_once()) is None


def test_a_failure_of_the_work_is_not_kept(playing: Tournament) -> None:
    """A thread that could not be started, or ended with an error, does not stop the later ones."""
    failures = [OSError("no thread"), None]

    def begin(work: Callable[[], None]) -> None:
        if failure := failures.pop(0):
            raise failure
        work()

    aheads = LookAheads(begin)
    with pytest.raises(OSError, match="no thread"):
        next_round(playing, 3, aheads)
    ahead = next_round(playing, 3, aheads)
    assert ahead is not None
    assert ahead.is_done


@pytest.mark.costly
def test_the_page_shows_it_and_asks_for_news(
    client: Client, playing: Tournament, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[playing.slug, 3])).content.decode()
    assert "Provisional pairing" in page
    assert "2 games have no result; they count as draws here." in page
    part = reverse("round-provisional", args=[playing.slug, 3])
    for _ in range(200):
        answer = client.get(part, {"v": "old"}, headers=HTMX).content.decode()
        if ".done" in answer:
            break
    assert "all 9 possible outcomes" in answer
    assert '<span class="badge good">certain</span>' in answer
    assert answer.lstrip().startswith("<section")
    key = re.search(r"\?v=([^\"]+)", answer)
    assert key is not None
    assert client.get(part, {"v": key[1]}, headers=HTMX).status_code == 204
    enter(games(playing, 2)[8], "01", chief_arbiter)
    assert "1 game has no result" in client.get(part, {"v": key[1]}, headers=HTMX).content.decode()
    assert "<h1>" in client.get(part).content.decode()


@pytest.mark.costly
def test_an_open_page_is_loaded_again_when_the_round_is_paired(
    client: Client, playing: Tournament, chief_arbiter: User
) -> None:
    for game in games(playing, 2)[8:]:
        enter(game, "==", chief_arbiter)
    pair_third(playing, chief_arbiter)
    client.force_login(chief_arbiter)
    answer = client.get(
        reverse("round-provisional", args=[playing.slug, 3]), {"v": "old"}, headers=HTMX
    )
    assert answer.headers["HX-Refresh"] == "true"
