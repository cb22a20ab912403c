"""The pairing systems by edition: added, never edited.

Each entry gives the same pairing in ten years as today; a tournament stores its code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from . import double_swiss, dutch_pre2017
from .dutch import edition_2017
from .errors import InputError, text as _
from .model import Pairability, Pairing, TournamentState

PairRound = Callable[[TournamentState], Pairing]


class Procedure(NamedTuple):
    """The functions of one system. ``similar`` makes a function for :func:`pair_similar`."""

    pair: PairRound
    pairable: Callable[[TournamentState], Pairability]
    similar: Callable[[], PairRound] | None = None


class PairingSystem(NamedTuple):
    """One edition of one pairing system.

    ``code`` is ours, ``trf_code`` what record 192 says, ``articles`` where its text stands,
    ``no_legal_pairing`` the article for a round that cannot be paired, ``round_pairing`` and
    ``initial_colour`` those for the pairing of a round and for the colour drawn before the first.
    ``games`` is how many games a round has for a player: more than one where a pairing is a match.
    ``is_accelerated`` is whether the acceleration that FIDE publishes is written for it [C.04.7].
    ``procedure`` imports the system and returns its functions.
    """

    code: str
    name: str
    trf_code: str
    articles: str
    procedure: Callable[[], Procedure]
    no_legal_pairing: str = "C.04.3 1.9.3"
    round_pairing: str = "C.04.3 1.9"
    initial_colour: str = "C.04.3 5.1"
    games: int = 1
    is_accelerated: bool = True

    @property
    def pair(self) -> PairRound:
        """Return the function that pairs a round."""
        return self.procedure().pair


# A round is paired by one system, and importing all takes longer than pairing 20 players:
# each is imported when it is first used.


@cache
def _dutch_2026() -> Procedure:
    from .dutch.edition_2026.procedure import pair_dutch_2026, pairable_dutch_2026
    from .dutch.edition_2026.similar_rounds import SimilarRounds

    return Procedure(pair_dutch_2026, pairable_dutch_2026, SimilarRounds)


@cache
def _dutch_2017() -> Procedure:
    from .dutch.edition_2017.procedure import pair_dutch_2017, pairable_dutch_2017

    return Procedure(pair_dutch_2017, pairable_dutch_2017)


@cache
def _double_swiss_2026() -> Procedure:
    from .double_swiss.procedure import pair_double_swiss_2026, pairable_double_swiss_2026

    return Procedure(pair_double_swiss_2026, pairable_double_swiss_2026)


@cache
def _dutch_pre2017() -> Procedure:
    from .dutch_pre2017.pairability import pairable_dutch_pre2017
    from .dutch_pre2017.procedure import pair_dutch_pre2017

    return Procedure(pair_dutch_pre2017, pairable_dutch_pre2017)


SYSTEMS: dict[str, PairingSystem] = {
    system.code: system
    for system in (
        PairingSystem(
            code="dutch_2026",
            name="FIDE Dutch System 2026",
            trf_code="FIDE_DUTCH_2026",
            articles="C.04.3/2026",
            procedure=_dutch_2026,
        ),
        PairingSystem(
            code="dutch_2017",
            name="FIDE Dutch System 2017",
            trf_code="FIDE_DUTCH_2017",
            articles="C.04.3/2017",
            procedure=_dutch_2017,
            no_legal_pairing=edition_2017.NO_LEGAL_PAIRING,
            round_pairing="C.04.3 A.9",
            initial_colour="C.04.3 E",
        ),
        PairingSystem(
            code="double_swiss_2026",
            name="FIDE Double-Swiss System 2026",
            trf_code="FIDE_DOUBLESWISS",
            articles="C.04.5/2026",
            procedure=_double_swiss_2026,
            no_legal_pairing=double_swiss.NO_LEGAL_PAIRING,
            round_pairing="C.04.5 3.3",
            initial_colour="C.04.5 4.1",
            games=2,
        ),
        PairingSystem(
            code="dutch_pre2017",
            name="FIDE Dutch System before July 2017",
            trf_code="FIDE_DUTCH_PRE2017",
            articles="C.04.3/pre2017",
            procedure=_dutch_pre2017,
            no_legal_pairing=dutch_pre2017.NO_LEGAL_PAIRING,
            round_pairing="C.04.3 C",
            initial_colour="C.04.3 A7",
            is_accelerated=False,
        ),
    )
}


def system_by_code(code: str) -> PairingSystem:
    """The system with our *code*; raise ``system.unknown``, which names those there are."""
    try:
        return SYSTEMS[code]
    except KeyError:
        known = ", ".join(sorted(SYSTEMS))
        raise InputError(
            "system.unknown",
            _("There is no pairing system '%(system)s'; known: %(known)s."),
            system=code,
            known=known,
        ) from None


def games_a_round(code: str) -> int:
    """The games a round of the system *code* has; 1 for an unknown one, refused when it pairs."""
    return SYSTEMS[code].games if code in SYSTEMS else 1


def pair(state: TournamentState) -> Pairing:
    """Pair the round *state* describes by the system it names.

    Raises :class:`InputError` for a state that contradicts itself and :class:`NoLegalPairingError`
    where no round-pairing exists.
    """
    return system_by_code(state.system).pair(state)


def pair_similar(code: str) -> PairRound:
    """Return a function that pairs states of the system *code* as :func:`pair` does.

    It is faster where many states follow each other that differ only in results of the last round.
    """
    procedure = system_by_code(code).procedure()
    return procedure.similar() if procedure.similar else procedure.pair


def pairable(state: TournamentState) -> Pairability:
    """Tell whether the round of *state* can be paired by its system,
    and list the possible receivers of the bye.

    This takes a fraction of the time of a pairing. Raises :class:`InputError` for a state that
    contradicts itself.
    """
    return system_by_code(state.system).procedure().pairable(state)
