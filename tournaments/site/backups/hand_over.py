"""Hand an event over to another computer, and bring it back: one live copy of an event.

The copy here is sealed first, in one transaction for all sections, and the file is made from the
sealed copy. After a crash in between there is no file and no live copy: the file can be made again
at any time, and the copy here can be brought back. :mod:`.taking_over` is the other side.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from pairing.rules.verdict import Refused
from tournaments.core.actions import OpenAction, open_action, require_seen
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.permissions import Power
from tournaments.models import Event, Tournament
from tournaments.models.payload_hand_over import HandOver
from tournaments.models.payloads import TournamentBroughtBack, TournamentHandedOver
from tournaments.site.backups.one_event import export_tournaments

HERE: Final = {"handed_over_at": None, "handed_over_to": "", "handed_over_address": ""}
LONGEST: Final = 100
"""Characters of the name of a computer or a person."""


def sections_with(tournament: Tournament) -> list[Tournament]:
    """Return *tournament*, or all sections of its event, which only change hands together.

    One query.
    """
    rows = Tournament.objects.filter(section__event__sections__tournament=tournament.pk).order_by(
        "pk"
    )
    return list(rows) or [tournament]


def event_hand_over(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    to: str,
    address: str = "",
    seen_version: int | None = None,
) -> list[Tournament]:
    """Seal the event of the tournament, all its sections:
    another computer goes on with it, this copy is read only.

    *to* says which computer or who; visitors read *address*, if there is one, on the public pages.
    *actor* must be the Chief Arbiter of every section. ``BadInput`` without *to* or for an address
    that is none; ``Conflict`` if the tournament has changed since *seen_version*; ``RuleRefused``
    if the event was handed over already.
    """
    to, address = " ".join(to.split()), address.strip()
    if not to or len(to) > LONGEST or "\x00" in to:
        raise BadInput("hand_over.no_name", field="to", limit=LONGEST)
    if address:
        try:
            URLValidator(schemes=["http", "https"])(address)
        except ValidationError as error:
            raise BadInput("hand_over.address", field="address", value=address[:200]) from error
        if len(address) > LONGEST * 2:
            raise BadInput("hand_over.address", field="address", value=address[:200])
    values: HandOver = {
        "handed_over_at": now.isoformat(),
        "handed_over_to": to,
        "handed_over_address": address,
    }
    with _all_sections(tournament_id, actor, now, seen_version) as actions:
        for action in actions:
            action.record(TournamentHandedOver(before={}, after=values), is_public=bool(address))
            row = action.tournament
            row.handed_over_at, row.handed_over_to, row.handed_over_address = now, to, address
            row.automatic_by = None  # Nothing is published by itself in a copy that is read only.
            row.save(update_fields=[*HERE, "automatic_by"])
    return [action.tournament for action in actions]


def event_bring_back(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    confirmed: bool,
    seen_version: int | None = None,
) -> list[Tournament]:
    """Make this copy live again, with all sections that were handed over.

    For a lost file or a broken computer. *confirmed*: the Chief Arbiter has read that two live
    copies make a fork; ``BadInput`` otherwise. ``Conflict`` if the tournament has changed since
    *seen_version*; ``RuleRefused`` if it is not handed over.
    """
    if not confirmed:
        raise BadInput("hand_over.not_confirmed", field="confirmed")
    with _all_sections(tournament_id, actor, now, seen_version) as actions:
        for action in actions:
            if (
                action.tournament.handed_over_at is not None
                or action.tournament.pk == tournament_id
            ):
                action.record(
                    TournamentBroughtBack(before=hand_over_values(action.tournament), after={}),
                    is_public=bool(action.tournament.handed_over_address),
                )
                make_live(action.tournament)
    return [action.tournament for action in actions]


def require_handed_over_here(tournament: Tournament) -> None:
    """Raise :class:`RuleRefused` unless handed over: only then there is a file."""
    if tournament.handed_over_at is None:
        raise RuleRefused(Refused("hand_over.is_here"))


def event_file(tournament: Tournament, *, now: datetime) -> bytes:
    """Return the file for the other computer.

    The copy here is sealed, so it is the same whenever it is made.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "event"
        export_tournaments([each.pk for each in sections_with(tournament)], path, now=now)
        return path.read_bytes()


def hand_over_values(tournament: Tournament) -> HandOver:
    """Return what *tournament* says about the hand-over, as its record does."""
    at = tournament.handed_over_at
    return {
        "handed_over_at": at.isoformat() if at else "",
        "handed_over_to": tournament.handed_over_to,
        "handed_over_address": tournament.handed_over_address,
    }


def make_live(tournament: Tournament) -> None:
    """Save that *tournament* is the live copy."""
    for name, value in HERE.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(HERE))


@contextmanager
def _all_sections(
    tournament_id: int, actor: User, now: datetime, seen_version: int | None
) -> Iterator[list[OpenAction]]:
    """Lock all sections by id, and open an action of the Chief Arbiter in each."""
    with transaction.atomic(), ExitStack() as stack:
        # First the event: no section is added meanwhile.
        list(
            Event.objects.select_for_update()
            .filter(sections__tournament=tournament_id)
            .order_by("pk")
        )
        sections = sections_with(Tournament.objects.get(pk=tournament_id))
        actions = [
            stack.enter_context(
                open_action(
                    actor=actor,
                    now=now,
                    pk=each.pk,
                    powers=(Power.DECIDE,),
                    after_the_end=True,
                    while_away=True,
                )
            )
            for each in sections
        ]
        for action in actions:
            if action.tournament.pk == tournament_id:
                require_seen(seen_version, action.tournament.version, "tournament.moved_meanwhile")
        yield actions
