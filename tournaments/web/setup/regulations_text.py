"""The regulations of a tournament as text, made from its settings in the active language.

It says what the settings say and no more: entry fees, prizes and the rules of the hall are for the
organiser to add. Articles are cited as the edition of the tournament numbers them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext

from pairing.engine.errors import InputError
from pairing.engine.systems import SYSTEMS, games_a_round
from pairing.rules.corrections import CorrectionKind
from pairing.rules.handling import HANDLING
from pairing.rules.published import Situation
from tournaments.core.actions import cited
from tournaments.models import (
    LateEntryBye,
    ProhibitedPair,
    RatingMethod,
    Round,
    SecondRatingMethod,
    ThirdCriterion,
    Tournament,
)
from tournaments.models.pairing_systems import NAMES
from tournaments.setup.tie_break_lists import codes_of
from tournaments.web.templatetags.numbers import points
from tournaments.web.templatetags.tie_breaks import tie_break_name, tie_break_sentence


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the regulations: number, heading, sentences, and a numbered list below."""

    heading: str
    lines: tuple[str, ...]
    items: tuple[str, ...] = ()


def regulations_of(tournament: Tournament) -> list[Section]:
    """Return the regulations of *tournament* in the active language. Two queries."""
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    return [
        Section(_("Tournament"), tuple(_event(tournament))),
        Section(_("Schedule"), tuple(_no_times(rounds)), tuple(_times(rounds))),
        Section(_("Pairings"), tuple(_pairings(tournament))),
        Section(_("Points"), tuple(_points(tournament))),
        Section(_("Byes and late entries"), tuple(_byes(tournament))),
        Section(_("Mistakes and changes of pairings"), tuple(_mistakes(tournament))),
        _tie_breaks(tournament),
    ]


def as_text(sections: Sequence[Section], title: str) -> str:
    """Return *sections* as plain text, to be copied into another document."""
    parts = [title]
    for number, section in enumerate(sections, 1):
        lines = [f"{number}. {section.heading}", *section.lines]
        lines += [f"   {place}. {item}" for place, item in enumerate(section.items, 1)]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _by(tournament: Tournament, sentence: str, article: str) -> str:
    """Return *sentence* with *article* of 2026, as numbered in the edition
    of *tournament* if it has this article.
    """
    number = cited(tournament, article)
    return f"{sentence} [{number}]" if number else sentence


def _day(day: date) -> str:
    return date_format(day, "j F Y")


def _event(tournament: Tournament) -> Iterator[str]:
    count = tournament.total_rounds
    yield _by(
        tournament,
        ngettext(
            "%(name)s is a tournament of %(n)s round by the Swiss system.",
            "%(name)s is a tournament of %(n)s rounds by the Swiss system.",
            count,
        )
        % {"name": tournament.name, "n": count},
        "C.04.1 1",
    )
    place = ", ".join(filter(None, (tournament.city, tournament.federation)))
    if place:
        yield _("Place: %(place)s.") % {"place": place}
    first, last = tournament.start_date, tournament.end_date
    if first and last and first != last:
        yield _("It is played from %(first)s to %(last)s.") % {
            "first": _day(first),
            "last": _day(last),
        }
    elif first:
        yield _("It begins on %(first)s.") % {"first": _day(first)}
    if tournament.time_control:
        yield _("Time control: %(time)s.") % {"time": tournament.time_control}
    if tournament.organiser:
        yield _("Organiser: %(name)s.") % {"name": tournament.organiser}
    if tournament.event_code:
        yield _("FIDE event number: %(number)s.") % {"number": tournament.event_code}
    if tournament.chief_arbiter:
        yield _("Chief Arbiter: %(name)s.") % {"name": tournament.chief_arbiter}
    if deputies := ", ".join(filter(None, map(str.strip, tournament.deputy_arbiters.splitlines()))):
        yield _("Deputy arbiters: %(names)s.") % {"names": deputies}


