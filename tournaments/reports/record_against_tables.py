"""Compare the tables with the record: read every action again, in order, and compare the outcome.

The content of the record is stored as single facts, each under a key such as ``("result", round, board, game)``. Data
that no action contains is not compared: the rounds of an imported file, the data of imported players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from pairing.rules.check_in import Consequence
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.rules.undo import Undoable
from tournaments.models import Action, Decision, Entry, Game, RequestedBye, Round, Seat, Tournament
from tournaments.setup.prohibited_pairs import pairs_of

Key = tuple[object, ...]

UNSAID: Final = object()
"""The value of a fact that the record no longer determines."""
SETTINGS: Final = frozenset(field.attname for field in Tournament._meta.concrete_fields) - {
    "version",
    "public_version",
    "pairing_version",
    "corrections_until",
    "check_in_round",
    "check_in_open",
}
RATINGS: Final = ("fide_rating", "national_rating")
OF_ENTRY: Final = frozenset(field.attname for field in Entry._meta.concrete_fields) - {"id", "checked_in"}
VALUES: Final = {"result": ("result",), "colours": ("white", "black"), "rating": RATINGS}
"""The values in a correction of each kind."""


def differences(tournament: Tournament) -> list[str]:
    """Return the differences between the tables of *tournament* and its record, one line each. Seven queries.

    It compares settings with the tie-breaks, players with their numbers and withdrawals, requested byes, the state of
    every round, places, and results. A line of the record that cannot be read ends the comparison, and is reported as a
    difference.
    """
    recorded = Told()
    for row in Decision.objects.filter(tournament=tournament).order_by("sequence").iterator():
        try:
            recorded.read(row)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            return [f"#{row.sequence}: what it says cannot be read; the tables are not compared with the record."]
    held = _held(tournament)
    wanted = {key: value for key, value in recorded.facts.items() if value is not UNSAID}
    keys = {*wanted, *(key for key in held if recorded.says_all_of(key) and key not in recorded.facts)}
    return [
        f"{_place(key)}: the record says {_said(wanted.get(key))}, the tables {_said(held.get(key))}."
        for key in sorted(keys, key=lambda key: [(str(type(part)), part) for part in key])
        if wanted.get(key) != held.get(key)
    ]


class Told:
    """The facts from the lines read so far. ``whole`` are the rounds whose every seat and result is known."""

    def __init__(self) -> None:
        self.facts: dict[Key, Any] = {}
        self.whole: set[int] = set()
        self.is_from_the_start = False
        self.imported_rounds = 0
        self.waiting: dict[Key, Any] = {}
        self.by_rule: dict[tuple[int, int], tuple[int | None, int | None]] = {}
        self._before: tuple[dict[Key, Any], set[int], dict[Key, Any]] = ({}, set(), {})

    def read(self, row: Decision) -> None:
        """Apply *row*; ignore an action without compared facts."""
        if row.action in (Action.ACTION_UNDONE, Action.RESULT_UNDONE):
            self._take_back(row)
            return
        if row.action in {kind.value for kind in Undoable}:
            self._before = dict(self.facts), set(self.whole), dict(self.waiting)
        if (reading := READINGS.get(row.action)) is not None:
            reading(self, row)

    def says_all_of(self, key: Key) -> bool:
        """Return whether the record is complete for *key*: a missing fact then means that there is none."""
        kind, number = key[0], key[1]
        return number in self.whole if kind in ("seat", "result") else kind == "bye" and self.is_from_the_start

    def _take_back(self, row: Decision) -> None:
        self.facts, self.whole, self.waiting = self._before
        if row.after["action"] in (Action.ROUND_PAIRED, Action.ROUND_PAIRED_BY_HAND):
            self.clear(_number(row))

    # Settings

    def created(self, row: Decision) -> None:
        self.is_from_the_start = True
        self.facts["setting", "prohibited_pairs"] = []
        self.updated(row)

    def imported(self, row: Decision) -> None:
        self.imported_rounds = row.after["rounds"]

    def updated(self, row: Decision) -> None:
        self.facts |= {("setting", name): value for name, value in row.after.items() if name in SETTINGS}
        if "total_rounds" in row.after:
            self.declare(row.after["total_rounds"])

    def declare(self, total: int) -> None:
        """Set the number of rounds to *total*."""
        self.facts["setting", "total_rounds"] = total
        for key in [key for key in self.facts if key[0] in ("state", "bye") and int(str(key[1])) > total]:
            del self.facts[key]
        for number in range(1, total + 1):
            if number > self.imported_rounds:
                self.facts.setdefault(("state", number), RoundState.PLANNED.value)

    def prohibited(self, row: Decision) -> None:
        self.facts["setting", "prohibited_pairs"] = row.after["pairs"]

    def lots(self, row: Decision) -> None:
        self.facts["setting", "lots_seed"] = row.after["seed"]

    def colour(self, row: Decision) -> None:
        self.facts["setting", "initial_colour"] = row.after["colour"]
        self.facts["setting", "initial_colour_method"] = row.after["method"]

    # Players

    def entered(self, row: Decision) -> None:
        self.enter(row.after)

    def entered_from_file(self, row: Decision) -> None:
        """Enter several players as if one by one, by their numbers."""
        for described in sorted(row.after["entries"], key=lambda each: each["tpn"] or 0):
            self.enter(described)

    def enter(self, described: dict[str, Any]) -> None:
        pk, tpn = described["entry"], described["tpn"]
        if tpn is not None:
            self.shift(tpn, 1)
        self.facts |= {("entry", pk, name): value for name, value in described.items() if name in OF_ENTRY}
        self.facts["entry", pk, "withdrawn_from"] = None
        self.missed(pk, described["first_round"])

    def missed(self, pk: int, first: int) -> None:
        """Give a late entry the byes of the missed rounds."""
        letter = self.facts.get(("setting", "late_entry_bye"), "Z")
        for number in self.rounds():
            if number < first and letter != "Z" and self.facts.get(("state", number)) != RoundState.PLANNED.value:
                self.facts["seat", number, pk] = letter

    def mended(self, row: Decision) -> None:
        pk = row.after["entry"]
        self.facts |= {("entry", pk, name): value for name, value in row.after.items() if name in OF_ENTRY}

    def removed(self, row: Decision) -> None:
        pk, tpn = row.before["entry"], row.before["tpn"]
        for key in [key for key in self.facts if key[:2] == ("entry", pk) or (key[0] == "bye" and key[2] == pk)]:
            del self.facts[key]
        if ("setting", "prohibited_pairs") in self.facts:
            pairs = self.facts["setting", "prohibited_pairs"]
            self.facts["setting", "prohibited_pairs"] = [pair for pair in pairs if pk not in pair]
        if tpn is not None:
            self.shift(tpn, -1)

    def shift(self, tpn: int, by: int) -> None:
        """Move the numbers from *tpn* on by *by*."""
        for key, value in self.facts.items():
            if key[0] == "entry" and key[2] == "tpn" and isinstance(value, int):
                self.facts[key] = value + by * (value >= tpn)

    def numbered(self, row: Decision) -> None:
        self.facts |= {("entry", int(pk), "tpn"): tpn for pk, tpn in row.after["tpn"].items()}

    def withdrawn(self, row: Decision) -> None:
        self.facts["entry", row.after["entry"], "withdrawn_from"] = row.after["value"]
        if row.action == Action.ABSENCE_WITHDRAWN:
            self.by_rule[row.after["entry"], _number(row)] = row.before["value"], row.after["value"]

    def explained(self, row: Decision) -> None:
        """Cancel the automatic withdrawal, unless another action has changed it since."""
        key = ("entry", row.after["entry"], "withdrawn_from")
        before, after = self.by_rule.get((row.after["entry"], _number(row)), (None, None))
        if after is not None and self.facts.get(key) == after:
            self.facts[key] = before

    def bye(self, row: Decision) -> None:
        self.set_bye(_number(row), row.after["entry"], row.after["value"])

    def set_bye(self, number: int, pk: int, kind: str | None) -> None:
        if kind is None:
            self.facts.pop(("bye", number, pk), None)
        else:
            self.facts["bye", number, pk] = kind

    def settled(self, row: Decision) -> None:
        if row.after["consequence"] == Consequence.PAIRED.value:
            return  # paired players count as checked in, which is not compared
        number = row.after["for_round"]
        for missing in row.after["missing"]:
            if row.after["consequence"] == "excluded":
                self.facts["entry", missing["entry"], "withdrawn_from"] = number
            else:
                self.set_bye(number, missing["entry"], row.after["consequence"])

    # Rounds

    def rounds(self) -> list[int]:
        return sorted(int(str(key[1])) for key in self.facts if key[0] == "state")

    def clear(self, number: int) -> None:
        for key in [key for key in self.facts if key[0] in ("seat", "result") and key[1] == number]:
            del self.facts[key]
        self.whole.discard(number)
        self.facts["state", number] = RoundState.PLANNED.value

    def pair(self, number: int, board: int, white: int, black: int) -> None:
        """Seat *white* and *black* at *board*, without a result."""
        self.facts["seat", number, white] = f"w{board}"
        self.facts["seat", number, black] = f"b{board}"
        games = 2 if str(self.facts.get(("setting", "system"))).startswith("double_swiss") else 1
        for game in range(1, games + 1):
            self.facts["result", number, board, game] = ""

    def paired(self, row: Decision) -> None:
        number = _number(row)
        self.clear(number)
        for board, (white, black) in enumerate(row.after["boards"], start=1):
            self.pair(number, board, white, black)
        bye = self.by_tpn().get(row.after["pairing_allocated_bye"])
        if bye is not None:
            self.facts["seat", number, bye] = "U"
        self.left_out(row)

    def paired_by_hand(self, row: Decision) -> None:
        number = _number(row)
        self.clear(number)
        for board, (white, black) in row.after["boards"].items():
            self.pair(number, int(board), white, black)
        self.left_out(row)
        self.facts |= {("seat", number, int(pk)): letter for pk, letter in row.after["byes"].items()}

    def left_out(self, row: Decision) -> None:
        """Give the unpaired players their byes and set the round to draft; it is complete if all of them are known."""
        number, by_tpn = _number(row), self.by_tpn()
        self.facts["state", number] = RoundState.DRAFT.value
        numbers = [row.after.get("pairing_allocated_bye"), *row.after["not_paired"]]
        if self.is_from_the_start and all(tpn is None or tpn in by_tpn for tpn in numbers):
            self.whole.add(number)
        for tpn in row.after["not_paired"]:
            if tpn in by_tpn:
                self.facts["seat", number, by_tpn[tpn]] = self.letter(by_tpn[tpn], number)

    def letter(self, pk: int, number: int) -> object:
        """Return the bye of the player *pk*, unpaired in round *number*."""
        first = self.facts.get(("entry", pk, "first_round"), UNSAID)
        last = self.facts.get(("entry", pk, "withdrawn_from"), UNSAID)
        if first is UNSAID or last is UNSAID:
            return UNSAID
        if first <= number and (last is None or number < last):
            return self.facts.get(("bye", number, pk), UNSAID)
        return self.facts.get(("setting", "late_entry_bye"), "Z") if last is None else "Z"

    def by_tpn(self) -> dict[int, int]:
        """Return the player of each known number."""
        numbers = {key[1]: value for key, value in self.facts.items() if key[0] == "entry" and key[2] == "tpn"}
        return {tpn: int(str(pk)) for pk, tpn in numbers.items() if isinstance(tpn, int)}

    def discarded(self, row: Decision) -> None:
        self.clear(_number(row))

    def published(self, row: Decision) -> None:
        self.facts["state", _number(row)] = row.after["state"]

    def rearranged(self, row: Decision) -> None:
        number = _number(row)
        for board, pair in row.before["boards"].items():
            for pk in pair:
                self.facts.pop(("seat", number, pk), None)
            for game in (1, 2):
                self.facts.pop(("result", number, int(board), game), None)
        for pk in row.before["byes"]:
            self.facts.pop(("seat", number, int(pk)), None)
        for board, (white, black) in row.after["boards"].items():
            self.pair(number, int(board), white, black)
        self.facts |= {("seat", number, int(pk)): letter for pk, letter in row.after["byes"].items()}
        if row.action == Action.ROUND_CHANGED:
            # A late entry with a place plays from this round on.
            seated = [pk for pair in row.after["boards"].values() for pk in pair]
            for pk in [*seated, *(int(pk) for pk, letter in row.after["byes"].items() if letter == "U")]:
                first = self.facts.get(("entry", pk, "first_round"), UNSAID)
                self.facts["entry", pk, "first_round"] = first if first is UNSAID else min(first, number)

    def result(self, row: Decision) -> None:
        self.facts["result", _number(row), row.after["board"], row.after.get("game", 1)] = row.after["result"]

    def adjourned(self, row: Decision) -> None:
        for board in row.after["boards"]:
            for game in (1, 2):
                key = ("result", _number(row), board, game)
                if self.facts.get(key) == "":
                    self.facts[key] = "??"

    # Corrections

    def corrected(self, row: Decision) -> None:
        """Apply a correction that counts now; keep one that waits, which replaces an earlier one."""
        kind, following = row.action.partition(".")[0], _number(row) + 1
        is_public = following <= self.imported_rounds or self.facts.get(("state", following)) in PUBLIC_STATES
        waits = row.after["effect"] == "next_pairing" and not is_public
        values = {name: row.after[name] for name in VALUES[kind] if name in row.after}
        for name in values:
            key = (*_subject(row, kind), name)
            self.waiting.pop(key, None)
            if waits:
                self.waiting[key] = row.after[name]
        if row.after["effect"] != "rating_only" and not waits:
            self.apply(row, kind, values)

    def applied(self, row: Decision) -> None:
        kind = next(kind for kind, names in VALUES.items() if set(names) & row.after.keys())
        values = {name: row.after[name] for name in VALUES[kind] if name in row.after}
        for name in values:
            self.waiting.pop((*_subject(row, kind), name), None)
        self.apply(row, kind, values)

    def apply(self, row: Decision, kind: str, values: dict[str, Any]) -> None:
        match kind:
            case "rating":
                pk = row.after["entry"]
                self.facts |= {("entry", pk, name): value for name, value in values.items()}
                self.facts |= {("entry", pk, name): UNSAID for name in ("rating", "rating_source")}
            case "result":
                self.result(row)
            case _:
                self.turn(_number(row), row.after["board"], values["white"], values["black"])

    def turn(self, number: int, board: int, white: int, black: int) -> None:
        """Give *white* White at *board*; if the colours change, swap the results with them."""
        seat = self.facts.get(("seat", number, white), UNSAID)
        if seat == f"w{board}":
            return
        self.facts["seat", number, white], self.facts["seat", number, black] = f"w{board}", f"b{board}"
        for game in (1, 2):
            key = ("result", number, board, game)
            if isinstance(self.facts.get(key), str):
                self.facts[key] = UNSAID if seat is UNSAID else str(self.facts[key])[::-1]
        for waits in self.waiting:
            if waits[:3] == ("result", number, board):
                self.waiting[waits] = str(self.waiting[waits])[::-1]


def _number(row: Decision) -> int:
    if row.round_number is None:
        raise ValueError(row.action)
    return row.round_number


def _subject(row: Decision, kind: str) -> Key:
    """Return the subject of a correction: a player, or a board and, for a result, the game of a match."""
    if kind == "rating":
        return (kind, row.after["entry"])
    return (kind, row.round_number, row.after["board"], row.after.get("game", 1) if kind == "result" else 0)


def _held(tournament: Tournament) -> dict[Key, Any]:
    """Return the same facts from the tables. Seven queries."""
    of = {"round__tournament": tournament}
    row = Tournament.objects.get(pk=tournament.pk)
    held: dict[Key, Any] = {("setting", name): _plain(getattr(row, name)) for name in SETTINGS}
    held["setting", "prohibited_pairs"] = pairs_of(row)
    held |= {("state", n): state for n, state in Round.objects.filter(tournament=row).values_list("number", "state")}
    for values in Entry.objects.filter(tournament=row).values("id", *OF_ENTRY):
        held |= {("entry", values["id"], name): values[name] for name in OF_ENTRY}
    byes = RequestedBye.objects.filter(entry__tournament=row).values_list("round_number", "entry_id", "kind")
    held |= {("bye", number, pk): kind for number, pk, kind in byes}
    seats = Seat.objects.filter(**of).values_list("round__number", "entry_id", "colour", "game__board", "bye")
    held |= {("seat", number, pk): bye or f"{colour}{board}" for number, pk, colour, board, bye in seats}
    games = Game.objects.filter(**of).values_list("round__number", "board", "first_id", "result")
    return held | {("result", n, board, 2 if first else 1): result for n, board, first, result in games}


def _plain(value: Any) -> object:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _place(key: Key) -> str:
    match key:
        case ("setting", name):
            return f"Setting {name}"
        case ("state", number):
            return f"Round {number}"
        case ("bye", number, pk):
            return f"Round {number}, bye asked for by entry {pk}"
        case ("seat", number, pk):
            return f"Round {number}, place of entry {pk}"
        case ("result", number, board, game):
            return f"Round {number}, result of board {board}" + (f", game {game}" if game != 1 else "")
        case _:
            return f"Entry {key[1]}, {key[2]}"


def _said(value: object) -> str:
    return "nothing" if value is None else f"“{value}”"


def _actions(
    reading: Callable[[Told, Decision], None], *codes: str
) -> Iterable[tuple[str, Callable[[Told, Decision], None]]]:
    return ((code, reading) for code in codes)


READINGS: Final[dict[str, Callable[[Told, Decision], None]]] = dict(
    (
        *_actions(Told.created, Action.TOURNAMENT_CREATED),
        *_actions(Told.imported, Action.TOURNAMENT_IMPORTED),
        *_actions(Told.updated, Action.TOURNAMENT_UPDATED, Action.TIE_BREAKS_CHANGED, Action.ROUNDS_CHANGED),
        *_actions(Told.prohibited, Action.PROHIBITED_PAIRS_SET),
        *_actions(Told.lots, Action.LOTS_DRAWN),
        *_actions(Told.colour, Action.COLOUR_DRAWN),
        *_actions(Told.entered, Action.ENTRY_ADDED),
        *_actions(Told.entered_from_file, Action.ENTRIES_IMPORTED),
        *_actions(Told.mended, Action.ENTRY_UPDATED, Action.ENTRY_RATING_CHANGED),
        *_actions(Told.removed, Action.ENTRY_REMOVED),
        *_actions(Told.numbered, Action.NUMBERS_ASSIGNED),
        *_actions(
            Told.withdrawn,
            Action.ENTRY_WITHDRAWN,
            Action.ENTRY_RETURNED,
            Action.ABSENCE_WITHDRAWN,
            Action.ABSENCE_LIFTED,
        ),
        *_actions(Told.explained, Action.ABSENCE_EXPLAINED),
        *_actions(Told.bye, Action.BYE_REQUESTED, Action.BYE_CANCELLED),
        *_actions(Told.settled, Action.CHECK_IN_SETTLED),
        *_actions(Told.paired, Action.ROUND_PAIRED),
        *_actions(Told.paired_by_hand, Action.ROUND_PAIRED_BY_HAND),
        *_actions(Told.discarded, Action.ROUND_DISCARDED),
        *_actions(Told.published, Action.PAIRINGS_PUBLISHED, Action.RESULTS_PUBLISHED),
        *_actions(Told.rearranged, Action.ROUND_ARRANGED, Action.ROUND_CHANGED),
        *_actions(Told.result, Action.RESULT_RECORDED),
        *_actions(Told.adjourned, Action.GAMES_ADJOURNED),
        *_actions(Told.corrected, Action.RESULT_CORRECTED, Action.COLOURS_CORRECTED, Action.RATING_CORRECTED),
        *_actions(Told.applied, Action.CORRECTION_APPLIED),
    )
)
"""How to read each action; other actions contain no compared facts."""
