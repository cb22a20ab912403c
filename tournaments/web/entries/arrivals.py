"""The message after an entry."""

from __future__ import annotations

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from pairing.rules.rounds import RoundState
from tournaments.models import Entry, Tournament


def words_after_entry(tournament: Tournament, entry: Entry) -> str:
    """Return the sentence that *entry* is entered.

    A player who is here gets a link to an opponent in the published round [C.04.2/2026 4.4.4]. One
    query.
    """
    text = _("%(name)s is entered.") % {"name": entry.real_name}
    in_play = tournament.rounds.filter(state=RoundState.PAIRINGS_PUBLISHED).first()
    if not entry.checked_in or in_play is None:
        return text
    return format_html(
        '{} <a href="{}">{}</a>',
        text,
        reverse("round-opponent", args=[tournament.slug, in_play.number, entry.pk]),
        _("Find an opponent in round %(n)s") % {"n": in_play.number},
    )
