"""Bad input about standings is refused with a code or a line, wherever it is given;
nothing is saved or guessed.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.test_cli_standings import SIX, trf
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.lists.imports.entry_lists import trf_preview
from tournaments.models import Decision, Entry, Tournament

LIST = "202 BH/C1,BH,SB,DE,WIN"
MESSAGES = {
    "BH,XYZ": "There is no tie-break “XYZ”; known: DE WIN",
    "DE,BH,DE": "DE is in the list twice, at places 1 and 3.",
    "BH/C3": "“BH/C3” cannot have this modifier; possible: /C1, /C2, /M1, /M2, /P, /F.",
    "ARO,BH": "ARO cannot be used: these players have no rating: Blomqvist, Player 2.",
}


def shown(page: str) -> str:
    return " ".join(page.replace("&#x27;", "'").split())


@pytest.fixture
def half_rated(chief_arbiter: User) -> Tournament:
    """Four players, number 2 without a rating; round 1 is not paired."""
    tournament = factories.make_ready(chief_arbiter, players=4)
    Entry.objects.filter(tournament=tournament, tpn=2).update(fide_rating=None, rating=0)
    return tournament


@pytest.mark.costly
@pytest.mark.parametrize("codes", sorted(MESSAGES))
def test_bad_input_in_the_settings(
    codes: str, half_rated: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(reverse("tournament-edit", args=[half_rated.slug]))
    given = {
        name: value
        for name, value in page.context["form"].initial.items()
        if value not in (None, "")
    }
    before = own(Decision).count()
    response = client.post(
        reverse("tournament-edit", args=[half_rated.slug]), {**given, "tie_breaks": codes}
    )
    assert (response.status_code, MESSAGES[codes] in shown(response.content.decode())) == (
        422,
        True,
    )
    half_rated.refresh_from_db()
    assert (half_rated.tie_breaks, own(Decision).count()) == ("BH/C1,BH,SB,DE,WIN", before)


@pytest.mark.parametrize("codes", sorted(MESSAGES))
def test_bad_input_after_the_start(
    codes: str, half_rated: Tournament, client: Client, chief_arbiter: User
) -> None:
    factories.play_rounds(half_rated, [1], chief_arbiter)
    client.force_login(chief_arbiter)
    before = own(Decision).count()
    given = {"tie_breaks": codes, "tie_break_edition": "fide-2026", "reason": "x"}
    response = client.post(reverse("tie-breaks", args=[half_rated.slug]), given)
    assert (response.status_code, MESSAGES[codes] in shown(response.content.decode())) == (
        422,
        True,
    )
    half_rated.refresh_from_db()
    assert (half_rated.tie_breaks, own(Decision).count()) == ("BH/C1,BH,SB,DE,WIN", before)


@pytest.mark.parametrize(
    "codes, expected",
    [
        ("BH,XYZ", "Line 2, column 5: There is no tie-break “XYZ”"),
        ("DE,BH,DE", "Line 2, column 5: DE is in the list twice, at places 1 and 3."),
        ("BH/C3", "Line 2, column 5: “BH/C3” cannot have this modifier"),
    ],
)
def test_bad_input_in_a_file(
    codes: str, expected: str, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(
        reverse("tournament-import"), {"text": trf(SIX).replace(LIST, f"202 {codes}")}
    )
    assert (response.status_code, expected in shown(response.content.decode())) == (422, True)
    assert own(Tournament).count() == 0


def test_c07_10_a_file_that_lists_a_tie_break_without_ratings(
    client: Client, chief_arbiter: User
) -> None:
    text = trf(SIX).replace(LIST, "202 ARO,BH,SB,DE,WIN").replace(" 2200 ", "      ")
    assert str(trf_preview(text.encode()).warnings[-2]) == (
        "Line 2: ARO does not count: the players 1 have no rating (C.07 10)."
    )


def test_a_file_whose_ranks_are_not_those_of_its_tie_breaks(
    client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    wrong = trf(SIX, ranks={1: 2, 3: 1})
    assert [(w.code, w.line) for w in trf_preview(trf(SIX).encode()).warnings] == [
        ("trf.system_guessed", None),
        ("trf.rounds_undeclared", None),
    ]
    found = [
        (w.code, w.line, w.params["tpn"]) for w in trf_preview(wrong.encode()).warnings if w.line
    ]
    assert found == [("trf.rank_otherwise", 3, 1), ("trf.rank_otherwise", 5, 3)]
    page = shown(client.post(reverse("tournament-import"), {"text": wrong}).content.decode())
    assert (
        "Line 3: player 1 has rank 2 in the file, but rank 1 by the tie-breaks of the file." in page
    )
    assert own(Tournament).count() == 0
    four = {1: "+W2 =W3", 2: "-B1 =W4", 3: "+W4 =B1", 4: "-B3 =B2"}
    found_four = trf_preview(trf(four, ranks={1: 1, 3: 1, 2: 4, 4: 4}).encode()).warnings
    shared = [remark for remark in found_four if remark.line]
    assert str(shared[0]) == (
        "Line 4: player 2 has rank 4 in the file, but rank 3 by the tie-breaks of the file, "
        "shared or drawn up to 4."
    )
