"""What the desk says about the mirror."""

from __future__ import annotations

from django import template

from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.core.messages import sentence
from tournaments.mirrors.kept import Kept

register = template.Library()


@register.inclusion_tag("mirror/_notice.html")
def mirror_notice(frame: Frame) -> dict[str, object]:
    """Return why the mirror is not up to date; nothing without a fault, or after a hand-over. No query."""
    kept, is_live = Kept(frame.tournament.identity), frame.tournament.handed_over_at is None
    fault = kept.state.fault if is_live and kept.is_on else None
    return {"frame": frame, "fault": sentence(BadInput(fault.code, **fault.params)) if fault else ""}
