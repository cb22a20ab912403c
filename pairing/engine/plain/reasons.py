"""Say plainly why a player has an opponent, or has not: facts without words [C.04.1/2026 9].

A :class:`Plain` names a sentence and the facts it claims; ``words`` has the sentences. Every claim
can be checked against the state of the tournament, whatever the pairing system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.due_colours import DueColours, due_colours
from pairing.engine.dutch.explain.explanation import BracketExplanation, RoundExplanation
from pairing.engine.model import TPN, Colour, Pairing, TournamentState
from pairing.engine.past import Past, pasts


@dataclass(frozen=True, slots=True)
class Plain:
    """One sentence: its ``code``, and the facts in it.

    ``player`` is the person spoken to, ``opponent`` the one met, ``other`` the one not met.
    ``points`` are in tenths, ``numbers`` are counts, places and rounds, ``colours`` are by the name
    of the fact.
    """

    code: str
    player: TPN
    opponent: TPN | None = None
    other: TPN | None = None
    points: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    colours: Mapping[str, Colour] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why two players do not meet, in the form all systems share.

    ``kind`` is the outcome of the system's own explanation (``C1``, ``worse`` …), ``criterion`` the
    first criterion that gets worse, by the name that the system gives it.
    """

    kind: str
    criterion: str = ""
    system: str = ""


_GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "dutch_2026": {
        "C5": "bye",
        "C9": "bye",
        **dict.fromkeys(("C6", "C7", "C8"), "floaters"),
        **dict.fromkeys(("C10", "C11", "C12", "C13"), "colours"),
        **{f"C{n}": "floats" for n in range(14, 22)},
    },
    "dutch_2017": {
        **dict.fromkeys(("C5", "C6", "C7"), "floaters"),
        **dict.fromkeys(("C8", "C9", "C10", "C11"), "colours"),
        **{f"C{n}": "floats" for n in range(12, 20)},
    },
    "double_swiss_2026": {"C4": "floaters", "C5": "floaters"},
}
"""What a criterion protects, by system."""

_MET: Final = frozenset({"C1", "B1.a"})
_BOTH_MUST: Final = frozenset({"C3", "B2"})
_INCOMPLETE: Final = frozenset({"C4", "collapsed"})
_LATER: Final = frozenset({"later", "later_set", "later_pairing"})


@dataclass(frozen=True)
class Facts:
    """The state of a round and its pairing, read for plain sentences.

    Cost: one look at each round.
    """

    state: TournamentState
    pairing: Pairing

    @cached_property
    def read(self) -> Mapping[TPN, Past]:
        return pasts(self.state)

    @cached_property
    def present(self) -> list[TPN]:
        return sorted(
            player.tpn for player in self.state.players if player.tpn not in self.state.absent
        )

    @cached_property
    def scores(self) -> Mapping[TPN, int]:
        """The scores by which the round is paired, in tenths."""
        return self._due.scores

    @cached_property
    def colours(self) -> Mapping[TPN, ColourRecord]:
        """The colour records; empty where a round is a match."""
        return self._due.records

    @cached_property
    def _due(self) -> DueColours:
        return due_colours(self.state, self.present)

    def opponent_of(self, tpn: TPN) -> TPN | None:
        for white, black in self.pairing.pairs:
            if tpn in (white, black):
                return black if tpn == white else white
        return None

    def met_in(self, one: TPN, other: TPN) -> int | None:
        """Return the first round in which the two have played each other."""
        rounds = self.state.by_tpn()[one].rounds
        found = (
            n for n, record in enumerate(rounds, 1) if record.opponent == other and record.is_played
        )
        return next(found, None)

    def is_topscorer(self, tpn: TPN) -> bool:
        """Return whether *tpn* has over half of the maximum in the last round [C.04.3/2026 1.8]."""
        state = self.state
        own = self.read[tpn].score + state.by_tpn()[tpn].decided
        return state.is_last_round and 2 * own > state.points.win * (state.round_number - 1)

    def shared_preference(self, one: TPN, other: TPN) -> tuple[Colour, bool] | None:
        """Return the colour both prefer, and whether both need it (strong or absolute), or None."""
        first, second = self.colours.get(one), self.colours.get(other)
        if (
            first is None
            or second is None
            or first.preference is None
            or first.preference is not second.preference
        ):
            return None
        return first.preference, min(first.strength, second.strength) >= Strength.STRONG


