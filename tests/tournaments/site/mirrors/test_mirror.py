"""The mirror of a tournament: complete versions only, signed, and never an older one."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from pairing.record import signatures
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.conftest import forget_pages
from tests.tournaments import factories, long_work
from tests.tournaments.factories import NOW
from tests.tournaments.site.mirrors.conftest import FOLDER, MirrorOf
from tournaments.core import signing
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.frame import state_key
from tournaments.core.messages import sentence
from tournaments.entries.entries import entry_withdraw
from tournaments.site.mirrors import manifest as manifests
from tournaments.site.mirrors.actions import mirror_replace
from tournaments.site.mirrors.store import MirrorState

LINK = re.compile(r'\s(?:href|src|action|data-names)="([^"]*)"')


def withdraw(mirror: MirrorOf, chief: User) -> None:
    entry_withdraw(entry_id=factories.entry_of(mirror.tournament, 6).pk, actor=chief, now=NOW)


@pytest.mark.costly
def test_a_mirror_has_all_public_pages_and_a_signed_manifest_of_them(mirror: MirrorOf) -> None:
    state = mirror.run()
    assert (state.fault, state.version, state.in_both) == (
        None,
        mirror.tournament.public_version,
        True,
    )
    files, found = mirror.files, mirror.manifest
    file = json.loads(files["manifest.json"])
    assert file["key"] == signing.public_key()
    assert signatures.is_signed(file["key"], file["signed"], file["signature"])
    assert (found.tournament, found.line) == (
        mirror.tournament.identity,
        mirror.tournament.public_fingerprint,
    )
    assert found.state == state_key(mirror.tournament, runs=False)
    assert (found.counter, found.folder, found.pairings, found.results) == (
        state.counter,
        "a",
        1,
        1,
    )
    names = {
        name.removeprefix("en/")
        for name in found.files
        if name.startswith("en/") and "player-" not in name
    }
    assert names >= {
        *(
            "index.html",
            "me.html",
            "names.json",
            "players.html",
            "pairings-1.html",
            "pairings-1-by-name.html",
        ),
        *("standings.html", "standings-1.html", "crosstable.html", "progress.html", "prizes.html"),
    }
    players = {
        f"{code}/player-{entry.pk}.html"
        for entry in mirror.tournament.entries.all()
        for code in ("en", "fr")
    }
    lists = [json.loads(files[f"a/{name}"]) for name in found.files if "/hashes-" in name]
    all_files = {**found.files, **{name: digest for part in lists for name, digest in part.items()}}
    assert {name for part in lists for name in part} == players
    for name, digest in all_files.items():
        path = name[1:] if name.startswith("/") else f"a/{name}"
        assert hashlib.sha256(files[path]).hexdigest() == digest, name
    # Both folders have the same, and nothing is there that the manifest does not have.
    assert {path for path in files if path.startswith("b/")} == {
        f"b/{name}" for name in all_files if not name.startswith("/")
    }
    news = {"key": found.state, "pairings": 1, "results": 1, "n": state.counter}
    assert json.loads(files["news.json"]) == news


@pytest.mark.costly
def test_every_link_of_a_mirror_leads_to_a_file_of_it(mirror: MirrorOf) -> None:
    mirror.run()
    files = mirror.files
    for path, body in files.items():
        if not path.endswith(".html"):
            continue
        text = body.decode()
        for address in map(unescape, LINK.findall(text)):
            target = address.partition("#")[0].partition("?")[0]
            parts = path.split("/")[:-1]
            for step in target.split("/") if target else []:
                parts = parts[:-1] if step == ".." else [*parts, step]
            assert target in ("", "data:,") or "/".join(parts) in files, (path, address)
        assert not re.search(
            r"<form(?![^>]*me\.html)|\shx-|data-server-only|data-dead|/accounts/|/help/", text
        ), path
        assert (
            text.count("<html")
            == text.count("</html>")
            == text.count("Content-Security-Policy")
            == 1
        )
        for tag in ("main", "nav", "li", "p", "section", "a", "div", "form"):
            assert len(re.findall(rf"<{tag}\b", text)) == text.count(f"</{tag}>"), (path, tag)


@pytest.mark.costly
def test_a_new_version_goes_to_the_other_folder_and_the_manifest_comes_last(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    counter = mirror.run().counter
    before = mirror.files
    mirror.publish(2, chief_arbiter)
    at_the_switch: list[dict[str, bytes]] = []
    mirror.destination.breaks = lambda path: (
        path == "manifest.json" and at_the_switch.append(mirror.files) is not None
    )
    assert mirror.run().counter > counter
    files = at_the_switch[0]
    # Until the manifest is written, everything that visitors read is as it was.
    visible = [path for path in before if path.startswith("a/") or "/" not in path]
    assert {path: files[path] for path in visible} == {path: before[path] for path in visible}
    assert b"pairings-2.html" in files["b/en/index.html"]
    written = mirror.destination.written
    switch = written.index("manifest.json")
    assert written[switch:][:4] == ["manifest.json", "index.html", "me.html", "news.json"]
    assert all(path.startswith(("b/", "files/")) for path in written[:switch])
    assert all(path.startswith("a/") for path in written[switch + 4 :])
    assert mirror.manifest.folder == "b"
    assert b'href="b/en/index.html"' in mirror.files["index.html"]


@pytest.mark.costly
def test_an_attempt_that_is_cut_off_is_continued_after_a_pause(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    mirror.run()
    before = mirror.files
    mirror.publish(2, chief_arbiter)
    mirror.destination.written.clear()
    mirror.destination.breaks = lambda path: len(mirror.destination.written) >= 7
    for tries, pause in enumerate((5, 10, 20), 1):
        due = mirror.attempt()
        assert due is not None
        assert (mirror.fault, mirror.store.state.tries) == ("mirror.not_reached", tries)
        assert (due - mirror.now).total_seconds() == pause
        assert mirror.files["manifest.json"] == before["manifest.json"]
    sent = set(mirror.destination.written)
    mirror.destination.breaks = lambda path: False
    assert mirror.run().fault is None
    written = mirror.destination.written
    assert len(sent) == 7
    assert not sent & set(written[: written.index("manifest.json")])


@pytest.mark.costly
def test_a_transfer_that_is_killed_leaves_the_old_version_and_no_wrong_page(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    """A request on its way is unknown afterwards, also if the
    pages are then what they were before.
    """
    mirror.run()
    before = mirror.files

    def kill(path: str) -> bool:
        if len(mirror.destination.written) == 7:
            raise SystemExit
        return False

    with transaction.atomic():
        mirror.publish(2, chief_arbiter)
        mirror.destination.written.clear()
        mirror.destination.breaks = kill
        with pytest.raises(SystemExit):
            mirror.attempt()
        transaction.set_rollback(True)
    visible = [path for path in before if not path.startswith("b/")]
    assert {path: mirror.files[path] for path in visible} == {
        path: before[path] for path in visible
    }
    assert {path: mirror.files[path] for path in before} != before
    mirror.destination.breaks = lambda path: False
    assert mirror.run().fault is None
    assert {path: mirror.files[path] for path in before} == before


@pytest.mark.parametrize(
    "language, found, message",
    [
        ("en", 1, "1 column, but the header has 3."),
        pytest.param("en", 2, "2 columns, but the header has 3.", marks=pytest.mark.costly),
        pytest.param("fr", 1, "1 colonne, mais l’en-tête en a 3.", marks=pytest.mark.costly),
        pytest.param("fr", 2, "2 colonnes, mais l’en-tête en a 3.", marks=pytest.mark.costly),
    ],
)
def test_the_reason_of_a_failure_is_in_singular_and_plural(
    mirror: MirrorOf, monkeypatch: pytest.MonkeyPatch, language: str, found: int, message: str
) -> None:
    def refuse(path: str, body: bytes) -> None:
        raise BadInput("csv.too_many_cells", found=found, expected="3")

    monkeypatch.setattr(mirror.destination, "write", refuse)
    mirror.attempt()
    fault = mirror.store.state.fault
    assert fault is not None
    with override(language):
        assert sentence(BadInput(fault.code, **fault.params)) == message


@pytest.mark.costly
def test_what_did_not_change_is_not_sent_again(mirror: MirrorOf, chief_arbiter: User) -> None:
    mirror.run()
    mirror.run()
    assert mirror.destination.written == []
    withdraw(mirror, chief_arbiter)
    mirror.run()
    assert 0 < len(mirror.destination.written) < len(mirror.files) / 2


@pytest.mark.costly
def test_a_draft_is_not_in_the_mirror(mirror: MirrorOf, chief_arbiter: User) -> None:
    mirror.run()
    before = mirror.files
    round_pair(round_id=factories.round_of(mirror.tournament, 2).pk, actor=chief_arbiter, now=NOW)
    mirror.store.forget_sent()
    mirror.run()
    files = mirror.files
    assert "manifest.json" in mirror.destination.written
    assert not [path for path in files if "pairings-2" in path]
    same = [
        path
        for path in before
        if path not in ("manifest.json", "news.json", "index.html", "me.html")
    ]
    assert {path: files[path] for path in same} == {path: before[path] for path in same}


@pytest.mark.costly
def test_stored_pages_are_taken_as_they_are(
    mirror: MirrorOf,
    publications_store_pages: None,
    chief_arbiter: User,
    client: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """The mirror is the same, whether the pages are in the store or are rendered for it."""
    with django_capture_on_commit_callbacks(execute=True):
        row = round_pair(
            round_id=factories.round_of(mirror.tournament, 2).pk,
            actor=chief_arbiter,
            now=timezone.now(),
        )
        round_publish(round_id=row.pk, actor=chief_arbiter, now=timezone.now())
    mirror.tournament.refresh_from_db()
    player = factories.player_address(mirror.tournament, 1)
    assert client.get(player).templates
    mirror.now = timezone.now()
    mirror.run()
    stored = mirror.manifest.files
    assert client.get(player).templates == []
    forget_pages()
    mirror.store.forget_sent()
    mirror.run()
    assert mirror.manifest.files == stored


@pytest.mark.costly
def test_a_restored_backup_does_not_republish_what_was_withdrawn(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    """The mirror has round 2; then this site is what it was before round 2, as after a restore."""
    with transaction.atomic():
        mirror.publish(2, chief_arbiter)
        mirror.run()
        transaction.set_rollback(True)
    mirror.tournament.refresh_from_db()
    before, counter = mirror.files, mirror.manifest.counter
    state = mirror.run()
    assert (mirror.fault, mirror.destination.written) == ("mirror.fork", [])
    # Nor after another action, nor when everything is to be sent again, nor by an export.
    withdraw(mirror, chief_arbiter)
    mirror.store.forget_sent()
    assert mirror.run().fault is not None
    with pytest.raises(CommandError, match="which this record does not contain"):
        call_command("mirror", mirror.tournament.slug, "--to", str(mirror.root))
    assert mirror.files == before
    # The Chief Arbiter can decide for this record. The counter goes on.
    with pytest.raises(Conflict):
        mirror_replace(
            source=mirror.source, actor=chief_arbiter, refused="another", seen_revision=1
        )
    mirror_replace(
        source=mirror.source, actor=chief_arbiter, refused=state.refused, seen_revision=1
    )
    assert mirror.run().fault is None
    assert mirror.manifest.counter > counter
    assert mirror.manifest.pairings == 1


@pytest.mark.costly
def test_a_mirror_of_another_site_or_tournament_is_not_replaced(
    mirror: MirrorOf, chief_arbiter: User, settings: Settings
) -> None:
    mirror.run()
    before = mirror.files
    settings.SIGNING_KEY = "5" * 64
    mirror.store.forget_sent()
    mirror.run()
    assert (mirror.fault, mirror.files) == ("mirror.other_key", before)
    settings.SIGNING_KEY = ""
    other = MirrorOf(
        factories.make_ready(chief_arbiter, players=4, name="Spring Open"), mirror.root.parent
    )
    other.destination = mirror.destination
    other.store.save_settings(FOLDER)
    other.run()
    assert (other.fault, mirror.files) == ("mirror.other_tournament", before)


@pytest.mark.costly
def test_a_changed_manifest_is_not_believed(mirror: MirrorOf) -> None:
    mirror.run()
    path = mirror.root / "manifest.json"
    path.write_text(path.read_text().replace('\\"version\\":', '\\"version\\":1'))
    mirror.store.forget_sent()
    mirror.run()
    assert (mirror.fault, mirror.destination.written) == ("mirror.unreadable", [])


@pytest.mark.costly
def test_another_computer_that_writes_meanwhile_is_not_overwritten(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    mirror.run()
    mirror.publish(2, chief_arbiter)

    def write(path: str) -> bool:
        manifest = replace(mirror.manifest, counter=mirror.manifest.counter + 1)
        (mirror.root / "manifest.json").write_bytes(manifests.signed(manifest))
        return False

    mirror.destination.breaks = write
    assert mirror.attempt() is None
    assert mirror.fault == "mirror.moved_meanwhile"
    assert mirror.manifest.pairings == 1


@pytest.mark.costly
def test_what_is_published_meanwhile_is_sent_before_the_second_folder(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    assert mirror.attempt() is not None

    def publish(path: str) -> bool:
        mirror.destination.breaks = lambda path: False
        mirror.publish(2, chief_arbiter)
        return False

    mirror.destination.breaks = publish
    state = mirror.run()
    written = mirror.destination.written
    assert written[:2] == ["b/en/index.html"] * 2  # begun for one version, then left for the next
    assert all(
        path.startswith(("b/", "files/")) for path in written[: written.index("manifest.json")]
    )
    assert (state.in_both, mirror.manifest.pairings) == (True, 2)


@pytest.mark.costly
def test_pages_that_are_gone_are_removed_from_both_folders(mirror: MirrorOf) -> None:
    counter = mirror.run().counter
    (mirror.root / "a/en/player-9999.html").write_text("Withdrawn")
    sent = mirror.store.sent("folder ")
    mirror.store.save_sent(
        "folder ", {**sent, "a/en/player-9999.html": "0", "b/en/player-9999.html": "0"}
    )
    mirror.store.save_state(MirrorState(counter=counter))
    mirror.run()
    assert sorted(mirror.destination.removed) == ["a/en/player-9999.html", "b/en/player-9999.html"]
    assert not [path for path in mirror.files if "9999" in path]


@pytest.mark.costly
def test_a_mirror_of_the_program_before_goes_on(mirror: MirrorOf, chief_arbiter: User) -> None:
    """Its state had when the next attempt was due, and not whether both folders are equal."""
    mirror.run()
    path = mirror.store.folder / "state.json"
    values = json.loads(path.read_text())
    del values["in_both"]
    path.write_text(json.dumps(values | {"counter": 57, "next_try": "2026-11-21T09:00:05+00:00"}))
    manifest = replace(mirror.manifest, counter=57)
    (mirror.root / "manifest.json").write_bytes(manifests.signed(manifest))
    before = mirror.files
    mirror.run()
    assert (mirror.destination.written, mirror.files) == ([], before)
    mirror.publish(2, chief_arbiter)
    assert mirror.run().fault is None
    assert mirror.manifest.counter > 57


@pytest.mark.costly
def test_an_export_is_the_same_in_a_folder_and_in_a_file(
    mirror: MirrorOf, chief_arbiter: User, client: Client, tmp_path: Path
) -> None:
    mirror.run()
    call_command("mirror", mirror.tournament.slug, "--to", str(tmp_path / "pages"))
    pages = {
        path.relative_to(tmp_path / "pages").as_posix()
        for path in (tmp_path / "pages").rglob("*.*")
    }
    assert pages == set(mirror.files)
    client.force_login(chief_arbiter)
    address = reverse("mirror", args=[mirror.tournament.slug])
    assert client.get(f"{address}?file").status_code == 404
    assert client.post(address, {"do": "file"}).status_code == 302
    assert "The file is being made." in client.get(address).content.decode()
    long_work.do("mirror_file", mirror.source.key)
    assert "Download the file of" in client.get(address).content.decode()
    answer = client.get(f"{address}?file")
    assert answer["Content-Disposition"] == f'attachment; filename="{mirror.tournament.slug}.zip"'
    target = tmp_path / "download.zip"
    target.write_bytes(answer.content)
    with ZipFile(target) as file:
        assert {name for name in file.namelist() if not name.endswith("/")} == pages
        found = manifests.read(file.read("manifest.json"))
    assert found.key == signing.public_key()
    assert found.manifest.files == mirror.manifest.files
