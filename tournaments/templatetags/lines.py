"""The lines of a list in which visitors search: each is rendered once, and the answers to searches are made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@dataclass(frozen=True, slots=True)
class Lines:
    """How the lines of one list are rendered, one by one, with what was around them in the page."""

    inside: NodeList
    variable: str
    key: Callable[[Any], object]
    context: Context

    def render(self, line: object) -> str:
        """Return *line* as the page has it."""
        context = copy(self.context)
        with context.push(**{self.variable: line}):
            return self.inside.render(context)


@register.tag
def lines(parser: Parser, token: Token) -> template.Node:
    """``{% lines page.boards as line named boards by board %}…{% endlines %}``: what a loop over the list renders.

    While a search is made (``web.searches``), a mark with the name of the list is there instead. ``by`` is the
    attribute that tells two lines apart.
    """
    _tag, listed, _as, variable, _named, name, _by, key = token.split_contents()
    inside = parser.parse(("endlines",))
    parser.delete_first_token()
    return _Lines(parser.compile_filter(listed), variable, name, attrgetter(key), inside)


class _Lines(template.Node):
    def __init__(
        self, listed: FilterExpression, variable: str, name: str, key: Callable[[Any], object], inside: NodeList
    ) -> None:
        self.listed, self.variable, self.name, self.key, self.inside = listed, variable, name, key, inside

    def render(self, context: Context) -> SafeString:
        search = getattr(context.get("request"), "search", None)
        if search is not None:
            mark: str = search.slot(self.name, Lines(self.inside, self.variable, self.key, copy(context)))
            return mark_safe(mark)  # noqa: S308 - a mark of our own
        shown: Iterable[object] = self.listed.resolve(context) or ()
        rendered = []
        with context.push():
            for line in shown:
                context[self.variable] = line
                rendered.append(self.inside.render(context))
        return mark_safe("".join(rendered))  # noqa: S308 - the template has escaped it
