"""The files for US Chess and chess-results: layout, letters, and golden files of invented people."""

from __future__ import annotations

import html
import io
import re
import zipfile
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.desk.test_find import give
from tournaments.core.ascii_text import ascii_of, is_lost
from tournaments.core.dbf import read_records, write_dbf
from tournaments.core.errors import BadInput
from tournaments.core.frame import tournament_frame
from tournaments.events.sections import event_create
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Entry, Game, Role, Round, Section, Tournament
from tournaments.reports import ecf
from tournaments.reports.chess_results import chess_results_xml, tie_break_id
from tournaments.reports.federation_ids import federation_ids_save
from tournaments.reports.us_chess import Facts, us_chess_report

pytestmark = pytest.mark.django_db
FILES = Path(__file__).parent / "files"
TODAY = date(2026, 11, 28)
REPORT = FILES / "invented.trf"
"""Forfeits, byes of each kind, an unrated game and a double loss."""


@pytest.fixture
@factories.cached
def event(chief_arbiter: User) -> Tournament:
    tournament = tournament_import_trf(
        actor=chief_arbiter, now=factories.NOW, data=REPORT.read_bytes()
    )
    Entry.objects.filter(tournament=tournament, tpn=1).update(
        national_id="77000011", national_rating=2155, club="Rook & Sons", k_factor=20
    )
    Entry.objects.filter(tournament=tournament, tpn=2).update(
        national_id="12345678", full_name="Stillwell, Zoë", name="S., Z."
    )
    return Tournament.objects.get(pk=tournament.pk)


def rows_of(data: bytes) -> list[dict[str, str]]:
    head, records = read_records(io.BytesIO(data))
    return [dict(zip(head, record, strict=True)) for record in records]


def test_the_report_for_us_chess_has_a_letter_opponent_and_colour_for_each_round(
    event: Tournament,
) -> None:
    facts = Facts("A7700001", "NY", "10001", "77000099", "", "G/90;+30")
    report = us_chess_report([("Open", event)], event.name, facts, TODAY)
    assert list(report.files) == ["THEXPORT.DBF", "TSEXPORT.DBF", "TDEXPORT.DBF"]
    (head,) = rows_of(report.files["THEXPORT.DBF"])
    assert {name: value for name, value in head.items() if value} == {
        "H_FORMAT": "2C", "H_PROGRAM": "SWISSARB", "H_NAME": "Invented Open", "H_TOT_SECT": "1",
        "H_BEG_DATE": "20261127", "H_END_DATE": "20261129", "H_AFF_ID": "A7700001",
        "H_CITY": "Exampleton", "H_STATE": "NY", "H_ZIPCODE": "10001", "H_COUNTRY": "USA",
        "H_SENDCROS": "N", "H_CTD_ID": "77000099",
    }  # fmt: skip
    (section,) = rows_of(report.files["TSEXPORT.DBF"])
    assert {name: value for name, value in section.items() if value} == {
        "S_SEC_NUM": "1", "S_SEC_NAME": "Open", "S_R_SYSTEM": "R", "S_TIMECTL": "G/90;+30",
        "S_CTD_ID": "77000099", "S_TRN_TYPE": "S", "S_TOT_RNDS": "3", "S_LST_PAIR": "6",
        "S_BEG_DATE": "20261127", "S_END_DATE": "20261129", "S_GR_PRIX": "N", "S_FIDE": "N",
    }  # fmt: skip
    players = rows_of(report.files["TDEXPORT.DBF"])
    assert players[0] == {
        "D_EVENT_ID": "", "D_SEC_NUM": "1", "D_PAIR_NUM": "1", "D_MEM_ID": "77000011",
        "D_NAME": "BRIAR, OTTO", "D_STATE": "", "D_RATING": "2155", "D_RND01": "W4W",
        "D_RND02": "D2B", "D_RND03": "W3W",
    }  # fmt: skip
    assert [(row["D_NAME"], row["D_RND01"], row["D_RND02"], row["D_RND03"]) for row in players] == [
        ("BRIAR, OTTO", "W4W", "D2B", "W3W"),
        ("STILLWELL, ZOE", "W5B", "D1W", "H0"),
        ("QUILL, ANN", "X6W", "Z0", "L1B"),
        ("MARSH, BO", "L1B", "U0", "B0"),
        ("TARN, EVE", "L2W", "U0", "U0"),
        ("VALE, IRA", "F3B", "Z0", "U0"),
    ]
    assert [note for note in report.left_out if "Round" in note] == [
        "Open: Round 2, Marsh, Bo – Tarn, Eve: this result has no letter.",
        "Open: Round 3, Tarn, Eve – Vale, Ira: this result has no letter.",
    ]
    assert sum("has no US Chess number" in note for note in report.left_out) == 4
    # Every played game is in the report of both players, with the other colour.
    for number in ("1", "2", "3"):
        for row in players:
            cell = row[f"D_RND0{number}"]
            if cell[0] in "WLDXF":
                other = players[int(cell[1:-1]) - 1][f"D_RND0{number}"]
                opposite = {"W": "L", "L": "W", "D": "D", "X": "F", "F": "X"}[cell[0]]
                assert other == opposite + row["D_PAIR_NUM"] + ("B" if cell[-1] == "W" else "W")


