"""What several pages have in common, rendered once for all of them while they are made together."""

from __future__ import annotations

from typing import Final

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString

register = template.Library()

IN_COMMON: Final = "in_common"
"""The name in the context of a dictionary with what was rendered so far;
without it every block is rendered.
"""


@register.tag
def once(parser: Parser, token: Token) -> template.Node:
    """``{% once "name" %}…{% endonce %}``: the part that is the same in
    all pages with one :data:`IN_COMMON`.

    These are a page and its part (``web.htmx.page_or_partial``).
    """
    name = token.split_contents()[1]
    inside = parser.parse(("endonce",))
    parser.delete_first_token()
    return _Once(name, inside)


class _Once(template.Node):
    def __init__(self, name: str, inside: NodeList) -> None:
        self.name = name
        self.inside = inside

    def render(self, context: Context) -> SafeString:
        rendered: dict[str, SafeString] | None = context.get(IN_COMMON)
        if rendered is None:
            return self.inside.render(context)
        if self.name not in rendered:
            rendered[self.name] = self.inside.render(context)
        return rendered[self.name]
