"""``explain``: explain why a round is paired as it is, and why two players do not meet."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator

from pairing.engine.dutch.explain.wording import LANGUAGES, say
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair
from pairing.explaining import explainer_of
from pairing.trf.convert import refuse_second_byes, round_of, state_before_round
from pairing.trf.document import TrfDocument
from pairing.trf.rounds import next_round, played_rounds

from .exit_codes import ExitCode
from .files import SYSTEM_HELP, print_guess, print_remarks, read_document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a tournament report (TRF); - is standard input"
    )
    parser.add_argument(
        "--round", type=int, metavar="N", help="the round to explain; without it the next one"
    )
    whom = parser.add_mutually_exclusive_group()
    whom.add_argument(
        "--player", type=int, metavar="P", help="only the brackets and the board of player P"
    )
    whom.add_argument(
        "--board", type=int, metavar="B", help="only the brackets and the players of board B"
    )
    parser.add_argument(
        "--why-not", type=int, nargs=2, metavar=("A", "B"), help="why A and B do not meet"
    )
    parser.add_argument(
        "--lang", choices=sorted(LANGUAGES), default="en", help="the language of the sentences"
    )
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.add_argument("--system", metavar="CODE", help=SYSTEM_HELP)


def _lines(
    document: TrfDocument,
    state: TournamentState,
    whom: Collection[TPN] | None,
    options: argparse.Namespace,
) -> Iterator[str]:
    """Yield the lines of the answer; with ``--why-not`` alone only the answer to that."""
    explainer = explainer_of(state)
    explained = (
        explainer.explain(state, whom) if whom is not None or options.why_not is None else None
    )
    found = (
        None
        if options.why_not is None
        else explainer.why_not(state, *(TPN(tpn) for tpn in options.why_not))
    )
    differs = explained is not None and _differs(document, state.round_number, explained.pairing)
    names: dict[int, str] = {
        player.tpn: player.name.strip() for player in document.players if player.name.strip()
    }
    if options.json:
        answer = (
            {} if explained is None else {**explainer.as_json(explained), "file_differs": differs}
        )
        why_not = {} if found is None else {"why_not": explainer.why_not_as_json(found)}
        yield json.dumps({**answer, **why_not, "names": names})
        return
    if differs:
        yield say(options.lang, "note.differs")
    if explained is not None:
        yield from explainer.sentences(explained, options.lang, names)
    if found is not None:
        if explained is not None:
            yield ""
        yield from explainer.why_not_sentences(found, options.lang, names)


def run(options: argparse.Namespace) -> ExitCode:
    """Explain the round and print the answer."""
    document = read_document(options.file, options.system)
    refuse_second_byes(document)
    print_remarks(options.file, document)
    print_guess(options.file, document, options.system)
    number = next_round(document) if options.round is None else options.round
    state = state_before_round(document, number, system=options.system)
    whom = _players(state, options.player, options.board)
    print("\n".join(_lines(document, state, whom, options)))
    return ExitCode.OK


def _players(
    state: TournamentState, player: int | None, board: int | None
) -> Collection[TPN] | None:
    """Return the players to explain; None: all.

    Raise :class:`InputError` if there is no such player or board.
    """
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
                "explain.unknown_board",
                f"There is no board {board}; there are {len(pairs)}.",
                board=board,
            )
        return pairs[board - 1]
    return None


def _differs(document: TrfDocument, number: int, ours: Pairing) -> bool:
    """Return whether the file contains the round with a different pairing."""
    if number > played_rounds(document.players):
        return False
    theirs = round_of(document, number)
    return (frozenset(theirs.pairs), theirs.bye) != (frozenset(ours.pairs), ours.bye)
