"""``./run messages``: collect and compile translations without the system's gettext.

Without options it collects all translatable words from the Python files and the templates into
``locale/<language>/LC_MESSAGES/django.po`` (existing translations are kept) and compiles the
``.mo`` next to it. With ``--check`` it changes nothing, and fails if a word is missing from a
catalogue, has a fuzzy translation, has other %-placeholders than its translation, or if a ``.mo``
does not match its ``.po``. The languages of arbiters' pages must be complete. The others have only
the words of public pages, and missing translations are counted and shown in English.

It does the same as Django's makemessages and compilemessages, which also work if gettext is
installed.
"""

import argparse
import ast
import io
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from gettext import GNUTranslations
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("config", "pairing", "tournaments")
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
SHOWN = 20  # The number of faults printed.
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
CALL = re.compile(rf"\b(?:{'|'.join(KEYWORDS)})\s*\(")
"""Three quarters of the modules call none of the functions: they are not parsed."""

PUBLIC_FILES = {
    "config": "unavailable",
    "pairing/standings": "tie_breaks",
    "templates": "400 403_csrf 404 base home overview",
    "templates/entries": "players",
    "templates/events": "_followed _search _state event follow me prizes",
    "templates/offline": "reader",
    "templates/printing": (
        "_after_rounds _badges _blank_slips _boards _certificates _check_in _crosstable "
        "_foot_line _names _place_cards _posters _prize_state _prizes _published _schedule "
        "_slip_foot _slips _standings _start_list _table_numbers _wall_chart certificate one_sheet"
    ),
    "templates/push": "_notifications",
    "templates/registrations": "_head _hits _limits check ended form mails mails_ended own",
    "templates/reporting": (
        "_entered _mistake_form _mistake_reports _page _winner board ended entered kiosk mistake"
    ),
    "templates/reports": "_published_pairings _published_ranks embedded",
    "templates/rounds": (
        "_announced _boards _byes _code _codes _deadline _game_date _my_board _notes "
        "_open_game_rows _pairings_by_name _published _seat _seats _top_boards codes live "
        "open_games pairings"
    ),
    "templates/screens": "_boards _clock _prizes screen",
    "templates/shared": (
        "_as_of _as_of_line _declaration _event_header _event_tabs _fide_mode _files_menu "
        "_form_errors _line_link _names _news_bar _not_found _numbers_state _only _pager _parts "
        "_preview_text _print_foot _ranking_tabs _request_id _rows_on_paper _search_name "
        "_section_switch _sheet_address _signed _to_groups"
    ),
    "templates/standings": (
        "_adjustment _adjustments_of _crosstable_picture _leaders _lots _next_board "
        "_performance _performance_picture _player _prize_amounts _prize_calculation "
        "_prize_categories _prize_rules _prize_table _prizes_left _progress_picture _prospect "
        "_prospect_facts _rank_after _rating _rounds_of_player _winner_label crosstable forecast groups me "
        "prizes progress standing standings"
    ),
    "tournaments/core": "players_report_messages push_messages",
    "tournaments/models": "game pairing_systems",
    "tournaments/reports": "game_calendar round_calendar",
    "tournaments/standings": "prize_conditions",
    "tournaments/web": "action_form",
    "tournaments/web/printing": "columns kinds",
    "tournaments/web/pairing_mail": "texts",
    "tournaments/web/push": "pages texts",
    "tournaments/web/registration": "forms mail own pages",
    "tournaments/web/screens": "listings",
    "tournaments/web/standings": "groups",
    "tournaments/web/templatetags": (
        "event_prizes fide_ratings labels numbers player_previews players prizes reports results "
        "tie_breaks"
    ),
}
"""Files with messages of public pages and of sheets for players: folder, names without suffix."""
PUBLIC_MESSAGES = (
    "An arbiter has decided about your registration, or you have withdrawn it.",
    "C.07, applied from 1 August 2024 to 28 February 2026",
    "C.07, applied from 1 March 2026",
    "Corrected %(at)s",
    "Enter an e-mail address or a phone number.",
    "FIDE B.02, applied from 1 March 2024, with 8.3.1 of 1 October 2025",
    "Language",
    "One field must stay empty. Clear it, then send the form again.",
    "Registration is not open. Ask the organiser.",
    "Section %(label)s is for players born in %(limit)s or later. Choose another section.",
    "The registration needs your consent.",
    "Enter the e-mail address to which your pairings shall go.",
    (
        "Pairings go only to the address that got the link. Untick the e-mails, or withdraw this "
        "registration and register again with the other address."
    ),
    "The results of round %(round)s are not published.",
    "There were too many requests from your network. Wait a few minutes, then try again.",
    "This is not an e-mail address.",
    (
        "This page is out of date, or the form was incomplete. Nothing was saved: check the "
        "page, then try again."
    ),
    (
        "Your registration was changed in another window. Nothing was saved: check the data, "
        "then repeat."
    ),
    "definitive",
    "drawn by lot at the venue",
    "drawn by lot by this program",
    "final standings reopened",
    "lots drawn between tied players",
    "point adjustment",
    "result corrected",
    "round %(n)s, board %(board)s",
    "taken from an imported file",
    "tie-breaks changed after the start",
    "tied players ranked by decision",
    "waiting correction done",
    "“%(value)s” is not a date; expected a year, YYYY-MM-DD, DD/MM/YYYY or DD.MM.YYYY.",
)
"""Messages of public pages from files that are otherwise about arbiters' pages."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing, fail when anything is not up to date"
    )
    check: bool = parser.parse_args(arguments).check
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    everything = collect()
    faults = list(not_collected(everything))
    for language, _name in settings.LANGUAGES:
        if language == "en":  # The language of the sources.
            continue
        is_whole = language in settings.ARBITER_LANGUAGES
        wanted = everything if is_whole else public_part(everything)
        path = ROOT / "locale" / language / "LC_MESSAGES" / "django.po"
        if not check:
            update(path, wanted)
        faults += list(faults_of(path, wanted, is_whole=is_whole))
        if not is_whole and (missing := untranslated(path)):
            print(f"{language}: {missing} messages of public pages are shown in English")
    for fault in faults[:SHOWN]:
        print(fault, file=sys.stderr)
    if len(faults) > SHOWN:
        print(f"… and {len(faults) - SHOWN} more", file=sys.stderr)
    if check:
        return 1 if faults else 0
    print(f"{len(everything) - 1} messages collected, {len(faults)} faults")
    return 0


def collect() -> Catalog:
    """Return all translatable words of the program and their places."""
    catalogue = Catalog(project="Swiss Arbiter", charset="utf-8")
    templates = [
        path
        for folder in ("templates", *SOURCES)
        for path in sorted((ROOT / folder).rglob("*.html"))
    ]
    for path in [*modules(), *templates]:
        name = path.relative_to(ROOT).as_posix()
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            # Django turns a template into Python-like text; its indentation has no meaning.
            source = "\n".join(line.strip() for line in templatize(source, origin=name).split("\n"))
        found = extract(
            "python", io.BytesIO(source.encode()), KEYWORDS, ["Translators:"], {"encoding": "utf-8"}
        )
        for line, words, comments, context in found:
            catalogue.add(
                words,
                locations=[(name, line)],
                auto_comments=comments,
                context=context,
                flags=flags(words),
            )
    return catalogue


def modules() -> list[Path]:
    """Return the Python modules with a call of gettext or its like."""
    paths = [path for folder in SOURCES for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in paths if CALL.search(path.read_text(encoding="utf-8"))]


def public_part(everything: Catalog) -> Catalog:
    """Return the messages of *everything* that public pages show."""
    files = {f"{folder}/{name}" for folder, names in PUBLIC_FILES.items() for name in names.split()}
    part = Catalog(project="Swiss Arbiter", charset="utf-8")
    for message in everything:
        if message.id in PUBLIC_MESSAGES or any(
            name.rpartition(".")[0] in files for name, _line in message.locations
        ):
            part[message.id] = message
    return part


def not_collected(wanted: Catalog) -> Iterator[str]:
    """Yield a sentence for each translatable word inside an f-string that is nowhere else:
    Babel does not see it.
    """
    for path in modules():
        for line, words in words_in_f_strings(path.read_bytes()):
            # The last word may be a plural, or follow a context.
            if not any(word in wanted or wanted.get(word, words[0]) for word in words):
                name = path.relative_to(ROOT).as_posix()
                yield f"{name}:{line}: {words[-1]!r} is in an f-string; translate it before"


def words_in_f_strings(source: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield line and texts of each call of gettext or its like inside an f-string of *source*."""
    strings = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr))
    for call in (
        node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)
    ):
        words = [str(each.value) for each in call.args if isinstance(each, ast.Constant)]
        if words and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS:
            yield call.lineno, words


