"""The sentences of explanations of matches, in English and French; [n] is an article of C.04.5."""

from __future__ import annotations

from pairing.engine.errors import InvariantError

ENGLISH: dict[str, str] = {
    "round": "Round {round} of matches. Boards: {boards}. Brackets: {brackets}.",
    "none": "none",
    "bye": "{tpn} has the bye, which is assigned first [3.3.2]: score {score}, matches played {matches}."
    " It goes to the lowest score, the most matches, the largest number of those who leave a "
    "legal pairing [3.4]",
    "bye.barred": "Before in that order, but may not receive it [C2, 2.1.2]: {players}",
    "bye.needed": "Before in that order, but without them the others cannot all be paired "
    "[3.4.1]: {players}",
    "bracket": "Bracket {number}: top-scoregroup of score {score} [3.2]",
    "residents": "Residents: {players}",
    "upfloaters": "Upfloaters: {players} [3.5]",
    "no_upfloaters": "No upfloaters [3.5]",
    "identifier": "Pairs: {pairs}. Identifier {identifier}, the first that complies [3.6.4]",
    "criterion": "[{name}] {what}: {value} [{article}]",
    "not_applied": "[{name}] does not apply: {why} [{article}]",
    "last_round": "this is the last round",
    "waived": "no player of the following scoregroup is left to pair",
    "C4": "upfloaters",
    "C5": "score differences of their pairs",
    "C6": "upfloaters the following scoregroup will need",
    "C7": "upfloaters who floated in the previous round",
    "C8": "their opponents who floated in the previous round",
    "board": "Board {board}: {white} (White in the first game) – {black}, paired in bracket {bracket}",
    "side": "{tpn}: score {score}, colours {colours}",
    "side.none": "{tpn}: score {score}, no colour yet",
    "white.letter": "W",
    "black.letter": "B",
    "4.3.1": "Nobody has had a colour: {higher} is higher ranked, and the number decides, odd the "
    "initial colour,"
    " even the other [4.3.1]",
    "4.3.2": "White to the lower number of Whites [4.3.2]",
    "4.3.3": "The colours of the latest time that they differed are alternated [4.3.3]",
    "4.3.4": "{higher}, the higher ranked, gets the other colour than last time [4.3.4]",
    "4.3.5": "{higher}, the higher ranked, has had none; the opponent gets the other colour than "
    "last time [4.3.5]",
    "float": "Both are floaters by it [1.5]",
    "why_not.paired": "{first} and {second} do meet",
    "why_not.absent": "{first} and {second} cannot meet: not paired in this round: {absent} "
    "[C.04.2 3.3]",
    "why_not.C1": "{first} and {second} cannot meet: they played each other in round {met_in} [C1, 2.1.1]",
    "why_not.prohibited": "{first} and {second} cannot meet: the pair is prohibited by the regulations",
    "why_not.C3": "{first} and {second} cannot meet: the others could not all be paired any more [C3, 2.2.1]",
    "why_not.bye": "If {first} and {second} met, the bye would have to go to {bye}, who comes later [3.4]",
    "why_not.worse": "If {first} and {second} met, [{name}] would be worse in bracket {bracket} "
    "(score {score}):"
    " {what}: {forced} instead of {value} [{article}]",
    "why_not.later_set": "{first} and {second} could meet as well, but in bracket {bracket} "
    "(score {score}) with a set"
    " of upfloaters that comes later [3.5.4]",
    "why_not.later_pairing": "{first} and {second} could meet as well, but in bracket {bracket} "
    "(score {score}) with"
    " an identifier that comes later [3.6.3]",
    "why_not.instead": "The round in which they meet: {pairs}",
    "pab": "{tpn}-bye",
}

