"""The mirror of an event: its sections with links to their mirrors, all players,
and nothing that is not public.
"""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction

from pairing.record import signatures
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.site.mirrors.conftest import FOLDER, EventMirror
from tournaments.core import signing
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Tournament
from tournaments.setup.visibility import tournament_list_set
from tournaments.site.mirrors.actions import settings_of_section
from tournaments.site.mirrors.sources import link_between
from tournaments.site.mirrors.store import MirrorSettings
from tournaments.site.mirrors.updating import start_all

LINK = re.compile(r'\s(?:href|src|action)="([^"]*)"')


def list_it(tournament: Tournament, chief: User, listed: bool = True) -> None:
    tournament_list_set(tournament_id=tournament.pk, actor=chief, now=NOW, listed=listed)
    tournament.refresh_from_db()


@pytest.fixture
def mirror(event_mirror: EventMirror) -> EventMirror:
    return event_mirror


def links(root: Path, path: str) -> set[str]:
    """Return the files, from *root*, to which the page at *path* leads; each must exist."""
    found = set()
    for address in map(unescape, LINK.findall((root / path).read_text())):
        target = address.partition("#")[0].partition("?")[0]
        if target and target != "data:,":
            file = ((root / path).parent / target).resolve()
            assert file.is_file(), (path, address)
            found.add(file.relative_to(root.resolve()).as_posix())
    return found


@pytest.mark.costly
def test_the_mirror_of_an_event_is_signed_and_leads_to_the_mirrors_of_its_sections(
    mirror: EventMirror,
) -> None:
    mirror.run_all()
    file = json.loads(mirror.files["manifest.json"])
    assert file["key"] == signing.public_key()
    assert signatures.is_signed(file["key"], file["signed"], file["signature"])
    found = mirror.manifest
    assert (found.tournament, found.name) == (mirror.event.identity, "City Open")
    assert {name for name in found.files if name.startswith("en/")} == {
        "en/index.html",
        "en/players.html",
    }
    above = mirror.root.parent
    own = mirror.root.name
    for language in ("en", "fr"):
        leads = links(above, f"{own}/{found.folder}/{language}/index.html")
        assert {
            f"city-open/a/{language}/{name}.html"
            for name in ("index", "pairings-1", "standings", "players")
        } < leads
        assert f"city-open-juniors/a/{language}/index.html" in leads
        player = factories.entry_of(mirror.a.tournament, 1)
        leads = links(above, f"{own}/{found.folder}/{language}/players.html")
        assert f"city-open/a/{language}/player-{player.pk}.html" in leads
        # And back, from every page of a section.
        for name in ("index", "pairings-1", f"player-{player.pk}"):
            assert f"{own}/a/{language}/index.html" in links(
                above, f"city-open/a/{language}/{name}.html"
            )
    assert "terminé" not in mirror.text(language="fr")
    assert "Appariements de la ronde 1" in mirror.text(language="fr")
    assert not re.search(
        r"\shx-|data-server-only|data-dead|data-key", mirror.text() + mirror.text("players.html")
    )


