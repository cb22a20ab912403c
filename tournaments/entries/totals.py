"""Recognise lines below a list that are no players: totals, averages, the footer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pairing.rules.names import fold
from tournaments.entries.cells import full_name

_TOTALS: Final = frozenset(
    """
    total totals subtotal totaux totale totali totaal totais totales suma sum summe somme gesamt insgesamt razem ogolem
    anzahl number numero nombre count aantal cantidad conteggio liczba contagem somma soma som
    average averages mean moyenne moyennes durchschnitt mittelwert schnitt promedio media medias gemiddelde srednia
    всього усього разом сума кількість итого всего сумма количество
    """.split()  # noqa: SIM905  easier to read
)
"""Words with which such a line begins, in eight languages, Ukrainian and Russian."""
_ALONE: Final = frozenset(
    """
    avg median max min maximum minimum summary effectif effectifs moy mediane mediana zwischensumme teilnehmerzahl
    medio medium gemiddeld gem lacznie sredni minimalny maksymalny mittel
    bye byes spielfrei freilos exempt exempte libre vrij vrijgeloot riposa descansa pauza tbd tba
    """.split()  # noqa: SIM905
)
"""Words that are such a line only with nothing but words of these lists:
Max and Min can be names too.
"""
_COUNTED: Final = frozenset(
    """
    players participants entries joueurs inscrits engages spieler teilnehmer jugadores participantes inscritos
    inscripciones giocatori partecipanti iscritti spelers deelnemers jogadores inscricoes zawodnicy zawodnikow
    uczestnicy uczestnikow gracze graczy ranking rankingu elo rating ratings dwz
    player participant joueur jugador giocatore speler jogador zawodnik
    гравців учасників игроков участников
    """.split()  # noqa: SIM905
)
"""What is counted: alone, or with one of the words above, these are no names."""
_BETWEEN: Final = frozenset(
    """
    of the de des du der die da do dei di van el la le les en et und y no nr nb fide general global paid grand sub sous
    """.split()  # noqa: SIM905
)
_SINGULAR_TOO: Final = frozenset(
    """
    spieler teilnehmer player participant joueur jugador giocatore speler jogador zawodnik
    """.split()  # noqa: SIM905
)
_FIDE_ID: Final = re.compile("[1-9][0-9]{4,8}")
_FOOTER: Final = re.compile(r"chess-results|swiss-manager|https?://|\bwww\.", re.IGNORECASE)


def is_total(values: Mapping[str, str]) -> bool:
    """Return whether the row with the texts *values* looks like a line of totals.

    A name that begins with such a word, as Total, Anna does, is one if the row has a FIDE ID or a
    date of birth.
    """
    name = full_name(values)
    words = re.findall(r"[^\W_]+", fold(name))
    labels = {word for word in words if not word.isdecimal()}
    # "Spieler 3" and "Player, Number 3" can be somebody whose name is not known yet; "Spieler: 3"
    # is the number of players.
    is_one = labels <= _SINGULAR_TOO or ("," in name and not labels.isdisjoint(_SINGULAR_TOO))
    numbered = is_one and words[-1:] != [] and words[-1].isdecimal() and not re.search("[:=]", name)
    if re.match(r"[Ø⌀Σ∑](?!\w)", name):
        return True
    # "Max, Min" is somebody's name.
    if labels & _ALONE and labels <= _ALONE | _TOTALS | _COUNTED | _BETWEEN:
        return not _is_known(values) and "," not in name
    if labels & (_TOTALS | _COUNTED) and labels <= _TOTALS | _COUNTED | _BETWEEN and not numbered:
        return True
    if not words or words[0] not in _TOTALS:
        return False
    return not _is_known(values)


def _is_known(values: Mapping[str, str]) -> bool:
    """Return whether a row has a FIDE ID or a date of birth."""
    return _FIDE_ID.fullmatch(values.get("fide_id", "")) is not None or bool(
        values.get("birth_date")
    )


def is_footer(cells: list[str]) -> bool:
    """Return whether a row is a remark of the program that wrote the list, in one cell."""
    filled = [cell for cell in cells if cell]
    return len(filled) == 1 and _FOOTER.search(filled[0]) is not None
