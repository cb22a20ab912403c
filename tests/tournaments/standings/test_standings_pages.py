"""The standings page: the columns of the list, and the calculation of every value."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pairing.standings.definition import TieBreak
from pairing.standings.tie_breaks import TIE_BREAKS
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.core.errors import BadInput
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.standings import StandingLine, opened_standing, standings
from tournaments.web.standings.standings import deciding_amounts
from tournaments.web.templatetags.tie_breaks import deciding, tie_break_name, tie_break_value


@pytest.fixture
@factories.cached
def five(chief_arbiter: User) -> Tournament:
    """Two rounds of five players, with one allocated bye in each."""
    tournament = factories.make_ready(chief_arbiter, players=5)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    return tournament


def announce(tournament: Tournament, codes: str, edition: str = "fide-2026") -> Tournament:
    """Set the announced tie-breaks of *tournament* to this list."""
    Tournament.objects.filter(pk=tournament.pk).update(
        tie_breaks=codes, tie_break_edition=edition, public_version=F("public_version") + 1
    )
    tournament.refresh_from_db()
    return tournament


def text(client: Client, name: str, *arguments: object) -> str:
    response = client.get(reverse(name, args=arguments))
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_has_the_columns_of_the_list_and_names_its_origin(
    five: Tournament, client: Client
) -> None:
    page = text(client, "standings", five.slug)
    for code, title in (
        ("BH/C1", "Buchholz, Cut-1 [C.07 8.1]"),
        ("BH", "Buchholz [C.07 8.1]"),
        ("DE", "Direct Encounter [C.07 6]"),
        ("WIN", "7.1]"),
    ):
        assert f">{code}</abbr>" in tidy(page)
        assert title in page
    assert "These tie-breaks are the default of the program" in page
    announce(five, "PS,WON")
    other = text(client, "standings-after", five.slug, 2)
    assert ">PS</abbr>" in tidy(other)
    assert ">BH</abbr>" not in tidy(other)
    assert "These tie-breaks are the default of the program" not in other


def test_c07_16_4_2_a_value_is_opened_with_its_calculation_and_articles(
    five: Tournament, client: Client
) -> None:
    seen = standings(tournament_frame(five, runs=False), after_round=2).lines
    frame = tournament_frame(five, runs=False)
    opened = [opened_standing(frame, after_round=2, entry_id=line.entry_id) for line in seen]
    for player in opened:
        assert player is not None
        buchholz = next(value for value in player.values if value.column.code == "BH")
        assert buchholz.amount.amount == sum(part.part.amount for part in buchholz.parts)
        page = text(client, "player-standing", five.slug, 2, player.line.entry_id)
        assert player.line.name in page
        assert "BH/C1" in page
    with_bye = next(
        player
        for player in opened
        if player and any(part.opponent == "" for part in player.values[1].parts)
    )
    page = text(client, "player-standing", five.slug, 2, with_bye.line.entry_id)
    assert "[C.07 16.4" in page
    assert "not played: dummy" in page


@pytest.mark.costly
@pytest.mark.parametrize(
    "codes",
    ["AOB,FB/C1,SB/C1,KS,PS/C1,REP,STD,TPN/R,DE/P,BH/M1/P", "ARO/C1,TPR,PTP,APRO,APPO,RTNG/R", ""],
)
def test_every_kind_of_value_can_be_opened(codes: str, five: Tournament, client: Client) -> None:
    announce(five, codes)
    for tpn in range(1, 6):
        page = text(client, "player-standing", five.slug, 2, factories.entry_of(five, tpn).pk)
        for code in filter(None, codes.split(",")):
            assert f"{code} " in page
    assert client.get(reverse("player-standing", args=[five.slug, 2, 10**9])).status_code == 404
    assert client.get(factories.player_address(five, 1, after=3)).status_code == 404


@pytest.mark.costly
def test_c07_10_the_page_names_the_tie_breaks_that_do_not_count(
    five: Tournament, client: Client
) -> None:
    announce(five, "ARO,BH")
    Entry.objects.filter(tournament=five, tpn=3).update(fide_rating=None, rating=0)
    page = text(client, "standings", five.slug)
    assert "ARO: not used" in page
    assert ">BH</abbr>" in tidy(page)


def test_c07_14_the_name_of_a_code_has_its_modifiers(five: Tournament, client: Client) -> None:
    page = client.get(factories.player_address(five, 1, after=2)).content.decode()
    for code, name in (
        ("BH/C1", "Buchholz, Cut-1"),
        ("BH", "Buchholz"),
        ("DE", "Direct Encounter"),
    ):
        heading = re.search(
            rf'<h2 id="[^"]*">{code} .*?</h2>\s*<p class="small muted">(.*?) \[C\.07', page
        )
        assert heading
        assert heading[1] == name
    french = client.get(
        factories.player_address(five, 1, after=2), headers={"Accept-Language": "fr"}
    )
    assert "Confrontation directe [C.07 6]" in french.content.decode()
    assert "Nombre de victoires" in french.content.decode()


@pytest.mark.parametrize("tie_break", TIE_BREAKS.values())
def test_every_tie_break_has_a_name_in_both_languages(tie_break: TieBreak) -> None:
    for modifier in ("", *tie_break.modifiers):
        code = f"{tie_break.code}/{modifier}".rstrip("/").replace("/L", "/L+1")
        with override("en"):
            assert tie_break_name(code).startswith(tie_break.name)
        with override("fr"):
            assert tie_break_name(code)


@pytest.mark.costly
def test_c07_6_a_direct_encounter_of_players_who_have_not_met_shows_nothing(
    client: Client, chief_arbiter: User
) -> None:
    """Both share first place as if the tie-break had separated them;
    players who met and drew have a real place.
    """
    tournament = factories.make_ready(chief_arbiter, players=8, rounds=3)
    factories.play_rounds(
        tournament, [1], chief_arbiter, lambda *board: "==" if board[0] == 1 else "10"
    )
    announce(tournament, "DE")
    lines = standings(tournament_frame(tournament, runs=False), after_round=1).lines
    shown = {line.tpn: tie_break_value(line.values[0]) for line in lines}
    # 1 and 5 drew; the three winners of the other boards have not met, nor have the three losers.
    assert shown == {1: "1", 5: "1"} | dict.fromkeys((2, 3, 4, 6, 7, 8), "–")
    page = client.get(factories.player_address(tournament, 2, after=1)).content.decode()
    assert "no game between them counts" in page
    places = client.get(f"/api/v1/tournaments/{tournament.slug}/standings/").json()["standings"]
    assert {line["tie_breaks"][0]["value"] for line in places} == {1, None}


def test_c07_2024_the_edition_of_the_tournament_decides(five: Tournament, client: Client) -> None:
    assert "C.07, applied from 1 March 2026" in text(client, "standings", five.slug)
    announce(five, "BH", "fide-2024")
    assert "C.07, applied from 1 August 2024" in text(client, "standings", five.slug)


def test_an_invalid_list_is_refused_with_a_sentence(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)

    def refused(codes: str) -> str:
        with pytest.raises(BadInput) as caught:
            tournament_update(
                tournament_id=tournament.pk,
                actor=chief_arbiter,
                now=factories.NOW,
                tie_breaks=codes,
            )
        tournament.refresh_from_db()
        assert tournament.tie_breaks == "BH/C1,BH,SB,DE,WIN"
        return str(caught.value)

    assert "There is no tie-break “XYZ”" in refused("BH,XYZ")
    assert "DE is in the list twice, at places 1 and 3." in refused("DE,BH,DE")
    Entry.objects.filter(tournament=tournament, tpn=2).update(fide_rating=None, rating=0)
    assert (
        refused("ARO,BH")
        == "ARO cannot be used: these players have no rating: Blomqvist, Player 2."
    )
    changed = tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, tie_breaks="bh/c1, sb"
    )
    assert changed.tie_breaks == "BH/C1,SB"


@pytest.mark.parametrize("codes", ["BH/C1,BH,SB,DE,WIN", "ARO,SB/C1", "DE,PS,TPN/R", ""])
@pytest.mark.parametrize("edition", ["fide-2026", "fide-2024"])
def test_the_exported_file_alone_gives_the_same_ranks(
    codes: str, edition: str, five: Tournament, chief_arbiter: User
) -> None:
    """Write the file, read it, and rank again by the list of its own record 202."""
    if edition == "fide-2024":
        codes = codes.replace(",TPN/R", "")
    found = event_recheck(announce(five, codes, edition)).found
    assert found is not None
    assert (found.ranks, found.rank_differences, found.points_differences) == (5, (), ())


def _line(entry: int, rank: int, points: int, *amounts: int) -> StandingLine:
    units = [("BH", 10), ("SB", 10), ("WIN", 10)]
    player = (entry, entry, f"P{entry}", "", "", "", None, 0)
    return StandingLine(units, rank, False, *player, points, amounts, (), False)


def test_a_phone_names_the_tie_break_that_ranks_equal_looking_rows_apart() -> None:
    """A phone shows points and the first tie-break: rows 1 and 2, 3 and 4 look equal there."""
    lines = [
        _line(1, 1, 30, 120, 90, 30),
        _line(2, 2, 30, 120, 80, 30),
        _line(3, 3, 20, 110, 70, 20),
        _line(4, 4, 20, 110, 70, 10),
        _line(5, 5, 20, 100, 60, 10),
        _line(6, 5, 20, 100, 60, 10),
        _line(7, 7, 10, 100, 60, 10),
    ]
    found = {
        entry: [(each.code, each.amount) for each in amounts]
        for entry, amounts in deciding_amounts(lines, {2, 3}).items()
    }
    assert found == {1: [("SB", 90)], 2: [("SB", 80)], 3: [("WIN", 20)], 4: [("WIN", 10)]}
    assert list(deciding_amounts(lines, {4, 5})) == [3, 4]
    assert deciding_amounts([], {1}) == {}
    text = str(deciding(lines[0], deciding_amounts(lines, {1})))
    assert text == ' <span class="only-narrow muted small">SB 9</span>'
    assert deciding(lines[4], deciding_amounts(lines, {5})) == ""
