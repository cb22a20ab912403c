"""Words that are understood in both languages of the arbiter's area, whichever the page has."""

from __future__ import annotations

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise

from pairing.rules.names import search_words


def phrases_in_all_languages(text: Promise) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of *text*, which commas divide, in the languages of the arbiter's area.

    They are folded for a search.
    """
    found: dict[tuple[str, ...], None] = {}
    for code in settings.ARBITER_LANGUAGES:
        with translation.override(code):
            phrases = str(text).split(",")
        found |= dict.fromkeys(tuple(search_words(phrase)) for phrase in phrases)
    return tuple(phrase for phrase in found if phrase)
