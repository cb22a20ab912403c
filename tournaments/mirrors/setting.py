"""What the Chief Arbiter decides about the mirror of a tournament or an event. None of it is in the record: it has a
secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.errors import BadInput, Conflict
from tournaments.core.web_address import require_web_address
from tournaments.mirrors.kept import Kept, MirrorSettings, MirrorState
from tournaments.mirrors.owners import OfEvent, OfTournament, Owner
from tournaments.mirrors.places import require_usable
from tournaments.mirrors.running import start
from tournaments.mirrors.ways import settings_of_section
from tournaments.models import Tournament


def mirror_set(*, owner: Owner, actor: User, wanted: MirrorSettings, seen_revision: int) -> MirrorSettings:
    """Save where the mirror is, turn it on, and begin to send. Only the Chief Arbiter can do this.

    Without a secret in *wanted* the saved one stays, if host and user stay: nobody can send it to another server.
    ``BadInput`` for a place that cannot be used; ``Conflict`` if the settings are not those of *seen_revision*.
    """
    with transaction.atomic():
        owner.lock(actor)
        saved = _save(owner.kept, wanted, seen_revision)
    start(owner)
    return saved


def event_mirror_set(
    *, owner: OfEvent, actor: User, wanted: MirrorSettings, seen_revision: int, sections: bool
) -> MirrorSettings:
    """Save where the mirror of an event is, as :func:`mirror_set`. Only the Chief Arbiter of all sections can do this.

    With *sections*, the mirrors of those in the public list go into folders of it, unless a section has a mirror
    elsewhere already. A section that is not in the public list gets none.
    """
    with transaction.atomic():
        owner.lock(actor)
        saved = _save(owner.kept, wanted, seen_revision)
        listed = Tournament.objects.filter(section__event=owner.pk, listed=True) if sections else ()
        for tournament in listed:
            kept = Kept(tournament.identity)
            if kept.settings.by_event or not kept.is_on:
                _save(kept, settings_of_section(saved, tournament), None)
    # The pages of the sections lead to the event, wherever they are.
    start(owner)
    _start_those_on(sections_of(owner))
    return saved


def mirror_stop(*, owner: Owner, actor: User, seen_revision: int) -> None:
    """Send nothing more, and forget the secret. The pages at the mirror stay there.

    With the mirror of an event, those of sections that were set up together with it stop too. Possible in a copy that
    was handed over too: a secret should not stay where nobody needs it.
    """
    with transaction.atomic():
        owner.lock(actor, while_away=True)
        _stop(owner.kept, seen_revision)
        for each in sections_of(owner):
            if each.kept.settings.by_event:
                _stop(each.kept, None)
    _start_those_on([*sections_of(owner), *owner.followers()])  # Their pages no longer lead to this mirror.


def mirror_again(*, owner: Owner, actor: User, everything: bool = False) -> None:
    """Try again now; *everything*: also the files that were sent before. ``BadInput`` if no mirror is on."""
    with transaction.atomic():
        kept = _locked(owner, actor)
        kept.save_state(replace(kept.state, fault=None, next_try="", tries=0))
        if everything:
            kept.forget_sent()
    start(owner)


def mirror_replace(*, owner: Owner, actor: User, refused: str, seen_revision: int) -> None:
    """Let this record replace what the mirror shows, although the record does not contain that.

    *refused* is the SHA-256 of the manifest that the page has shown; another one is refused again.
    """
    with transaction.atomic():
        kept = _locked(owner, actor)
        if not refused or kept.state.refused != refused:
            raise Conflict("mirror.moved_meanwhile")
        kept.save_settings(replace(kept.settings, accepted=refused), seen_revision)
        kept.save_state(replace(kept.state, fault=None, next_try="", tries=0, refused=""))
    start(owner)


def sections_of(owner: Owner) -> list[OfTournament]:
    """Return the sections of an event, in the order of their numbers; none for a tournament. One query."""
    if not isinstance(owner, OfEvent):
        return []
    rows = Tournament.objects.filter(section__event=owner.pk).order_by("pk")
    return [OfTournament(pk, identity) for pk, identity in rows.values_list("pk", "identity")]


def _start_those_on(owners: Iterable[Owner]) -> None:
    for owner in owners:
        if owner.kept.is_on and not owner.is_away():
            start(owner)


def _locked(owner: Owner, actor: User) -> Kept:
    owner.lock(actor)
    if not owner.kept.is_on:
        raise BadInput("mirror.nothing_set")
    return owner.kept


def _save(kept: Kept, wanted: MirrorSettings, seen_revision: int | None) -> MirrorSettings:
    before = kept.settings
    if not wanted.secret and _receiver(wanted) == _receiver(before):
        wanted = replace(wanted, secret=before.secret)
    if wanted.kind == "web":
        wanted = replace(wanted, address=wanted.address.rstrip("/") + "/")
    else:
        wanted = replace(wanted, address="", user="", secret="")
    require_usable(wanted)
    if wanted.public:
        require_web_address(wanted.public, BadInput("mirror.address", field="public"))
    accepted = before.accepted if wanted.place == before.place else ""
    saved = kept.save_settings(replace(wanted, is_on=True, accepted=accepted), seen_revision)
    # At another place nothing is known; the counter never goes back.
    shown = kept.state if wanted.place == before.place else MirrorState(counter=kept.state.counter)
    kept.save_state(replace(shown, fault=None, next_try="", tries=0, refused="", shown=""))
    return saved


def _stop(kept: Kept, seen_revision: int | None) -> None:
    kept.save_settings(replace(kept.settings, is_on=False, secret=""), seen_revision)
    kept.save_state(replace(kept.state, fault=None, next_try="", tries=0, refused=""))


def _receiver(chosen: MirrorSettings) -> tuple[str, ...]:
    parts = urlsplit(chosen.address)
    return chosen.kind, parts.scheme, parts.netloc, chosen.user
