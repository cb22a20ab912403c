"""Every claim of a plain sentence is true: each is checked against
the rounds of the players [C.04.1/2026 9].
"""

from __future__ import annotations

import string
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pairing.engine.errors import InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Colour, Pairing, Player, Result, TournamentState
from pairing.engine.plain.reasons import (
    Facts,
    Obstacle,
    Plain,
    first_opponent,
    plain_colour,
    plain_reason,
    plain_why_not,
)
from pairing.engine.plain.words import ENGLISH, FRENCH, LANGUAGES, plain_sentence
from pairing.engine.systems import games_a_round, pair
from pairing.explaining import explainer_of, obstacle_of
from tests.engine.compact import position
from tests.engine.match_positions import random_match_state
from tests.engine.positions import random_state
from tests.examples import Examples


class Book:
    """What the rounds of the players say, read without the code under test."""

    def __init__(self, state: TournamentState, pairing: Pairing) -> None:
        self.state, self.pairing = state, pairing
        self.players = state.by_tpn()
        self.present = [tpn for tpn in self.players if tpn not in state.absent]

    def own(self, tpn: TPN) -> int:
        total = 0
        for record in self.players[tpn].rounds:
            total += self.state.points.value(record.result)
            if record.second is not None:
                total += self.state.points.value(record.second)
        return total

    def score(self, tpn: TPN) -> int:
        return self.own(tpn) + self.players[tpn].virtual_points_in(self.state.round_number)

    def wish(self, tpn: TPN) -> tuple[Colour | None, bool]:
        """Return the colour preference of 1.7, and whether it is strong or absolute."""
        letters = [
            r.colour
            for r in self.players[tpn].rounds
            if r.is_played and r.opponent is not None and r.colour
        ]
        if not letters:
            return None, False
        ahead = sum(1 if letter is Colour.WHITE else -1 for letter in letters)
        if abs(ahead) < 2 and len(letters) > 1 and letters[-1] is letters[-2]:
            return letters[-1].opposite, True
        if ahead:
            return (Colour.BLACK if ahead > 0 else Colour.WHITE), True
        return letters[-1].opposite, False

    def opponent(self, tpn: TPN) -> TPN | None:
        return next((b if tpn == w else w for w, b in self.pairing.pairs if tpn in (w, b)), None)

    def met(self, one: TPN, other: TPN) -> set[int]:
        rounds = enumerate(self.players[one].rounds, 1)
        return {n for n, record in rounds if record.opponent == other and record.is_played}

    def can_have_bye(self, tpn: TPN) -> bool:
        system, points = self.state.system, self.state.points
        for record in self.players[tpn].rounds:
            if record.result is Result.PAIRING_ALLOCATED_BYE:
                return False
            if record.is_played:
                continue
            if system == "dutch_pre2017":
                if points.value(record.result) >= max(points.draw, points.loss + 1):
                    return False
            elif system == "dutch_2017":
                if record.result is Result.FORFEIT_WIN:
                    return False
            elif (
                points.value(record.result) + (points.value(record.second) if record.second else 0)
                >= points.win
            ):
                return False
        return True

    def is_topscorer(self, tpn: TPN) -> bool:
        return self.state.is_last_round and 2 * self.own(tpn) > self.state.points.win * (
            self.state.round_number - 1
        )


