"""Mark the players whose name alone does not say who they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.utils.translation import gettext as _

from pairing.rules.names import fold, namesakes
from tournaments.models import Entry


def mark_namesakes(entries: Iterable[Entry]) -> None:
    """Set ``is_namesake`` of *entries*, which are all players of one tournament or of several.

    No query.
    """
    by_tournament: defaultdict[int, dict[Entry, str]] = defaultdict(dict)
    for entry in entries:
        by_tournament[entry.tournament_id][entry] = entry.name
    for names in by_tournament.values():
        shared = namesakes(names)
        for entry in names:
            entry.is_namesake = entry in shared


def disambiguate(entries: Iterable[Entry], *, is_public: bool = False) -> None:
    """Set ``apart`` of *entries*, of one tournament or several: what tells namesakes apart.

    This is the number, and as many of year of birth, rating, club, federation and FIDE ID as are
    needed; players whose data are all the same are counted in the order of their entry. Empty for a
    name that only one player has. With *is_public* for the names and data that everybody reads. No
    query.
    """
    groups: defaultdict[tuple[int, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        name = entry.name if is_public else entry.real_name
        groups[entry.tournament_id, fold(name)].append(entry)
        entry.apart = ""
    for group in groups.values():
        if len(group) > 1:
            _disambiguate(sorted(group, key=lambda entry: entry.pk), is_public=is_public)


def apart_of(entry: Entry) -> str:
    """Return what tells *entry* apart from namesakes, for arbiters, or empty. One query."""
    everybody = {each.pk: each for each in Entry.objects.filter(tournament=entry.tournament_id)}
    disambiguate(everybody.values())
    return everybody[entry.pk].apart if entry.pk in everybody else ""


def facts_of(entry: Entry) -> str:
    """Return what is known of *entry*, for arbiters.

    These are number, year of birth, rating, club, federation and FIDE ID.
    """
    words = [_("No. %(n)d") % {"n": entry.tpn}] if entry.tpn else []
    return ", ".join([*words, *filter(None, _facts(entry, is_public=False))])


def _disambiguate(group: list[Entry], *, is_public: bool) -> None:
    facts = [_facts(entry, is_public=is_public) for entry in group]
    columns = [column for column in zip(*facts, strict=True) if len(set(column)) > 1]
    needed = next(
        (n for n in range(1, len(columns) + 1) if _are_different(columns[:n])), len(columns)
    )
    are_different = bool(columns) and _are_different(columns[:needed])
    for place, entry in enumerate(group):
        words = [_("No. %(n)d") % {"n": entry.tpn}] if entry.tpn else []
        words += [column[place] for column in columns[:needed] if column[place]]
        if not entry.tpn and not are_different:
            words.append(
                _("%(n)d of %(count)d with this name") % {"n": place + 1, "count": len(group)}
            )
        entry.apart = ", ".join(words)


def _are_different(columns: list[tuple[str, ...]]) -> bool:
    rows = list(zip(*columns, strict=True))
    return len(set(rows)) == len(rows)


def _facts(entry: Entry, *, is_public: bool) -> tuple[str, ...]:
    year = entry.birth_date[:4].strip("0")
    fide_id = entry.public_fide_id if is_public else entry.fide_id
    return (
        _("born %(year)s") % {"year": entry.birth_date[:4]} if year and not is_public else "",
        _("rating %(rating)d") % {"rating": entry.rating} if entry.rating else "",
        entry.club,
        entry.federation,
        _("FIDE ID %(number)d") % {"number": fide_id} if fide_id else "",
    )
