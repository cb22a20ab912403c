"""Make a second tournament with the same numbers beside the one under test,
and prove that nothing changed it.

Its names, TPNs, round and board numbers, results, actions and tie-breaks are those of
``factories``: a query that forgets to filter by tournament finds them. It is saved without the
services, in a few queries, before each test.

In half of the tests its rows come after those that the fixtures saved, because a dictionary by
board or number shows a forgotten filter only if the rows of the other tournament are read last.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, QuerySet

from pairing.rules.rounds import RoundState
from tests.plugins.repeatable_tokens import TOKENS
from tournaments.core import record
from tournaments.models import (
    Appointment,
    Correction,
    Decision,
    Entry,
    Game,
    PointAdjustment,
    ProhibitedPair,
    PublishedList,
    RequestedBye,
    Role,
    Round,
    Seat,
    Tournament,
    payloads,
)
from tournaments.models.payload_data import Player
from tournaments.models.payload_round_data import Effect, EnginePairing, ReportTimes

from .furniture import furnish
from .paths import conditions, path_to_tournament
from .row_cache import (
    Rows,
    Statements,
    driver_cursor,
    execute,
    inserting,
    set_next_keys,
    tables,
)

AT: Final = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
SLUG: Final = "next-door"
PLAYERS: Final = ("Abara", "Blomqvist", "Czerny", "Dumont", "Eriksen", "Fabre", "Grau", "Hollis")
PAIRS: Final = {1: ((1, 5), (6, 2), (3, 7)), 2: ((2, 1), (5, 3), (7, 6))}
"""White's and Black's TPN by board; 8 has the pairing-allocated bye of round 1,
4 is absent, and so on.
"""
RESULTS: Final = {1: ("10", "-+", "=="), 2: ("01", "", "??")}
STATES: Final = (
    RoundState.RESULTS_PUBLISHED,
    RoundState.PAIRINGS_PUBLISHED,
    RoundState.PLANNED,
    RoundState.PLANNED,
)
NUMBER_OF_ACTIONS: Final = 11
NUMBER_OF_TOKENS: Final = 50
"""At least as many as are drawn for the second tournament;
the test draws the tokens after these.
"""


def make_neighbour() -> Tournament:
    """Save the second tournament: round 1 over, round 2 being played,
    a correction of each kind, byes, actions.
    """
    actor = User.objects.create(
        username="next-door", password="!", first_name="Clara", last_name="Chief"
    )
    tournament = Tournament.objects.create(
        slug=SLUG, name="Autumn Open", total_rounds=len(STATES), initial_colour="w", check_in_round=3,
        initial_colour_method="drawn_outside", version=NUMBER_OF_ACTIONS,
        public_version=NUMBER_OF_ACTIONS, pairing_version=NUMBER_OF_ACTIONS,
        created_by=actor, created_at=AT,
    )  # fmt: skip
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament, name=f"{name}, Player {tpn}", fide_id=100010 + tpn, federation="FRA", club="Mate",
            fide_rating=2410 - 10 * tpn, rating=2410 - 10 * tpn, rating_source="fide", tpn=tpn, checked_in=tpn < 4,
            birth_date=f"199{tpn}/01/01",
            withdrawn_from=2 if tpn == 8 else None, created_at=AT,
        )
        for tpn, name in enumerate(PLAYERS, start=1)
    )  # fmt: skip
    rounds = Round.objects.bulk_create(
        Round(
            tournament=tournament, number=number, state=state,
            published_at=None if state == RoundState.PLANNED else AT,
            results_published_at=AT if state == RoundState.RESULTS_PUBLISHED else None,
        )
        for number, state in enumerate(STATES, start=1)
    )  # fmt: skip
    games = Game.objects.bulk_create(
        Game(round=round_, board=board, result=result, version=1)
        for round_ in rounds[:2]
        for board, result in enumerate(RESULTS[round_.number], start=1)
    )
    _seat(rounds, games, entries)
    RequestedBye.objects.bulk_create(
        RequestedBye(entry=entries[tpn - 1], round_number=number, kind=kind)
        for tpn, number, kind in ((4, 1, "Z"), (4, 2, "H"), (5, 3, "H"), (6, 3, "Z"), (7, 4, "F"))
    )
    _correct(tournament, games, entries)
    ProhibitedPair.objects.create(tournament=tournament, one=entries[0], other=entries[1])
    Appointment.objects.create(tournament=tournament, person=actor, role=Role.CHIEF, since=AT)
    PointAdjustment.objects.create(
        tournament=tournament, entry=entries[2], points=10, round_number=1
    )
    _decide(tournament, actor, entries)
    furnish(tournament, actor, rounds, games, entries)
    return tournament


def _seat(rounds: list[Round], games: list[Game], entries: list[Entry]) -> None:
    seats, at = [], iter(games)
    for round_ in rounds[:2]:
        for pair in PAIRS[round_.number]:
            game = next(at)
            for tpn, colour in zip(pair, "wb", strict=True):
                seats.append(Seat(round=round_, entry=entries[tpn - 1], game=game, colour=colour))
        for tpn, bye in (
            (4, "Z" if round_.number == 1 else "H"),
            (8, "U" if round_.number == 1 else "Z"),
        ):
            seats.append(Seat(round=round_, entry=entries[tpn - 1], bye=bye))
    Seat.objects.bulk_create(seats)


def _correct(tournament: Tournament, games: list[Game], entries: list[Entry]) -> None:
    given: dict[str, Any] = {
        "tournament": tournament, "round_number": 1, "reported_at": AT, "entered_at": AT, "waiting": True,
        "effect": "next_pairing", "reason": "both players",
    }  # fmt: skip
    Correction.objects.bulk_create(
        [
            Correction(**given, kind="result", game=games[0], before={"result": "10"}, after={"result": "01"}),
            Correction(
                **given, kind="colours", game=games[2],
                before={"white": entries[2].pk, "black": entries[6].pk},
                after={"white": entries[6].pk, "black": entries[2].pk},
            ),
            Correction(
                **given, kind="rating", entry=entries[7], before={"fide_rating": 2330}, after={"fide_rating": 2500}
            ),
        ]
    )  # fmt: skip


def _actions(entries: list[Entry]) -> list[tuple[int | None, payloads.AnyPayload]]:
    """Return the actions in the record, each with its round."""
    gone = entries[7]
    about: Player = {"entry": gone.pk, "name": gone.name, "tpn": gone.tpn}
    times: ReportTimes = {"reported": AT.isoformat(), "entered": AT.isoformat(), "backdated": False}
    effect: Effect = {
        **times,
        "moment": "in_time",
        "effect": "next_pairing",
        "chosen": False,
        "waiting": True,
    }
    return [
        (None, payloads.TournamentCreated({}, {"name": "Autumn Open"})),
        (
            None,
            payloads.ColourDrawn(
                {"colour": "", "method": ""}, {"colour": "w", "method": "drawn_outside"}
            ),
        ),
        (1, payloads.RoundPaired({"state": "planned"}, _pairing(entries, 1, 8, [4]))),
        (1, payloads.PairingsPublished({"state": "draft"}, {"state": "pairings_published"})),
        (1, payloads.ResultRecorded({"board": 1, "result": ""}, {"board": 1, "result": "10"})),
        (
            1,
            payloads.ResultsPublished(
                {"state": "pairings_published"}, {"state": "results_published"}
            ),
        ),
        (
            1,
            payloads.ResultCorrected(
                {"board": 1, "result": "10"}, {"board": 1, "result": "01", **effect}
            ),
        ),
        (1, payloads.AbsenceWithdrawn({**about, "value": None}, {**about, "value": 2})),
        (2, payloads.RoundPaired({"state": "planned"}, _pairing(entries, 2, None, [4, 8]))),
        (2, payloads.PairingsPublished({"state": "draft"}, {"state": "pairings_published"})),
        (None, payloads.CheckInClosed({}, {"for_round": 3, "due": 8, "missing": []})),
    ]


def _pairing(
    entries: list[Entry], number: int, bye: int | None, not_paired: list[int]
) -> EnginePairing:
    pairs = [list(pair) for pair in PAIRS[number]]
    boards = [[entries[tpn - 1].pk for tpn in pair] for pair in pairs]
    return {
        "state": "draft", "system": "dutch_2026", "pairs": pairs, "pairing_allocated_bye": bye, "boards": boards,
        "not_paired": not_paired,
    }  # fmt: skip


def _decide(tournament: Tournament, actor: User, entries: list[Entry]) -> None:
    rows: list[Decision] = []
    for sequence, (number, payload) in enumerate(_actions(entries), start=1):
        row = Decision(
            tournament=tournament, sequence=sequence, action=payload.action, actor=actor, actor_name="Clara Chief",
            at=AT, round_number=number, before=payload.before, after=payload.after,
            previous_hash=rows[-1].hash if rows else record.EMPTY,
            **({"reason": "next door", "salt": "5" * 32} if payload.action == "result.corrected" else {}),
        )  # fmt: skip
        row.hash = record.fingerprint(row)
        rows.append(row)
    assert len(rows) == NUMBER_OF_ACTIONS
    Decision.objects.bulk_create(rows)
    PublishedList.objects.bulk_create(
        PublishedList(
            tournament=tournament, number=n, decision=row, kind="pairings", round_number=row.round_number or 0,
            content={"boards": [], "byes": []}, sha256="0" * 64, signature="",
        )
        for n, row in enumerate((row for row in rows if row.action == "pairings.published"), start=1)
    )  # fmt: skip


FIRST_KEYS: Final = {False: 0, True: 100_000}
"""The number before its keys, by whether it is saved after the fixtures of the test."""
OTHER_KEYS: Final = 1_000
"""The number before the keys of all other rows, in every test, so that the rows of the factories
are the same on either side of it (:mod:`.row_cache`).
"""


@dataclass(frozen=True, slots=True)
class NextDoor:
    """The second tournament, to be saved in an empty database
    or after other rows with smaller keys.
    """

    pk: int
    rows: Rows
    inserts: Statements

    def save(self) -> None:
        with transaction.atomic():
            execute(self.inserts)


def everything_of(pk: int) -> Rows:
    """Return every row of the tournament *pk* by table; tables that others refer to come first."""
    cursor = driver_cursor()
    held = {}
    for table, condition in conditions().items():
        own = condition.replace("%s", str(pk))
        rows = cursor.execute(f"SELECT * FROM {table} WHERE {own} ORDER BY id")  # noqa: S608
        held[table] = rows.fetchall()
    return held


@cache
def next_door(*, comes_last: bool) -> NextDoor:
    """Return the second tournament as made in an empty database, which stays empty.

    Saving its rows again takes a tenth of the time. With *comes_last* its keys are above all
    others.
    """
    set_next_keys(dict.fromkeys([*tables(), "auth_user"], FIRST_KEYS[comes_last]))
    with transaction.atomic():
        pk = make_neighbour().pk
        rows = everything_of(pk)
        transaction.set_rollback(True)
    assert TOKENS.drawn <= NUMBER_OF_TOKENS
    return NextDoor(pk, rows, inserting({table: lines for table, lines in rows.items() if lines}))


def move_in(*, comes_last: bool = False) -> NextDoor:
    """Save the second tournament into an empty database,
    or leave that to the caller if it *comes_last*.

    Keys of other rows begin after :data:`OTHER_KEYS`, whatever the tests before this one left
    behind in the database's counters.
    """
    found = next_door(comes_last=comes_last)
    TOKENS.go_on_after(NUMBER_OF_TOKENS)
    if not comes_last:
        found.save()
    set_next_keys(dict.fromkeys([*tables(), "auth_user"], OTHER_KEYS))
    return found


M = TypeVar("M", bound=Model)


def own(model: type[M]) -> QuerySet[M]:
    """Return the rows of *model* made by the test itself,
    without those of the second tournament.
    """
    if model is User:
        return model._default_manager.exclude(username=SLUG)
    path = "__".join([*path_to_tournament(model), "slug"])
    return model._default_manager.exclude(
        pk__in=model._default_manager.filter(**{path: SLUG}).values("pk")
    )