def check(plain: Plain, book: Book) -> None:
    """Fail unless each claim of *plain* is true."""
    me, them, other, code = plain.player, plain.opponent, plain.other, plain.code
    if code in ("absent", "not.absent"):
        assert (me if code == "absent" else other) in book.state.absent
        return
    if "score" in plain.points:
        assert plain.points["score"] == book.score(me)
    if "other" in plain.points:
        about = them if code.startswith("float") else other
        assert about is not None
        assert plain.points["other"] == book.score(about) != book.score(me)
    if them is not None:
        assert book.opponent(me) == them
    if code in (
        "first_round",
        "in_order",
        "only_two",
        "same_score",
        "instead.order",
    ) or code.startswith("instead."):
        assert them is not None
        assert book.score(me) == book.score(them)
    if code in ("first_round", "in_order"):
        assert (code == "first_round") == (book.state.round_number == 1)
        numbers = plain.numbers
        assert numbers["lower"] == numbers["upper"] + numbers["half"] <= numbers["players"]
        assert numbers["upper"] <= numbers["half"]
        group = [tpn for tpn in book.present if book.score(tpn) == book.score(me)]
        if code == "first_round" and len(group) == numbers["players"]:
            places = sorted((sorted(group).index(me) + 1, sorted(group).index(them) + 1))  # type: ignore[arg-type]
            assert places == [numbers["upper"], numbers["lower"]]
        assert numbers["players"] <= len(book.present)
    if code == "only_two":
        assert plain.numbers == {"players": 2, "half": 1, "upper": 1, "lower": 2}
    reason = code.split(".")[1] if code.startswith(("instead.", "not.")) else ""
    if other is not None and reason:
        check_reason(reason, plain, book)
    if code.startswith("instead.") and code.count(".") == 2:
        wish, strong = book.wish(them)  # type: ignore[arg-type]
        tail = code.rsplit(".", 1)[1]
        assert wish is (None if tail == "none" else plain.colours["theirs"])
        assert tail == "none" or strong == (tail == "needed")
    if code.startswith("float"):
        assert ("down" in code) == (plain.points["score"] > plain.points["other"])
        assert plain.numbers.get("players", 1) % 2
    if code.startswith("bye"):
        assert (book.pairing.bye, len(book.present) % 2) == (me, 1)
        fewer = [tpn for tpn in book.present if book.score(tpn) < book.score(me)]
        assert (code == "bye.lowest") == (not fewer)
        assert plain.numbers.get("fewer", len(fewer)) == len(fewer)
        if code == "bye.barred":
            assert not any(book.can_have_bye(tpn) for tpn in fewer)
    if code.startswith("top"):
        assert them is not None
        assert book.is_topscorer(me if code == "top.you" else them)
        assert book.wish(me) == book.wish(them) == (plain.colours["colour"], True)
    if code.startswith("colour"):
        check_colour(plain, book)


def check_reason(reason: str, plain: Plain, book: Book) -> None:
    me, other = plain.player, plain.other
    assert other is not None
    assert (reason == "paired") == (book.opponent(me) == other)
    if reason == "met":
        assert plain.numbers["round"] in book.met(me, other)
    elif reason == "prohibited":
        assert frozenset({me, other}) in book.state.prohibited
    elif reason in ("needed", "preferred"):
        (mine, strong), (theirs, also) = book.wish(me), book.wish(other)
        assert mine is theirs is plain.colours["colour"]
        assert (strong and also) == (reason == "needed")
    elif reason != "paired":
        assert not book.met(me, other)


def check_colour(plain: Plain, book: Book) -> None:
    me, them, colour = plain.player, plain.opponent, plain.colours["colour"]
    assert them is not None
    assert ((me, them) if colour is Colour.WHITE else (them, me)) in book.pairing.pairs
    (mine, strong), (theirs, _) = book.wish(me), book.wish(them)
    kind = plain.code.split(".")[1]
    if kind == "number":
        assert mine is theirs is None
    elif kind in ("needed", "preferred"):
        assert (mine, strong, theirs is colour) == (colour, kind == "needed", False)
    elif kind == "theirs":
        assert (mine, theirs) == (None, colour.opposite)
    else:
        assert mine is theirs is (colour if kind == "won" else colour.opposite)


def all_plain(state: TournamentState, rng: Random) -> list[Plain]:
    """Return the sentences of every player of the round, and why each does not meet another one."""
    explainer = explainer_of(state)
    explained = explainer.explain(state, [])
    facts = Facts(state, explained.pairing)
    found: list[Plain] = []
    everybody = [player.tpn for player in state.players]
    for tpn in everybody:
        mine = explainer.explain(state, [tpn]) if tpn not in state.absent else explained
        first = first_opponent(facts, tpn, mine) if tpn not in state.absent else None
        obstacle = None
        if first is not None and first != facts.opponent_of(tpn):
            obstacle = obstacle_of(explainer.why_not(state, tpn, first), state)
        found.append(plain_reason(facts, tpn, mine, first, obstacle))
        found += [one for one in (plain_colour(facts, tpn),) if one is not None]
        other = rng.choice([one for one in everybody if one != tpn])
        found.append(
            plain_why_not(
                facts, tpn, other, obstacle_of(explainer.why_not(state, tpn, other), state)
            )
        )
    return found


SYSTEMS = ("dutch_2026", "dutch_2017", "dutch_pre2017", "double_swiss_2026")


@pytest.mark.costly
@pytest.mark.parametrize("system", SYSTEMS)
def test_c04_1_9_every_claim_is_true(system: str, examples: Examples) -> None:
    seen: Counter[str] = Counter()
    for seed in examples(range(400), 25):
        rng = Random(seed)
        state = (
            random_match_state(rng)
            if system == "double_swiss_2026"
            else random_state(rng, players=(5, 14))
        )
        state = replace(state, system=system)
        try:
            pair(state)
        except NoLegalPairingError:
            continue
        book = Book(state, pair(state))
        for plain in all_plain(state, rng):
            seen[plain.code] += 1
            check(plain, book)
            for language in LANGUAGES:
                sentence = plain_sentence(plain, language, {})
                assert sentence.endswith(".")
                assert "{" not in sentence
    assert seen["same_score"] < sum(seen.values()) / 4
    if games_a_round(system) == 1:
        assert {"float.down", "colour.number", "not.scores"} & {*seen}
    if system == "dutch_2026":
        assert {"instead.met", "not.met", "not.scores", "in_order"} <= {*seen}
        assert any(code.startswith(("instead.needed", "instead.preferred")) for code in seen)


