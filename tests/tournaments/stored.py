"""What the store of pages has."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from tournaments.core import page_store
from tournaments.core.frame import state_of
from tournaments.core.page_store import State
from tournaments.models import Tournament


class Found(NamedTuple):
    """A page in the store, before compression."""

    state: str
    headers: str
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def stored_pages(tournament: Tournament | None = None) -> list[Found]:
    """Return the pages in the store, of all owners and states or
    of the newest state of *tournament*.
    """
    of = state_of(Tournament.objects.get(pk=tournament.pk)) if tournament else None
    found = []
    for path in sorted(Path(settings.PAGES_DIR).glob("*/*/*/*.gz")):
        state = State(path.parent.parent.name, path.parent.name)
        page = page_store.get(state, path.stem)
        assert page is not None, path
        if of in (None, state):
            found.append(Found(state.key, str(dict(page.headers)), page.body))
    return found


def stored_files() -> dict[str, bytes]:
    """Return every file of the store by its path."""
    paths = Path(settings.PAGES_DIR).rglob("*")
    return {str(path): path.read_bytes() for path in paths if path.is_file()}
