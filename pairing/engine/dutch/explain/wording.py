"""The sentences of explanations, in English and French: plain words, and nothing computed.

A code has one sentence in every language. French uses the words of the French text of C.04.3:
niveau, flotteur descendant, zone d'attente, NAN for BSN.
"""

from __future__ import annotations

from pairing.engine.errors import InvariantError

ENGLISH: dict[str, str] = {
    "round": "Round {round}. Boards: {boards}. Brackets: {brackets}.",
    "none": "nobody",
    "no_pairs": "none",
    "player": "(BSN {bsn})",
    "player.score": "(BSN {bsn}, {score})",
    # A bracket
    "bracket.homogeneous": "Bracket {number}: score {score}, homogeneous [1.3.3]",
    "bracket.heterogeneous": "Bracket {number}: score {score}, heterogeneous [1.3.3]",
    "bracket.mdps": "Moved-down players: {players}",
    "bracket.residents": "Residents: {players}",
    "bracket.counts": "MaxPairs = {max_pairs} [3.1.2]",
    "bracket.counts_mdps": "M0 = {m0}, M1 = {m1}, MaxPairs = {max_pairs} [3.1]",
    "bracket.pairs": "Pairs: {pairs}",
    "bracket.downfloaters": "Downfloaters: {players}",
    "mdp.start": "The text begins with S1 = {s1}, S2 = {s2}, Limbo = {limbo} [3.2]",
    "mdp.other_set": "Another set of moved-down players is paired: S1 = {s1}, Limbo = {limbo} [4.4.2]",
    "mdp.in_order": "They meet the first of S2 in order: {pairs} [3.3.1]",
    "mdp.transposed": "S2 is transposed: {pairs} [4.2.2]",
    "sub.remainder": "Remainder, with BSNs of its own: {players} [3.3.3]",
    "sub.start": "The text begins with S1 = {s1}, S2 = {s2} [3.2]",
    "sub.exchanged": "Exchange: {to_s2} to S2, {to_s1} to S1 [4.3.2]",
    "sub.not_exchanged": "No exchange",
    "sub.in_order": "S2 stays in order: {pairs} [3.3.1]",
    "sub.transposed": "S2 is transposed: {pairs} [4.2.2]",
    # Criteria
    "criteria.met": "Met in full: {names}",
    "criterion.best": "[{name}] {what}: {value}. It cannot be less [{article}]",
    "criterion.held": "[{name}] {what}: {value}. Alone it could be {best}, but not while the"
    " criteria down to [{held_by}] are kept [{article}]",
    "empty": "nothing",
    "ahead": "{count} of scores {scores}",
    "C5": "score of the player with the pairing-allocated bye",
    "C6": "downfloaters",
    "C7": "scores of the downfloaters",
    "C8": "downfloaters of the following bracket",
    "C9": "unplayed games of the player with the pairing-allocated bye",
    "C10": "topscorers or their opponents with a colour difference beyond 2",
    "C11": "topscorers or their opponents with the same colour three times in a row",
    "C12": "players who do not get their colour preference",
    "C13": "players who do not get their strong colour preference",
    "C14": "resident downfloaters who had a downfloat in the previous round",
    "C15": "opponents of moved-down players who had an upfloat in the previous round",
    "C16": "resident downfloaters who had a downfloat two rounds before",
    "C17": "opponents of moved-down players who had an upfloat two rounds before",
    "C18": "score differences of moved-down players who had a downfloat in the previous round",
    "C19": "score differences of opponents who had an upfloat in the previous round",
    "C20": "score differences of moved-down players who had a downfloat two rounds before",
    "C21": "score differences of opponents who had an upfloat two rounds before",
    # A board
    "board": "Board {board}: {white} (White) – {black} (Black), paired in bracket {bracket}",
    "side": "{tpn}: score {score}, colours {history}, difference {difference}, {preference}",
    "side.none_played": "{tpn}: score {score}, no game played, {preference}",
    "white": "White",
    "black": "Black",
    "white.letter": "W",
    "black.letter": "B",
    "preference.none": "no colour preference [1.7.4]",
    "preference.mild": "mild preference for {colour} [1.7.3]",
    "preference.strong": "strong preference for {colour} [1.7.2]",
    "preference.absolute": "absolute preference for {colour} [1.7.1]",
    "rule.both": "Both colour preferences are granted [5.2.1]",
    "rule.one": "{without} has no preference: that of {granted} is granted [1.7.4, 5.2.1]",
    "rule.stronger": "The stronger preference, that of {granted}, is granted [5.2.2]",
    "rule.wider": "Both preferences are absolute: {granted} has the wider colour difference [5.2.2]",
    "rule.latest": "Equal preferences: the colours of the latest games in which they differed are "
    "alternated [5.2.3]",
    "rule.higher": "All equal: {higher} is ranked higher and gets the preference [5.2.4]",
    "rule.odd": "No game played: {higher} is ranked higher, number {number} is odd and gets the "
    "initial colour [5.2.5]",
    "rule.even": "No game played: {higher} is ranked higher, number {number} is even and gets the "
    "other colour"
    " than the initial one [5.2.5]",
    "float.down": "{tpn} gets a downfloat [1.4.2]",
    "float.up": "{tpn} gets an upfloat [1.4.2]",
    "bye": "{tpn} has the pairing-allocated bye: {score} is the lowest score with which the round "
    "can be paired"
    " [C5, 2.3.1]; unplayed games so far: {unplayed} [C9]",
    "bye.float": "The bye counts as a downfloat [1.4.3]",
    # Why not?
    "why_not.paired": "{first} and {second} do meet",
    "why_not.absent": "{first} and {second} cannot meet: not paired in this round: {absent} "
    "[C.04.2 3.3]",
    "why_not.C1": "{first} and {second} cannot meet: they played each other in round {met_in} [C1, 2.1.1]",
    "why_not.prohibited": "{first} and {second} cannot meet: the pair is prohibited by the regulations",
    "why_not.C3": "{first} and {second} cannot meet: both must have {colour} [C3, 2.1.3]",
    "why_not.C4": "{first} and {second} cannot meet: the others could then not all be paired [C4, 2.2.1]",
    "why_not.worse": "If {first} and {second} met, [{name}] would be worse in bracket {bracket} (score"
    " {score}): {what}: {forced} instead of {value} [{article}]",
    "why_not.collapsed": "If {first} and {second} met, the round could not be completed after "
    "bracket {bracket} (score"
    " {score}): it would be paired again, and everybody below as one bracket [A.9]",
    "why_not.mdp_set": "{first} and {second} could meet just as well, but in bracket {bracket} "
    "(score {score}) another"
    " set of moved-down players would be paired, which comes later [4.4.2]",
    "why_not.mdp_transposition": "{first} and {second} could meet just as well, but in bracket "
    "{bracket} (score"
    " {score}) that takes a later transposition for the moved-down players [4.2.2]",
    "why_not.exchange": "{first} and {second} could meet just as well, but in bracket {bracket} "
    "(score {score})"
    " that takes a later exchange [4.3.2]",
    "why_not.transposition": "{first} and {second} could meet just as well, but in bracket "
    "{bracket} (score"
    " {score}) that takes a later transposition [4.2.2]",
    "why_not.instead": "The best round in which they meet: {pairs}",
    "pab": "{tpn}-bye",
    "note.differs": "The file pairs this round otherwise; explained is the pairing by the rules",
}

