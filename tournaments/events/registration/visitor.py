"""What a visitor does: register, confirm by the link, correct,
withdraw. None of this is public or in the record.

Each is one transaction that locks the tournament, like an action of an arbiter: two visitors never
get the same place.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from pairing.rounds.facts import bye_rules
from pairing.rules.entries import may_ask_for_points
from pairing.rules.verdict import Refused, Verdict
from tournaments.core.actions import lock_if_live, require
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.link_secrets import link_hash
from tournaments.core.rating import chosen_rating
from tournaments.entries.cells import ImportRow, rating_number, read_row, texts_of
from tournaments.events.registration.matching import matches
from tournaments.events.registration.opening import (
    may_register,
    may_still_enter,
    outside_limits,
    settings_of,
    taken,
)
from tournaments.lists.rating_lists.search import Listed
from tournaments.models import (
    Entry,
    Registration,
    RegistrationSettings,
    RegistrationState,
    Section,
    Tournament,
)

UNDECIDED: Final = (RegistrationState.RECEIVED, RegistrationState.CONFIRMED)
MOST_UNDECIDED: Final = 1_000
"""So many registrations can wait in a tournament."""
MOST_PHONE: Final = 40
MOST_EMAIL: Final = 254
MOST_ID: Final = 20
TYPED: Final = (
    "last_name",
    "first_name",
    "federation",
    "birth_date",
    "fide_id",
    "national_id",
    "club",
    "initials",
)
"""The fields that a visitor types; a rating and a title come from the rating list only."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a visitor sends.

    ``listed`` is the key of a player of the rating list, empty for none of them. With ``mails`` the
    player gets the own board by e-mail, in ``language``.
    """

    values: Mapping[str, str]
    email: str = ""
    phone: str = ""
    byes: Sequence[int] = ()
    agrees: bool = False
    mails: bool = False
    language: str = ""
    listed: str = ""


@dataclass(frozen=True, slots=True)
class Checked:
    """A wish without a fault: the texts for the queue, and whether they come from a rating list."""

    fields: dict[str, str]
    listed: bool | None
    fide_id: int | None
    hits: list[Listed] = field(default_factory=list)


def registration_of(secret: str, *, now: datetime) -> Registration | None:
    """Return the registration of *secret*; None without one, or if expired. One query."""
    rows = Registration.objects.filter(link=link_hash(secret))
    found = rows.select_related(
        "tournament__section__event", "tournament__registration_settings", "entry__tournament"
    ).first()
    if found is None or has_expired(found, found.tournament.registration_settings, now=now):
        return None
    return found


def has_expired(registration: Registration, found: RegistrationSettings, *, now: datetime) -> bool:
    """Return whether nobody confirmed *registration* in the time that the settings give."""
    is_late = now >= registration.created_at + timedelta(hours=found.hours)
    return is_late and registration.state == RegistrationState.RECEIVED


def registration_check(
    tournament: Tournament, wish: Wish, *, now: datetime, is_new: bool = True
) -> Checked:
    """Return the data of *wish* if a registration with them would be received now; save nothing.

    Refused by :func:`~tournaments.events.registration.opening.may_register`; ``BadInput`` with its
    field for the first fault and ``more`` for the others. *is_new*: not the correction of an
    earlier one.
    """
    found = settings_of(tournament)
    require(may_send(found, tournament, now=now, is_new=is_new))
    return _checked(tournament, found, wish)


def may_send(
    found: RegistrationSettings, tournament: Tournament, *, now: datetime, is_new: bool
) -> Verdict:
    """Return whether the form is received: a correction also after the registration was closed.

    Up to three queries.
    """
    return may_register(found, tournament, now=now) if is_new else may_still_enter(tournament)


def registration_add(*, tournament_id: int, wish: Wish, secret: str, now: datetime) -> Registration:
    """Receive a registration whose link has *secret*. The same secret sent twice is received once.

    Nobody has a place before the registration is confirmed. Errors as in
    :func:`registration_check`; refused with ``registration.too_many`` while :data:`MOST_UNDECIDED`
    registrations wait.
    """
    before = registration_of(secret, now=now)
    if before is not None:
        return before
    checked = registration_check(Tournament.objects.get(pk=tournament_id), wish, now=now)
    with _locked(tournament_id, now=now) as (tournament, found):
        before = Registration.objects.filter(link=link_hash(secret)).first()
        if before is not None:
            return before
        require(may_register(found, tournament, now=now))
        _require_not_entered(tournament, checked)
        if (
            Registration.objects.filter(tournament=tournament, state__in=UNDECIDED).count()
            >= MOST_UNDECIDED
        ):
            raise RuleRefused(Refused("registration.too_many"))
        new = Registration(tournament=tournament, link=link_hash(secret), created_at=now)
        _fill(new, found, wish, checked)
        new.save(force_insert=True)
    return new


def registration_confirm(*, secret: str, now: datetime) -> Registration:
    """Confirm a registration: from now on it has a place, or a number on the waiting list.

    A confirmed one stays as it is. Refused after round 1 has begun and, without a waiting list, if
    the last place was taken in the meantime. After the closing time a registration that came in
    time can still be confirmed.
    """
    with _own(secret, now=now) as (registration, found):
        if registration.state == RegistrationState.CONFIRMED:
            return registration
        tournament = registration.tournament
        require(may_still_enter(tournament))
        if not found.waiting_list and found.most is not None and taken(tournament) >= found.most:
            raise RuleRefused(Refused("registration.full"))
        registration.state, registration.confirmed_at = RegistrationState.CONFIRMED, now
        registration.version += 1
        registration.save(update_fields=["state", "confirmed_at", "version"])
    return registration


def registration_correct(
    *, secret: str, wish: Wish, now: datetime, seen_version: int | None = None
) -> Registration:
    """Change the data of a registration that nobody has decided about; its place stays.

    :class:`Conflict` if it was changed or decided since *seen_version*.
    """
    there = registration_of(secret, now=now)
    if there is None:
        raise Conflict("registration.gone")
    checked = registration_check(there.tournament, wish, now=now, is_new=False)
    with _own(secret, now=now) as (registration, found):
        if seen_version is not None and registration.version != seen_version:
            raise Conflict("registration.changed")
        require(may_still_enter(registration.tournament))
        if wish.mails and wish.email.strip() != registration.email:
            # The link went to the first address only: nobody has agreed at another one.
            raise BadInput("registration.mails_elsewhere", field="mails")
        _require_not_entered(registration.tournament, checked)
        _fill(registration, found, wish, checked)
        registration.version += 1
        registration.save()
    return registration


def registration_withdraw(*, secret: str, now: datetime) -> Registration:
    """Withdraw a registration not decided yet, and delete everything personal in it."""
    with _own(secret, now=now) as (registration, _found):
        registration.state = RegistrationState.WITHDRAWN
        registration.fields, registration.byes, registration.listed = {}, [], None
        registration.email = registration.phone = registration.consent = ""
        registration.mails, registration.language = False, ""
        registration.version += 1
        registration.save()
    return registration


def end_mails(registration: Registration) -> None:
    """Send no pairings to the address of *registration*: no e-mail arrives there."""
    Registration.objects.filter(pk=registration.pk).update(mails=False, language="")


def delete_expired(tournament: Tournament, found: RegistrationSettings, *, now: datetime) -> None:
    """Delete the registrations of *tournament* that nobody has confirmed in time. One query."""
    Registration.objects.filter(
        tournament=tournament,
        state=RegistrationState.RECEIVED,
        created_at__lte=now - timedelta(hours=found.hours),
    ).delete()


def bye_problem(tournament: Tournament, byes: Sequence[int]) -> BadInput | None:
    """Return why the regulations do not give half-point byes in all rounds *byes*; None if they do.

    No query.
    """
    possible = set(bye_rounds(tournament))
    for place, number in enumerate(sorted(set(byes))):
        if number not in possible:
            return BadInput("registration.bye_round", field="byes", round=number)
        verdict = may_ask_for_points(bye_rules(tournament), number, others=place)
        if isinstance(verdict, Refused):
            problem = BadInput(verdict.code, field="byes")
            problem.params.update(verdict.params)
            return problem
    return None


def bye_rounds(tournament: Tournament) -> list[int]:
    """Return the rounds for which the regulations allow half-point byes."""
    last = tournament.last_bye_round
    if tournament.max_byes == 0:
        return []
    return list(
        range(
            1, (tournament.total_rounds if last is None else min(last, tournament.total_rounds)) + 1
        )
    )


@contextmanager
def _locked(
    tournament_id: int, *, now: datetime
) -> Iterator[tuple[Tournament, RegistrationSettings]]:
    """Lock a tournament as actions do, and delete what has expired.

    Refused in a copy that was handed over.
    """
    with transaction.atomic():
        tournament = lock_if_live(pk=tournament_id)
        if tournament is None:
            raise RuleRefused(Refused("registration.off"))
        found = settings_of(tournament)
        delete_expired(tournament, found, now=now)
        yield tournament, found


@contextmanager
def _own(secret: str, *, now: datetime) -> Iterator[tuple[Registration, RegistrationSettings]]:
    """Lock the registration of *secret*; :class:`Conflict` if somebody has decided about it."""
    there = registration_of(secret, now=now)
    if there is None:
        raise Conflict("registration.gone")
    with _locked(there.tournament_id, now=now) as (tournament, found):
        registration = Registration.objects.filter(pk=there.pk).first()
        if registration is None:
            raise Conflict("registration.gone")
        if registration.state not in UNDECIDED:
            raise Conflict("registration.decided")
        registration.tournament = tournament
        yield registration, found


def _checked(tournament: Tournament, found: RegistrationSettings, wish: Wish) -> Checked:
    typed = {
        name: " ".join(unicodedata.normalize("NFC", wish.values.get(name, "")).split())[:200]
        for name in TYPED
    }
    row, problems = read_row({name: text for name, text in typed.items() if name != "national_id"})
    if not typed["last_name"] and row is not None:
        problems = [BadInput("csv.name_missing", field="last_name")]
    problems += [
        *_contact_problems(wish),
        *_other_problems(tournament, found, wish, typed["national_id"]),
    ]
    if row is None or problems:
        raise _together(problems)
    hits = matches(tournament, typed)
    chosen = next((each for each in hits or () if each.key == wish.listed), None)
    if wish.listed and chosen is None:
        raise BadInput("registration.list_moved", field="listed")
    fields = _merged(texts_of(row), chosen)
    if typed["national_id"]:
        fields["national_id"] = typed["national_id"]
    full, problems = read_row(
        {name: text for name, text in fields.items() if name != "national_id"}, accepted=True
    )
    if full is None:
        raise _together(problems)
    section = Section.objects.filter(tournament=tournament).first()
    rating, born = rating_of(tournament, full, second_rating(fields), is_known=chosen is not None)
    if problem := outside_limits(section, rating=rating, born=born):
        raise problem
    return Checked(fields, None if hits is None else chosen is not None, full.fide_id, hits or [])


def second_rating(fields: Mapping[str, str]) -> int | None:
    """Return the second rating in *fields*, which no row of a spreadsheet has;
    ``BadInput`` if it is not a number.
    """
    try:
        return rating_number(fields.get("second_rating", ""), "second_rating")
    except BadInput as problem:
        problem.field = "second_rating"
        raise


def rating_of(
    tournament: Tournament, row: ImportRow, second: int | None, *, is_known: bool
) -> tuple[int | None, int | None]:
    """Return the rating that ranks *row* with *second*, and the year of birth; None if unknown.

    *is_known*: the data come from a rating list, so a player without a rating there is unrated: 0.
    """
    _source, rating = chosen_rating(tournament, row.fide_rating, row.national_rating, second)
    return rating or (0 if is_known else None), int(row.birth_date[:4] or 0) or None


def _merged(typed: dict[str, str], chosen: Listed | None) -> dict[str, str]:
    """Return the *typed* texts with those of the list; of an untyped birth date only the year."""
    if chosen is None:
        return typed
    fields = {name: str(value) for name, value in chosen.values.items()}
    fields["birth_date"] = typed.get("birth_date", "") or fields.get("birth_date", "")[:4]
    fields["club"] = typed.get("club", "") or fields.get("club", "")
    fields["initials"] = typed.get("initials", "")
    return {name: text for name, text in fields.items() if text}


def _contact_problems(wish: Wish) -> Iterator[BadInput]:
    email, phone = wish.email.strip(), " ".join(wish.phone.split())
    if not email and not phone:
        yield BadInput("registration.no_contact", field="email")
    if email:
        try:
            validate_email(email)
        except ValidationError:
            yield BadInput("registration.email", field="email")
        else:
            if len(email) > MOST_EMAIL:
                yield BadInput("registration.email", field="email")
    if wish.mails and not email:
        yield BadInput("registration.mails_without_address", field="mails")
    if (
        len(phone) > MOST_PHONE
        or not phone.isprintable()
        or (phone and sum(map(str.isdecimal, phone)) < 4)
    ):
        yield BadInput("registration.phone", field="phone", most=MOST_PHONE)


def _other_problems(
    tournament: Tournament, found: RegistrationSettings, wish: Wish, identifier: str
) -> Iterator[BadInput]:
    if len(identifier) > MOST_ID or not identifier.isprintable():
        yield BadInput("registration.national_id", field="national_id", most=MOST_ID)
    if found.consent and not wish.agrees:
        yield BadInput("registration.no_consent", field="agrees")
    if found.offers_byes and (problem := bye_problem(tournament, wish.byes)):
        yield problem


def _together(problems: Sequence[BadInput]) -> BadInput:
    first, *more = problems
    first.more = tuple(more)
    return first


def _require_not_entered(tournament: Tournament, checked: Checked) -> None:
    """Say that a player is entered: the list of players is public. Other registrations are not, and
    neither is who the players with initials are.
    """
    if checked.fide_id is None:
        return
    there = Entry.objects.filter(
        tournament=tournament, fide_id=checked.fide_id, full_name=""
    ).first()
    if there is not None:
        raise BadInput("registration.entered", field="fide_id", name=there.name)


def _fill(
    registration: Registration, found: RegistrationSettings, wish: Wish, checked: Checked
) -> None:
    registration.fields, registration.listed = checked.fields, checked.listed
    registration.email, registration.phone = wish.email.strip(), " ".join(wish.phone.split())
    registration.byes = sorted(set(wish.byes)) if found.offers_byes else []
    registration.consent = found.consent if wish.agrees else ""
    registration.mails, registration.language = wish.mails, wish.language if wish.mails else ""
