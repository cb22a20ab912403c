"""What the Chief Arbiter decides about a mirror. None of it is in the record: it has a secret."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.errors import BadInput, Conflict
from tournaments.core.web_address import require_web_address
from tournaments.site.mirrors.destinations import require_usable
from tournaments.site.mirrors.sources import Source, event_with_mirror, source_of
from tournaments.site.mirrors.store import MirrorSettings, MirrorState, Store
from tournaments.site.mirrors.updating import start


def mirror_set(
    *,
    source: Source,
    actor: User,
    wanted: MirrorSettings,
    seen_revision: int,
    sections: bool = False,
) -> None:
    """Save where the mirror is, turn it on, and begin to send. Only the Chief Arbiter can do this.

    Without a secret in *wanted* the saved one stays, if host and user stay: nobody can send it to
    another server. With *sections* the mirrors of those in the public list go into folders of that
    of the event, unless a section has a mirror elsewhere already. ``BadInput`` for an address that
    cannot be used; ``Conflict`` if the settings are not those of *seen_revision*.
    """
    with transaction.atomic():
        source.lock(actor)
        saved = _save(source.store, wanted, seen_revision)
        listed = source.tournaments.filter(listed=True) if sections and source.is_event else ()
        for tournament in listed:
            store = source_of(tournament).store
            if store.settings.by_event or not store.is_on:
                _save(store, settings_of_section(saved, tournament.slug), None)
    # The pages of the sections lead to the event, wherever they are.
    _start_those_on([source, *source.sections])


def mirror_stop(*, source: Source, actor: User, seen_revision: int) -> None:
    """Send nothing more, and forget the secret. The pages at the mirror stay there.

    With the mirror of an event, those of sections that were set up with it stop too. Possible in a
    copy that was handed over too: a secret should not stay where nobody needs it.
    """
    with transaction.atomic():
        source.lock(actor, while_away=True)
        _stop(source.store, seen_revision)
        for section in source.sections:
            if section.store.settings.by_event:
                _stop(section.store, None)
    # Their pages no longer lead to this mirror.
    event = None if source.is_event else event_with_mirror(source.pk)
    _start_those_on([*source.sections, *([event] if event else [])])


def mirror_again(*, source: Source, actor: User, everything: bool = False) -> None:
    """Try again now; *everything*: also the files that were sent before.

    ``BadInput`` if it is off.
    """
    with transaction.atomic():
        store = _locked(source, actor)
        store.save_state(store.state.without_fault())
        if everything:
            store.forget_sent()
    start(source)


def mirror_replace(*, source: Source, actor: User, refused: str, seen_revision: int) -> None:
    """Let this record replace what the mirror shows, although the record does not contain that.

    *refused* is the SHA-256 of the manifest that the page has shown; another one is refused again.
    """
    with transaction.atomic():
        store = _locked(source, actor)
        if not refused or store.state.refused != refused:
            raise Conflict("mirror.moved_meanwhile")
        store.save_settings(replace(store.settings, accepted=refused), seen_revision)
        store.save_state(store.state.without_fault())
    start(source)


def settings_of_section(chosen: MirrorSettings, slug: str) -> MirrorSettings:
    """Return the settings for the mirror of the section *slug*, if that of its event has *chosen*.

    In a web space it is a folder of the event's.
    """
    if chosen.kind == "folder":
        return MirrorSettings(kind="folder", by_event=True)
    public = f"{chosen.public.rstrip('/')}/{slug}/" if chosen.public else ""
    address = f"{chosen.address}{slug}/"
    return MirrorSettings(
        address=address, user=chosen.user, secret=chosen.secret, public=public, by_event=True
    )


def _start_those_on(sources: Iterable[Source]) -> None:
    for source in sources:
        if source.sends:
            start(source)


def _locked(source: Source, actor: User) -> Store:
    source.lock(actor)
    if not source.store.is_on:
        raise BadInput("mirror.nothing_set")
    return source.store


def _save(store: Store, wanted: MirrorSettings, seen_revision: int | None) -> MirrorSettings:
    before, state = store.settings, store.state
    if not wanted.secret and _receiver(wanted) == _receiver(before):
        wanted = replace(wanted, secret=before.secret)
    if wanted.kind == "web":
        wanted = replace(wanted, address=wanted.address.rstrip("/") + "/")
    else:
        wanted = replace(wanted, address="", user="", secret="")
    require_usable(wanted)
    if wanted.public:
        require_web_address(wanted.public, BadInput("mirror.address", field="public"))
    is_same = wanted.destination == before.destination
    accepted = before.accepted if is_same else ""
    saved = store.save_settings(replace(wanted, is_on=True, accepted=accepted), seen_revision)
    # At another destination nothing is known; the counter never goes back.
    known = state.without_fault() if is_same else MirrorState(counter=state.counter)
    store.save_state(replace(known, shown=""))
    return saved


def _stop(store: Store, seen_revision: int | None) -> None:
    store.save_settings(replace(store.settings, is_on=False, secret=""), seen_revision)
    store.save_state(store.state.without_fault())


def _receiver(chosen: MirrorSettings) -> tuple[str, ...]:
    parts = urlsplit(chosen.address)
    return chosen.kind, parts.scheme, parts.netloc, chosen.user
