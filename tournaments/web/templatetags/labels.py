"""Template filters for names of systems, states, byes and ratings."""

from __future__ import annotations

from django import template
from django.utils.translation import pgettext_lazy

from pairing.record.player_fields import Texts
from pairing.rules.rounds import RoundState
from tournaments.entries.cells import label
from tournaments.models import ROUND_STATE_LABELS, ByeKind, ListState, RatingSource, Tournament
from tournaments.models.pairing_systems import ACCELERATIONS, NAMES, SENTENCES

register = template.Library()


_STATE_MARKS = {
    RoundState.PLANNED: "",
    RoundState.DRAFT: "✎",
    RoundState.PAIRINGS_PUBLISHED: "●",
    RoundState.RESULTS_PUBLISHED: "✓",
}


_NUMBERS = {
    ListState.PROVISIONAL: pgettext_lazy("of the numbers", "provisional"),
    ListState.DEFINITIVE: pgettext_lazy("of the numbers", "definitive"),
}


@register.filter
def numbers_state(state: str) -> str:
    """Return the state of the pairing numbers in a list: provisional or definitive."""
    return str(_NUMBERS[ListState(state)])


@register.filter
def bye_label(kind: str) -> str:
    """Return the reason why a player has no game."""
    return str(ByeKind(kind).label)


@register.filter
def bye_short(kind: str) -> str:
    """Return the points of a bye for a narrow column; its title has the word."""
    return {ByeKind.HALF_POINT: "½", ByeKind.FULL_POINT: "1", ByeKind.ZERO_POINT: "0"}.get(
        ByeKind(kind), "+"
    )


@register.filter
def system_name(code: str) -> str:
    """Return the name of a pairing system."""
    return str(NAMES[code])


@register.filter
def system_sentence(code: str) -> str:
    """Describe a pairing system in one sentence."""
    return str(SENTENCES[code])


@register.filter
def acceleration_sentence(code: str) -> str:
    """Describe an acceleration in one sentence."""
    return str(ACCELERATIONS[code])


@register.filter
def source_label(source: str, tournament: Tournament | None = None) -> str:
    """Return the source of a rating; with *tournament*, what its second rating is."""
    if source == RatingSource.SECOND and tournament is not None:
        return tournament.get_second_rating_method_display()
    return str(RatingSource(source).label)


@register.filter
def state_label(state: str) -> str:
    """Return the state of a round in words."""
    return str(ROUND_STATE_LABELS[RoundState(state)])


@register.filter
def state_mark(state: str) -> str:
    """Return the state of a round as a sign, so that it is not shown by colour alone."""
    return _STATE_MARKS[RoundState(state)]


@register.filter
def field_label(name: str) -> str:
    """Return the label of the field *name* of a player."""
    words = label(name)
    return words[:1].upper() + words[1:]


@register.filter
def text_of(row: Texts, name: str) -> str:
    """Return the text *name* of a player in a list."""
    return str(getattr(row, name))
