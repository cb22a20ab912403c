"""Explanations in words and as JSON: both languages complete,
and one position for every rule of the colours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from string import Formatter

import pytest

from pairing.engine.dutch.colours import ColourRule
from pairing.engine.dutch.explain import PairExplanation, explain_round, why_not
from pairing.engine.dutch.explain.as_json import round_as_json, why_not_as_json
from pairing.engine.dutch.explain.explanation import Measure, Order, Outcome
from pairing.engine.dutch.explain.sentences import (
    board_sentences,
    bracket_sentences,
    bye_sentences,
    points,
    round_sentences,
    value_text,
    why_not_sentences,
)
from pairing.engine.dutch.explain.wording import ENGLISH, FRENCH, LANGUAGES, say
from pairing.engine.errors import InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.naming import LONGEST_NAMED_LIST, called, called_all
from tests.engine.compact import position
from tests.engine.positions import random_state

ODD = position({1: "4w1 3b=", 2: "5w1 U", 3: "U 1w=", 4: "1b0 5w0", 5: "2b0 4b1"}, total_rounds=5)


# -- the catalogue
# -----------------------------------------------------------------------------------------


def test_both_languages_have_every_sentence_with_the_same_places() -> None:
    def places(sentences: dict[str, str]) -> dict[str, set[str]]:
        return {
            code: {name for _, name, _, _ in Formatter().parse(one) if name}
            for code, one in sentences.items()
        }

    assert set(LANGUAGES) == {"en", "fr"}
    assert places(ENGLISH) == places(FRENCH)


def test_both_languages_cite_the_same_articles() -> None:
    def articles(sentences: dict[str, str]) -> dict[str, list[str]]:
        return {code: re.findall(r"\[([^{\]]+)\]", one) for code, one in sentences.items()}

    assert articles(ENGLISH) == articles(FRENCH)


def test_every_criterion_rule_and_outcome_has_a_sentence() -> None:
    wanted = {f"C{number}" for number in range(5, 22)}
    wanted |= {f"why_not.{outcome.value}" for outcome in Outcome if outcome is not Outcome.LATER}
    wanted |= {f"why_not.{order.value}" for order in Order}
    assert wanted - set(ENGLISH) == set()


def test_a_sentence_with_a_missing_value_is_an_internal_error() -> None:
    with pytest.raises(InvariantError, match=r"'bracket\.pairs' in 'fr' lacks 'pairs'"):
        say("fr", "bracket.pairs")
    with pytest.raises(InvariantError):
        say("en", "no such sentence")


def explained_states() -> Iterator[TournamentState]:
    return (random_state(Random(seed), players=(4, 14)) for seed in range(300, 360))


@pytest.mark.costly
def test_whole_rounds_are_explained_in_both_languages_without_an_open_place() -> None:
    found = dict.fromkeys(LANGUAGES, 0)
    for state in explained_states():
        try:
            explained = explain_round(state)
        except NoLegalPairingError:
            continue
        lines = {language: list(round_sentences(explained, language)) for language in LANGUAGES}
        assert len(lines["en"]) == len(lines["fr"])
        for language, message in lines.items():
            assert not [line for line in message if "{" in line or "None" in line]
            found[language] += len(message)
    assert min(found.values()) > 1000


def test_answers_to_why_not_are_in_both_languages() -> None:
    seen = set()
    for state in explained_states():
        first, second = sorted(player.tpn for player in state.players)[:2]
        try:
            found = why_not(state, first, second)
        except NoLegalPairingError:
            continue
        for language in LANGUAGES:
            lines = list(why_not_sentences(found, language))
            assert len(lines) == 1 + (
                found.instead is not None and found.outcome is not Outcome.PAIRED
            )
            assert not [line for line in lines if "{" in line or "None" in line]
        seen.add(found.outcome)
    assert len(seen) > 4


# -- the words of a bracket
# --------------------------------------------------------------------------------


def test_c04_3_3_a_bracket_in_words() -> None:
    explained = explain_round(position({1: "", 2: "", 3: "", 4: "", 5: ""}))
    assert list(bracket_sentences(explained.brackets[0], "en")) == [
        "Bracket 1: score 0, homogeneous [1.3.3]",
        "  Residents: 1 (BSN 1), 2 (BSN 2), 3 (BSN 3), 4 (BSN 4), 5 (BSN 5)",
        "  MaxPairs = 2 [3.1.2]",
        "  The text begins with S1 = 1 2, S2 = 3 4 5 [3.2]",
        "  No exchange",
        "  S2 stays in order: 1-3 2-4 [3.3.1]",
        "  Pairs: 1-3 2-4",
        "  Downfloaters: 5 (BSN 5, 0)",
        "  [C6] downfloaters: 1. It cannot be less [2.4.1]",
        "  Met in full: " + " ".join(f"[C{number}]" for number in (5, *range(7, 22))),
    ]


def test_players_are_named_by_number_and_name_in_sentences() -> None:
    """S1 and S2 keep only the numbers, because they follow the
    rules and are not a list of people.
    """
    names = {1: "Petrosian, Tigran", 2: "Tal, Mikhail", 3: "Smyslov, Vasily", 4: "Keres, Paul"}
    explained = explain_round(position({1: "", 2: "", 3: "", 4: "", 5: ""}))
    lines = list(round_sentences(explained, "en", names))
    assert lines[3] == (
        "  Residents: 1 Petrosian, Tigran (BSN 1); 2 Tal, Mikhail (BSN 2); 3 Smyslov, Vasily (BSN 3);"
        " 4 Keres, Paul (BSN 4); 5 (BSN 5)"
    )
    assert (
        "  Pairs: 1 Petrosian, Tigran – 3 Smyslov, Vasily; 2 Tal, Mikhail – 4 Keres, Paul" in lines
    )
    assert lines[5] == "  The text begins with S1 = 1 2, S2 = 3 4 5 [3.2]"
    board = lines.index(
        "Board 1: 1 Petrosian, Tigran (White) – 3 Smyslov, Vasily (Black), paired in bracket 1"
    )
    assert (
        lines[board + 1]
        == "  1 Petrosian, Tigran: score 0, no game played, no colour preference [1.7.4]"
    )
    unnamed = list(round_sentences(explained, "en"))
    for line, plain in zip(lines, unnamed, strict=True):
        without = line
        for tpn, name in names.items():
            without = without.replace(f"{tpn} {name}", str(tpn))
        if line.startswith("  Pairs:"):
            without = without.replace(" – ", "-").replace(";", "")
        assert without.replace(";", ",") == plain.replace(";", ",")


def test_a_long_list_of_players_gives_the_numbers_alone() -> None:
    names = {tpn: f"Name {tpn}" for tpn in range(1, 20)}
    longest = range(1, LONGEST_NAMED_LIST + 1)
    assert called_all(longest, names) == "; ".join(f"{tpn} Name {tpn}" for tpn in longest)
    assert called_all([*longest, 19], names) == ", ".join(map(str, [*longest, 19]))
    assert called_all([1, 7], {}, [" (a)", " (b)"]) == "1 (a), 7 (b)"
    assert (called_all([], names), called(None, names), called(4, {})) == ("", "", "4")


def test_the_criterion_that_holds_another_is_named() -> None:
    """In some position one criterion is held by another, and the sentence names both values."""
    for state in explained_states():
        try:
            explained = explain_round(state)
        except NoLegalPairingError:
            continue
        for one in explained.brackets:
            for criterion in one.criteria:
                if criterion.held_by is not None and criterion.measure is Measure.COUNT:
                    message = "\n".join(bracket_sentences(one, "en"))
                    sentence = (
                        f"[{criterion.name}] {ENGLISH[criterion.name]}: {criterion.value[0]}. "
                        f"Alone it could be "
                        f"{criterion.best_alone[0]}, but not while the criteria down to "
                        f"[{criterion.held_by}] are kept"
                    )
                    assert sentence in message
                    return
    pytest.fail("no criterion was held by another")


@pytest.mark.parametrize(
    "tenths, text", [(0, "0"), (5, "½"), (10, "1"), (25, "2½"), (3, "0.3"), (100, "10")]
)
def test_points_as_people_write_them(tenths: int, text: str) -> None:
    assert points(tenths) == text


@pytest.mark.parametrize(
    "measure, value, text",
    [
        (Measure.COUNT, (3,), "3"),
        (Measure.COUNT, (), "nothing"),
        (Measure.POINTS, (25, 10), "2½ 1"),
        (Measure.LOOK_AHEAD, (0,), "0"),
        (Measure.LOOK_AHEAD, (2, 15, 10), "2 of scores 1½ 1"),
    ],
)
def test_values_in_words(measure: Measure, value: tuple[int, ...], text: str) -> None:
    assert value_text(measure, value, "en") == text


# -- the rules of the colours, one position each
# -----------------------------------------------------------


def board_of(state: TournamentState, tpn: int) -> PairExplanation:
    (found,) = explain_round(state, [TPN(tpn)]).pairs
    return found


def rule_sentence(found: PairExplanation, language: str = "en") -> str:
    return list(board_sentences(found, language))[3].strip()


def meeting(one: str, other: str, **options: int) -> TournamentState:
    """Return players 1 and 2 before their game, with earlier
    games against players who have left.
    """
    lines = {1: one, 2: other}
    strangers: dict[int, list[str]] = {}
    rounds = len(one.split())
    tpn = 3
    for player in (1, 2):
        words = lines[player].split()
        for number, word in enumerate(words):
            if word in ("w", "b"):
                words[number] = f"{tpn}{word}="
                back = "b" if word == "w" else "w"
                strangers[tpn] = (
                    ["Z"] * number + [f"{player}{back}="] + ["Z"] * (rounds - number - 1)
                )
                tpn += 1
        lines[player] = " ".join(words)
    lines |= {number: " ".join(words) for number, words in strangers.items()}
    return position(lines, absent=tuple(strangers), **options)


@pytest.mark.parametrize(
    "one, other, white, rule, expected",
    [
        ("w", "b", 2, ColourRule.BOTH_PREFERENCES, "Both colour preferences are granted [5.2.1]"),
        ("w", "H", 2, ColourRule.BOTH_PREFERENCES, "2 has no preference: that of 1 is granted [1.7.4, 5.2.1]"),
        ("H", "w", 1, ColourRule.BOTH_PREFERENCES, "1 has no preference: that of 2 is granted [1.7.4, 5.2.1]"),
        ("b w", "H w", 1, ColourRule.STRONGER_PREFERENCE, "The stronger preference, that of 2, is granted [5.2.2]"),
        (
            "w b w b w b w", "b b w w b w w", 1, ColourRule.STRONGER_PREFERENCE,
            "The stronger preference, that of 2, is granted [5.2.2]",
        ),
        (
            "w b b w", "b w b w", 1, ColourRule.LATEST_DIFFERENCE,
            "Equal preferences: the colours of the latest games in which they differed are alternated [5.2.3]",
        ),
        (
            "b w", "b w", 2, ColourRule.HIGHER_RANKED, "All equal: 1 is ranked higher and gets the preference [5.2.4]",
        ),
        (
            "H", "H", 1, ColourRule.INITIAL_COLOUR,
            "No game played: 1 is ranked higher, number 1 is odd and gets the initial colour [5.2.5]",
        ),
    ],
)  # fmt: skip
def test_c04_3_5_2_the_rule_that_gave_the_colours(
    one: str, other: str, white: int, rule: ColourRule, expected: str
) -> None:
    found = board_of(meeting(one, other), 1)
    assert (found.white.tpn, found.rule, rule_sentence(found)) == (white, rule, expected)


def test_c04_3_5_2_2_of_two_absolute_preferences_the_wider_difference_is_granted() -> None:
    """The last round: both want Black absolutely, 1 by a difference of +3, 2 of +2;
    topscorers may meet.
    """
    lines = {1: "3w1 4w1 5w1", 2: "6w1 7w1 U"}
    lines |= {3: "1b0 Z Z", 4: "Z 1b0 Z", 5: "Z Z 1b0", 6: "2b0 Z Z", 7: "Z 2b0 Z"}
    found = board_of(position(lines, total_rounds=4, absent=(3, 4, 5, 6, 7)), 1)
    assert (found.white.difference, found.black.difference) == (2, 3)
    assert (found.rule, found.is_by_difference, found.white.is_topscorer) == (
        ColourRule.STRONGER_PREFERENCE,
        True,
        True,
    )
    assert (
        rule_sentence(found)
        == "Both preferences are absolute: 1 has the wider colour difference [5.2.2]"
    )
    assert rule_sentence(found, "fr") == (
        "Les deux préférences sont absolues : 1 a la différence de couleurs la plus étendue [5.2.2]"
    )


def test_c04_3_5_2_5_an_even_number_gets_the_other_colour() -> None:
    """In round 1 numbers 1 and 2 are on top: 2 is even."""
    found = board_of(position({1: "", 2: "", 3: "", 4: ""}), 2)
    assert (found.white.tpn, found.black.tpn, found.higher) == (4, 2, 2)
    assert "number 2 is even" in rule_sentence(found)


def test_a_side_in_words_with_its_float() -> None:
    state = position({1: "2w1", 2: "1b0", 3: "U"}, total_rounds=5)
    found = board_of(state, 1)
    assert list(board_sentences(found, "fr")) == [
        "Échiquier 1 : 3 (Blancs) – 1 (Noirs), paire du niveau 1",
        "  3 : score 1, aucune partie jouée, sans préférence de couleur [1.7.4]",
        "  1 : score 1, couleurs B, différence +1, préférence forte pour les Noirs [1.7.2]",
        "  3 n’a pas de préférence : celle de 1 est accordée [1.7.4, 5.2.1]",
    ]


def test_c04_3_1_4_2_the_floats_of_a_board_are_named() -> None:
    found = board_of(position({1: "3w1", 2: "4w=", 3: "1b0", 4: "2b="}, absent=(3, 4)), 1)
    assert (found.white.tpn, found.black.tpn) == (2, 1)
    assert list(board_sentences(found, "en"))[-2:] == [
        "  2 gets an upfloat [1.4.2]",
        "  1 gets a downfloat [1.4.2]",
    ]


def test_c04_3_1_4_3_the_bye_is_named_with_its_score_and_its_float() -> None:
    """Player 4 is last without a point, and has had no bye."""
    explained = explain_round(ODD)
    assert explained.bye is not None
    first, second = bye_sentences(explained.bye, "en")
    assert first == (
        "4 has the pairing-allocated bye: 0 is the lowest score with which the round can be "
        "paired [C5, 2.3.1];"
        " unplayed games so far: 0 [C9]"
    )
    assert second == "  The bye counts as a downfloat [1.4.3]"


# -- JSON
# --------------------------------------------------------------------------------------------------


def test_the_json_of_a_round_holds_every_field_in_plain_values() -> None:
    explained = explain_round(ODD)
    answer = json.loads(json.dumps(round_as_json(explained)))
    assert answer["round"] == 3
    assert answer["pairs"] == [list(pair) for pair in explained.pairing.pairs]
    assert (answer["bye"], answer["bye_explained"]["tpn"]) == (
        explained.pairing.bye,
        explained.pairing.bye,
    )
    assert [one["score"] for one in answer["brackets"]] == [
        one.score / 10 for one in explained.brackets
    ]
    first = answer["brackets"][0]
    assert [one["name"] for one in first["criteria"]] == [f"C{number}" for number in range(5, 22)]
    assert set(first) == {
        "number", "score", "mdps", "residents", "max_pairs", "mdp_pairing", "subgroups", "pairs", "downfloaters",
        "criteria",
    }  # fmt: skip
    heterogeneous = next(one for one in answer["brackets"] if one["mdps"])
    assert set(heterogeneous["mdp_pairing"]) == {
        "original_s1",
        "original_limbo",
        "s1",
        "limbo",
        "s2",
        "opponents",
    }
    board = answer["boards"][0]
    assert (board["white"]["tpn"], board["black"]["tpn"]) == tuple(answer["pairs"][0])
    assert board["colour_article"] == explained.pairs[0].rule.value


def test_the_json_of_a_worse_round_has_both_values() -> None:
    state = position({1: "3w=", 2: "4w=", 3: "1b=", 4: "2b="}, total_rounds=5)
    assert json.loads(json.dumps(why_not_as_json(why_not(state, TPN(1), TPN(2))))) == {
        "players": [1, 2],
        "outcome": "worse",
        "article": "2.4.7",
        "absent": [],
        "met_in": None,
        "colour": None,
        "bracket": 1,
        "score": 0.5,
        "criterion": "C12",
        "value": 0,
        "forced": 2,
        "order": None,
        "instead": {"pairs": [[2, 1], [3, 4]], "bye": None},
    }
