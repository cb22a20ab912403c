"""Words and addresses for the check of a report before it is sent."""

from __future__ import annotations

from typing import Final

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext

from pairing.ratings.rated_games import NotRated
from pairing.rules.report_checks import Check, Finding, Severity, Subject, Topic
from pairing.rules.report_profiles import Profile
from tournaments.models import ReportProfile
from tournaments.web.templatetags.fide_ratings import reason_words

from .numbers import colon

register = template.Library()

WORDS: Final[dict[str, Promise]] = {
    "no_first_day": _("The first day is missing"),
    "no_last_day": _("The last day is missing"),
    "no_place": _("The place is missing"),
    "no_host": _("The federation of the event is missing"),
    "unknown_host": _("The federation of the event is none of FIDE"),
    "no_event_code": _("The FIDE event number is missing"),
    "no_organiser": _("The organiser is missing"),
    "no_time_control": _("The time control is missing, or cannot be written as record 222"),
    "other_rate": _("The time control does not belong to the rate of play"),
    "no_day": _("Rounds without a day"),
    "other_day": _("Rounds before the first day or after the last"),
    "no_chief": _("The Chief Arbiter is missing"),
    "chief_without_id": _("The Chief Arbiter has no FIDE ID"),
    "chief_without_title": _("The Chief Arbiter has no arbiter’s title"),
    "deputy_without_id": _("Deputy arbiters without FIDE ID"),
    "no_players": _("There are no players"),
    "no_fide_id": _("Players without FIDE ID"),
    "foreigner_without_id": _("Players of other federations without FIDE ID"),
    "no_national_id": _("Players without national ID"),
    "no_federation": _("Players without federation"),
    "unknown_federation": _("Players whose federation is none of FIDE"),
    "womens_title": _("Men with a women’s title"),
    "no_sex": _("Players whose sex is not given"),
    "no_birth": _("Players without date of birth"),
    "short_name": _("Players without FIDE ID and without a full first name"),
    "not_in_list": _("Players whose FIDE ID is not in the rating list"),
    "other_name": _("Names unlike the rating list"),
    "other_rating": _("Ratings unlike the rating list"),
    "not_over": _("Rounds without published results"),
    "no_result": _("Games without a result"),
    "forfeit": _("Forfeits without an explanation or a withdrawal"),
    "unrated": _("Games that are not rated by FIDE"),
    "protest": _("Protests without a decision"),
    "not_final": _("The standings are not final"),
}
"""By the code of the check."""
TOPICS: Final = {
    Topic.EVENT: _("Event"),
    Topic.ARBITERS: _("Arbiters"),
    Topic.PLAYERS: _("Players"),
    Topic.GAMES: _("Games"),
}
OF_A_PLAYER, OF_A_ROUND, OF_A_PROTEST = "entry-edit", "round", "protests"


@register.filter
def check_words(check: Check) -> str:
    """Return what a check has found."""
    return str(WORDS[check.code])


@register.filter
def severity_words(severity: Severity) -> str:
    """Return whether a fault must be corrected."""
    return str(_("to correct") if severity is Severity.ERROR else _("to check"))


@register.filter
def topic_words(topic: Topic) -> str:
    """Return the heading of a part of the page."""
    return str(TOPICS[topic])


@register.filter
def subject_words(subject: Subject, check: Check) -> str:
    """Return the player, round, game or reason; empty if the check is about one thing alone."""
    if check.code == "unrated":
        return f"{reason_words(NotRated(subject.text))}{colon()} {subject.key}"
    if subject.text:
        return subject.text
    return "" if subject.key is None else str(_("Round %(n)s") % {"n": subject.key})


@register.simple_tag
def correction_url(check: Check, slug: str, subject: Subject | None = None) -> str:
    """Return the address of the field where a fault of the tournament *slug* is corrected."""
    arguments: list[object] = [slug]
    name = check.page
    if name in (OF_A_PLAYER, OF_A_ROUND):
        if subject is None or subject.key is None:
            return ""
        arguments.append(subject.key)
    elif name == OF_A_PROTEST and subject is not None and subject.key is not None:
        name, arguments = "protest", [slug, subject.key]
    return reverse(name, args=arguments) + (f"#id_{check.field}" if check.field else "")


@register.filter
def has_own_pages(check: Check) -> bool:
    """Return whether each player, round or game of a check is corrected on a page of its own."""
    return check.page in (OF_A_PLAYER, OF_A_ROUND, OF_A_PROTEST)


@register.filter
def profile_words(profile: Profile) -> str:
    """Return the name of the federation of a profile."""
    return str(ReportProfile(profile.code).label)


@register.filter
def findings_words(findings: tuple[Finding, ...]) -> str:
    """Return how many checks found something, errors first."""
    errors = sum(each.is_error for each in findings)
    warnings = len(findings) - errors
    parts = []
    if errors:
        parts.append(
            ngettext("%(n)s thing to correct", "%(n)s things to correct", errors) % {"n": errors}
        )
    if warnings:
        parts.append(
            ngettext("%(n)s thing to check", "%(n)s things to check", warnings) % {"n": warnings}
        )
    return " · ".join(parts)
