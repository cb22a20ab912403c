"""The Atom feed, lists to embed, and calendars to subscribe to."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.models import Entry, Round, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def playing(chief_arbiter: User) -> Tournament:
    """Round 1 played, round 2 running, seven players; rounds 2 and 3 have times."""
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    Round.objects.filter(tournament=tournament, number=2).update(starts_at=NOW)
    Round.objects.filter(tournament=tournament, number=3).update(
        starts_at=NOW + timedelta(hours=24)
    )
    tournament.refresh_from_db()
    return tournament


def feed_of(client: Client, tournament: Tournament) -> ET.Element:
    answer = client.get(reverse("feed", args=[tournament.slug]))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content)  # noqa: S314 - our own


def titles(feed: ET.Element) -> list[str]:
    return [entry.findtext(f"{ATOM}title") or "" for entry in feed.iter(f"{ATOM}entry")]


def test_the_feed_has_what_was_published_the_newest_first(
    playing: Tournament, client: Client, chief_arbiter: User
) -> None:
    feed = feed_of(client, playing)
    assert titles(feed) == [
        "Pairings of round 2",
        "Standings after round 1",
        "Pairings of round 1",
    ]
    names = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(names)) == 3
    assert all(name and name.startswith("tag:swiss-arbiter,2026:") for name in names)
    page = client.get(reverse("tournament", args=[playing.slug])).content.decode()
    assert f'type="application/atom+xml" href="{reverse("feed", args=[playing.slug])}"' in page
    # A draft and entered results change nothing.
    before = client.get(reverse("feed", args=[playing.slug])).content
    factories.enter_results(playing, 2, chief_arbiter)
    assert client.get(reverse("feed", args=[playing.slug])).content == before
    results_publish(round_id=factories.round_of(playing, 2).pk, actor=chief_arbiter, now=NOW)
    published = client.get(reverse("feed", args=[playing.slug])).content
    round_pair(round_id=factories.round_of(playing, 3).pk, actor=chief_arbiter, now=NOW)
    assert client.get(reverse("feed", args=[playing.slug])).content == published
    assert [entry.findtext(f"{ATOM}id") for entry in feed_of(client, playing).iter(f"{ATOM}entry")][
        1:
    ] == names


def test_the_feed_of_an_event_before_its_first_publication_is_empty(
    ready: Tournament, client: Client
) -> None:
    assert titles(feed_of(client, ready)) == []


@pytest.mark.costly
@pytest.mark.parametrize("kind", ["standings", "pairings"])
def test_a_list_may_be_framed_by_every_site_and_runs_nothing(
    kind: str, playing: Tournament, client: Client, chief_arbiter: User
) -> None:
    address = reverse("embedded", args=[playing.slug, kind])
    answer = client.get(address)
    assert answer.status_code == 200
    assert "X-Frame-Options" not in answer.headers
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Robots-Tag"] == "noindex"
    text = answer.content.decode()
    assert "<script" not in text
    assert "Abara, Player 1" in text
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    factories.enter_results(playing, 2, chief_arbiter)
    assert client.get(address).content == answer.content
    # All other pages stay as they are.
    other = client.get(reverse("standings", args=[playing.slug]))
    assert other.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("address", ["https://chess.example.org", ""])
def test_the_code_to_paste_has_an_address_that_other_sites_can_reach(
    playing: Tournament, client: Client, settings: Settings, address: str
) -> None:
    settings.PUBLIC_ADDRESS = address
    settings.ALLOWED_HOSTS = ["localhost", ".testserver"]
    page = client.get(reverse("tournament", args=[playing.slug])).content.decode()
    found = re.findall(r'iframe src="([^"]*)"', page)
    lists = ("standings", "pairings") if address else ()
    assert found == [f"{address}/t/{playing.slug}/embed/{kind}/" for kind in lists]


def test_the_narrow_columns_of_embedded_pairings_have_heads_that_are_only_heard_on_a_phone(
    playing: Tournament, client: Client
) -> None:
    page = client.get(reverse("embedded", args=[playing.slug, "pairings"])).content.decode()
    assert re.findall(r'<span class="heard-narrow">(\w+)</span>', page) == ["Board", "Result"]


@pytest.mark.costly
def test_only_these_two_lists_are_embedded(playing: Tournament, client: Client) -> None:
    for kind in ("crosstable", "draft", "x"):
        assert client.get(f"/t/{playing.slug}/embed/{kind}/").status_code == 404
    assert client.get("/t/nowhere/embed/standings/").status_code == 404


def test_lists_before_the_first_round_say_so(ready: Tournament, client: Client) -> None:
    for kind, words in (("standings", "No results"), ("pairings", "No pairings")):
        page = client.get(reverse("embedded", args=[ready.slug, kind])).content.decode()
        assert f"{words} are published yet." in page


def events_of(client: Client, name: str, *arguments: object) -> dict[str, dict[str, str]]:
    """Return the appointments of a calendar by their names."""
    text = client.get(reverse(name, args=arguments)).content.decode().replace("\r\n ", "")
    found = {}
    for block in re.findall(r"BEGIN:VEVENT\r\n(.*?)END:VEVENT", text, re.DOTALL):
        values = dict(line.split(":", 1) for line in block.strip().split("\r\n"))
        found[values["UID"]] = values
    return found


def test_a_calendar_has_board_opponent_and_an_end(playing: Tournament, client: Client) -> None:
    player = factories.entry_of(playing, 1)
    second, third = events_of(client, "player-calendar", playing.slug, player.pk).values()
    assert re.search(r"round 2: board \d+\\, (White|Black) against ", second["SUMMARY"])
    assert third["SUMMARY"].endswith("round 3")
    assert second["DTSTART"] == "20261121T090000Z"
    assert second["DTEND"] == "20261121T130000Z"


@pytest.mark.costly
def test_an_appointment_changes_only_with_its_own_round(
    playing: Tournament, client: Client, chief_arbiter: User
) -> None:
    player = factories.entry_of(playing, 1)

    def stamps() -> dict[str, tuple[str, str]]:
        found = events_of(client, "player-calendar", playing.slug, player.pk)
        return {uid: (each["SEQUENCE"], each["DTSTAMP"]) for uid, each in found.items()}

    before = stamps()
    tournament_update(tournament_id=playing.pk, actor=chief_arbiter, now=NOW, time_control="90+30")
    factories.enter_results(playing, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(playing, 2).pk, actor=chief_arbiter, now=NOW)
    assert stamps() == before
    round_schedule(
        round_id=factories.round_of(playing, 3).pk,
        actor=chief_arbiter,
        now=NOW + timedelta(hours=1),
        starts_at=NOW + timedelta(hours=30),
        results_due_at=None,
    )
    after = stamps()
    assert after.keys() == before.keys()
    second, third = before
    assert after[second] == before[second]
    assert int(after[third][0]) > int(before[third][0])
    assert after[third][1] == "20261121T100000Z"


def test_a_bye_and_a_withdrawn_player_have_no_appointment(
    playing: Tournament, client: Client
) -> None:
    with_bye = Entry.objects.get(
        tournament=playing, seats__round__number=2, seats__game__isnull=True
    )
    (third,) = events_of(client, "player-calendar", playing.slug, with_bye.pk).values()
    assert third["SUMMARY"].endswith("round 3")
    Entry.objects.filter(pk=with_bye.pk).update(withdrawn_from=3)
    Tournament.objects.filter(pk=playing.pk).update(public_version=playing.public_version + 1)
    assert events_of(client, "player-calendar", playing.slug, with_bye.pk) == {}
