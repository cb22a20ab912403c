"""Rating lists: formats, faults, and the list that is in use."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.long_work import lose
from tools.rating_list import main as write_invented
from tournaments.core import jobs
from tournaments.core.errors import Conflict
from tournaments.lists.rating_lists import loading
from tournaments.lists.rating_lists.list_file import ListFile
from tournaments.lists.rating_lists.loading import (
    list_begin,
    list_cancel,
    list_load,
    problem_of,
    replaced_by,
)
from tournaments.lists.rating_lists.replacing import list_discard, list_use, waiting_lists
from tournaments.lists.rating_lists.search import lists_in_use, search_lists
from tournaments.models import RatingList, Tournament

from .conftest import HEAD, NATIONAL, PLAYERS, Load, packed, text_list, xml_list

pytestmark = pytest.mark.on_postgres("many rows in one statement")


@pytest.mark.parametrize(
    "data, name",
    [
        (text_list(), "players_list_foa.txt"),
        (xml_list(), "players_list_xml_foa.xml"),
        (packed("players_list_foa.txt", text_list()), "players_list.zip"),
        (packed("players_list_xml_foa.xml", xml_list()), "players_list_xml.zip"),
    ],
)
def test_every_format_of_fide_gives_the_same_players(load: Load, data: bytes, name: str) -> None:
    row = load(data, name)
    assert (row.state, row.is_current, row.players, row.federation, row.rate) == (
        "loaded",
        True,
        5,
        "",
        "",
    )
    file = ListFile(row.path)
    assert [file.player(number)[:6] for number in (1, 3)] == [  # type: ignore[index]
        (2000016, "", "Abara, Player 1", "FRA", "m", "GM"),
        (2000032, "", "Łukasiewicz-Brandt, Zoë Ann", "POL", "w", ""),
    ]
    assert file.player(4)[6:12] == ("1975", "", 0, 2210, 0, 0)  # type: ignore[index]


def test_a_list_for_one_rate_has_its_ratings_and_month_under_the_heading(load: Load) -> None:
    head = HEAD.replace("SRtng", "NOV26").replace("RRtng", "Gms  ").replace("BRtng", "K    ")
    row = load(text_list(head=head), "rapid_rating_list.txt")
    assert (row.rate, row.month) == ("rapid", date(2026, 11, 1))
    assert ListFile(row.path).player(1)[8:11] == (0, 2450, 0)  # type: ignore[index]


@pytest.mark.parametrize(
    "name, given, month",
    [
        ("standard_oct26frl.txt", None, date(2026, 10, 1)),
        ("standard_oct26frl.txt", date(2026, 9, 17), date(2026, 9, 1)),
        ("players.txt", None, date(2026, 11, 1)),
    ],
)
def test_the_month_is_the_given_one_else_that_of_the_file_else_the_present(
    load: Load, name: str, given: date | None, month: date
) -> None:
    assert load(text_list(), name, month=given).month == month


LONG = b"<playerslist><player><name>" + b"x" * 5_000_000
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b '
    b'"&a;&a;">]><playerslist><player><name>&b;</name>'
)


@pytest.mark.parametrize(
    "data, name, sentence",
    [
        (b"", "l.txt", "The file is empty."),
        (xml_list()[:-40], "l.xml", "Line 7, column 193: the XML cannot be read"),
        (text_list()[:-150], "l.txt", "Line 6: the last line is incomplete."),
        (BOMB, "l.xml", "Line 1: the file declares a document type."),
        (LONG, "l.xml", "Line 1: this line or element is far too long"),
        (b"<p " + b"a" * 3_000_000, "l.xml", "Line 1: this line or element is far too long"),
        (b"ID Number Name Fed\n" + b"x" * 100_000, "l.txt", "Line 2: this line or element is far too long"),
        (b"Nom;Club\nPetit;Mat\n", "l.csv", "Line 1: there is no rating column"),
        (b"Nom;Elo\nPetit;1500\nGr", "l.csv", "Line 3: the last line is incomplete."),
        (b"Nom;Elo\nPe\0tit;1500\n", "l.csv", "Line 2: a zero byte"),
        (b"Club;Elo\nMat;1500\n", "l.csv", "Line 1, column 1: there is no name column."),
        (b"PK\x03\x04 broken", "l.zip", "The packed file cannot be unpacked."),
        (packed("l.txt", text_list())[:-30], "l.zip", "The packed file cannot be unpacked."),
        (packed("l.txt", b"0" * 40_000_000), "l.zip", "The packed file would unpack to far more than its size"),
        (packed("l.exe", b"0"), "l.zip", "The packed file must contain one list (.xml,"),
        (text_list([]), "l.txt", "The file contains no players."),
        (text_list([(number, "", "FRA", "M", "", 1, 0, 0, 1990) for number in range(101)]), "l.txt",
         "Line 2: more than 100 lines cannot be read. The first is this one: Line 2: the name is missing."),
    ],
)  # fmt: skip
def test_a_bad_file_says_where_and_changes_nothing(
    load: Load, data: bytes, name: str, sentence: str
) -> None:
    used = load(text_list())
    row = load(data, name, federation="FRA")
    assert (row.state, row.is_current) == ("failed", False)
    assert problem_of(row).startswith(sentence)
    assert lists_in_use() == [used]
    assert [file.name for file in used.path.parent.iterdir()] == [used.path.name]


def test_a_packed_file_with_a_flipped_bit_is_refused(load: Load) -> None:
    data = bytearray(packed("l.txt", text_list()))
    data[60] ^= 1
    assert load(bytes(data), "l.zip").state == "failed"


def test_single_lines_that_cannot_be_read_are_left_out_and_counted(load: Load) -> None:
    row = load(text_list([*PLAYERS, (2000067, "Weiss, Odd", "FRA", "M", "", "25x0", 0, 0, 1990)]))
    assert (row.state, row.players, row.left_out) == ("loaded", 5, 1)
    assert problem_of(row) == "Line 7: “25x0” is not a rating or FIDE ID."


def test_names_with_wrong_letters_are_named_and_stay_in_the_list(
    load: Load, administrator: User, client: Client
) -> None:
    text = "Nom;Elo\nPetit, Zoé;1500\nMÃ¼ller, JÃ¶rg;1600\nFranÃ§ois, Ã‰lise;1700\n"
    expected = (
        "Names with wrong letters: 2. The first is “MÃ¼ller, JÃ¶rg”, which probably means "
        "“Müller, Jörg”."
    )
    row = load(text.encode(), "l.csv", federation="FRA")
    assert (row.players, row.left_out, problem_of(row)) == (3, 0, expected)
    row = load(f"{text}Weiss, Odd;25x0\n".encode(), "l.csv", federation="FRA")
    assert (row.players, row.left_out) == (3, 1)
    assert problem_of(row) == f"Line 5: “25x0” is not a rating or FIDE ID. {expected}"
    client.force_login(administrator)
    assert expected in client.get(reverse("rating-lists")).content.decode()


def test_a_new_list_replaces_the_one_before_whose_file_stays(
    load: Load, tournament: Tournament
) -> None:
    oldest = load(text_list())
    old = load(text_list(), now=factories.NOW + timedelta(days=1))
    new = load(text_list([PLAYERS[0], *PLAYERS[2:]]), now=factories.NOW + timedelta(days=2))
    national = load(NATIONAL.encode(), "f.csv", federation="FRA")
    assert lists_in_use() == [new, national]
    assert [each.path.exists() for each in (oldest, old, new)] == [False, True, True]
    assert replaced_by(new) == old
    assert search_lists(tournament, "blomqvist") == []


def test_cancelling_keeps_the_list_before(
    load: Load, tmp_path: Path, administrator: User, tournament: Tournament
) -> None:
    used = load(text_list())
    row = list_begin(actor=None, now=factories.NOW, origin="list.txt")
    list_cancel(list_id=row.pk, actor=administrator)
    times = iter(factories.NOW + timedelta(seconds=2 * number) for number in range(100))
    (tmp_path / "new").write_bytes(text_list())
    assert (
        list_load(list_id=row.pk, source=tmp_path / "new", clock=lambda: next(times)).state
        == "cancelled"
    )
    assert lists_in_use() == [used]
    assert not row.path.exists()
    with pytest.raises(Conflict):
        list_cancel(list_id=row.pk, actor=administrator)


def test_cancelling_at_the_last_moment_counts(
    load: Load, administrator: User, tournament: Tournament, tmp_path: Path
) -> None:
    used = load(text_list())
    row = list_begin(actor=None, now=factories.NOW, origin="list.txt")
    list_cancel(list_id=row.pk, actor=administrator)
    (tmp_path / "new").write_bytes(text_list())
    assert (
        list_load(list_id=row.pk, source=tmp_path / "new", clock=lambda: factories.NOW).state
        == "cancelled"
    )
    assert lists_in_use() == [used]


def test_one_list_is_loaded_at_a_time_and_an_interrupted_one_does_not_stop_the_next(
    db: None,
) -> None:
    first = list_begin(actor=None, now=factories.NOW, origin="one.txt")
    with pytest.raises(Conflict):
        list_begin(actor=None, now=factories.NOW, origin="two.txt")
    assert jobs.take_here("rating_list") is not None
    lose()
    list_begin(actor=None, now=factories.NOW, origin="two.txt")
    first.refresh_from_db()
    assert problem_of(first) == "The loading was interrupted. Start it again."


def test_a_much_smaller_list_waits_until_an_administrator_decides(
    load: Load, tournament: Tournament, stranger: User, deputy: User
) -> None:
    used = load(text_list())
    small = load(text_list(PLAYERS[:1]))
    assert (small.state, lists_in_use()) == ("waiting", [used])
    assert [hit.row.name for hit in search_lists(tournament, "blomqvist")] == [
        "Blomqvist, Player 2"
    ]
    assert waiting_lists() == [(small, used)]
    given: dict[str, Any] = {"list_id": small.pk, "now": factories.NOW}
    with pytest.raises(PermissionDenied):
        list_use(**given, actor=stranger)
    with pytest.raises(PermissionDenied):
        list_discard(list_id=small.pk, actor=stranger)
    with pytest.raises(Conflict, match="Another list is in use"):
        list_use(**given, actor=deputy, seen_current=used.pk + 100)
    assert lists_in_use() == [used]
    for _ in range(2):
        assert list_use(**given, actor=deputy, seen_current=used.pk) == small
    assert lists_in_use() == [small]
    # And back, also without having seen the page.
    assert list_use(list_id=used.pk, actor=None, now=factories.NOW) == used
    assert (lists_in_use(), replaced_by(used)) == ([used], small)


@pytest.mark.costly
def test_a_list_that_waits_is_discarded_or_followed_by_a_better_one(
    load: Load, deputy: User
) -> None:
    used, small = load(text_list()), load(text_list(PLAYERS[:1]))
    list_discard(list_id=small.pk, actor=deputy)
    assert (waiting_lists(), lists_in_use(), small.path.exists()) == ([], [used], False)
    for action in (
        lambda: list_discard(list_id=small.pk, actor=deputy),
        lambda: list_use(list_id=small.pk, actor=deputy, now=factories.NOW),
    ):
        with pytest.raises(Conflict, match="cannot be used any more"):
            action()
    small = load(text_list(PLAYERS[:1]))
    new = load(text_list())
    small.refresh_from_db()
    assert (small.state, lists_in_use(), small.path.exists()) == ("cancelled", [new], False)


@pytest.mark.parametrize("players, state", [(4, "loaded"), (3, "waiting")])
def test_a_list_may_shrink_by_a_fifth(load: Load, players: int, state: str) -> None:
    load(text_list())
    assert load(text_list(PLAYERS[:players])).state == state


def test_the_command_asks_too_and_goes_back(db: None, tmp_path: Path, capsys: Any) -> None:
    for name, players in (("all", PLAYERS), ("one", PLAYERS[:1])):
        (tmp_path / f"{name}.txt").write_bytes(text_list(players))
    with pytest.raises(CommandError, match="There is no list before"):
        call_command("load_ratings", "--back")
    call_command("load_ratings", str(tmp_path / "all.txt"))
    (used,) = lists_in_use()
    with pytest.raises(CommandError, match=r"The list has 1 players, the one in use .* has 5"):
        call_command("load_ratings", str(tmp_path / "one.txt"))
    assert (lists_in_use(), waiting_lists()) == ([used], [])
    call_command("load_ratings", str(tmp_path / "one.txt"), "--smaller")
    assert [each.players for each in lists_in_use()] == [1]
    call_command("load_ratings", "--back")
    assert lists_in_use() == [used]
    assert "5 players are in use again" in capsys.readouterr().out


def test_every_chief_arbiter_loads_lists_if_the_site_allows_it(
    tournament: Tournament, chief_arbiter: User, stranger: User, settings: Any
) -> None:
    settings.RATING_LISTS_BY_ARBITERS = True
    with pytest.raises(PermissionDenied):
        list_begin(actor=stranger, now=factories.NOW, origin="one.txt")
    assert (
        list_begin(actor=chief_arbiter, now=factories.NOW, origin="one.txt").loaded_by
        == chief_arbiter
    )


def test_only_site_administrators_load_lists(
    tournament: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    deputy.is_staff = False
    for actor in (chief_arbiter, deputy, stranger):
        with pytest.raises(PermissionDenied):
            list_begin(actor=actor, now=factories.NOW, origin="one.txt")
    stranger.is_staff = True
    row = list_begin(actor=stranger, now=factories.NOW, origin="one.txt")
    with pytest.raises(PermissionDenied):
        list_cancel(list_id=row.pk, actor=deputy)


@pytest.mark.costly
def test_the_command_loads_a_file_and_says_what_went_wrong(
    db: None, tmp_path: Path, capsys: Any
) -> None:
    write_invented([str(tmp_path / "list.xml.zip"), "--rows", "2000"])
    call_command("load_ratings", str(tmp_path / "list.xml.zip"), "--month", "2026-10")
    assert "FIDE 2026-10: 2000 players are loaded and in use." in capsys.readouterr().out
    (tmp_path / "bad.xml").write_bytes(b"<playerslist>")
    with pytest.raises(CommandError, match="the XML cannot be read"):
        call_command("load_ratings", str(tmp_path / "bad.xml"))
    with pytest.raises(CommandError, match="There is no file"):
        call_command("load_ratings", str(tmp_path / "none.xml"))
    assert RatingList.objects.filter(is_current=True).count() == 1


@pytest.mark.parametrize(
    "url, sentence",
    [
        ("file:///etc/passwd", "This is not an address"),
        ("ftp://example.org/l.zip", "This is not an address"),
        ("http://user:secret@example.org/l.zip", "This is not an address"),
        ("http://127.0.0.1:9/l.zip", "The address is in a private network."),
        ("http://[::1]:9/l.zip", "The address is in a private network."),
        ("http://[::ffff:10.0.0.1]/l.zip", "The address is in a private network."),
        ("http://169.254.169.254/latest", "The address is in a private network."),
        ("http://localhost:9/l.zip", "The address is in a private network."),
    ],
)
def test_addresses_inside_the_network_of_the_server_are_refused(
    db: None, url: str, sentence: str
) -> None:
    row = list_begin(actor=None, now=factories.NOW, origin=url)
    done = list_load(list_id=row.pk, source=url, clock=lambda: factories.NOW)
    assert done.state == "failed"
    assert problem_of(done).startswith(sentence)


def test_rows_of_earlier_loadings_are_kept_in_a_small_number(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "KEPT_LINES", 2)
    for _ in range(5):
        load(b"", "l.txt")
    assert RatingList.objects.count() <= 3


def test_c04_2_2_2_2_no_list_of_fide_has_a_rating_below_100(load: Load) -> None:
    row = load(text_list([*PLAYERS, (2000067, "Weiss, Odd", "FRA", "M", "", 99, 0, 0, 1990)]))
    assert (row.state, row.players, row.left_out) == ("loaded", 5, 1)
