"""Visitors read of a player only what a list on the wall shows, on every page,
in every file and over the API.
"""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse

from pairing.cli.main import main
from pairing.rounds.corrections import Report, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rules.names import initials_of
from tests.tournaments import factories
from tournaments.api.urls import urlpatterns as api
from tournaments.core import record
from tournaments.entries.byes import bye_request
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import entry_add, entry_update, entry_withdraw, numbers_assign
from tournaments.events.sections import event_create
from tournaments.models import (
    Game,
    PairingMail,
    PublishedList,
    Registration,
    Screen,
    ScreenContent,
    Tournament,
)
from tournaments.reports.record_against_tables import differences
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.tournaments import tournament_update

from .test_every_public_page import OPEN_PAGES, OTHER_PAGES, address

pytestmark = pytest.mark.django_db

PRIVATE = {
    "date of birth": r"1987.?(06|6).?(05|5)\b|5 June 1987",
    "phone": r"0699[ .]?123[ .]?456",
    "note": r"gluten",
    "fee": r"\b77[.,]31\b|\b7731\b",
    "paid": r"\b41[.,]17\b|\b4117\b",
    "e-mail": r"ada@example",
    "consent": r"may be photographed",
}
WITH_INITIALS = {
    "name": r"Quetzal",
    "first name": r"Xanthippe",
    "FIDE ID": r"98765432\b",
    "year of birth": r"1987",
}
"""What nobody may find of a player who is shown with initials."""
FILES: dict[str, list[int | str]] = {
    "news": [],
    "push": [],
    "entered-result": ["player 1"],
    "round-code": [2, 1],
}
"""Of public pages, as test_access_pages.PUBLIC_FILES has them."""


