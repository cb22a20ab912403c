"""``./run messages --check`` finds all faults of a catalogue, and no others."""

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tools import messages

HEADER = """\
msgid ""
msgstr ""
"Language: fr\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""
GOOD = """\
msgid "Round %(number)s"
msgstr "Ronde %(number)s"

msgid "%(n)s player"
msgid_plural "%(n)s players"
msgstr[0] "%(n)s joueur"
msgstr[1] "%(n)s joueurs"
"""


@pytest.fixture
def wanted() -> Catalog:
    catalogue = Catalog()
    catalogue.add("Round %(number)s")
    catalogue.add(("%(n)s player", "%(n)s players"))
    return catalogue


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    folder = tmp_path / "locale" / "fr" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    return folder / "django.po"


def write(path: Path, body: str) -> None:
    path.write_text(HEADER + body, encoding="utf-8")
    path.with_suffix(".mo").write_bytes(messages.compiled(messages.read(path)))


def faults(path: Path, wanted: Catalog) -> list[str]:
    return [
        fault.replace("locale/fr/LC_MESSAGES/", "").removeprefix("django.")
        for fault in messages.faults_of(path, wanted)
    ]


def test_a_complete_catalogue_has_no_fault(path: Path, wanted: Catalog) -> None:
    write(path, GOOD)
    assert faults(path, wanted) == []


def test_a_missing_word_is_named(path: Path, wanted: Catalog) -> None:
    write(path, GOOD)
    wanted.add("Board")
    assert faults(path, wanted) == ["po: 'Board' is missing; ./run messages adds it"]


@pytest.mark.parametrize(
    "old, new",
    [
        ('msgstr "Ronde %(number)s"', 'msgstr ""'),
        ('msgid "Round', '#, fuzzy\nmsgid "Round'),
    ],
)
def test_an_untranslated_or_fuzzy_word_is_named(
    path: Path, wanted: Catalog, old: str, new: str
) -> None:
    write(path, GOOD.replace(old, new))
    assert faults(path, wanted) == ["po: 'Round %(number)s' has no translation"]


def test_a_language_of_public_pages_may_be_incomplete_but_not_wrong(
    path: Path, wanted: Catalog
) -> None:
    write(path, GOOD.replace('"Ronde %(number)s"', '""'))
    assert list(messages.faults_of(path, wanted, is_whole=False)) == []
    assert messages.untranslated(path) == 1
    write(path, GOOD.replace("Ronde %(number)s", "Ronde %(numero)s"))
    assert len(list(messages.faults_of(path, wanted, is_whole=False))) == 1


def test_every_plural_form_must_be_there(path: Path, wanted: Catalog) -> None:
    write(path, GOOD.replace('"%(n)s joueurs"', '""'))
    assert faults(path, wanted) == ["po: '%(n)s player' has no translation"]


def test_a_placeholder_missing_in_the_english_is_named(path: Path, wanted: Catalog) -> None:
    write(path, GOOD.replace("Ronde %(number)s", "Ronde %(numero)s"))
    assert faults(path, wanted) == [
        "po: 'Ronde %(numero)s' has placeholders that 'Round %(number)s' has not"
    ]


def test_a_translation_that_a_merge_has_doubled_is_named(path: Path, wanted: Catalog) -> None:
    wanted.add("It is over.")
    write(path, GOOD + '\nmsgid "It is over."\nmsgstr "C’est fini.C’est fini."\n')
    assert faults(path, wanted) == ["po: the translation of 'It is over.' is there twice"]


def test_a_compiled_catalogue_that_is_old_or_absent_is_named(path: Path, wanted: Catalog) -> None:
    sentence = "mo: does not say what django.po says; ./run messages compiles it"
    write(path, GOOD)
    path.write_text(path.read_text(encoding="utf-8").replace("Ronde", "La ronde"), encoding="utf-8")
    assert faults(path, wanted) == [sentence]
    path.with_suffix(".mo").unlink()
    assert faults(path, wanted) == [sentence]


def test_update_keeps_what_is_translated_and_gives_the_same_file_twice(
    path: Path, wanted: Catalog
) -> None:
    write(path, GOOD)
    wanted.add("Board")
    messages.update(path, wanted)
    first = path.read_bytes()
    binary = path.with_suffix(".mo").read_bytes()
    assert b"POT-Creation-Date: 2026-01-01 00:00+0000\n" in binary  # no minute of any run
    messages.update(path, wanted)
    assert path.read_bytes() == first
    assert path.with_suffix(".mo").read_bytes() == binary
    assert b'msgstr "Ronde %(number)s"' in first
    assert faults(path, wanted) == ["po: 'Board' has no translation"]


def test_collect_reads_templates_and_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    for folder in ("templates", *messages.SOURCES):
        (tmp_path / folder).mkdir()
    (tmp_path / "templates" / "page.html").write_text(
        '<ul>\n      {% translate "Board" %}\n  it\'s {% blocktranslate count n=n %}{{ n }} player'
        "{% plural %}{{ n }} players{% endblocktranslate %}\n</ul>"
    )
    (tmp_path / "tournaments" / "models.py").write_text(
        'name = gettext_lazy("Entry")\nnot_this = print("no")\n'
    )
    found = [message.id for message in messages.collect() if message.id]
    assert found == ["Entry", "Board", ("%(n)s player", "%(n)s players")]


FRENCH = messages.ROOT / "locale" / "fr" / "LC_MESSAGES" / "django.po"
CODES = ("BB?", "XX?")  # Names of records that end in a question mark.
TERMS = {
    "moteur": "programme",
    "appariement valide": "appariement légal",
    "points fictifs": "points virtuels",
    "groupe de score": "groupe de points",
    "(TPN)": "(NAT)",
    "classement Elo": "Elo",
    "entrées tardives": "retardataires",
    "au journal": "au registre",
}


def french() -> list[str]:
    with FRENCH.open("rb") as file:
        catalogue = read_po(file, locale="fr")
    return [text for message in catalogue if message.id for text in messages.translations(message)]


def test_french_punctuation_has_its_narrow_no_break_space() -> None:
    """Before : ; ? ! and inside « »: an ordinary space lets the sign wrap to the next line."""
    found = []
    for text in french():
        for code in CODES:
            text = text.replace(code, "")
        if re.search(
            r"(?<=[^\u202f])[;?!»]|[\s\u00a0](?<!\u202f)[:;?!»]|\w:(?=\s|$)|«(?!\u202f)|«\u202f\s",
            text,
        ):
            found.append(text)
    assert found == []


@pytest.mark.parametrize("term", TERMS)
def test_french_uses_one_term_per_concept(term: str) -> None:
    assert [text for text in french() if term in text] == []


def test_a_word_that_only_stands_in_an_f_string_is_a_fault(
    wanted: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "ROOT", tmp_path)
    (tmp_path / "config").mkdir()
    program = (
        "x = f\"{gettext('lost')} {gettext('Round %(number)s')} {len('none')}\"\ny = "
        "gettext('found')\n"
    )
    (tmp_path / "config" / "a.py").write_text(program)
    assert list(messages.not_collected(wanted)) == [
        "config/a.py:1: 'lost' is in an f-string; translate it before"
    ]
