"""Template filters for decisions: actions, situations, cautions and articles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Protocol

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from pairing.rounds.change_page import CheckedSituation
from pairing.rules.fide_mode import BASIC_RULES
from pairing.rules.names import as_shown
from pairing.rules.powers import BY_THE_CONSOLE, NEW_ADDRESS, TAKEN_OVER, WITH_A_LINK
from tournaments.core.moments import duration
from tournaments.models import Decision, RatingSource, Role
from tournaments.models.decision import action_name
from tournaments.models.payload_round_data import BoardResult, OpenPoints, Punctuality, TwoReadings
from tournaments.models.payloads import (
    AbsenceExplained,
    AccessRenewed,
    ActionUndone,
    AnnouncementWithdrawn,
    AppealDecided,
    ChiefHandedOver,
    ColoursCorrected,
    CorrectionApplied,
    EntryAdded,
    EntryExpelled,
    EntryRatingChanged,
    EntryRemoved,
    EntryReturned,
    EntryUpdated,
    EntryWithdrawn,
    EqualsRanked,
    PairingsPublished,
    PasswordSet,
    PersonAppointed,
    PersonRemoved,
    PointsAdjusted,
    PointsWithdrawn,
    ProtestAppealed,
    ProtestDecided,
    ProtestLodged,
    RatingCorrected,
    ReadingDecided,
    ResultConfirmed,
    ResultCorrected,
    ResultRead,
    ResultRecorded,
    ResultsPublished,
    ResultUndone,
    RoundsChanged,
    SectionSet,
    StandingsReopened,
    TieBreaksChanged,
)
from tournaments.reports.publications import is_correction
from tournaments.web.templatetags.numbers import colon, moment, signed_points
from tournaments.web.templatetags.results import boards, game_name, result_short

register = template.Library()


class BrokenCode(Protocol):
    """A rule that a board breaks, by its code."""

    @property
    def code(self) -> str: ...


_SITUATIONS = {
    "4.4.1": _("Two players have met before"),
    "4.4.2": _("The regulations allow it"),
    "4.4.3": _("Two players without an opponent agree"),
    "4.4.4": _("A late entry is admitted with the smallest change, and all players involved agree"),
    "4.4.5": _("An unforeseen event affects the top boards of the last round"),
    "absolute": _("A published board, or the bye, breaks an absolute criterion"),
    "correction": _("A correction counts for this round, which is not played yet"),
}


_SITUATIONS_MISSING = {
    "4.4.1": _("No players in this round have met before."),
    "4.4.2": _("No such regulation was entered before round 1."),
    "4.4.3": _(
        "There are no two players without an opponent: enter forfeits and bring players back first."
    ),
    "4.4.4": _("No late entry has arrived: first enter the player, or mark the player as arrived."),
    "4.4.5": _("This is not the last round, or no top boards were announced."),
    "absolute": _("No board of this round breaks an absolute criterion."),
    "correction": _(
        "No correction since the publication of the pairings changes them, or the round is being played."
    ),
}


_NO_PROPOSALS = {
    "4.4.3": _(
        "No two of these players can play each other: they have met before, or are more than one "
        "win apart, or the regulations prohibit the pair."
    ),
    "4.4.4": _(
        "No change of these boards gives the late entry a place. Choose other boards, or change them below."
    ),
}


_CAUTIONS = {
    "met_before": _("they have already played each other"),
    "prohibited": _("the regulations prohibit this pair"),
    "third_colour": _("the same colour three times in a row"),
    "colour_difference": _("a colour difference of more than two"),
    "both_colours": _("both players prefer the other colour"),
    "second_bye": _("already had the bye or a win without playing"),
}


@register.filter
def situation_label(situation: str) -> str:
    """Return the situation of a pairing change."""
    return str(_SITUATIONS[situation])


@register.filter
def situation_missing(situation: str) -> str:
    """Return why a situation does not apply now."""
    return str(_SITUATIONS_MISSING[situation])


@register.filter
def no_proposal(checked: CheckedSituation) -> str:
    """Return why the program proposes no change of these boards and players [C.04.2/2026 4.4]."""
    situation = checked.situation.value
    if not checked.holds:
        return situation_missing(situation)
    generic = _(
        "No change of these boards alone is enough. Choose other boards, or change them below."
    )
    return str(_NO_PROPOSALS.get(situation, generic))


@register.filter
def caution_label(code: str) -> str:
    """Return the rule that a board paired by hand would break."""
    return str(_CAUTIONS[code])


@register.simple_tag
def basic_rules(broken: Iterable[BrokenCode]) -> str:
    """Return the basic rules among those of boards arranged by hand, each once, if any."""
    codes = dict.fromkeys(line.code for line in broken if line.code in BASIC_RULES)
    return ", ".join(map(caution_label, codes))


@register.simple_tag
def broken_basic_rules(publication: Decision) -> str:
    """Return the basic rules that the published pairings break, for everybody."""
    match publication.payload:
        case PairingsPublished(after=published):
            codes = published.get("open_points", {}).get("broken", [])
            return ", ".join(caution_label(code) for code in codes if code in BASIC_RULES)
    return ""


@register.simple_tag
def action_label(code: str) -> str:
    """Return the name of an action of the record."""
    return action_name(code)


@register.simple_tag
def changed_at(decision: Decision) -> str:
    """Return when published standings changed, and that they were corrected if they were."""
    at = moment(decision.at)
    return gettext("Corrected %(at)s") % {"at": at} if is_correction(decision) else at


@register.simple_tag
def action_detail(decision: Decision) -> SafeString | str:
    """Return the details of an action for arbiters; never shown to visitors."""
    payload = decision.payload
    name = payload.name
    match payload:
        case ChiefHandedOver() | PasswordSet():
            return ""
        case ActionUndone(after=undone):
            return format_html(
                '{} <span class="muted">{}</span>', action_label(undone["action"]), name
            )
        case ColoursCorrected(after=colours):
            name = game_name(colours["board"], None)
        case ResultRecorded() | ResultCorrected() | ResultUndone():
            return format_html(
                '<span class="muted">{}{} {} → {}</span>',
                game_name(payload.after["board"], payload.after.get("game")),
                colon(),
                result_short(payload.before["result"]) or "–",
                result_short(payload.after["result"]) or "–",
            )
        case ResultRead(after=read):
            game = game_name(read["board"], read.get("game"))
            name = f"{game}{colon()} {result_short(read['result']) or '–'}"
            if first := read.get("entered_by"):
                message = gettext("first entered by %(name)s") % {"name": first}
                name = f"{name} ({message})"
        case ReadingDecided(before=two, after=right):
            name = _reading_decided(two, right)
        case ResultConfirmed(after=confirmed):
            name = f"{gettext('board')} {boards(tuple(confirmed['boards']))}"
        case PointsAdjusted(after=points) | PointsWithdrawn(before=points):
            name = f"{name} {signed_points(points['points'])}"
        case PairingsPublished(after=published) if published.get("open_points"):
            name = "; ".join(_open_points(published["open_points"]))
        case ProtestLodged(after=made) | ProtestAppealed(after=made):
            name = f"{made['protest']}. {made['by']}"
        case ProtestDecided(after=ruled) | AppealDecided(after=ruled):
            name = f"{ruled['protest']}"
        case (
            PersonAppointed(after=person)
            | AccessRenewed(after=person)
            | PersonRemoved(before=person)
        ):
            name = f"{name}, {Role(person['role']).label}"
        case EntryAdded(after=entry) if entry.get("rating"):
            name = f"{name}, {_rating(entry['rating'], entry.get('rating_source'))}"
        case EntryUpdated(after=changed) | EntryRatingChanged(after=changed) if changed.get(
            "rating"
        ):
            name = f"{name} {_rating(changed['rating'], changed.get('rating_source'))}".strip()
        case SectionSet(after=section):
            name = f"{section['event']} {section['label']}"
        case AbsenceExplained(after=absence) if absence["explanation"]:
            name = f"{name}{colon()} {absence['explanation']}"
    return format_html('<span class="muted">{}</span>', name) if name else ""


@register.simple_tag
def action_note(decision: Decision, *, detailed: bool = False) -> SafeString | str:
    """Return the text beside an action of the record for everybody; empty for most.

    *detailed*: beside its detail.
    """
    match decision.payload:
        case PointsAdjusted() | PointsWithdrawn():
            detail = "" if detailed else action_detail(decision)
            return format_html('{} <span class="muted">({})</span>', detail, decision.reason)
        case StandingsReopened() | EqualsRanked() | AnnouncementWithdrawn():
            return format_html('<span class="muted">({})</span>', decision.reason)
        case PairingsPublished(after=pairings):
            return _punctuality(pairings, decision.actor_name if detailed else "")
        case ResultsPublished(after=results):
            return _punctuality(results, decision.actor_name if detailed else "")
        case _:
            return declared_change(decision)


@register.simple_tag
def corrected_board(decision: Decision) -> SafeString | str:
    """Return round and board of a corrected result or of corrected colours,
    with the old and new result; else empty.

    Everybody may know it: it is in the record in the clear.
    """
    match decision.payload:
        case (
            ResultRecorded()
            | ResultCorrected()
            | ResultUndone()
            | ColoursCorrected()
            | CorrectionApplied() as payload
        ):
            before, after = dict[str, Any](payload.before), dict[str, Any](payload.after)
        case _:
            return ""
    if "board" not in after:
        return ""
    place = gettext("round %(n)s, board %(board)s") % {
        "n": decision.round_number,
        "board": after["board"],
    }
    if game := after.get("game"):
        place = f"{place}, {gettext('game %(n)s') % {'n': game}}"
    if "result" not in after:
        return format_html('<span class="muted">{}</span>', place)
    old, new = result_short(before.get("result", "")) or "–", result_short(after["result"]) or "–"
    return format_html('<span class="muted">{}{} {} → {}</span>', place, colon(), old, new)


@register.simple_tag
def declared_change(decision: Decision) -> SafeString | str:
    """Return old and new of something that was declared before the start, with the reason;
    empty for other actions.
    """
    match decision.payload:
        case ChiefHandedOver(before=old_chief, after=new_chief):
            return _declared(old_chief["name"], new_chief["name"], reason_text(decision.reason))
        case PasswordSet(after=person):
            lines = [person["name"], str(Role(person["role"]).label), reason_text(decision.reason)]
            return format_html('<span class="muted">{}</span>', ", ".join(filter(None, lines)))
        case TieBreaksChanged(before=old, after=new):
            return _declared(old["tie_breaks"], new["tie_breaks"], decision.reason)
        case RoundsChanged(before=old_rounds, after=new_rounds):
            return _declared(
                old_rounds["total_rounds"], new_rounds["total_rounds"], decision.reason
            )
        case _:
            return ""


@register.simple_tag
def public_detail(decision: Decision, names: Mapping[int, str]) -> SafeString | str:
    """Return the details of an action for visitors: what their record has in the clear.

    *names* are those of today, by entry: players who chose initials since are shown with them.
    Names of people with a role are private, and so is everything about the check-in
    (:mod:`pairing.record.private`).
    """
    payload = decision.payload
    match payload:
        case ResultRecorded() | ResultCorrected() | ResultUndone():
            return action_detail(decision)
        case (
            PersonAppointed(after=person)
            | AccessRenewed(after=person)
            | PersonRemoved(before=person)
        ):
            return format_html('<span class="muted">{}</span>', Role(person["role"]).label)
        case ColoursCorrected(after=colours):
            return format_html('<span class="muted">{}</span>', game_name(colours["board"], None))
        case (
            EntryAdded() | EntryUpdated() | EntryRatingChanged() | EntryRemoved() | EntryWithdrawn() | EntryExpelled()
            | EntryReturned() | RatingCorrected()
        ):  # fmt: skip
            entry = payload.after.get("entry") or payload.before.get("entry")
            shown = as_shown(payload.name, names.get(entry, "") if isinstance(entry, int) else "")
            return format_html('<span class="muted">{}</span>', shown) if shown else ""
        case _:
            return ""


def _rating(rating: int, source: str | None) -> str:
    """Return a rating with its source, if a line of the record says which one counts."""
    message = gettext("rating %(rating)s") % {"rating": rating}
    return f"{message} ({RatingSource(source).label})" if source else message


_REASONS: Final = {
    BY_THE_CONSOLE: _("by the console of the server"),
    WITH_A_LINK: _("a new password, set with a link"),
    NEW_ADDRESS: _("another e-mail address, to which links for a new password are sent"),
    TAKEN_OVER: _("a link and a PIN, made when the event was taken over"),
}
"""The reasons that the program itself writes into a record."""


@register.filter
def reason_text(reason: str) -> str:
    """Return a reason as given, or the program's own words in the reader's language."""
    return str(_REASONS.get(reason, reason))


def _reading_decided(two: TwoReadings, right: BoardResult) -> str:
    """Return the board, the two readings with their arbiters, and the result that was right."""
    game = game_name(right["board"], right.get("game"))
    given = (
        f"{two['entered_by']} {result_short(two['result'])}, {two['read_by']} "
        f"{result_short(two['reading'])}"
    )
    return f"{game}{colon()} {given} → {result_short(right['result'])}"


def _open_points(points: OpenPoints) -> Iterator[str]:
    """Yield what was open when pairings were published, one text for each point."""
    if minutes := points.get("minutes_left"):
        yield gettext("mistakes could still be reported for %(time)s") % {"time": duration(minutes)}
    if late := points.get("not_arrived"):
        yield gettext("late entries who had not arrived: %(names)s") % {"names": ", ".join(late)}
    if numbers := points.get("otherwise"):
        yield gettext("boards that differ from the engine’s pairing: %(boards)s") % {
            "boards": boards(tuple(numbers))
        }
    if codes := points.get("broken"):
        yield gettext("rules broken by hand: %(rules)s") % {
            "rules": ", ".join(map(caution_label, codes))
        }
    if games := points.get("adjourned"):
        yield gettext("adjourned games: %(games)s") % {"games": ", ".join(games)}
    if points.get("bye_not_seen"):
        yield gettext("the player with the bye was not checked in")


def _declared(before: str | int, after: str | int, reason: str) -> SafeString:
    """Return the change of something that was declared before the start, with its *reason*."""
    why = f"{colon()} {reason}" if reason else ""
    return format_html('<span class="muted">{} → {}{}</span>', before or "–", after or "–", why)


def _punctuality(published: Punctuality, name: str) -> SafeString | str:
    """Return whether something was published on time, and by whom if
    nobody pressed the button [C.04.2/2026 4.2].

    *name* is the arbiter who set that; empty for visitors.
    """
    lines = []
    if (minutes := published.get("minutes_late")) is not None:
        if minutes == 0:
            lines.append(gettext("on time"))
        elif minutes > 0:
            lines.append(gettext("%(time)s late") % {"time": duration(minutes)})
        else:
            lines.append(gettext("%(time)s early") % {"time": duration(-minutes)})
    if published.get("automatically") and name:
        lines.append(gettext("automatically, as set by %(name)s") % {"name": name})
    elif published.get("automatically"):
        lines.append(gettext("automatically"))
    return format_html('<span class="muted">{}</span>', ", ".join(lines)) if lines else ""
