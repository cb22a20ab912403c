"""The questions about unusual results of a round, and their answers, which the record keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import F, Q, QuerySet, Value

from pairing.rounds.steps import facts_of
from pairing.rules.names import fold
from pairing.rules.plausible import (
    PLAYED,
    Absence,
    Move,
    PlayedBoard,
    Shift,
    Twice,
    Upset,
    absences,
    moves,
    played_twice,
    shift,
    upsets,
)
from pairing.rules.rounds import RoundState, may_record_result
from tournaments.core.actions import open_action, require
from tournaments.core.errors import Conflict
from tournaments.core.permissions import Power
from tournaments.core.scores import AT_BOARD
from tournaments.models import Action, Decision, RequestedBye, Round, Seat, Tournament
from tournaments.models.payloads import ResultConfirmed

Finding = Upset | Absence | Twice | Shift
MANY: Final = 2
"""So many entries of one person, or more, are the same person twice."""


@dataclass(frozen=True, slots=True)
class Question:
    """An unusual result not confirmed yet. ``key`` identifies it in form and record.

    ``boards`` are the boards of this round that it is about, ``names`` the players: for an upset
    winner and loser, for a game of a player who is not expected that player, for a person with two
    games the two players of the board.
    """

    key: str
    boards: tuple[int, ...]
    names: tuple[str, ...]
    finding: Finding
    moves: tuple[Move, ...] = ()
    """For a shift: how the results can be moved by one board."""

    @property
    def kind(self) -> str:
        """The kind of the question."""
        return self.key.split(":")[0]


def questions(tournament: Tournament, round_: Round) -> tuple[Question, ...]:
    """Return the questions about the results of *round_* that are not answered yet, by board.

    None after the results are published. Three queries, four if the event has other sections.
    """
    if round_.state != RoundState.PAIRINGS_PUBLISHED:
        return ()
    answered = _answered(tournament, round_.number)
    found = _found(tournament, round_)
    # The upsets in a run on the wrong line are one question, and one answer.
    shifted = [
        range(each.finding.first, each.finding.last + 1)
        for each in found
        if isinstance(each.finding, Shift)
    ]
    shifted += [range(first, last + 1) for first, last in _shifts(answered)]
    return tuple(
        each
        for each in found
        if not _is_answered(each, answered)
        and not (isinstance(each.finding, Upset) and any(each.boards[0] in run for run in shifted))
    )


def result_confirm(*, round_id: int, question: str, actor: User, now: datetime) -> None:
    """Record that the results of *question* (:attr:`Question.key`) are right,
    so that the program does not ask again.

    A question that is answered already stays so, and no line is written. :class:`Conflict` if there
    is no such question any more, because a result has changed.
    """
    with open_action(actor=actor, now=now, rounds=round_id, powers=(Power.RESULTS,)) as action:
        round_ = Round.objects.get(pk=round_id)
        require(may_record_result(facts_of(round_), adjourned=False, clears=False))
        answered = _answered(action.tournament, round_.number)
        if question in answered:
            return
        found = next(
            (each for each in _found(action.tournament, round_) if each.key == question), None
        )
        if found is None:
            raise Conflict("question.gone")
        if _is_answered(found, answered):
            return
        action.record(
            ResultConfirmed(before={}, after={"question": found.key, "boards": list(found.boards)}),
            round_number=round_.number,
            is_public=False,
        )


def _answered(tournament: Tournament, number: int) -> set[str]:
    rows = Decision.objects.filter(
        tournament=tournament, round_number=number, action=Action.RESULT_CONFIRMED
    )
    return {
        line.payload.after["question"] for line in rows if isinstance(line.payload, ResultConfirmed)
    }


def _is_answered(question: Question, answered: set[str]) -> bool:
    """Return whether *question* is answered; a shift also if it has grown since an answer."""
    if question.key in answered:
        return True
    if not isinstance(question.finding, Shift):
        return False
    now = question.finding
    return any(first <= now.last and now.first <= last for first, last in _shifts(answered))


def _shifts(answered: set[str]) -> list[tuple[int, int]]:
    """Return the first and last boards of the shifts among the questions *answered*."""
    runs = (key.split(":")[1:] for key in answered if key.startswith("shift:"))
    return [(int(first), int(last)) for first, last in runs]


class _Seated(NamedTuple):
    """A player at a board, read without a model: a whole round is read after each entry."""

    pk: int
    name: str
    full_name: str
    federation: str
    birth_date: str
    fide_id: int | None
    rating: int
    withdrawn_from: int | None
    colour: str
    game: int
    board: int
    result: str
    second_result: str | None
    section: str


_OF_ENTRY: Final = (
    "pk",
    "name",
    "full_name",
    "federation",
    "birth_date",
    "fide_id",
    "rating",
    "withdrawn_from",
)
_COLUMNS: Final = (
    *(f"entry__{name}" for name in _OF_ENTRY),
    "colour",
    "game",
    "game__board",
    *AT_BOARD,
    "section",
)


def _found(tournament: Tournament, round_: Round) -> list[Question]:
    seats = _read(Seat.objects.filter(round=round_), section=Value(""))
    boards, entries = _boards(seats), {seat.pk: seat for seat in seats}
    elsewhere = _other_sections(tournament, round_)
    people = _persons([*seats, *elsewhere])
    reasons = _not_expected(tournament, round_, seats)
    twice = played_twice(boards, _boards(elsewhere), people)
    found: list[Finding] = [*upsets(boards), *absences(boards, reasons), *twice]
    for game in (None, 1, 2):
        moved = shift([board for board in boards if board.game == game])
        found += [moved] if moved is not None else []
    return sorted(
        (_question(each, entries, boards) for each in found), key=lambda each: each.boards
    )


def _read(seats: QuerySet[Seat], *, section: Value | F) -> list[_Seated]:
    """Return the *seats* at boards, with the label of their *section*."""
    rows = seats.filter(game__isnull=False).annotate(section=section)
    return [_Seated._make(row) for row in rows.values_list(*_COLUMNS)]


def _question(finding: Finding, entries: dict[int, _Seated], boards: list[PlayedBoard]) -> Question:
    names: tuple[str, ...]
    match finding:
        case Shift():
            key = f"shift:{finding.first}:{finding.last}"
            run = tuple(range(finding.first, finding.last + 1))
            return Question(key, run, (), finding, moves(boards, finding))
        case Upset(board=board):
            winner, loser = (
                (board.white, board.black) if PLAYED[board.result] else (board.black, board.white)
            )
            # By the winner: swapped colours change nothing, and another game at this board is
            # another question.
            key = f"upset:{board.board}:{board.game or 0}:{winner}"
            names = (entries[winner].name, entries[loser].name)
        case Absence(board=board, entry=entry):
            key = f"absence:{board.board}:{board.game or 0}:{entry}"
            names = (entries[entry].name,)
        case Twice(board=board, other=other):
            key = f"twice:{board.board}:{other.section}:{other.board}"
            names = (entries[board.white].name, entries[board.black].name)
    return Question(key, (board.board,), names, finding)


def _boards(seats: Iterable[_Seated]) -> list[PlayedBoard]:
    """Return the games of *seats*, by board; a match has two, each with its colours."""
    pairs: dict[int, dict[str, _Seated]] = {}
    for seat in seats:
        pairs.setdefault(seat.game, {})[seat.colour] = seat
    boards: list[PlayedBoard] = []
    for pair in pairs.values():
        white, black = pair["w"], pair["b"]
        first = PlayedBoard(
            board=white.board,
            white=white.pk,
            black=black.pk,
            white_rating=white.rating,
            black_rating=black.rating,
            result=white.result,
            game=1 if white.second_result is not None else None,
            section=white.section,
        )
        boards.append(first)
        if white.second_result is not None:
            turned = replace(
                first, white=black.pk, black=white.pk, result=white.second_result, game=2
            )
            boards.append(replace(turned, white_rating=black.rating, black_rating=white.rating))
    return sorted(boards, key=lambda board: (board.section, board.board, board.game or 0))


def _other_sections(tournament: Tournament, round_: Round) -> list[_Seated]:
    """Return the players of the other sections at boards at the time of *round_*."""
    section = getattr(tournament, "section", None)
    if section is None:
        return []
    rounds = Q(round__state=RoundState.PAIRINGS_PUBLISHED, round__starts_at=round_.starts_at)
    seats = Seat.objects.filter(rounds, round__tournament__section__event=section.event_id).exclude(
        round=round_
    )
    return _read(seats, section=F("round__tournament__section__label"))


def _persons(entries: Iterable[_Seated]) -> dict[int, str]:
    """Return a key for each entry whose person is entered more than once.

    A person is known by the FIDE ID; one without it by name, federation and year of birth, unless
    several persons with FIDE IDs share these.
    """
    rows = {entry.pk: entry for entry in entries}.values()
    identities: dict[tuple[str, str, str], set[int]] = {}
    for entry in rows:
        if entry.fide_id:
            identities.setdefault(_name(entry), set()).add(entry.fide_id)
    keys: dict[str, list[int]] = {}
    for entry in rows:
        known = {entry.fide_id} if entry.fide_id else identities.get(_name(entry), set())
        if len(known) <= 1:
            key = f"fide:{min(known)}" if known else "/".join(_name(entry))
            keys.setdefault(key, []).append(entry.pk)
    return {pk: key for key, pks in keys.items() if len(pks) >= MANY for pk in pks}


def _name(entry: _Seated) -> tuple[str, str, str]:
    return (fold(entry.full_name or entry.name), entry.federation, entry.birth_date[:4])


def _not_expected(
    tournament: Tournament, round_: Round, entries: Iterable[_Seated]
) -> dict[int, str]:
    """Return why players of *round_* were not expected to play, by entry."""
    requested = RequestedBye.objects.filter(
        entry__tournament=tournament, round_number=round_.number
    )
    reasons = dict.fromkeys(requested.values_list("entry_id", flat=True), "bye")
    for entry in entries:
        if entry.pk in tournament.expelled:
            reasons[entry.pk] = "expelled"
        elif entry.withdrawn_from is not None and entry.withdrawn_from <= round_.number:
            reasons[entry.pk] = "withdrawn"
    return reasons