FRENCH: dict[str, str] = {
    "round": "Ronde {round}. Échiquiers : {boards}. Niveaux : {brackets}.",
    "none": "personne",
    "no_pairs": "aucune",
    "player": "(NAN {bsn})",
    "player.score": "(NAN {bsn}, {score})",
    "bracket.homogeneous": "Niveau {number} : score {score}, homogène [1.3.3]",
    "bracket.heterogeneous": "Niveau {number} : score {score}, hétérogène [1.3.3]",
    "bracket.mdps": "Flotteurs descendants reçus : {players}",
    "bracket.residents": "Résidents : {players}",
    "bracket.counts": "MaxP = {max_pairs} [3.1.2]",
    "bracket.counts_mdps": "M0 = {m0}, M1 = {m1}, MaxP = {max_pairs} [3.1]",
    "bracket.pairs": "Paires : {pairs}",
    "bracket.downfloaters": "Flotteurs descendants : {players}",
    "mdp.start": "Le texte commence par S1 = {s1}, S2 = {s2}, zone d’attente = {limbo} [3.2]",
    "mdp.other_set": "D’autres flotteurs descendants sont appariés : S1 = {s1}, zone d’attente = "
    "{limbo} [4.4.2]",
    "mdp.in_order": "Ils rencontrent les premiers de S2 dans l’ordre : {pairs} [3.3.1]",
    "mdp.transposed": "S2 est transposé : {pairs} [4.2.2]",
    "sub.remainder": "Niveau résiduel, avec ses propres NAN : {players} [3.3.3]",
    "sub.start": "Le texte commence par S1 = {s1}, S2 = {s2} [3.2]",
    "sub.exchanged": "Échange : {to_s2} vers S2, {to_s1} vers S1 [4.3.2]",
    "sub.not_exchanged": "Aucun échange",
    "sub.in_order": "S2 reste dans l’ordre : {pairs} [3.3.1]",
    "sub.transposed": "S2 est transposé : {pairs} [4.2.2]",
    "criteria.met": "Aucun écart pour {names}",
    "criterion.best": "[{name}] {what} : {value}. Il n’est pas possible de faire moins [{article}]",
    "criterion.held": "[{name}] {what} : {value}. Pris seul, ce serait {best}, mais pas en"
    " respectant autant les critères jusqu’à [{held_by}] [{article}]",
    "empty": "rien",
    "ahead": "{count} de scores {scores}",
    "C5": "score de la personne exempte",
    "C6": "flotteurs descendants",
    "C7": "scores des flotteurs descendants",
    "C8": "flotteurs descendants du niveau suivant",
    "C9": "parties non jouées de la personne exempte",
    "C10": "top joueurs ou leurs adversaires avec une différence de couleurs au-delà de 2",
    "C11": "top joueurs ou leurs adversaires avec trois fois de suite la même couleur",
    "C12": "personnes qui n’ont pas leur préférence de couleur",
    "C13": "personnes qui n’ont pas leur préférence de couleur forte",
    "C14": "flotteurs descendants résidents qui l’étaient déjà à la ronde précédente",
    "C15": "adversaires de flotteurs descendants déjà flotteurs montants à la ronde précédente",
    "C16": "flotteurs descendants résidents qui l’étaient déjà il y a deux rondes",
    "C17": "adversaires de flotteurs descendants déjà flotteurs montants il y a deux rondes",
    "C18": "différences de score des flotteurs descendants qui l’étaient déjà à la ronde précédente",
    "C19": "différences de score des adversaires déjà flotteurs montants à la ronde précédente",
    "C20": "différences de score des flotteurs descendants qui l’étaient déjà il y a deux rondes",
    "C21": "différences de score des adversaires déjà flotteurs montants il y a deux rondes",
    "board": "Échiquier {board} : {white} (Blancs) – {black} (Noirs), paire du niveau {bracket}",
    "side": "{tpn} : score {score}, couleurs {history}, différence {difference}, {preference}",
    "side.none_played": "{tpn} : score {score}, aucune partie jouée, {preference}",
    "white": "les Blancs",
    "black": "les Noirs",
    "white.letter": "B",
    "black.letter": "N",
    "preference.none": "sans préférence de couleur [1.7.4]",
    "preference.mild": "préférence faible pour {colour} [1.7.3]",
    "preference.strong": "préférence forte pour {colour} [1.7.2]",
    "preference.absolute": "préférence absolue pour {colour} [1.7.1]",
    "rule.both": "Les deux préférences de couleur sont accordées [5.2.1]",
    "rule.one": "{without} n’a pas de préférence : celle de {granted} est accordée [1.7.4, 5.2.1]",
    "rule.stronger": "La préférence la plus forte, celle de {granted}, est accordée [5.2.2]",
    "rule.wider": "Les deux préférences sont absolues : {granted} a la différence de couleurs la "
    "plus étendue [5.2.2]",
    "rule.latest": "Préférences égales : on alterne les couleurs des dernières parties où elles "
    "différaient [5.2.3]",
    "rule.higher": "Tout est égal : {higher}, mieux classé, obtient sa préférence [5.2.4]",
    "rule.odd": "Aucune partie jouée : {higher} est mieux classé, son numéro {number} est impair "
    "et reçoit la couleur"
    " initiale [5.2.5]",
    "rule.even": "Aucune partie jouée : {higher} est mieux classé, son numéro {number} est pair et reçoit"
    " l’autre couleur que l’initiale [5.2.5]",
    "float.down": "{tpn} devient flotteur descendant [1.4.2]",
    "float.up": "{tpn} devient flotteur montant [1.4.2]",
    "bye": "{tpn} est exempt : {score} est le plus petit score avec lequel la ronde peut être "
    "appariée [C5, 2.3.1] ;"
    " parties non jouées jusqu’ici : {unplayed} [C9]",
    "bye.float": "L’exemption compte comme un flottement descendant [1.4.3]",
    "why_not.paired": "{first} et {second} se rencontrent",
    "why_not.absent": "{first} et {second} ne peuvent se rencontrer : pas appariés à cette ronde : {absent}"
    " [C.04.2 3.3]",
    "why_not.C1": "{first} et {second} ne peuvent se rencontrer : ils ont joué l’un contre "
    "l’autre à la ronde {met_in}"
    " [C1, 2.1.1]",
    "why_not.prohibited": "{first} et {second} ne peuvent se rencontrer : le règlement interdit "
    "cette rencontre",
    "why_not.C3": "{first} et {second} ne peuvent se rencontrer : tous deux doivent avoir "
    "{colour} [C3, 2.1.3]",
    "why_not.C4": "{first} et {second} ne peuvent se rencontrer : les autres ne pourraient plus "
    "tous être appariés"
    " [C4, 2.2.1]",
    "why_not.worse": "Si {first} et {second} se rencontraient, [{name}] serait moins bon au "
    "niveau {bracket}"
    " (score {score}) : {what} : {forced} au lieu de {value} [{article}]",
    "why_not.collapsed": "Si {first} et {second} se rencontraient, la ronde ne pourrait être "
    "complétée après le niveau"
    " {bracket} (score {score}) : il serait apparié à nouveau, et tous ceux au-dessous en un seul "
    "niveau [A.9]",
    "why_not.mdp_set": "{first} et {second} pourraient se rencontrer aussi bien, mais au niveau {bracket}"
    " (score {score}) d’autres flotteurs descendants seraient appariés, ce qui vient plus tard [4.4.2]",
    "why_not.mdp_transposition": "{first} et {second} pourraient se rencontrer aussi bien, mais "
    "au niveau {bracket}"
    " (score {score}) il faut une transposition plus tardive pour les flotteurs descendants [4.2.2]",
    "why_not.exchange": "{first} et {second} pourraient se rencontrer aussi bien, mais au niveau {bracket}"
    " (score {score}) il faut un échange plus tardif [4.3.2]",
    "why_not.transposition": "{first} et {second} pourraient se rencontrer aussi bien, mais au "
    "niveau {bracket}"
    " (score {score}) il faut une transposition plus tardive [4.2.2]",
    "why_not.instead": "La meilleure ronde où ils se rencontrent : {pairs}",
    "pab": "{tpn}-exempt",
    "note.differs": "Le fichier apparie cette ronde autrement ; l’explication porte sur "
    "l’appariement selon les règles",
}

LANGUAGES: dict[str, dict[str, str]] = {"en": ENGLISH, "fr": FRENCH}
"""The sentences by language code, then by code."""
EDITIONS: dict[str, dict[str, str]] = dict(LANGUAGES)
"""The same, and those of older editions under names of their own."""


def say(language: str, code: str, **params: object) -> str:
    """The sentence *code* in *language*, one of :data:`EDITIONS`, with *params* put in."""
    try:
        return EDITIONS[language][code].format(**params)
    except KeyError as missing:
        raise InvariantError(f"the sentence {code!r} in {language!r} lacks {missing}") from None
