"""Read the form that rearranges boards: the chosen boards and players, and the typed values."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from pairing.engine.model import TPN
from pairing.rounds.change_page import ChangePage
from pairing.rules.publication import needs_consent
from pairing.rules.published import Arrangement, Situation, affected, changed_boards
from pairing.rules.rearrangement import rearranged
from pairing.rules.rounds import RoundState
from pairing.rules.smallest import Proposal, proposal, with_each_top_board
from tournaments.core.request_values import whole_number
from tournaments.models import Entry
from tournaments.web.htmx import HtmxHttpRequest


@dataclass(frozen=True, slots=True)
class Row:
    """One board of the form: its number, and its players so far."""

    board: int
    white: int | None
    black: int | None


@dataclass(frozen=True, slots=True)
class Ticked:
    """The ticked lines of the list: boards by number, players without a board by entry id."""

    boards: tuple[int, ...]
    players: tuple[int, ...]

    @classmethod
    def from_request(cls, request: HtmxHttpRequest) -> Ticked:
        """Return the ticked lines in the address of *request*."""
        boards, players = (numbers_in(request.GET.getlist(name)) for name in "bp")
        return cls(boards, players)


def numbers_in(words: Iterable[str]) -> tuple[int, ...]:
    """Return the whole numbers among *words*; ignore the rest, like numbers that do not exist."""
    return tuple(number for word in words if (number := whole_number(word)) is not None)


@dataclass(frozen=True, slots=True)
class Choice:
    """The boards to rearrange, by number, and all players who need a place at the end.

    ``concerned`` are the boards that the regulations or the event concern, ``suggested`` is the
    smallest sufficient change of published pairings, ``more`` the further boards as typed.
    """

    situation: Situation | None
    boards: tuple[int, ...]
    pool: tuple[Entry, ...]
    concerned: tuple[int, ...] = ()
    suggested: Proposal | None = None
    more: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """A player of the form, and the bye that the player gets if no board of the form seats them.

    ``letter`` is the chosen one. ``kept`` is the letter of the present bye with points; empty:
    there is none. ``is_late``: the player need not get a place at all.
    """

    entry: Entry
    letter: str
    kept: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A board before and after the smallest change, with (White, Black); None: no such board."""

    board: int
    before: tuple[Entry, Entry] | None
    after: tuple[Entry, Entry] | None


@dataclass(frozen=True, slots=True)
class Other:
    """A change with another top ``board``, and what it costs [C.04.2/2026 4.4.5].

    ``byes`` are the players who have another bye after it, ``breaches`` the number of players who
    get a colour that the rules bar to them.
    """

    board: int
    url: str
    is_chosen: bool
    lines: tuple[Line, ...]
    byes: list[tuple[Entry, str]]
    breaches: int


