"""What a page and its part have in common, rendered once for both."""

from __future__ import annotations

from typing import Final

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString

register = template.Library()

IN_COMMON: Final = "in_common"
"""The name in the context of what was rendered so far; only there while a page and its part are made together."""


@register.tag
def once(parser: Parser, token: Token) -> template.Node:
    """``{% once %}…{% endonce %}``: what is the same in the page and in its part (``web.htmx.page_or_partial``).

    A template has one such block.
    """
    inside = parser.parse(("endonce",))
    parser.delete_first_token()
    return _Once(inside)


class _Once(template.Node):
    def __init__(self, inside: NodeList) -> None:
        self.inside = inside

    def render(self, context: Context) -> SafeString:
        rendered: list[SafeString] | None = context.get(IN_COMMON)
        if rendered is None:
            return self.inside.render(context)
        if not rendered:
            rendered.append(self.inside.render(context))
        return rendered[0]
