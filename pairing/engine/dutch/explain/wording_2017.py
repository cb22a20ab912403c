"""The sentences by the rules of 2017: those of 2026 with the articles of the older text.

Criteria have the numbers and the meaning of section C of 2017; references are put into its letters.
"""

from __future__ import annotations

import re
from typing import Final

from .wording import EDITIONS, ENGLISH, FRENCH

ARTICLES: Final = {
    "1.3.3": "A.3", "1.4.2": "A.4.b", "1.4.3": "A.4.b",
    "1.7.1": "A.6.a", "1.7.2": "A.6.b", "1.7.3": "A.6.c", "1.7.4": "A.6",
    "2.1.1": "C.1", "2.1.3": "C.3", "2.2.1": "A.9",
    "3.1": "B.1", "3.1.2": "B.1.b", "3.2": "B.2", "3.3.1": "B.3", "3.3.3": "B.3",
    "4.2.2": "D.1", "4.3.2": "D.2", "4.4.2": "D.3",
    "5.2.1": "E.1", "5.2.2": "E.2", "5.2.3": "E.3", "5.2.4": "E.4", "5.2.5": "E.5",
}  # fmt: skip
"""Where 2017 says what an article of 2026 says.

What is named but not here has no place in the older text.
"""

_ENGLISH: Final = {
    "C5": "downfloaters",
    "C6": "score differences of pairs and downfloaters",
    "C7": "downfloaters of the following bracket",
    "ahead": "{count}, with score differences {scores}",
    "C8": ENGLISH["C10"],
    "C9": ENGLISH["C11"],
    "C10": ENGLISH["C12"],
    "C11": ENGLISH["C13"],
    "C12": "downfloaters who had a downfloat in the previous round",
    "C13": "upfloaters who had an upfloat in the previous round",
    "C14": "downfloaters who had a downfloat two rounds before",
    "C15": "upfloaters who had an upfloat two rounds before",
    "C16": "score differences of downfloaters who had a downfloat in the previous round",
    "C17": "score differences of upfloaters who had an upfloat in the previous round",
    "C18": "score differences of downfloaters who had a downfloat two rounds before",
    "C19": "score differences of upfloaters who had an upfloat two rounds before",
    "bye": "{tpn} has the pairing-allocated bye, left over from the last bracket with {score} "
    "[A.5, C.2]; unplayed"
    " games so far: {unplayed}",
}
_FRENCH: Final = {
    "C5": "flotteurs descendants",
    "C6": "différences de score des paires et des flotteurs descendants",
    "C7": "flotteurs descendants du niveau suivant",
    "ahead": "{count}, de différences de score {scores}",
    "C8": FRENCH["C10"],
    "C9": FRENCH["C11"],
    "C10": FRENCH["C12"],
    "C11": FRENCH["C13"],
    "C12": "flotteurs descendants qui l’étaient déjà à la ronde précédente",
    "C13": "flotteurs montants qui l’étaient déjà à la ronde précédente",
    "C14": "flotteurs descendants qui l’étaient déjà il y a deux rondes",
    "C15": "flotteurs montants qui l’étaient déjà il y a deux rondes",
    "C16": "différences de score des flotteurs descendants qui l’étaient déjà à la ronde précédente",
    "C17": "différences de score des flotteurs montants qui l’étaient déjà à la ronde précédente",
    "C18": "différences de score des flotteurs descendants qui l’étaient déjà il y a deux rondes",
    "C19": "différences de score des flotteurs montants qui l’étaient déjà il y a deux rondes",
    "bye": "{tpn} est exempt, resté seul du dernier niveau avec {score} [A.5, C.2] ; parties non "
    "jouées jusqu’ici :"
    " {unplayed}",
}


def _in_2017(sentence: str) -> str:
    """*sentence* with every reference in brackets as the older text numbers it."""

    def reference(found: re.Match[str]) -> str:
        parts = [ARTICLES.get(part, part) for part in found[1].split(", ")]
        left = dict.fromkeys(
            part for part in parts if not re.fullmatch(r"C\d+|C\.04\.2 [\d.]+", part)
        )
        return f" [{', '.join(left)}]" if left else ""

    return re.sub(r" \[([^\]{]+)\]", reference, sentence)


def words_of(language: str, system: str) -> str:
    """The name by which :func:`~.wording.say` has *language* for the edition *system*."""
    return f"{language}-2017" if system == "dutch_2017" else language


ENGLISH_2017: Final = {code: _in_2017(sentence) for code, sentence in ENGLISH.items()} | _ENGLISH
FRENCH_2017: Final = {code: _in_2017(sentence) for code, sentence in FRENCH.items()} | _FRENCH
EDITIONS |= {"en-2017": ENGLISH_2017, "fr-2017": FRENCH_2017}
