"""Appoint people, remove them, and hand the tournament over to another Chief Arbiter."""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from pairing.rules.names import fold
from pairing.rules.powers import BY_THE_CONSOLE
from tournaments.core.actions import AT_THE_END, OpenAction, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.link_secrets import link_hash
from tournaments.core.newer_lines import OF_A_PERSON, newer_lines, require_nothing_newer
from tournaments.core.permissions import Power, may_decide, require_may_create
from tournaments.models import Action, Appointment, Decision, Role, Tournament
from tournaments.models.payloads import (
    AccessRenewed,
    ChiefHandedOver,
    PersonAppointed,
    PersonRemoved,
    TournamentUpdated,
)
from tournaments.people.new_accounts import (
    WITH_LINK,
    account_name,
    chooses_password,
    no_password_yet,
)
from tournaments.people.role_names import described, role_name

MAX_NAME: Final = 150
PIN_DIGITS: Final = 6
APPOINTABLE: Final = tuple(role for role in Role if role is not Role.CHIEF)
"""The roles that the Chief Arbiter gives; a new Chief Arbiter
is made by :func:`chief_hand_over`.
"""


@dataclass(frozen=True, slots=True)
class Access:
    """The secret in a person's link, and the PIN.

    They are made by the caller, shown once, and kept as hashes only.
    """

    secret: str
    pin: str


def new_access() -> Access:
    """Return a new secret for a link, and a new PIN, by the system's random generator."""
    return Access(secrets.token_urlsafe(24), f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}")


def people_of(tournament: Tournament) -> list[Appointment]:
    """Return the people with a role in *tournament* today, in the order of their appointment.

    One query.
    """
    rows = Appointment.objects.filter(tournament=tournament, until=None)
    return list(rows.select_related("person").order_by("pk"))


def person_appoint(
    *, tournament_id: int, name: str, role: str, access: Access | None, actor: User, now: datetime
) -> Appointment:
    """Give a new person with this *name* a *role*. The person signs
    in with the link and the PIN of *access*.

    Without *access* the person gets an account with a user name, and chooses its password with a
    link of :func:`tournaments.web.people.accounts.new_password.link_for`. Whoever signs in with a
    link alone makes no accounts: ``PermissionDenied``.

    Only the Chief Arbiter can do this, and not while the standings are final. ``BadInput`` for an
    empty name or an unknown role; :class:`Conflict` if somebody of that name has a role already, so
    that a form sent twice appoints one person.
    """
    name = unicodedata.normalize("NFKC", " ".join(name.split()))
    if not any(map(str.isalpha, name)) or not name.isprintable() or len(name) > MAX_NAME:
        raise BadInput("person.name", field="name", most=MAX_NAME)
    if access is None:
        require_may_create(actor)
        username, link, pin = account_name(name), "", ""
        password = no_password_yet()
    else:
        link, pin = link_hash(access.secret), make_password(access.pin)
        username, password = f"{WITH_LINK}{link[:16]}", make_password(None)
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        chosen = appointable(role)
        same = [
            other for other in people_of(action.tournament) if fold(role_name(other)) == fold(name)
        ]
        if same:
            there = same[0]
            raise Conflict(
                "person.is_there", params={"name": role_name(there), "role": Role(there.role).label}
            )
        person = User.objects.create(username=username, first_name=name, password=password)
        return _appoint(action, person, chosen, link=link, pin=pin)


def account_appoint(
    *, tournament_id: int, username: str, role: str, actor: User, now: datetime, name: str = ""
) -> Appointment:
    """Give the person with the account *username* a *role*; otherwise as :func:`person_appoint`.

    The account has a name already: ``BadInput`` if there is also a *name*.
    """
    if name.strip():
        raise BadInput("person.name_or_account", field="name")
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        chosen = appointable(role)
        person = User.objects.filter(username=username.strip(), is_active=True).first()
        if person is None or not person.has_usable_password():
            raise BadInput("person.no_account", field="username", username=username.strip())
        there = Appointment.objects.filter(
            tournament=action.tournament, person=person, until=None
        ).first()
        if there is not None:
            raise Conflict(
                "person.is_there", params={"name": role_name(there), "role": Role(there.role).label}
            )
        return _appoint(action, person, chosen)


