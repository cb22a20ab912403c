"""The id of the request, on error pages: it leads to the line in the log."""

from django import template

from config.log import CURRENT_REQUEST

register = template.Library()


@register.simple_tag
def request_id() -> str:
    """Return the id of the request that is being answered; empty if it has none."""
    return CURRENT_REQUEST.get()
