"""Draw the initial colour by the program, or enter the colour drawn at the venue."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.engine.systems import system_by_code
from pairing.rounds.facts import round_facts
from pairing.rules import regulations
from pairing.rules.draws import Draw, colour_of, seed_of
from pairing.rules.reasons import is_reason
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, open_action, require
from tournaments.core.errors import BadInput
from tournaments.core.newer_lines import require_nothing_newer
from tournaments.core.witness import named_by, one_line
from tournaments.models import Action, Decision, InitialColourMethod, Tournament
from tournaments.models.payload_data import InitialColour
from tournaments.models.payloads import ColourDrawn


def initial_colour_draw(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    named: str = "",
    witness: str = "",
    reason: str = "",
    seen_version: int | None = None,
) -> Tournament:
    """Draw the initial colour by the program, before round 1 is paired [C.04.3/2026 5.1].

    The colour follows from the secret of the tournament and what a *witness* has *named*
    (:mod:`pairing.rules.draws`). The program draws once; *reason* as in :func:`initial_colour_set`.
    ``BadInput`` if only one of *named* and *witness* is given; :class:`Conflict` if the colour was
    drawn after *seen_version*.
    """
    named, witness = named_by(named, witness)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        _require_not_drawn_since(seen_version, tournament)
        seed = seed_of(tournament.draw_secret, Draw.COLOUR, named)
        after: InitialColour = {
            "colour": colour_of(seed),
            "method": InitialColourMethod.DRAWN.value,
            "seed": seed,
            "named": named,
            "witness": witness,
        }
        return _save(action, after, reason, by_program=drawn_by_program(tournament))


def initial_colour_set(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    colour: str,
    witness: str = "",
    reason: str = "",
    seen_version: int | None = None,
) -> Tournament:
    """Set the initial colour drawn at the venue, ``"w"`` or ``"b"``,
    before round 1 is paired [C.04.3/2026 5.1].

    A second draw would be a choice between two colours: only the Chief Arbiter can do it, with a
    *reason* (``BadInput`` without one). *witness* is who saw the draw. :class:`Conflict` if the
    colour was drawn after *seen_version*.
    """
    if colour not in ("w", "b"):
        raise BadInput("colour.unknown", field="colour", value=colour)
    witness = one_line(witness, "witness")
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        _require_not_drawn_since(seen_version, action.tournament)
        after: InitialColour = {"colour": colour, "method": InitialColourMethod.DRAWN_OUTSIDE.value}
        if witness:
            after["witness"] = witness
        return _save(action, after, reason, by_program=False)


def drawn_by_program(tournament: Tournament) -> bool:
    """Return whether the program has drawn the initial colour before. One query."""
    drawn = Decision.objects.filter(tournament=tournament, action=Action.COLOUR_DRAWN)
    return any(row.after["method"] == InitialColourMethod.DRAWN for row in drawn)


def _require_not_drawn_since(seen_version: int | None, tournament: Tournament) -> None:
    require_nothing_newer(
        tournament, seen_version, (Action.COLOUR_DRAWN,), "colour.drawn_meanwhile"
    )


def _save(action: OpenAction, after: InitialColour, reason: str, *, by_program: bool) -> Tournament:
    tournament = action.tournament
    article = system_by_code(tournament.system).initial_colour
    require(
        regulations.may_set_initial_colour(
            round_facts(tournament), article=article, by_program=by_program
        )
    )
    again = bool(tournament.initial_colour)
    if again:
        permissions.require_may_decide(action.actor, tournament)
        if not is_reason(reason):
            raise BadInput("colour.reason_missing", field="reason")
    before: InitialColour = {
        "colour": tournament.initial_colour,
        "method": tournament.initial_colour_method,
    }
    tournament.initial_colour = after["colour"]
    tournament.initial_colour_method = after["method"]
    tournament.save(update_fields=["initial_colour", "initial_colour_method"])
    action.record(
        ColourDrawn(before=before, after=after),
        article=article,
        reason=reason.strip() if again else "",
        changes_pairing=True,
    )
    return tournament