def plain_reason(
    facts: Facts, tpn: TPN, explained: object, first: TPN | None, obstacle: Obstacle | None
) -> Plain:
    """Return why *tpn* has the opponent or the bye of the pairing.

    *explained* is the explanation of the system; its brackets are used where they are those of the
    Dutch System. *first* is the opponent that the rules try first (:func:`first_opponent`),
    *obstacle* why that one failed.
    """
    if tpn in facts.state.absent:
        return Plain("absent", tpn)
    opponent = facts.opponent_of(tpn)
    if opponent is None:
        return _bye(facts, tpn)
    scores = facts.scores
    if _meets_as_topscorer(facts, tpn, opponent):
        shared = facts.shared_preference(tpn, opponent)
        assert shared is not None
        who = "you" if facts.is_topscorer(tpn) else "other"
        return Plain(f"top.{who}", tpn, opponent, colours={"colour": shared[0]})
    if scores[tpn] != scores[opponent]:
        return _float(facts, tpn, opponent, explained)
    place = _place(facts, tpn, explained)
    if first == opponent and place is not None:
        code = "first_round" if facts.state.round_number == 1 else "in_order"
        if place["players"] == 2:
            code = "only_two"
        return Plain(code, tpn, opponent, points={"score": scores[tpn]}, numbers=place)
    if first is not None and first != opponent and obstacle is not None:
        return _instead(facts, tpn, opponent, first, obstacle)
    return Plain("same_score", tpn, opponent, points={"score": scores[tpn]})


def first_opponent(facts: Facts, tpn: TPN, explained: object) -> TPN | None:
    """Return the opponent whom the rules try first for *tpn* in the group of the same score;
    None if there is none.

    In the Dutch System it is the partner at the start of the text [C.04.3/2026 3.2]; in others the
    player of the other half, if all players of the score meet each other.
    """
    group = _group(facts, tpn, explained)
    if group is None:
        return None
    players, half = group
    place = players.index(tpn)
    partner = place + half if place < half else place - half
    return players[partner] if partner < half or place < half else None


