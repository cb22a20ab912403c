"""A player without an opponent gets another one in a published round
[C.04.2/2026 4.4.3, 4.4.4].
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.engine.model import TPN
from pairing.rounds.absences import no_shows
from pairing.rounds.change_page import change_page, changeable
from pairing.rounds.new_opponent import opponent_forfeit, opponent_give
from pairing.rounds.results import result_record
from pairing.rules.opponents import new_opponents, without_the_opponent
from pairing.rules.published import Situation, perhaps_away
from tests.tournaments import factories
from tests.tournaments.agreement import require_recheck
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, boards, byes, entry_of, round_of
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add
from tournaments.models import Action, ByeKind, Decision, Entry, Game, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def open_round(chief_arbiter: User) -> Tournament:
    """Round 1 with nine players is published: 9 has the allocated bye, 8 a bye of half a point."""
    tournament = factories.make_ready(chief_arbiter, players=10)
    late = entry_of(tournament, 8)
    bye_request(entry_id=late.pk, round_number=1, kind="H", actor=chief_arbiter, now=NOW)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Late, Lara",
        checked_in=True,
    )
    tournament.refresh_from_db()
    return tournament


def address(tournament: Tournament, tpn: int, *, absent: bool = False) -> str:
    path = reverse("round-opponent", args=[tournament.slug, 1, entry_of(tournament, tpn).pk])
    return f"{path}?absent=1" if absent else path


def pair_of(tournament: Tournament, board: int) -> tuple[int, int]:
    return boards(tournament, 1)[board - 1][:2]


def late_number(tournament: Tournament) -> int:
    return tournament.entries.get(name="Late, Lara").tpn or 0


def test_c04_2_4_4_3_and_4_4_4_everybody_without_an_opponent_could_play(
    open_round: Tournament,
) -> None:
    facts, _, _ = changeable(open_round, round_of(open_round, 1), at=NOW)
    white, black = pair_of(open_round, 2)
    assert new_opponents(facts, TPN(white)) == ()  # has an opponent
    alone = without_the_opponent(facts, TPN(white))
    assert alone is not None
    (allocated,) = (tpn for tpn, letter in byes(open_round, 1).items() if letter == "U")
    found = {option.partner: option for option in new_opponents(alone, TPN(white))}
    late = late_number(open_round)
    assert {tpn: option.situation for tpn, option in found.items()} == {
        TPN(late): Situation.LATE_ENTRY,
        TPN(allocated): Situation.WITHOUT_OPPONENT,
        TPN(8): Situation.WITHOUT_OPPONENT,
    }
    for partner, option in found.items():
        assert option.games == ()  # a board decided by forfeit is not a game
        assert option.after.byes[TPN(black)] == "Z"  # an absent player gets nothing
        assert {*option.agreeing} == {TPN(white), partner}


def test_c04_2_4_4_a_player_whose_game_is_played_has_no_missing_opponent(
    open_round: Tournament, chief_arbiter: User
) -> None:
    game = Game.objects.get(round__tournament=open_round, board=2)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    facts, _, _ = changeable(open_round, round_of(open_round, 1), at=NOW)
    assert without_the_opponent(facts, TPN(pair_of(open_round, 2)[0])) is None


def test_c04_2_4_4_4_the_page_lists_who_could_play_with_article_and_cost(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    white, black = pair_of(open_round, 2)
    text = client.get(address(open_round, white, absent=True)).content.decode()
    plain = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    name, missing = (entry_of(open_round, tpn).real_name for tpn in (white, black))
    assert f"Who plays {name}?" in plain
    assert f"Board 2: {missing} is not here and loses by forfeit." in plain
    assert "[C.04.2 4.4.4]" in plain
    assert "[C.04.2 4.4.3]" in plain
    assert "No published game is broken up." in plain
    assert f"{missing}, {ByeKind.ZERO_POINT.label}" in plain
    assert f"{name} wins by forfeit and plays no game." in plain
    assert plain.count("Who must agree:") == 3


@pytest.mark.costly
def test_c04_2_4_4_3_players_who_are_probably_not_here_come_last_and_are_marked(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    """The absent player of board 2 has a zero-point bye after the change of that board."""
    client.force_login(chief_arbiter)
    white, absent = pair_of(open_round, 2)
    (allocated,) = (tpn for tpn, letter in byes(open_round, 1).items() if letter == "U")
    late = entry_of(open_round, late_number(open_round))
    give(open_round, chief_arbiter, player_id=entry_of(open_round, white).pk, partner_id=late.pk)
    assert byes(open_round, 1)[absent] == "Z"
    facts, _, _ = changeable(open_round, round_of(open_round, 1), at=NOW)
    assert perhaps_away(facts) == {absent, 8}
    other = pair_of(open_round, 3)[0]
    text = client.get(address(open_round, other, absent=True)).content.decode()
    options = re.findall(r'name="partner" value="(\d+)".*?</label>', text, re.DOTALL)
    marked = [
        re.search(r'value="(\d+)"', label)[1]  # type: ignore[index]
        for label in re.findall(r"<label.*?</label>", text, re.DOTALL)
        if "make sure that this player is here" in label
    ]
    away = [str(entry_of(open_round, tpn).pk) for tpn in (8, absent)]
    assert sorted(marked) == sorted(each for each in away if each in options)
    assert marked == options[-len(marked) :]
    assert str(entry_of(open_round, allocated).pk) in options
    page = change_page(open_round, round_of(open_round, 1), at=NOW)
    (alone,) = (one for one in page.situations if one.situation is Situation.WITHOUT_OPPONENT)
    assert [entry.tpn for entry in alone.players] == sorted(
        [8, allocated, absent]
    )  # only one is here


def test_c04_2_4_4_4_one_form_records_the_forfeit_and_the_change(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    white, black = pair_of(open_round, 2)
    late = entry_of(open_round, late_number(open_round))
    form = {
        "partner": late.pk,
        "agreed": "yes",
        "reason": "did not come",
        "witness": "Wanda",
        "version": open_round.version,
    }
    lines = Decision.objects.filter(tournament=open_round).count()
    done = client.post(address(open_round, white, absent=True), form)
    assert (done.status_code, done.headers["Location"]) == (
        302,
        reverse("round", args=[open_round.slug, 1]),
    )
    assert {white, late.tpn} == {*pair_of(open_round, 2)}
    assert byes(open_round, 1)[black] == "Z"
    made = Decision.objects.filter(tournament=open_round).order_by("sequence")[lines:]
    assert [line.action for line in made] == [Action.RESULT_RECORDED, Action.ROUND_CHANGED]
    assert made[1].article == "C.04.2 4.4.4"
    require_recheck(open_round)
    # The absence is still asked about [C.04.2/2026 3.2].
    frame = tournament_frame(open_round, runs=True)
    assert [(each.tpn, each.board) for each in no_shows(frame)] == [(black, 2)]
    # A second time there is nothing to change: the opponent is there.
    again = client.post(address(open_round, white, absent=True), form)
    assert again.status_code == 409
    assert Decision.objects.filter(tournament=open_round).count() == lines + 2


@pytest.mark.costly
def test_c04_2_4_4_nothing_is_saved_without_the_agreement_of_all(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    white, _ = pair_of(open_round, 2)
    form = {
        "partner": entry_of(open_round, 8).pk,
        "reason": "did not come",
        "witness": "Wanda",
        "version": open_round.version,
    }
    refused = client.post(address(open_round, white, absent=True), form)
    assert refused.status_code == 409
    assert "have not agreed" in refused.content.decode()
    # Not even the forfeit: it is one action for the arbiter.
    assert boards(open_round, 1)[1][2] == ""


@pytest.mark.costly
def test_c04_2_4_4_nobody_else_may_play_the_arbiter_records_the_forfeit_alone(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    white, _ = pair_of(open_round, 2)
    before = boards(open_round, 1)
    open_round.refresh_from_db()
    form = {"partner": "forfeit", "version": open_round.version}
    client.post(address(open_round, white, absent=True), form)
    expected = [*before]
    expected[1] = (*before[1][:2], "+-")
    assert boards(open_round, 1) == expected


@pytest.mark.costly
def test_a_forfeit_alone_is_refused_from_a_stale_page_and_to_others(
    open_round: Tournament, client: Client, chief_arbiter: User, stranger: User
) -> None:
    first, second = pair_of(open_round, 2)
    white, black = entry_of(open_round, first), entry_of(open_round, second)
    seen = open_round.version
    url = address(open_round, first, absent=True)
    client.force_login(stranger)
    refused = client.post(url, {"partner": "forfeit", "version": seen})
    assert refused.status_code in (403, 404)
    with pytest.raises(PermissionDenied):
        forfeit(open_round, white, stranger, seen)
    assert boards(open_round, 1)[1][2] == ""
    # Meanwhile somebody else records that White did not come: the page of before does not undo it.
    forfeit(open_round, black, chief_arbiter, seen)
    client.force_login(chief_arbiter)
    stale = client.post(url, {"partner": "forfeit", "version": seen})
    assert (stale.status_code, boards(open_round, 1)[1][2]) == (409, "-+")
    with pytest.raises(Conflict):
        forfeit(open_round, white, chief_arbiter, seen)
    # A game that is over by now has no missing opponent.
    game = Game.objects.get(round__tournament=open_round, board=2)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    open_round.refresh_from_db()
    with pytest.raises(BadInput):
        forfeit(open_round, white, chief_arbiter, open_round.version)
    assert boards(open_round, 1)[1][2] == "10"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_record_a_forfeit_and_a_new_opponent_at_once_one_reads_of_the_other(
    open_round: Tournament, chief_arbiter: User
) -> None:
    """Both players of board 2 are called absent, from pages opened at the same moment."""
    white, black = (entry_of(open_round, tpn) for tpn in pair_of(open_round, 2))
    seen = open_round.version
    saved = at_once(
        lambda: forfeit(open_round, black, chief_arbiter, seen),
        lambda: give(open_round, chief_arbiter, player_id=white.pk),
    )
    assert [type(each) for each in saved if isinstance(each, Exception)] == [Conflict]
    assert boards(open_round, 1)[1][2] == ("-+" if isinstance(saved[1], Conflict) else "")


@pytest.mark.costly
def test_a_form_without_a_choice_gives_no_bye(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    before, lines = boards(open_round, 1), Decision.objects.count()
    form = {"agreed": "yes", "reason": "r", "witness": "w", "version": open_round.version}
    late = address(open_round, late_number(open_round))
    for chosen in ({}, {"partner": ""}, {"partner": "nobody"}, {"partner": "forfeit"}):
        assert client.post(late, {**form, **chosen}).status_code in (400, 422)
    assert (boards(open_round, 1), Decision.objects.count()) == (before, lines)


@pytest.mark.costly
def test_c04_2_4_4_3_two_players_without_an_opponent_play(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    (allocated,) = (tpn for tpn, letter in byes(open_round, 1).items() if letter == "U")
    form = {
        "partner": entry_of(open_round, 8).pk,
        "agreed": "yes",
        "reason": "both are here",
        "witness": "Wanda",
        "version": open_round.version,
    }
    client.post(address(open_round, allocated), form)
    assert {allocated, 8} in [{w, b} for w, b, _ in boards(open_round, 1)]


def forfeit(tournament: Tournament, player: Entry, actor: User, seen: int) -> None:
    opponent_forfeit(
        round_id=round_of(tournament, 1).pk,
        player_id=player.pk,
        actor=actor,
        now=NOW,
        seen_version=seen,
    )


def give(tournament: Tournament, actor: User, **given: object) -> None:
    values: dict[str, object] = {
        "round_id": round_of(tournament, 1).pk,
        "player_id": entry_of(tournament, pair_of(tournament, 2)[0]).pk,
        "is_absent": True,
        "partner_id": entry_of(tournament, 8).pk,
        "agreed": True,
        "witness": "Wanda",
        "reason": "did not come",
        "actor": actor,
        "now": NOW,
        "seen_version": tournament.version,
    }
    opponent_give(**{**values, **given})  # type: ignore[arg-type]


@pytest.mark.costly
def test_a_stale_page_another_person_and_another_player_change_nothing(
    open_round: Tournament, chief_arbiter: User, deputy: User
) -> None:
    before = boards(open_round, 1)
    with pytest.raises(Conflict):
        give(open_round, chief_arbiter, seen_version=open_round.version - 1)
    with pytest.raises(PermissionDenied):
        give(open_round, deputy)
    with pytest.raises(BadInput):
        give(open_round, chief_arbiter, partner_id=entry_of(open_round, before[0][0]).pk)
    with pytest.raises(BadInput):
        give(open_round, chief_arbiter, reason="")
    with pytest.raises(RuleRefused):
        give(open_round, chief_arbiter, agreed=False)
    assert boards(open_round, 1) == before


@pytest.mark.costly
def test_the_cards_lead_to_the_page(
    open_round: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    white, black = pair_of(open_round, 2)
    board = client.get(reverse("round-board", args=[open_round.slug, 1, 2])).content.decode()
    for tpn in (white, black):
        assert address(open_round, tpn, absent=True) in board
    for tpn, offered in ((8, True), (late_number(open_round), True), (white, False)):
        card = reverse("round-player", args=[open_round.slug, 1, entry_of(open_round, tpn).pk])
        text = client.get(card).content.decode()
        assert (address(open_round, tpn) in text) is offered
