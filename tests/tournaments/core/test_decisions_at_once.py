"""Two people at once decide what can be decided once:
one line of the record, and a clear answer for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.plausible import questions, result_confirm
from pairing.rounds.results import result_record
from pairing.rounds.second_reading import reading_decide, reading_record
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, seen_now
from tournaments.core import record
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Appointment, Decision, Entry, Game, Role, Round, Tournament
from tournaments.reports.protests import (
    appeal_decide,
    protest_appeal,
    protest_decide,
    protest_lodge,
    protests_of,
)
from tournaments.reports.record_against_tables import differences
from tournaments.setup.initial_colour import initial_colour_draw, initial_colour_set
from tournaments.standings.final import standings_make_final, standings_reopen
from tournaments.standings.lots import lots_draw

pytestmark = pytest.mark.django_db(transaction=True)
LATER = NOW + timedelta(hours=2)


def by(actor: User, now: datetime = LATER) -> dict[str, Any]:
    return {"actor": actor, "now": now}


def one_of(
    tournament: Tournament,
    action: str,
    *both: Callable[[], object],
    refused: tuple[type[Exception], ...],
) -> None:
    """Do *both* at once: one is done and recorded, the other is refused;
    the record agrees with the tables.
    """
    rows = Decision.objects.filter(tournament=tournament, action=action)
    before = rows.count()
    outcomes = at_once(*both)
    errors = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert [type(outcome) in refused for outcome in errors] == [True], outcomes
    assert rows.count() == before + 1
    tournament.refresh_from_db()
    assert record.verify(tournament) == []
    assert differences(tournament) == []


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """Four players who drew all games of the only round: they are equal in everything."""
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=1, tie_breaks="")
    factories.play_rounds(tournament, [1], chief_arbiter, lambda board, white, black: "==")
    return tournament


@pytest.mark.costly
@pytest.mark.parametrize("sees", [True, False])
def test_c04_2_4_3_standings_are_made_final_and_reopened_once(
    sees: bool, over: Tournament, chief_arbiter: User
) -> None:
    """The Chief Arbiter presses the button on the laptop and on the phone."""
    seen = seen_now(over) if sees else {}
    final = partial(
        standings_make_final, tournament_id=over.pk, ties_stay=True, **by(chief_arbiter), **seen
    )
    one_of(over, "standings.made_final", final, final, refused=(Conflict, RuleRefused))
    assert over.final_at == LATER
    seen = seen_now(over) if sees else {}
    reopen = partial(
        standings_reopen, tournament_id=over.pk, reason="a scoresheet", **by(chief_arbiter), **seen
    )
    one_of(over, "standings.reopened", reopen, reopen, refused=(Conflict, RuleRefused))
    assert over.final_at is None


def test_c04_2_4_3_a_correction_and_the_end_at_once_leave_one_of_them(
    over: Tournament, chief_arbiter: User, deputy: User
) -> None:
    """Whichever is first, nobody makes standings final that they have not seen,
    and nothing is corrected afterwards.
    """
    game = Game.objects.get(round__tournament=over, board=1)
    outcomes = at_once(
        partial(
            standings_make_final,
            tournament_id=over.pk,
            ties_stay=True,
            **by(chief_arbiter),
            **seen_now(over),
        ),
        partial(
            result_correct,
            game_id=game.pk,
            result="10",
            report=Report(NOW, "the scoresheet"),
            **by(deputy),
        ),
    )
    assert sum(isinstance(outcome, (Conflict, RuleRefused)) for outcome in outcomes) == 1, outcomes
    over.refresh_from_db()
    game.refresh_from_db()
    assert (over.final_at is None) == (game.result == "10")
    assert differences(over) == []


@pytest.mark.parametrize("sees", [True, False])
def test_c07_4_2_lots_are_drawn_once(sees: bool, over: Tournament, chief_arbiter: User) -> None:
    seen = seen_now(over) if sees else {}
    draws = [
        partial(
            lots_draw,
            tournament_id=over.pk,
            named=word,
            witness="Wanda",
            **by(chief_arbiter),
            **seen,
        )
        for word in ("seven", "eight")
    ]
    one_of(over, "lots.drawn", *draws, refused=(Conflict, RuleRefused))
    drawn = Decision.objects.get(tournament=over, action="lots.drawn")
    assert over.lots_seed == drawn.after["seed"]


def test_c04_3_5_1_the_initial_colour_is_drawn_once(
    tournament: Tournament, chief_arbiter: User, deputy: User
) -> None:
    """The deputy draws at the venue while the Chief Arbiter lets the program draw:
    the later one gets a message.
    """
    given = {"tournament_id": tournament.pk, **seen_now(tournament)}
    one_of(
        tournament,
        "colour.drawn",
        partial(initial_colour_draw, **given, **by(chief_arbiter)),
        partial(initial_colour_set, colour="b", **given, **by(deputy)),
        refused=(Conflict,),
    )
    (drawn,) = Decision.objects.filter(tournament=tournament, action="colour.drawn")
    assert tournament.initial_colour == drawn.after["colour"]


@pytest.mark.costly
def test_laws_11_10_two_people_at_once_take_each_step_of_a_protest_once(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    given: dict[str, Any] = {"tournament_id": ready.pk}
    lodge = [
        partial(
            protest_lodge,
            **given,
            by=name,
            at=NOW,
            subject="The clock was wrong",
            seen=0,
            **by(who),
        )
        for name, who in (("Pia", chief_arbiter), ("Paul", deputy))
    ]
    one_of(ready, "protest.lodged", *lodge, refused=(Conflict,))
    given["number"] = 1
    rulings = [
        partial(protest_decide, **given, ruling=text, article="Laws 6.10", **by(chief_arbiter))
        for text in ("Play on", "A new game")
    ]
    one_of(ready, "protest.decided", *rulings, refused=(Conflict,))
    appeals = [
        partial(protest_appeal, **given, by="Pia", at=LATER, reasons="Laws 6.2", **by(who))
        for who in (chief_arbiter, deputy)
    ]
    one_of(ready, "protest.appealed", *appeals, refused=(Conflict,))
    decisions = [
        partial(
            appeal_decide,
            **given,
            decision=text,
            by="A. Able",
            article="Laws 11.10",
            **by(chief_arbiter),
        )
        for text in ("The ruling stands", "The ruling is changed")
    ]
    one_of(ready, "appeal.decided", *decisions, refused=(Conflict,))
    (protest,) = protests_of(ready)
    assert protest.next_step == ""


def test_two_actions_on_one_player_at_once_leave_the_first(
    published_round: object, ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    """Both saw the player without a bye: the message to the second names the first."""
    given: dict[str, Any] = {"entry_id": factories.entry_of(ready, 3).pk, **seen_now(ready)}
    outcomes = at_once(
        partial(bye_request, round_number=3, kind="Z", **given, **by(chief_arbiter)),
        partial(entry_withdraw, from_round=2, **given, **by(deputy)),
    )
    (errors,) = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert isinstance(errors, Conflict)
    assert (errors.code, len(errors.lines)) == ("entry.moved_meanwhile", 1)


@pytest.mark.costly
def test_a_result_is_read_decided_and_confirmed_once(
    published_round: Round, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    """Two people read one board, two arbiters decide it, two answer one question:
    each at the same time.
    """
    tournament = published_round.tournament
    Appointment.objects.create(
        tournament=tournament, person=stranger, role=Role.RESULT_DESK, since=NOW
    )
    game = Game.objects.get(round=published_round, board=1)
    result_record(game_id=game.pk, result="10", **by(chief_arbiter))
    readings = [
        partial(reading_record, game_id=game.pk, result="01", **by(who))
        for who in (deputy, stranger)
    ]
    one_of(tournament, "result.read", *readings, refused=(RuleRefused,))
    decisions = [
        partial(
            reading_decide,
            game_id=game.pk,
            result=result,
            seen_version=1,
            seen_reading=1,
            **by(who),
        )
        for result, who in (("10", chief_arbiter), ("01", deputy))
    ]
    one_of(tournament, "reading.decided", *decisions, refused=(Conflict,))
    game.refresh_from_db()
    (line,) = Decision.objects.filter(tournament=tournament, action="reading.decided")
    assert line.after["result"] == game.result
    winner = game.seats.get(colour="w" if game.result == "10" else "b").entry_id
    Entry.objects.filter(tournament=tournament).exclude(pk=winner).update(rating=2600)
    Entry.objects.filter(pk=winner).update(rating=2000)
    (question,) = questions(tournament, published_round)
    given = {"round_id": published_round.pk, "question": question.key}
    assert at_once(
        *(partial(result_confirm, **given, **by(who)) for who in (chief_arbiter, deputy))
    ) == [None, None]
    assert Decision.objects.filter(tournament=tournament, action="result.confirmed").count() == 1
