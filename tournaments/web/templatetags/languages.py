"""The languages of a page, and words in several of them on one sheet of paper."""

from __future__ import annotations

import re

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils import translation
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from tournaments.web.language import languages_of

register = template.Library()


@register.simple_tag(takes_context=True)
def page_languages(context: Context) -> list[tuple[str, str]]:
    """Return code and own name of each language in which there is the page of the request."""
    return languages_of(getattr(context.get("request"), "resolver_match", None))


class InLanguages(template.Node):
    """Renders its words once in each language of the variable ``languages``."""

    def __init__(self, words: NodeList, name: str) -> None:
        self.nodelist, self.name = words, name

    def render(self, context: Context) -> SafeString:
        found: dict[str, str] = {}
        for language in context.get("languages") or (translation.get_language(),):
            with translation.override(language):
                # split() without an argument would take the no-break spaces of French too.
                words = re.sub(r"[ \t\r\n]+", " ", self.nodelist.render(context)).strip(" ")
            found.setdefault(words, language)
        if len(found) == 1:
            together = SafeString(next(iter(found)))
        else:
            parts = ((language, SafeString(words)) for words, language in found.items())
            together = format_html_join(
                SafeString('<span class="or"> / </span>'), '<span lang="{}">{}</span>', parts
            )
        if not self.name:
            return together
        context[self.name] = together
        return SafeString()


@register.tag
def inlanguages(parser: Parser, token: Token) -> InLanguages:
    """Show the words up to ``endinlanguages`` in all languages of the sheet, equal ones once.

    ``{% inlanguages as title %}`` keeps them for later. If there is only one language, or the words
    are the same in all of them, they have no element of their own.
    """
    words = parser.parse(("endinlanguages",))
    parser.delete_first_token()
    match token.split_contents():
        case [_tag]:
            return InLanguages(words, "")
        case [_tag, "as", name]:
            return InLanguages(words, name)
        case _:
            raise template.TemplateSyntaxError("inlanguages takes nothing, or “as” and a name")