@pytest.fixture
def with_private_data(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 published; of player 1 everything is known."""
    tournament = factories.make_ready(chief_arbiter, players=5, entered_results="all")
    entry = factories.entry_of(tournament, 1)
    by = {"actor": chief_arbiter, "now": factories.NOW}
    entry_update(entry_id=entry.pk, birth_date="1987/06/05", **by)  # type: ignore[arg-type]
    desk_data_set(
        entry_id=entry.pk,
        phone="0699123456",
        note="no gluten",
        fee_due=7731,
        fee_paid=4117,
        **by,  # type: ignore[arg-type]
    )
    Registration.objects.create(
        tournament=tournament,
        link="0" * 64,
        state="received",
        fields={"name": "Lovelace, Ada", "birth_date": "1987/06/05"},
        email="ada@example.org",
        phone="0699 123 456",
        consent="I may be photographed",
        created_at=factories.NOW,
    )
    PairingMail.objects.create(entry=entry, email="ada@example.org", language="en")
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def hidden(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 published, with a result that was corrected;
    player 1 asked for initials at the entry.
    """
    tournament = factories.make_tournament(chief_arbiter, rounds=3, entered_results="all")
    by = {"actor": chief_arbiter, "now": factories.NOW}
    shown = {
        "tournament_id": tournament.pk,
        "initials": True,
        "fide_id": 98765432,
        "birth_date": "1987/06/05",
    }
    entry_add(name="Quetzal-Meier, Xanthippe", fide_rating=2700, federation="SUI", **shown, **by)  # type: ignore[arg-type]
    factories.make_entries(tournament, chief_arbiter, 4)
    numbers_assign(tournament_id=tournament.pk, **by)  # type: ignore[arg-type]
    initial_colour_set(tournament_id=tournament.pk, colour="w", **by)  # type: ignore[arg-type]
    factories.play_rounds(tournament, [1], chief_arbiter)
    entry = factories.entry_of(tournament, 1)
    game = Game.objects.get(round__number=1, seats__entry=entry)
    result_correct(
        game_id=game.pk, result="==", report=Report(factories.NOW, "Quetzal says so"), **by
    )  # type: ignore[arg-type]
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    bye_request(entry_id=entry.pk, round_number=3, kind="H", **by)  # type: ignore[arg-type]
    tournament_update(tournament_id=tournament.pk, explanations_public=True, **by)  # type: ignore[arg-type]
    tournament.refresh_from_db()
    return tournament


def leaks_of(answers: dict[str, str], private: dict[str, str]) -> list[tuple[str, str]]:
    """Return the name of each answer that has a private value, and of the value;
    fingerprints do not count.
    """
    return [
        (name, what)
        for name, text in answers.items()
        for what, pattern in private.items()
        if re.search(pattern, re.sub(r"\b[0-9a-f]{12,}\b", "", text))
    ]


def text_of(response: HttpResponseBase) -> str:
    if isinstance(response, StreamingHttpResponse):
        return b"".join(response.streaming_content).decode()  # type: ignore[arg-type]
    if response.content.startswith(b"PK"):  # a workbook
        with zipfile.ZipFile(io.BytesIO(response.content)) as parts:
            return " ".join(parts.read(name).decode() for name in parts.namelist())
    return response.content.decode()


def everything(client: Client, tournament: Tournament) -> dict[str, str]:
    """Return every answer that a visitor gets about *tournament*, pages and API, by name."""
    found = {}
    event = event_create(
        tournament_id=tournament.pk, name="City Open", label="A",
        actor=User.objects.get(username="chief"), now=factories.NOW,
    )  # fmt: skip
    tournament = Tournament.objects.get(pk=tournament.pk)
    for name, numbers in (OPEN_PAGES | OTHER_PAGES | FILES).items():
        response = client.get(address(tournament, name, numbers))
        assert response.status_code == 200, name
        found[name] = text_of(response)
    screen = Screen.objects.create(
        tournament=tournament, code="ABCDEFGH", contents=ScreenContent.values, has_finder=True
    )
    everybody = ".".join(map(str, tournament.entries.values_list("pk", flat=True)))
    for name, url in {
        "followed": f"{reverse('follow', args=[tournament.slug])}?p={everybody}",
        "followed, searched": f"{reverse('follow', args=[tournament.slug])}?q=a",
        "embedded pairings": reverse("embedded", args=[tournament.slug, "pairings"]),
        "event": reverse("event", args=[event.slug]),
        "event news": reverse("event-news", args=[event.slug]),
        "event me": f"{reverse('event-me', args=[event.slug])}?q=1",
        "event prizes": reverse("event-prizes", args=[event.slug]),
        "screen": reverse("screen", args=[screen.code]),
        "screen news": reverse("screen-news", args=[screen.code]),
        "screen, searched": f"{reverse('screen', args=[screen.code])}?q=q",
    }.items():
        found[name] = text_of(client.get(url))
    for name in {str(pattern.name) for pattern in api if getattr(pattern, "name", None)}:
        for numbers in ([], [1]):
            try:
                url = reverse(f"api:{name}", args=[tournament.slug, *numbers])
            except NoReverseMatch:
                continue
            response = client.get(url)
            if response.status_code == 200:
                found[f"api:{name}"] = text_of(response)
            if response.status_code == 200 and name.endswith("-csv"):
                workbook = client.get(url, {"as": "xlsx", "heads": "words"})
                found[f"api:{name}, workbook"] = text_of(workbook)
    return found


@pytest.mark.costly
def test_no_public_answer_has_private_data(with_private_data: Tournament, client: Client) -> None:
    answers = everything(client, with_private_data)
    assert {
        "api:entries",
        "api:standings",
        "api:trf",
        "api:record",
        "record-file",
        "trf-export",
        "api:entries-csv, workbook",
        "api:standings-csv, workbook",
        "event me",
        "push",
    } <= answers.keys()
    assert leaks_of(answers, PRIVATE) == []


@pytest.mark.costly
def test_a_player_with_initials_is_named_nowhere(hidden: Tournament, client: Client) -> None:
    answers = everything(client, hidden)
    assert leaks_of(answers, WITH_INITIALS) == []
    with_the_initials = {
        "players",
        "standings",
        "names",
        "player-page",
        "crosstable",
        "api:entries",
        "trf-export",
        "followed",
        "live-results",
        "embedded",
        "embedded pairings",
        "screen",
        "screen, searched",
    }
    assert {name for name in with_the_initials if "Q. X." not in answers[name]} == set()
    assert "Q. X." in answers["record-file"]


@pytest.mark.costly
def test_a_player_with_initials_cannot_be_searched_by_name(
    hidden: Tournament, client: Client
) -> None:
    for name in ("players", "me", "follow"):
        for typed in ("Quetzal", "98765432"):
            assert "Q. X." not in text_of(
                client.get(reverse(name, args=[hidden.slug]), {"q": typed})
            ), (name, typed)


@pytest.mark.costly
def test_arbiters_and_their_files_have_the_whole_name(
    hidden: Tournament, client: Client, chief_arbiter: User, tmp_path: Path
) -> None:
    client.force_login(chief_arbiter)
    entry = factories.entry_of(hidden, 1)
    pages = {
        "entries": [],
        "entry-edit": [entry.pk],
        "round": [2],
        "trf-export": [],
        "check-in": [],
        "desk-card": [entry.pk],
    }
    answers = {
        name: text_of(client.get(reverse(name, args=[hidden.slug, *more])))
        for name, more in pages.items()
    }
    assert {
        name for name, text in answers.items() if "Quetzal-Meier, Xanthippe" not in text
    } == set()
    assert "98765432" in answers["trf-export"]
    assert "1987/06/05" in answers["trf-export"]
    assert "Quetzal" in text_of(client.get(reverse("find", args=[hidden.slug]), {"q": "quetz"}))
    record_file = tmp_path / "record.jsonl"
    record_file.write_text(text_of(client.get(reverse("record-file", args=[hidden.slug]))))
    assert main(["verify", str(record_file)]) == 0
    assert record.verify(hidden) + differences(hidden) == []


@pytest.mark.costly
def test_arbiters_choose_and_change_players_by_their_whole_names(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=5)
    entry, by = factories.entry_of(tournament, 2), {"actor": chief_arbiter, "now": factories.NOW}
    renamed = {"name": "Quetzal, Xanthippe", "reason": "a typing error", "initials": True}
    entry_update(entry_id=entry.pk, **renamed, **by)  # type: ignore[arg-type]
    client.force_login(chief_arbiter)

    def shown(page: str, *more: object, **typed: object) -> bool:
        text = text_of(client.get(reverse(page, args=[tournament.slug, *more]), typed))
        return "Quetzal, Xanthippe" in text and "Q. X." not in text

    factories.play_rounds(tournament, [1], chief_arbiter)
    row = round_pair(round_id=factories.round_of(tournament, 2).pk, **by)  # type: ignore[arg-type]
    assert shown("round-swap", 2, mark=entry.pk)
    round_publish(round_id=row.pk, **by)  # type: ignore[arg-type]
    factories.enter_results(tournament, 2, chief_arbiter)
    results_publish(round_id=row.pk, **by)  # type: ignore[arg-type]
    factories.play_rounds(tournament, [3], chief_arbiter)
    # Everybody has met everybody.
    assert shown("round-by-hand", 4)
    entry_withdraw(entry_id=entry.pk, **by)  # type: ignore[arg-type]
    # Among the players who do not play in the round to be paired.
    assert shown("round", 4)


@pytest.mark.costly
def test_who_asks_later_is_hidden_on_pages_and_not_in_the_file_of_the_record(
    hidden: Tournament, client: Client, chief_arbiter: User
) -> None:
    entry, by = factories.entry_of(hidden, 1), {"actor": chief_arbiter, "now": factories.NOW}
    entry_update(entry_id=entry.pk, initials=False, **by)  # type: ignore[arg-type]
    factories.enter_results(hidden, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(hidden, 2).pk, **by)  # type: ignore[arg-type]
    entry_update(entry_id=entry.pk, initials=True, **by)  # type: ignore[arg-type]
    hidden.refresh_from_db()
    lists = [row.pk for row in PublishedList.objects.filter(tournament=hidden).order_by("pk")]
    assert "Quetzal" in str([row.listed for row in PublishedList.objects.filter(pk__in=lists)])
    answers = everything(client, hidden)
    answers |= {
        f"list {pk}": text_of(client.get(reverse("published-list", args=[hidden.slug, pk])))
        for pk in lists
    }
    values = {
        name for name, what in leaks_of(answers, WITH_INITIALS) if what in ("name", "first name")
    }
    assert values == {"record-file", "api:record-file"} & answers.keys()


def test_c04_2_2_2_the_whole_name_orders_the_players(chief_arbiter: User) -> None:
    tournament = factories.make_tournament(chief_arbiter)
    by = {"tournament_id": tournament.pk, "actor": chief_arbiter, "now": factories.NOW}
    for name in ("Berg, Anna", "Bach, Zoe", "Bing, Ada"):
        entry_add(name=name, fide_rating=2000, initials=name == "Bach, Zoe", **by)  # type: ignore[arg-type]
    ranked = numbers_assign(**by)  # type: ignore[arg-type]
    assert [entry.name for entry in ranked] == ["B. Z.", "Berg, Anna", "Bing, Ada"]


def test_initials_come_and_go_and_need_no_reason(hidden: Tournament, chief_arbiter: User) -> None:
    entry, by = factories.entry_of(hidden, 1), {"actor": chief_arbiter, "now": factories.NOW}
    other = factories.entry_of(hidden, 2)
    entry_update(entry_id=other.pk, initials=True, **by)  # type: ignore[arg-type]
    assert entry_update(entry_id=entry.pk, club="Club", **by).name == "Q. X."  # type: ignore[arg-type]
    assert (
        entry_update(entry_id=entry.pk, name="Q. X.", **by).real_name == "Quetzal-Meier, Xanthippe"
    )  # type: ignore[arg-type]
    shown = entry_update(entry_id=entry.pk, initials=False, **by)  # type: ignore[arg-type]
    assert (shown.name, shown.full_name) == ("Quetzal-Meier, Xanthippe", "")
    hidden.refresh_from_db()
    assert record.verify(hidden) + differences(hidden) == []


def test_initials_of_a_name() -> None:
    wanted = {
        "Andersson, David": "A. D.",
        "Müller-Meier, Jean-Paul Emil": "M. J.",
        "van der Berg, Östen": "B. Ö.",
        "O’Neil, Åsa": "O. Å.",
        "David Andersson": "D. A.",
        "Ronaldo": "R.",
        "de, x": "D. X.",
        "Łukasz,": "Ł.",
        "42": "–",
    }
    assert {name: initials_of(name) for name in wanted} == wanted
