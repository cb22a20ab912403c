"""Replay the lines about rounds: pairings, publications, results and corrections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Final

from pairing.rules.corrections import CorrectionEffect, CorrectionKind, deadline_after
from pairing.rules.handling import HANDLING, NEWEST
from pairing.rules.initial_order import tournament_rating
from pairing.rules.rounds import RoundState
from pairing.rules.tables import tables

from . import replay_corrections as kept
from .chain import Line
from .private import is_hidden
from .state import BYES, RATINGS, RESULTS, RoundTable, State, moment, require, require_before

VALUES: Final[Mapping[CorrectionKind, tuple[str, ...]]] = {
    CorrectionKind.RESULT: ("result",),
    CorrectionKind.COLOURS: ("white", "black"),
    CorrectionKind.RATING: RATINGS,
}
"""The values that each kind of correction changes."""


# Pairings


def paired(state: State, line: Line) -> None:
    """Read the engine's pairing: all with a number have a board or the bye, or are not paired."""
    table, after = state.round(line), line.after
    keep_views(state, line, table)
    require_before("the round", line.before["state"], table.state)
    require(not table.is_public, "its round is published.")
    table.boards = {n: state.open_board(*pair) for n, pair in enumerate(after["boards"], start=1)}
    numbers = [[state.player(entry)["tpn"] for entry in pair] for pair in after["boards"]]
    require(numbers == after["pairs"], "its boards and its pairing numbers differ.")
    leave_out(state, line, table)
    allocated = after["pairing_allocated_bye"]
    if allocated is not None:
        table.byes[state.numbered(allocated)] = "U"
    drafted(state, line, table)


def paired_by_hand(state: State, line: Line) -> None:
    table, after = state.round(line), line.after
    keep_views(state, line, table)
    require(not table.is_public, "its round is published.")
    table.boards = {int(n): state.open_board(*pair) for n, pair in after["boards"].items()}
    leave_out(state, line, table)
    table.byes |= _byes(after["byes"])
    drafted(state, line, table)


def leave_out(state: State, line: Line, table: RoundTable) -> None:
    """Give players not paired the byes they asked for, and those left out no points.

    Left out are missing players until they are checked in.
    """
    number, named = line.round_number or 0, frozenset(line.after.get("skipped", ()))
    if not state.has_gaps:
        known = {
            entry
            for entry, values in state.players.items()
            if values["answer"] == "skip"
            and state.takes_part(entry, number)
            and (entry, number) not in state.byes
        }
        require_before(
            "the list of players left out until they are checked in", sorted(named), sorted(known)
        )
    state.skipped[number] = named
    left = [state.numbered(tpn) for tpn in line.after["not_paired"]]
    table.byes = {entry: state.bye_of(entry, line.round_number or 0) for entry in left}


def drafted(state: State, line: Line, table: RoundTable) -> None:
    require_places(state, table)
    everybody = {entry for entry, values in state.players.items() if values["tpn"] is not None}
    require(set(table.places) == everybody, "it does not give every player a place.")
    table.state, table.paired_at = RoundState.DRAFT.value, moment(line.at)
    set_tables(state, table)


def set_tables(state: State, table: RoundTable, *, moved: Collection[int] | None = None) -> None:
    """Give every board its table; only boards *moved*, if given, get another [C.04.2/2026 3.6]."""
    fixed = {
        number: {state.player(entry)["fixed_table"] or 0 for entry in (board.white, board.black)}
        - {0}
        for number, board in table.boards.items()
    }
    kept_ = (
        {} if moved is None else {n: table.tables.get(n, n) for n in table.boards if n not in moved}
    )
    table.tables = {number: at for number, at in tables(fixed, kept_).items() if at != number}


def keep_views(state: State, line: Line, table: RoundTable) -> None:
    """Keep the people who opened the draft that *line* ends."""
    views = line.after.get("views", ())
    if table.paired_at and views and not is_hidden(views):
        seen = {each["person"]: moment(each["at"]) or "" for each in views}
        state.views[line.round_number or 0, table.paired_at] = seen


def require_places(state: State, table: RoundTable) -> None:
    """Require that every player of the round exists and has one place, and every bye a letter."""
    places = list(table.places)
    for entry in places:
        state.player(entry)
    require(len(places) == len(set(places)), "a player has two places in its round.")
    require(BYES.issuperset(table.byes.values()), "it has an unknown bye.")


def emptied(table: RoundTable) -> RoundTable:
    """Return the planned round without its pairing; announced times stay."""
    return RoundTable(
        starts_at=table.starts_at, results_due_at=table.results_due_at, values=table.values
    )


