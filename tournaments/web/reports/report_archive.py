"""The whole report of an event as one archive: files for the federation, sheets and the record.

A file that cannot be made is named in the summary, with the reason. Everything in the archive is
of the newest line of the record, its time too: the same state and language make the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.urls import resolve, reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from pairing.record.report_archive import RECORD, write_archive
from pairing.rules.report_checks import Finding
from pairing.rules.report_profiles import Profile
from pairing.trf.writer import write
from tournaments.core import signing
from tournaments.core.errors import RuleRefused, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.moments import exact
from tournaments.models import Tournament
from tournaments.reports.federation_reports import REPORTS
from tournaments.reports.rating_report import corrected_document, rating_report
from tournaments.reports.record_file import record_file
from tournaments.reports.record_page import newest_row
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.printing.chromium import STYLES
from tournaments.web.printing.kinds import FOR_FIDE, KINDS, Kind, Source
from tournaments.web.printing.sheets import Wanted, as_file, source_of
from tournaments.web.public_page import request_for
from tournaments.web.templatetags.numbers import colon
from tournaments.web.templatetags.report_checks import check_words, severity_words, subject_words

SHEETS: Final = tuple(KINDS[name] for name in (*FOR_FIDE, "full-report"))
"""A sheet of several sections is once in the archive, beside the folders of the sections."""
TABLES: Final = ("standings", "crosstable")
Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Part:
    """A section, or the only tournament of the event (an empty ``label``), with what was found."""

    label: str
    tournament: Tournament
    profile: Profile
    findings: tuple[Finding, ...]


def report_archive(
    request: HtmxHttpRequest, name: str, parts: Sequence[Part], left_out: Sequence[str]
) -> bytes:
    """Return the report of the event *name* with its *parts*; *left_out* is not in it, and why.

    Sheets and sentences are in the active language. About fifty queries a section.
    """
    at = max(_at(part.tournament) for part in parts)
    missing = list(left_out)
    files: Files = {STYLES: Path(str(finders.find(f"css/{STYLES}"))).read_bytes()}
    sources = [source_of(part.tournament, None) for part in parts]
    for kind in (each for each in SHEETS if each.of_event):
        files[f"{kind.name}.html"] = _sheet(request, kind, sources, at, STYLES)
    for part, source in zip(parts, sources, strict=True):
        made, problems = _files_of(request, part, source, at)
        files |= {f"{part.tournament.slug}/{file}": content for file, content in made.items()}
        missing += [_of_part(part, problem) for problem in problems]
    for code in dict.fromkeys(code for part in parts for code in part.profile.files):
        made, problems = _own_files(code, name, parts, at)
        files |= {f"{code}/{file}": content for file, content in made.items()}
        missing += problems
    about = {
        "event": name,
        "program": settings.VERSION,
        "language": translation.get_language() or "",
        "at": at.isoformat(),
        "findings": sum(len(part.findings) for part in parts),
        "left_out": missing,
        "sections": [_about(part) for part in parts],
    }
    lines = _summary(name, parts, missing, sorted(files), at)
    files["summary.txt"] = "".join(f"{line}\r\n" for line in lines).encode()
    return write_archive(files, about, at=at, key=signing.public_key(), sign=signing.sign)


def _summary(
    name: str, parts: Sequence[Part], missing: Sequence[str], files: Sequence[str], at: datetime
) -> Iterator[str]:
    """Yield the lines of the summary for people."""
    yield name
    yield _("Report as recorded on %(at)s") % {"at": exact(at)}
    yield f"Swiss Arbiter {settings.VERSION}"
    yield from ("", _("Not in the report"))
    yield from (f"- {each}" for each in missing or [_("nothing is missing")])
    for part in parts:
        yield ""
        yield _("Check before sending") + (f"{colon()} {part.label}" if part.label else "")
        found = [_finding(each) for each in part.findings] or [_("nothing")]
        yield from (f"- {each}" for each in found)
    yield from ("", _("Files; summary.json is signed and has the size and SHA-256 of each"))
    yield from (f"- {each}{_label(each)}" for each in files)


def _label(file: str) -> str:
    """Return the name of a sheet after that of its *file*; nothing for other files."""
    name, _dot, ending = file.rpartition("/")[2].rpartition(".")
    return f"{colon()} {KINDS[name].label}" if ending == "html" and name in KINDS else ""


def _finding(finding: Finding) -> str:
    check = finding.check
    about = "; ".join(filter(None, (subject_words(one, check) for one in finding.subjects)))
    line = f"[{severity_words(finding.severity)}] {check_words(check)}"
    return f"{line}{colon()} {about}" if about else line


def _at(tournament: Tournament) -> datetime:
    row = newest_row(tournament_frame(tournament, runs=True))
    assert row is not None  # Every record begins with the line of its tournament.
    return row.at


def _of_part(part: Part, problem: str) -> str:
    return f"{part.label}: {problem}" if part.label else problem


def _about(part: Part) -> dict[str, object]:
    tournament = part.tournament
    return {
        "label": part.label,
        "folder": tournament.slug,
        "name": tournament.name,
        "event_code": tournament.event_code,
        "fingerprint": tournament.fingerprint,
        "system": tournament.system,
        "handling_edition": tournament.handling_edition,
        "tie_break_edition": tournament.tie_break_edition,
        "profile": part.profile.code,
        "findings": [
            {
                "code": each.check.code,
                "severity": each.severity.value,
                "words": check_words(each.check),
                "about": [
                    words for one in each.subjects if (words := subject_words(one, each.check))
                ],
            }
            for each in part.findings
        ],
    }


def _sheet(
    request: HtmxHttpRequest, kind: Kind, sources: Sequence[Source], at: datetime, styles: str
) -> bytes:
    language = (translation.get_language() or settings.LANGUAGE_CODE,)
    wanted = Wanted((kind,), tuple(sources), None, None, language, at)
    return as_file(request, wanted, styles).encode()


def _files_of(
    request: HtmxHttpRequest, part: Part, source: Source, at: datetime
) -> tuple[Files, list[str]]:
    """Return the files of a section by name, and the missing ones."""
    tournament, problems = part.tournament, []
    files: Files = {}
    try:
        files["rating.trf"] = rating_report(tournament).encode()
    except RuleRefused as error:
        files["incomplete.trf"] = write(corrected_document(tournament)).encode()
        problems.append(
            _("The report file is incomplete (incomplete.trf): %(reason)s")
            % {"reason": sentence(error)}
        )
    after, rounds = source.results_after, len(source.frame.rounds)
    if not after:
        problems.append(_("No results are published: there are no standings and no crosstable."))
    elif after < rounds:
        problems.append(
            _("Sheets and lists are those after %(after)s of %(rounds)s rounds.")
            % {"after": after, "rounds": rounds}
        )
    for kind in (each for each in SHEETS if not each.of_event):
        files[f"{kind.name}.html"] = _sheet(request, kind, (source,), at, f"../{STYLES}")
    if after:
        files |= {f"{name}.csv": _table(tournament, name) for name in TABLES}
    lines = record_file(tournament_frame(tournament, runs=True))
    files[RECORD] = "".join(lines).encode()
    problems += [
        _("%(federation)s also takes a file %(file)s, which the program cannot write.")
        % {"federation": part.profile.code.upper(), "file": file}
        for file in part.profile.not_made
    ]
    return files, problems


def _table(tournament: Tournament, name: str) -> bytes:
    """Return the list of the API as visitors read it."""
    address = reverse(f"api:{name}-csv", args=[tournament.slug])
    match = resolve(address)
    answer: HttpResponse = match.func(request_for(address), *match.args, **match.kwargs)
    return answer.content


def _own_files(
    code: str, name: str, parts: Sequence[Part], at: datetime
) -> tuple[Files, list[str]]:
    """Return the files of the sections that a federation rates, with the values that were saved."""
    report = REPORTS[code]
    rated = [part for part in parts if code in part.profile.files]
    saved = [part.tournament.federation_ids for part in rated]
    values = {
        each: next((ids[each] for ids in saved if ids.get(each)), "") for each in report.names
    }
    sections = [(part.label or "Open", part.tournament) for part in rated]
    try:
        made, left_out = report.files(sections, name, values, timezone.localtime(at).date())
    except ServiceError as error:
        return {}, [f"{report.title}: {sentence(error)}"]
    problems = list(left_out)
    if not all(values.values()):
        problems.insert(0, _("some numbers are empty; enter them under Files for federations."))
    return dict(made), [f"{report.title}: {each}" for each in problems]
