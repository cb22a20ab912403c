"""``explain``: why a round is paired as it is, and why two players do not meet."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pairing.engine.double_swiss.explain import explain_match_round, why_no_match
from pairing.engine.double_swiss.explain.as_json import match_round_as_json, match_why_not_as_json
from pairing.engine.double_swiss.explain.sentences import match_round_sentences, match_why_not_sentences
from pairing.engine.dutch.explain import explain_round, why_not
from pairing.engine.dutch.explain.as_json import round_as_json, why_not_as_json
from pairing.engine.dutch.explain.sentences import round_sentences, why_not_sentences
from pairing.engine.dutch.wording import LANGUAGES, say
from pairing.engine.dutch_pre2017.explain import explain_steps, why_not_by_steps
from pairing.engine.dutch_pre2017.explain.wording import (
    no_meeting_as_json,
    no_meeting_sentences,
    step_sentences,
    steps_as_json,
)
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import games_a_round, pair
from pairing.trf.convert import round_of, state_before_round
from pairing.trf.document import TrfDocument
from pairing.trf.rounds import next_round, played_rounds

from .exit_codes import ExitCode
from .files import read_document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a tournament report (TRF); - is standard input")
    parser.add_argument("--round", type=int, metavar="N", help="the round to explain; without it the next one")
    whom = parser.add_mutually_exclusive_group()
    whom.add_argument("--player", type=int, metavar="P", help="only the brackets and the board of player P")
    whom.add_argument("--board", type=int, metavar="B", help="only the brackets and the players of board B")
    parser.add_argument("--why-not", type=int, nargs=2, metavar=("A", "B"), help="why A and B do not meet")
    parser.add_argument("--lang", choices=sorted(LANGUAGES), default="en", help="the language of the sentences")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument("--system", metavar="CODE", help="the pairing system, whatever FILE says (dutch_2026)")


class _Explained(Protocol):
    @property
    def pairing(self) -> Pairing: ...


E = TypeVar("E", bound=_Explained)
W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class _Explainer(Generic[E, W]):
    """How the rounds of a system are explained, and how that is said."""

    explain: Callable[[TournamentState, Collection[TPN] | None], E]
    why_not: Callable[[TournamentState, TPN, TPN], W]
    sentences: Callable[[E, str], Iterator[str]]
    why_not_sentences: Callable[[W, str], Iterator[str]]
    as_json: Callable[[E], dict[str, Any]]
    why_not_as_json: Callable[[W], dict[str, Any]]

    def lines(
        self, document: TrfDocument, state: TournamentState, whom: Collection[TPN] | None, options: argparse.Namespace
    ) -> Iterator[str]:
        """The lines of the answer. With ``--why-not`` alone only that is answered."""
        explained = self.explain(state, whom) if whom is not None or options.why_not is None else None
        found = None if options.why_not is None else self.why_not(state, *(TPN(tpn) for tpn in options.why_not))
        differs = explained is not None and _differs(document, state.round_number, explained.pairing)
        if options.json:
            answer = {} if explained is None else {**self.as_json(explained), "file_differs": differs}
            yield json.dumps(answer if found is None else {**answer, "why_not": self.why_not_as_json(found)})
            return
        if differs:
            yield say(options.lang, "note.differs")
        if explained is not None:
            yield from self.sentences(explained, options.lang)
        if found is not None:
            if explained is not None:
                yield ""
            yield from self.why_not_sentences(found, options.lang)


_CRITERIA = _Explainer(explain_round, why_not, round_sentences, why_not_sentences, round_as_json, why_not_as_json)
_MATCHES = _Explainer(
    explain_match_round,
    why_no_match,
    match_round_sentences,
    match_why_not_sentences,
    match_round_as_json,
    match_why_not_as_json,
)
_STEPS = _Explainer(
    explain_steps, why_not_by_steps, step_sentences, no_meeting_sentences, steps_as_json, no_meeting_as_json
)


def run(options: argparse.Namespace) -> ExitCode:
    """Explain and print."""
    document = read_document(options.file, options.system)
    number = next_round(document) if options.round is None else options.round
    state = state_before_round(document, number, system=options.system)
    whom = _players(state, options.player, options.board)
    if games_a_round(state.system) > 1:
        lines = _MATCHES.lines(document, state, whom, options)
    elif state.system == "dutch_pre2017":
        lines = _STEPS.lines(document, state, whom, options)
    else:
        lines = _CRITERIA.lines(document, state, whom, options)
    print("\n".join(lines))
    return ExitCode.OK


def _players(state: TournamentState, player: int | None, board: int | None) -> Collection[TPN] | None:
    """The players of whom alone to speak; None: of all. Raises :class:`InputError` for nobody or no board."""
    if player is not None:
        tpn = TPN(player)
        if tpn not in state.by_tpn():
            raise InputError("explain.unknown_player", f"Player {tpn} is not on the list.", tpn=tpn)
        if tpn in state.absent:
            message = f"Player {tpn} is not paired in round {state.round_number}."
            raise InputError("explain.absent", message, tpn=tpn)
        return [tpn]
    if board is not None:
        pairs = pair(state).pairs
        if not 1 <= board <= len(pairs):
            raise InputError(
                "explain.unknown_board", f"There is no board {board}; there are {len(pairs)}.", board=board
            )
        return pairs[board - 1]
    return None


def _differs(document: TrfDocument, number: int, ours: Pairing) -> bool:
    """Whether the file has the round and pairs it otherwise."""
    if number > played_rounds(document.players):
        return False
    theirs = round_of(document, number)
    return (frozenset(theirs.pairs), theirs.bye) != (frozenset(ours.pairs), ours.bye)
