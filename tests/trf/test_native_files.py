"""The own files of other programs are named, with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.engine.errors import InputError
from pairing.trf.native_files import native_kind, refuse_native
from tests.trf.reports import FOUR

FILES = {
    "papi": b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(200),
    "papi_json": json.dumps({"variables": {}, "players": []}).encode(),
    "vega": b"\xbf\x51\x55\x98\x10\xd2\x06\x0f\xe6\x58" + bytes(range(200)),
    "swiss_manager": b"\x93\xff\x89\x44" + bytes(100),
    "swiss_sys": json.dumps({"Overview": {}, "Sections": []}).encode(),
    "sharly": b"SQLite format 3\x00" + bytes(84),
    "old_spreadsheet": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500),
    "spreadsheet": b"PK\x03\x04" + bytes(22) + b"[Content_Types].xml",
    "open_spreadsheet": b"PK\x03\x04"
    + bytes(26)
    + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
    "archive": b"PK\x03\x04" + bytes(22) + b"a.trf",
    "dbf": b"\x03\x7e\x0b\x1c" + bytes(60),
    "pdf": b"%PDF-1.7\n",
    "web_page": b"<!DOCTYPE html><html>",
    "pgn": b'[Event "Open"]\n[Site "Town"]\n',
    "json": b'[{"name": "Ann"}]',
    "xml": b"<?xml version='1.0'?><a/>",
    "vega_print": b"[=*G4 1 2",
    "fide_list": b"<?xml version='1.0'?>\n<playerslist>\n<player>\n<fideid>88000001</fideid>",
    "binary": b"\x07\x00\x00\x00\xff\x00\x12",
}


@pytest.mark.parametrize("kind", FILES)
def test_files_are_recognised_by_their_beginning(kind: str) -> None:
    assert native_kind(FILES[kind], "event.trf") == kind
    with pytest.raises(InputError) as raised:
        refuse_native(FILES[kind])
    assert (raised.value.code, raised.value.params["kind"]) == ("file.native", kind)


@pytest.mark.parametrize(
    "name, kind",
    [
        ("Open.SWT", "swiss_chess"),
        ("open.TUNX", "swiss_manager"),
        ("open.tut", "swiss_manager"),
        ("open.vegz", "vega"),
        ("OPEN.S1A", "swiss_sys"),
        ("open.papi", "papi"),
        ("open.trx", "tournament_service"),
    ],
)
def test_files_without_a_known_beginning_are_recognised_by_their_ending(
    name: str, kind: str
) -> None:
    assert native_kind(b"\x12\x13 something", name) == kind
    assert native_kind(FOUR.encode(), name) is None


@pytest.mark.parametrize(
    "data, kind",
    [
        (b"<table><tr><td>Name</td></tr></table>", "web_page"),
        (b'<meta charset="utf-8"><b>Name</b>', "web_page"),
        (b"PK\x03\x04" + bytes(22) + b"[Content_Types].xml word/document.xml", "binary"),
    ],
)
def test_pages_saved_as_a_workbook_and_documents_of_word(data: bytes, kind: str) -> None:
    assert native_kind(data, "list.xls") == kind


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_a_report_is_no_native_file(encoding: str) -> None:
    assert native_kind(FOUR.encode(encoding), "event.trf") is None


def test_the_layout_of_vega_is_not_a_report() -> None:
    assert native_kind(b"012|Open\n001|  1|Abara, Ann|2000\n") == "vega"
    assert native_kind(b"012 Open\n001|  1|Abara, Ann|2000\n") == "vega"


@pytest.mark.parametrize(
    "data",
    [
        b"<playerslist><player>",
        b"\xef\xbb\xbf<?xml version='1.0'?><playerslist>",
        b"ID Number      Name                              Fed Sex Tit\n88000001  Test, Tom\n",
        b"ID_NUMBER NAME            TITLE  COUNTRY FED\n",
        b"PK\x03\x04" + bytes(26) + b"players_list_xml_foa.xml" + bytes(9),
        b"PK\x03\x04" + bytes(26) + b"standard_nov26frl_xml.xml" + bytes(9),
    ],
)
def test_the_list_of_fide_is_named_wherever_it_does_not_belong(data: bytes) -> None:
    for is_list in (False, True):
        with pytest.raises(InputError, match="page Rating lists"):
            refuse_native(data, "list", is_list=is_list)


@pytest.mark.parametrize(
    "text", ["ID Number;Name;Fed\n", "ID Number\tName\tFed\n", "Name;ID Number;Fed\n"]
)
def test_a_table_with_headings_like_those_of_fide_is_none(text: str) -> None:
    assert native_kind(text.encode()) is None


def test_a_spreadsheet_is_welcome_as_a_list() -> None:
    for kind in ("spreadsheet", "old_spreadsheet", "open_spreadsheet"):
        refuse_native(FILES[kind], is_list=True)
    with pytest.raises(InputError, match="Swiss-Manager"):
        refuse_native(FILES["swiss_manager"], is_list=True)


@pytest.mark.parametrize("verb", ["pair", "check", "explain"])
def test_the_command_line_says_what_to_do(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "open.TUNX"
    file.write_bytes(FILES["swiss_manager"])
    assert main([verb, str(file)]) == 3
    assert "FIDE Data Export" in capfd.readouterr().err
