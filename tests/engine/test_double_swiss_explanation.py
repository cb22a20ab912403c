"""Explanations of matches: every number again by the literal text and the checker,
every sentence in two languages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from string import Formatter

import pytest

from pairing.cli.main import main
from pairing.engine.checker.double_swiss import who_has_white
from pairing.engine.checker.match_records import read_match_records
from pairing.engine.double_swiss.explain import MatchWhyNot, explain_match_round, why_no_match
from pairing.engine.double_swiss.explain.as_json import match_round_as_json, match_why_not_as_json
from pairing.engine.double_swiss.explain.explanation import MatchOutcome
from pairing.engine.double_swiss.explain.sentences import (
    match_round_sentences,
    match_why_not_sentences,
)
from pairing.engine.double_swiss.explain.wording import ENGLISH, FRENCH, say
from pairing.engine.errors import InputError, InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair, pairable
from tests.examples import Examples
from tests.trf.reports import player, report

from .compact_matches import match_position
from .literal_double_swiss import (
    LiteralDoubleSwiss,
    Pairs,
    Players,
    identifier_3_6_2,
    pair_literally,
)
from .match_positions import random_match_state

Values = tuple[int, tuple[int, ...], int, int, int]
Step = tuple[Players, Players, Pairs]


def positions(seeds: range) -> list[TournamentState]:
    states = [random_match_state(Random(seed)) for seed in seeds]
    return [state for state in states if pairable(state).can_pair]


def literal_steps(literal: LiteralDoubleSwiss) -> list[Step]:
    """Return the unpaired, the upfloaters and the pairs of each bracket."""
    unpaired = frozenset(literal.records)
    if len(unpaired) % 2:
        unpaired -= {literal.bye_3_4(unpaired)}
    steps = []
    while unpaired:
        top = literal.top_scoregroup_3_2(unpaired)
        upfloaters = literal.upfloaters_3_5(unpaired)
        steps.append((unpaired, upfloaters, literal.bracket_3_6(top, upfloaters)))
        unpaired -= top | upfloaters
    return steps


def literal_values(literal: LiteralDoubleSwiss, step: Step) -> Values:
    unpaired, upfloaters, pairs = step
    c5, c6, c7 = literal.c5_c6_c7(unpaired, upfloaters)
    return len(upfloaters), c5, c6, c7, literal.c8(pairs, upfloaters)


# -- the round
# ---------------------------------------------------------------------------------------


@pytest.mark.costly
def test_c04_5_2_3_the_values_of_the_criteria_are_those_of_the_text() -> None:
    waived = 0
    for state in positions(range(600)):
        literal = LiteralDoubleSwiss(state)
        explained = explain_match_round(state)
        assert explained.pairing == pair(state)
        steps = literal_steps(literal)
        assert [one.number for one in explained.brackets] == [*range(1, len(steps) + 1)]
        for one, step in zip(explained.brackets, steps, strict=True):
            c4, c5, c6, c7, c8 = literal_values(literal, step)
            values = dict(one.values)
            assert (values["C4"], values["C5"], sum(values["C6"])) == ((c4,), c5, c6)
            assert (sum(values["C7"]), sum(values["C8"])) == (c7, c8)
            assert [values[name] == () for name in ("C7", "C8")] == [state.is_last_round] * 2
            waived += values["C6"] == ()
            assert set(one.residents) == literal.top_scoregroup_3_2(step[0])
            assert frozenset(player.tpn for player in one.upfloaters) == step[1]
            assert one.identifier == identifier_3_6_2(step[2])
    assert waived > 100


@pytest.mark.costly
def test_c04_5_4_3_the_rules_are_those_the_checker_names() -> None:
    rules: Counter[str] = Counter()
    for state in positions(range(400)):
        records = read_match_records(state)
        for one in explain_match_round(state).boards:
            white, article = who_has_white(
                records[one.white.tpn], records[one.black.tpn], state.initial_colour
            )
            assert (one.white.tpn, f"C.04.5 {one.rule.value}") == (white.tpn, article)
            assert one.is_float is (records[one.white.tpn].score != records[one.black.tpn].score)
            rules[one.rule.value] += 1
    assert sorted(rules) == ["4.3.1", "4.3.2", "4.3.3", "4.3.4", "4.3.5"]


@pytest.mark.costly
def test_c04_5_3_4_players_who_came_before_the_bye_and_the_reasons() -> None:
    kinds: Counter[str] = Counter()
    for state in positions(range(600)):
        explained = explain_match_round(state)
        if explained.bye is None:
            assert explained.pairing.bye is None
            continue
        literal = LiteralDoubleSwiss(state)
        everybody = frozenset(literal.records)
        own = literal.records[explained.bye.tpn]
        assert (explained.bye.score, explained.bye.matches) == (own.score, own.matches)
        before = {
            tpn
            for tpn, record in literal.records.items()
            if (record.score, -record.matches, -tpn) < (own.score, -own.matches, -own.tpn)
        }
        assert {*explained.bye.barred, *explained.bye.needed} == before
        assert all(literal.records[tpn].pab_barred for tpn in explained.bye.barred)
        assert not any(literal.can_be_paired(everybody - {tpn}) for tpn in explained.bye.needed)
        kinds.update(barred=len(explained.bye.barred), needed=len(explained.bye.needed))
    assert min(kinds.values()) > 10


def test_only_the_boards_of_the_chosen_players_are_explained() -> None:
    state = match_position({1: "2w11", 2: "1b00", 3: "4w=1", 4: "3b=0", 5: "U"})
    explained = explain_match_round(state, [TPN(2)])
    assert explained.pairing == pair(state)
    assert [one.tpn for one in [explained.bye] if one] == [2]
    assert (explained.brackets, explained.boards) == ((), ())
    explained = explain_match_round(state, [TPN(1)])
    assert [sorted((one.white.tpn, one.black.tpn))[0] for one in explained.boards] == [1]
    assert [1 in one.residents for one in explained.brackets] == [True]
    assert explained.bye is None


# -- why not
# -----------------------------------------------------------------------------------------


def forced(state: TournamentState, two: tuple[TPN, TPN]) -> TournamentState:
    others = {player.tpn for player in state.players} - set(two)
    alone = {frozenset({one, other}) for one in two for other in others}
    return replace(state, prohibited=state.prohibited | alone)


def expected_why_not(
    state: TournamentState, two: tuple[TPN, TPN]
) -> tuple[MatchOutcome, int | None, str | None]:
    """Return the outcome, the bracket and the criterion, by the text alone."""
    pairing = pair_literally(state)
    if set(two) in [set(board) for board in pairing.pairs]:
        return MatchOutcome.PAIRED, None, None
    literal = LiteralDoubleSwiss(state)
    if not set(two) <= literal.records.keys():
        return MatchOutcome.ABSENT, None, None
    if two[1] in literal.records[two[0]].met:
        return MatchOutcome.C1, None, None
    if frozenset(two) in state.prohibited:
        return MatchOutcome.PROHIBITED, None, None
    try:
        instead = pair_literally(forced(state, two))
    except NoLegalPairingError:
        return MatchOutcome.C3, None, None
    if instead.bye != pairing.bye:
        return MatchOutcome.BYE, None, None
    both = zip(
        literal_steps(literal), literal_steps(LiteralDoubleSwiss(forced(state, two))), strict=False
    )
    number, (step, other) = next(
        (n, steps) for n, steps in enumerate(both, 1) if steps[0] != steps[1]
    )
    own, theirs = literal_values(literal, step), literal_values(literal, other)
    for name, value, worse in zip(("C4", "C5", "C6", "C7"), own, theirs, strict=False):
        if value != worse:
            assert worse > value  # type: ignore[operator]
            return MatchOutcome.WORSE, number, name
    if step[1] != other[1]:
        return MatchOutcome.LATER_SET, number, None
    if own[4] != theirs[4]:
        return MatchOutcome.WORSE, number, "C8"
    return MatchOutcome.LATER_PAIRING, number, None


@pytest.mark.costly
def test_c04_5_why_two_players_do_not_meet_is_as_in_the_text(examples: Examples) -> None:
    seen: Counter[str] = Counter()
    for state in positions(examples(range(160), 60)):
        for two in combinations(sorted(state.by_tpn()), 2):
            found = why_no_match(state, *two)
            assert (found.outcome, found.bracket, found.worse) == expected_why_not(state, two), (
                state,
                two,
            )
            if found.instead is not None:
                assert found.instead == pair_literally(forced(state, two))
                assert set(two) in [set(board) for board in found.instead.pairs]
            seen[found.worse or found.outcome.value] += 1
            for language in ("en", "fr"):
                assert list(match_why_not_sentences(found, language))
            json.dumps(match_why_not_as_json(found))
    assert seen.keys() >= {outcome.value for outcome in MatchOutcome} - {"worse"}
    assert seen.keys() >= {"C4", "C5", "C6"}


def test_c04_5_0_after_a_match_ended_by_forfeit_players_may_meet() -> None:
    state = match_position({1: "2w++", 2: "1b--", 3: "4w==", 4: "3b=="})
    assert why_no_match(state, TPN(1), TPN(2)).outcome is not MatchOutcome.C1
    assert why_no_match(state, TPN(3), TPN(4)) == MatchWhyNot(
        TPN(3), TPN(4), MatchOutcome.C1, met_in=1
    )


@pytest.mark.parametrize(
    "two, code", [((1, 9), "explain.unknown_player"), ((1, 1), "explain.same_player")]
)
def test_two_players_are_needed(two: tuple[int, int], code: str) -> None:
    with pytest.raises(InputError) as caught:
        why_no_match(match_position({1: "2w==", 2: "1b=="}), TPN(two[0]), TPN(two[1]))
    assert caught.value.code == code


# -- words
# -------------------------------------------------------------------------------------------


def test_both_languages_have_the_same_sentences_with_the_same_gaps() -> None:
    def gaps(sentence: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(sentence) if name}

    assert {code: gaps(text) for code, text in ENGLISH.items()} == {
        code: gaps(text) for code, text in FRENCH.items()
    }


BYE_OF_2 = (
    "2 has the bye, which is assigned first [3.3.2]: score 0, matches played 1. It goes to the "
    "lowest score, the most"
    " matches, the largest number of those who leave a legal pairing [3.4]"
)


def test_c04_5_3_4_the_players_before_the_bye_are_said_with_the_reason() -> None:
    found = [explain_match_round(state) for state in positions(range(200))]
    byes = [
        (one, one.bye) for one in found if one.bye is not None and one.bye.barred and one.bye.needed
    ]
    assert byes
    for one, bye in byes:
        barred, needed = [
            line
            for line in match_round_sentences(one, "en")
            if line.startswith("  Before in that order")
        ]
        players = [", ".join(map(str, tpns)) for tpns in (bye.barred, bye.needed)]
        assert barred == f"  Before in that order, but may not receive it [C2, 2.1.2]: {players[0]}"
        assert needed == (
            f"  Before in that order, but without them the others cannot all be paired [3.4.1]: "
            f"{players[1]}"
        )


def test_a_sentence_that_is_not_known_is_our_own_fault() -> None:
    with pytest.raises(InvariantError, match=r"'bye\.unknown' in 'fr'"):
        say("fr", "bye.unknown")
    with pytest.raises(InvariantError, match="lacks 'players'"):
        say("en", "bye.barred")


def test_a_round_is_explained_from_the_bye_to_the_last_board() -> None:
    state = match_position({1: "2w11", 2: "1b00", 3: "4w=1", 4: "3b=0", 5: "U"}, total_rounds=2)
    assert list(match_round_sentences(explain_match_round(state), "en")) == [
        "Round 2 of matches. Boards: 2. Brackets: 1 2.",
        "",
        BYE_OF_2,
        "",
        "Bracket 1: top-scoregroup of score 2 [3.2]",
        "  Residents: 1",
        "  Upfloaters: 3 (1½) [3.5]",
        "  Pairs: 1-3. Identifier 1 3, the first that complies [3.6.4]",
        "  [C4] upfloaters: 1 [2.3.1]",
        "  [C5] score differences of their pairs: ½ [2.3.2]",
        "  [C6] upfloaters the following scoregroup will need: 1 [2.3.3]",
        "  [C7] does not apply: this is the last round [2.3.4]",
        "  [C8] does not apply: this is the last round [2.3.5]",
        "",
        "Bracket 2: top-scoregroup of score 1½ [3.2]",
        "  Residents: 5",
        "  Upfloaters: 4 (½) [3.5]",
        "  Pairs: 4-5. Identifier 4 5, the first that complies [3.6.4]",
        "  [C4] upfloaters: 1 [2.3.1]",
        "  [C5] score differences of their pairs: 1 [2.3.2]",
        "  [C6] does not apply: no player of the following scoregroup is left to pair [2.3.3]",
        "  [C7] does not apply: this is the last round [2.3.4]",
        "  [C8] does not apply: this is the last round [2.3.5]",
        "",
        "Board 1: 3 (White in the first game) – 1, paired in bracket 1",
        "  3: score 1½, colours W",
        "  1: score 2, colours W",
        "  1, the higher ranked, gets the other colour than last time [4.3.4]",
        "  Both are floaters by it [1.5]",
        "",
        "Board 2: 4 (White in the first game) – 5, paired in bracket 2",
        "  4: score ½, colours B",
        "  5: score 1½, no colour yet",
        "  5, the higher ranked, has had none; the opponent gets the other colour than last time [4.3.5]",
        "  Both are floaters by it [1.5]",
    ]


# -- the command line
# --------------------------------------------------------------------------------

EVENT = report(
    "142 8",
    "152 W",
    "192 FIDE_DOUBLESWISS",
    player(1, "2.0", "   2 w 1", "   2 b 1"),
    player(2, "0.0", "   1 b 0", "   1 w 0"),
    player(3, "1.5", "   4 w =", "   4 b 1"),
    player(4, "0.5", "   3 b =", "   3 w 0"),
)


@pytest.fixture
def explain(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    file = tmp_path / "event.trf"
    file.write_text(EVENT)

    def run(*options: str) -> tuple[int, str]:
        code = main(["explain", str(file), *options])
        captured = capfd.readouterr()
        return code, captured.out or captured.err

    return run


def test_explain_explains_matches(explain: Callable[..., tuple[int, str]]) -> None:
    code, explained = explain("--board", "1", "--lang", "fr")
    assert code == 0
    assert explained.splitlines()[0::2][:2] == [
        "Ronde 2, par matchs. Échiquiers : 2. Niveaux : 1.",
        "Niveau 1 : groupe des meilleurs scores, 2 [3.2]",
    ]
    assert explain("--why-not", "1", "2") == (
        0,
        "1 Player 1 and 2 Player 2 cannot meet: they played each other in round 1 [C1, 2.1.1]\n",
    )
    worse, instead = explain("--why-not", "1", "4")[1].splitlines()
    assert worse == (
        "If 1 Player 1 and 4 Player 4 met, [C5] would be worse in bracket 1 (score 2):"
        " score differences of their pairs: 1½ instead of ½ [2.3.2]"
    )
    assert instead == "  The round in which they meet: 4-1 2-3"


def test_explain_explains_matches_in_json(explain: Callable[..., tuple[int, str]]) -> None:
    code, explained = explain("--json", "--player", "1", "--why-not", "1", "2")
    answer = json.loads(explained)
    assert code == 0
    assert (answer["round"], answer["file_differs"], answer["why_not"]["outcome"]) == (
        2,
        False,
        "C1",
    )
    assert answer["brackets"][0]["criteria"][1] == {
        "name": "C5",
        "article": "2.3.2",
        "value": [0.5],
    }


def test_explain_reports_a_file_with_other_pairings(
    explain: Callable[..., tuple[int, str]],
) -> None:
    assert explain("--round", "1")[1].startswith("The file pairs this round otherwise")


def test_the_json_of_a_round_names_what_the_explanation_has() -> None:
    state = match_position({1: "2w11", 2: "1b00", 3: "4w=1", 4: "3b=0", 5: "U"})
    explained = match_round_as_json(explain_match_round(state))
    assert explained["bye_explained"] == {
        "tpn": 2,
        "score": 0.0,
        "matches": 1,
        "barred": [],
        "needed": [],
    }
    assert explained["boards"][0] == {
        "board": 1,
        "bracket": 1,
        "white": {"tpn": 3, "score": 1.5, "colours": "w"},
        "black": {"tpn": 1, "score": 2.0, "colours": "w"},
        "higher": 1,
        "rule": "4.3.4",
        "is_float": True,
    }
    assert explained["brackets"][0]["upfloaters"] == [{"tpn": 3, "score": 1.5}]
