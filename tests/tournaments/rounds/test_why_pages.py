"""The page that explains the pairings of a round [C.04.1/2026 9]."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tournaments.entries.byes import bye_request
from tournaments.models import Game, Seat, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import tournament_update
from tournaments.web.rounds import why as why_page
from tournaments.web.templatetags.numbers import typeset

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
@factories.cached
def played(chief_arbiter: User) -> Tournament:
    """Nine players; rounds 1 and 2 played, round 3 published;
    player 5 takes a half-point bye in it.
    """
    tournament = factories.make_ready(chief_arbiter, players=9)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    bye_request(
        entry_id=factories.entry_of(tournament, 5).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        round_number=3,
        kind="H",
    )
    factories.pair_and_publish(tournament, 3, chief_arbiter)
    return tournament


def page(client: Client, tournament: Tournament, number: int = 3, **query: object) -> str:
    return client.get(reverse("round-why", args=[tournament.slug, number]), query).content.decode()


def passages(text: str, kind: str) -> list[str]:
    """Return the headings and lines of the passages of *kind*, in order, as plain text."""
    found = re.findall(rf'<h3 id="{kind}-\d+">(.*?)</h3>(.*?)</section>', text, re.DOTALL)
    return [
        html.unescape(word)
        for head, rest in found
        for word in [head, *re.findall(r"<li[^>]*>(.*?)</li>", rest)]
    ]


def command_line(path: Path, *arguments: str) -> list[str]:
    """Return the output of ``explain``, without indentation and the line with the count."""
    command = [sys.executable, "-m", "pairing", "explain", str(path), "--round", "3", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


@pytest.mark.costly
@pytest.mark.parametrize("tpn", [1, 4, 8])
def test_c04_1_9_the_page_gives_the_explanation_of_the_report_file(
    played: Tournament, client: Client, chief_arbiter: User, tmp_path: Path, tpn: int
) -> None:
    client.force_login(chief_arbiter)
    report = tmp_path / "event.trf"
    report.write_text(trf_export(played, public=False))
    text = page(client, played, player=tpn, other=9)
    assert passages(text, "passage") == command_line(report, "--player", str(tpn))[1:]
    assert passages(text, "why-not") == command_line(report, "--why-not", str(tpn), "9")
    assert "The actual pairings are different" not in text


@pytest.mark.costly
@pytest.mark.parametrize(
    "system, words",
    [("dutch_2017", r"It cannot be less \[C\.5\]"), ("dutch_pre2017", r"P0 = .* \[A6\.b\]")],
)
def test_c04_1_9_older_systems_are_explained_by_their_own_text(
    client: Client, chief_arbiter: User, tmp_path: Path, system: str, words: str
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=9, system=system)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    factories.pair_and_publish(tournament, 3, chief_arbiter)
    client.force_login(chief_arbiter)
    report = tmp_path / "event.trf"
    report.write_text(trf_export(tournament, public=False))
    answers = [
        passages(page(client, tournament, player=tpn, other=9), "passage") for tpn in (1, 4, 8)
    ]
    assert answers == [command_line(report, "--player", str(tpn))[1:] for tpn in (1, 4, 8)]
    assert any(re.search(words, line) for lines in answers for line in lines)


def test_the_explanation_is_in_the_language_of_the_page(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    client.cookies["django_language"] = "fr"
    text = page(client, played, player=1)
    assert passages(text, "passage")[0].startswith("Niveau 1\u202f: ")
    assert "Pourquoi ces appariements à la ronde 3" in text


@pytest.mark.parametrize(
    "language, apart, board",
    [
        (
            "en",
            "If 1 {1} and 9 {9} met, ",
            "Board 2: 1 {1} (White) – 8 {8} (Black), paired in bracket 2",
        ),
        (
            "fr",
            "Si 1 {1} et 9 {9} se rencontraient, ",
            "Échiquier 2\u202f: 1 {1} (Blancs) – 8 {8} (Noirs), paire du niveau 2",
        ),
    ],
)
def test_players_are_called_by_number_and_name(
    played: Tournament, client: Client, chief_arbiter: User, language: str, apart: str, board: str
) -> None:
    client.force_login(chief_arbiter)
    client.cookies["django_language"] = language
    names = [factories.entry_of(played, tpn).name for tpn in range(1, 10)]
    text = page(client, played, player=1, other=9)
    assert passages(text, "why-not")[0].startswith(apart.format("", *names))
    assert board.format("", *names) in passages(text, "passage")


def plain(text: str) -> list[str]:
    found = re.findall(r'<p class="plain-answer">(.*?)</p>', text, re.DOTALL)
    return [html.unescape(" ".join(sentence.split())) for sentence in found]


@pytest.mark.costly
@pytest.mark.parametrize("language", ["en", "fr"])
def test_c04_1_9_the_page_begins_with_a_plain_sentence_for_the_player(
    played: Tournament, client: Client, chief_arbiter: User, language: str
) -> None:
    """Players 1 and 2 have both won twice; everybody else of their
    score has met them or needs the same colour.
    """
    client.force_login(chief_arbiter)
    client.cookies["django_language"] = language
    other, names = (
        factories.entry_of(played, 2).name,
        [factories.entry_of(played, tpn).name for tpn in range(1, 10)],
    )
    text = page(client, played, player=8, other=2)
    why_not, why = plain(text)
    assert other in why_not
    assert re.match(
        "You |If you |It is |The "
        if language == "en"
        else r"Vous |Si vous |.* et vous |C’est |Le ",
        why,
    )
    assert any(name in why for name in names)
    assert text.index("plain-answer") < text.index('id="passage-1"')
    requested = {tpn: plain(page(client, played, player=tpn)) for tpn in (1, 2, 3, 4, 6, 7, 8, 9)}
    assert [len(sentences) for sentences in requested.values()] == [1] * 8
    tried = [tpn for tpn in requested if 'id="first-1"' in page(client, played, player=tpn)]
    assert tried


@pytest.mark.costly
def test_the_page_first_asks_for_the_player(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = page(client, played)
    assert passages(text, "passage") == []
    assert text.count("<option value") == 2 * (9 + 1)


def test_a_player_with_a_bye_was_not_to_be_paired(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = page(client, played, player=5)
    assert "This player is not paired in this round" in text
    assert passages(text, "passage") == []


@pytest.mark.costly
def test_a_round_paired_differently_is_reported(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    game = Game.objects.get(round__tournament=played, round__number=3, board=1)
    white, black = (game.seats.get(colour=colour) for colour in "wb")
    game.seats.all().delete()
    for seat, colour in ((white, "b"), (black, "w")):
        Seat.objects.create(round=game.round, game=game, entry=seat.entry, colour=colour)
    text = page(client, played, player=1)
    assert "The actual pairings are different" in text
    assert reverse("against-engine", args=[played.slug]) in text


@pytest.mark.parametrize("query", [{"player": 77}, {"player": "x"}, {"player": 1, "other": 0}])
def test_an_unknown_number_is_refused(
    played: Tournament, client: Client, chief_arbiter: User, query: dict[str, object]
) -> None:
    client.force_login(chief_arbiter)
    assert client.get(reverse("round-why", args=[played.slug, 3]), query).status_code == 404


def test_a_round_without_pairings_has_no_explanation(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    assert client.get(reverse("round-why", args=[played.slug, 4])).status_code == 404


def test_the_page_sets_french_punctuation(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    """A narrow no-break space before : ; ? ! although the texts of the engine have plain spaces."""
    client.force_login(chief_arbiter)
    address = reverse("round-why", args=[played.slug, 3])
    text = client.get(
        address, {"player": 1, "other": 4}, headers={"Accept-Language": "fr"}
    ).content.decode()
    lines = passages(text, "passage") + passages(text, "why-not")
    assert any("\u202f:" in line for line in lines)
    assert [line for line in lines if re.search(r"[^\u202f][:;?!](?=\s|$)", line)] == []


def test_only_french_has_spaces_before_punctuation() -> None:
    engine = "Niveau 1 : score 2 ; « a » et b; 09:00"
    assert typeset(engine) == engine
    with override("fr"):
        assert typeset(engine) == "Niveau 1\u202f: score 2\u202f; «\u202fa\u202f» et b\u202f; 09:00"


def public(client: Client, tournament: Tournament, number: int = 3, **query: object) -> str:
    return client.get(reverse("why-public", args=[tournament.slug, number]), query).content.decode()


@pytest.mark.costly
def test_players_read_explanations_if_the_arbiter_allows_it(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    pairings = reverse("pairings-public", args=[played.slug, 3])
    assert "explanations are not public" in public(client, played, player=1)
    assert plain(public(client, played, player=1)) == []
    assert "Why these pairings?" not in client.get(pairings).content.decode()
    tournament_update(
        tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, explanations_public=True
    )
    assert "Why these pairings?" in client.get(pairings).content.decode()
    text = public(client, played, player=1, other=9)
    visitor = plain(text), passages(text, "passage"), passages(text, "why-not")
    client.force_login(chief_arbiter)
    text = page(client, played, player=1, other=9)
    assert visitor == (plain(text), passages(text, "passage"), passages(text, "why-not"))
    assert len(visitor[0]) == 2


@pytest.mark.costly
def test_in_a_very_large_event_numbers_are_typed(
    played: Tournament, client: Client, chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament_update(
        tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, explanations_public=True
    )
    client.force_login(chief_arbiter)
    names = plain(page(client, played, player=1, other=9))
    monkeypatch.setattr(why_page, "MOST_NAMES", 3)
    text = public(client, played)
    assert "<select" not in text
    assert 'name="player" type="number"' in text
    text = public(client, played, player=1, other=9)
    assert plain(text) == names
    assert re.findall(r'type="number"[^>]* value="(\d*)"', text) == ["1", "9"]
    for query in ({"player": 77}, {"player": 1, "other": 77}):
        text = public(client, played, **query)
        assert "No player has the number 77." in text
        assert plain(text) == []
    assert "<select" not in page(client, played, player=1)


@pytest.mark.costly
def test_explanations_of_a_draft_are_never_public(
    played: Tournament, client: Client, chief_arbiter: User
) -> None:
    tournament_update(
        tournament_id=played.pk, actor=chief_arbiter, now=factories.NOW, explanations_public=True
    )
    factories.enter_results(played, 3, chief_arbiter)
    results_publish(
        round_id=factories.round_of(played, 3).pk, actor=chief_arbiter, now=factories.NOW
    )
    round_pair(round_id=factories.round_of(played, 4).pk, actor=chief_arbiter, now=factories.NOW)
    for number in (4, 5, 99):
        assert (
            client.get(reverse("why-public", args=[played.slug, number]), {"player": 1}).status_code
            == 404
        )
    assert (
        client.get(reverse("why-public", args=[played.slug, 3]), {"player": 77}).status_code == 404
    )
    assert (
        client.get(reverse("why-public", args=[played.slug, 3]), {"player": "x"}).status_code == 200
    )
