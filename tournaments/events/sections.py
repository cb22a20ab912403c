"""Make a tournament a section of an event, add sections, and set for whom they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.text import slugify

from tournaments.core import permissions
from tournaments.core.actions import OpenAction, open_action, require_live
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.newer_lines import require_nothing_newer
from tournaments.core.permissions import Power
from tournaments.lists.imports.duplicate import schedule_copy
from tournaments.models import Action, Appointment, Event, Role, Section, Tournament
from tournaments.models.payload_data import Person, SectionData
from tournaments.models.payloads import PersonAppointed, SectionSet
from tournaments.people.role_names import role_name
from tournaments.setup.logo import logo_copy
from tournaments.setup.tournaments import FIELDS, tournament_create, tournament_update

MAX_LABEL: Final = 20
MOST_SECTIONS: Final = 30
LAST_POSITION: Final = 999
STEP: Final = 10
"""Between the positions of new sections, so that another one fits between two."""
LIMITS: Final = ("rating_from", "rating_to", "born_from", "born_to")
COPIED: Final = FIELDS - {"name", "list_state", "top_boards", "event_code"}
"""The settings that a new section takes over."""


def event_create(*, tournament_id: int, name: str, label: str, actor: User, now: datetime) -> Event:
    """Make a tournament the first section of the new event *name*.

    Only its Chief Arbiter can do this. A tournament with the name of the event gets the label after
    it, so that reports name the section. :class:`Conflict` if it is a section already.
    """
    name, label = _line(name, "name", 100), _line(label, "label", MAX_LABEL)
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        if Section.objects.filter(tournament=action.tournament).exists():
            raise Conflict("section.is_one")
        event = Event(name=name, created_by=actor, created_at=now)
        _save_with_free_slug(event)
        _join(action, event, label, {})
        if action.tournament.name == name:
            _rename(action, f"{name} {label}")
    return event


def section_add(
    *,
    event_id: int,
    like_id: int,
    label: str,
    actor: User,
    now: datetime,
    limits: Mapping[str, int | None],
    leave_fide_mode: bool = False,
) -> Tournament:
    """Add a section with the settings, the schedule and the people of the section *like_id*,
    and without players.

    Only the Chief Arbiter of that section can do this, and becomes the Chief Arbiter of the new
    one. *limits* are those of :data:`LIMITS`. ``BadInput`` for a label that another section has, or
    a tournament outside the event. *leave_fide_mode* as in
    :func:`~tournaments.setup.tournaments.tournament_create`.
    """
    label = _line(label, "label", MAX_LABEL)
    with transaction.atomic():
        event = Event.objects.select_for_update().get(pk=event_id)
        # Locked: a role that ends at the same time does not begin in the new section.
        rows = Tournament.objects.select_for_update(of=("self",)).filter(
            pk=like_id, section__event=event
        )
        like = rows.first()
        if like is None:
            raise BadInput("section.unknown", field="like")
        permissions.require_may_decide(actor, like)
        require_live(like)
        if Section.objects.filter(event=event).count() >= MOST_SECTIONS:
            raise BadInput("section.too_many", limit=MOST_SECTIONS)
        settings = {field: getattr(like, field) for field in COPIED}
        tournament = tournament_create(
            actor=actor,
            now=now,
            name=f"{event.name} {label}",
            leave_fide_mode=leave_fide_mode,
            **settings,
        )
        with open_action(actor=actor, now=now, pk=tournament.pk, powers=(Power.DECIDE,)) as action:
            _join(action, event, label, limits)
            _copy_people(like, action)
        schedule_copy(like, tournament, actor=actor, now=now)
        logo_copy(like, tournament)
    return tournament


def section_update(
    *,
    tournament_id: int,
    label: str,
    actor: User,
    now: datetime,
    limits: Mapping[str, int | None],
    position: int | None = None,
    seen_version: int | None = None,
) -> Section:
    """Change label, limits and place of a section. No line without a change.

    Players stay where they are. *position* None: the order stays. ``BadInput`` if it is not between
    1 and :data:`LAST_POSITION`; :class:`Conflict` if the section has changed since *seen_version*.
    """
    label = _line(label, "label", MAX_LABEL)
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        section = Section.objects.select_related("event").get(tournament=tournament_id)
        require_nothing_newer(
            action.tournament, seen_version, (Action.SECTION_SET,), "section.moved_meanwhile"
        )
        before = described(section)
        section.label = label
        if position is not None:
            section.position = _position(position)
        _set_limits(section, limits)
        _require_free_label(section)
        if (after := described(section)) != before:
            section.save()
            action.record(SectionSet(before=before, after=after))
    return section


def described(section: Section) -> SectionData:
    """Return the data of *section* for the record."""
    return {
        "event": section.event.name,
        "label": section.label,
        "position": section.position,
        "rating_from": section.rating_from,
        "rating_to": section.rating_to,
        "born_from": section.born_from,
        "born_to": section.born_to,
    }


def _join(action: OpenAction, event: Event, label: str, limits: Mapping[str, int | None]) -> None:
    last = Section.objects.filter(event=event).aggregate(last=Max("position"))["last"] or 0
    section = Section(
        event=event,
        tournament=action.tournament,
        label=label,
        position=min(last + STEP, LAST_POSITION),
    )
    _set_limits(section, limits)
    _require_free_label(section)
    section.save()
    action.record(SectionSet(before={}, after=described(section)))


def _set_limits(section: Section, limits: Mapping[str, int | None]) -> None:
    for name in LIMITS:
        setattr(section, name, limits.get(name))
    for low, high in (("rating_from", "rating_to"), ("born_from", "born_to")):
        first, last = limits.get(low), limits.get(high)
        if first is not None and last is not None and first > last:
            raise BadInput("section.limits", field=high, first=first, last=last)


def _position(position: int) -> int:
    if not 1 <= position <= LAST_POSITION:
        raise BadInput("section.position", field="position", most=LAST_POSITION)
    return position


def _require_free_label(section: Section) -> None:
    labels = (
        Section.objects.filter(event=section.event)
        .exclude(pk=section.pk)
        .values_list("label", flat=True)
    )
    if section.label.casefold() in {label.casefold() for label in labels}:
        raise BadInput("section.label_taken", field="label", label=section.label)


def _rename(action: OpenAction, name: str) -> None:
    tournament_update(
        tournament_id=action.tournament.pk, actor=action.actor, now=action.now, name=name
    )
    action.tournament.refresh_from_db()


def _copy_people(like: Tournament, action: OpenAction) -> None:
    """Give everybody with a role in *like* the same role; links and PINs then work for both."""
    people = Appointment.objects.filter(tournament=like, until=None).exclude(person=action.actor)
    for one in people.select_related("person").order_by("pk"):
        role = Role.DEPUTY if one.role == Role.CHIEF else Role(one.role)
        appoint_also(action, one, role)


def appoint_also(action: OpenAction, one: Appointment, role: Role) -> None:
    """Give the person of *one*, of another section, a role here with the same link and PIN."""
    Appointment.objects.create(
        tournament=action.tournament, person=one.person, role=role, since=action.now, link=one.link, pin=one.pin,
        wrong_pins=one.wrong_pins, accepted=one.accepted,
    )  # fmt: skip
    person: Person = {"person": one.person_id, "name": role_name(one), "role": role.value}
    action.record(PersonAppointed(before={}, after=person))


def _line(text: str, field: str, most: int) -> str:
    line = unicodedata.normalize("NFKC", " ".join(text.split()))
    if not line or not line.isprintable() or len(line) > most:
        raise BadInput("draw.text", field=field, most=most)
    return line


def _save_with_free_slug(event: Event) -> None:
    base = slugify(event.name)[:70] or "event"
    taken = set(Event.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    event.slug = next(
        slug
        for slug in (base, *(f"{base}-{n}" for n in range(2, len(taken) + 3)))
        if slug not in taken
    )
    try:
        event.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict("tournament.name_taken_meanwhile", params={"name": event.name}) from error
