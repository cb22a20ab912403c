"""Explanations of matches in words, one sentence per line; what belongs to a heading stands two spaces in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pairing.engine.dutch.explain.sentences import points
from pairing.engine.model import TPN, Pairing

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


def match_round_sentences(explained: MatchRoundExplanation, language: str) -> Iterator[str]:
    """The bye, brackets and boards that *explained* has."""
    shown = " ".join(str(one.number) for one in explained.brackets) or say(language, "none")
    boards = len(explained.pairing.pairs)
    yield say(language, "round", round=explained.round_number, boards=boards, brackets=shown)
    if explained.bye is not None:
        yield ""
        yield from _bye(explained.bye, language)
    for bracket in explained.brackets:
        yield ""
        yield from _bracket(bracket, language)
    for board in explained.boards:
        yield ""
        yield from _board(board, language)


def match_why_not_sentences(found: MatchWhyNot, language: str) -> Iterator[str]:
    """Why the two do not meet, and the round in which they would."""
    yield say(
        language,
        f"why_not.{found.outcome.value}",
        first=found.first,
        second=found.second,
        absent=_players(found.absent),
        met_in=found.met_in,
        bye=found.bye,
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


def _bye(one: MatchByeExplanation, language: str) -> Iterator[str]:
    yield say(language, "bye", tpn=one.tpn, score=points(one.score), matches=one.matches)
    if one.barred:
        yield "  " + say(language, "bye.barred", players=_players(one.barred))
    if one.needed:
        yield "  " + say(language, "bye.needed", players=_players(one.needed))


def _bracket(one: MatchBracketExplanation, language: str) -> Iterator[str]:
    yield say(language, "bracket", number=one.number, score=points(one.score))
    yield "  " + say(language, "residents", players=_players(one.residents))
    moved = ", ".join(f"{player.tpn} ({points(player.score)})" for player in one.upfloaters)
    yield "  " + (say(language, "upfloaters", players=moved) if moved else say(language, "no_upfloaters"))
    pairs = " ".join(f"{top}-{bottom}" for top, bottom in one.pairs)
    identifier = " ".join(str(tpn) for tpn in one.identifier)
    yield "  " + say(language, "identifier", pairs=pairs, identifier=identifier)
    if not one.upfloaters:
        return  # then no criterion has anything to count
    for name, value in one.values:
        if value:
            shown = _value(name, value, language)
            sentence = say(
                language, "criterion", name=name, what=say(language, name), value=shown, article=ARTICLES[name]
            )
        else:
            why = say(language, "waived" if name == "C6" else "last_round")
            sentence = say(language, "not_applied", name=name, why=why, article=ARTICLES[name])
        yield "  " + sentence


def _board(one: MatchPairExplanation, language: str) -> Iterator[str]:
    yield say(language, "board", board=one.board, white=one.white.tpn, black=one.black.tpn, bracket=one.bracket)
    for side in (one.white, one.black):
        yield "  " + _side(side, language)
    yield "  " + say(language, one.rule.value, higher=one.higher)
    if one.is_float:
        yield "  " + say(language, "float")


def _side(side: MatchSide, language: str) -> str:
    if not side.colours:
        return say(language, "side.none", tpn=side.tpn, score=points(side.score))
    letters = {"w": say(language, "white.letter"), "b": say(language, "black.letter")}
    colours = "".join(letters[letter] for letter in side.colours)
    return say(language, "side", tpn=side.tpn, score=points(side.score), colours=colours)


def _value(name: str | None, value: Value, language: str) -> str:
    if name != "C5":
        return " ".join(map(str, value)) or say(language, "none")
    return " ".join(points(item) for item in value)


def _players(players: Iterable[TPN]) -> str:
    return ", ".join(map(str, players))


def _round(pairing: Pairing, language: str) -> str:
    pairs = [f"{white}-{black}" for white, black in pairing.pairs]
    if pairing.bye is not None:
        pairs.append(say(language, "pab", tpn=pairing.bye))
    return " ".join(pairs)
