"""*Needs you* on the page *Now*: one line for each thing that waits for an arbiter, with its count.

Nothing is listed that nobody has to deal with.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext

from pairing.rounds.mistakes import count_of_mistakes
from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.core.jobs import is_no_runner_working
from tournaments.core.messages import sentence
from tournaments.core.moments import duration
from tournaments.desk.desk import Desk, NextAction
from tournaments.entries.waiting_rows import waiting_rows
from tournaments.events.registration.queue import new_registrations
from tournaments.lists.rating_lists.watching import ratings_that_differ
from tournaments.models import Game, GameResult
from tournaments.site.backups import state as copies
from tournaments.site.backups.sentences import sentence as sentence_on_copies
from tournaments.site.mirrors.sources import source_of
from tournaments.web.pairing_mail.report import mail_report
from tournaments.web.rating_lists.reminder import reminder
from tournaments.web.templatetags.articles import cite

OLD_COPY: Final = timedelta(hours=1)
"""A copy that is so much older than the newest action needs somebody."""


class Need(NamedTuple):
    """One line: the count with its noun, one sentence, and the page where it is dealt with.

    ``is_urgent`` marks what stops the round, loses data or changes the standings.
    """

    what: str
    detail: str
    url: str
    button: str
    is_urgent: bool = False


def needs(frame: Frame, desk: Desk, *, undecided: int, changes: bool) -> list[Need]:
    """Return the lines for a reader, who can change something if *changes*; urgent ones first.

    *undecided* players are absent without notice. At most ten queries.
    """
    if frame.tournament.final_at is not None:
        return []
    found = [*_players(frame, desk, undecided), *_games(frame), *_list(frame, desk)]
    if changes:
        found += [*_entries(frame, desk), *_mails(frame), *_site(frame, desk)]
    return sorted(found, key=lambda need: not need.is_urgent)


def _players(frame: Frame, desk: Desk, undecided: int) -> Iterator[Need]:
    """Yield what is open about the players of the next round."""
    slug = frame.tournament.slug
    if undecided:
        yield Need(
            ngettext(
                "%(n)d player absent without notice",
                "%(n)d players absent without notice",
                undecided,
            )
            % {"n": undecided},
            _("Withdraw the player, or record that the absence is explained."),
            "#no-show-heading",
            _("Decide"),
            is_urgent=True,
        )
    checks_in = desk.number == 1 or frame.tournament.check_in_round
    pairs = desk.next_action in (NextAction.PAIR, NextAction.PAIR_AGAIN, NextAction.PUBLISH)
    if desk.not_checked_in and checks_in and pairs:
        yield Need(
            ngettext(
                "%(n)d player not checked in", "%(n)d players not checked in", desk.not_checked_in
            )
            % {"n": desk.not_checked_in},
            _("You answer for each of them before the round is paired."),
            reverse("check-in", args=[slug]),
            _("Check-in"),
        )
    if desk.without_number and desk.number > 1:
        yield Need(
            ngettext(
                "%(n)d player without a pairing number",
                "%(n)d players without a pairing number",
                desk.without_number,
            )
            % {"n": desk.without_number},
            _("Late entries get their numbers before the next pairing."),
            reverse("numbers", args=[slug]),
            _("Numbers"),
        )


def _games(frame: Frame) -> Iterator[Need]:
    """Yield the reports of mistakes and the adjourned games. Two queries."""
    slug = frame.tournament.slug
    if reported := count_of_mistakes(frame.tournament):
        yield Need(
            ngettext(
                "%(n)d player reports a wrong result",
                "%(n)d players report a wrong result",
                reported,
            )
            % {"n": reported},
            _("Check it with the players: the time of the report counts.")
            + f" {cite({'frame': frame}, 'C.04.2 4.3')}".rstrip(),
            reverse("corrections", args=[slug]),
            _("Read"),
            is_urgent=True,
        )
    adjourned = Game.objects.filter(
        round__tournament=frame.tournament, result=GameResult.ADJOURNED
    ).count()
    if adjourned:
        yield Need(
            ngettext("%(n)d adjourned game", "%(n)d adjourned games", adjourned) % {"n": adjourned},
            _("It counts as a draw for the pairing until its result is entered."),
            reverse("open-games", args=[frame.tournament.slug]),
            _("Enter its end"),
        )


def _list(frame: Frame, desk: Desk) -> Iterator[Need]:
    """Yield what is wrong with the list of players, the rounds and the tie-breaks."""
    slug, missing = frame.tournament.slug, desk.ratings_needed
    if missing.players:
        yield Need(
            ngettext(
                "%(codes)s will not count: %(n)d player without a rating",
                "%(codes)s will not count: %(n)d players without a rating",
                len(missing.players),
            )
            % {"codes": ", ".join(missing.tie_breaks), "n": len(missing.players)},
            "; ".join(missing.players[:3]) + (" …" if len(missing.players) > 3 else ""),
            reverse("entries", args=[slug]),
            _("Enter ratings"),
            is_urgent=True,
        )
    if desk.has_too_many_rounds:
        yield Need(
            _("Too many rounds for %(n)d players") % {"n": desk.players},
            _("%(rounds)d rounds cannot be played without a second game between the same players.")
            % {"rounds": desk.total_rounds},
            reverse("tournament-edit", args=[slug]),
            _("Change"),
            is_urgent=True,
        )
    if desk.asks_to_close_the_list:
        yield Need(
            _("The list of players is open"),
            _("Pairing numbers are provisional until you close it.")
            + f" {cite({'frame': frame}, 'C.04.2 2.5')}".rstrip(),
            reverse("numbers", args=[slug]),
            _("Close the list"),
        )


def _mails(frame: Frame) -> Iterator[Need]:
    """Yield the e-mails of the round being played that failed. At most two queries."""
    number = frame.latest_published or 0
    if number <= frame.latest_results:
        return
    report = mail_report(frame.tournament, number)
    if report is not None and report.faults:
        count = report.faults
        names = [*report.failed, *report.unknown]
        yield Need(
            ngettext("%(n)d e-mail with a board failed", "%(n)d e-mails with a board failed", count)
            % {"n": count},
            "; ".join(names[:3]) + (" …" if count > 3 else ""),
            reverse("round", args=[frame.tournament.slug, number]),
            _("Read"),
        )


def _entries(frame: Frame, desk: Desk) -> Iterator[Need]:
    """Yield what has arrived and is not entered, and the ratings that differ. At most five queries."""
    tournament = frame.tournament
    rows = 0 if frame.is_over or desk.definitive else waiting_rows(tournament).count()
    if rows:
        yield Need(
            ngettext("%(n)d waiting row", "%(n)d waiting rows", rows) % {"n": rows},
            _("Correct or discard it before you close the list of players."),
            reverse("waiting", args=[tournament.slug]),
            _("Waiting rows"),
        )
    registered = 0 if frame.published else new_registrations(tournament)
    if registered:
        yield Need(
            ngettext("%(n)d confirmed registration", "%(n)d confirmed registrations", registered)
            % {"n": registered},
            _("Accept or refuse it."),
            reverse("registrations", args=[tournament.slug]),
            _("Registrations"),
        )
    if different := ratings_that_differ(tournament):
        yield Need(
            ngettext("%(n)d rating differs", "%(n)d ratings differ", different) % {"n": different},
            _("The rating list has another value."),
            reverse("ratings-check", args=[tournament.slug]),
            _("Compare"),
        )
    if outdated := reminder(frame):
        yield Need(
            _("The rating list of %(list)s is of %(month)s")
            % {
                "list": outdated.federation or "FIDE",
                "month": date_format(outdated.month, "F Y") if outdated.month else "–",
            },
            _("Load the newer list, then compare the ratings."),
            reverse("ratings-check", args=[tournament.slug]),
            _("Compare"),
        )


def _site(frame: Frame, desk: Desk) -> Iterator[Need]:
    """Yield what is wrong with copies, the mirror and long work. One query."""
    slug, restore = frame.tournament.slug, reverse("help-page", args=["restore"])
    found = copies.read()
    if found.problem:
        yield Need(
            _("No sound new copy of the site")
            if found.last
            else _("There is no copy of the site yet"),
            sentence_on_copies(found.problem),
            restore,
            _("Help"),
            is_urgent=True,
        )
    elif (age := _age(found.last, desk)) > OLD_COPY:
        yield Need(
            _("The copy of the site is %(time)s old")
            % {"time": duration(int(age.total_seconds()) // 60)},
            _("Later actions are on one disk only."),
            restore,
            _("Help"),
        )
    if settings.BACKUP_DIR and (second := sentence_on_copies(found.second_problem)):
        yield Need(
            _("The second folder for copies, %(folder)s, has no new copy")
            % {"folder": settings.BACKUP_DIR},
            second,
            restore,
            _("Help"),
            is_urgent=True,
        )
    if is_no_runner_working(timezone.now()):
        yield Need(
            _("Long work is waiting, and no program is doing it"),
            _("Start the program again; on a server with containers, start “work”."),
            restore,
            _("Help"),
            is_urgent=True,
        )
    store = source_of(frame.tournament).store
    fault = store.state.fault if store.is_on and not frame.tournament.handed_over_at else None
    if fault:
        yield Need(
            _("The mirror is not up to date"),
            sentence(BadInput(fault.code, **fault.params)),
            reverse("mirror", args=[slug]),
            _("Mirror"),
        )


def _age(last: datetime | None, desk: Desk) -> timedelta:
    """Return how much older the newest copy is than the newest action on the page."""
    if last is None or not desk.decisions:
        return timedelta()
    return max(desk.decisions[0].at - last, timedelta())
