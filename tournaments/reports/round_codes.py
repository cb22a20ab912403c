"""The signed codes of a published round, from which phones read all pairings without network."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.record import round_code
from pairing.record.round_code import RoundCode
from pairing.rounds.round_page import RoundPage
from tournaments.core.frame import Frame
from tournaments.core.signing import sign
from tournaments.models import Entry
from tournaments.reports.publications import publications_of, version_of


@dataclass(frozen=True, slots=True)
class CodeLine:
    """The boards of one code, and its number of all; no boards in a round of byes."""

    part: int
    first: int
    last: int


def code_lines(page: RoundPage) -> tuple[CodeLine, ...]:
    """Return which boards are in which code. No query."""
    boards = [line.board for line in page.boards]
    return tuple(
        CodeLine(part, boards[share[0]] if share else 0, boards[share[-1]] if share else 0)
        for part, share in enumerate(round_code.shares(len(boards)), start=1)
    )


def signed_code(frame: Frame, page: RoundPage, part: int) -> str:
    """Return code number *part* of a published round as the digits of an address;
    IndexError without such a code.

    Players without a game are in the last code. Two queries.
    """
    shares = round_code.shares(len(page.boards))
    lines = [page.boards[place] for place in shares[part - 1]]
    changes = publications_of(frame.tournament, page.number)
    published = changes[-1].at if changes else page.published_at
    assert published is not None  # the round is public
    players = Entry.objects.filter(tournament=frame.tournament, tpn__isnull=False).values_list(
        "tpn", "pk"
    )
    code = RoundCode(
        event=frame.tournament.identity[: round_code.EVENT_DIGITS],
        round_number=page.number,
        version=version_of(changes),
        published=int(published.timestamp()),
        numbers=round_code.numbers_mark((number, entry) for number, entry in players if number),
        part=part,
        parts=len(shares),
        first_board=lines[0].board if lines else 1,
        boards=tuple((line.white.tpn or 0, line.black.tpn or 0) for line in lines),
        byes=tuple((bye.player.tpn or 0, str(bye.kind)) for bye in page.byes)
        if part == len(shares)
        else (),
        tables=tuple((line.board, line.table) for line in lines if line.table != line.board),
    )
    packed = round_code.pack(code)
    signature = bytes.fromhex(sign(round_code.message(frame.tournament.identity, packed)))
    return round_code.to_digits(packed + signature)