def flags(words: str | tuple[str, ...]) -> list[str]:
    text = words if isinstance(words, str) else " ".join(words)
    return ["python-format"] if re.search(r"%(\(\w+\))?[sd]", text) else []


def update(path: Path, wanted: Catalog) -> None:
    """Bring the ``.po`` at *path* up to date with the program, and compile it."""
    catalogue = read(path)
    catalogue.update(wanted, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=100, sort_by_file=True, include_lineno=False)
    # Without the date of this run, so that the same words give the same file.
    text = re.sub(
        rb'"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To): .*\n',
        b"",
        buffer.getvalue(),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    path.with_suffix(".mo").write_bytes(compiled(read(path)))  # Empty plurals get all their forms.


def faults_of(path: Path, wanted: Catalog, *, is_whole: bool = True) -> Iterator[str]:
    """Yield the faults of the catalogue at *path*, a sentence each.

    Only one that *is_whole* needs a translation of each message.
    """
    name = path.relative_to(ROOT).as_posix()
    catalogue = read(path)
    for message in wanted:
        if not message.id:
            continue
        held = catalogue.get(ids(message)[0], message.context)
        if held is None:
            yield f"{name}: {ids(message)[0]!r} is missing; ./run messages adds it"
        elif held.fuzzy or not all(translations(held)):
            if is_whole or held.fuzzy:
                yield f"{name}: {ids(message)[0]!r} has no translation"
        elif unlike := [
            text for text in translations(held) if placeholders(text) - placeholders(*ids(message))
        ]:
            yield f"{name}: {unlike[0]!r} has placeholders that {ids(message)[0]!r} has not"
        elif any(is_doubled(text) for text in translations(held)):
            yield f"{name}: the translation of {ids(message)[0]!r} is there twice"
    binary = path.with_suffix(".mo")
    if not binary.exists() or words_of(binary.read_bytes()) != words_of(compiled(catalogue)):
        yield (
            f"{binary.relative_to(ROOT).as_posix()}: does not say what {path.name} says; ./run "
            f"messages compiles it"
        )


def untranslated(path: Path) -> int:
    """Count the messages that the catalogue at *path* has and does not translate."""
    return sum(1 for each in read(path) if each.id and not all(translations(each)))


def read(path: Path) -> Catalog:
    if not path.exists():
        header = "# The words of Swiss Arbiter."
        return Catalog(
            path.parent.parent.name, header_comment=header, project="Swiss Arbiter", fuzzy=False
        )
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name, abort_invalid=True)


