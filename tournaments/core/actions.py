"""Run an action: lock the tournament, check, change, count, record, commit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import DatabaseError, transaction

from pairing.rules.final_standings import AFTER_THE_END
from pairing.rules.hand_over import may_act
from pairing.rules.handling import HANDLING
from pairing.rules.undo import OPPOSITE
from pairing.rules.verdict import Allowed, Refused, Verdict
from tournaments.core import permissions, record
from tournaments.core.errors import Conflict, DataMoved, RuleRefused
from tournaments.core.frame import Frame
from tournaments.core.permissions import Power
from tournaments.models import Decision, Tournament
from tournaments.models.payloads import AnyPayload, restores, undoing

_UNDONE: Final[ContextVar[Decision | None]] = ContextVar("undone", default=None)
_WRITTEN: Final[ContextVar[list[Decision] | None]] = ContextVar("written", default=None)


@dataclass(frozen=True, slots=True)
class Publication:
    """What an action has published: lists with kind and round, as visitors read them in *frame*."""

    frame: Frame
    lists: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class OpenAction:
    """An action in its transaction: the locked tournament, the user and the time.

    ``by_the_site``: a site administrator or the console of the server does it, without a role in
    the tournament. ``by_the_console``: no user is logged in, and the record names the server
    instead of ``actor``. ``lines`` are the lines that it has written so far; ``publications`` is
    what it has published, known at its end.
    """

    tournament: Tournament
    actor: User
    now: datetime
    by_the_site: bool = False
    by_the_console: bool = False
    lines: list[Decision] = field(default_factory=list)
    publications: list[Publication] = field(default_factory=list)

    def record(
        self,
        payload: AnyPayload,
        *,
        article: str = "",
        round_number: int | None = None,
        reason: str = "",
        changes_pairing: bool = False,
        is_public: bool = True,
        prepared: record.Prepared | None = None,
    ) -> Decision:
        """Count the action in the tournament's versions and write its line. Three queries.

        The class of *payload* is the action, its values are the data before and after.

        *article* is the article of 2026; the line gets the article of the tournament's edition.
        With *changes_pairing*, a pairing computed or drafted before this action may be out of date.
        Without *is_public*, visitors do not see its effect yet. *prepared*: parts of what *payload*
        has after the action, hidden before the lock.
        """
        tournament = self.tournament
        if (undone := _UNDONE.get()) is not None:
            self._require_opposite(payload, undone, round_number)
            payload, article, reason = undoing(undone.payload, undone.sequence), undone.article, ""
        require_may_act(tournament, payload.action)
        if payload.action not in AFTER_THE_END:
            require_not_final(tournament)
        if not self.by_the_site:
            power = permissions.power_for(payload) if tournament.final_at is None else Power.DECIDE
            permissions.require_power(self.actor, tournament, power)
        line = record.append(
            tournament=tournament,
            action=payload.action,
            actor=None if self.by_the_console else self.actor,
            now=self.now,
            article=cited(tournament, article),
            round_number=round_number,
            before=payload.before,
            after=payload.after,
            reason=reason,
            is_public=is_public,
            prepared=prepared,
        )
        tournament.version += 1
        tournament.pairing_version += changes_pairing
        tournament.fingerprint = line.hash
        changed = ["version", "pairing_version", "fingerprint"]
        if is_public:
            tournament.public_version += 1
            tournament.public_fingerprint = line.hash
            changed += ["public_version", "public_fingerprint"]
        tournament.save(update_fields=changed)
        self.lines.append(line)
        if (written := _WRITTEN.get()) is not None:
            written.append(line)
        return line

    def _require_opposite(
        self, payload: AnyPayload, undone: Decision, round_number: int | None
    ) -> None:
        """Refuse an action that does not restore what *undone* has changed."""
        is_opposite = not self.lines and payload.action == OPPOSITE[undone.action]
        if (
            not is_opposite
            or round_number != undone.round_number
            or not restores(payload, undone.payload)
        ):
            raise Conflict("undo.not_the_same")


def collect_lines() -> None:
    """Begin to collect the lines that this request writes, for :func:`lines_of_request`."""
    _WRITTEN.set([])


def lines_of_request() -> list[Decision]:
    """Return the lines of the record that the current request has written so far, the oldest first.

    Those of a transaction that was rolled back are among them: compare by fingerprint.
    """
    return list(_WRITTEN.get() or ())


AT_THE_END: Final[list[Callable[[OpenAction], None]]] = []
"""Functions of the features that run at the end of each action, in its transaction;
``apps.py`` adds them.
"""


@contextmanager
def open_action(
    *,
    actor: User,
    now: datetime,
    powers: Collection[Power] = (Power.RUN,),
    after_the_end: bool = False,
    while_away: bool = False,
    **lookup: int,
) -> Iterator[OpenAction]:
    """Open a transaction and lock the tournament of *lookup* (``pk=…``, ``rounds=…``).

    The lock is taken first: two actions on one tournament run one after the other, and a value read
    inside stays valid until the commit. PostgreSQL locks the row; on SQLite the transaction is the
    only writer. *actor* needs one of *powers*, and for each line its own
    (:mod:`pairing.rules.actions`). Raises ``Tournament.DoesNotExist``, ``PermissionDenied`` and
    :class:`RuleRefused`: while the standings are final unless *after_the_end*, and in a copy of an
    event that was handed over unless *while_away*. The functions of :data:`AT_THE_END` run before
    the commit. If it ends without an error, the action was saved.
    """
    with transaction.atomic():
        # Lock only the row of the tournament: if the joined rows were locked first, two actions
        # could wait for each other.
        tournament = Tournament.objects.select_for_update(of=("self",)).get(**lookup)
        permissions.require_power(actor, tournament, *powers)
        with citing(tournament):
            if not while_away:
                require_live(tournament)
            if not after_the_end:
                require_not_final(tournament)
            action = OpenAction(tournament, actor, now)
            yield action
            for follow in AT_THE_END:
                follow(action)
        if transaction.get_rollback():
            # Django would roll back without an error, and the caller would say that the action was
            # saved.
            raise DatabaseError("The transaction was ended by a fault that was not raised.")


@contextmanager
def as_undo_of(line: Decision) -> Iterator[None]:
    """Let the ordinary action inside write its line as the undo of *line*.

    Raise :class:`Conflict` ``undo.not_the_same`` if the action does not lead back exactly to the
    values before *line*.
    """
    token = _UNDONE.set(line)
    try:
        yield
    finally:
        _UNDONE.reset(token)


@contextmanager
def citing(tournament: Tournament) -> Iterator[None]:
    """Replace the article of 2026 in a refusal with the article of the edition of *tournament*.

    This is the edition before the action: an action that would change it is refused under the
    current rules.
    """
    edition = HANDLING[tournament.handling_edition]
    try:
        yield
    except RuleRefused as error:
        raise RuleRefused(
            replace(error.refusal, article=edition.cited(error.refusal.article))
        ) from error


def in_own_edition(tournament: Tournament, refused: Refused) -> Refused:
    """Return *refused* with its article of 2026 as in the edition of *tournament*."""
    return replace(refused, article=cited(tournament, refused.article))


@contextmanager
def locked(
    *tournaments: int, actor: User, now: datetime, power: Power = Power.RUN
) -> Iterator[dict[int, OpenAction]]:
    """Open an action in each of *tournaments*, in one transaction; by the id of the tournament.

    They are locked in the order of their ids, so that two people who lock the same sections never
    wait for each other.
    """
    with transaction.atomic(), ExitStack() as stack:
        yield {
            pk: stack.enter_context(open_action(actor=actor, now=now, pk=pk, powers=(power,)))
            for pk in sorted(set(tournaments))
        }


def cited(tournament: Tournament, article: str) -> str:
    """Return the number of *article* of 2026 in the edition of *tournament*.

    Empty if that edition has no such article.
    """
    return HANDLING[tournament.handling_edition].cited(article)


def require_not_final(tournament: Tournament) -> None:
    """Raise :class:`RuleRefused` while the standings of *tournament* are final."""
    if tournament.final_at is not None:
        raise RuleRefused(Refused("standings.final", "C.04.2 4.3"))


def lock_if_live(**lookup: int) -> Tournament | None:
    """Lock the tournament that *lookup* finds, inside a transaction; None if it was handed over:
    then save nothing.

    For what is saved without an action and its line of the record. Raises
    ``Tournament.DoesNotExist``.
    """
    tournament = Tournament.objects.select_for_update(of=("self",)).get(**lookup)
    return tournament if tournament.handed_over_at is None else None


def require_live(tournament: Tournament) -> None:
    """Raise :class:`RuleRefused` if *tournament* was handed over: the live copy is elsewhere."""
    require_may_act(tournament, "")


def require_may_act(tournament: Tournament, action: str) -> None:
    """Raise :class:`RuleRefused` unless *action* is possible in this copy of *tournament*."""
    verdict = may_act(action, is_away=tournament.handed_over_at is not None)
    if isinstance(verdict, Refused):
        params = {"to": tournament.handed_over_to, "at": tournament.handed_over_at}
        raise RuleRefused(replace(verdict, params=params))


def require(verdict: Verdict) -> None:
    """Raise :class:`RuleRefused` unless *verdict* allows the action."""
    match verdict:
        case Refused():
            raise RuleRefused(verdict)
        case Allowed():
            return


def require_seen(seen_version: int | None, version: int, code: str, **params: object) -> None:
    """Raise :class:`Conflict` *code* unless *version* is the version that the user has seen.

    None: the caller is a program that shows no page. Below 0: the form does not contain a version.
    """
    if seen_version is None or seen_version == version:
        return
    if seen_version < 0:
        raise Conflict("form.no_version")
    raise Conflict(code, params=params)


def require_compared(compared: int | None, tournament: Tournament) -> None:
    """Raise :class:`DataMoved` unless *tournament* has the version that a page compared.

    None: nothing was compared.
    """
    if compared is not None and compared != tournament.version:
        raise DataMoved
