"""Explanations in words, one sentence per line; lines below a heading are indented by two spaces.

Sentences about players add *names* to the numbers; S1, S2 and long lists have numbers only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pairing.engine.basics.colours import Strength
from pairing.engine.dutch.colours import ColourRule
from pairing.engine.dutch.floats import Float
from pairing.engine.model import TPN, Colour, Pairing
from pairing.engine.naming import LONGEST_NAMED_LIST, NUMBERS_ONLY, Names, called, called_all

from .explanation import (
    BracketExplanation,
    BracketPlayer,
    ByeExplanation,
    CriterionValue,
    MdpPairing,
    Measure,
    Outcome,
    PairExplanation,
    RoundExplanation,
    Side,
    Subgroups,
    Value,
    WhyNot,
)
from .wording import say
from .wording_2017 import words_of


def round_sentences(
    explained: RoundExplanation, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    """The brackets, boards and bye that *explained* has, from the top."""
    language = words_of(language, explained.system)
    boards = len(explained.pairing.pairs)
    shown = " ".join(str(one.number) for one in explained.brackets)
    yield say(
        language,
        "round",
        round=explained.round_number,
        boards=boards,
        brackets=shown or _none(language),
    )
    for bracket in explained.brackets:
        yield ""
        yield from bracket_sentences(bracket, language, names)
    for pair in explained.pairs:
        yield ""
        yield from board_sentences(pair, language, names)
    if explained.bye is not None:
        yield ""
        yield from bye_sentences(explained.bye, language, names)


# -----------------------------------------------------------------------------------------------
# brackets


def bracket_sentences(
    one: BracketExplanation, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    kind = "homogeneous" if one.mdp_pairing is None else "heterogeneous"
    yield say(language, f"bracket.{kind}", number=one.number, score=points(one.score))
    yield from _indented(_bracket_details(one, language, names))


def _bracket_details(one: BracketExplanation, language: str, names: Names) -> Iterator[str]:
    if one.mdp_pairing is not None:
        yield say(
            language, "bracket.mdps", players=_players(one.mdps, language, names, with_scores=True)
        )
    yield say(language, "bracket.residents", players=_players(one.residents, language, names))
    if one.mdp_pairing is None:
        yield say(language, "bracket.counts", max_pairs=one.max_pairs)
    else:
        m0, m1 = len(one.mdps), len(one.mdp_pairing.s1)
        yield say(language, "bracket.counts_mdps", m0=m0, m1=m1, max_pairs=one.max_pairs)
        yield from _mdp_pairing(one.mdp_pairing, language)
        yield say(
            language, "sub.remainder", players=_players(one.subgroups.players, language, names)
        )
    yield from _subgroups(one.subgroups, language)
    yield say(
        language, "bracket.pairs", pairs=_named_pairs(one.pairs, names) or say(language, "no_pairs")
    )
    downfloaters = _players(one.downfloaters, language, names, with_scores=True)
    yield say(language, "bracket.downfloaters", players=downfloaters)
    yield from criteria_sentences(one.criteria, language)


def _mdp_pairing(one: MdpPairing, language: str) -> Iterator[str]:
    start = {
        "s1": _numbers(one.original_s1, language),
        "limbo": _numbers(one.original_limbo, language),
    }
    yield say(language, "mdp.start", s2=_numbers(one.s2, language), **start)
    if not one.is_first_set:
        yield say(
            language,
            "mdp.other_set",
            s1=_numbers(one.s1, language),
            limbo=_numbers(one.limbo, language),
        )
    if one.s1:
        code = "mdp.transposed" if one.is_transposed else "mdp.in_order"
        yield say(language, code, pairs=_pairs(one.s1, one.opponents))


def _subgroups(one: Subgroups, language: str) -> Iterator[str]:
    if not one.s1:
        return
    yield say(
        language,
        "sub.start",
        s1=_numbers(one.original_s1, language),
        s2=_numbers(one.original_s2, language),
    )
    if one.is_exchanged:
        moved = {"to_s2": _numbers(one.to_s2, language), "to_s1": _numbers(one.to_s1, language)}
        yield say(language, "sub.exchanged", **moved)
    else:
        yield say(language, "sub.not_exchanged")
    code = "sub.transposed" if one.is_transposed else "sub.in_order"
    yield say(language, code, pairs=_pairs(one.s1, one.s2))


def criteria_sentences(criteria: Iterable[CriterionValue], language: str) -> Iterator[str]:
    """Return a sentence for each criterion that is not met in full, and one for all others."""
    met = []
    for one in criteria:
        if not any(one.value):
            met.append(f"[{one.name}]")
            continue
        params = {"name": one.name, "article": one.article, "what": say(language, one.name)}
        value = value_text(one.measure, one.value, language)
        if one.held_by is None:
            yield say(language, "criterion.best", value=value, **params)
        else:
            best = value_text(one.measure, one.best_alone, language)
            yield say(
                language, "criterion.held", value=value, best=best, held_by=one.held_by, **params
            )
    if met:
        yield say(language, "criteria.met", names=" ".join(met))


# -------------------------------------------------------------------------------------------------
# boards


def board_sentences(
    one: PairExplanation, language: str, names: Names = NUMBERS_ONLY
) -> Iterator[str]:
    white, black = one.white, one.black
    seats = {"white": called(white.tpn, names), "black": called(black.tpn, names)}
    yield say(language, "board", board=one.board, bracket=one.bracket, **seats)
    yield from _indented(
        [_side(white, language, names), _side(black, language, names), _rule(one, language, names)]
    )
    for side in (white, black):
        if side.received_float is not Float.NONE:
            yield "  " + say(
                language, f"float.{side.received_float.value}", tpn=called(side.tpn, names)
            )


def _side(side: Side, language: str, names: Names) -> str:
    preference = f"preference.{side.strength.name.lower()}"
    wish = (
        say(language, preference)
        if side.preference is None
        else _wish(language, preference, side.preference)
    )
    who = called(side.tpn, names)
    if not side.history:
        return say(language, "side.none_played", tpn=who, score=points(side.score), preference=wish)
    history = "".join(
        say(language, f"{Colour(letter).name.lower()}.letter") for letter in side.history
    )
    return say(
        language,
        "side",
        tpn=who,
        score=points(side.score),
        history=history,
        difference=f"{side.difference:+d}" if side.difference else "0",
        preference=wish,
    )


def _wish(language: str, code: str, colour: Colour) -> str:
    return say(language, code, colour=_colour(language, colour))


def _colour(language: str, colour: Colour) -> str:
    return say(language, colour.name.lower())


def _rule(one: PairExplanation, language: str, names: Names) -> str:
    """The rule of Article 5.2 that decided."""
    higher = one.white if one.white.tpn == one.higher else one.black
    granted = called((one.white if one.white.preference is Colour.WHITE else one.black).tpn, names)
    match one.rule:
        case ColourRule.BOTH_PREFERENCES:
            without = next(
                (side.tpn for side in (one.white, one.black) if side.strength is Strength.NONE),
                None,
            )
            if without is None:
                return say(language, "rule.both")
            return say(language, "rule.one", without=called(without, names), granted=granted)
        case ColourRule.STRONGER_PREFERENCE:
            return say(
                language, "rule.wider" if one.is_by_difference else "rule.stronger", granted=granted
            )
        case ColourRule.LATEST_DIFFERENCE:
            return say(language, "rule.latest")
        case ColourRule.HIGHER_RANKED:
            return say(language, "rule.higher", higher=called(one.higher, names))
        case ColourRule.INITIAL_COLOUR:
            code = "rule.odd" if higher.number % 2 else "rule.even"
            return say(language, code, higher=called(one.higher, names), number=higher.number)


def bye_sentences(one: ByeExplanation, language: str, names: Names = NUMBERS_ONLY) -> Iterator[str]:
    yield say(
        language, "bye", tpn=called(one.tpn, names), score=points(one.score), unplayed=one.unplayed
    )
    yield "  " + say(language, "bye.float")


# ------------------------------------------------------------------------------------------------
# why not


def why_not_sentences(one: WhyNot, language: str, names: Names = NUMBERS_ONLY) -> Iterator[str]:
    """Yield why the two do not meet, and the round in which they would meet, if there is one."""
    language = words_of(language, one.system)
    both: dict[str, object] = {
        "first": called(one.first, names),
        "second": called(one.second, names),
    }
    match one.outcome:
        case Outcome.WORSE:
            yield _worse(one, language, both)
        case Outcome.LATER:
            order = "" if one.order is None else one.order.value
            yield say(
                language,
                f"why_not.{order}",
                bracket=one.bracket,
                score=points(one.score or 0),
                **both,
            )
        case Outcome.COLLAPSED:
            yield say(
                language,
                "why_not.collapsed",
                bracket=one.bracket,
                score=points(one.score or 0),
                **both,
            )
        case _:
            absent = called_all(one.absent, names)
            colour = "" if one.colour is None else _colour(language, one.colour)
            yield say(
                language,
                f"why_not.{one.outcome.value}",
                met_in=one.met_in,
                absent=absent,
                colour=colour,
                **both,
            )
    if one.instead is not None and one.outcome is not Outcome.PAIRED:
        yield "  " + say(language, "why_not.instead", pairs=_round(one.instead, language))


def _worse(one: WhyNot, language: str, both: dict[str, object]) -> str:
    measure, name = one.measure or Measure.COUNT, one.worse or ""
    return say(
        language,
        "why_not.worse",
        name=name,
        what=say(language, name),
        article=one.article,
        bracket=one.bracket,
        score=points(one.score or 0),
        value=value_text(measure, one.value, language),
        forced=value_text(measure, one.forced, language),
        **both,
    )


def _round(pairing: Pairing, language: str) -> str:
    boards = [f"{white}-{black}" for white, black in pairing.pairs]
    return " ".join(
        boards if pairing.bye is None else [*boards, say(language, "pab", tpn=pairing.bye)]
    )


# --------------------------------------------------------------------------------------------------
# parts


def points(tenths: int) -> str:
    """Points as people write them: ``2½``."""
    whole, rest = divmod(tenths, 10)
    if rest == 5:
        return f"{whole or ''}½"
    return str(whole) if not rest else f"{tenths / 10}"


def value_text(measure: Measure, value: Value, language: str) -> str:
    """The value of a criterion in words."""
    if not value:
        return say(language, "empty")
    match measure:
        case Measure.COUNT:
            return str(value[0])
        case Measure.POINTS:
            return " ".join(points(item) for item in value)
        case Measure.LOOK_AHEAD:
            if not value[0]:
                return "0"
            return say(
                language,
                "ahead",
                count=value[0],
                scores=" ".join(points(item) for item in value[1:]),
            )


def _players(
    players: Sequence[BracketPlayer], language: str, names: Names, *, with_scores: bool = False
) -> str:
    code = "player.score" if with_scores else "player"
    details = [" " + say(language, code, bsn=one.bsn, score=points(one.score)) for one in players]
    return called_all([one.tpn for one in players], names, details) or _none(language)


def _numbers(numbers: Sequence[int], language: str) -> str:
    return " ".join(str(number) for number in numbers) or _none(language)


def _named_pairs(pairs: Sequence[tuple[TPN, TPN]], names: Names) -> str:
    """Return the pairs, with names if there are any and the list is short enough."""
    if names and 2 * len(pairs) <= LONGEST_NAMED_LIST:
        return "; ".join(
            f"{called(higher, names)} – {called(lower, names)}" for higher, lower in pairs
        )
    return " ".join(f"{higher}-{lower}" for higher, lower in pairs)


def _pairs(s1: Sequence[int], s2: Sequence[int]) -> str:
    return " ".join(f"{one}-{other}" for one, other in zip(s1, s2, strict=False))


def _none(language: str) -> str:
    return say(language, "none")


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
