"""The text of the regulations says what the settings say, in both languages."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.models import Tournament
from tournaments.models.pairing_systems import NAMES
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import AUTOMATIC, FIELDS, tournament_update
from tournaments.standings.rating_facts import CONFIRMATIONS
from tournaments.web.setup.regulations_text import as_text, regulations_of

LANGUAGES = ("en", "fr")


def text(tournament: Tournament, language: str = "en") -> str:
    with override(language):
        return as_text(regulations_of(Tournament.objects.get(pk=tournament.pk)), tournament.name)


CHANGES: list[tuple[str, dict[str, object], str]] = [
    ("C.04.1 1", {"name": "Winter Cup"}, "Winter Cup is a tournament of 5 rounds"),
    ("C.04.1 1", {"total_rounds": 9}, "9 rounds by the Swiss system. [C.04.1 1]"),
    ("", {"city": "Metz"}, "Place: Metz."),
    ("", {"federation": "FRA"}, "Place: FRA."),
    ("", {"start_date": date(2027, 4, 2)}, "It begins on 2 April 2027."),
    (
        "",
        {"start_date": date(2027, 4, 2), "end_date": date(2027, 4, 4)},
        "from 2 April 2027 to 4 April 2027",
    ),
    ("", {"chief_arbiter": "IA Chief, Clara"}, "Chief Arbiter: IA Chief, Clara."),
    ("", {"deputy_arbiters": "A. One\nB. Two"}, "Deputy arbiters: A. One, B. Two."),
    ("", {"organiser": "Chess Club Metz"}, "Organiser: Chess Club Metz."),
    ("", {"event_code": "412345"}, "FIDE event number: 412345."),
    ("", {"time_control": "90+30"}, "Time control: 90+30."),
    (
        "C.04.2 2.1",
        {"rating_method": "NIDOF"},
        "national rating, otherwise the FIDE rating. [C.04.2 2.1]",
    ),
    (
        "C.04.2 2.1",
        {"national_lists": "FRA SUI"},
        "those of these lists, in this order: FRA, SUI. [C.04.2 2.1]",
    ),
    (
        "C.04.2 2.1",
        {"second_rating_method": "fide_standard"},
        "this one counts: FIDE standard rating. [C.04.2 2.1]",
    ),
    (
        "C.04.2 2.1",
        {"rating_list": "FIDE, April 2027"},
        "by the rating of this list: FIDE, April 2027. [C.04.2 2.1]",
    ),
    ("C.04.2 2.2.3", {"third_criterion": "entered"}, "order of entry. [C.04.2 2.2.3]"),
    ("C.04.2 1.1", {"acceleration": "baku"}, "Baku acceleration. [C.04.7]"),
    ("C.04.2 1.3", {"system": "dutch_2017"}, "FIDE Dutch System 2017"),
    ("C.04.2 2.4", {"late_entry_bye": "H"}, "half a point for each missed round. [C.04.2 2.4]"),
    ("C.04.2 3.3", {"max_byes": 0}, "no byes with points at the request of a player. [C.04.2 3.3]"),
    ("C.04.2 3.3", {"max_byes": 1}, "may request 1 bye with points. [C.04.2 3.3]"),
    ("C.04.2 3.3", {"max_byes": 2}, "up to 2 byes with points"),
    ("C.04.2 3.3", {"last_bye_round": 3}, "no such byes after round 3"),
    (
        "C.04.2 3.3",
        {"byes_in_advance": True},
        "before the pairings of the round before are published",
    ),
    (
        "C.04.2 4.3",
        {"correction_minutes": 30},
        "of their publication, or of the announced time if that is later. [C.04.2 4.3",
    ),
    ("", {"second_reading": True}, "another person enters all of them again"),
    (
        "C.04.2 4.4.2",
        {"change_clause": "a family emergency"},
        "in this case: a family emergency [C.04.2 4.4.2]",
    ),
    (
        "C.04.2 4.4.5",
        {"top_boards": 3},
        "the first 3 boards may change after an unforeseen event. [C.04.2 4.4.5]",
    ),
    ("C.07 4.1.1", {"tie_breaks": "DE"}, "1. Direct Encounter (DE, Article 6):"),
    ("C.07 4.1.1", {"tie_breaks": ""}, "Players with equal points share the rank"),
    ("C.07 4.1.1", {"tie_break_edition": "fide-2024"}, "C.07, applied from 1 August 2024"),
    ("C.04.1 3", {"points_win": 30, "points_draw": 10}, "A win scores 3, a draw 1, a loss 0."),
    ("C.04.1 3", {"points_loss": 1}, "a loss 0.1"),
    ("C.04.1 3", {"points_pab": 5}, "The pairing-allocated bye scores ½. [C.04.1 3]"),
    ("C.04.1 3", {"points_absence": 5}, "a loss by forfeit scores ½."),
]


@pytest.mark.parametrize("article, change, expected", CHANGES)
def test_every_setting_changes_the_text(
    article: str,
    change: dict[str, object],
    expected: str,
    tournament: Tournament,
    chief_arbiter: User,
) -> None:
    before = {language: text(tournament, language) for language in LANGUAGES}
    assert expected not in before["en"]
    tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True, **change
    )
    assert expected in text(tournament)
    assert text(tournament, "fr") != before["fr"]


def test_every_setting_is_tried_here() -> None:
    not_in_the_text = {
        "list_state",
        "handling_edition",
        "rate_of_play",
        "entered_results",
        "explanations_public",
        "forecast_public",
    }
    not_in_the_text |= {"keeps_data_days", *AUTOMATIC, "encoded_time_control", "registered_on"}
    not_in_the_text |= {"report_profile"}
    not_in_the_text |= {"event_kind", "time_approved", *CONFIRMATIONS.values()}
    assert {name for _, change, _ in CHANGES for name in change} == FIELDS - not_in_the_text, (
        "Add a row to CHANGES in this file for a setting that the regulations mention, or its name "
        "to `not_in_the_text`: docs/developer/add-a-setting.md"
    )


@pytest.mark.parametrize("system", NAMES)
def test_c04_2_articles_are_those_of_the_edition(system: str, chief_arbiter: User) -> None:
    event = factories.make_tournament(chief_arbiter, system=system, correction_minutes=30)
    found = text(event)
    assert ("[C.04.2 3.3]" in found) is (event.handling_edition == "c04_2_2026")
    assert ("match of two games" in found) is (system == "double_swiss_2026")
    # No sentence was left in English.
    english = {line for line in found.splitlines() if len(line) > 20}
    french = {line for line in text(event, "fr").splitlines() if len(line) > 20}
    assert not english & french


@pytest.mark.costly
def test_c04_2_4_2_schedule_and_prohibited_pairs(ready: Tournament, chief_arbiter: User) -> None:
    assert "The times of the rounds are announced by the arbiter." in text(ready)
    for number, due in ((1, (2, 22)), (2, (3, 9))):
        round_schedule(
            round_id=factories.round_of(ready, number).pk, actor=chief_arbiter, now=NOW,
            starts_at=datetime(2027, 4, 2, 17, tzinfo=UTC),
            results_due_at=datetime(2027, 4, *due, tzinfo=UTC),
        )  # fmt: skip
    pair = [factories.entry_of(ready, 1).pk, factories.entry_of(ready, 2).pk]
    prohibited_pairs_set(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, pairs=[pair])
    found = text(ready)
    assert (
        "Round 1: Friday 2 April 2027, 17:00. Results are published at the latest at 22:00" in found
    )
    assert "Results are published at the latest on Saturday 3 April 2027, 09:00" in found
    assert "Round 3: the time is announced by the arbiter." in found
    assert "1 pair of players does not play each other. [C.04.2 1.5]" in found
    assert "vendredi 2 avril 2027" in text(ready, "fr")


def test_the_page_has_both_languages_and_a_text_to_copy(
    client: Client, tournament: Tournament, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("regulations", args=[tournament.slug])
    page = client.get(url).content.decode()
    assert "<textarea" in page
    assert "Regulations of Autumn Open" in page
    french = client.get(url, {"in": "fr"}).content.decode()
    assert 'lang="fr"' in french
    assert "Système d’appariement" in french
    assert "Text to copy" in french
    assert client.get(url, {"in": "klingon"}).status_code == 200
