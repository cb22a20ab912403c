"""Games with a date of their own: set, changed, removed, shown, and in calendar files."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.game_dates import game_schedule
from pairing.rounds.open_games import open_games
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rules.published import Situation
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.reports.wanderers import checked, exported, verified
from tests.tournaments.rounds.test_change_actions import change
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Decision, Game, Round, Tournament
from tournaments.reports.trf_export import trf_export

AT = datetime(2027, 1, 9, 18, 30, tzinfo=UTC)


def game_of(round_: Round, board: int) -> Game:
    return Game.objects.get(round=round_, board=board, first=None)


def dated(game: Game, actor: User, at: datetime | None = AT, place: str = "", **more: int) -> None:
    game_schedule(game_id=game.pk, starts_at=at, place=place, actor=actor, now=NOW, **more)


def enter(game: Game, result: str, actor: User, **more: bool) -> None:
    result_record(game_id=game.pk, result=result, actor=actor, now=NOW, **more)


def lines(tournament: Tournament) -> list[Decision]:
    return list(
        Decision.objects.filter(tournament=tournament, action="game.scheduled").order_by("sequence")
    )


def test_c04_2_3_1_a_date_is_set_changed_and_removed_with_a_line_each(
    published_round: Round, chief_arbiter: User
) -> None:
    game, tournament = game_of(published_round, 2), published_round.tournament
    dated(game, chief_arbiter, place="  Club room ")
    dated(game, chief_arbiter, place="Club room")
    dated(game, chief_arbiter, AT + timedelta(days=1))
    dated(game, chief_arbiter, None)
    texts = [
        (line.before["starts_at"], line.after["starts_at"], line.after["place"])
        for line in lines(tournament)
    ]
    first, second = AT.isoformat(), (AT + timedelta(days=1)).isoformat()
    assert texts == [(None, first, "Club room"), (first, second, ""), (second, None, "")]
    game.refresh_from_db()
    assert (game.starts_at, game.place) == (None, "")
    assert verified(tournament) == ""
    assert checked(exported(tournament, runs=False)) is None


def test_a_date_changed_in_the_tables_alone_is_found(
    published_round: Round, chief_arbiter: User
) -> None:
    game = game_of(published_round, 2)
    dated(game, chief_arbiter)
    Game.objects.filter(pk=game.pk).update(place="elsewhere")
    assert verified(published_round.tournament).startswith(
        "Round 1, date of board 2: the record says"
    )


def test_a_place_needs_a_date_and_may_not_be_too_long(
    published_round: Round, chief_arbiter: User
) -> None:
    game = game_of(published_round, 1)
    for at, place, code in (
        (None, "Lyon", "game_date.no_date"),
        (AT, "x" * 101, "game_date.place"),
    ):
        with pytest.raises(BadInput) as refused:
            dated(game, chief_arbiter, at, place)
        assert refused.value.code == code


def test_a_date_is_refused_with_a_result_and_for_a_draft(
    draft_round: Round, chief_arbiter: User
) -> None:
    game = game_of(draft_round, 1)
    with pytest.raises(RuleRefused, match="Publish them, then set the date"):
        dated(game, chief_arbiter)
    Round.objects.filter(pk=draft_round.pk).update(state="pairings_published")
    enter(game, "10", chief_arbiter)
    with pytest.raises(RuleRefused, match="has a result, so it needs no date"):
        dated(game, chief_arbiter)


def test_a_date_of_a_stale_page_is_refused_only_for_the_same_game(
    published_round: Round, chief_arbiter: User, deputy: User
) -> None:
    tournament = published_round.tournament
    tournament.refresh_from_db()
    seen = tournament.version
    dated(game_of(published_round, 1), deputy)
    dated(game_of(published_round, 2), chief_arbiter, seen_version=seen)
    with pytest.raises(Conflict) as refused:
        dated(
            game_of(published_round, 1), chief_arbiter, AT + timedelta(hours=1), seen_version=seen
        )
    assert refused.value.code == "game_date.moved_meanwhile"


def test_c04_2_3_1_visitors_see_dates_but_not_whether_a_running_game_is_over(
    published_round: Round, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    dated(game_of(published_round, 1), chief_arbiter)
    enter(game_of(published_round, 1), "10", chief_arbiter)
    assert [game.board for game in open_games(tournament, public=True)] == [1]
    assert [game.board for game in open_games(tournament, public=False)] == [2, 3, 4]
    for board in (2, 3):
        enter(game_of(published_round, board), "==", chief_arbiter)
    results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW, adjourning=[4])
    shown = [(game.board, game.is_adjourned) for game in open_games(tournament, public=True)]
    assert (
        shown
        == [(4, True)]
        == [(game.board, game.is_adjourned) for game in open_games(tournament, public=False)]
    )


@pytest.mark.costly
def test_the_page_and_the_boards_show_the_date(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament = published_round.tournament
    Round.objects.filter(pk=published_round.pk).update(starts_at=AT + timedelta(days=1))
    dated(game_of(published_round, 1), chief_arbiter, place="Club room")
    page = reverse("open-games", args=[tournament.slug])
    public = client.get(page).content.decode()
    assert "9 Jan 2027" in public
    assert "Club room" in public
    assert "played in advance" in public
    assert "Set the date of another game" not in public
    assert (
        "Club room"
        in client.get(reverse("pairings-public", args=[tournament.slug, 1])).content.decode()
    )
    client.force_login(chief_arbiter)
    assert client.get(page).content.decode().count("Set date") == 3
    for name, *number in (("round",), ("round-board", 1)):
        shown = client.get(reverse(name, args=[tournament.slug, 1, *number])).content.decode()
        assert shown.count("9 Jan 2027, 18:30, Club room") == 1, name
    state = client.get(
        reverse("results-state", args=[tournament.slug, 1])
    ).json()  # for pages open since before
    assert [board["date"] for board in state["boards"]] == [
        "9 Jan 2027, 18:30, Club room",
        "",
        "",
        "",
    ]
    assert (
        "date of a game set"
        in client.get(reverse("record", args=[tournament.slug])).content.decode()
    )


@pytest.mark.costly
def test_an_arbiter_sets_and_removes_a_date_on_the_page(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament, game = published_round.tournament, game_of(published_round, 1)
    client.force_login(chief_arbiter)
    url = reverse("game-date", args=[tournament.slug, game.pk])
    page = client.get(url).content.decode()
    seen = dict(re.findall(r'<input type="hidden" name="(seen_\w+)" value="([^"]*)"', page))
    assert client.post(url, {"starts_at": "", "place": "Lyon", **seen}).status_code == 422
    # Minutes, as a browser sends them if it is not asked for seconds.
    assert 'step="' not in page
    assert (
        client.post(url, {"starts_at": "2027-01-09T18:30", "place": "Lyon", **seen}).status_code
        == 302
    )
    assert 'value="2027-01-09T18:30"' in client.get(url).content.decode()
    assert client.post(url, {"remove": "yes"}).status_code == 409
    assert client.post(url, {"remove": "yes", **factories.seen_now(tournament)}).status_code == 302
    assert [line.after["place"] for line in lines(tournament)] == ["Lyon", ""]


def calendar_of(
    client: Client, tournament: Tournament, name: str = "games-calendar", *more: int
) -> dict[str, str]:
    """Return the properties of the last appointment of a calendar; its text if there is none."""
    answer = client.get(reverse(name, args=[tournament.slug, *more]))
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    text = answer.content.decode().replace("\r\n ", "")
    return dict(line.split(":", 1) for line in text.split("\r\n") if ":" in line)


def test_rfc_5545_3_8_7_the_sequence_grows_and_the_identity_stays(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament, game = published_round.tournament, game_of(published_round, 1)
    assert "UID" not in calendar_of(client, tournament)
    found = []
    for at in (AT, AT + timedelta(days=1), None):
        dated(game, chief_arbiter, at)
        found.append(calendar_of(client, tournament))
    assert [each["SEQUENCE"] for each in found] == ["0", "1", "2"]
    assert [each["STATUS"] for each in found] == ["CONFIRMED", "CONFIRMED", "CANCELLED"]
    assert [each["DTSTART"] for each in found] == [
        "20270109T183000Z",
        "20270110T183000Z",
        "20270110T183000Z",
    ]
    assert len({each["UID"] for each in found}) == 1


@pytest.mark.costly
@pytest.mark.parametrize("boards", ["1-5 4-2 3-6", "4-1 5-2 3-6"])
def test_c04_2_4_4_2_the_calendar_cancels_a_date_that_a_pairing_change_has_removed(
    boards: str, chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(
        chief_arbiter, players=6, change_clause="7.3: until the start of play"
    )
    round_ = factories.pair_and_publish(tournament, 1, chief_arbiter)
    dated(game_of(round_, 1), chief_arbiter)
    change(tournament, 1, chief_arbiter, boards, Situation.REGULATIONS)
    assert game_of(round_, 1).starts_at is None
    found = calendar_of(client, tournament)
    assert (found["STATUS"], found["SEQUENCE"]) == ("CANCELLED", "1")


def test_the_calendar_of_a_player_has_the_own_games_only(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament, game = published_round.tournament, game_of(published_round, 1)
    dated(game, chief_arbiter)
    players = [seat.entry_id for seat in game.seats.all()]
    other = game_of(published_round, 2).seats.first()
    assert other is not None
    for entry in players:
        assert "UID" in calendar_of(client, tournament, "player-calendar", entry)
    assert "UID" not in calendar_of(client, tournament, "player-calendar", other.entry_id)
    assert client.get(reverse("player-calendar", args=[tournament.slug, 0])).status_code == 404


@pytest.mark.costly
def test_the_calendar_leaves_a_game_out_once_its_result_is_published(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament = published_round.tournament
    dated(game_of(published_round, 1), chief_arbiter)
    for board in (2, 3, 4):
        enter(game_of(published_round, board), "==", chief_arbiter)
    results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW, adjourning=[1])
    assert calendar_of(client, tournament)["STATUS"] == "CONFIRMED"
    enter(game_of(published_round, 1), "==", chief_arbiter)
    assert "UID" not in calendar_of(client, tournament)


def test_a_date_changes_nothing_in_the_report_file(
    published_round: Round, chief_arbiter: User
) -> None:
    before = trf_export(published_round.tournament, public=False)
    dated(game_of(published_round, 1), chief_arbiter)
    assert trf_export(published_round.tournament, public=False) == before


@pytest.mark.costly
def test_c04_2_3_1_a_round_paired_with_open_games_names_them_in_the_report(
    published_round: Round, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    for board in (2, 3, 4):
        enter(game_of(published_round, board), "==", chief_arbiter)
    results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW, adjourning=[1])
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    comment = "### Open games @ Round 2: 1/1, draws for this pairing, C.04.2 3.1"
    assert comment in trf_export(tournament, public=True).splitlines()
