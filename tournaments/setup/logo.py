"""Set and remove the logo of an event, which is on public pages, hall screens and sheets."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from django.contrib.auth.models import User

from tournaments.core.actions import OpenAction, locked
from tournaments.core.errors import BadInput
from tournaments.core.newer_lines import require_nothing_newer
from tournaments.core.permissions import Power, may
from tournaments.core.pictures import NoPictureError, read_picture
from tournaments.models import Action, Logo, Section, Tournament
from tournaments.models.payloads import LogoSet

LARGEST: Final = 200_000
"""Bytes: it is in each copy of the site, and phones load it in the hall."""
MOST_PIXELS: Final = 2_000
"""Of a side: a small file can have a picture that fills the memory of a phone."""
_NAME: Final = re.compile(r"[0-9a-f]{16}-([1-9]\d{0,3})x([1-9]\d{0,3})\.(png|jpg|webp)")


@dataclass(frozen=True, slots=True)
class LogoName:
    """The name of a logo in its parts: the fingerprint of its bytes, so that a name never gets
    another picture, and its size.
    """

    name: str
    width: int
    height: int
    ending: str

    @classmethod
    def read(cls, name: str) -> Self | None:
        """Return the parts of *name*; None for another text, such as the empty one."""
        found = _NAME.fullmatch(name)
        return cls(name, int(found[1]), int(found[2]), found[3]) if found else None


def named(data: bytes) -> tuple[str, bytes]:
    """Return the name of the picture in *data*, and its bytes without what follows them.

    ``BadInput`` for another file, a picture that moves, and one with too many bytes or pixels.
    """
    if len(data) > LARGEST:
        raise BadInput("logo.too_large", field="file", most=LARGEST // 1000)
    try:
        picture = read_picture(data)
    except NoPictureError as error:
        raise BadInput("logo.no_picture", field="file") from error
    if picture.moves:
        raise BadInput("logo.moves", field="file")
    if max(picture.width, picture.height) > MOST_PIXELS:
        raise BadInput("logo.too_many_pixels", field="file", most=MOST_PIXELS)
    fingerprint = hashlib.sha256(picture.data).hexdigest()[:16]
    return f"{fingerprint}-{picture.width}x{picture.height}.{picture.ending}", picture.data


def logo_set(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    data: bytes | None,
    seen_version: int | None = None,
) -> list[Tournament]:
    """Give the tournament, and the other sections of its event that *actor* runs, the logo *data*;
    None: remove it. Return them; without a change no line is written.

    Sections whose standings are final, or that were handed over, keep theirs. ``BadInput`` as for
    :func:`named`, ``Conflict`` if the logo of the tournament was set after *seen_version*.
    """
    name, picture = named(data) if data is not None else ("", b"")
    own = Tournament.objects.select_related("section").get(pk=tournament_id)
    with locked(*with_logo_of(own, actor), actor=actor, now=now) as actions:
        require_nothing_newer(
            actions[own.pk].tournament, seen_version, (Action.LOGO_SET,), "logo.moved_meanwhile"
        )
        for action in actions.values():
            _set(action, name, picture)
        return [action.tournament for action in actions.values()]


def with_logo_of(tournament: Tournament, actor: User) -> list[int]:
    """Return the ids of the tournaments that get a logo together with *tournament*, its own first.

    At most one query, and one for each section.
    """
    if not hasattr(tournament, "section"):
        return [tournament.pk]
    sections = Section.objects.filter(event=tournament.section.event_id)
    others = (
        each.tournament
        for each in sections.select_related("tournament")
        if each.tournament_id != tournament.pk
    )
    return [
        tournament.pk,
        *(
            each.pk
            for each in others
            if each.final_at is None and each.handed_over_at is None and may(actor, each, Power.RUN)
        ),
    ]


def _set(action: OpenAction, name: str, data: bytes) -> None:
    tournament = action.tournament
    if tournament.logo == name:
        return
    before, tournament.logo = tournament.logo, name
    tournament.save(update_fields=["logo"])
    if name:
        Logo.objects.update_or_create(tournament=tournament, defaults={"data": data})
    else:
        Logo.objects.filter(tournament=tournament).delete()
    action.record(LogoSet(before={"logo": before}, after={"logo": name}))


def logo_copy(source: Tournament, made: Tournament) -> None:
    """Give *made*, a copy of *source* that nobody has seen yet, the same logo."""
    if row := Logo.objects.filter(tournament=source).first():
        Logo.objects.create(tournament=made, data=bytes(row.data))
        Tournament.objects.filter(pk=made.pk).update(logo=source.logo)


def logo_file(slug: str, name: str) -> bytes | None:
    """Return the bytes of the logo *name* of the tournament *slug*; None if it has another one.

    What somebody else has written into the file of an event is not trusted: bytes that do not have
    this name are not a logo. One query for a logo.
    """
    if not name:
        return None
    row = Logo.objects.filter(tournament__slug=slug, tournament__logo=name).first()
    data = bytes(row.data) if row else b""
    try:
        return data if named(data) == (name, data) else None
    except BadInput:
        return None
