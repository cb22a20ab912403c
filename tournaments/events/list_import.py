"""Import one list into all sections of an event: everything that is chosen, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.actions import locked
from tournaments.core.errors import BadInput, Conflict
from tournaments.events.event_page import sections_of
from tournaments.events.list_comparing import compare_event
from tournaments.events.moves import entries_move
from tournaments.events.placing import open_sections
from tournaments.lists.imports.entry_lists import Choice, Imported, newcomers_of, save_compared
from tournaments.lists.imports.reading import Reading
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class EventChoice:
    """What an arbiter has chosen: the section of new rows by line, fields of changed players,
    removals and moves.

    ``sections`` and ``fields`` are as in :func:`~tournaments.events.list_comparing.compare_event`
    and :class:`~tournaments.lists.imports.entry_lists.Choice`. ``moved`` are the entries that move;
    None: all that can.
    """

    sections: Mapping[int, int] = field(default_factory=dict)
    fields: Mapping[int, Collection[str]] | None = None
    removed: Collection[int] = ()
    moved: Collection[int] | None = None


@dataclass(slots=True)
class EventImported:
    """What an import has saved, by label of the section; ``moved`` counts for the event."""

    sections: dict[str, Imported] = field(default_factory=dict)
    moved: int = 0


def event_list_import(
    *,
    event: Event,
    actor: User,
    now: datetime,
    reading: Reading,
    choice: EventChoice,
    seen: str | None = None,
) -> EventImported:
    """Enter, change, remove and move chosen players; let the doubtful rows wait.

    One transaction locks every section; *actor* must be an arbiter of all of them. In each section
    new players have one line of the record, and everything else its own, as in
    :func:`~tournaments.lists.imports.entry_lists.list_import`. Sections whose standings are final
    stay as they are. :class:`Conflict` if the comparison with the players entered is no longer the
    one *seen*, ``BadInput`` if all sections are final.
    """
    newcomers = newcomers_of(reading, now)
    done = EventImported()
    with transaction.atomic():
        targets = [section.tournament_id for section in open_sections(sections_of(event))]
        if not targets:
            raise BadInput("section.all_final")
        with locked(*targets, actor=actor, now=now) as actions:
            # Read again: the sections as they are under the lock.
            sections = sections_of(event)
            found = compare_event(reading, sections, choice.sections)
            is_other = [section.tournament_id for section in open_sections(sections)] != targets
            if is_other or (seen is not None and seen != found.digest):
                raise Conflict("entries.changed_meanwhile")
            of_one = Choice(fields=choice.fields, removed=choice.removed)
            for part in found.parts:
                if (action := actions.get(part.section.tournament_id)) is not None:
                    saved = save_compared(action, part.found, of_one, newcomers, reading.source)
                    done.sections[part.section.label] = saved
        moves = {
            move.entry.pk: move.to.tournament_id
            for move in found.moves
            if move.refused is None
            and move.entry.pk not in choice.removed
            and (choice.moved is None or move.entry.pk in choice.moved)
        }
        # After the actions above are over: a move locks and counts its sections itself.
        done.moved = entries_move(moves=moves, event_id=event.pk, actor=actor, now=now)
    return done