def _no_times(rounds: Sequence[Round]) -> Iterator[str]:
    if not any(row.starts_at for row in rounds):
        yield _("The times of the rounds are announced by the arbiter.")


def _times(rounds: Sequence[Round]) -> Iterator[str]:
    if not any(row.starts_at for row in rounds):
        return
    for row in rounds:
        if row.starts_at is None:
            yield _("Round %(n)s: the time is announced by the arbiter.") % {"n": row.number}
            continue
        start = timezone.localtime(row.starts_at)
        at = date_format(start, "l j F Y, H:i")
        if row.results_due_at is None:
            yield _("Round %(n)s: %(at)s.") % {"n": row.number, "at": at}
            continue
        end = timezone.localtime(row.results_due_at)
        if end.date() == start.date():
            yield _("Round %(n)s: %(at)s. Results are published at the latest at %(due)s.") % {
                "n": row.number, "at": at, "due": date_format(end, "H:i"),
            }  # fmt: skip
        else:
            yield _("Round %(n)s: %(at)s. Results are published at the latest on %(due)s.") % {
                "n": row.number, "at": at, "due": date_format(end, "l j F Y, H:i"),
            }  # fmt: skip


def _pairings(tournament: Tournament) -> Iterator[str]:
    system, rules = SYSTEMS[tournament.system], HANDLING[tournament.handling_edition]
    yield _("The rounds are paired by the %(system)s (%(article)s) with the program Swiss Arbiter.") % {
        "system": NAMES[tournament.system], "article": system.articles,
    }  # fmt: skip
    yield _("Pairings are handled by %(rules)s.") % {"rules": rules.name}
    if games_a_round(tournament.system) > 1:
        yield _("Each round is a match of two games with reversed colours.")
    if tournament.acceleration:
        yield _by(
            tournament,
            _("The first half of the rounds is paired with Baku acceleration."),
            "C.04.7",
        )
    ratings = (
        _("Players are ordered by the rating of this list: %(list)s.")
        % {"list": tournament.rating_list}
        if tournament.rating_list
        else _("Players are ordered by rating, then by title.")
    )
    yield _by(tournament, ratings, "C.04.2 2.1")
    method = RatingMethod(tournament.rating_method).label
    yield _by(
        tournament,
        _("If a player has two ratings, this one counts: %(method)s.") % {"method": method},
        "C.04.2 2.1",
    )
    if tournament.national_lists:
        yield _by(
            tournament,
            _("National ratings are those of these lists, in this order: %(lists)s.")
            % {"lists": ", ".join(tournament.national_lists.split())},
            "C.04.2 2.1",
        )
    if tournament.second_rating_method:
        second = SecondRatingMethod(tournament.second_rating_method).label
        yield _by(
            tournament,
            _("Without that rating, this one counts: %(method)s.") % {"method": second},
            "C.04.2 2.1",
        )
    yield _by(
        tournament,
        _("Order of players with equal rating and title: %(order)s.")
        % {"order": ThirdCriterion(tournament.third_criterion).label},
        "C.04.2 2.2.3",
    )
    yield _("The colour of player 1 in round 1 is drawn by lot. [%(article)s]") % {
        "article": system.initial_colour
    }
    if pairs := ProhibitedPair.objects.filter(tournament=tournament).count():
        sentence = ngettext(
            "%(n)s pair of players does not play each other.",
            "%(n)s pairs of players do not play each other.",
            pairs,
        )
        yield _by(tournament, sentence % {"n": pairs}, "C.04.2 1.5")


def _points(tournament: Tournament) -> Iterator[str]:
    yield _("A win scores %(win)s, a draw %(draw)s, a loss %(loss)s.") % {
        "win": points(tournament.points_win),
        "draw": points(tournament.points_draw),
        "loss": points(tournament.points_loss),
    }
    yield _by(
        tournament,
        _("The pairing-allocated bye scores %(points)s.")
        % {"points": points(tournament.points_pab)},
        "C.04.1 3",
    )
    yield _("An absence or a loss by forfeit scores %(points)s.") % {
        "points": points(tournament.points_absence)
    }


