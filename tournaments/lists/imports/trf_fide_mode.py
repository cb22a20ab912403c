"""FIDE mode of an imported event: its file, its rules, and the basic rules broken."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, TypedDict

from pairing.engine.model import TPN, Player, TournamentState
from pairing.rules.fide_mode import IMPORTED_RULES, are_out_of_date
from pairing.rules.handling import handling_for
from pairing.rules.manual import COLOUR_CODES, Caution, cautions
from pairing.rules.published import Arrangement
from pairing.trf.convert import state_before_round
from pairing.trf.document import TrfDocument
from tournaments.core.errors import BadInput
from tournaments.lists.imports.trf_opened import Opened
from tournaments.reports.recheck import ReadRound

_COMMENT: Final = re.compile(r"\s*FIDE mode left\b(?:\s*@\s*Round\s+(\d{1,3}))?", re.IGNORECASE)
"""The comment of our report files; round 0 is before the start, by older rules."""
_BY_HAND: Final = re.compile(r"\s*MPA\s*@\s*Round\s+(\d{1,3})\s*:\s*boards\b", re.IGNORECASE)
"""The comment on a round whose boards an arbiter has paired by hand,
or changed after their publication.
"""
_AFTER_PAIRING: Final = re.compile(
    r"\s*Correction\s*@\s*Round\s+(?P<round>\d{1,3})\s*:\s*board .{1,20}, "
    r"(?:colours reversed|result (?P<results>[^,]{0,10})), .*, standings and the pairing after "
    r"the published one\b",
    re.IGNORECASE,
)
"""The comment on a correction that came after the next round was paired [C.04.2/2026 4.3]."""


class Reasons(TypedDict):
    """The reasons of an import that leaves FIDE mode; ``broken`` are articles."""

    leaves: bool
    older_rules: bool
    broken: frozenset[str]


@dataclass(frozen=True, slots=True)
class Breach:
    """A basic rule that a round of the file breaks: at a board, or with the bye (None)."""

    round_number: int
    caution: Caution


@dataclass(frozen=True, slots=True)
class ImportedFideMode:
    """Why the event of a file is outside FIDE mode.

    ``left`` is the round in which it was left, 0 for the start; None: it is in FIDE mode.
    ``by_file`` is the round that the file names itself. ``by_rules`` is whether its rules were no
    longer in force on its first day.
    """

    left: int | None
    by_file: int | None
    by_rules: bool
    breaches: tuple[Breach, ...]

    @property
    def must_be_confirmed(self) -> bool:
        """Whether the import leaves FIDE mode, and not the file."""
        return self.left is not None and self.by_file is None

    @property
    def reasons(self) -> Reasons:
        """Why the import leaves FIDE mode, for :func:`~pairing.rules.fide_mode.may_import`."""
        broken = frozenset(breach.caution.article for breach in self.breaches)
        return {"leaves": self.must_be_confirmed, "older_rules": self.by_rules, "broken": broken}

    def remarks(self, opened: Opened) -> Iterator[BadInput]:
        """Yield a sentence for each reason."""
        if self.by_file is not None:
            yield BadInput("trf.fide_mode_left", round=self.by_file)
        if self.by_rules:
            yield BadInput("trf.older_rules")
        names = {player.tpn: f"{player.tpn} {player.name}" for player in opened.players}
        for breach in self.breaches:
            players = [names[tpn] for tpn in breach.caution.players]
            code = f"trf.breaks_{breach.caution.code}"
            yield BadInput(
                code, round=breach.round_number, board=breach.caution.board or 0, players=players
            )


def fide_mode_of(opened: Opened, first_day: date) -> ImportedFideMode:
    """Return the FIDE mode of the file. *first_day*: of the event, or today if unknown.

    Rounds that the engine pairs in the same way, or cannot pair, break nothing, and boards paired
    by hand by the comments of the file break no rule about colours: here too they stay in FIDE
    mode. A round breaks nothing by a correction that came after its pairing. Cost: reading the
    state before each other round.
    """
    by_file = _by_comment(opened.file)
    by_rules = are_out_of_date(first_day, opened.system.code, handling_for(opened.system.code))
    breaches = tuple(_breaches(opened))
    found = [breach.round_number for breach in breaches]
    found += [0] if by_rules else []
    found += [min(by_file, opened.total_rounds)] if by_file is not None else []
    return ImportedFideMode(min(found, default=None), by_file, by_rules, breaches)


def _by_comment(document: TrfDocument) -> int | None:
    """Return the first round that left FIDE mode by comments of *document*, if any."""
    matches = (_COMMENT.match(text) for text in document.texts("###"))
    return min((int(found[1] or 0) for found in matches if found), default=None)


def _breaches(opened: Opened) -> Iterator[Breach]:
    differing = {found.number: found for found in opened.differences or ()}
    by_hand = _rounds_by_hand(opened.file)
    corrected_since = _corrected_since(opened.file)
    for number, pairing in enumerate(opened.pairings, start=1):
        found = differing.get(number)
        if opened.differences is not None and found is None:
            continue
        if found is not None and found.no_legal_pairing:
            # Nothing else was possible: here too such a round by hand stays in FIDE mode.
            continue
        as_the_engine = _pairs_of_the_engine(opened, found)
        state = state_before_round(opened.document, number, system=opened.system.code)
        places = Arrangement(
            dict(enumerate(pairing.pairs, start=1)),
            {} if pairing.bye is None else {pairing.bye: "U"},
        )
        exempt = _topscorers(state)
        for caution in cautions(state, places):
            if caution.code not in IMPORTED_RULES - corrected_since.get(number, frozenset()):
                continue
            if caution.code in COLOUR_CODES and caution.board is not None:
                # A system may break the rules about colours for topscorers [C.04.1/2026 6, 7]; and
                # colours that differ from the engine's at a board of the same players were played
                # by mistake [C.04.2/2026 4.3.2]. Of a round by hand an arbiter has given the
                # reason. Its boards may have other numbers in the file.
                if number in by_hand:
                    continue
                pair = places.boards[caution.board]
                if not exempt.isdisjoint(pair) or frozenset(pair) in as_the_engine:
                    continue
            yield Breach(number, caution)


def _rounds_by_hand(document: TrfDocument) -> frozenset[int]:
    """Return the rounds of which the comments of *document* say that boards were paired by hand."""
    return frozenset(
        int(found[1]) for text in document.texts("###") if (found := _BY_HAND.match(text))
    )


def _corrected_since(document: TrfDocument) -> Mapping[int, frozenset[str]]:
    """Return by round the rules that it may break only because the round
    before was corrected after its pairing.

    That pairing was right when it was published [C.04.2/2026 4.3, 4.4]. Other colours change the
    rules about colours; a forfeit instead of a game, or a game instead of a forfeit, also who has
    met and who may get the bye.
    """
    found: defaultdict[int, frozenset[str]] = defaultdict(frozenset)
    for text in document.texts("###"):
        if hit := _AFTER_PAIRING.match(text):
            results = hit["results"]
            if results is None:
                found[int(hit["round"]) + 1] |= COLOUR_CODES
            elif {*results.replace("->", "")} & {*"+-"}:
                found[int(hit["round"]) + 1] |= COLOUR_CODES | {"met_before", "second_bye"}
    return found


def _pairs_of_the_engine(opened: Opened, found: ReadRound | None) -> frozenset[frozenset[TPN]]:
    """Return the pairs that the engine gives otherwise in the round of *found*, in any colours."""
    if found is None:
        return frozenset()
    tpn_of = {f"{player.tpn} {player.name}": player.tpn for player in opened.players}
    return frozenset(
        frozenset((tpn_of[board.white], tpn_of[board.black]))
        for board in found.paired_again
        if board.black
    )


def _topscorers(state: TournamentState) -> frozenset[TPN]:
    """Return the topscorers [C.04.3/2026 1.8].

    They have more than half of the possible points before the last round.
    """
    if not state.is_last_round:
        return frozenset()
    win = state.points.win
    return frozenset(
        player.tpn
        for player in state.players
        if 2 * _score(player, state) > (state.round_number - 1) * win
    )


def _score(player: Player, state: TournamentState) -> int:
    return sum(state.points.worth(record) for record in player.rounds) + player.decided
