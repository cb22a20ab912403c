"""Behind the codes on paper and the links of e-mails nobody reads more than on the public pages."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.players_reports import players_report_give
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.web.behind_codes import prepare, read_behind_codes
from tests.tournaments.web.test_privacy import (
    PRIVATE,
    WITH_INITIALS,
    hidden,
    leaks_of,
    with_private_data,
)
from tournaments.models import Game, Round, Tournament

__all__ = ["hidden", "with_private_data"]
pytestmark = [pytest.mark.django_db, pytest.mark.costly]


def test_no_private_data(
    with_private_data: Tournament, client: Client, chief_arbiter: User
) -> None:
    own = factories.entry_of(with_private_data, 3)
    tournament = prepare(with_private_data, chief_arbiter, of=own)
    answers = read_behind_codes(client, tournament, 2, "abara")
    assert own.name in answers["e-mails"]
    assert "Abara, Player 1" in answers["kiosk, searched abara"]
    assert leaks_of(answers, PRIVATE | {"own e-mail": "own@example"}) == []


def test_a_player_with_initials_is_named_nowhere_and_not_found_by_name(
    hidden: Tournament, client: Client, chief_arbiter: User
) -> None:
    entry = factories.entry_of(hidden, 1)
    rival = Game.objects.get(round__number=2, seats__entry=entry).seats.exclude(entry=entry).get()
    tournament = prepare(hidden, chief_arbiter, of=rival.entry)
    answers = read_behind_codes(client, tournament, 2, "98765432", "Quetz", "Xant")
    # The names that were searched for stay in the field.
    for name in ("98765432", "Quetz", "Xant"):
        text = answers[f"kiosk, searched {name}"]
        assert "Q. X." not in text, name
        answers[f"kiosk, searched {name}"] = text.replace(name, "")
    assert leaks_of(answers, WITH_INITIALS) == []
    shown = {name for name, text in answers.items() if "Q. X." in text}
    assert {"e-mails", "kiosk 1", "table 1"} <= shown


def test_c04_2_4_4_a_draft_shows_nowhere(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.play_rounds(tournament, [1], chief_arbiter)
    tournament = prepare(tournament, chief_arbiter, of=factories.entry_of(tournament, 1))

    def read() -> dict[str, str]:
        return {
            name: re.sub(r"'[^']*'|csrf\S+ \S+|value=\"\w{64}\"|req-\w+", "", text)
            for name, text in read_behind_codes(client, tournament, 3, "abara").items()
        }

    before = read()
    assert before["e-mails"] == ""
    round_pair(round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    assert read() == before


def test_c04_2_4_2_results_of_others_are_hidden(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    """Table 1 has an entered result, table 2 a report: nobody at another table reads of them."""
    first, second, *_rest = Game.objects.filter(round=published_round).order_by("board")
    own = factories.entry_of(published_round.tournament, 3)
    tournament = prepare(published_round.tournament, chief_arbiter, of=own)
    assert own.pk not in first.seats.values_list("entry", flat=True)
    before = read_behind_codes(client, tournament, 3)
    assert "White against" in before["e-mails"] or "Black against" in before["e-mails"]
    result_record(game_id=first.pk, result="+-", actor=chief_arbiter, now=NOW)
    players_report_give(game_id=second.pk, side="w", result="==", now=NOW, seen_version=0)
    answers = read_behind_codes(client, tournament, 3, "abara")
    assert "+ / −" in answers["table 1"]
    assert "½ – ½" in answers["table 2"]
    own_tables = {"table 1", "mistake 1", "table 2", "mistake 2"}
    for name, text in answers.items():
        if name not in own_tables - {"table 2", "mistake 2"}:
            assert re.search(r"\+ / −|forfeit", text) is None, name
        # On the kiosk one of the two confirms what the other has reported.
        if name not in own_tables | {"kiosk 2"}:
            assert "½ – ½" not in text, name


def test_the_link_to_the_next_event_leads_only_to_what_is_listed(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    other = factories.make_ready(chief_arbiter, players=4, name="Quetzal Cup")
    url = reverse("next-event", args=[tournament.slug])
    assert client.get(url).headers["Location"] == f"{reverse('home')}?all"
    assert "Quetzal Cup" not in client.get(url, follow=True).content.decode()
    Tournament.objects.filter(pk=other.pk).update(listed=True)
    assert client.get(url).headers["Location"] == reverse("tournament", args=[other.slug])
