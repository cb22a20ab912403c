"""Replay a record: each line must start from what the lines before it left.

This module has the settings and the end; :mod:`pairing.record.replay_players` the players, byes and
check-ins, :mod:`pairing.record.replay_rounds` the rounds, and :mod:`pairing.record.replay_undo` the
undo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from pairing.rules.draws import Draw, colour_of, commitment, seed_of
from pairing.rules.final_standings import AFTER_THE_END
from pairing.rules.hand_over import may_act
from pairing.rules.kept_records import IN_THE_OPEN
from pairing.rules.rounds import RoundState
from pairing.rules.undo import OPPOSITE
from pairing.rules.undo_between import RATED_BY
from pairing.rules.verdict import ALLOWED

from . import (
    defaults,
    replay_games as games,
    replay_players as players,
    replay_rounds as rounds,
    replay_undo,
)
from .chain import Fault, Line
from .private import is_hidden, same
from .state import (
    RESULTS,
    Board,
    InconsistentError,
    RoundTable,
    State,
    moment,
    require,
    require_before,
)

Reading = Callable[[State, Line], None]


def replay(lines: Iterable[Line], state: State | None = None) -> tuple[State, Fault | None]:
    """Return the state after *lines*, and the first line that is inconsistent with those before it.

    The state then ends before that line. A line that cannot be read is inconsistent too.
    """
    state = state or State()
    for line in lines:
        try:
            read_line(state, line)
        except InconsistentError as error:
            return state, Fault(line.sequence, str(error))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return state, Fault(line.sequence, UNREADABLE)
    return state, None


UNREADABLE: Final = "what it says cannot be read; the tables are not compared with the record."


def read_line(state: State, line: Line) -> None:
    """Apply *line* to *state*, unless its content is unknown.

    Raise :class:`InconsistentError`, or an error of Python if its data have another form.
    """
    if line.is_withheld:
        state.has_gaps = True
        return
    reading = READINGS.get(line.action)
    if reading is None:
        raise InconsistentError(f"there is no action “{line.action}”.")
    require(state.settings or line.action == "tournament.created" or line.action == "tournament.imported",
            "the record does not begin with a new tournament.")  # fmt: skip
    require(
        not state.settings.get("final_at") or line.action in AFTER_THE_END,
        "the standings were final.",
    )
    allowed = may_act(line.action, is_away=bool(state.settings.get("handed_over_at")))
    require(allowed is ALLOWED, "the event was handed over."
            if state.settings.get("handed_over_at") else "the event was not handed over.")  # fmt: skip
    reading(state, line)
    state.lines[line.sequence] = line


def nothing(state: State, line: Line) -> None:
    """Change nothing: the action is about people or times only."""


# The tournament


def created(state: State, line: Line) -> None:
    require(not state.settings, "the tournament exists already.")
    state.settings = {**defaults.SETTINGS, **line.after, **defaults.LATER_SETTINGS}
    # Older rules leave FIDE mode in the first line.
    state.settings["left_fide_mode"] = line.after.get("left_fide_mode")
    state.created = (line.account, line.at)
    declare(state)


def imported(state: State, line: Line) -> None:
    """Take over a tournament from a report file, which the line repeats."""
    require(not state.settings, "the tournament exists already.")
    after = line.after
    state.settings = {
        **defaults.SETTINGS,
        **defaults.LATER_SETTINGS,
        **after["settings"],
        **defaults.SHOWN,
        **defaults.HANDED_OVER,
    }
    if "kept_records" in after:
        state.settings[IN_THE_OPEN] = after["kept_records"]
    state.created = (line.account, line.at)
    declare(state)
    for described in after["entries"]:
        values = dict(described)
        entry = values.pop("entry")
        state.players[entry] = {
            **defaults.PLAYER,
            **values,
            **defaults.LATER_PLAYER,
            "withdrawn_from": after["expelled_from"].get(str(entry)),
            "national_federation": after["national_federations"].get(str(entry), ""),
        }
    for number, played in after["played"].items():
        table = state.round_number(int(number))
        table.state, table.published_at = played["state"], moment(line.at)
        if table.state == RoundState.RESULTS_PUBLISHED:
            table.results_published_at = table.published_at
        for board, (white, black, *results) in played["boards"].items():
            require(
                RESULTS.issuperset(results) and len(results) == state.games,
                f"{results} are no results.",
            )
            table.boards[int(board)] = Board(white, black, list(results))
        table.byes = {int(entry): letter for entry, letter in played["byes"].items()}
        rounds.require_places(state, table)
    for bye in after["byes"]:
        state.byes[bye["entry"], bye["round"]] = bye["kind"]
    state.prohibited = [list(pair) for pair in after["prohibited_pairs"]]
    state.adjustments = [
        (each["entry"], each["points"], each["round"], each["result"])
        for each in after["adjustments"]
    ]


def shown_or_hidden(state: State, line: Line) -> None:
    """Put the tournament into a list, or take it out of it: before, it was the other way round."""
    for name, value in line.after.items():
        require(name in defaults.SHOWN and isinstance(value, bool), f"there is no “{name}”.")
        require_before(name, line.before[name], state.settings[name])
        require(value != state.settings[name], f"{name} does not change.")
        state.settings[name] = value


def handed_over(state: State, line: Line) -> None:
    """Let another computer go on with the event."""
    state.settings |= {name: line.after[name] for name in defaults.HANDED_OVER}
    require(state.settings["handed_over_at"], "a hand-over has no time.")


def live_again(state: State, line: Line) -> None:
    """Make a copy live after a hand-over: that of the other computer, or this one again."""
    for name in defaults.HANDED_OVER:
        require_before("the hand-over", line.before[name], state.settings[name])
    state.settings |= defaults.HANDED_OVER


def updated(state: State, line: Line) -> None:
    require_settings(state, line.before)
    if "left_fide_mode" in line.after:
        require(state.settings["left_fide_mode"] is None, "FIDE mode was left before.")
    state.settings |= line.after
    if "total_rounds" in line.after:
        declare(state)
    if not RATED_BY.isdisjoint(line.after):
        for player in state.players.values():
            rounds.rank_by_method(state, player)


def require_settings(state: State, before: Mapping[str, Any]) -> None:
    for name, value in before.items():
        require_before(name, value, state.settings.get(name, value))


def declare(state: State) -> None:
    """Make the declared rounds."""
    total = state.settings["total_rounds"]
    dropped = [table for number, table in state.rounds.items() if number > total]
    require(not any(table.is_public for table in dropped), "a published round is removed.")
    state.rounds = {
        number: state.rounds.get(number) or RoundTable() for number in range(1, total + 1)
    }
    state.views = {key: seen for key, seen in state.views.items() if key[0] <= total}


def rounds_changed(state: State, line: Line) -> None:
    require_before(
        "the number of rounds", line.before["total_rounds"], state.settings["total_rounds"]
    )
    total = line.after["total_rounds"]
    gone = sorted(key for key in state.byes if key[1] > total)
    if not is_hidden(line.before["byes"]):
        require_before(
            "the list of byes",
            sorted((bye["entry"], bye["round"]) for bye in line.before["byes"]),
            gone,
        )
    state.settings["total_rounds"] = total
    state.byes = {key: letter for key, letter in state.byes.items() if key[1] <= total}
    if (state.check_in[0] or 0) > total:
        state.check_in = (None, False)
    declare(state)


def colour_drawn(state: State, line: Line) -> None:
    require_before("the initial colour", line.before["colour"], state.settings["initial_colour"])
    if "seed" in line.after:
        require(
            line.after["colour"] == colour_of(line.after["seed"]),
            "its seed gives the other colour.",
        )
        state.draws.append((line.after["named"], line.after["seed"]))
    state.settings["initial_colour"] = line.after["colour"]
    state.settings["initial_colour_method"] = line.after["method"]


def lots_drawn(state: State, line: Line) -> None:
    require(not state.settings["lots_seed"], "the lots were drawn before.")
    seed = seed_of(line.after["draw_secret"], Draw.LOTS, line.after["named"])
    require_before("the seed", line.after["seed"], seed)
    shown_secret(state, line.after["draw_secret"])
    state.settings["lots_seed"] = seed


def equals_ranked(state: State, line: Line) -> None:
    require_before(
        "the order of tied players", line.before["order"], state.settings["order_of_equals"]
    )
    for entry in line.after["order"]:
        state.player(entry)
    state.settings["order_of_equals"] = list(line.after["order"])


def shown_secret(state: State, secret: str) -> None:
    """Check the secret of the draws, shown now, against its fingerprint and the draws."""
    require(
        same(commitment(secret), state.settings["draw_commitment"]),
        "the secret of the draws is another one.",
    )
    for named, seed in state.draws:
        require(
            seed == seed_of(secret, Draw.COLOUR, named),
            "the initial colour was not drawn from that secret.",
        )


def made_final(state: State, line: Line) -> None:
    require(
        all(table.state == RoundState.RESULTS_PUBLISHED for table in state.rounds.values()),
        "a round is not over.",
    )
    shown_secret(state, line.after["draw_secret"])
    state.settings["final_at"] = line.after["final_at"]


def reopened(state: State, line: Line) -> None:
    require_before(
        "the time of the final standings", line.before["final_at"], state.settings["final_at"]
    )
    state.settings |= {"final_at": None, **line.after}
    state.draws.clear()  # they were checked, and there is a new secret


def prohibited(state: State, line: Line) -> None:
    require_before("the list of prohibited pairs", line.before["pairs"], state.prohibited)
    for pair in line.after["pairs"]:
        for entry in pair[:2]:
            state.player(entry)
    state.prohibited = [list(pair) for pair in line.after["pairs"]]


def prizes(state: State, line: Line) -> None:
    if state.prizes is not None:
        require_before(
            "the list of prizes", defaults.prizes_with_defaults(line.before), state.prizes
        )
    state.prizes = defaults.prizes_with_defaults(line.after)


def undone(state: State, line: Line) -> None:
    """Undo an earlier line: read the opposite action, or restore what only an undo reverses."""
    last = replay_undo.undone_line(state, line)
    if (opposite := OPPOSITE.get(last.action)) is not None:
        READINGS[opposite](
            state, replace(last, action=opposite, before=last.after, after=last.before, at=line.at)
        )
    else:
        replay_undo.revert(state, line, last)


def scheduled(state: State, line: Line) -> None:
    table = state.round(line)
    for name in ("starts_at", "results_due_at"):
        require_before(name, moment(line.before[name]), getattr(table, name))
        setattr(table, name, moment(line.after[name]))


def section_set(state: State, line: Line) -> None:
    before = {**defaults.SECTION, **line.before} if line.before else {}
    require_before("the section", before, state.section or {})
    state.section = {**defaults.SECTION, **line.after}


def points_adjusted(state: State, line: Line) -> None:
    after = line.after
    require(state.round(line).is_public, "its round is not published.")
    require_before("the name", after["name"], state.player(after["entry"])["name"])
    state.adjustments.append((after["entry"], after["points"], line.round_number, ""))


def points_withdrawn(state: State, line: Line) -> None:
    adjustment = (line.before["entry"], line.before["points"], line.round_number, "")
    require(adjustment in state.adjustments, "there is no such point adjustment.")
    state.adjustments.remove(adjustment)


READINGS: Final[Mapping[str, Reading]] = {
    "tournament.created": created,
    "tournament.imported": imported,
    "tournament.updated": updated,
    "tournament.duplicated": nothing,
    "tournament.listed": shown_or_hidden,
    "tournament.unlisted": shown_or_hidden,
    "tournament.archived": shown_or_hidden,
    "tournament.restored": shown_or_hidden,
    "tournament.handed_over": handed_over,
    "tournament.taken_over": live_again,
    "tournament.brought_back": live_again,
    "tie_breaks.changed": updated,
    "rounds.changed": rounds_changed,
    "section.set": section_set,
    "person.appointed": nothing,
    "person.removed": nothing,
    "access.renewed": nothing,
    "chief.handed_over": nothing,
    "password.set": nothing,
    "colour.drawn": colour_drawn,
    "equals.ranked": equals_ranked,
    "lots.drawn": lots_drawn,
    "prohibited_pairs.set": prohibited,
    "standings.made_final": made_final,
    "standings.reopened": reopened,
    "protest.lodged": nothing,
    "protest.decided": nothing,
    "protest.appealed": nothing,
    "appeal.decided": nothing,
    "prizes.set": prizes,
    "event_prizes.set": nothing,
    "logo.set": nothing,
    "data.deleted": players.data_deleted,
    "round.scheduled": scheduled,
    "points.adjusted": points_adjusted,
    "points.withdrawn": points_withdrawn,
    "registration.set": nothing,
    "registration.refused": nothing,
    "table_codes.made": nothing,
    "players_reports.opened": nothing,
    "players_reports.closed": nothing,
    "self_check_in.opened": nothing,
    "self_check_in.closed": nothing,
    "action.undone": undone,
    "result.undone": undone,
    "boards.announced": nothing,
    "announcement.withdrawn": nothing,
    "result.read": nothing,
    "reading.decided": nothing,
    "result.confirmed": nothing,
    **players.READINGS,
    **rounds.READINGS,
    **games.READINGS,
}
"""How the state changes with each action."""
