"""The values that a form showed when it was opened, so that saving
does not overwrite newer changes by others.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

FIELD = "shown"
"""The hidden field with these values; a program that does not send it has seen no form."""


def shown(fresh: Sequence[forms.BaseForm], only: Collection[str] | None = None) -> str:
    """Return the values of *fresh*, the unbound forms of a page, for its field :data:`FIELD`.

    *only* the fields with these names, if the page has not all.
    """
    return json.dumps(
        {
            bound.html_name: _text(bound)
            for form in fresh
            for bound in form
            if only is None or bound.name in only
        }
    )


def up_to_date(data: QueryDict, fresh: Sequence[forms.BaseForm]) -> tuple[QueryDict, str]:
    """Return *data* updated to the current forms *fresh*, and a sentence if it cannot be saved.

    A field that the user did not change gets its current value. A field that the user and somebody
    else changed to different values is a conflict: the sentence names the current value.
    """
    before = read_shown(data.get(FIELD, ""))
    kept = data.copy()
    present = before.keys() | data.keys()
    conflicts = []
    for bound in (bound for form in fresh for bound in form if not bound.field.disabled):
        name, now = bound.html_name, _text(bound)
        was = before.get(name, now)
        if before and name not in present:
            kept[name] = now  # a field that was not on the page: a round that was added since
        if was == now or not (_is_tick(bound) or name in data):
            continue
        sent = _tidy("on" if name in data else "") if _is_tick(bound) else _tidy(data[name])
        if sent != was:
            conflicts += [_conflict_text(bound, now)] if sent != now else []
        elif now or not _is_tick(bound):
            kept[name] = now
        else:
            kept.pop(name, None)
    return kept, _sentence(conflicts) if conflicts else ""


def _sentence(conflicts: list[str]) -> str:
    message = _(
        "Somebody else changed the same fields while this page was open. Current values: "
        "%(changes)s. Nothing "
        "was saved, and your input is still here. Compare the two, then save again."
    )
    return message % {"changes": ", ".join(conflicts)}


def read_shown(text: str) -> dict[str, str]:
    """Return the values in *text*, the field :data:`FIELD` of a form; empty if it is damaged."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_tick(bound: BoundField) -> bool:
    return isinstance(bound.field, forms.BooleanField)


def _text(bound: BoundField) -> str:
    """Return the value that a browser sends for an unchanged *bound*."""
    value = bound.value()
    if _is_tick(bound):
        return "on" if value else ""
    written = bound.field.widget.format_value(value)
    return _tidy(written[0] if isinstance(written, list) and written else written or "")


def _tidy(text: object) -> str:
    return str(text).replace("\r\n", "\n").strip()


def _conflict_text(bound: BoundField, now: str) -> str:
    """Return the name of a field with its current value."""
    label = str(dict(getattr(bound.field, "choices", ())).get(now, now))
    if _is_tick(bound) or isinstance(label, SafeString):
        return str(bound.label)
    return _("%(field)s “%(value)s”") % {"field": bound.label, "value": label or "–"}
