"""The steps in English and French, and as JSON; [n] is an article of the text before July 2017."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from pairing.engine.model import TPN
from pairing.engine.naming import NUMBERS_ONLY, Names, called, called_all

from .steps import BoardSteps, BracketSteps, NoMeeting, RoundSteps

ENGLISH: dict[str, str] = {
    "round": "Round {round}. Boards: {boards}. Brackets: {brackets}.",
    "bracket": "Bracket {number}: {players}",
    "nobody": "nobody",
    "moved_down": "Moved down: {players} [A3]",
    "joined": "Joined with the penultimate bracket, whose players count as moved down: {players} [C13]",
    "incompatible": "Without opponent here, moved on at once: {players} [C1]",
    "by_a3": "Half of the players or more come from above: treated as homogeneous [A3]",
    "m1_zero": "Nobody moved down can meet a resident: M1 = 0, treated as homogeneous [C14.b2]",
    "sizes": "P0 = {p0} [A6.b], M0 = {m0} [A6.c], X1 = {x1} [A8.a]",
    "z1": ", Z1 = {z1} [A8.b]",
    "first_try": "The first pairing looked at meets the extreme requirement [A11, C6]",
    "p1": "P1 is lowered to {p1} [C14]",
    "m1": "M1 is lowered to {m1} [C14.b2]",
    "anew.C12": "Paired anew, so that other players move down to the next bracket [C12]",
    "anew.C13": "Paired anew with fewer pairs, so that the lowest bracket can be paired [C13]",
    "B2": "Pairs of topscorers with the same absolute preference: {number} [C10.g]",
    "A7.d": "Pairs with the same strong preference in an odd round: {number} [C10.f]",
    "B4 (X)": "X, pairs that cannot have both preferences: {number}, unavoidable: {unavoidable} [C10.e]",
    "A7.e (Z)": "Z, pairs that cannot have both strong preferences: {number}, unavoidable: "
    "{unavoidable} [C10.e]",
    "B5, downfloaters": "Downfloaters who had a downfloat in the last round: {number} [C10.d]",
    "B6, downfloaters": "Downfloaters who had a downfloat two rounds ago: {number} [C10.c]",
    "B5, upfloaters": "Upfloaters who had an upfloat in the last round: {number} [C10.b]",
    "B6, upfloaters": "Upfloaters who had an upfloat two rounds ago: {number} [C10.a]",
    "b3_factor": "B3 factor: {factor} [D4]",
    "pairs": "Pairs: {pairs}",
    "downfloaters": "Moved down to the next bracket: {players}",
    "bye": "The bye: {players} [A5]",
    "board": "Board {board}: {white} (White) – {black}, paired in bracket {bracket}. {rule}",
    "E1": "Both preferences are granted [E1]",
    "E2": "The stronger preference is granted [E2]",
    "E3": "The colours of the latest game in which they differed are alternated [E3]",
    "E4": "The preference of the higher ranked is granted [E4]",
    "E5": "Nobody has a preference: by the parity of the number of the higher ranked [E5]",
    "why_not.paired": "{first} and {second} do meet",
    "why_not.absent": "{first} and {second} cannot meet: one of them is not paired in this round [F5]",
    "why_not.B1.a": "{first} and {second} cannot meet: they have played each other [B1.a]",
    "why_not.prohibited": "{first} and {second} cannot meet: the pair is prohibited by the regulations",
    "why_not.B2": "{first} and {second} cannot meet: both must get the same colour [B2]",
    "why_not.steps": "Nothing forbids {first} and {second} to meet; the steps lead elsewhere: "
    "{first} is paired in"
    " bracket {one}, {second} in bracket {other}",
}

FRENCH: dict[str, str] = {
    "round": "Ronde {round}. Échiquiers : {boards}. Niveaux : {brackets}.",
    "bracket": "Niveau {number} : {players}",
    "nobody": "personne",
    "moved_down": "Venus d’en haut : {players} [A3]",
    "joined": "Réuni avec l’avant-dernier niveau, dont les joueurs comptent comme venus d’en haut "
    ": {players} [C13]",
    "incompatible": "Sans adversaire ici, descendus aussitôt : {players} [C1]",
    "by_a3": "La moitié des joueurs au moins viennent d’en haut : traité comme homogène [A3]",
    "m1_zero": "Aucun de ceux venus d’en haut ne peut jouer un résident : M1 = 0, traité comme "
    "homogène [C14.b2]",
    "sizes": "P0 = {p0} [A6.b], M0 = {m0} [A6.c], X1 = {x1} [A8.a]",
    "z1": ", Z1 = {z1} [A8.b]",
    "first_try": "Le premier appariement examiné satisfait l’exigence extrême [A11, C6]",
    "p1": "P1 est abaissé à {p1} [C14]",
    "m1": "M1 est abaissé à {m1} [C14.b2]",
    "anew.C12": "Apparié à nouveau, pour que d’autres joueurs descendent au niveau suivant [C12]",
    "anew.C13": "Apparié à nouveau avec moins de paires, pour que le dernier niveau puisse l’être [C13]",
    "B2": "Paires de meilleurs marqueurs de même préférence absolue : {number} [C10.g]",
    "A7.d": "Paires de même préférence forte dans une ronde impaire : {number} [C10.f]",
    "B4 (X)": "X, paires qui ne peuvent avoir les deux préférences : {number}, inévitables : "
    "{unavoidable} [C10.e]",
    "A7.e (Z)": "Z, paires qui ne peuvent avoir les deux préférences fortes : {number}, dont "
    "inévitables :"
    " {unavoidable} [C10.e]",
    "B5, downfloaters": "Flotteurs descendants qui l’étaient à la ronde précédente : {number} [C10.d]",
    "B6, downfloaters": "Flotteurs descendants qui l’étaient deux rondes avant : {number} [C10.c]",
    "B5, upfloaters": "Flotteurs montants qui l’étaient à la ronde précédente : {number} [C10.b]",
    "B6, upfloaters": "Flotteurs montants qui l’étaient deux rondes avant : {number} [C10.a]",
    "b3_factor": "Facteur B3 : {factor} [D4]",
    "pairs": "Paires : {pairs}",
    "downfloaters": "Descendent au niveau suivant : {players}",
    "bye": "Exempt : {players} [A5]",
    "board": "Échiquier {board} : {white} (Blancs) – {black}, appariés au niveau {bracket}. {rule}",
    "E1": "Les deux préférences sont accordées [E1]",
    "E2": "La préférence la plus forte est accordée [E2]",
    "E3": "Les couleurs de la dernière partie où elles différaient sont alternées [E3]",
    "E4": "La préférence du mieux classé est accordée [E4]",
    "E5": "Personne n’a de préférence : selon la parité du numéro du mieux classé [E5]",
    "why_not.paired": "{first} et {second} se rencontrent",
    "why_not.absent": "{first} et {second} ne peuvent se rencontrer : l’un d’eux n’est pas "
    "apparié [F5]",
    "why_not.B1.a": "{first} et {second} ne peuvent se rencontrer : ils ont déjà joué l’un contre "
    "l’autre [B1.a]",
    "why_not.prohibited": "{first} et {second} ne peuvent se rencontrer : le règlement interdit "
    "cette rencontre",
    "why_not.B2": "{first} et {second} ne peuvent se rencontrer : tous deux doivent avoir la même "
    "couleur [B2]",
    "why_not.steps": "Rien n’interdit à {first} et {second} de se rencontrer ; les étapes mènent "
    "ailleurs : {first} est"
    " apparié au niveau {one}, {second} au niveau {other}",
}

LANGUAGES: dict[str, dict[str, str]] = {"en": ENGLISH, "fr": FRENCH}


def step_sentences(
    explained: RoundSteps, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    """The lines of an explanation; *names* are put to the numbers but in pairs and long lists."""
    words = LANGUAGES[language]
    number = max((one.number for one in explained.brackets), default=0)
    yield words["round"].format(
        round=explained.round_number, boards=len(explained.pairing.pairs), brackets=number
    )
    for bracket in explained.brackets:
        yield ""
        yield from _bracket(bracket, words, names)
    if explained.boards:
        yield ""
    yield from (_board(board, words, names) for board in explained.boards)


def no_meeting_sentences(
    found: NoMeeting, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    """Why two players do not meet."""
    one, other = found.brackets or (0, 0)
    words = LANGUAGES[language]
    yield words[f"why_not.{found.code}"].format(
        first=called(found.first, names), second=called(found.second, names), one=one, other=other
    )


def steps_as_json(explained: RoundSteps) -> dict[str, Any]:
    """An explanation as JSON: the names of ``steps``, the B3 factor in squares of points."""
    answer = asdict(explained)
    answer["round"] = answer.pop("round_number")
    answer |= answer.pop("pairing")
    for bracket in answer["brackets"]:
        if bracket["b3_factor"] is not None:
            bracket["b3_factor"] /= 100
    return answer


def no_meeting_as_json(found: NoMeeting) -> dict[str, Any]:
    return asdict(found)


def _players(tpns: Sequence[TPN], words: dict[str, str], names: Names) -> str:
    return called_all(tpns, names) or words["nobody"]


def _bracket(one: BracketSteps, words: dict[str, str], names: Names) -> Iterator[str]:
    yield words["bracket"].format(
        number=one.number, players=_players((*one.moved_down, *one.residents), words, names)
    )
    for key, tpns in (
        ("moved_down", one.moved_down),
        ("joined", one.joined),
        ("incompatible", one.incompatible),
    ):
        if tpns:
            yield "  " + words[key].format(players=_players(tpns, words, names))
    sizes = words["sizes"].format(p0=one.p0, m0=one.m0, x1=one.x1)
    yield "  " + sizes + ("" if one.z1 is None else words["z1"].format(z1=one.z1))
    if one.by_a3:
        yield "  " + words["by_a3"]
    elif one.m0 and one.m1 is None and one.p1:
        yield "  " + words["m1_zero"]
    elif one.m1 is not None and one.m1 < one.m0:
        yield "  " + words["m1"].format(m1=one.m1)
    if one.anew is not None:
        yield "  " + words[f"anew.{one.anew}"]
    if one.p1 < one.p0:
        yield "  " + words["p1"].format(p1=one.p1)
    if one.first_try and one.pairs:
        yield "  " + words["first_try"]
    if one.b3_factor is not None:
        yield "  " + words["b3_factor"].format(factor=f"{one.b3_factor / 100:g}")
    for given_up in one.requirements:
        sentence = words[given_up.article].format(
            number=given_up.number, unavoidable=given_up.unavoidable
        )
        yield "  " + sentence
    if one.pairs:
        yield "  " + words["pairs"].format(
            pairs=" ".join(f"{higher}-{lower}" for higher, lower in one.pairs)
        )
    if one.downfloaters:
        yield "  " + words["downfloaters"].format(players=_players(one.downfloaters, words, names))
    if one.bye is not None:
        yield "  " + words["bye"].format(players=called(one.bye, names))


def _board(one: BoardSteps, words: dict[str, str], names: Names) -> str:
    white, black = called(one.white, names), called(one.black, names)
    rule = words[one.rule]
    return words["board"].format(
        board=one.board, white=white, black=black, bracket=one.bracket, rule=rule
    )
