"""Explanations of matches in words, a sentence per line; below a heading two spaces deeper.

*names* are put to the numbers where players are spoken of; pairs and long lists keep the numbers
alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from pairing.engine.dutch.explain.sentences import points
from pairing.engine.model import Pairing
from pairing.engine.naming import NUMBERS_ONLY, Names, called, called_all

from .explanation import (
    ARTICLES,
    MatchBracketExplanation,
    MatchByeExplanation,
    MatchPairExplanation,
    MatchRoundExplanation,
    MatchSide,
    MatchWhyNot,
    Value,
)
from .wording import say


def match_round_sentences(
    explained: MatchRoundExplanation, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    """The bye, brackets and boards that *explained* has."""
    shown = " ".join(str(one.number) for one in explained.brackets) or say(language, "none")
    boards = len(explained.pairing.pairs)
    yield say(language, "round", round=explained.round_number, boards=boards, brackets=shown)
    if explained.bye is not None:
        yield ""
        yield from _bye(explained.bye, language, names)
    for bracket in explained.brackets:
        yield ""
        yield from _bracket(bracket, language, names)
    for board in explained.boards:
        yield ""
        yield from _board(board, language, names)


def match_why_not_sentences(
    found: MatchWhyNot, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    """Why the two do not meet, and the round in which they would."""
    yield say(
        language,
        f"why_not.{found.outcome.value}",
        first=called(found.first, names),
        second=called(found.second, names),
        absent=called_all(found.absent, names),
        met_in=found.met_in,
        bye=called(found.bye, names),
        bracket=found.bracket,
        score=None if found.score is None else points(found.score),
        name=found.worse,
        article=ARTICLES.get(found.worse or ""),
        what=say(language, found.worse) if found.worse else None,
        value=_value(found.worse, found.value, language),
        forced=_value(found.worse, found.forced, language),
    )
    if found.instead is not None:
        yield "  " + say(language, "why_not.instead", pairs=_round(found.instead, language))


def _bye(one: MatchByeExplanation, language: str, names: Names) -> Iterator[str]:
    yield say(
        language, "bye", tpn=called(one.tpn, names), score=points(one.score), matches=one.matches
    )
    if one.barred:
        yield "  " + say(language, "bye.barred", players=called_all(one.barred, names))
    if one.needed:
        yield "  " + say(language, "bye.needed", players=called_all(one.needed, names))


def _bracket(one: MatchBracketExplanation, language: str, names: Names) -> Iterator[str]:
    yield say(language, "bracket", number=one.number, score=points(one.score))
    yield "  " + say(language, "residents", players=called_all(one.residents, names))
    scores = [f" ({points(player.score)})" for player in one.upfloaters]
    moved = called_all([player.tpn for player in one.upfloaters], names, scores)
    yield "  " + (
        say(language, "upfloaters", players=moved) if moved else say(language, "no_upfloaters")
    )
    pairs = " ".join(f"{top}-{bottom}" for top, bottom in one.pairs)
    identifier = " ".join(str(tpn) for tpn in one.identifier)
    yield "  " + say(language, "identifier", pairs=pairs, identifier=identifier)
    if not one.upfloaters:
        return  # then no criterion has anything to count
    for name, value in one.values:
        if value:
            shown = _value(name, value, language)
            sentence = say(
                language,
                "criterion",
                name=name,
                what=say(language, name),
                value=shown,
                article=ARTICLES[name],
            )
        else:
            why = say(language, "waived" if name == "C6" else "last_round")
            sentence = say(language, "not_applied", name=name, why=why, article=ARTICLES[name])
        yield "  " + sentence


def _board(one: MatchPairExplanation, language: str, names: Names) -> Iterator[str]:
    seats = {"white": called(one.white.tpn, names), "black": called(one.black.tpn, names)}
    yield say(language, "board", board=one.board, bracket=one.bracket, **seats)
    for side in (one.white, one.black):
        yield "  " + _side(side, language, names)
    yield "  " + say(language, one.rule.value, higher=called(one.higher, names))
    if one.is_float:
        yield "  " + say(language, "float")


def _side(side: MatchSide, language: str, names: Names) -> str:
    if not side.colours:
        return say(language, "side.none", tpn=called(side.tpn, names), score=points(side.score))
    letters = {"w": say(language, "white.letter"), "b": say(language, "black.letter")}
    colours = "".join(letters[letter] for letter in side.colours)
    return say(
        language, "side", tpn=called(side.tpn, names), score=points(side.score), colours=colours
    )


def _value(name: str | None, value: Value, language: str) -> str:
    if name != "C5":
        return " ".join(map(str, value)) or say(language, "none")
    return " ".join(points(item) for item in value)


def _round(pairing: Pairing, language: str) -> str:
    pairs = [f"{white}-{black}" for white, black in pairing.pairs]
    if pairing.bye is not None:
        pairs.append(say(language, "pab", tpn=pairing.bye))
    return " ".join(pairs)