def test_the_dbase_files_are_those_on_file(event: Tournament) -> None:
    report = us_chess_report([("", event)], event.name, Facts(), TODAY)
    for name, data in report.files.items():
        assert data == (FILES / name).read_bytes(), name
        assert data[0] == 3
        assert data[-1] == 0x1A
        assert data[1:4] == bytes((126, 11, 28))


ECF = ecf.Facts("SAMPLE26", "", "A N Other", "x@example.org", "B Other", "y@example.org")


def test_the_submission_for_the_ecf_is_that_on_file(event: Tournament) -> None:
    event.encoded_time_control = "40/6000+30:900+30"
    Entry.objects.filter(tournament=event, tpn=1).update(national_id="990001A")
    Round.objects.filter(tournament=event, number=1).update(starts_at=factories.NOW)
    found = ecf.ecf_submission([("Open #1", event)], event.name, ECF, TODAY)
    assert found.content == (FILES / "ecf-submission.txt").read_bytes()
    assert [note for note in found.left_out if "Round" in note] == [
        "Open #1: Round 2, Marsh, Bo – Tarn, Eve: this result has no score.",
        "Open #1: Round 3, Tarn, Eve – Vale, Ira: this result has no score.",
    ]
    assert sum("has no ECF code" in note for note in found.left_out) == 5


def read_ecf(content: bytes) -> list[tuple[str, str]]:
    """Return the fields of a submission as its reader splits them: at each ``#``, then at ``=``."""
    parts = content.decode("ascii").replace("\r\n", "").split("#")
    return [(name, value) for part in parts if part for name, _, value in [part.partition("=")]]


@pytest.mark.costly
def test_a_player_of_two_sections_is_one_for_the_ecf(
    event: Tournament, chief_arbiter: User
) -> None:
    event.encoded_time_control = "3600"
    other = factories.make_ready(chief_arbiter, players=4, rounds=1, name="U12")
    factories.play_rounds(other, [1], chief_arbiter)
    other.encoded_time_control = "900+5"
    for tournament, tpn in ((event, 1), (other, 3)):
        Entry.objects.filter(tournament=tournament, tpn=tpn).update(national_id="990001a")
    found = ecf.ecf_submission([("A", event), ("U12", other)], "Festival", ecf.Facts(), TODAY)
    fields = read_ecf(found.content)
    pins = [value for name, value in fields if name == "PIN"]
    assert pins == [str(number) for number in range(1, 10)]
    assert {value for name, value in fields if name in ("PIN1", "PIN2")} <= set(pins)
    assert [value for name, value in fields if name == "ECF CODE"] == ["990001A"]
    assert ("MINUTES FOR GAME", "60") in fields
    assert "EVENT CODE, RESULTS OFFICER" in found.left_out[0]
    assert any("different time controls" in note for note in found.left_out)
    assert [value for name, value in fields if name == "SECTION RESULTS"] == ["A", "U12"]
    # Every game that was played is there once.
    results = Game.objects.filter(round__tournament=other, result__in=("10", "01", "=="))
    assert len([1 for name, _ in fields if name == "PIN1"]) >= results.count()


@pytest.mark.parametrize("code", ["", "W300-B240", "40/5400:20/3600:10/900:900", "5400:900"])
def test_the_ecf_has_no_fields_for_other_time_controls(event: Tournament, code: str) -> None:
    event.encoded_time_control, event.time_control, event.trf_extras = code, "", []
    with pytest.raises(BadInput, match="The ECF needs the time control"):
        ecf.ecf_submission([("", event)], "Open", ecf.Facts(), TODAY)


