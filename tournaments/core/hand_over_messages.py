"""The sentences about the hand-over of an event to another computer."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_HAND_OVERS: Final[dict[str, Promise]] = {
    "hand_over.is_away": _(
        "This event was handed over to %(to)s on %(at)s: go on there. Nothing was changed here. The Chief Arbiter can "
        "bring it back."
    ),
    "hand_over.is_here": _("This event is not handed over: go on with it here."),
    "hand_over.no_name": _(
        "Type which computer, or who, goes on with the event, with at most %(limit)s characters. Nothing was changed."
    ),
    "hand_over.address": _("“%(value)s” is no address: type one that begins with http:// or https://, or none."),
    "hand_over.not_confirmed": _(
        "Confirm that nobody goes on with the event on the other computer. Two live copies make a fork of the record."
    ),
}
