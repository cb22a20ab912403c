"""Template tags for pairings changed or made by hand, as the record keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Decision
from tournaments.models.payload_round_data import BrokenRule, ChangedPlaces, Places, ViewedDraft
from tournaments.models.payloads import (
    ActionUndone,
    PairingsPublished,
    RoundArranged,
    RoundChanged,
    RoundDiscarded,
    RoundPaired,
    RoundPairedByHand,
)
from tournaments.web.templatetags.decisions import caution_label
from tournaments.web.templatetags.numbers import colon, moment
from tournaments.web.templatetags.results import boards

register = template.Library()


@register.simple_tag
def change_details(decision: Decision) -> list[str]:
    """Return details of pairing actions for arbiters.

    These are boards, reasons, consents, warnings and viewers.
    """
    match decision.payload:
        case RoundChanged(before=left, after=taken):
            return [*_changed(left, taken), *_warnings(taken["cautions"])]
        case (
            RoundDiscarded(after=ended) | PairingsPublished(after=ended) | RoundPaired(after=ended)
        ):
            return list(_viewers(ended))
        case ActionUndone(after=undone):
            return list(_viewers(undone))
        case RoundArranged(after=arranged):
            return [_numbers(_("boards"), arranged["changed"]), *_warnings(arranged["cautions"])]
        case RoundPairedByHand(after=by_hand):
            return [*_viewers(by_hand), *_warnings(by_hand["cautions"])]
        case _:
            return []


def _changed(left: Places, taken: ChangedPlaces) -> Iterator[str]:
    yield _numbers(_("changed boards"), sorted(map(int, {*left["boards"], *taken["boards"]})))
    for consent in taken["consents"]:
        given = {**consent, "at": moment(timezone.localtime(datetime.fromisoformat(consent["at"])))}
        yield _("%(name)s agreed on %(at)s; witness: %(witness)s") % given
    if concerned := taken.get("concerned"):
        yield _numbers(_("boards concerned"), concerned)
    if further := taken.get("further"):
        yield _("reason for the further changes") + f"{colon()} {further}"
    if exception := taken.get("exception"):
        yield _("reason for the broken colour rule") + f"{colon()} {exception}"
    if started := taken.get("started"):
        yield _numbers(
            _("announced start passed, stopping of the games confirmed, boards"), started
        )


def _viewers(ended: ViewedDraft) -> Iterator[str]:
    if names := ended.get("viewed_by"):
        yield _("draft viewed by") + f"{colon()} {', '.join(names)}"


def _numbers(what: str, numbers: Iterable[int]) -> str:
    return f"{what}{colon()} {boards(tuple(numbers)) or '–'}"


def _warnings(broken: Iterable[BrokenRule]) -> Iterator[str]:
    for rule in broken:
        article = f" [{rule['article']}]" if rule["article"] else ""
        names = " – ".join(rule["names"])
        yield _("warning") + f"{colon()} {names}, {caution_label(rule['code'])}{article}"