@pytest.mark.costly
def test_the_page_gives_the_file_of_the_ecf(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    Tournament.objects.filter(pk=event.pk).update(encoded_time_control="5400+30")
    client.force_login(chief_arbiter)
    url = reverse("federation-files", args=[event.slug])
    answer = client.post(url, {"file": "ecf", "ecf_code": "SAMPLE26", "ecf_index": "2"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as found:
        assert found.namelist() == ["SAMPLE2602.txt", "LEFT_OUT.txt"]
        assert b"#SUBMISSION INDEX=2\r\n" in found.read("SAMPLE2602.txt")
    assert client.post(url, {"file": "ecf", "ecf_code": "#"}).status_code == 422


@pytest.mark.costly
def test_two_sections_have_columns_for_the_longer_one(
    event: Tournament, chief_arbiter: User
) -> None:
    short = factories.make_ready(chief_arbiter, players=4, rounds=1, name="U12")
    factories.play_rounds(short, [1], chief_arbiter)
    report = us_chess_report([("A", event), ("U12", short)], "Festival", Facts(), TODAY)
    players = rows_of(report.files["TDEXPORT.DBF"])
    assert [row["D_SEC_NUM"] for row in players] == ["1"] * 6 + ["2"] * 4
    assert {row["D_RND02"] for row in players[6:]} == {"U0"}


@pytest.mark.costly
def test_a_game_without_a_result_is_named(event: Tournament, chief_arbiter: User) -> None:
    running = factories.make_ready(chief_arbiter, players=4, rounds=2)
    factories.pair_and_publish(running, 1, chief_arbiter)
    report = us_chess_report([("", running)], "Open", Facts(), TODAY)
    players = rows_of(report.files["TDEXPORT.DBF"])
    assert {row["D_RND01"] for row in players} == {"U0"}
    notes = [note for note in report.left_out if "Round" in note]
    names = {
        row["D_PAIR_NUM"]: factories.entry_of(running, int(row["D_PAIR_NUM"])).name
        for row in players
    }
    assert sorted(notes) == sorted(
        f"Round 1, {names[str(white)]} – {names[str(black)]}: this game has no result yet."
        for white, black, _ in factories.boards(running, 1)
    )


@pytest.mark.costly
def test_sections_of_others_are_not_in_the_files(
    event: Tournament, chief_arbiter: User, stranger: User, client: Client
) -> None:
    """They have whole names, member numbers and games that are not published."""
    by = {"actor": chief_arbiter, "now": factories.NOW}
    made = event_create(tournament_id=event.pk, name="Festival", label="A", **by)
    other = factories.make_ready(stranger, players=4, rounds=1, name="Other")
    factories.play_rounds(other, [1], stranger)
    Section.objects.create(event=made, tournament=other, label="B", position=20)
    client.force_login(chief_arbiter)
    answer = client.post(reverse("federation-files", args=[event.slug]), {"file": "us-chess"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as found:
        (head,) = rows_of(found.read("THEXPORT.DBF"))
        (section,) = rows_of(found.read("TSEXPORT.DBF"))
        assert (head["H_NAME"], head["H_TOT_SECT"], section["S_SEC_NAME"]) == ("Festival", "1", "A")
        assert {row["D_SEC_NUM"] for row in rows_of(found.read("TDEXPORT.DBF"))} == {"1"}
        left_out = found.read("LEFT_OUT.txt").decode().splitlines()
        assert left_out[0] == "B is not in the files: you have no role in this section."
    factories.appoint_on_record(other, chief_arbiter, stranger)
    answer = client.post(reverse("federation-files", args=[event.slug]), {"file": "us-chess"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as found:
        assert len(rows_of(found.read("TSEXPORT.DBF"))) == 2


def test_a_tournament_without_a_published_round_has_nothing_to_report(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter)
    with pytest.raises(BadInput, match="nothing to report"):
        us_chess_report([("Open", tournament)], "Open", Facts(), TODAY)


def test_a_value_that_is_too_wide_is_never_shortened_silently() -> None:
    with pytest.raises(ValueError, match="longer than 2"):
        write_dbf([("A", 2)], [{"A": "abc"}], TODAY)
    assert ascii_of("Łukasz Ñandú–Größe", 30) == "Lukasz Nandu-Grosse"
    assert ascii_of("Open\u202f2026\u200b, D’Arcy", 30) == "Open 2026, D'Arcy"


@pytest.mark.parametrize(
    "name, expected, lost",
    [
        ("Шостакович, Дмитрий", "Shostakovich, Dmitrii", False),
        ("Гельфанд, Соловьёв", "Gelfand, Solovev", False),
        ("Ґрабінський, Їжакевич", "Grabinskii, Izhakevich", False),
        ("Βασιλείου, Νίκος", "Vasileiou, Nikos", False),
        ("Ægir, Đorđević", "Aegir, Dordevic", False),
        ("Ding 丁, Li", "Ding , Li", True),
        ("Maximiliane von und zu Hohenfels", "Maximiliane von und zu Hohenfe", True),
    ],
)
def test_other_alphabets_are_written_in_latin_letters(name: str, expected: str, lost: bool) -> None:
    assert (ascii_of(name, 30), is_lost(name, 30)) == (expected, lost)


def test_a_name_that_loses_letters_is_named(event: Tournament) -> None:
    event.encoded_time_control = "3600"
    Entry.objects.filter(tournament=event, tpn=3).update(name="丁, Ann", full_name="")
    left_out = [
        *us_chess_report([("", event)], "Open", Facts(), TODAY).left_out,
        *ecf.ecf_submission([("", event)], "Open", ecf.Facts(), TODAY).left_out,
    ]
    assert [each for each in left_out if "written" in each] == [
        "丁, Ann is written as “, ANN”.",
        "丁, Ann is written as “, Ann”.",
    ]


def test_the_xml_for_chess_results_is_that_on_file(event: Tournament) -> None:
    event.event_code = "412345"
    frame = tournament_frame(event, runs=False)
    data = chess_results_xml(frame, key="INVENTED", source="99")
    assert data.decode() == (FILES / "chess-results.xml").read_text(encoding="utf-8")


def test_texts_in_the_xml_have_no_control_characters_and_blanks_for_other_spaces(
    event: Tournament,
) -> None:
    event.name, event.city = "Open\u202f2026 <&>", "Ex\xadample\xa0ton\x0b"
    event.save(update_fields=["name", "city"])
    data = chess_results_xml(tournament_frame(event, runs=False))
    (tournament,) = ET.fromstring(data).findall("tournamentdata/tournament")  # noqa: S314
    assert tournament.findtext("name") == "Open 2026 <&>"
    assert tournament.findtext("location") == "Example ton "


def test_the_xml_has_what_visitors_may_read(event: Tournament) -> None:
    root = ET.fromstring(chess_results_xml(tournament_frame(event, runs=False)))  # noqa: S314
    assert [child.tag for child in root] == [
        "tournamentdata", "rounds", "players", "playerpairings", "security",
    ]  # fmt: skip
    assert root.findtext("tournamentdata/tournament/key") == ""
    first, second = root.findall("players/player")[:2]
    assert (first.findtext("lastname"), first.findtext("dob")) == ("Briar", "1990")
    assert (first.findtext("pts"), first.findtext("fideid")) == ("2,5", "77000001")
    # With initials, and without what would tell who it is.
    assert (second.findtext("lastname"), second.findtext("dob")) == ("S.", "")
    assert "12345678" not in ET.tostring(root, encoding="unicode")
    limits = {"lastname": 32, "firstname": 30, "clubname": 40, "title": 4}
    for player in root.findall("players/player"):
        assert all(len(player.findtext(name) or "") <= most for name, most in limits.items())
    pairings = [
        tuple(each.findtext(name) for name in ("round", "whiteno", "blackno", "reswhite", "resblack", "forfeit"))
        for each in root.findall("playerpairings/playerpairing")
    ]  # fmt: skip
    assert ("1", "3", "6", "1", "0", "K") in pairings
    assert ("2", "4", "5", "1", "0", "U") in pairings
    assert ("3", "5", "6", "0", "0", "D") in pairings
    assert ("3", "4", "-1", "1", "0", None) in [(*each[:5], each[5] or None) for each in pairings]
    assert ("3", "2", "-2", "0,5", "0") in [each[:5] for each in pairings]
    # Each player once in each round.
    for number in ("1", "2", "3"):
        numbers = [
            no for row in pairings if row[0] == number for no in row[1:3] if no and int(no) > 0
        ]
        assert sorted(numbers) == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(
    "code, expected",
    [
        ("BH", ("84", "0,0,0,-,-")), ("BH/C1", ("84", "0,0,1,-,-")), ("BH/M1", ("84", "0,1,1,-,-")),
        ("BH/C1/P", ("84", "0,0,1,P,-")), ("FB", ("84", "0,0,0,-,F")), ("SB", ("85", "0,0,0,-")),
        ("DE", ("81", "-")), ("WIN", ("68", "0,-")), ("BPG", ("68", "3,-")), ("TPR", ("88", "0")),
        ("BH/C7", ("5", "")), ("SSSC", ("5", "")),
    ],
)  # fmt: skip
def test_tie_breaks_have_their_numbers(code: str, expected: tuple[str, str]) -> None:
    assert tie_break_id(code) == expected


def test_before_the_first_round_the_xml_has_the_players(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    root = ET.fromstring(chess_results_xml(tournament_frame(tournament, runs=False)))  # noqa: S314
    assert len(root.findall("players/player")) == 4
    assert root.findall("playerpairings/playerpairing") == []


def test_the_page_gives_both_files(event: Tournament, client: Client, chief_arbiter: User) -> None:
    client.force_login(chief_arbiter)
    url = reverse("federation-files", args=[event.slug])
    assert client.get(url).status_code == 200
    xml = client.post(url, {"file": "chess-results", "key": "K1", "source": "99"})
    assert xml.headers["Content-Type"] == "application/xml"
    assert b"<key>K1</key>" in xml.content
    archive = client.post(url, {"file": "us-chess", "affiliate": "A7700001", "state": "NY"})
    with zipfile.ZipFile(io.BytesIO(archive.content)) as found:
        assert found.namelist() == [
            "THEXPORT.DBF", "TSEXPORT.DBF", "TDEXPORT.DBF", "LEFT_OUT.txt",
        ]  # fmt: skip
        assert "this result has no letter" in found.read("LEFT_OUT.txt").decode()
    refused = client.post(url, {"file": "us-chess", "affiliate": "77", "chief": "abc"})
    assert refused.status_code == 422
    assert "Enter A and seven digits." in refused.content.decode()
    assert client.post(url, {"file": "other"}).status_code == 422


def shown_in(page: str, name: str) -> str:
    """Return the hidden field with the values that the form *name* showed."""
    part = page[page.index(f'aria-labelledby="{name}-heading"') :]
    found = re.search(r'name="shown" value="([^"]*)"', part)
    assert found
    return html.unescape(found[1])


@pytest.mark.costly
def test_the_values_are_there_for_the_next_file(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url, lines = reverse("federation-files", args=[event.slug]), event.decisions.count()
    for _ in range(2):
        client.post(url, {"file": "chess-results", "key": "K1", "source": "99"})
    client.post(url, {"file": "us-chess", "affiliate": "A7700001"})
    refused = client.post(url, {"file": "us-chess", "affiliate": "A7700002", "state": "ny"})
    assert refused.status_code == 422
    page = client.get(url).content.decode()
    assert re.findall(r'value="(K1|99|A770000.)"', page) == ["K1", "99", "A7700001"]
    # The record, which everybody reads, has no line of it and no key.
    assert event.decisions.count() == lines
    client.logout()
    for name in ("record", "tournament", "regulations"):
        assert "K1" not in client.get(reverse(name, args=[event.slug])).content.decode()


@pytest.mark.costly
def test_an_old_page_does_not_overwrite_a_newer_key(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("federation-files", args=[event.slug])
    old = {
        "file": "chess-results",
        "shown": shown_in(client.get(url).content.decode(), "chess-results"),
    }
    client.post(url, old | {"key": "NEW", "source": ""})
    refused = client.post(url, old | {"key": "OLD", "source": ""})
    assert refused.status_code == 409
    assert "Key of the event “NEW”" in refused.content.decode()
    # The field that this page left alone has the newer value in the file too.
    answer = client.post(url, old | {"key": "", "source": "7"})
    assert b"<key>NEW</key>" in answer.content
    event.refresh_from_db()
    assert event.federation_ids == {"key": "NEW", "source": "7"}


@pytest.mark.costly
def test_who_may_only_read_neither_saves_nor_sees_the_key(
    event: Tournament, client: Client, stranger: User, chief_arbiter: User
) -> None:
    give(stranger, event, Role.READER)
    client.force_login(stranger)
    url = reverse("federation-files", args=[event.slug])
    assert client.post(url, {"file": "chess-results", "key": "K1"}).status_code == 403
    with pytest.raises(PermissionDenied):
        federation_ids_save(tournament_id=event.pk, actor=stranger, values={"key": "K1"})
    event.refresh_from_db()
    assert event.federation_ids == {}
    federation_ids_save(tournament_id=event.pk, actor=chief_arbiter, values={"key": "SECRET-1"})
    assert "SECRET-1" not in client.get(url).content.decode()
    client.force_login(chief_arbiter)
    assert "SECRET-1" in client.get(url).content.decode()


def test_after_a_hand_over_nothing_is_saved(event: Tournament, chief_arbiter: User) -> None:
    Tournament.objects.filter(pk=event.pk).update(handed_over_at=factories.NOW)
    federation_ids_save(tournament_id=event.pk, actor=chief_arbiter, values={"key": "K1"})
    event.refresh_from_db()
    assert event.federation_ids == {}


def test_visitors_do_not_get_the_files(event: Tournament, client: Client) -> None:
    url = reverse("federation-files", args=[event.slug])
    assert client.get(url).status_code in (302, 404)
    assert client.post(url, {"file": "us-chess"}).status_code in (302, 404)
