"""Search in the rating lists: words in any order, without accents, or an identifier."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.tournaments import factories
from tools.rating_list import main as write_invented
from tools.rating_list_search import main as measure_searches
from tournaments.lists.rating_lists.list_file import words
from tournaments.lists.rating_lists.loading import list_begin, list_load, problem_of
from tournaments.lists.rating_lists.search import find_listed, search_lists
from tournaments.models import Tournament

from .conftest import NATIONAL, Load, packed, text_list


@pytest.mark.parametrize(
    "query, found",
    [
        ("lukasiewicz", [2000032]),
        ("ŁUKAS", [2000032]),
        ("zoe luka", [2000032]),
        ("a b z l", [2000032]),
        ("brandt", [2000059, 2000032]),
        ("brandt l", [2000059, 2000032]),
        ("lukasiewicz-brandt", [2000032]),
        ("o'hara", [2000040]),
        ("ohara sean", [2000040]),
        ("sean", [2000040]),
        ("20000", [2000016, 2000024, 2000032, 2000040, 2000059]),
        ("2000024", [2000024]),
        ("ukasiewicz", []),
        ("brandt x", []),
        ("", []),
        ("%", []),
        ("'", []),
        ("x" * 5_000, []),
    ],
)
def test_words_in_any_order_without_accents_or_an_identifier(
    load: Load, tournament: Tournament, query: str, found: list[int]
) -> None:
    load(text_list())
    assert [hit.row.fide_id for hit in search_lists(tournament, query)] == found


def test_surnames_come_before_first_names() -> None:
    assert words("O’Brien-Łos, Ján  Mária") == ["obrien", "los", "jan", "maria"]


@pytest.mark.costly
def test_a_hit_has_the_ratings_of_fide_and_of_the_federation(
    load: Load, chief_arbiter: Any
) -> None:
    tournament = factories.make_tournament(chief_arbiter, federation="FRA")
    load(text_list())
    load(NATIONAL.encode(), "f.csv", federation="FRA")
    load(NATIONAL.replace("2431", "1111").encode(), "g.csv", federation="SWE")
    (hit,) = search_lists(tournament, "abara")
    assert hit.values == {
        "name": "Abara, Player 1", "fide_id": 2000016, "federation": "FRA", "sex": "m", "title": "GM",
        "birth_date": "1990", "fide_rating": 2450, "national_rating": 2431, "club": "Mat à Lyon",
        "national_id": "A12345", "rating_list": "FIDE 2026-11; FRA 2026-11",
    }  # fmt: skip
    assert find_listed(tournament, hit.key) == hit
    (petit,) = search_lists(tournament, "b00007")
    assert petit.values == {
        "name": "Petit, Noël", "federation": "FRA", "national_rating": 1499, "club": "Échiquier",
        "national_id": "B00007", "rating_list": "FRA 2026-11",
    }  # fmt: skip


def test_a_national_list_without_fide_ids_is_joined_by_name_and_year_of_birth(
    load: Load, chief_arbiter: Any
) -> None:
    tournament = factories.make_tournament(chief_arbiter, federation="FRA")
    load(text_list())
    national = (
        "Nom;Prénom;Né;Elo\nABARA;Player 1;1990;2398\nBlomqvist;Player "
        "2;1970;2300\nO'Hara;Séan;;2100\n"
    )
    load(national.encode(), "f.csv", federation="FRA")
    (hit,) = search_lists(tournament, "abara")
    assert (hit.fide_rating, hit.national_rating, hit.values["fide_id"]) == (2450, 2398, 2000016)
    # Another year, or an unknown one, may be another person.
    assert [(each.fide_rating, each.national_rating) for each in search_lists(tournament, "blomq")] == [
        (2395, None), (None, 2300),
    ]  # fmt: skip
    assert len(search_lists(tournament, "ohara")) == 2


@pytest.mark.parametrize("rate, rating", [("standard", None), ("rapid", 2210), ("blitz", None)])
def test_the_rating_is_that_of_the_rate_of_play(
    load: Load, tournament: Tournament, rate: str, rating: int | None
) -> None:
    tournament.rate_of_play = rate
    load(text_list())
    (hit,) = search_lists(tournament, "o'hara")
    assert hit.fide_rating == rating


def test_without_a_rapid_rating_the_standard_one_is_taken(
    load: Load, tournament: Tournament
) -> None:
    tournament.rate_of_play = "rapid"
    load(text_list())
    (hit,) = search_lists(tournament, "blomqvist")
    assert hit.fide_rating == 2395


def test_a_second_method_keeps_the_standard_rating_out_of_the_first(
    load: Load, tournament: Tournament
) -> None:
    tournament.rate_of_play, tournament.second_rating_method = "rapid", "fide_standard"
    load(text_list())
    (hit,) = search_lists(tournament, "blomqvist")
    assert (hit.fide_rating, hit.second_rating) == (None, 2395)
    assert "fide_rating" not in hit.values
    assert hit.values["second_rating"] == 2395


@pytest.mark.parametrize("key", ["", "-", "x-1", "1", "-99999999999999999999"])
def test_a_key_of_no_list_finds_nobody(load: Load, tournament: Tournament, key: str) -> None:
    row = load(text_list())
    assert find_listed(tournament, key) is None
    assert find_listed(tournament, f"{row.key}-99") is None
    assert find_listed(tournament, f"{row.key}-²") is None


class Answers(BaseHTTPRequestHandler):
    """A list, a redirect to it, one that never ends, and one that is cut off."""

    def do_GET(self) -> None:
        data = packed("standard_oct26frl.txt", text_list())
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/list.zip")
        elif self.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
        elif self.path == "/out":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
        elif self.path == "/missing":
            self.send_response(404)
        else:
            self.send_response(200)
            self.send_header("Content-Length", str(len(data) + (10 if self.path == "/cut" else 0)))
        self.end_headers()
        if self.path in ("/list.zip", "/cut"):
            self.wfile.write(data)

    def log_message(self, *expected: Any) -> None:
        pass


@pytest.fixture
def server(settings: Any) -> Iterator[str]:
    settings.RATING_LISTS_FROM_PRIVATE = True
    with HTTPServer(("127.0.0.1", 0), partial(Answers)) as site:
        Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()


@pytest.mark.parametrize(
    "path, state, problem",
    [
        ("/list.zip", "loaded", ""),
        ("/moved", "loaded", ""),
        ("/loop", "failed", "The file could not be downloaded (HTTP 310)."),
        ("/out", "failed", "This is not an address"),
        ("/missing", "failed", "The file could not be downloaded (HTTP 404)."),
        ("/cut", "failed", "The file could not be downloaded ("),
    ],
)
def test_a_list_is_loaded_from_an_address(
    db: None, server: str, path: str, state: str, problem: str
) -> None:
    row = list_begin(actor=None, now=factories.NOW, origin=server + path)
    done = list_load(list_id=row.pk, source=server + path, clock=lambda: factories.NOW)
    assert (done.state, problem_of(done)[: len(problem)]) == (state, problem)


@pytest.mark.costly
def test_the_measurement_of_searches_takes_a_relative_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_invented(["list.txt", "--rows", "50"])
    assert measure_searches(["list.txt"]) == 0
    assert "typed: " in capsys.readouterr().out


@pytest.mark.costly
def test_a_list_for_each_rate_of_play_is_joined_by_the_number_of_the_federation(
    load: Load, chief_arbiter: Any
) -> None:
    head = "Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S"
    for name, rating in (("KLASSIEK.csv", 2001), ("RAPID.csv", 1950), ("SNEL.csv", 1899)):
        data = f"{head}\n770001;Duinstra, Zoe;;NED;{rating};9;2009;w\n".encode()
        assert load(data, name).state == "loaded"
    tournament = factories.make_tournament(chief_arbiter, federation="NED", rate_of_play="rapid")
    (hit,) = search_lists(tournament, "duinstra")
    assert (hit.national_rating, hit.values["rating_list"]) == (1950, "NED 2026-11 rapid")
    tournament = factories.make_tournament(
        chief_arbiter,
        federation="NED",
        rate_of_play="blitz",
        second_rating_method="national_standard",
    )
    (hit,) = search_lists(tournament, "770001")
    assert (hit.national_rating, hit.second_rating) == (1899, 2001)
    # FIDE's list has the same player: the national row belongs to it, whatever the list.
    load(text_list([(2000067, "Duinstra, Zoe", "NED", "F", "", 1850, 0, 0, 2009)]))
    (hit,) = search_lists(tournament, "duinstra")
    assert (hit.fide_rating, hit.national_rating, hit.second_rating) == (None, 1899, 2001)


def test_a_rating_of_fide_in_a_national_list_counts_where_fides_list_is_not_loaded(
    load: Load, chief_arbiter: Any
) -> None:
    data = (
        "ID_No,Name,Sex,Fed,ClubName,Birthday,Rtg_Nat,Fide_No,Rtg_Int\n"
        '8,"Amsteg, Reto",,SUI,X,1977,2011,2000059,1999\n'
    )
    load(data.encode(), "list.csv", federation="SUI")
    tournament = factories.make_tournament(chief_arbiter, federation="SUI")
    (hit,) = search_lists(tournament, "amsteg")
    assert (hit.fide_rating, hit.national_rating) == (1999, 2011)
    assert hit.values["rating_list"] == "SUI 2026-11"
    # FIDE's own list says that the player has no rating.
    load(text_list([(2000059, "Amsteg, Reto", "SUI", "M", "", 0, 0, 0, 1977)]))
    (hit,) = search_lists(tournament, "amsteg")
    assert (hit.fide_rating, hit.national_rating) == (None, 2011)
