"""Change the tables behind the program's back: ``verify_record``
replays every action and finds the change.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from pairing.rounds.corrections import Report, colours_correct
from pairing.rounds.pair import round_pair, round_unpair
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.factories import (
    NOW,
    boards,
    enter_results,
    entry_of,
    get_or_make,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.core import record
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import (
    Decision,
    Entry,
    Game,
    PrizeFund,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_export

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


@pytest.fixture
def spring_open(chief_arbiter: User) -> Tournament:
    """The same event under another name: changes of the other event must not be reported here."""
    return played("Spring Open", chief_arbiter)


@pytest.fixture
def event(spring_open: Tournament, chief_arbiter: User) -> Tournament:
    return played("Autumn Open", chief_arbiter)


def played(name: str, actor: User) -> Tournament:
    return get_or_make("against tables", (name, actor.pk), partial(play, name, actor))


def play(name: str, actor: User) -> Tournament:
    """Seven players, two rounds over, the third public;
    a withdrawal, a bye, a correction, an undone draft.
    """
    tournament = make_ready(actor, players=7, rounds=4, name=name)
    play_rounds(tournament, [1], actor)
    bye_request(entry_id=entry_of(tournament, 2).pk, actor=actor, now=NOW, round_number=2, kind="H")
    entry_withdraw(entry_id=entry_of(tournament, 6).pk, actor=actor, now=NOW, from_round=3)
    round_pair(round_id=round_of(tournament, 2).pk, actor=actor, now=NOW)
    last = tournament.decisions.latest("sequence")
    action_undo(tournament_id=tournament.pk, actor=actor, now=NOW, sequence=last.sequence)
    round_pair(round_id=round_of(tournament, 2).pk, actor=actor, now=NOW)
    round_unpair(round_id=round_of(tournament, 2).pk, actor=actor, now=NOW)
    play_rounds(tournament, [2], actor)
    game = Game.objects.get(round=round_of(tournament, 2), board=2)
    report = Report(reported_at=NOW, reason="both players say so")
    colours_correct(game_id=game.pk, report=report, actor=actor, now=NOW)
    pair_and_publish(tournament, 3, actor)
    return tournament


def rows(tournament: Tournament, number: int, board: int) -> tuple[Game, Seat, Seat]:
    game = Game.objects.get(round__tournament=tournament, round__number=number, board=board)
    return game, game.seats.get(colour="w"), game.seats.get(colour="b")


def other_result(tournament: Tournament) -> str:
    game, *_ = rows(tournament, 1, 2)
    Game.objects.filter(pk=game.pk).update(result="==")
    return f"Round 1, result of board 2: the record says “{game.result}”, the tables “==”."


def other_bye(tournament: Tournament) -> str:
    entry = entry_of(tournament, 2)
    Seat.objects.filter(round__number=2, entry=entry).update(bye="F")
    return f"Round 2, place of entry {entry.pk}: the record says “H”, the tables “F”."


def no_withdrawal(tournament: Tournament) -> str:
    entry = entry_of(tournament, 6)
    Entry.objects.filter(pk=entry.pk).update(withdrawn_from=None)
    return f"Entry {entry.pk}, withdrawn_from: the record says “3”, the tables nothing."


def another_number(tournament: Tournament) -> str:
    entry = entry_of(tournament, 7)
    Entry.objects.filter(pk=entry.pk).update(tpn=9)
    return f"Entry {entry.pk}, tpn: the record says “7”, the tables “9”."


def a_round_not_published(tournament: Tournament) -> str:
    Round.objects.filter(tournament=tournament, number=3).update(state="draft")
    return "Round 3: the record says “pairings_published”, the tables “draft”."


def an_unrequested_bye(tournament: Tournament) -> str:
    entry = entry_of(tournament, 1)
    RequestedBye.objects.create(entry=entry, round_number=4, kind="F")
    return f"Round 4, bye asked for by entry {entry.pk}: the record says nothing, the tables “F”."


def an_unpaired_board(tournament: Tournament) -> str:
    Game.objects.create(round=round_of(tournament, 1), board=9, result="10")
    return "Round 1, result of board 9: the record says nothing, the tables “10”."


CHANGES = [
    other_result,
    other_bye,
    no_withdrawal,
    another_number,
    a_round_not_published,
    an_unrequested_bye,
    an_unpaired_board,
]


@pytest.mark.costly
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_tables_is_named(
    change: Callable[[Tournament], str], event: Tournament, spring_open: Tournament
) -> None:
    assert (differences(event), differences(spring_open)) == ([], [])
    expected = change(event)
    assert record.verify(event) == []
    assert (differences(event), differences(spring_open)) == ([expected], [])
    out = io.StringIO()
    with pytest.raises(CommandError, match="are not what its record says"):
        call_command("verify_record", event.slug, stdout=out)
    assert out.getvalue().splitlines() == [expected]
    call_command("verify_record", spring_open.slug, stdout=out)
    assert "The tables are what it says." in out.getvalue()


def test_players_at_other_boards_are_named(event: Tournament) -> None:
    """White of board 1 and White of board 2 of a published round are exchanged."""
    (_, one, _), (_, two, _) = rows(event, 3, 1), rows(event, 3, 2)
    Seat.objects.filter(pk=two.pk).delete()
    Seat.objects.filter(pk=one.pk).update(entry=two.entry)
    Seat.objects.create(round=two.round, game=two.game, colour="w", entry=one.entry)
    assert differences(event) == [
        f"Round 3, place of entry {pk}: the record says “w{was}”, the tables “w{now}”."
        for pk, was, now in sorted([(one.entry_id, 1, 2), (two.entry_id, 2, 1)])
    ]


def test_another_list_of_tie_breaks_is_named(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter, tie_breaks="DE,WIN")
    Tournament.objects.filter(pk=tournament.pk).update(tie_breaks="WIN,DE")
    assert differences(tournament) == [
        "Setting tie_breaks: the record says “DE,WIN”, the tables “WIN,DE”."
    ]


def test_prizes_that_cannot_be_read_are_a_difference(chief_arbiter: User) -> None:
    tournament = make_ready(chief_arbiter)
    PrizeFund.objects.create(tournament=tournament, currency="EUR", division="by weight")
    (found,) = differences(tournament)
    assert found.startswith("Setting prizes: the record says “{'currency': '', ")
    assert found.endswith("the tables “'by weight' is not a valid Division”.")


@pytest.mark.costly
def test_of_an_imported_event_only_later_actions_are_compared(
    event: Tournament, chief_arbiter: User
) -> None:
    enter_results(event, 3, chief_arbiter)
    text = trf_export(event, public=False)
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert differences(again) == []
    play_rounds(again, [4], chief_arbiter)
    game = Game.objects.filter(round__tournament=again, round__number=4).first()
    assert game is not None
    assert boards(again, 4)
    Game.objects.filter(pk=game.pk).update(result="==")
    (found,) = differences(again)
    assert found.startswith("Round 4, result of board 1: the record says ")


@pytest.mark.costly
def test_a_change_of_imported_rounds_and_players_is_named(
    event: Tournament, chief_arbiter: User
) -> None:
    data = trf_export(event, public=False).encode()
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
    entry = entry_of(again, 3)
    Entry.objects.filter(pk=entry.pk).update(fide_rating=2999)
    game, *_ = rows(again, 1, 2)
    Game.objects.filter(pk=game.pk).update(result="==")
    assert differences(again) == [
        f"Entry {entry.pk}, fide_rating: the record says “{entry.fide_rating}”, the tables “2999”.",
        f"Round 1, result of board 2: the record says “{game.result}”, the tables “==”.",
    ]


@pytest.mark.costly
def test_what_later_reports_repeat_of_an_imported_file_is_compared(
    event: Tournament, chief_arbiter: User
) -> None:
    text = trf_export(event, public=False) + "FRA    1" + " " * 40 + "2100\n### by hand\n"
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
    assert differences(again) == []
    entry = entry_of(again, 1)
    Entry.objects.filter(pk=entry.pk).update(national_federation="NOR")
    extras = again.trf_extras
    Tournament.objects.filter(pk=again.pk).update(trf_extras=["### by somebody else"])
    assert differences(again) == [
        f"Entry {entry.pk}, national_federation: the record says “FRA”, the tables “NOR”.",
        f"Setting trf_extras: the record says “{extras}”, the tables “['### by somebody else']”.",
    ]


def test_an_unreadable_line_is_reported(event: Tournament) -> None:
    row = event.decisions.get(action="round.paired", round_number=3)
    with guard_lifted(connection):
        Decision.objects.filter(pk=row.pk).update(after={})
    assert differences(event) == [
        f"#{row.sequence}: what it says cannot be read; the tables are not compared with the record."
    ]


def test_a_signature_or_a_printed_fingerprint_reveals_a_recomputed_record(
    event: Tournament,
) -> None:
    """Chain and tables agree; nobody without the key can sign the new fingerprints."""
    printed = event.decisions.get(action="results.published", round_number=1).hash
    decision = event.decisions.get(action="result.recorded", round_number=1, after__board=1)
    with guard_lifted(connection):
        decision.after = {**decision.after, "result": "=="}
        previous = event.decisions.filter(sequence__lt=decision.sequence).latest("sequence").hash
        for row in [
            decision,
            *event.decisions.filter(sequence__gt=decision.sequence).order_by("sequence"),
        ]:
            row.previous_hash = previous
            row.hash = previous = record.fingerprint(row)
            Decision.objects.filter(pk=row.pk).update(
                after=row.after, previous_hash=row.previous_hash, hash=row.hash
            )
    Game.objects.filter(round__tournament=event, round__number=1, board=1).update(result="==")
    assert (record.verify(event), differences(event)) == ([], [])
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("verify_record", event.slug, stdout=out)
    assert f"#{decision.sequence}: its signature does not fit its fingerprint." in out.getvalue()
    with pytest.raises(CommandError):
        call_command("verify_record", event.slug, "--fingerprint", printed, stdout=io.StringIO())
