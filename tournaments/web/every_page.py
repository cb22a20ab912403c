"""What all pages of one public state have in common: preview, header, tabs, news bar, footer.

A hall of players opens hundreds of pages that nobody has opened before. Their frame is rendered
once for a state and a language, and is a file in the store like the pages themselves. Only
requests without a visitor have one: pages of arbiters have other tabs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from tournaments.core import page_store
from tournaments.core.frame import Frame
from tournaments.core.page_store import State
from tournaments.core.public_address import printed_address


class EveryPage:
    """The texts in common of *state* in the active language, by name.

    ``{% every_page "name" %}`` in a template (``templatetags.once``) adds one. It does not know its
    frame, which knows it: both and all that was computed would stay until the garbage is collected.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        parts = (get_language() or "", printed_address("/") or "")
        digest = hashlib.sha256(chr(0).join(parts).encode()).hexdigest()
        self._name = f"every-page-{digest[:32]}.json"
        stored = page_store.read(state, self._name)
        self._texts: dict[str, str] = json.loads(stored.body) if stored is not None else {}
        self._known = len(self._texts)

    def text(self, name: str, render: Callable[[], str]) -> SafeString:
        """Return the text *name*, which is rendered if no page of the state had it yet."""
        if name not in self._texts:
            self._texts[name] = render()
        return mark_safe(self._texts[name])  # noqa: S308 - a template has rendered it

    def keep(self) -> None:
        """Put new texts into the store."""
        if len(self._texts) > self._known:
            content = json.dumps(self._texts).encode()
            page_store.write(self._state, self._name, {}, content)
            self._known = len(self._texts)

    def is_kept(self, still: Callable[[], bool]) -> bool:
        """Return whether the state is *still* the same; then new texts go into the store."""
        if not still():
            return False
        self.keep()
        return True


def every_page(frame: Frame) -> EveryPage:
    """Return the texts of *frame* in the active language, for all pages of a publication."""
    key = ("every page", get_language() or "")
    found: EveryPage | None = frame.computed.get(key)
    if found is None:
        found = frame.computed[key] = EveryPage(frame.state)
    return found
