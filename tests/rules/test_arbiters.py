"""Title and FIDE ID of arbiters, which are part of their names [B.01/2024 1.1.5]."""

from __future__ import annotations

import pytest

from pairing.rules.arbiters import Arbiter, arbiter_of, arbiters_of


@pytest.mark.parametrize(
    "text, arbiter",
    [
        ("IA Rossi, Anna (2000016)", Arbiter("Rossi, Anna", "IA", 2000016)),
        ("fa. Rossi, Anna (FIDE 2000016)", Arbiter("Rossi, Anna", "FA", 2000016)),
        ("Rossi, Anna (FIDE ID 2000016) ", Arbiter("Rossi, Anna", "", 2000016)),
        ("NA: Rossi, Anna", Arbiter("Rossi, Anna", "NA", None)),
        ("Iara Naves (Lyon)", Arbiter("Iara Naves (Lyon)", "", None)),
        ("Nadia (1234)", Arbiter("Nadia (1234)", "", None)),
        (
            "FA Roy, Luc (2000024), fair play",
            Arbiter("Roy, Luc", "FA", 2000024, "fair play"),
        ),
        ("Roy, Luc (2000024) – sector B (top)", Arbiter("Roy, Luc", "", 2000024, "sector B (top)")),
        ("Roy, Luc, fair play", Arbiter("Roy, Luc, fair play", "", None)),
        ("IA", Arbiter("IA", "", None)),
        ("", Arbiter("", "", None)),
    ],
)
def test_b01_1_1_5_title_and_fide_id_are_part_of_the_name(text: str, arbiter: Arbiter) -> None:
    assert arbiter_of(text) == arbiter


def test_the_chief_arbiter_is_first_and_empty_lines_are_nobody() -> None:
    assert arbiters_of("IA Rossi, Anna", "FA Blom, Per (2000024)\n\n Naves, Iara \n") == (
        Arbiter("Rossi, Anna", "IA"),
        Arbiter("Blom, Per", "FA", 2000024),
        Arbiter("Naves, Iara"),
    )
    assert arbiters_of("", "") == ()