def discarded(state: State, line: Line) -> None:
    table = state.round(line)
    require_before("the round", line.before["state"], table.state)
    require(table.state == RoundState.DRAFT, "its round is no draft.")
    keep_views(state, line, table)
    state.rounds[line.round_number or 0] = emptied(table)


def published(state: State, line: Line) -> None:
    table = state.round(line)
    require_before("the round", line.before["state"], table.state)
    require(table.state == RoundState.DRAFT, "its round is no draft.")
    require(line.after["state"] == RoundState.PAIRINGS_PUBLISHED, "it publishes no pairings.")
    keep_views(state, line, table)
    table.state, table.published_at = line.after["state"], moment(line.at)
    state.settings["corrections_until"] = None
    if "group_a_last" in line.after:
        state.settings["group_a_last"] = line.after["group_a_last"]
    if line.after.get("leaves_fide_mode"):
        require(state.settings["left_fide_mode"] is None, "FIDE mode was left before.")
        state.settings["left_fide_mode"] = line.round_number


def rearranged(state: State, line: Line) -> None:
    """Move players in a draft, or in published pairings.

    A late entry who gets a board plays from this round on.
    """
    table, is_change = state.round(line), line.action == "round.changed"
    wanted = RoundState.PAIRINGS_PUBLISHED if is_change else RoundState.DRAFT
    require(table.state == wanted, "its round is in another state.")
    seated = set(table.places)
    for number, pair in line.before["boards"].items():
        board = state.board(table, int(number))
        require_before(f"board {number}", list(pair), [board.white, board.black])
        del table.boards[int(number)]
    for entry, letter in line.before["byes"].items():
        require_before(f"the bye of entry {entry}", letter, table.byes.pop(int(entry), None))
    for number, pair in line.after["boards"].items():
        require(int(number) not in table.boards, f"there are two boards {number}.")
        table.boards[int(number)] = state.open_board(*pair)
    table.byes |= _byes(line.after["byes"])
    require_places(state, table)
    require(seated.issubset(table.places), "it leaves a player without a place.")
    moved = {int(number) for number in {**line.before["boards"], **line.after["boards"]}}
    set_tables(state, table, moved=moved if is_change else None)
    if is_change:
        playing = {entry for pair in line.after["boards"].values() for entry in pair}
        for entry in playing | {entry for entry, letter in table.byes.items() if letter == "U"}:
            values = state.player(entry)
            values["first_round"] = min(values["first_round"], line.round_number)


def _byes(values: Mapping[str, str]) -> dict[int, str]:
    return {int(entry): letter for entry, letter in values.items()}


# Results


def result_recorded(state: State, line: Line) -> None:
    require(state.round(line).is_public, "its round is not published.")
    require_before(
        f"the result of board {line.before['board']}", line.before["result"], _result(state, line)
    )
    require(line.before["board"] == line.after["board"], "it changes the board.")
    set_result(state, line, line.after["result"])


def _result(state: State, line: Line) -> str:
    """Return the present result of the game of *line*."""
    return state.board(state.round(line), line.after["board"]).results[_place(state, line.after)]


def set_result(state: State, line: Line, result: str) -> None:
    """Set the result of the game of *line*."""
    require(result in RESULTS, f"“{result}” is no result.")
    state.board(state.round(line), line.after["board"]).results[_place(state, line.after)] = result


def _place(state: State, values: Mapping[str, Any]) -> int:
    game = values.get("game", 1)
    require(game in range(1, state.games + 1), f"there is no game {game} at its board.")
    return int(game) - 1


def adjourned(state: State, line: Line) -> None:
    table = state.round(line)
    for number in line.after["boards"]:
        board = state.board(table, number)
        require({"", "??"} & set(board.results), f"board {number} has a result.")
        board.results = [result or "??" for result in board.results]


def results_published(state: State, line: Line) -> None:
    table = state.round(line)
    require_before("the round", line.before["state"], table.state)
    require(table.state == RoundState.PAIRINGS_PUBLISHED, "its pairings are not published.")
    require(line.after["state"] == RoundState.RESULTS_PUBLISHED, "it publishes no results.")
    require(all(all(board.results) for board in table.boards.values()), "a board has no result.")
    table.state, table.results_published_at = line.after["state"], moment(line.at)
    until = None
    if HANDLING[state.settings.get("handling_edition", NEWEST)].has_deadline:
        announced = table.results_due_at if "until" in line.after else None
        until = deadline_after(
            datetime.fromisoformat(line.at),
            state.settings.get("correction_minutes"),
            datetime.fromisoformat(announced) if announced else None,
        )
    state.settings["corrections_until"] = moment(until.isoformat()) if until else None
    if "until" in line.after:
        require_before(
            "the deadline", moment(line.after["until"]), state.settings["corrections_until"]
        )


