"""Open every tie-break value, in both editions:
the calculation on the page gives the value on the page.

The event is Held's exercise (16 players, 5 rounds) with byes, forfeits and a withdrawal.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.engine.model import Colour
from pairing.standings.codes import codes_unknown_to, parse_code
from pairing.standings.editions import EDITIONS
from pairing.standings.tie_breaks import TIE_BREAKS
from pairing.trf.document import PlayerRecord, TextRecord, TrfDocument
from pairing.trf.reader import read
from pairing.trf.writer import write
from tests.standings.fields import HELD
from tests.test_cli_standings import trf
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Tournament
from tournaments.standings.standings import ValueOpened, opened_standing
from tournaments.web.templatetags.tie_breaks import slug_of_code, tie_break_sum, tie_break_value

DAYS = {"fide-2026": "2026/06/01", "fide-2024": "2025/06/01"}
LIMITS = ("L+1", "L-2")


def every_code(edition: str) -> list[str]:
    """Return every tie-break of *edition* alone, with each of its modifiers, and a cut with /P."""
    codes = []
    for name, tie_break in TIE_BREAKS.items():
        variants = [limit for v in tie_break.modifiers for limit in (LIMITS if v == "L" else (v,))]
        codes += [name, *(f"{name}/{variant}" for variant in variants)]
        codes += [f"{name}/C1/P"] if {"C1", "P"} <= set(variants) else []
    unknown = codes_unknown_to(EDITIONS[edition])
    return [code for code in codes if code not in unknown and code.split("/")[0] not in unknown]


def held(edition: str, codes: tuple[str, ...], actor: User) -> Tournament:
    """Make Held's exercise with the tie-breaks *codes*;
    forfeited games get colours, which the paper does not give.
    """
    records = (TextRecord("042", DAYS[edition]), TextRecord("202", ",".join(codes)))
    document = read(trf(HELD, edition=edition, records=records))
    coloured = tuple(
        _coloured(record) if isinstance(record, PlayerRecord) else record
        for record in document.records
    )
    text = write(TrfDocument(coloured))
    return tournament_import_trf(actor=actor, now=factories.NOW, data=text.encode())


def _coloured(player: PlayerRecord) -> PlayerRecord:
    return replace(
        player,
        rounds=tuple(
            replace(cell, colour=Colour.WHITE if player.tpn < cell.opponent else Colour.BLACK)
            if cell is not None and cell.opponent is not None and cell.colour is None
            else cell
            for cell in player.rounds
        ),
    )


def worked_out(value: ValueOpened) -> float:
    """Return the result of the calculation on the page."""
    line = tie_break_sum(value).partition("=")[2]
    line = re.sub(r" \((\d\.\d\d)\)$", "", line)  # of TPR: the fraction beside the difference
    line = re.sub(r"(\d*)½", lambda found: f"{found[1] or 0}.5", line)
    assert re.fullmatch(r"[\d .+×:()-]+", line), line
    return float(eval(line.replace("×", "*").replace(":", "/")))  # noqa: S307  digits and signs alone


@pytest.mark.costly
@pytest.mark.parametrize("edition", sorted(DAYS))
def test_every_value_is_the_result_of_its_calculation(
    edition: str, chief_arbiter: User, client: Client
) -> None:
    seen = 0
    everything = every_code(edition)
    for codes in (tuple(everything[start : start + 15]) for start in range(0, len(everything), 15)):
        tournament = held(edition, codes, chief_arbiter)
        assert (tournament.tie_breaks, tournament.tie_break_edition) == (",".join(codes), edition)
        frame = tournament_frame(tournament, runs=False)
        for tpn in range(1, 17):
            opened = opened_standing(
                frame, after_round=5, entry_id=factories.entry_of(tournament, tpn).pk
            )
            assert opened is not None
            page = client.get(factories.player_address(tournament, tpn, after=5)).content.decode()
            for value in opened.values:
                code = parse_code(value.column.code, EDITIONS[edition])
                assert f'id="{slug_of_code(value.column.code)}"' in page
                shown = tie_break_value(value.amount)
                assert f"{value.column.code} {shown}</h2>" in page
                assert f"[C.07 {code.tie_break.article}" in page
                seen += 1
                if (
                    not value.parts
                    or value.amount.amount is None
                    or "=" not in tie_break_sum(value)
                ):
                    # A place among tied players, a value of the player's own, or no value: there is
                    # no sum
                    continue
                if code.tie_break.code == "PTP":
                    continue  # found by trying ratings
                exact = value.amount.amount / value.amount.scale
                assert abs(worked_out(value) - exact) <= (
                    0.5 if code.tie_break.needs_ratings else 0.006
                ), (tpn, code)
    assert seen == 16 * len(every_code(edition))


def test_c07_16_4_1_the_page_has_helds_published_values_and_those_of_today(
    chief_arbiter: User, client: Client
) -> None:
    """Player 11 won by forfeit against 9 (1½ points):
    the dummy of 2024 is worth 2½, the dummy of 2026 at most 1½.
    """
    lines = {
        "fide-2024": "13½ = 3½ + 3½ + 2½ + 2½ + 1½",
        "fide-2026": "12½ = 3½ + 3½ + 2½ + 1½ + 1½",
    }
    for edition, line in lines.items():
        tournament = held(edition, ("BH", "SB"), chief_arbiter)
        page = client.get(factories.player_address(tournament, 11, after=5)).content.decode()
        assert line in page
    assert "forfeited: dummy opponent worth at most as much as the opponent [C.07 16.4.1]" in page


def test_c07_10_3_the_page_names_a_player_without_points(
    chief_arbiter: User, client: Client
) -> None:
    tournament = held("fide-2026", ("PTP", "ARO/C2"), chief_arbiter)
    page = client.get(factories.player_address(tournament, 12, after=5)).content.decode()
    assert "1250 = 2050 − 800: no points scored" in page
    assert "All parts are cut: the tie-break has no value." in page