def _byes(tournament: Tournament) -> Iterator[str]:
    most, last = tournament.max_byes, tournament.last_bye_round
    if most == 0 or last == 0:
        yield _by(
            tournament, _("There are no byes with points at the request of a player."), "C.04.2 3.3"
        )
    else:
        if most is None:
            sentence = _("A player may request byes with points.")
        else:
            sentence = ngettext(
                "A player may request %(n)s bye with points.",
                "A player may request up to %(n)s byes with points.",
                most,
            ) % {"n": most}
        yield _by(tournament, sentence, "C.04.2 3.3")
        if last is not None and last < tournament.total_rounds:
            yield _("There are no such byes after round %(n)s.") % {"n": last}
        if tournament.byes_in_advance:
            yield _("They are requested before the pairings of the round before are published.")
        else:
            yield _("They are requested before the pairings of the round are published.")
    if tournament.late_entry_bye == LateEntryBye.HALF_POINT:
        late = _("A player who enters late gets half a point for each missed round.")
    else:
        late = _("A player who enters late gets no points for missed rounds.")
    yield _by(tournament, late, "C.04.2 2.4")


def _mistakes(tournament: Tournament) -> Iterator[str]:
    rules = HANDLING[tournament.handling_edition]
    minutes = tournament.correction_minutes
    if tournament.second_reading:
        yield _(
            "Before results are published, another person enters all of them again and "
            "differences are decided."
        )
    article = rules.corrections[CorrectionKind.RESULT]
    if rules.has_deadline and minutes:
        sentence = ngettext(
            "A mistake in the published results is reported within %(n)s minute of their "
            "publication, or of the "
            "announced time if that is later.",
            "A mistake in the published results is reported within %(n)s minutes of their "
            "publication, or of the "
            "announced time if that is later.",
            minutes,
        ) % {"n": minutes}
    elif rules.has_deadline:
        sentence = _(
            "A mistake in the published results is reported before the next pairings are published."
        )
    else:
        sentence = _("Mistakes in published results are corrected by the handling rules.")
    yield f"{sentence} [{article}]"
    if tournament.change_clause and Situation.REGULATIONS in rules.situations:
        sentence = _("Published pairings may also change in this case: %(clause)s")
        yield (
            f"{sentence % {'clause': tournament.change_clause}} "
            f"[{rules.situations[Situation.REGULATIONS]}]"
        )
    else:
        yield _(
            "Published pairings do not change, except in the situations of the handling rules. "
            "[%(article)s]"
        ) % {"article": rules.changes}
    if tournament.top_boards and Situation.TOP_BOARDS in rules.situations:
        sentence = ngettext(
            "In the last round, the pairing of the first board may change after an unforeseen event.",
            "In the last round, the pairings of the first %(n)s boards may change after an "
            "unforeseen event.",
            tournament.top_boards,
        )
        yield (
            f"{sentence % {'n': tournament.top_boards}} [{rules.situations[Situation.TOP_BOARDS]}]"
        )


def _tie_breaks(tournament: Tournament) -> Section:
    heading = _("Tie-breaks")
    shared = _(
        "Players who are equal in everything share the rank, unless lots are drawn. [C.07 4.2]"
    )
    try:
        codes = codes_of(tournament.tie_breaks, tournament.tie_break_edition)
    except InputError:
        codes = ()
    if not codes:
        return Section(
            heading,
            (_("Players with equal points share the rank, unless lots are drawn. [C.07 4.2]"),),
        )
    edition = tournament.get_tie_break_edition_display()
    first = _(
        "Players with equal points are ranked by these tie-breaks, in this order (%(edition)s):"
    ) % {"edition": edition}
    items = tuple(
        _("%(name)s (%(code)s, Article %(article)s): %(sentence)s")
        % {
            "name": tie_break_name(str(code)),
            "code": code,
            "article": code.tie_break.article,
            "sentence": tie_break_sentence(str(code)),
        }
        for code in codes
    )
    return Section(heading, (shared, first), items)
