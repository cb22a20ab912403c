"""The lists that can be printed: one row each on the page *Print & share*, one template each.

A list shows what everybody may see: no draft, and no results before their publication. The slips,
the check-in list, the list of signatures and the receipts are for arbiters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from pairing.rounds.round_page import RoundPage
from pairing.rounds.table_codes import codes_of, number_of_tables
from pairing.rules.arbiters import Arbiter
from tournaments.core.frame import Frame
from tournaments.core.permissions import Power
from tournaments.core.public_address import printed_address
from tournaments.core.qr_codes import qr_path
from tournaments.core.short_address import short_code
from tournaments.entries.check_in_list import check_in_list
from tournaments.entries.entry_list import entry_list, starting_order
from tournaments.events.event_page import sections_of
from tournaments.events.registration.opening import is_offered
from tournaments.models import Round, Tournament
from tournaments.reports.arbiters_norms import candidates, section_facts
from tournaments.reports.fide_sheets import EventSheet, event_sheet, title_lines
from tournaments.reports.norms import certificates
from tournaments.reports.publications import publications_of, standings_record, version_of
from tournaments.reports.record_page import newest_row
from tournaments.reports.round_codes import CodeLine, code_lines, signed_code
from tournaments.standings.crosstable import crosstable
from tournaments.standings.further_columns import USUAL, Column
from tournaments.standings.prize_payees import payees
from tournaments.standings.prizes import prize_list
from tournaments.standings.ranked_field import round_for
from tournaments.standings.rating_facts import encoded_time_control
from tournaments.standings.standings import standings
from tournaments.web.printing.columns import cells_of
from tournaments.web.printing.slips import SLIPS, slips_of
from tournaments.web.reports.event_report import report_context
from tournaments.web.setup.regulations_text import regulations_of
from tournaments.web.standings.certificates import certificates_of

MOST_CODES: Final = 2
"""The most codes of a round below its boards."""
LEADERS: Final = 5
"""The players of the standings in the report of one page."""
Content = dict[str, Any]
"""What the template of a list needs."""


@dataclass(frozen=True, slots=True)
class Source:
    """A tournament as visitors see it, the round of its lists, the words of a notice, and the
    chosen columns of standings and crosstable.
    """

    tournament: Tournament
    frame: Frame
    number: int
    notice: str = ""
    columns: tuple[Column, ...] = USUAL

    @property
    def pairings_of(self) -> int:
        """The round whose pairings are printed; 0 before the first is published."""
        return min(self.number, self.frame.latest_published or 0)

    @property
    def results_after(self) -> int:
        """The round after which standings are printed; 0 before the first results."""
        return min(self.number, self.frame.latest_results)


@dataclass(frozen=True, slots=True)
class Kind:
    """A list: its ``name`` in addresses, its label, and the content of its template.

    ``round_of`` is the round of the list, 0 if it cannot be printed yet; None for a list that
    belongs to no round. ``has_columns``: its columns can be chosen.
    """

    name: str
    label: Promise
    content: Callable[[Source], Content]
    round_of: Callable[[Source], int] | None = None
    power: Power = Power.READ
    csv: Callable[[Source], str] | None = None
    has_text: bool = True
    can_be_large: bool = True
    has_columns: bool = False
    is_listed: bool = True
    """Whether it has a row on the page: a notice has a form instead."""
    of_event: Callable[[Sequence[Source]], Content] | None = None
    """The content for several sections together; None: each section has its own."""

    @property
    def template(self) -> str:
        return f"printing/_{self.name.replace('-', '_')}.html"

    @property
    def text_template(self) -> str:
        return f"printing/text/{self.name}.txt"

    def is_there(self, source: Source) -> bool:
        """Return whether there is something to print."""
        return self.round_of is None or self.round_of(source) > 0

    def address(self, source: Source, more: dict[str, Any] | None = None) -> str:
        """Return the address of its sheets with the round, if it has one, and *more* in the query."""
        number = self.round_of(source) if self.round_of else None
        query: dict[str, Any] = {"list": self.name} | ({"round": number} if number else {})
        address = reverse("sheets", args=[source.tournament.slug])
        return f"{address}?{urlencode(query | (more or {}), doseq=True)}"


def _pairings(source: Source) -> Content:
    number = source.pairings_of
    row = Round.objects.get(tournament=source.tournament, number=number)
    publications = publications_of(source.tournament, number)
    return {
        "page": round_for(source.frame, row),
        "publication": publications[-1] if publications else None,
        "version": version_of(publications),
    }


def _by_board(source: Source) -> Content:
    found = _pairings(source)
    return found | {"codes": list(_codes(source, found["page"]))}


def _codes(
    source: Source, page: RoundPage, most: int = MOST_CODES
) -> Iterator[tuple[int, str, CodeLine]]:
    """Return the codes of the round with their boards, if phones can open the address.

    More than *most* do not fit below the boards: they are posters.
    """
    address = printed_address(reverse("offline", args=[source.tournament.slug]))
    lines = code_lines(page)
    if address is None or len(lines) > most:
        return
    for line in lines:
        modules, path = qr_path(f"{address}#", signed_code(source.frame, page, line.part))
        yield modules, path, line


def _by_name(source: Source) -> Content:
    found = _pairings(source)
    return found | {"lines": found["page"].by_name()}


def _slips(source: Source) -> Content:
    found = _pairings(source)
    codes = codes_of(source.tournament)
    return found | {
        "piles": slips_of(source.tournament, codes, found["page"]),
        "takes_reports": codes.takes_reports,
    }


def _blank_slips(source: Source) -> Content:
    return {"slips": range(SLIPS)}


def _standings(source: Source) -> Content:
    after = source.results_after
    record = standings_record(source.tournament, after)
    ranked = standings(source.frame, after_round=after)
    cells = cells_of(source.columns, source.frame, after)
    return {
        "standings": ranked,
        "lines": [(line, cells(line.tpn)) for line in ranked.lines],
        "chosen": source.columns,
        "width": 3 + len(source.columns) + len(ranked.columns),
        "after": after,
        "is_final": after == len(source.frame.rounds),
        "publication": record.corrected or record.publication,
    }


def _crosstable(source: Source) -> Content:
    after = source.results_after
    record = standings_record(source.tournament, after)
    ranked = standings(source.frame, after_round=after)
    values = {line.entry_id: line.values for line in ranked.lines}
    table = crosstable(source.frame, after_round=after)
    cells = cells_of(source.columns, source.frame, after)
    return {
        "lines": [(line, values.get(line.entry_id, ()), cells(line.tpn)) for line in table.lines],
        "columns": ranked.columns,
        "chosen": source.columns,
        "width": 4 + len(source.columns) + after + len(ranked.columns),
        "after": after,
        "rounds": range(1, after + 1),
        "publication": record.corrected or record.publication,
    }


def _start_list(source: Source) -> Content:
    return {
        "lines": starting_order(entry_list(source.tournament).lines),
        "publication": newest_row(source.frame),
    }


def _wall_chart(source: Source) -> Content:
    rounds = range(1, len(source.frame.rounds) + 1)
    return _start_list(source) | {"rounds": rounds, "width": 4 + len(rounds)}


def _table_numbers(source: Source) -> Content:
    return {"numbers": range(1, number_of_tables(source.tournament) + 1)}


def _notice(source: Source) -> Content:
    return {"notice": source.notice}


def _check_in(source: Source) -> Content:
    return {"listed": check_in_list(source.tournament)}


def _prizes(source: Source) -> Content:
    shown = prize_list(source.frame)
    record = standings_record(source.tournament, shown.after_round)
    return {
        "prizes": shown,
        "publication": (record.corrected or record.publication) if shown.is_handed_out else None,
    }


def _payees(source: Source) -> Content:
    found = _prizes(source)
    listed = payees(found["prizes"])
    return found | {"payees": listed, "total": sum(payee.amount for payee in listed)}


def _report(source: Source) -> Content:
    after = source.results_after
    ranked = standings(source.frame, after_round=after).lines if after else ()
    return report_context(source.frame) | {
        "leaders": ranked[:LEADERS],
        "is_final": source.frame.is_over,
        "publication": newest_row(source.frame),
    }


def _certificates(source: Source) -> Content:
    return certificates_of(source.frame)


def _schedule(source: Source) -> Content:
    rows = Round.objects.filter(tournament=source.tournament).order_by("number")
    return {"rows": rows.only("number", "starts_at", "results_due_at")}


def _regulations(source: Source) -> Content:
    return {"sections": regulations_of(source.tournament)}


def _posters(source: Source) -> Content:
    slug = source.tournament.slug
    posters = [
        _poster(
            _("My board"), _("Where do I play, and against whom?"), _my_board(source.tournament)
        )
    ]
    if is_offered(source.tournament):
        register = reverse("register", args=[slug])
        posters.append(_poster(_("Registration"), _("Register for the tournament."), register))
    return {"posters": posters} | (_round_posters(source) if source.pairings_of else {})


def _round_posters(source: Source) -> Content:
    """Return the codes with all pairings of the round."""
    page = _pairings(source)["page"]
    return {"page": page, "codes": list(_codes(source, page, len(page.boards)))}


def _my_board(tournament: Tournament) -> str:
    """Return the address of *My board*; in an event of *Me*, which finds each player's section."""
    is_section = hasattr(tournament, "section")
    return reverse("short-address", args=[short_code(tournament, whole_event=is_section)])


