"""Template filters for names of systems, states, byes and ratings."""

from __future__ import annotations

from django import template
from django.utils.translation import pgettext_lazy

from pairing.engine.systems import SYSTEMS
from tournaments.models import (
    ByeKind,
    ListState,
    RoundState,
    StrengthSource,
)
from tournaments.models.pairing_systems import ACCELERATIONS, NAMES, SENTENCES

register = template.Library()


_STATE_MARKS = {
    RoundState.PLANNED: "",
    RoundState.DRAFT: "✎",
    RoundState.PUBLISHED: "●",
    RoundState.RESULTS_PUBLISHED: "✓",
}


_NUMBERS = {
    ListState.PROVISIONAL: pgettext_lazy("of the numbers", "provisional"),
    ListState.DEFINITIVE: pgettext_lazy("of the numbers", "definitive"),
}


@register.filter
def numbers_state(state: str) -> str:
    """What the numbers are in a list that is in *state*: provisional or definitive."""
    return str(_NUMBERS[ListState(state)])


@register.filter
def bye_label(kind: str) -> str:
    """Why somebody has no game."""
    return str(ByeKind(kind).label)


@register.filter
def bye_short(kind: str) -> str:
    """What a bye is worth, for a narrow column; the word is in its title."""
    return {ByeKind.HALF_POINT: "½", ByeKind.FULL_POINT: "1", ByeKind.ZERO_POINT: "0"}.get(ByeKind(kind), "+")


@register.filter
def system_name(code: str) -> str:
    """The name of a pairing system."""
    return str(NAMES[code])


@register.filter
def system_sentence(code: str) -> str:
    """What a pairing system is, in one sentence."""
    return str(SENTENCES[code])


@register.filter
def colour_article(code: str) -> str:
    """Where a pairing system has the initial colour drawn."""
    return SYSTEMS[code].initial_colour


@register.filter
def acceleration_sentence(code: str) -> str:
    """What an acceleration is, in one sentence."""
    return str(ACCELERATIONS[code])


@register.filter
def source_label(source: str) -> str:
    """Where a measure of strength comes from."""
    return str(StrengthSource(source).label)


@register.filter
def state_label(state: str) -> str:
    """The state of a round in words."""
    return str(RoundState(state).label)


@register.filter
def state_mark(state: str) -> str:
    """The state of a round as a sign, so that it does not rest on colour alone."""
    return _STATE_MARKS[RoundState(state)]
