"""Open and close the registration, and decide whether a visitor can still register."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Final, cast

from django.contrib.auth.models import User

from pairing.rules.rounds import PUBLIC_STATES
from pairing.rules.verdict import ALLOWED, Refused, Verdict
from tournaments.core.actions import OpenAction, locked
from tournaments.core.errors import BadInput
from tournaments.core.newer_lines import require_nothing_newer
from tournaments.models import (
    Action,
    Entry,
    ListState,
    Registration,
    RegistrationSettings,
    RegistrationState,
    Round,
    Section,
    Tournament,
)
from tournaments.models.payload_data import RegistrationRules
from tournaments.models.payloads import RegistrationSet

MOST_PLACES: Final = 5_000
MOST_HOURS: Final = 720
MOST_TEXT: Final = 2_000
MOST_CONSENT: Final = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """The settings of a registration as an arbiter wants them."""

    is_open: bool
    closes_at: datetime | None = None
    most: int | None = None
    waiting_list: bool = True
    hours: int = 48
    offers_byes: bool = False
    text: str = ""
    consent: str = ""


def settings_of(tournament: Tournament) -> RegistrationSettings:
    """Return the registration's settings; those of a closed unsaved one if there are none."""
    found = RegistrationSettings.objects.filter(tournament=tournament).first()
    return found or RegistrationSettings(tournament=tournament)


def registration_set(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    wanted: Wanted,
    seen_version: int | None = None,
    all_sections: bool = False,
) -> RegistrationSettings:
    """Open, change or close the registration. Every arbiter can do this;
    no line of the record without a change.

    *all_sections*: the other sections of the event get the same settings, but keep their own number
    of places, all or none. ``BadInput`` for a limit or a text outside its bounds; :class:`Conflict`
    if somebody has changed the settings since *seen_version*.
    """
    text = unicodedata.normalize("NFC", wanted.text.replace("\r\n", "\n").strip())
    consent = unicodedata.normalize("NFC", " ".join(wanted.consent.split()))
    _require_bounds(wanted, text, consent)
    wanted = replace(wanted, text=text, consent=consent)
    others = _other_sections(tournament_id) if all_sections else []
    with locked(tournament_id, *others, actor=actor, now=now) as actions:
        action = actions.pop(tournament_id)
        require_nothing_newer(
            action.tournament,
            seen_version,
            (Action.REGISTRATION_SET,),
            "registration.moved_meanwhile",
        )
        found = _change(action, wanted)
        for other in actions.values():
            _change(other, replace(wanted, most=settings_of(other.tournament).most))
    return found


def _other_sections(tournament_id: int) -> list[int]:
    sections = Section.objects.filter(event__sections__tournament=tournament_id).exclude(
        tournament=tournament_id
    )
    return list(sections.values_list("tournament_id", flat=True))


def _change(action: OpenAction, wanted: Wanted) -> RegistrationSettings:
    found = settings_of(action.tournament)
    before = _described(found)
    for name, value in asdict(wanted).items():
        setattr(found, name, value)
    if (after := _described(found)) != before:
        found.save()
        action.record(RegistrationSet(before=before, after=after))
    return found


def may_register(found: RegistrationSettings, tournament: Tournament, *, now: datetime) -> Verdict:
    """Return whether visitors can register for *tournament* at *now*,
    by its settings *found*. Up to three queries.

    Registration ends when it is closed, in a copy that was handed over, at its closing time, when
    all places are taken and there is no waiting list, when the list of participants is closed, and
    when the pairings of round 1 are published.
    """
    if not found.is_open or tournament.handed_over_at is not None:
        return Refused("registration.off")
    if found.closes_at is not None and now >= found.closes_at:
        return Refused("registration.over")
    ended = may_still_enter(tournament)
    if isinstance(ended, Refused):
        return ended
    if not found.waiting_list and found.most is not None and taken(tournament) >= found.most:
        return Refused("registration.full")
    return ALLOWED