def _poster(title: Promise, sentence: Promise, path: str) -> Content:
    address = printed_address(path)
    return {
        "title": title,
        "sentence": sentence,
        "address": address and address.partition("//")[2],
        "code": address and qr_path(address),
    }


def _of_event(source: Source) -> Content:
    after = source.results_after
    record = standings_record(source.tournament, after) if after else None
    return {
        "sheet": event_sheet(source.frame, after),
        "after": after,
        "time_code": encoded_time_control(source.tournament),
        "publication": record and (record.corrected or record.publication),
    }


def _it1(source: Source) -> Content:
    found = _of_event(source)
    return found | {"certificates": certificates(found["sheet"].facts)}


def _it3(source: Source) -> Content:
    found = _it1(source)
    sheet: EventSheet = found["sheet"]
    chief = [(_("Chief arbiter"), sheet.chief)] if sheet.chief else []
    return found | {
        "roles": [
            *chief,
            *(
                (_role_of_deputy(arbiter, place), arbiter)
                for place, arbiter in enumerate(sheet.deputies)
            ),
        ]
    }


def _it4(source: Source) -> Content:
    lines = title_lines(source.frame, source.results_after)
    has_claims = any(line.claimed for line in lines)
    return _of_event(source) | {"title_lines": lines, "has_claims": has_claims}


