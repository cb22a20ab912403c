"""Replay the record alone, line by line: what the tables must hold if
nothing happened except the recorded actions.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

from pairing.rules.draws import Draw, seed_of
from pairing.rules.handling import handling_for
from tournaments.models import Decision, Tournament

from . import replay_check_in, replay_corrections, replay_games, replay_undo
from .contents import Contents, RoundContents
from .declared_keys import require_declared_keys
from .replay_players import expulsion, order_of_equals, rank_again


class Replay:
    """Reads the lines of a record in order, from an empty tournament on;
    ``contents`` grow with them.

    Fails for an unknown action, for a *before* that differs from the lines above it, and for what
    no rule allows.
    """

    def __init__(self) -> None:
        self.contents = Contents()
        self.earlier = Contents()
        """The content before the newest line, to which its undo leads back."""
        self.sequence = 0
        self.rows: dict[int, Decision] = {}
        """The lines by number, without those that were undone."""

        self.by_rule: dict[tuple[int, int], tuple[int | None, int]] = {}
        """Withdrawals made by the rules, by entry and round: the value before, the value after."""

        self.waiting: dict[tuple[object, ...], object] = {}
        """The values of corrections that wait for the next publication."""

        self.ever_paired = 0
        """The last round that ever had a draft: undoing the draft
        does not undo that people read it.
        """

    @property
    def nothing_yet(self) -> tuple[str, ...]:
        """The results of a board that was just paired:
        of one game, or of the two games of a match.
        """
        return (
            ("", "") if str(self.contents.settings["system"]).startswith("double_swiss") else ("",)
        )

    def read_on(self, tournament: Tournament) -> list[Decision]:
        """Read the lines that are new since the last time."""
        rows = list(
            Decision.objects.filter(tournament=tournament, sequence__gt=self.sequence).order_by(
                "sequence"
            )
        )
        for row in rows:
            require_declared_keys(row)
            before = copy.deepcopy(self.contents)
            if row.action in ("round.paired", "round.paired_by_hand"):
                self.ever_paired = max(self.ever_paired, row.round_number or 0)
            assert (
                not self.contents.settings.get("final_at")
                or row.action in replay_check_in.WHILE_FINAL
            )
            READINGS[row.action](self, row)
            self.earlier = before
            self.rows[row.sequence] = row
            self.sequence = row.sequence
        return rows

    @property
    def handling(self) -> str:
        """Return the recorded edition of the handling rules,
        or else the edition of the pairing system's time.
        """
        settings = self.contents.settings
        return str(settings.get("handling_edition") or handling_for(str(settings["system"])))

    def round(self, row: Decision) -> RoundContents:
        assert row.round_number is not None
        return self.contents.rounds[row.round_number]

    # The tournament

    def created(self, row: Decision) -> None:
        self.contents.settings = dict(row.after)
        self.declare_rounds()

    def updated(self, row: Decision) -> None:
        for name, value in row.before.items():
            assert self.contents.settings.get(name, value) == value
        self.contents.settings.update(row.after)
        self.declare_rounds()
        if {"rating_method", "second_rating_method"} & row.after.keys():
            rank_again(self.contents.settings, *self.contents.entries.values())

    def declare_rounds(self) -> None:
        numbers = range(1, self.contents.settings["total_rounds"] + 1)  # type: ignore[operator]
        assert all(
            kept.state == "planned"
            for number, kept in self.contents.rounds.items()
            if number not in numbers
        )
        self.contents.rounds = {
            number: self.contents.rounds.get(number) or RoundContents() for number in numbers
        }

    def number_of_rounds(self, row: Decision) -> None:
        total = row.after["total_rounds"]
        assert row.reason
        assert not self.contents.is_over
        assert self.contents.settings["total_rounds"] == row.before["total_rounds"] != total
        gone = {key: kind for key, kind in self.contents.byes_requested.items() if key[1] > total}
        assert sorted(gone) == sorted((bye["entry"], bye["round"]) for bye in row.before["byes"])
        self.contents.byes_requested = {
            key: kind for key, kind in self.contents.byes_requested.items() if key not in gone
        }
        self.contents.settings["total_rounds"] = total
        if (self.contents.check_in[0] or 0) > total:
            self.contents.check_in = (None, False)
        self.declare_rounds()

    def lots_drawn(self, row: Decision) -> None:
        assert not self.contents.settings.get("lots_seed")
        assert self.contents.is_over
        assert row.after["seed"] == seed_of(row.after["draw_secret"], Draw.LOTS, row.after["named"])
        self.contents.settings["lots_seed"] = row.after["seed"]

    def made_final(self, row: Decision) -> None:
        assert not self.contents.settings.get("final_at")
        assert self.contents.is_over
        boards = [board for kept in self.contents.rounds.values() for board in kept.boards.values()]
        assert not any("??" in results for _, _, results in boards)
        self.contents.settings["final_at"] = row.after["final_at"]

    def reopened(self, row: Decision) -> None:
        assert row.reason
        assert row.before["final_at"] == self.contents.settings["final_at"]
        self.contents.settings |= {"final_at": None, **row.after}

    def points_adjusted(self, row: Decision) -> None:
        self.require_newest(row)
        assert row.article
        self.contents.decided.append(
            (row.after["entry"], row.after["points"], row.round_number or 0)
        )

    def points_withdrawn(self, row: Decision) -> None:
        self.require_newest(row)
        self.contents.decided.remove(
            (row.before["entry"], row.before["points"], row.round_number or 0)
        )

    def require_newest(self, row: Decision) -> None:
        """Check that points belong to the newest round with published pairings,
        and have a reason.
        """
        states = {number: kept.state for number, kept in self.contents.rounds.items()}
        assert row.round_number == max(
            n for n, state in states.items() if state.endswith("published")
        )
        assert row.reason

    def colour_drawn(self, row: Decision) -> None:
        assert row.reason or not self.contents.settings.get("initial_colour")
        self.contents.settings["initial_colour"] = row.after["colour"]

    def tie_breaks(self, row: Decision) -> None:
        """Check that there is a reason and that the last round is not over."""
        assert row.reason
        assert not self.contents.is_over
        self.contents.settings.update(row.after)

    def nothing(self, row: Decision) -> None:
        """Do nothing: the action changes no table here."""

    # Entries

    def imported(self, row: Decision) -> None:
        for contents in sorted(row.after["entries"], key=lambda each: each["tpn"] or 0):
            self.enter(contents)

    def entered(self, row: Decision) -> None:
        self.enter(row.after)

    def enter(self, described: dict[str, Any]) -> None:
        contents = dict(described)
        pk, tpn = contents.pop("entry"), contents["tpn"]
        if tpn is not None:
            for other in self.contents.entries.values():
                other["tpn"] += other["tpn"] >= tpn
        self.contents.entries[pk] = {**contents, "withdrawn_from": None, "answer": ""}
        assert self.handling != "c04_2_2017" or contents["first_round"] <= 3
        letter = str(self.contents.settings.get("late_entry_bye", "Z"))
        for number, kept in self.contents.rounds.items():
            if number < contents["first_round"] and kept.state != "planned" and letter != "Z":
                kept.byes[pk] = letter

    def mended(self, row: Decision) -> None:
        """Change an entry; once a round has been paired,
        an action of its own changes the ranking data.
        """
        ranks = {"rating", "rating_source", "title", "fide_rating", "national_rating"}
        assert not self.ever_paired or ranks.isdisjoint(row.after)
        if "first_round" in row.after:
            kept = self.contents.rounds.get(row.before["first_round"])
            assert kept is None or kept.state in ("planned", "draft")
        self.mend(row)

    def rating_changed(self, row: Decision) -> None:
        assert row.reason
        assert self.ever_paired
        assert not self.contents.is_over
        self.mend(row)

    def mend(self, row: Decision) -> None:
        entry = self.contents.entries[row.after["entry"]]
        for name, value in row.before.items():
            assert name == "entry" or entry[name] == value
        entry.update({name: value for name, value in row.after.items() if name != "entry"})

    def removed(self, row: Decision) -> None:
        gone = self.contents.entries.pop(row.before["entry"])
        for requested in [
            key for key in self.contents.byes_requested if key[0] == row.before["entry"]
        ]:
            del self.contents.byes_requested[requested]
        if gone["tpn"] is not None:
            for other in self.contents.entries.values():
                if other["tpn"] is not None:
                    other["tpn"] -= other["tpn"] > gone["tpn"]

    def numbered(self, row: Decision) -> None:
        assert self.ever_paired < 4
        assert not self.contents.is_over
        assert {str(pk): entry["tpn"] for pk, entry in self.contents.entries.items()} == row.before[
            "tpn"
        ]
        for pk, tpn in row.after["tpn"].items():
            self.contents.entries[int(pk)]["tpn"] = tpn

    def withdrawn(self, row: Decision) -> None:
        entry = self.contents.entries[row.after["entry"]]
        assert entry["withdrawn_from"] == row.before["value"]
        entry["withdrawn_from"] = row.after["value"]

    def returned(self, row: Decision) -> None:
        expulsion(self.contents.settings, row)
        self.withdrawn(row)

    def withdrawn_by_rule(self, row: Decision) -> None:
        assert row.round_number is not None
        self.by_rule[row.after["entry"], row.round_number] = (
            row.before["value"],
            row.after["value"],
        )
        self.withdrawn(row)

    def explained(self, row: Decision) -> None:
        """Cancel a withdrawal made by the rules, unless another
        action changed that withdrawal since.
        """
        entry = self.contents.entries[row.after["entry"]]
        before, after = self.by_rule.get((row.after["entry"], row.round_number or 0), (None, None))
        if after is not None and entry["withdrawn_from"] == after:
            entry["withdrawn_from"] = before

    def bye(self, row: Decision) -> None:
        assert row.round_number is not None
        self.require_unpublished(row.round_number)
        key = (row.after["entry"], row.round_number)
        assert self.contents.byes_requested.pop(key, None) == row.before["value"]
        if row.after["value"] is not None:
            self.contents.byes_requested[key] = row.after["value"]

    def require_unpublished(self, number: int) -> None:
        assert self.contents.rounds[number].state in ("planned", "draft")

    # Rounds

    def paired(self, row: Decision) -> None:
        assert row.round_number is not None
        kept = self.round(row)
        assert kept.state == row.before["state"]
        kept.state = "draft"
        pairs = enumerate(row.after["boards"], start=1)
        kept.boards = {n: (white, black, self.nothing_yet) for n, (white, black) in pairs}
        self.leave_out(row, kept)
        replay_check_in.require_all_there(self, row)
        if row.after["pairing_allocated_bye"] is not None:
            kept.byes[self.contents.by_tpn(row.after["pairing_allocated_bye"])] = "U"

    def leave_out(self, row: Decision, kept: RoundContents) -> None:
        """Give the players who are not paired their requested byes."""
        assert row.round_number is not None
        kept.byes = {}
        for tpn in row.after["not_paired"]:
            pk = self.contents.by_tpn(tpn)
            entry = self.contents.entries[pk]
            if self.contents.takes_part(pk, row.round_number):
                skip = "Z" if entry["answer"] == "skip" else ""
                kept.byes[pk] = self.contents.byes_requested.get((pk, row.round_number), skip)
            elif entry["withdrawn_from"] is None:
                kept.byes[pk] = str(self.contents.settings.get("late_entry_bye", "Z"))
            else:
                kept.byes[pk] = "Z"

    def paired_by_hand(self, row: Decision) -> None:
        kept = self.round(row)
        assert kept.state in ("planned", "draft")
        assert row.reason
        kept.state = "draft"
        kept.boards = {
            int(n): (white, black, self.nothing_yet)
            for n, (white, black) in row.after["boards"].items()
        }
        self.leave_out(row, kept)
        replay_check_in.require_all_there(self, row)
        kept.byes |= {int(pk): letter for pk, letter in row.after["byes"].items()}

    def discarded(self, row: Decision) -> None:
        assert self.round(row).state == "draft"
        assert row.round_number is not None
        self.contents.rounds[row.round_number] = RoundContents()

    def published(self, row: Decision) -> None:
        assert self.round(row).state == "draft"
        self.round(row).state = "pairings_published"
        if row.after.get("leaves_fide_mode"):
            self.contents.settings["left_fide_mode"] = row.round_number

    def rearranged(self, row: Decision) -> None:
        kept = self.round(row)
        assert kept.state == ("draft" if row.action == "round.arranged" else "pairings_published")
        assert row.reason
        there = self.to_play(kept)
        for number, pair in row.before["boards"].items():
            white, black, results = kept.boards.pop(int(number))
            kept.dates = {key: date for key, date in kept.dates.items() if key[0] != int(number)}
            assert [white, black] == pair
            assert not set("".join(results)) & set("10=WDL?")
            there -= {pk for pk, letter in zip(pair, results[0], strict=False) if letter == "-"}
        for number, (white, black) in row.after["boards"].items():
            kept.boards[int(number)] = (white, black, self.nothing_yet)
        for pk in (pk for white, black, _ in kept.boards.values() for pk in (white, black)):
            kept.byes.pop(pk, None)
        kept.byes |= {int(pk): letter for pk, letter in row.after["byes"].items()}
        if row.action == "round.changed":
            assert there <= self.to_play(kept)
            self.arrive(row, kept)

    def to_play(self, kept: RoundContents) -> set[int]:
        """Return the players with a game or the pairing-allocated bye."""
        seated = {pk for white, black, _ in kept.boards.values() for pk in (white, black)}
        return seated | {pk for pk, letter in kept.byes.items() if letter == "U"}

    def arrive(self, row: Decision, kept: RoundContents) -> None:
        """Let a late entry who got a board play from this round on."""
        alone = {pk for pk, letter in kept.byes.items() if letter == "U"}
        for pk in {pk for pair in row.after["boards"].values() for pk in pair} | alone:
            entry = self.contents.entries[pk]
            entry["first_round"] = min(entry["first_round"], row.round_number)

    def result(self, row: Decision) -> None:
        kept = self.round(row)
        before, after = row.before["result"], row.after["result"]
        assert kept.state == "pairings_published" or (
            kept.state == "results_published" and before == "??" and after
        )
        self.set_result(row, kept)

    def set_result(self, row: Decision, kept: RoundContents) -> None:
        """Set the result of one game: the game of the board,
        or the game of the match that the line names.
        """
        white, black, results = kept.boards[row.after["board"]]
        number = row.after.get("game", 1) - 1
        assert results[number] == row.before["result"]
        new = (*results[:number], row.after["result"], *results[number + 1 :])
        kept.boards[row.after["board"]] = (white, black, new)

    def adjourned(self, row: Decision) -> None:
        kept = self.round(row)
        for number in row.after["boards"]:
            white, black, results = kept.boards[number]
            assert {"", "??"} & {*results}
            kept.boards[number] = (white, black, tuple(result or "??" for result in results))

    def results_published(self, row: Decision) -> None:
        kept = self.round(row)
        assert kept.state == "pairings_published"
        assert all(result for _, _, results in kept.boards.values() for result in results)
        kept.state = "results_published"

    def undone(self, row: Decision) -> None:
        """Reverse an earlier line; if it was the line before,
        the content is what it was before it.
        """
        replay_undo.undone(self, row, READINGS)


READINGS_OF_RESULTS: Final = ("result.read", "reading.decided", "result.confirmed")
READINGS: Final[dict[str, Callable[[Replay, Decision], None]]] = {
    "tournament.created": Replay.created,
    **{
        f"tournament.{done}": Replay.updated
        for done in ("updated", "listed", "unlisted", "archived", "restored")
    },
    "tie_breaks.changed": Replay.tie_breaks,
    "colour.drawn": Replay.colour_drawn,
    **dict.fromkeys(
        ["round.scheduled", "tournament.duplicated", "deadline.cut_short"], Replay.nothing
    ),
    **dict.fromkeys(["person.appointed", "password.set"], Replay.nothing),
    **dict.fromkeys(
        ["boards.announced", "announcement.withdrawn", *READINGS_OF_RESULTS], Replay.nothing
    ),
    "rounds.changed": Replay.number_of_rounds,
    "lots.drawn": Replay.lots_drawn,
    "equals.ranked": lambda replay, row: order_of_equals(replay.contents.settings, row),
    "entry.expelled": Replay.returned,
    "points.adjusted": Replay.points_adjusted,
    "points.withdrawn": Replay.points_withdrawn,
    **dict.fromkeys(
        ["protest.lodged", "protest.decided", "protest.appealed", "appeal.decided"], Replay.nothing
    ),
    "standings.made_final": Replay.made_final,
    "standings.reopened": Replay.reopened,
    "data.deleted": replay_check_in.data_deleted,
    "absence.explained": Replay.explained,
    "absence.withdrawn": Replay.withdrawn_by_rule,
    "absence.lifted": Replay.withdrawn,
    "entry.added": Replay.entered,
    "entries.imported": Replay.imported,
    "entry.updated": Replay.mended,
    "entry.rating_changed": Replay.rating_changed,
    "entry.removed": Replay.removed,
    "numbers.assigned": Replay.numbered,
    "entry.withdrawn": Replay.withdrawn,
    "entry.returned": Replay.returned,
    "bye.requested": Replay.bye,
    "bye.cancelled": Replay.bye,
    "entry.checked_in": replay_check_in.ticked,
    "entry.checked_out": replay_check_in.ticked,
    "entries.checked_in": replay_check_in.all_ticked,
    "check_in.opened": replay_check_in.check_in_opened,
    "check_in.closed": replay_check_in.check_in_closed,
    "check_in.settled": replay_check_in.settled,
    "check_in.answered": replay_check_in.answered,
    "round.paired": Replay.paired,
    "round.paired_by_hand": Replay.paired_by_hand,
    "round.discarded": Replay.discarded,
    "pairings.published": Replay.published,
    "round.arranged": Replay.rearranged,
    "round.changed": Replay.rearranged,
    "result.recorded": Replay.result,
    "games.adjourned": Replay.adjourned,
    "results.published": Replay.results_published,
    **replay_games.READINGS,
    **dict.fromkeys(
        ["result.corrected", "colours.corrected", "rating.corrected"], replay_corrections.corrected
    ),
    "correction.applied": replay_corrections.applied,
    "action.undone": Replay.undone,
    "result.undone": Replay.undone,
}
"""What every action of the record does to a tournament."""
