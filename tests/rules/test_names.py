"""Folding names for searching, comparing and sorting."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pairing.rules.initial_order import Participant, initial_order
from pairing.rules.names import fold

IN_ORDER = ["de la Cruz, A", "Étienne, B", "Horváth, C", "Łukasiewicz, D", "Œuvrard, E", "Pólya, F", "Šimić, G"]


@pytest.mark.parametrize(
    "name, plain",
    [
        ("Łukasiewicz, Jan", "lukasiewicz jan"),
        ("Weiß", "weiss"),
        ("WEISS", "weiss"),
        ("Þórsson", "thorsson"),
        ("O’Connor  Sean", "o'connor sean"),
        ("Ångström,Ä", "angstrom a"),
    ],
)
def test_a_name_is_folded(name, plain):
    assert fold(name) == plain
    assert fold(plain) == plain


def test_c04_2_2_2_3_names_of_all_languages_are_sorted_in_one_alphabet():
    players = [Participant(i, 0, "", name) for i, name in enumerate(reversed(IN_ORDER))]
    assert [player.name for player in initial_order(players)] == IN_ORDER
    assert all(fold(a) < fold(b) for a, b in pairwise(IN_ORDER))
