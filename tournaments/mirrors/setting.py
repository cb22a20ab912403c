"""What the Chief Arbiter decides about the mirror of a tournament. None of it is in the record: it has a secret."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.actions import require_live
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import Power, require_power
from tournaments.core.web_address import require_web_address
from tournaments.mirrors.kept import Kept, MirrorSettings, MirrorState
from tournaments.mirrors.places import require_usable
from tournaments.mirrors.running import start
from tournaments.models import Tournament


def mirror_set(*, tournament_id: int, actor: User, wanted: MirrorSettings, seen_revision: int) -> MirrorSettings:
    """Save where the mirror is, turn it on, and begin to send. Only the Chief Arbiter can do this.

    Without a secret in *wanted* the saved one stays, if host and user stay: nobody can send it to another server.
    ``BadInput`` for a place that cannot be used; ``Conflict`` if the settings are not those of *seen_revision*.
    """
    with transaction.atomic():
        tournament, kept = _locked(tournament_id, actor)
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
    start(tournament.pk, tournament.identity)
    return saved


def mirror_stop(*, tournament_id: int, actor: User, seen_revision: int) -> None:
    """Send nothing more, and forget the secret. The pages at the mirror stay there.

    Possible in a copy that was handed over too: a secret should not stay where nobody needs it.
    """
    with transaction.atomic():
        _, kept = _locked(tournament_id, actor, while_away=True)
        kept.save_settings(replace(kept.settings, is_on=False, secret=""), seen_revision)
        kept.save_state(replace(kept.state, fault=None, next_try="", tries=0, refused=""))


def mirror_again(*, tournament_id: int, actor: User, everything: bool = False) -> None:
    """Try again now; *everything*: also the files that were sent before. ``BadInput`` if no mirror is on."""
    with transaction.atomic():
        tournament, kept = _locked(tournament_id, actor)
        _require_on(kept)
        kept.save_state(replace(kept.state, fault=None, next_try="", tries=0))
        if everything:
            kept.forget_sent()
    start(tournament.pk, tournament.identity)


def mirror_replace(*, tournament_id: int, actor: User, refused: str, seen_revision: int) -> None:
    """Let this record replace what the mirror shows, although the record does not contain that.

    *refused* is the SHA-256 of the manifest that the page has shown; another one is refused again.
    """
    with transaction.atomic():
        tournament, kept = _locked(tournament_id, actor)
        _require_on(kept)
        if not refused or kept.state.refused != refused:
            raise Conflict("mirror.moved_meanwhile")
        kept.save_settings(replace(kept.settings, accepted=refused), seen_revision)
        kept.save_state(replace(kept.state, fault=None, next_try="", tries=0, refused=""))
    start(tournament.pk, tournament.identity)


def _locked(tournament_id: int, actor: User, *, while_away: bool = False) -> tuple[Tournament, Kept]:
    """Return the tournament, locked: so two people do not write the files at once.

    ``RuleRefused`` in a copy that was handed over, unless *while_away*.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    require_power(actor, tournament, Power.DECIDE)
    if not while_away:
        require_live(tournament)
    return tournament, Kept(tournament.identity)


def _require_on(kept: Kept) -> None:
    if not kept.is_on:
        raise BadInput("mirror.nothing_set")


def _receiver(chosen: MirrorSettings) -> tuple[str, ...]:
    parts = urlsplit(chosen.address)
    return chosen.kind, parts.scheme, parts.netloc, chosen.user
