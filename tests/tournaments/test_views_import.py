"""The page that opens a TRF file: what is in it, and what the engine pairs otherwise, before anything is saved."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.trf.reports import player, report
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

BY_HAND = (
    report(
        "012 By hand",
        "142 5",
        "152 W",
        player(1, "2.0", "   3 w 1", "   4 b 1"),
        player(2, "2.0", "   4 b 1", "   3 w 1"),
        player(3, "0.0", "   1 b 0", "   2 b 0"),
        player(4, "0.0", "   2 w 0", "   1 w 0"),
    )
    .replace("12345678", " " * 8)
    .replace("Player 3", "<i>E</i>")
)
"""Round 2 as nobody would pair it: the winners meet the losers."""


def page(client: Client, text: str, **headers: str) -> str:
    response = client.post(reverse("tournament-import"), {"text": text}, headers=headers)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_rounds_paired_otherwise_are_listed_before_anything_is_saved(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    body = page(client, BY_HAND)
    assert "<strong>2 rounds paired again from the file: 1 differs</strong>" in body
    assert body.count('<section class="panel" aria-labelledby="round-') == 1
    assert "<td>2 Player 2</td><td>3 &lt;i&gt;E&lt;/i&gt;</td>" in body
    assert not Tournament.objects.exists()


def test_a_file_that_comes_out_the_same_says_so(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    body = page(client, "\n".join(line[:101].rstrip() for line in BY_HAND.replace("2.0", "1.0").splitlines()))
    assert "<strong>1 round paired again from the file: 0 differ</strong>" in body
    assert 'aria-labelledby="round-' not in body


def test_the_list_speaks_french(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    body = page(client, BY_HAND, accept_language="fr")
    assert "<strong>2 rondes réappariées à partir du fichier : 1 diffère</strong>" in body


def test_before_the_first_round_there_is_nothing_to_pair_again(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    assert "paired again" not in page(client, report("142 5", player(1, "0.0")))