def person_remove(
    *, appointment_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Appointment:
    """End the role of a person at once: every further request is
    refused. Only the Chief Arbiter can do this.

    :class:`Conflict` if the role has ended already, or has changed since *seen_version*; this holds
    for all actions on one person. The Chief Arbiter hands over instead.
    """
    with open_action(
        actor=actor,
        now=now,
        appointments=appointment_id,
        powers=(Power.DECIDE,),
        after_the_end=True,
    ) as action:
        appointment = _current(action.tournament, appointment_id, seen_version)
        if not appointment.may_end:
            raise BadInput("person.chief_stays", field="person")
        _end(action, appointment)
        return appointment


def people_with_links(tournament: Tournament) -> list[str]:
    """Return the names of everybody who signs in with a link. One query."""
    return [role_name(each) for each in _with_links(tournament)]


def links_end(action: OpenAction) -> None:
    """End the roles of everybody who signs in with a link: the event is over.

    One query, and five for each.
    """
    for appointment in _with_links(action.tournament):
        _end(action, appointment)


@dataclass(frozen=True, slots=True)
class RoleEnd:
    """When a role ended and by whom; ``with_the_event``: because the standings were made final."""

    at: datetime
    by: str
    with_the_event: bool


def role_end(tournament: Tournament, person: int) -> RoleEnd | None:
    """Return how the last role of the account *person* ended;
    None without one, or if it has not. Two queries or three.

    A role that the record does not end, such as one removed from the tables by hand, gives None
    too.
    """
    if Appointment.objects.filter(tournament=tournament, person=person, until=None).exists():
        return None
    lines = Decision.objects.filter(tournament=tournament).order_by("-sequence")
    line = lines.filter(action=Action.PERSON_REMOVED, before__person=person).first()
    if line is None:
        return None
    end = lines.filter(action=Action.STANDINGS_MADE_FINAL, at=line.at, sequence__lt=line.sequence)
    return RoleEnd(line.at, line.actor_name, with_the_event=end.exists())


def access_renew(
    *,
    appointment_id: int,
    access: Access,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
) -> Appointment:
    """Give a person without a password a new link and a new PIN;
    the record of each tournament says so. A new account gets neither: its old link for the
    password ends, and the caller makes another one.

    The link opens every tournament in which the person has a role, so only who is the Chief Arbiter
    of all of them can do this: ``PermissionDenied``. The old link and PIN end, and so does every
    session of the person: the phone may be lost. ``BadInput`` for an account with a password, and
    for a role that came with a file and is not accepted: the account was here before.
    """
    link, pin = link_hash(access.secret), make_password(access.pin)
    with transaction.atomic():
        person = Appointment.objects.values_list("person", flat=True).get(pk=appointment_id)
        active = Appointment.objects.filter(person=person, until=None)
        # A role that counts for nobody yet does not count elsewhere.
        roles = active.filter(accepted=True)
        # All are locked in the order of their ids, so that two people never wait for each other.
        concerned = Q(pk__in=roles.values("tournament")) | Q(appointments=appointment_id)
        ids = set(Tournament.objects.filter(concerned).values_list("pk", flat=True))
        locked = Tournament.objects.select_for_update(of=("self",)).filter(pk__in=ids)
        others = [each for each in locked.order_by("pk") if not may_decide(actor, each)]
        with open_action(
            actor=actor,
            now=now,
            appointments=appointment_id,
            powers=(Power.DECIDE,),
            after_the_end=True,
        ) as action:
            appointment = _current(action.tournament, appointment_id, seen_version)
            _require_a_link(appointment)
            if others:
                raise PermissionDenied(_elsewhere(appointment, others))
            # Another unusable password: sessions are bound to it.
            account = appointment.person
            is_new = chooses_password(account)
            account.password = no_password_yet() if is_new else make_password(None)
            account.save(update_fields=["password"])
            active.update(link="", pin="")
            if not is_new:
                roles.update(link=link, pin=pin, wrong_pins=0)
            appointment.refresh_from_db()
            action.record(AccessRenewed(before={}, after=described(appointment)), is_public=False)
        _record_elsewhere(roles.exclude(pk=appointment_id), actor, now)
        return appointment


def _require_a_link(appointment: Appointment) -> None:
    """Refuse a new link for an account that has a password, or that was here before its role."""
    account = appointment.person
    if account.has_usable_password() or account.is_staff or account.is_superuser:
        raise BadInput("person.has_password", field="person", name=role_name(appointment))
    if not appointment.accepted:
        raise BadInput("person.was_here", field="person", name=role_name(appointment))


def _record_elsewhere(roles: QuerySet[Appointment], actor: User, now: datetime) -> None:
    """Record the new link of a person in the tournaments of the other *roles* too."""
    for role in roles.select_related("tournament", "person").order_by("tournament"):
        if role.tournament.handed_over_at is not None:
            continue  # Its record goes on elsewhere, where this link opens nothing.
        with open_action(
            actor=actor, now=now, pk=role.tournament_id, powers=(Power.DECIDE,), after_the_end=True
        ) as action:
            action.record(AccessRenewed(before={}, after=described(role)), is_public=False)


def _elsewhere(appointment: Appointment, others: list[Tournament]) -> str:
    """Return why *appointment* gets no new link: the person has a role in *others* too."""
    return _(
        "%(name)s has a role in %(tournaments)s too, of which you are not the Chief Arbiter, and "
        "the new link would "
        "open that as well. Nothing was changed. End the role here, then appoint the person "
        "again: that makes a link "
        "for this tournament alone."
    ) % {
        "name": role_name(appointment),
        "tournaments": ", ".join(f"“{each.name}”" for each in others),
    }


def offered_roles(person: User | AnonymousUser) -> list[Appointment]:
    """Return the roles that *person* can accept, the oldest first.

    One query, none for a visitor.
    """
    if not person.is_authenticated or not person.has_usable_password():
        return []
    rows = Appointment.objects.filter(person=person.pk, until=None, accepted=False)
    return list(rows.select_related("tournament").order_by("pk"))


def role_accept(*, appointment_id: int, actor: User) -> None:
    """Let a role count that came with the file of an event for the account *actor*.

    The record has the role already, so there is no line. :class:`Conflict` if there is nothing to
    accept, or if the account logs in with a link: whoever gave it in another event may be a
    stranger to this one, so a site administrator decides
    (:func:`tournaments.site.backups.log_ins.role_confirm`).
    """
    if not actor.has_usable_password():
        raise Conflict("person.has_a_link")
    rows = Appointment.objects.filter(pk=appointment_id, person=actor, until=None, accepted=False)
    if not rows.update(accepted=True):
        raise Conflict("person.nothing_offered")


def role_decline(*, appointment_id: int, actor: User, now: datetime) -> None:
    """End a role that came with the file of an event for the account *actor*,
    with its line in the record.

    :class:`Conflict` as in :func:`role_accept`. ``BadInput`` for the Chief Arbiter, without whom
    nobody could decide: the people who run the site make another one first (:func:`chief_replace`).
    Refused in a copy that was handed over.
    """
    if not actor.has_usable_password():
        raise Conflict("person.has_a_link")
    offered = Appointment.objects.filter(
        pk=appointment_id, person=actor, until=None, accepted=False
    )
    with transaction.atomic():
        tournament = (
            Tournament.objects.select_for_update(of=("self",))
            .filter(appointments__in=offered)
            .first()
        )
        role = offered.select_related("person").first()
        if tournament is None or role is None:
            raise Conflict("person.nothing_offered")
        if not role.may_end:
            raise BadInput("person.chief_declines", field="do", slug=tournament.slug)
        action = OpenAction(tournament, actor, now, by_the_site=True)
        _end(action, role)
        for follow in AT_THE_END:
            follow(action)


def chief_hand_over(
    *, appointment_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Appointment:
    """Make a deputy the Chief Arbiter; the present one becomes a
    deputy. Only the Chief Arbiter can do this.

    Until the standings are final, lists and reports then name the new one.

    ``BadInput`` unless *appointment_id* is a deputy who has accepted the role; :class:`Conflict` if
    the person has no role any more.
    """
    with open_action(
        actor=actor,
        now=now,
        appointments=appointment_id,
        powers=(Power.DECIDE,),
        after_the_end=True,
    ) as action:
        new = _current(action.tournament, appointment_id, seen_version)
        if new.role != Role.DEPUTY:
            raise BadInput("person.not_deputy", field="person", name=role_name(new))
        if not new.accepted:
            raise BadInput("person.not_accepted", field="person", name=role_name(new))
        _make_chief(action, new)
        return new


def chief_replace(tournament: Tournament, person: User, *, now: datetime) -> None:
    """Make *person* the Chief Arbiter of the locked *tournament*, by the people who run the site.

    The one before becomes a deputy. Without a change no line is written.
    """
    new, _created = Appointment.objects.get_or_create(
        tournament=tournament,
        person=person,
        until=None,
        defaults={"role": Role.DEPUTY, "since": now},
    )
    if not new.accepted:
        new.accepted = True
        new.save(update_fields=["accepted"])
    if new.role != Role.CHIEF:
        _make_chief(
            OpenAction(tournament, person, now, by_the_site=True, by_the_console=True),
            new,
            reason=BY_THE_CONSOLE,
        )


def _appoint(
    action: OpenAction, person: User, role: Role, *, link: str = "", pin: str = ""
) -> Appointment:
    appointment = Appointment.objects.create(
        tournament=action.tournament, person=person, role=role, since=action.now, link=link, pin=pin
    )
    action.record(PersonAppointed(before={}, after=described(appointment)))
    return appointment


def appointable(role: str) -> Role:
    """Return *role* as one that the Chief Arbiter gives; ``BadInput`` for others."""
    if role not in APPOINTABLE:
        raise BadInput(
            "person.role", field="role", value=role, expected=[each.value for each in APPOINTABLE]
        )
    return Role(role)


def _current(tournament: Tournament, appointment_id: int, seen_version: int | None) -> Appointment:
    """Return the appointment; :class:`Conflict` if it has ended or changed since *seen_version*."""
    appointment = Appointment.objects.select_related("person").get(pk=appointment_id)
    name, person = role_name(appointment), appointment.person_id
    if appointment.until is not None:
        lines = newer_lines(
            tournament, max(seen_version or 0, 0), (Action.PERSON_REMOVED,), person=person
        )
        raise Conflict("person.is_gone", params={"name": name}, lines=lines[:1])
    require_nothing_newer(
        tournament, seen_version, OF_A_PERSON, "person.moved_meanwhile", person=person, name=name
    )
    return appointment


def _with_links(tournament: Tournament) -> list[Appointment]:
    return [
        each
        for each in people_of(tournament)
        if not each.person.has_usable_password() and each.may_end
    ]


def _end(action: OpenAction, appointment: Appointment) -> None:
    # The hash of the link is kept: whoever opens it later reads that it has ended, and why.
    appointment.until, appointment.pin = action.now, ""
    appointment.save(update_fields=["until", "pin"])
    person = appointment.person
    if chooses_password(person):
        # The link for the password ends too, unless the person has just used it.
        unchanged = User.objects.filter(pk=person.pk, password=person.password)
        unchanged.update(password=no_password_yet())
    # Public, without the name: nobody else would write a public line after the links that end with
    # the event.
    action.record(PersonRemoved(before=described(appointment), after={}))


def _make_chief(action: OpenAction, new: Appointment, *, reason: str = "") -> None:
    """Exchange the Chief Arbiter for *new*; the old one becomes a deputy first,
    because there is only one.
    """
    old = Appointment.objects.select_related("person").get(
        tournament=action.tournament, role=Role.CHIEF, until=None
    )
    before = described(old)
    for appointment, role in ((old, Role.DEPUTY), (new, Role.CHIEF)):
        appointment.role = role
        appointment.save(update_fields=["role"])
    action.record(
        ChiefHandedOver(before=before, after=described(new)), article="C.04.2 4", reason=reason
    )
    _print_name(action, role_name(new), reason)


def _print_name(action: OpenAction, name: str, reason: str) -> None:
    """Let lists and reports name the new Chief Arbiter.

    Final standings keep the name of the arbiter who made them.
    """
    tournament, old = action.tournament, action.tournament.chief_arbiter
    if tournament.final_at is not None or old == name:
        return
    tournament.chief_arbiter = name
    tournament.save(update_fields=["chief_arbiter"])
    action.record(
        TournamentUpdated(before={"chief_arbiter": old}, after={"chief_arbiter": name}),
        reason=reason,
    )