def _arbiters_norms(titles: Collection[str]) -> Callable[[Sequence[Source]], Content]:
    """Return the content of the sheets of all arbiters with one of the *titles*, for sections."""

    def content(sources: Sequence[Source]) -> Content:
        sections = [section_facts(each.frame, each.results_after) for each in sources]
        found: Content = {"candidates": candidates(sections, titles), "sections": sections}
        section = getattr(sections[0].tournament, "section", None)
        if section is None:
            return _of_event(sources[0]) | found
        event, there = section.event, {each.tournament.pk for each in sections}
        found["left_out"] = [
            each.label for each in sections_of(event) if each.tournament_id not in there
        ]
        if len(sources) == 1:
            return _of_event(sources[0]) | found
        # The sheet has several records, and the short address is that of one section.
        return found | {"event": event, "heading": event.name, "frame": None}

    return content


def _of_one(of_event: Callable[[Sequence[Source]], Content]) -> Callable[[Source], Content]:
    """Return the content for one section of what *of_event* makes for several."""
    return lambda source: of_event((source,))


def _role_of_deputy(arbiter: Arbiter, place: int) -> str:
    """Return the role of a deputy in the tournament report, the first at *place* 0."""
    names = (_("1st deputy"), _("2nd deputy"))
    return arbiter.role or str(names[place] if place < len(names) else _("Arbiter"))


def _played(source: Source) -> int:
    return source.pairings_of


def _ranked(source: Source) -> int:
    return source.results_after


def _csv(name: str) -> Callable[[Source], str]:
    return lambda source: reverse(f"api:{name}-csv", args=[source.tournament.slug])