def test_c04_3_2_1_3_the_example_of_two_who_both_needed_black() -> None:
    """Four winners of round 1 with White: the first candidate, 1-3,
    would give White to one of them again.
    """
    state = position(
        {1: "5w1", 2: "6b1", 3: "7w1", 4: "8b1", 5: "1b0", 6: "2w0", 7: "3b0", 8: "4w0"},
        total_rounds=5,
    )
    assert {frozenset(two) for two in pair(state).pairs} >= {frozenset({1, 4}), frozenset({2, 3})}
    explainer = explainer_of(state)
    explained = explainer.explain(state, [TPN(1)])
    facts = Facts(state, explained.pairing)
    first = first_opponent(facts, TPN(1), explained)
    assert first == 3
    obstacle = obstacle_of(explainer.why_not(state, TPN(1), first), state)
    plain = plain_reason(facts, TPN(1), explained, first, obstacle)
    names = {3: "Dupont", 4: "Rousseau"}
    needed = "You and Dupont both needed Black; Rousseau has your score and needed White."
    assert plain_sentence(plain, "en", names) == needed
    assert plain_sentence(plain, "fr", names) == (
        "Dupont et vous deviez avoir les Noirs ; Rousseau a votre score et devait avoir les Blancs."
    )


def test_c04_3_1_2_round_one_pairs_the_halves_in_order() -> None:
    state = position(dict.fromkeys(range(1, 7), ""))
    explained = explainer_of(state).explain(state, [TPN(5)])
    facts = Facts(state, explained.pairing)
    plain = plain_reason(facts, TPN(5), explained, first_opponent(facts, TPN(5), explained), None)
    assert (plain.code, plain.opponent) == ("first_round", 2)
    assert dict(plain.numbers) == {"players": 6, "half": 3, "upper": 2, "lower": 5}
    # Not "number 2": that is a pairing number, and in a group the places are others.
    assert "place 2 meets place 5" in plain_sentence(plain, "en", {})


def test_every_code_has_a_sentence_with_the_same_facts_in_both_languages() -> None:
    assert ENGLISH.keys() == FRENCH.keys()
    for code, english in ENGLISH.items():
        facts = [
            {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for text in (english, FRENCH[code])
        ]
        assert facts[0] == facts[1], code


def test_c04_3_1_8_topscorers_who_both_need_a_colour_meet_in_the_last_round() -> None:
    rounds = {1: "3w1 5w1", 2: "4w1 6w1", 3: "1b0 4w1", 4: "2b0 3b0", 5: "6w1 1b0", 6: "5b0 2b0"}
    state = position(rounds, total_rounds=3)
    facts = Facts(state, pair(state))
    plain = plain_reason(facts, TPN(1), None, None, None)
    assert (plain.code, plain.colours) == ("top.you", {"colour": Colour.BLACK})
    check(plain, Book(state, pair(state)))


def test_c04_3_5_2_colours_that_were_turned_by_hand_have_no_reason() -> None:
    """Player 1 had White and 2 Black: due is 2-1, and nothing in the rules gives 1 White again."""
    state = position({1: "3w1", 2: "4b1", 3: "1b0", 4: "2w0"})
    due = Facts(state, Pairing(((TPN(2), TPN(1)), (TPN(3), TPN(4)))))
    assert [plain_colour(due, TPN(tpn)) is None for tpn in (1, 2)] == [False, False]
    turned = Facts(state, Pairing(((TPN(1), TPN(2)), (TPN(3), TPN(4)))))
    assert [plain_colour(turned, TPN(tpn)) for tpn in (1, 2)] == [None, None]


def test_a_sentence_that_is_not_known_is_our_own_fault() -> None:
    with pytest.raises(InvariantError, match="'nothing' in 'en' lacks"):
        plain_sentence(Plain("nothing", TPN(1)), "en", {})


def test_an_unknown_obstacle_claims_nothing() -> None:
    state = position({1: "", 2: "", 3: "", 4: ""})
    plain = plain_why_not(Facts(state, pair(state)), TPN(1), TPN(2), Obstacle("something new"))
    assert plain.code == "not.rules"
    assert Player(TPN(1)).tpn == plain.player
