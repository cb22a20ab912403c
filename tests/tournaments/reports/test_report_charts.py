"""The charts and the sheets of the arbiter's report."""

from __future__ import annotations

import html
import re
import struct
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.core.frame import tournament_frame
from tournaments.models import Entry, Tournament
from tournaments.reports.event_figures import event_figures
from tournaments.web.printing import chromium
from tournaments.web.reports.charts import LEFT, RIGHT, WIDTH, charts

pytestmark = pytest.mark.django_db

DEPUTIES = "Meier, Eva\nFA Roy, Luc (2000024), fair play\n"
NAMES = ["federations", "titles", "ages", "scores", "colours", "upsets"]


@pytest.fixture
def played(chief_arbiter: User) -> Tournament:
    tournament = make_large(chief_arbiter, players=40, rounds=5, played=3)
    Entry.objects.filter(tournament=tournament, tpn__lte=20).update(birth_date="1990", sex="w")
    Tournament.objects.filter(pk=tournament.pk).update(
        chief_arbiter="IA Rossi & Co, Anna (2000016)", deputy_arbiters=DEPUTIES
    )
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def chart_address(tournament: Tournament, name: str, extension: str = "svg") -> str:
    return reverse(f"report-chart-{extension}", args=[tournament.slug, name])


def test_the_bars_are_as_long_as_their_numbers(played: Tournament) -> None:
    found = charts(event_figures(tournament_frame(played, runs=True)))
    assert [chart.name for chart in found] == NAMES
    for chart in found:
        sums = [sum(bar.numbers) for bar in chart.bars]
        longest = max(sums)
        for bar, total in zip(chart.bars, sums, strict=True):
            width = sum(part.width for part in bar.segments)
            assert width == pytest.approx((WIDTH - LEFT - RIGHT) * total / longest, abs=0.3)
            assert bar.end < WIDTH
        assert chart.height > chart.bars[-1].y
    by_name = {chart.name: sum(sum(bar.numbers) for bar in chart.bars) for chart in found}
    assert by_name["federations"] == by_name["titles"] == by_name["scores"] == 40
    assert by_name["ages"] == 40
    assert by_name["colours"] == 60


def test_many_federations_are_counted_together(played: Tournament) -> None:
    codes = [f"{a}{b}X" for a in "ABCDE" for b in "FGHIJ"]
    for entry, code in zip(Entry.objects.filter(tournament=played), codes, strict=False):
        entry.federation = code
        entry.save()
    found = charts(event_figures(tournament_frame(played, runs=True)))[0]
    assert len(found.bars) == 15
    assert found.bars[-1].label == "14 others"
    assert sum(sum(bar.numbers) for bar in found.bars) == 40


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", NAMES)
def test_a_chart_is_a_file(name: str, language: str, played: Tournament, desk: Client) -> None:
    Tournament.objects.filter(pk=played.pk).update(name="Open <b>& more")
    response = desk.get(chart_address(played, name), headers={"accept-language": language})
    assert response.headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert response.headers["content-disposition"] == (
        f'attachment; filename="{played.slug}-{name}.svg"'
    )
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own picture
    [title] = [each.text for each in root if each.tag.endswith("title")]
    assert title is not None
    assert title.endswith("· Open <b>& more")
    # Numbers in SVG have a point in every language.
    assert re.findall(r'(?:x|width|y)="\d+,\d', response.content.decode()) == []


def test_the_page_has_the_charts_with_their_tables(played: Tournament, desk: Client) -> None:
    page = desk.get(reverse("event-report", args=[played.slug])).content.decode()
    assert page.count('class="chart-picture"') == 6
    figures = re.findall(r"<figure>(.*?)</figure>", page, re.S)
    for name, figure in zip(NAMES, figures, strict=True):
        assert chart_address(played, name) in figure
        drawn = re.findall(r'<text x="[\d.]+" y="12" fill="currentColor">(.*?)</text>', figure)
        table = [
            " · ".join(re.findall(r'<td class="number">(\d+)</td>', row))
            for row in re.findall(r"<tr>(.*?)</tr>", figure, re.S)[1:]
        ]
        assert drawn == table
    text = html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))
    assert "Chief arbiter IA Rossi & Co, Anna · FIDE ID 2000016" in text
    assert "Deputy arbiter Meier, Eva · FIDE ID is missing" in text
    assert "fair play FA Roy, Luc · FIDE ID 2000024" in text
    assert "40 · 3 federations · 20 women" in text


@pytest.mark.costly
def test_an_event_without_players_has_no_charts(desk: Client, chief_arbiter: User) -> None:
    empty = factories.make_tournament(chief_arbiter)
    page = desk.get(reverse("event-report", args=[empty.slug])).content.decode()
    assert "chart-picture" not in page
    assert desk.get(chart_address(empty, "ages")).status_code == 404
    for name in ("report", "full-report"):
        sheet = desk.get(f"{reverse('sheets', args=[empty.slug])}?list={name}")
        assert "Signatures" in sheet.content.decode()


@pytest.mark.parametrize("extension", ["svg", "png"])
def test_a_chart_is_for_arbiters(extension: str, played: Tournament, client: Client) -> None:
    """It counts ages and women, which visitors do not read."""
    response = client.get(chart_address(played, "ages", extension))
    assert response.status_code == 302
    client.force_login(User.objects.create_user("passer-by"))
    assert client.get(chart_address(played, "ages", extension)).status_code == 403


def test_an_unknown_chart_is_not_found(played: Tournament, desk: Client) -> None:
    assert desk.get(chart_address(played, "everything", "png")).status_code == 404


@pytest.mark.costly
def test_without_a_browser_there_is_no_png(
    played: Tournament, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    page = desk.get(reverse("event-report", args=[played.slug])).content.decode()
    assert chart_address(played, "ages", "png") not in page
    assert "There are no PNG files: the server has no Chromium." in page
    response = desk.get(chart_address(played, "ages", "png"))
    assert response.status_code == 503
    assert "did not make the file" in response.content.decode()
    assert chart_address(played, "ages") in response.content.decode()


@pytest.mark.skipif(chromium.browser() is None, reason="there is no Chromium to draw the picture")
@pytest.mark.costly
def test_a_png_is_drawn_by_the_browser(played: Tournament, desk: Client) -> None:
    response = desk.get(chart_address(played, "upsets", "png"))
    assert response.headers["content-type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    chart = charts(event_figures(tournament_frame(played, runs=True)))[-1]
    assert struct.unpack(">II", response.content[16:24]) == (2 * chart.width, 2 * chart.height)


@pytest.mark.parametrize("name", ["report", "full-report"])
def test_the_report_on_paper_is_to_be_signed(name: str, played: Tournament, desk: Client) -> None:
    page = desk.get(f"{reverse('sheets', args=[played.slug])}?list={name}").content.decode()
    text = html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page.partition("<main")[2]).split()))
    signed = text.partition("Signatures")[2]
    assert signed.startswith(
        " Chief arbiter: IA Rossi & Co, Anna Deputy arbiter: Meier, Eva fair play: FA Roy, Luc "
        "Organiser Place and date"
    )
    assert Tournament.objects.get(pk=played.pk).fingerprint in signed
    assert page.count("chart-picture") == (6 if name == "full-report" else 0)
    assert ("Decisions by article" in text) == (name == "full-report")
