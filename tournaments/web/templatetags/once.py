"""What several pages have in common, rendered once for all of them."""

from __future__ import annotations

from typing import Final

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString

register = template.Library()

IN_COMMON: Final = "in_common"
"""The name in the context of a dictionary with what was rendered so far;
without it every block is rendered.
"""


@register.tag
def once(parser: Parser, token: Token) -> template.Node:
    """``{% once "name" %}…{% endonce %}``: the same in all pages with one :data:`IN_COMMON`.

    These are a page and its part (``web.htmx.page_or_partial``).
    """
    name = token.split_contents()[1]
    inside = parser.parse(("endonce",))
    parser.delete_first_token()
    return _Once(name, inside)


@register.tag
def every_page(parser: Parser, token: Token) -> template.Node:
    """``{% every_page "name" … %}…{% endevery_page %}``: the part that is the same in
    all visitors' pages of one state, with the same further values.

    It may depend on nothing else: neither on the address nor on the reader.
    """
    values = [parser.compile_filter(value) for value in token.split_contents()[1:]]
    inside = parser.parse(("endevery_page",))
    parser.delete_first_token()
    return _EveryPage(values, inside)


class _EveryPage(template.Node):
    def __init__(self, values: list[FilterExpression], inside: NodeList) -> None:
        self.values = values
        self.inside = inside

    def render(self, context: Context) -> SafeString:
        texts = getattr(getattr(context, "request", None), "every_page", None)
        if texts is None:
            return self.inside.render(context)
        name = " ".join(str(value.resolve(context)) for value in self.values)
        return texts.text(name, lambda: self.inside.render(context))  # type: ignore[no-any-return]


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