def choice_of(request: HtmxHttpRequest, page: ChangePage) -> Choice:
    """Return the boards and players in the address, and those of the smallest change."""
    ticked = Ticked.from_request(request)
    chosen = {n for n in ticked.boards if n in page.facts.now.boards}
    people = [page.by_pk[pk] for pk in ticked.players if pk in page.by_pk]
    situation = next(
        (
            situation
            for situation in page.facts.situations
            if situation.value == request.GET.get("situation")
        ),
        None,
    )
    ticked_players = {*people, *(tpn for n in chosen for tpn in page.facts.now.boards[n])}
    if not ticked_players:  # nothing ticked: use the players of the situation
        chosen, people = page.named_by(situation)
    chosen |= {board for tpn in people if (board := page.board_of(tpn)) is not None}
    concerned = (
        tuple(sorted(chosen)) if situation in (Situation.REGULATIONS, Situation.TOP_BOARDS) else ()
    )
    suggested = None
    if situation is not None and page.facts.state is RoundState.PAIRINGS_PUBLISHED:
        new = page.facts.late & ticked_players or None
        suggested = proposal(
            page.facts,
            situation,
            concerned=concerned,
            new=new,
            chosen=ticked_players,
            within=numbers_in(request.GET.getlist("with")) or None,
        )
    if suggested is not None and situation is Situation.WITHOUT_OPPONENT and not ticked_players:
        # All players with a bye are without an opponent: the form shows the two of the new board.
        chosen, people = set(), []
    arrived = page.facts.late - page.facts.not_arrived
    if (
        suggested is None
        and situation is Situation.LATE_ENTRY
        and not arrived & {*ticked_players, *people}
    ):
        # Only boards are ticked, and no change of them is enough: the late entries can still be
        # chosen.
        people += sorted(arrived)
    if suggested is not None:
        chosen |= {*suggested.games}
        people += [tpn for tpn in affected(page.facts.now, suggested.after) if tpn not in people]
    more = request.GET.get("more", "") if chosen or people else ""
    chosen |= {*numbers_in(re.findall(r"\d+", more))}
    boards = tuple(n for n in page.facts.now.boards if n in chosen)
    seated = [tpn for n in boards for tpn in page.facts.now.boards[n]]
    pool = [*seated, *(tpn for tpn in people if tpn not in seated)]
    return Choice(
        situation, boards, tuple(page.entries[tpn] for tpn in pool), concerned, suggested, more
    )


def others_of(request: HtmxHttpRequest, page: ChangePage, choice: Choice) -> list[Other]:
    """Return the changes with each other top board, with the address that chooses it."""
    if choice.situation is not Situation.TOP_BOARDS:
        return []
    found = []
    for board, other in with_each_top_board(page.facts, choice.concerned).items():
        query = request.GET.copy()
        query["with"] = str(board)
        instead = replace(choice, suggested=other)
        found.append(
            Other(
                board=board,
                url=f"{request.path}?{query.urlencode()}",
                is_chosen=choice.suggested is not None
                and not affected(choice.suggested.after, other.after),
                lines=changed_lines(page, instead),
                byes=moved_byes(page, instead),
                breaches=other.breaches,
            )
        )
    return found


def may_agree(page: ChangePage, choice: Choice) -> list[Entry]:
    """Return the players of the form whose consent can be needed: all but those who are missing.

    Empty in a situation that needs no consent.
    """
    if choice.situation is None or not needs_consent(choice.situation):
        return []
    missing = {page.entries[tpn].pk for tpn in page.facts.missing_players}
    return [entry for entry in choice.pool if entry.pk not in missing]


def not_in_the_form(more: str, choice: Choice) -> list[int]:
    """Return the boards in the text *more* that the form does not show."""
    return sorted({*numbers_in(re.findall(r"\d+", more))} - {*choice.boards})