def cut_short(state: State, line: Line) -> None:
    require_before(
        "the deadline", moment(line.before["until"]), state.settings["corrections_until"]
    )
    if line.after.get("ended"):
        over = all(table.state == RoundState.RESULTS_PUBLISHED for table in state.rounds.values())
        require(over, "a round is not over.")
        state.settings["corrections_until"] = moment(line.at)


# Corrections


def corrected(state: State, line: Line) -> None:
    """Correct a value now, for the rating report only, or with the next publication.

    It replaces a correction that waits.
    """
    kind = CorrectionKind(line.action.partition(".")[0])
    values = _values(kind, line.after)
    require(values, "it corrects nothing.")
    following = state.rounds.get((line.round_number or 0) + 1, RoundTable())
    effect = CorrectionEffect(line.after["effect"])
    waits = effect is CorrectionEffect.NEXT_PAIRING and not following.is_public
    require(line.after["waiting"] is waits, "it waits for the wrong publication.")
    known = _present(state, line, kind)
    for name, value in values.items():
        key = (*_subject(line, kind), name)
        require_before(_named(line, name), line.before[name], state.waiting.pop(key, known[name]))
        if waits:
            state.waiting[key] = value
    kept.keep(state, line, kind, values)
    if effect is not CorrectionEffect.RATING_ONLY and not waits:
        apply(state, line, kind, values)


def applied(state: State, line: Line) -> None:
    """Do a correction that waited."""
    kind = next(kind for kind, names in VALUES.items() if set(names) & line.after.keys())
    values, known = _values(kind, line.after), _present(state, line, kind)
    for name, value in values.items():
        waited = state.waiting.pop((*_subject(line, kind), name), None)
        require_before(f"{_named(line, name)} that waits", value, waited)
        require_before(_named(line, name), line.before[name], known[name])
    kept.done(state, line, kind, values)
    apply(state, line, kind, values)


def _named(line: Line, name: str) -> str:
    return f"the {name} of board {line.after['board']}" if "board" in line.after else name


def _values(kind: CorrectionKind, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in VALUES[kind] if name in values}


def _subject(line: Line, kind: CorrectionKind) -> tuple[object, ...]:
    """Return the subject of a correction: a player, a board, or the game of a match."""
    if kind is CorrectionKind.RATING:
        return (kind.value, line.after["entry"])
    game = line.after.get("game", 1) if kind is CorrectionKind.RESULT else 0
    return (kind.value, line.round_number, line.after["board"], game)


def _present(state: State, line: Line, kind: CorrectionKind) -> Mapping[str, Any]:
    if kind is CorrectionKind.RATING:
        return state.player(line.after["entry"])
    board = state.board(state.round(line), line.after["board"])
    return {
        "white": board.white,
        "black": board.black,
        "result": board.results[_place(state, line.after)],
    }


def apply(state: State, line: Line, kind: CorrectionKind, values: Mapping[str, Any]) -> None:
    """Change the values; a rating orders its player, and results turn with the colours."""
    if kind is CorrectionKind.RATING:
        player = state.player(line.after["entry"])
        player.update(values)
        if "rating" in values:
            player["rating_source"] = "estimate"
        rank_by_method(state, player)
        return
    if kind is CorrectionKind.RESULT:
        set_result(state, line, values["result"])
        return
    board = state.board(state.round(line), line.after["board"])
    require(
        {values["white"], values["black"]} == {board.white, board.black},
        "its players sit at another board.",
    )
    if board.white != values["white"]:
        board.white, board.black = board.black, board.white
        board.results = [result[::-1] for result in board.results]
        kept.swap_colours(state, line)
        for key, value in state.waiting.items():
            if key[:3] == (CorrectionKind.RESULT.value, line.round_number, line.after["board"]):
                state.waiting[key] = str(value)[::-1]


def rank_by_method(state: State, player: dict[str, Any]) -> None:
    """Choose the rating that ranks *player* by the announced methods, unless it is an estimate."""
    if player["rating_source"] != "estimate":
        method = str(state.settings.get("rating_method", "FIDON"))
        second = player.get("second_rating") if state.settings.get("second_rating_method") else None
        chosen = tournament_rating(method, player["fide_rating"], player["national_rating"], second)
        player["rating_source"], player["rating"] = chosen


READINGS: Final[Mapping[str, Callable[[State, Line], None]]] = {
    "round.paired": paired,
    "round.paired_by_hand": paired_by_hand,
    "round.discarded": discarded,
    "round.arranged": rearranged,
    "round.changed": rearranged,
    "pairings.published": published,
    "deadline.cut_short": cut_short,
    "result.recorded": result_recorded,
    "games.adjourned": adjourned,
    "results.published": results_published,
    "result.corrected": corrected,
    "colours.corrected": corrected,
    "rating.corrected": corrected,
    "correction.applied": applied,
}
