"""The plain sentences of ``reasons`` in English and French, spoken to the player.

A code has one sentence in each language; names are put in by the caller, who knows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pairing.engine.errors import InvariantError
from pairing.engine.model import TPN, Colour
from pairing.engine.naming import Names

from .reasons import Plain

ENGLISH: Final[Mapping[str, str]] = {
    "number": "number {tpn}",
    "white": "White",
    "black": "Black",
    "absent": "You are not paired in this round.",
    "first_round": "All players begin with the same score. In your group of {players} the first "
    "{half} meet the"
    " others in order: place {upper} meets place {lower}, so you meet {opponent}.",
    "in_order": "You and {opponent} have the same score ({score}). In your group of {players} the "
    "first {half} meet"
    " the others in order: place {upper} meets place {lower}.",
    "only_two": "You and {opponent} have the same score ({score}) and were the only two left in your group.",
    "same_score": "You and {opponent} have the same score ({score}).",
    "float.down": "You have {score} and {opponent} has {their}: not all players of your group "
    "could be paired within"
    " it.",
    "float.down.odd": "You have {score} and {opponent} has {their}: your group had {players} "
    "players, an odd number,"
    " and you were left over.",
    "float.up": "You have {score} and {opponent} has {their}: not all players of the group above "
    "could be paired"
    " within it.",
    "float.up.odd": "You have {score} and {opponent} has {their}: the group of {opponent} had "
    "{players} players, an"
    " odd number, and {opponent} was left over.",
    "bye": "The number of players is odd, so one has the bye: you, with {score}.",
    "bye.lowest": "The number of players is odd, so one has the bye. You have {score}, and nobody has less.",
    "bye.barred": "The number of players is odd, so one has the bye. You have {score}; the "
    "players with less"
    " ({fewer}) cannot have the bye again.",
    "top.you": "It is the last round and you have more than half of the points: you meet "
    "{opponent} although you both"
    " needed {colour}.",
    "top.other": "It is the last round and {opponent} has more than half of the points: you meet "
    "{opponent} although"
    " you both needed {colour}.",
    "then": "; ",
    "tail.same": "{opponent} has your score too.",
    "tail.needed": "{opponent} has your score and needed {theirs}.",
    "tail.preferred": "{opponent} has your score and preferred {theirs}.",
    "tail.none": "{opponent} has your score and no preference.",
    "instead.order": "You could have met {other} as well, but the rules try your game with "
    "{opponent} first; both"
    " have your score.",
    "instead.rules": "The rules try {other} first, but then the rest of the pairing is worse; "
    "{opponent} has your"
    " score too.",
    "not.paired": "You do meet {other}.",
    "not.absent": "{other} is not paired in this round.",
    "not.scores": "You have {score} and {other} has {their}: players meet opponents with the same score where"
    " possible.",
    "not.met": "You and {other} have already played in round {round}.",
    "not.prohibited": "The regulations keep you and {other} apart.",
    "not.needed": "You and {other} both needed {colour}.",
    "not.preferred": "You and {other} both preferred {colour}.",
    "not.incomplete": "If you met {other}, the others could not all be paired.",
    "not.colours": "If you met {other}, the colours of all players together would be worse.",
    "not.floaters": "If you met {other}, more players, or players with more points, would have to "
    "leave their group.",
    "not.floats": "If you met {other}, players who floated in the last two rounds would float again.",
    "not.bye": "If you met {other}, the bye would go to another player than it should.",
    "not.order": "You could have met {other} as well, but the rules try another order first.",
    "not.rules": "Nothing forbids your game with {other}, but the rules lead to another pairing.",
    "colour.number": "Neither of you has played yet: your numbers decide that you have {colour}.",
    "colour.needed": "You have {colour} because you needed it.",
    "colour.preferred": "You have {colour}, as you preferred.",
    "colour.won": "You both preferred {colour}: your earlier games, or your rank, give it to you.",
    "colour.won.stronger": "You both preferred {colour}, and you needed it more.",
    "colour.theirs": "You have {colour} because {opponent} preferred {theirs}.",
    "colour.lost": "You both preferred {theirs}: your earlier games, or the rank, give it to {opponent}.",
    "colour.lost.stronger": "You both preferred {theirs}, and {opponent} needed it more.",
}

FRENCH: Final[Mapping[str, str]] = {
    "number": "le numéro {tpn}",
    "white": "les Blancs",
    "black": "les Noirs",
    "absent": "Vous n’êtes pas apparié à cette ronde.",
    "first_round": "Tout le monde commence avec le même score. Dans votre groupe de {players}, "
    "les {half} premiers"
    " rencontrent les suivants dans l’ordre : le rang {upper} rencontre le rang {lower}, donc "
    "vous rencontrez"
    " {opponent}.",
    "in_order": "{opponent} et vous avez le même score ({score}). Dans votre groupe de {players}, "
    "les {half} premiers"
    " rencontrent les suivants dans l’ordre : le rang {upper} rencontre le rang {lower}.",
    "only_two": "{opponent} et vous avez le même score ({score}) et restiez seuls dans votre groupe.",
    "same_score": "{opponent} et vous avez le même score ({score}).",
    "float.down": "Vous avez {score} et {opponent} a {their} : dans votre groupe, tous ne "
    "pouvaient pas être"
    " appariés entre eux.",
    "float.down.odd": "Vous avez {score} et {opponent} a {their} : votre groupe avait {players} "
    "joueurs, un nombre"
    " impair, et vous y restiez sans adversaire.",
    "float.up": "Vous avez {score} et {opponent} a {their} : dans le groupe supérieur, tous ne "
    "pouvaient pas"
    " être appariés entre eux.",
    "float.up.odd": "Vous avez {score} et {opponent} a {their} : le groupe de {opponent} avait "
    "{players} joueurs, un"
    " nombre impair, et {opponent} y restait sans adversaire.",
    "bye": "Le nombre de joueurs est impair et il faut un exempt : c’est vous, avec {score}.",
    "bye.lowest": "Le nombre de joueurs est impair et il faut un exempt. Vous avez {score}, et "
    "personne n’a moins.",
    "bye.barred": "Le nombre de joueurs est impair et il faut un exempt. Vous avez {score} ; les "
    "joueurs qui ont"
    " moins ({fewer}) ne peuvent plus être exempts.",
    "top.you": "C’est la dernière ronde et vous avez plus de la moitié des points : vous "
    "rencontrez {opponent} bien"
    " que vous ayez l’un et l’autre besoin d’avoir {colour}.",
    "top.other": "C’est la dernière ronde et {opponent} a plus de la moitié des points : vous "
    "vous rencontrez bien"
    " que vous ayez l’un et l’autre besoin d’avoir {colour}.",
    "then": " ; ",
    "tail.same": "{opponent} a aussi votre score.",
    "tail.needed": "{opponent} a votre score et devait avoir {theirs}.",
    "tail.preferred": "{opponent} a votre score et préférait {theirs}.",
    "tail.none": "{opponent} a votre score et n’a pas de préférence.",
    "instead.order": "Vous auriez pu rencontrer {other}, mais le règlement essaie d’abord votre partie avec"
    " {opponent} ; tous deux ont votre score.",
    "instead.rules": "Le règlement essaie d’abord {other}, mais le reste de l’appariement est "
    "alors moins bon ;"
    " {opponent} a aussi votre score.",
    "not.paired": "Vous rencontrez bien {other}.",
    "not.absent": "{other} n’est pas apparié à cette ronde.",
    "not.scores": "Vous avez {score} et {other} a {their} : on rencontre un adversaire de même "
    "score quand c’est"
    " possible.",
    "not.met": "{other} et vous avez déjà joué à la ronde {round}.",
    "not.prohibited": "Le règlement interdit la rencontre entre {other} et vous.",
    "not.needed": "{other} et vous deviez avoir {colour}.",
    "not.preferred": "{other} et vous préfériez {colour}.",
    "not.incomplete": "Si vous rencontriez {other}, les autres ne pourraient plus tous être appariés.",
    "not.colours": "Si vous rencontriez {other}, les couleurs de l’ensemble des joueurs seraient "
    "moins bonnes.",
    "not.floaters": "Si vous rencontriez {other}, plus de joueurs, ou des joueurs ayant plus de "
    "points, devraient"
    " quitter leur groupe.",
    "not.floats": "Si vous rencontriez {other}, des joueurs déjà flotteurs dans les deux "
    "dernières rondes le seraient"
    " encore.",
    "not.bye": "Si vous rencontriez {other}, l’exempt ne serait pas celui qu’il faut.",
    "not.order": "Vous auriez pu rencontrer {other}, mais le règlement essaie d’abord un autre ordre.",
    "not.rules": "Rien n’interdit votre partie avec {other}, mais le règlement mène à un autre "
    "appariement.",
    "colour.number": "Ni l’un ni l’autre n’a encore joué : vos numéros vous donnent {colour}.",
    "colour.needed": "Vous avez {colour} parce que vous deviez les avoir.",
    "colour.preferred": "Vous avez {colour}, selon votre préférence.",
    "colour.won": "Vous préfériez {colour} l’un et l’autre : vos parties précédentes, ou votre "
    "rang, vous les donnent.",
    "colour.won.stronger": "Vous préfériez {colour} l’un et l’autre, et votre préférence est la plus forte.",
    "colour.theirs": "Vous avez {colour} parce que {opponent} préférait {theirs}.",
    "colour.lost": "Vous préfériez {theirs} l’un et l’autre : vos parties précédentes, ou le "
    "rang, les donnent à"
    " {opponent}.",
    "colour.lost.stronger": "Vous préfériez {theirs} l’un et l’autre, et la préférence de "
    "{opponent} est la plus"
    " forte.",
}

LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {"en": ENGLISH, "fr": FRENCH}


def plain_sentence(plain: Plain, language: str, names: Names) -> str:
    """Return the sentence of *plain* in *language*; a player without a name has a number.

    *language* is ``en`` or ``fr``.
    """
    words = LANGUAGES[language]

    def called(tpn: TPN | None) -> str:
        return "" if tpn is None else names.get(tpn) or words["number"].format(tpn=tpn)

    def colour(one: Colour) -> str:
        return words[one.name.lower()]

    try:
        sentence = _pattern(words, plain.code).format(
            opponent=called(plain.opponent),
            other=called(plain.other),
            score=points(plain.points.get("score", 0)),
            their=points(plain.points.get("other", 0)),
            **{name: colour(one) for name, one in plain.colours.items()},
            **plain.numbers,
        )
    except KeyError as missing:
        raise InvariantError(
            f"the sentence {plain.code!r} in {language!r} lacks {missing}"
        ) from None
    return sentence[:1].upper() + sentence[1:]


def _pattern(words: Mapping[str, str], code: str) -> str:
    """Return the sentence of *code*.

    That of ``instead.met.needed`` says why not, and then what the opponent has.
    """
    if code in words or not code.startswith("instead."):
        return words[code]
    _, reason, *tail = code.split(".")
    return (
        words[f"not.{reason}"].removesuffix(".")
        + words["then"]
        + words[f"tail.{tail[0] if tail else 'same'}"]
    )


def points(tenths: int) -> str:
    """Return points as people write them: ``2½``."""
    whole, rest = divmod(tenths, 10)
    if rest == 5:
        return f"{whole or ''}½"
    return str(whole) if not rest else f"{tenths / 10}"
