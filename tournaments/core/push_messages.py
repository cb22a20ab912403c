"""The sentences about notifications on phones, by code; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_PUSH: Final[Mapping[str, Promise]] = {
    "push.off": _("This site does not send notifications."),
    "push.service": _("This site does not know the push service of your browser."),
    "push.keys": _("This phone could not be registered for notifications."),
    "push.nobody": _("Choose your name or follow a player first."),
    "push.over": _("The event is over: there is nothing more to be notified of."),
    "push.full": _("As many phones as possible are notified already."),
}