def _group(facts: Facts, tpn: TPN, explained: object) -> tuple[list[TPN], int] | None:
    """Return the players sorted as the rules sort them, and how many are in the upper half."""
    if isinstance(explained, RoundExplanation):
        for bracket in explained.brackets:
            players = [one.tpn for one in bracket.subgroups.players]
            half = len(bracket.subgroups.original_s1)
            if tpn in players and half and not _floats_from(bracket, tpn):
                return players, half
        return None
    players = [one for one in facts.present if facts.scores[one] == facts.scores[tpn]]
    closed = all(facts.opponent_of(one) in players for one in players)
    return (players, len(players) // 2) if closed else None


def _floats_from(bracket: BracketExplanation, tpn: TPN) -> bool:
    return any(one.tpn == tpn for one in bracket.downfloaters)


def _place(facts: Facts, tpn: TPN, explained: object) -> dict[str, int] | None:
    group = _group(facts, tpn, explained)
    if group is None:
        return None
    players, half = group
    place = players.index(tpn) + 1
    upper = place if place <= half else place - half
    return {"players": len(players), "half": half, "upper": upper, "lower": upper + half}


def _meets_as_topscorer(facts: Facts, tpn: TPN, opponent: TPN) -> bool:
    """Return whether both absolutely need one colour and meet because of the last round."""
    mine, theirs = facts.colours.get(tpn), facts.colours.get(opponent)
    both = mine is not None and theirs is not None and mine.is_absolute and theirs.is_absolute
    if not both or facts.shared_preference(tpn, opponent) is None:
        return False
    return facts.is_topscorer(tpn) or facts.is_topscorer(opponent)


def _bye(facts: Facts, tpn: TPN) -> Plain:
    own = facts.scores[tpn]
    fewer = [one for one in facts.present if facts.scores[one] < own]
    points = {"score": own}
    if not fewer:
        return Plain("bye.lowest", tpn, points=points)
    if not any(facts.read[one].may_receive_pab for one in fewer):
        return Plain("bye.barred", tpn, points=points, numbers={"fewer": len(fewer)})
    return Plain("bye", tpn, points=points)


def _float(facts: Facts, tpn: TPN, opponent: TPN, explained: object) -> Plain:
    mine, theirs = facts.scores[tpn], facts.scores[opponent]
    down = tpn if mine > theirs else opponent
    points = {"score": mine, "other": theirs}
    numbers: dict[str, int] = {}
    way = "down" if down == tpn else "up"
    if isinstance(explained, RoundExplanation):
        left = next((one for one in explained.brackets if _floats_from(one, down)), None)
        if left is not None and len(left.downfloaters) == 1 and len(left.players) % 2:
            numbers = {"players": len(left.players)}
            way += ".odd"
    return Plain(f"float.{way}", tpn, opponent, points=points, numbers=numbers)


def _instead(facts: Facts, tpn: TPN, opponent: TPN, first: TPN, obstacle: Obstacle) -> Plain:
    """Return why *tpn* meets *opponent*, a player with the same score, and not *first*."""
    found = _obstacle(facts, tpn, first, obstacle)
    colours = dict(found.colours)
    code = f"instead.{found.code}"
    if found.code in ("needed", "preferred"):
        record = facts.colours[opponent]
        wanted = colours["colour"]
        if record.preference is wanted.opposite:
            code += ".needed" if record.strength >= Strength.STRONG else ".preferred"
            colours["theirs"] = wanted.opposite
        elif record.preference is None:
            code += ".none"
    return Plain(code, tpn, opponent, first, {"score": facts.scores[tpn]}, found.numbers, colours)


def plain_why_not(facts: Facts, tpn: TPN, other: TPN, obstacle: Obstacle) -> Plain:
    """Return why *tpn* does not meet *other*."""
    if obstacle.kind == "paired":
        return Plain("not.paired", tpn, other=other)
    if tpn in facts.state.absent or other in facts.state.absent:
        return Plain("not.absent" if other in facts.state.absent else "absent", tpn, other=other)
    mine, theirs = facts.scores[tpn], facts.scores[other]
    found = _obstacle(facts, tpn, other, obstacle)
    if found.code in ("floaters", "bye", "order", "colours", "floats") and mine != theirs:
        return Plain("not.scores", tpn, other=other, points={"score": mine, "other": theirs})
    return Plain(
        f"not.{found.code}", tpn, facts.opponent_of(tpn), other, {}, found.numbers, found.colours
    )


def _obstacle(facts: Facts, tpn: TPN, other: TPN, obstacle: Obstacle) -> Plain:
    """Return the reason alone; its code is ``met``, ``prohibited``, ``needed``, ``preferred``,
    ``incomplete``, a group of criteria, or ``order``.
    """
    kind = obstacle.kind
    if kind in _MET and (met := facts.met_in(tpn, other)) is not None:
        return Plain("met", tpn, other=other, numbers={"round": met})
    if kind == "prohibited":
        return Plain("prohibited", tpn, other=other)
    shared = facts.shared_preference(tpn, other)
    group = _GROUPS.get(obstacle.system, {}).get(obstacle.criterion, "") if kind == "worse" else ""
    if shared is not None and (kind in _BOTH_MUST or group == "colours"):
        return Plain(
            "needed" if shared[1] else "preferred", tpn, other=other, colours={"colour": shared[0]}
        )
    if kind in _INCOMPLETE:
        return Plain("incomplete", tpn, other=other)
    return Plain(
        group or ("order" if kind in _LATER or kind == "steps" else "rules"), tpn, other=other
    )


def plain_colour(facts: Facts, tpn: TPN) -> Plain | None:
    """Return why *tpn* has White or Black; None without a game, or for a match."""
    pair = next((pair for pair in facts.pairing.pairs if tpn in pair), None)
    if pair is None or not facts.colours:
        return None
    colour, opponent = (Colour.WHITE, pair[1]) if pair[0] == tpn else (Colour.BLACK, pair[0])
    mine, theirs = facts.colours[tpn], facts.colours[opponent]
    colours = {"colour": colour, "theirs": colour.opposite}
    if mine.preference is None and theirs.preference is None:
        code = "colour.number"
    elif mine.preference is colour:
        clash = theirs.preference is colour
        stronger = mine.strength > theirs.strength
        need = "needed" if mine.strength >= Strength.STRONG else "preferred"
        code = ("colour.won.stronger" if stronger else "colour.won") if clash else f"colour.{need}"
    elif theirs.preference is not colour.opposite:
        return None
    elif mine.preference is None:
        code = "colour.theirs"
    else:
        code = "colour.lost.stronger" if theirs.strength > mine.strength else "colour.lost"
    return Plain(code, tpn, opponent, colours=colours)