@pytest.mark.costly
def test_nothing_of_a_section_outside_the_public_list_is_in_the_mirror(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    mirror.hidden.store.save_settings(FOLDER)
    mirror.hidden.run()
    mirror.run_all()
    before = mirror.files
    hidden = mirror.hidden.tournament
    secrets = [
        "Hidden",
        hidden.slug,
        hidden.identity,
        hidden.public_fingerprint[:12],
        f"section-{hidden.section.pk}",
    ]
    secrets += [f"player-{entry.pk}." for entry in hidden.entries.all()]
    for path, body in before.items():
        for secret in secrets:
            assert secret.encode() not in body, (path, secret)
    # Nor when something happens there.
    factories.make_entries(hidden, chief_arbiter, 1)
    mirror.run()
    assert (mirror.destination.written, mirror.files) == ([], before)


@pytest.mark.costly
def test_a_section_that_leaves_the_public_list_disappears_and_no_restore_brings_it_back(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    mirror.run_all()
    with transaction.atomic():
        list_it(mirror.b.tournament, chief_arbiter, listed=False)
        mirror.run_all()
        assert "Juniors" not in mirror.text() + mirror.text("players.html")
        # What happens there afterwards is not for visitors.
        before = mirror.files
        factories.make_entries(mirror.b.tournament, chief_arbiter, 1)
        mirror.run_all()
        assert mirror.files == before
        transaction.set_rollback(True)
    # The site is what it was before, as after a restore: there the section is in the list.
    mirror.b.tournament.refresh_from_db()
    assert mirror.b.tournament.listed
    mirror.run()
    assert (mirror.fault, mirror.destination.written) == ("mirror.fork", [])
    mirror.store.forget_sent()
    mirror.run()
    assert mirror.files == before


@pytest.mark.costly
def test_a_restored_backup_does_not_show_an_older_round(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    mirror.run_all()
    with transaction.atomic():
        factories.pair_and_publish(mirror.a.tournament, 2, chief_arbiter)
        mirror.run_all()
        assert "Pairings of round 2" in mirror.text()
        before = mirror.files
        transaction.set_rollback(True)
    mirror.run()
    assert (mirror.fault, mirror.files) == ("mirror.fork", before)


@pytest.mark.costly
def test_a_link_waits_until_the_mirror_of_the_section_has_the_page(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    mirror.run_all()
    factories.pair_and_publish(mirror.a.tournament, 2, chief_arbiter)
    mirror.run()
    assert "round 2 of 5 is being played" in mirror.text()
    assert "Pairings of round" not in mirror.text()
    mirror.cancel_job()
    mirror.a.run()
    assert mirror.is_wanted
    mirror.run()
    page = f"{mirror.root.name}/{mirror.manifest.folder}/en/index.html"
    assert "city-open/b/en/pairings-2.html" in links(mirror.root.parent, page)


@pytest.mark.costly
def test_a_section_without_a_mirror_has_no_links_and_one_that_fails_does_not_hide_a_removal(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    mirror.a.store.save_settings(MirrorSettings())
    mirror.run_all()
    assert "Masters" in mirror.text()
    assert "/city-open/a/" not in mirror.text()
    assert "/city-open-juniors/a/" in mirror.text()
    mirror.b.destination.breaks = lambda path: True
    list_it(mirror.b.tournament, chief_arbiter, listed=False)
    mirror.cancel_job()
    assert mirror.b.attempt() is not None
    assert (mirror.b.fault, mirror.is_wanted) == ("mirror.not_reached", True)


@pytest.mark.costly
def test_an_action_starts_the_mirror_of_the_event_once(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    entry = factories.entry_of(mirror.a.tournament, 6)
    for each in (mirror, mirror.a):
        each.cancel_job()
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
    # First the section: it starts the event when its pages are there.
    assert (mirror.a.is_wanted, mirror.is_wanted) == (True, False)
    list_it(mirror.hidden.tournament, chief_arbiter)
    assert mirror.is_wanted


def test_mirrors_in_one_web_space_lead_to_each_other_wherever_it_is_copied() -> None:
    event = MirrorSettings(
        address="https://dav.example.org/open/", user="club", secret="s", is_on=True
    )
    section = settings_of_section(event, "open-u12")
    assert (section.address, section.user, section.secret) == (
        "https://dav.example.org/open/open-u12/",
        "club",
        "s",
    )
    on = MirrorSettings(address=section.address, is_on=True)
    assert (link_between(event, on, ""), link_between(on, event, "")) == ("open-u12/", "../")
    elsewhere = MirrorSettings(
        address="https://other.example.org/", public="https://club.example.org/u12", is_on=True
    )
    assert link_between(event, elsewhere, "") == "https://club.example.org/u12/"
    assert link_between(elsewhere, event, "") is None
    assert link_between(event, MirrorSettings(address=on.address), "") is None


@pytest.mark.costly
def test_pages_lead_to_a_mirror_elsewhere_by_the_address_for_visitors(mirror: EventMirror) -> None:
    mirror.a.run()
    mirror.a.store.save_settings(
        MirrorSettings(kind="folder", is_on=True, public="https://club.example.org/masters")
    )
    mirror.run()
    assert 'href="https://club.example.org/masters/a/en/pairings-1.html"' in mirror.text()


@pytest.mark.costly
def test_without_a_public_section_the_page_says_so(
    mirror: EventMirror, chief_arbiter: User
) -> None:
    mirror.run_all()
    for each in (mirror.a, mirror.b):
        list_it(each.tournament, chief_arbiter, listed=False)
    mirror.run_all()
    assert "No section is public at the moment." in mirror.text()
    assert '<meta name="robots" content="noindex">' in mirror.text()
    assert "Juniors" not in "".join(map(str, mirror.files.values()))


@pytest.mark.costly
def test_the_command_sends_the_mirror_of_an_event(mirror: EventMirror) -> None:
    mirror.run_all()
    call_command("mirror", "--event", mirror.event.slug)
    with pytest.raises(CommandError, match="no event"):
        call_command("mirror", "--event", "nowhere")
    assert not mirror.is_wanted
    start_all(NOW)
    assert mirror.is_wanted
    mirror.store.save_settings(MirrorSettings())
    with pytest.raises(CommandError, match="has no mirror"):
        call_command("mirror", "--event", str(mirror.event.pk))