FRENCH: dict[str, str] = {
    "round": "Ronde {round}, par matchs. Échiquiers : {boards}. Niveaux : {brackets}.",
    "none": "aucun",
    "bye": "{tpn} est exempt, ce qui est décidé en premier [3.3.2] : score {score}, matchs joués {matches}."
    " C’est, parmi ceux qui laissent un appariement légal, le plus petit score, puis le plus de "
    "matchs, puis le plus"
    " grand numéro [3.4]",
    "bye.barred": "Avant dans cet ordre, mais ne peuvent l’être [C2, 2.1.2] : {players}",
    "bye.needed": "Avant dans cet ordre, mais sans eux les autres ne peuvent tous être appariés "
    "[3.4.1] : {players}",
    "bracket": "Niveau {number} : groupe des meilleurs scores, {score} [3.2]",
    "residents": "Résidents : {players}",
    "upfloaters": "Flotteurs montants : {players} [3.5]",
    "no_upfloaters": "Aucun flotteur montant [3.5]",
    "identifier": "Paires : {pairs}. Identifiant {identifier}, le premier qui convient [3.6.4]",
    "criterion": "[{name}] {what} : {value} [{article}]",
    "not_applied": "[{name}] ne s’applique pas : {why} [{article}]",
    "last_round": "c’est la dernière ronde",
    "waived": "il ne reste personne à apparier dans le groupe de points suivant",
    "C4": "flotteurs montants",
    "C5": "différences de score de leurs paires",
    "C6": "flotteurs montants dont le groupe de points suivant aura besoin",
    "C7": "flotteurs montants déjà flotteurs à la ronde précédente",
    "C8": "leurs adversaires déjà flotteurs à la ronde précédente",
    "board": "Échiquier {board} : {white} (Blancs à la première partie) – {black}, paire du "
    "niveau {bracket}",
    "side": "{tpn} : score {score}, couleurs {colours}",
    "side.none": "{tpn} : score {score}, aucune couleur jusqu’ici",
    "white.letter": "B",
    "black.letter": "N",
    "4.3.1": "Personne n’a eu de couleur : {higher} est mieux classé et son numéro décide, impair "
    "la couleur initiale,"
    " pair l’autre [4.3.1]",
    "4.3.2": "Les Blancs à qui les a eus le moins souvent [4.3.2]",
    "4.3.3": "On alterne les couleurs de la dernière fois où elles différaient [4.3.3]",
    "4.3.4": "{higher}, mieux classé, reçoit l’autre couleur que la dernière fois [4.3.4]",
    "4.3.5": "{higher}, mieux classé, n’en a pas eu ; l’adversaire reçoit l’autre couleur que la "
    "dernière fois [4.3.5]",
    "float": "Tous deux deviennent flotteurs [1.5]",
    "why_not.paired": "{first} et {second} se rencontrent",
    "why_not.absent": "{first} et {second} ne peuvent se rencontrer : pas appariés à cette ronde : {absent}"
    " [C.04.2 3.3]",
    "why_not.C1": "{first} et {second} ne peuvent se rencontrer : ils ont joué l’un contre "
    "l’autre à la ronde {met_in}"
    " [C1, 2.1.1]",
    "why_not.prohibited": "{first} et {second} ne peuvent se rencontrer : le règlement interdit "
    "cette rencontre",
    "why_not.C3": "{first} et {second} ne peuvent se rencontrer : les autres ne pourraient plus "
    "tous être appariés"
    " [C3, 2.2.1]",
    "why_not.bye": "Si {first} et {second} se rencontraient, il faudrait exempter {bye}, qui "
    "vient plus tard [3.4]",
    "why_not.worse": "Si {first} et {second} se rencontraient, [{name}] serait moins bon au "
    "niveau {bracket}"
    " (score {score}) : {what} : {forced} au lieu de {value} [{article}]",
    "why_not.later_set": "{first} et {second} pourraient se rencontrer aussi bien, mais au niveau {bracket}"
    " (score {score}) avec un ensemble de flotteurs montants qui vient plus tard [3.5.4]",
    "why_not.later_pairing": "{first} et {second} pourraient se rencontrer aussi bien, mais au "
    "niveau {bracket}"
    " (score {score}) avec un identifiant qui vient plus tard [3.6.3]",
    "why_not.instead": "La ronde où ils se rencontrent : {pairs}",
    "pab": "{tpn}-exempt",
}

LANGUAGES: dict[str, dict[str, str]] = {"en": ENGLISH, "fr": FRENCH}
"""The sentences by language code, then by code."""


def say(language: str, code: str, **params: object) -> str:
    """The sentence *code* in *language*, one of :data:`LANGUAGES`, with *params* put in."""
    try:
        return LANGUAGES[language][code].format(**params)
    except KeyError as missing:
        raise InvariantError(f"the sentence {code!r} in {language!r} lacks {missing}") from None
