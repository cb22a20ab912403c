"""Compare the tables with the record: read every action again, in order, and compare the outcome.

The content of the record is stored as single facts, each under a key such as ``("result", round, board, game)``. Data
that no action contains is not compared: the rounds of an imported file, the data of imported players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pairing.rules.check_in import Consequence
from pairing.rules.corrections import CorrectionEffect
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.rules.undo import Undoable
from tournaments.models import (
    Action,
    Decision,
    Entry,
    Game,
    RequestedBye,
    Round,
    Seat,
    Tournament,
    payload_data as data,
    payloads,
)

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
        payload = row.payload
        if isinstance(payload, payloads.ActionUndone | payloads.ResultUndone):
            self._undo(row, payload.after["action"])
            return
        if row.action in {kind.value for kind in Undoable}:
            self._before = dict(self.facts), set(self.whole), dict(self.waiting)
        match payload:
            case payloads.RoundPaired(after=pairing):
                self.paired(_number(row), pairing)
            case payloads.RoundPairedByHand(after=by_hand):
                self.paired_by_hand(_number(row), by_hand)
            case payloads.RoundDiscarded():
                self.clear(_number(row))
            case payloads.PairingsPublished(after=published) | payloads.ResultsPublished(after=published):
                self.facts["state", _number(row)] = published["state"]
            case payloads.RoundArranged(before=left, after=taken) | payloads.RoundChanged(before=left, after=taken):
                self.rearranged(_number(row), left, taken)
                if isinstance(payload, payloads.RoundChanged):
                    self.let_play(_number(row), taken)
            case payloads.ResultRecorded(after=score):
                self.result(_number(row), score)
            case payloads.GamesAdjourned(after=adjourned):
                self.adjourned(_number(row), adjourned["boards"])
            case payloads.ResultCorrected() | payloads.ColoursCorrected() | payloads.RatingCorrected():
                self.corrected(_number(row), payload.after, payload.after["effect"])
            case payloads.CorrectionApplied(after=correction):
                self.apply(_number(row), correction)
            case _:
                self.read_outside_rounds(row, payload)

    def read_outside_rounds(self, row: Decision, payload: payloads.AnyPayload) -> None:
        """Apply an action on the tournament or on its players."""
        match payload:
            case payloads.TournamentCreated(after=settings):
                self.is_from_the_start = True
                self.facts |= {("setting", "prohibited_pairs"): [], ("setting", "final_at"): None}
                self.set_up(settings)
            case payloads.TournamentUpdated(after=settings):
                self.set_up(settings)
            case payloads.TieBreaksChanged(after=listed):
                self.facts["setting", "tie_breaks"] = listed["tie_breaks"]
                self.facts["setting", "tie_break_edition"] = listed["tie_break_edition"]
            case payloads.RoundsChanged(after=rounds):
                self.declare(rounds["total_rounds"])
            case payloads.TournamentImported(after=file):
                self.imported_rounds = file["rounds"]
            case payloads.ProhibitedPairsSet(after=prohibited):
                self.facts["setting", "prohibited_pairs"] = prohibited["pairs"]
            case payloads.StandingsMadeFinal(after=final):
                self.facts["setting", "final_at"] = final["final_at"]
            case payloads.StandingsReopened():
                self.facts["setting", "final_at"] = None
            case payloads.LotsDrawn(after=lots):
                self.facts["setting", "lots_seed"] = lots["seed"]
            case payloads.ColourDrawn(after=colour):
                self.facts["setting", "initial_colour"] = colour["colour"]
                self.facts["setting", "initial_colour_method"] = colour["method"]
            case payloads.EntryAdded(after=entry):
                self.enter(entry)
            case payloads.EntriesImported(after=file):
                # As if one by one, by their numbers.
                for entry in sorted(file["entries"], key=lambda each: each["tpn"] or 0):
                    self.enter(entry)
            case payloads.EntryUpdated(after=change) | payloads.EntryRatingChanged(after=change):
                self.set_entry(change["entry"], change)
            case payloads.EntryRemoved(before=entry):
                self.removed(entry["entry"], entry["tpn"])
            case payloads.NumbersAssigned(after=numbers):
                self.facts |= {("entry", int(pk), "tpn"): tpn for pk, tpn in numbers["tpn"].items()}
            case (
                payloads.EntryWithdrawn()
                | payloads.EntryReturned()
                | payloads.AbsenceWithdrawn()
                | payloads.AbsenceLifted()
            ):
                after = payload.after
                self.facts["entry", after["entry"], "withdrawn_from"] = after["value"]
                if isinstance(payload, payloads.AbsenceWithdrawn):
                    self.by_rule[after["entry"], _number(row)] = payload.before["value"], after["value"]
            case payloads.AbsenceExplained(after=absence):
                self.explained(_number(row), absence["entry"])
            case payloads.ByeRequested(after=bye) | payloads.ByeCancelled(after=bye):
                self.set_bye(_number(row), bye["entry"], bye["value"])
            case payloads.CheckInSettled(after=settled):
                self.settled(settled)
            case _:
                pass  # the action contains no compared facts

    def says_all_of(self, key: Key) -> bool:
        """Return whether the record is complete for *key*: a missing fact then means that there is none."""
        kind, number = key[0], key[1]
        return number in self.whole if kind in ("seat", "result") else kind == "bye" and self.is_from_the_start

    def _undo(self, row: Decision, action: str) -> None:
        self.facts, self.whole, self.waiting = self._before
        if action in (Action.ROUND_PAIRED, Action.ROUND_PAIRED_BY_HAND):
            self.clear(_number(row))

    # Settings

    def set_up(self, settings: data.Settings) -> None:
        self.facts |= {("setting", name): value for name, value in settings.items() if name in SETTINGS}
        if "total_rounds" in settings:
            self.declare(settings["total_rounds"])

    def declare(self, total: int) -> None:
        """Set the number of rounds to *total*."""
        self.facts["setting", "total_rounds"] = total
        for key in [key for key in self.facts if key[0] in ("state", "bye") and int(str(key[1])) > total]:
            del self.facts[key]
        for number in range(1, total + 1):
            if number > self.imported_rounds:
                self.facts.setdefault(("state", number), RoundState.PLANNED.value)

    # Players

    def enter(self, described: data.EntryData) -> None:
        pk, tpn = described["entry"], described["tpn"]
        if tpn is not None:
            self.shift(tpn, 1)
        self.set_entry(pk, described)
        self.facts["entry", pk, "withdrawn_from"] = None
        self.missed(pk, described["first_round"])

    def missed(self, pk: int, first: int) -> None:
        """Give a late entry the byes of the missed rounds."""
        letter = self.facts.get(("setting", "late_entry_bye"), "Z")
        for number in self.rounds():
            if number < first and letter != "Z" and self.facts.get(("state", number)) != RoundState.PLANNED.value:
                self.facts["seat", number, pk] = letter

    def set_entry(self, pk: int, values: Mapping[str, object]) -> None:
        self.facts |= {("entry", pk, name): value for name, value in values.items() if name in OF_ENTRY}

    def removed(self, pk: int, tpn: int | None) -> None:
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

    def explained(self, number: int, pk: int) -> None:
        """Cancel the automatic withdrawal, unless another action has changed it since."""
        key = ("entry", pk, "withdrawn_from")
        before, after = self.by_rule.get((pk, number), (None, None))
        if after is not None and self.facts.get(key) == after:
            self.facts[key] = before

    def set_bye(self, number: int, pk: int, kind: str | None) -> None:
        if kind is None:
            self.facts.pop(("bye", number, pk), None)
        else:
            self.facts["bye", number, pk] = kind

    def settled(self, settled: data.MissingAfter) -> None:
        number, consequence = settled["for_round"], settled["consequence"]
        if consequence == Consequence.PAIRED.value:
            return  # paired players count as checked in, which is not compared
        for missing in settled["missing"]:
            if consequence == Consequence.EXCLUDED.value:
                self.facts["entry", missing["entry"], "withdrawn_from"] = number
            else:
                self.set_bye(number, missing["entry"], consequence)

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

    def paired(self, number: int, pairing: data.EnginePairing) -> None:
        self.clear(number)
        for board, (white, black) in enumerate(pairing["boards"], start=1):
            self.pair(number, board, white, black)
        bye = pairing["pairing_allocated_bye"]
        if bye is not None and (pk := self.by_tpn().get(bye)) is not None:
            self.facts["seat", number, pk] = "U"
        self.left_out(number, pairing["not_paired"], bye)

    def paired_by_hand(self, number: int, pairing: data.PlacesByHand) -> None:
        self.clear(number)
        for board, (white, black) in pairing["boards"].items():
            self.pair(number, int(board), white, black)
        self.left_out(number, pairing["not_paired"])
        self.facts |= {("seat", number, int(pk)): letter for pk, letter in pairing["byes"].items()}

    def left_out(self, number: int, not_paired: list[int], bye: int | None = None) -> None:
        """Give the unpaired players their byes and set the round to draft; it is complete if all of them are known.

        *bye* is the number of the player with the engine's pairing-allocated bye.
        """
        by_tpn = self.by_tpn()
        self.facts["state", number] = RoundState.DRAFT.value
        if self.is_from_the_start and all(tpn is None or tpn in by_tpn for tpn in (bye, *not_paired)):
            self.whole.add(number)
        for tpn in not_paired:
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

    def rearranged(self, number: int, before: data.Places, after: data.Places) -> None:
        for board, pair in before["boards"].items():
            for pk in pair:
                self.facts.pop(("seat", number, pk), None)
            for game in (1, 2):
                self.facts.pop(("result", number, int(board), game), None)
        for entry in before["byes"]:
            self.facts.pop(("seat", number, int(entry)), None)
        for board, (white, black) in after["boards"].items():
            self.pair(number, int(board), white, black)
        self.facts |= {("seat", number, int(entry)): letter for entry, letter in after["byes"].items()}

    def let_play(self, number: int, places: data.Places) -> None:
        """Let a late entry with a place play from round *number* on."""
        seated = [pk for pair in places["boards"].values() for pk in pair]
        for pk in [*seated, *(int(entry) for entry, letter in places["byes"].items() if letter == "U")]:
            first = self.facts.get(("entry", pk, "first_round"), UNSAID)
            self.facts["entry", pk, "first_round"] = first if first is UNSAID else min(first, number)

    def result(self, number: int, score: data.BoardResult) -> None:
        self.facts["result", number, score["board"], score.get("game", 1)] = score["result"]

    def adjourned(self, number: int, boards: list[int]) -> None:
        for board in boards:
            for game in (1, 2):
                key = ("result", number, board, game)
                if self.facts.get(key) == "":
                    self.facts[key] = "??"

    # Corrections

    def corrected(self, number: int, right: data.Applied, effect: str) -> None:
        """Apply a correction that counts now; keep one that waits, which replaces an earlier one."""
        following = number + 1
        is_public = following <= self.imported_rounds or self.facts.get(("state", following)) in PUBLIC_STATES
        waits = effect == CorrectionEffect.NEXT_PAIRING and not is_public
        if waits:
            self.waiting |= _values(number, right)
        elif effect == CorrectionEffect.RATING_ONLY:
            for key in _values(number, right):
                self.waiting.pop(key, None)
        else:
            self.apply(number, right)

    def apply(self, number: int, right: data.Applied) -> None:
        """Apply a correction; none of the same values waits any more."""
        for key in _values(number, right):
            self.waiting.pop(key, None)
        if "entry" in right:
            pk = right["entry"]
            self.facts |= {("entry", pk, name): value for (_, _, name), value in _values(number, right).items()}
            self.facts |= {("entry", pk, name): UNSAID for name in ("rating", "rating_source")}
        elif "result" in right:
            self.result(number, right)
        else:
            self.turn(number, right["board"], right["white"], right["black"])

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


def _values(number: int, right: data.Applied) -> dict[Key, object]:
    """Return the values of a correction, each under its player, or its board and, for a result, the game of a match."""
    if "entry" in right:
        ratings: Mapping[str, object] = right
        return {("rating", right["entry"], name): ratings[name] for name in RATINGS if name in ratings}
    if "result" in right:
        return {("result", number, right["board"], right.get("game", 1), "result"): right["result"]}
    of_board = ("colours", number, right["board"], 0)
    return {(*of_board, "white"): right["white"], (*of_board, "black"): right["black"]}


def _held(tournament: Tournament) -> dict[Key, Any]:
    """Return the same facts from the tables. Seven queries."""
    of = {"round__tournament": tournament}
    row = Tournament.objects.get(pk=tournament.pk)
    held: dict[Key, Any] = {("setting", name): _plain(getattr(row, name)) for name in SETTINGS}
    held["setting", "prohibited_pairs"] = [
        list(pair) for pair in row.prohibited_pairs.values_list("one_id", "other_id")
    ]
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