def _numbers(choice: Choice, page: ChangePage) -> list[int]:
    """Return the boards to fill: the chosen ones, and new ones for players without a board."""
    last = max(page.facts.now.boards, default=0)
    wanted = max(len(choice.boards), len(choice.pool) // 2)
    return [*choice.boards, *range(last + 1, last + 1 + wanted - len(choice.boards))]


def rows_of(choice: Choice, page: ChangePage) -> list[Row]:
    """Return the initial rows: the smallest change, or present players and newcomers."""
    numbers = _numbers(choice, page)
    if choice.suggested is not None:
        pairs = choice.suggested.after.boards
        return [
            Row(n, *((page.entries[tpn].pk for tpn in pairs[n]) if n in pairs else (None, None)))
            for n in numbers
        ]
    rest = [entry.pk for entry in choice.pool if page.board_of(page.by_pk[entry.pk]) is None]
    rows = []
    for n in numbers:
        if n in page.facts.now.boards:
            white, black = (page.entries[tpn].pk for tpn in page.facts.now.boards[n])
            rows.append(Row(n, white, black))
        else:
            rows.append(Row(n, *(rest.pop(0) if rest else None for _side in "wb")))
    return rows


def byes_left(choice: Choice, page: ChangePage) -> list[Left]:
    """Return the byes of players without a board, by the smallest change or as now.

    Without a smallest change, the last player of an odd number gets the allocated bye, unless
    somebody has it.
    """
    now = page.facts.now.byes
    byes = now if choice.suggested is None else choice.suggested.after.byes
    holders = {entry for entry in choice.pool if byes.get(page.by_pk[entry.pk]) == "U"}
    if (
        choice.suggested is None
        and not holders
        and len(choice.pool) % 2
        and "U" not in now.values()
    ):
        holders = {choice.pool[-1]}
    return [_left_of(page, entry, "U" if entry in holders else "Z") for entry in choice.pool]


def _left_of(page: ChangePage, entry: Entry, letter: str) -> Left:
    tpn = page.by_pk[entry.pk]
    kept = page.facts.now.byes.get(tpn, "")
    return Left(entry, letter, kept if kept in ("H", "F") else "", tpn in page.facts.late)


def byes_typed(request: HtmxHttpRequest, choice: Choice, page: ChangePage) -> list[Left]:
    """Return the byes of the form.

    A form opened before each player had a bye of their own has one for all.
    """
    for_all = request.POST.get("left", "Z")
    found = []
    for entry in choice.pool:
        letter = request.POST.get(f"left-{entry.pk}", for_all)
        found.append(_left_of(page, entry, "U" if letter == "U" else "Z"))
    return found


def changed_lines(page: ChangePage, choice: Choice) -> tuple[Line, ...]:
    """Return the boards that the smallest change changes, before and after."""
    if choice.suggested is None:
        return ()

    return lines_between(page.facts.now, choice.suggested.after, page.entries)


def lines_between(
    now: Arrangement, after: Arrangement, entries: Mapping[TPN, Entry]
) -> tuple[Line, ...]:
    """Return the boards that differ in *now* and *after*."""

    def players(arrangement: Arrangement, board: int) -> tuple[Entry, Entry] | None:
        pair = arrangement.boards.get(board)
        return None if pair is None else (entries[pair[0]], entries[pair[1]])

    return tuple(Line(n, players(now, n), players(after, n)) for n in changed_boards(now, after))


def moved_byes(page: ChangePage, choice: Choice) -> list[tuple[Entry, str]]:
    """Return the players who have another bye in the smallest change, with its letter."""
    if choice.suggested is None:
        return []
    now = page.facts.now.byes
    byes = sorted(choice.suggested.after.byes.items())
    return [(page.entries[tpn], letter) for tpn, letter in byes if now.get(tpn) != letter]


def typed_rows(request: HtmxHttpRequest, choice: Choice, page: ChangePage) -> list[Row]:
    """Return the rows of the form as they were typed."""
    there = {entry.pk for entry in choice.pool}
    return [
        Row(n, seat_typed(request, f"w-{n}", there), seat_typed(request, f"b-{n}", there))
        for n in _numbers(choice, page)
    ]


def seat_typed(request: HtmxHttpRequest, name: str, there: Container[int]) -> int | None:
    """Return the entry id at the seat *name* of the form; None if it is not *there*."""
    entry_id = whole_number(request.POST.get(name, ""))
    return entry_id if entry_id is not None and entry_id in there else None


def arranged(request: HtmxHttpRequest, page: ChangePage, choice: Choice) -> Arrangement:
    """Return the whole round with the boards of the form; a board with one player disappears."""
    typed: dict[int, tuple[TPN, TPN] | None] = dict.fromkeys(choice.boards)
    for row in typed_rows(request, choice, page):
        if row.white is not None and row.black is not None:
            typed[row.board] = (page.by_pk[row.white], page.by_pk[row.black])
    left = {page.by_pk[one.entry.pk]: one.letter for one in byes_typed(request, choice, page)}
    pool = {page.by_pk[entry.pk] for entry in choice.pool}
    missing = page.facts.missing_players
    return rearranged(
        page.facts.now, typed, pool=pool, late=page.facts.late, left=left, missing=missing
    )
