"""The explained steps of a round by the Dutch System before July 2017,
against the text done step by step.
"""

import json
import string
from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.engine.dutch_pre2017.explain import explain_steps, why_not_by_steps
from pairing.engine.dutch_pre2017.explain.wording import (
    LANGUAGES,
    no_meeting_as_json,
    no_meeting_sentences,
    step_sentences,
    steps_as_json,
)
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TPN, TournamentState
from pairing.engine.systems import pair
from pairing.trf.convert import state_before_round
from pairing.trf.reader import read
from tests.examples import first

from .literal_dutch_pre2017 import Literal, pair_literally
from .literal_dutch_pre2017_brackets import Bracket, Done
from .test_dutch_pre2017_literal import positions

EXAMPLE = str(Path(__file__).parents[1] / "golden" / "dutch_pre2017_worked_example.trf")


class Remembered(Literal):
    """The text, with a list of the steps it made."""

    last: "Remembered"

    def __init__(self, state: TournamentState) -> None:
        super().__init__(state)
        Remembered.last = self


def pairable_positions(chunk: int) -> list[TournamentState]:
    found = []
    for state in positions(chunk, players=(5, 8)):
        try:
            pair(state)
        except NoLegalPairingError:
            continue
        found.append(state)
    return [state for state in found if len(state.players) > len(state.absent)]


def numbers_by_the_text(literal: Literal, done: Done) -> list[int]:
    bracket = Bracket(done.bracket.moved, done.bracket.residents)
    return [wheel(done.candidate) for wheel in literal.wheels_c10(bracket)]


@pytest.mark.costly
@pytest.mark.parametrize("chunk", first(range(4), 2))
def test_c04_3_pre2017_the_explained_steps_are_those_of_the_text(chunk: int) -> None:
    articles = set()
    for state in pairable_positions(chunk):
        explained = explain_steps(state)
        pair_literally(state, Remembered)
        literal = Remembered.last
        tpn = [player.tpn for player in literal.players]
        assert len(explained.brackets) == len(literal.done)
        for steps, done in zip(explained.brackets, literal.done, strict=True):
            everybody = done.bracket.everybody
            pairs = {frozenset((tpn[one], tpn[other])) for one, other in done.candidate.pairs}
            assert {frozenset(two) for two in steps.pairs} == pairs
            assert set(steps.moved_down) == {tpn[rank] for rank in done.bracket.moved}
            assert set(steps.incompatible) == {tpn[rank] for rank in done.taken_out}
            assert (steps.p0, steps.p1, steps.m1 or 0) == (len(everybody) // 2, len(pairs), done.m1)
            assert steps.x1 == literal.x1_a8(everybody, steps.p0)
            numbers = [one.number for one in steps.requirements]
            assert numbers == [number for number in numbers_by_the_text(literal, done) if number]
            if steps.b3_factor is not None:
                assert steps.b3_factor == literal.b3_factor_d4(done.candidate)
            articles |= {one.article for one in steps.requirements} | {
                steps.anew,
                steps.by_a3 and "A3",
            }
            articles |= {"C13 joined"} if steps.joined else set()
        for language in LANGUAGES:
            assert len(list(step_sentences(explained, language))) > len(explained.brackets)
        assert steps_as_json(explained)["pairs"] == tuple(explained.pairing.pairs)
    assert {"B4 (X)", "A7.d", "A7.e (Z)", "C12", "C13", "C13 joined", "A3"} <= articles


@pytest.mark.costly
def test_c04_3_pre2017_why_two_players_do_not_meet() -> None:
    codes = set()
    for state in pairable_positions(5):
        literal = Literal(state)
        boards = {frozenset(two) for two in pair(state).pairs}
        players = literal.players
        for one in range(len(players)):
            for other in range(one + 1, len(players)):
                found = why_not_by_steps(state, players[one].tpn, players[other].tpn)
                two = frozenset((found.first, found.second))
                assert (found.code == "paired") is (two in boards)
                assert (found.code in ("B1.a", "B2", "prohibited")) is not literal.may_meet(
                    one, other
                )
                assert (found.code == "prohibited") is (two in state.prohibited)
                assert all(
                    len(list(no_meeting_sentences(found, language))) == 1 for language in LANGUAGES
                )
                codes.add(found.code)
    assert codes == {"paired", "B1.a", "B2", "prohibited", "steps"}


def test_every_sentence_is_in_both_languages_with_the_same_places() -> None:
    def places(words: dict[str, str]) -> dict[str, set[str | None]]:
        return {
            key: {name for _, name, _, _ in string.Formatter().parse(text)} - {None}
            for key, text in words.items()
        }

    assert places(LANGUAGES["en"]) == places(LANGUAGES["fr"])


def test_the_last_bracket_of_the_published_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", EXAMPLE, "--round", "5", "--player", "12"]) == 0
    assert capsys.readouterr().out == (
        "Round 5. Boards: 7. Brackets: 6.\n"
        "\n"
        "Bracket 6: 14 Robert; 8 Kévin; 13 Patricia; 12 Oscar\n"
        "  Moved down: 14 Robert; 8 Kévin; 13 Patricia [A3]\n"
        "  Joined with the penultimate bracket, whose players count as moved down: 8 Kévin; 13 "
        "Patricia [C13]\n"
        "  P0 = 2 [A6.b], M0 = 3 [A6.c], X1 = 0 [A8.a]\n"
        "  Half of the players or more come from above: treated as homogeneous [A3]\n"
        "  B3 factor: 1 [D4]\n"
        "  Pairs with the same strong preference in an odd round: 1 [C10.f]\n"
        "  X, pairs that cannot have both preferences: 2, unavoidable: 0 [C10.e]\n"
        "  Pairs: 14-12 8-13\n"
        "\n"
        "Board 6: 14 Robert (White) – 12 Oscar, paired in bracket 6."
        " The preference of the higher ranked is granted [E4]\n"
    )


@pytest.mark.parametrize(
    "first, second, expected",
    [
        (8, 12, "8 Kévin and 12 Oscar cannot meet: they have played each other [B1.a]"),
        (14, 12, "14 Robert and 12 Oscar do meet"),
        (
            8,
            14,
            (
                "Nothing forbids 8 Kévin and 14 Robert to meet; the steps lead elsewhere: 8 Kévin "
                "is paired in bracket"
                " 6, 14 Robert in bracket 6"
            ),
        ),
    ],
)
def test_why_not_from_the_command_line(
    capsys: pytest.CaptureFixture[str], first: int, second: int, expected: str
) -> None:
    assert main(["explain", EXAMPLE, "--round", "5", "--why-not", str(first), str(second)]) == 0
    assert capsys.readouterr().out == expected + "\n"


def test_why_not_as_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", EXAMPLE, "--round", "5", "--json", "--why-not", "8", "12"]) == 0
    found = json.loads(capsys.readouterr().out)["why_not"]
    state = state_before_round(read(Path(EXAMPLE).read_text(encoding="utf-8")), 5)
    assert found == json.loads(
        json.dumps(no_meeting_as_json(why_not_by_steps(state, TPN(8), TPN(12))))
    )
    assert (found["first"], found["second"], found["code"]) == (8, 12, "B1.a")


@pytest.mark.parametrize("first, second", [(3, 3), (3, 99)])
def test_why_not_of_an_unknown_player_is_bad_input(
    capsys: pytest.CaptureFixture[str], first: int, second: int
) -> None:
    assert main(["explain", EXAMPLE, "--round", "5", "--why-not", str(first), str(second)]) == 3
    assert capsys.readouterr().out == ""