def compiled(catalogue: Catalog) -> bytes:
    """Return the ``.mo`` of *catalogue*: the same words give the same bytes."""
    buffer = io.BytesIO()
    catalogue.creation_date = NO_DATE  # Babel would write the minute of this run.
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def words_of(binary: bytes) -> dict[object, str]:
    """Return the translations of a ``.mo`` without its header,
    in which tools write names and dates.
    """
    return {key: text for key, text in GNUTranslations(io.BytesIO(binary))._catalog.items() if key}  # type: ignore[attr-defined]


def ids(message: Message) -> list[str]:
    """Return the English of *message*: one text, or singular and plural."""
    return forms(message.id)


def translations(message: Message) -> list[str]:
    return forms(message.string)


def forms(text: object) -> list[str]:
    return (
        [str(form or "") for form in text] if isinstance(text, list | tuple) else [str(text or "")]
    )


def is_doubled(text: str) -> bool:
    """Return whether a sentence follows itself, as after a merge of
    two branches that both added its lines.
    """
    first, second = text[: len(text) // 2], text[len(text) // 2 :]
    return first == second and text.endswith(".")


def placeholders(*texts: str) -> set[str]:
    return {found for text in texts for found in re.findall(r"%(?:\(\w+\))?[sd]|\{\w*\}", text)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