def _pairings_csv(source: Source) -> str:
    return reverse("api:pairings-csv", args=[source.tournament.slug, source.pairings_of])


def _csv_after(name: str) -> Callable[[Source], str]:
    """Return the address of a file that is about the results after the round of *source*."""
    return lambda source: f"{_csv(name)(source)}?after_round={source.results_after}"


_FOR_FIDE: Final = tuple(
    Kind(name, label, content, csv=_csv(csv) if csv else None, has_text=False, can_be_large=False)
    for name, label, content, csv in (
        ("it1", _("Certificates of norms (IT1)"), _it1, "norms"),
        ("it3", _("Tournament report (IT3)"), _it3, ""),
        ("it4", _("List of titles (IT4)"), _it4, "titles"),
    )
) + tuple(
    Kind(name, label, _of_one(many), has_text=False, can_be_large=False, of_event=many)
    for name, label, many in (
        ("fa1", _("Reports of arbiters’ norms (FA1)"), _arbiters_norms({"", "NA"})),
        ("ia1", _("Reports of arbiters’ norms (IA1)"), _arbiters_norms({"FA"})),
    )
)
_OF_ENTRIES: Final = tuple(
    Kind(name, label, content, csv=_csv("entries"), has_text=False, can_be_large=False)
    for name, label, content in (
        ("wall-chart", _("Blank wall chart"), _wall_chart),
        ("place-cards", _("Place cards"), _start_list),
        ("badges", _("Badges"), _start_list),
    )
)
FOR_FIDE: Final = tuple(kind.name for kind in _FOR_FIDE)
"""The names of the sheets for FIDE."""

KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind("boards", _("Pairings by board"), _by_board, _played, csv=_pairings_csv),
        Kind("names", _("Pairings by name"), _by_name, _played, csv=_pairings_csv),
        Kind(
            "slips", _("Result slips"), _slips, _played, csv=_pairings_csv,
            power=Power.RUN, has_text=False, can_be_large=False,
        ),
        Kind(
            "blank-slips", _("Blank result slips"), _blank_slips,
            has_text=False, can_be_large=False,
        ),
        Kind(
            "standings", _("Standings"), _standings, _ranked,
            csv=_csv_after("standings"), has_columns=True,
        ),
        Kind(
            "crosstable", _("Crosstable"), _crosstable, _ranked,
            csv=_csv_after("crosstable"), has_text=False, can_be_large=False, has_columns=True,
        ),
        Kind("start-list", _("Start list"), _start_list, csv=_csv("entries")),
        Kind(
            "check-in", _("Check-in list"), _check_in, csv=_csv("check-in"),
            power=Power.CHECK_IN, has_text=False, can_be_large=False,
        ),
        Kind("prizes", _("Prizes"), _prizes, csv=_csv("prizes")),
        Kind("schedule", _("Schedule"), _schedule, csv=_csv("schedule")),
        Kind("regulations", _("Regulations"), _regulations, can_be_large=False),
        Kind("posters", _("Posters with QR codes"), _posters, has_text=False, can_be_large=False),
        *_OF_ENTRIES,
        Kind(
            "table-numbers", _("Table numbers"), _table_numbers,
            has_text=False, can_be_large=False,
        ),
        Kind(
            "signatures", _("List of signatures"), _payees, csv=_csv("signatures"),
            power=Power.RUN, has_text=False, can_be_large=False,
        ),
        Kind(
            "receipts", _("Receipts of the prizes"), _payees, csv=_csv("signatures"),
            power=Power.RUN, has_text=False, can_be_large=False,
        ),
        Kind(
            "certificates", _("Certificates"), _certificates,
            has_text=False, can_be_large=False,
        ),
        *_FOR_FIDE,
        Kind(
            "report", _("Arbiter’s report, one page"), _report, csv=_csv("event-report"),
            has_text=False, can_be_large=False,
        ),
        Kind(
            "full-report", _("Arbiter’s report, complete"), _report, csv=_csv("event-report"),
            has_text=False, can_be_large=False,
        ),
        Kind(
            "notice", _("Notice"), _notice,
            has_text=False, can_be_large=False, is_listed=False,
        ),
    )
}  # fmt: skip
"""By name, in the order of the page."""