def is_offered(tournament: Tournament) -> bool:
    """Return whether pages lead to the form, which says if it is closed. At most one query.

    Stored pages change with actions only, so that this does not depend on the clock or on the
    number of places.
    """
    if tournament.list_state == ListState.DEFINITIVE or tournament.final_at is not None:
        return False
    if tournament.handed_over_at is not None:
        return False
    return RegistrationSettings.objects.filter(tournament=tournament, is_open=True).exists()


def event_is_offered(sections: Sequence[Section]) -> bool:
    """Return :func:`is_offered` for at least one of *sections*. One query."""
    live = [each.tournament for each in sections if each.tournament.handed_over_at is None]
    possible = [
        tournament.pk for tournament in live if tournament.list_state != ListState.DEFINITIVE
    ]
    return RegistrationSettings.objects.filter(tournament__in=possible, is_open=True).exists()


def may_still_enter(tournament: Tournament) -> Verdict:
    """Return whether the list of participants is still open to registrations. One query."""
    if tournament.list_state == ListState.DEFINITIVE or tournament.final_at is not None:
        return Refused("registration.list_closed", "C.04.2 2.5")
    if Round.objects.filter(tournament=tournament, number=1, state__in=PUBLIC_STATES).exists():
        return Refused("registration.begun")
    return ALLOWED


def taken(tournament: Tournament) -> int:
    """Return how many places are taken: by players, and by confirmed registrations. Two queries."""
    waiting = Registration.objects.filter(
        tournament=tournament, state=RegistrationState.CONFIRMED
    ).count()
    return players(tournament) + waiting


def players(tournament: Tournament) -> int:
    """Return how many players have not withdrawn. One query."""
    return Entry.objects.filter(tournament=tournament, withdrawn_from=None).count()


def outside_limits(
    section: Section | None, *, rating: int | None, born: int | None
) -> BadInput | None:
    """Return why a player is not meant for *section*; None if nothing is against it.

    *rating* and *born* are None if they are unknown. An unknown rating passes, for the arbiter to
    check; a section with limits of age needs the year of birth.
    """
    if section is None:
        return None
    label = section.label
    if rating is not None and section.rating_from is not None and rating < section.rating_from:
        return BadInput(
            "registration.rating_low", label=label, limit=section.rating_from, rating=rating
        )
    if rating is not None and section.rating_to is not None and rating > section.rating_to:
        return BadInput(
            "registration.rating_high", label=label, limit=section.rating_to, rating=rating
        )
    if section.born_from is None and section.born_to is None:
        return None
    if born is None:
        return BadInput("registration.birth_needed", field="birth_date", label=label)
    if section.born_from is not None and born < section.born_from:
        return BadInput(
            "registration.too_old", field="birth_date", label=label, limit=section.born_from
        )
    if section.born_to is not None and born > section.born_to:
        return BadInput(
            "registration.too_young", field="birth_date", label=label, limit=section.born_to
        )
    return None


def _require_bounds(wanted: Wanted, text: str, consent: str) -> None:
    if wanted.most is not None and not 1 <= wanted.most <= MOST_PLACES:
        raise BadInput("registration.places", field="most", most=MOST_PLACES)
    if not 1 <= wanted.hours <= MOST_HOURS:
        raise BadInput("registration.hours", field="hours", most=MOST_HOURS)
    for name, line, most in (("text", text, MOST_TEXT), ("consent", consent, MOST_CONSENT)):
        if len(line) > most or not line.replace("\n", "").isprintable():
            raise BadInput("registration.text", field=name, most=most)


def _described(found: RegistrationSettings) -> RegistrationRules:
    values: dict[str, object] = {
        name: getattr(found, name) for name in RegistrationRules.__annotations__
    }
    closes = found.closes_at
    values["closes_at"] = None if closes is None else closes.astimezone(UTC).isoformat()
    return cast(RegistrationRules, values)
