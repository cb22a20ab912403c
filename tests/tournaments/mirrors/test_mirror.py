"""The mirror of a tournament: complete versions only, signed, and never an older one."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from pairing.record import signatures
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.mirrors.conftest import MirrorOf
from tournaments.core import jobs, signing
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.frame import state_key
from tournaments.core.messages import sentence
from tournaments.entries.entries import entry_withdraw
from tournaments.mirrors import manifest as manifests, running
from tournaments.mirrors.kept import Kept, MirrorSettings, MirrorState
from tournaments.mirrors.running import FIRST_AFTER, start_all
from tournaments.mirrors.setting import mirror_replace
from tournaments.models import Job, Tournament
from tournaments.setup.deletion import tournament_delete

LINK = re.compile(r'\s(?:href|src|action|data-names)="([^"]*)"')


def manifest_of(mirror: MirrorOf) -> manifests.Manifest:
    return manifests.read(mirror.files()["manifest.json"]).manifest


def publish(mirror: MirrorOf, number: int, chief: User) -> None:
    factories.pair_and_publish(mirror.tournament, number, chief)
    mirror.tournament.refresh_from_db()


def test_a_mirror_has_all_public_pages_and_a_signed_manifest_of_them(mirror: MirrorOf) -> None:
    state = mirror.run()
    assert (state.fault, state.counter, state.version) == (None, 1, mirror.tournament.public_version)
    files = mirror.files()
    file = json.loads(files["manifest.json"])
    assert file["key"] == signing.public_key()
    assert signatures.is_signed(file["key"], file["signed"], file["signature"])
    found = manifest_of(mirror)
    assert found.tournament == mirror.tournament.identity
    assert found.line == mirror.tournament.public_fingerprint
    assert found.state == state_key(mirror.tournament, runs=False)
    assert (found.counter, found.folder, found.pairings, found.results) == (1, "a", 1, 1)
    names = {name.removeprefix("en/") for name in found.files if name.startswith("en/") and "player-" not in name}
    assert names >= {
        "index.html",
        "me.html",
        "names.json",
        "players.html",
        "pairings-1.html",
        "pairings-1-by-name.html",
    }
    assert names >= {"standings.html", "standings-1.html", "crosstable.html", "progress.html", "prizes.html"}
    players = {f"{code}/player-{entry.pk}.html" for entry in mirror.tournament.entries.all() for code in ("en", "fr")}
    lists = [json.loads(files[f"a/{name}"]) for name in found.files if "/hashes-" in name]
    all_files = {**found.files, **{name: digest for part in lists for name, digest in part.items()}}
    assert {name for part in lists for name in part} == players
    for name, digest in all_files.items():
        path = name[1:] if name.startswith("/") else f"a/{name}"
        assert hashlib.sha256(files[path]).hexdigest() == digest, name
    # Later both folders have the same, and nothing is there that the manifest does not have.
    assert {path for path in files if path.startswith("b/")} == {
        f"b/{name}" for name in all_files if not name.startswith("/")
    }
    assert json.loads(files["news.json"]) == {"key": found.state, "pairings": 1, "results": 1, "n": 1}


def test_every_link_of_a_mirror_leads_to_a_file_of_it(mirror: MirrorOf) -> None:
    mirror.run()
    files = mirror.files()
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
        assert not re.search(r"<form(?![^>]*me\.html)|\shx-|data-server-only|data-dead|/accounts/|/help/", text), path
        assert text.count("<html") == text.count("</html>") == text.count("Content-Security-Policy") == 1
        for tag in ("main", "nav", "li", "p", "section", "a", "div", "form"):
            assert len(re.findall(rf"<{tag}\b", text)) == text.count(f"</{tag}>"), (path, tag)


def test_a_new_version_goes_to_the_other_folder_and_the_manifest_comes_last(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    mirror.run()
    before = mirror.files()
    publish(mirror, 2, chief_arbiter)
    at_the_switch: list[dict[str, bytes]] = []

    def look(path: str) -> bool:
        if path == "manifest.json":
            at_the_switch.append(mirror.files())
        return False

    mirror.place.broken = look
    assert mirror.run().counter == 2
    files = at_the_switch[0]
    # Until the manifest is written, everything that visitors read is as it was.
    visible = [path for path in before if path.startswith("a/") or "/" not in path]
    assert {path: files[path] for path in visible} == {path: before[path] for path in visible}
    assert b"pairings-2.html" in files["b/en/index.html"]
    switch = mirror.place.written.index("manifest.json")
    assert mirror.place.written[switch:][:4] == ["manifest.json", "index.html", "me.html", "news.json"]
    assert all(path.startswith(("b/", "files/")) for path in mirror.place.written[:switch])
    assert all(path.startswith("a/") for path in mirror.place.written[switch + 4 :])
    assert manifest_of(mirror).folder == "b"
    assert b'href="b/en/index.html"' in mirror.files()["index.html"]


def test_an_attempt_that_is_cut_off_is_continued_after_a_pause(mirror: MirrorOf, chief_arbiter: User) -> None:
    mirror.run()
    before = mirror.files()
    publish(mirror, 2, chief_arbiter)
    sent: list[str] = []
    mirror.place.broken = lambda path: len(mirror.place.written) >= 7
    pauses: list[float] = []

    def mend() -> None:
        state = mirror.kept.state
        assert state.fault is not None
        assert state.fault.code == "mirror.not_reached"
        assert state.next is not None
        pauses.append((state.next - mirror.clock()).total_seconds())
        assert mirror.files()["manifest.json"] == before["manifest.json"]
        if state.tries == 3:
            sent.extend(mirror.place.written)
            mirror.place.written.clear()
            mirror.place.broken = lambda path: False
            mirror.clock.before_sleep = lambda: None

    mirror.clock.before_sleep = mend
    state = mirror.run()
    assert (state.fault, state.counter) == (None, 2)
    assert {5, 10, 20} <= {round(pause) for pause in pauses}
    assert len(sent) == 7
    switch = mirror.place.written.index("manifest.json")
    assert not set(sent) & set(mirror.place.written[:switch])


@pytest.mark.parametrize(
    "language, found, said",
    [
        ("en", 1, "1 column, but the header has 3."),
        ("en", 2, "2 columns, but the header has 3."),
        ("fr", 1, "1 colonne, mais l’en-tête en a 3."),
        ("fr", 2, "2 colonnes, mais l’en-tête en a 3."),
    ],
)
def test_the_reason_of_a_failure_is_in_singular_and_plural(
    mirror: MirrorOf, monkeypatch: pytest.MonkeyPatch, language: str, found: int, said: str
) -> None:
    def refuse(path: str, body: bytes) -> None:
        raise BadInput("csv.too_many_cells", found=found, expected="3")

    monkeypatch.setattr(mirror.place, "write", refuse)
    mirror.clock.before_sleep = lambda: mirror.kept.save_settings(replace(mirror.kept.settings, is_on=False))
    fault = mirror.run().fault
    assert fault is not None
    with override(language):
        assert sentence(BadInput(fault.code, **fault.params)) == said


def test_what_did_not_change_is_not_sent_again(mirror: MirrorOf, chief_arbiter: User) -> None:
    mirror.run()
    mirror.run()
    assert mirror.place.written == []
    entry_withdraw(entry_id=factories.entry_of(mirror.tournament, 6).pk, actor=chief_arbiter, now=factories.NOW)
    mirror.run()
    assert 0 < len(mirror.place.written) < len(mirror.files()) / 2


def test_a_draft_is_not_in_the_mirror(mirror: MirrorOf, chief_arbiter: User) -> None:
    mirror.run()
    before = mirror.files()
    row = round_pair(round_id=factories.round_of(mirror.tournament, 2).pk, actor=chief_arbiter, now=factories.NOW)
    mirror.kept.forget_sent()
    mirror.run()
    files = mirror.files()
    assert not [path for path in files if "pairings-2" in path]
    same = [path for path in before if path not in ("manifest.json", "news.json", "index.html", "me.html")]
    assert {path: files[path] for path in same} == {path: before[path] for path in same}
    assert row.number == 2


def test_stored_pages_are_taken_as_they_are(
    mirror: MirrorOf,
    stores_lists: None,
    chief_arbiter: User,
    client: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """The mirror is the same, whether the pages are in the store or are rendered for it."""
    mirror.kept.save_settings(MirrorSettings(kind="folder"))  # off: no process of its own
    with django_capture_on_commit_callbacks(execute=True):
        row = round_pair(round_id=factories.round_of(mirror.tournament, 2).pk, actor=chief_arbiter, now=timezone.now())
        round_publish(round_id=row.pk, actor=chief_arbiter, now=timezone.now())
    mirror.tournament.refresh_from_db()
    player = factories.player_address(mirror.tournament, 1)
    assert client.get(player).templates
    mirror.kept.save_settings(MirrorSettings(kind="folder", is_on=True))
    mirror.clock.now = timezone.now()
    mirror.run()
    stored = manifest_of(mirror).files
    assert client.get(player).templates == []
    forget_pages()
    mirror.kept.forget_sent()
    mirror.run()
    assert manifest_of(mirror).files == stored


def test_a_restored_backup_does_not_republish_what_was_withdrawn(mirror: MirrorOf, chief_arbiter: User) -> None:
    """The mirror has round 2; then this site is what it was before round 2, as after a restore."""
    with transaction.atomic():
        publish(mirror, 2, chief_arbiter)
        mirror.run()
        transaction.set_rollback(True)
    mirror.tournament.refresh_from_db()
    before = mirror.files()
    state = mirror.run()
    assert state.fault is not None
    assert (state.fault.code, state.next_try) == ("mirror.fork", "")
    assert mirror.place.written == []
    # Nor after another action, nor when everything is to be sent again.
    entry_withdraw(entry_id=factories.entry_of(mirror.tournament, 6).pk, actor=chief_arbiter, now=factories.NOW)
    mirror.kept.forget_sent()
    assert mirror.run().fault is not None
    assert mirror.files() == before
    # The Chief Arbiter can decide for this record. The counter goes on.
    with pytest.raises(Conflict):
        mirror_replace(owner=mirror.owner, actor=chief_arbiter, refused="another", seen_revision=1)
    mirror_replace(owner=mirror.owner, actor=chief_arbiter, refused=state.refused, seen_revision=1)
    assert mirror.run().fault is None
    assert (manifest_of(mirror).counter, manifest_of(mirror).pairings) == (2, 1)


def test_a_mirror_of_another_site_or_tournament_is_not_replaced(
    mirror: MirrorOf, chief_arbiter: User, settings: Settings
) -> None:
    mirror.run()
    before = mirror.files()
    settings.SIGNING_KEY = "5" * 64
    mirror.kept.forget_sent()
    state = mirror.run()
    assert state.fault is not None
    assert (state.fault.code, mirror.files()) == ("mirror.other_key", before)
    settings.SIGNING_KEY = ""
    other = factories.make_ready(chief_arbiter, players=4, name="Spring Open")
    beside = MirrorOf(other, mirror.root.parent)
    beside.place = mirror.place
    beside.kept.save_settings(mirror.kept.settings)
    state = beside.run()
    assert state.fault is not None
    assert (state.fault.code, mirror.files()) == ("mirror.other_tournament", before)


def test_a_changed_manifest_is_not_believed(mirror: MirrorOf) -> None:
    mirror.run()
    path = mirror.root / "manifest.json"
    path.write_text(path.read_text().replace('\\"version\\":', '\\"version\\":1'))
    mirror.kept.forget_sent()
    state = mirror.run()
    assert state.fault is not None
    assert state.fault.code == "mirror.unreadable"
    assert mirror.place.written == []


def test_what_is_published_meanwhile_is_sent_too(mirror: MirrorOf, chief_arbiter: User) -> None:
    """The job that sends sees that another one waits."""

    def publication() -> None:
        mirror.clock.before_sleep = lambda: None
        publish(mirror, 2, chief_arbiter)

    mirror.clock.before_sleep = publication  # while the old folder waits to be made equal
    state = mirror.run()
    assert (state.counter, manifest_of(mirror).pairings) == (2, 2)


def test_pages_that_are_gone_are_removed_from_both_folders(mirror: MirrorOf) -> None:
    mirror.run()
    (mirror.root / "a/en/player-9999.html").write_text("Withdrawn")
    sent = mirror.kept.sent("folder ")
    mirror.kept.save_sent("folder ", {**sent, "a/en/player-9999.html": "0", "b/en/player-9999.html": "0"})
    mirror.kept.save_state(MirrorState(counter=1))
    mirror.run()
    assert sorted(mirror.place.removed) == ["a/en/player-9999.html", "b/en/player-9999.html"]
    assert not [path for path in mirror.files() if "9999" in path]


def test_an_action_starts_nothing_without_a_mirror_or_without_news(mirror: MirrorOf, chief_arbiter: User) -> None:
    round_pair(round_id=factories.round_of(mirror.tournament, 2).pk, actor=chief_arbiter, now=factories.NOW)
    assert not mirror.is_wanted
    entry_withdraw(entry_id=factories.entry_of(mirror.tournament, 6).pk, actor=chief_arbiter, now=factories.NOW)
    assert mirror.is_wanted


def test_a_fault_of_the_program_is_on_the_page_and_tried_again_later(
    mirror: MirrorOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> None:
        raise ValueError("no such page")

    monkeypatch.setattr(running, "attempt", fail)
    mirror.want()
    held = jobs.take_here("mirror", mirror.owner.key)
    assert held is not None
    assert jobs.do_here(*held) == "failed"
    state = mirror.kept.state
    assert state.fault is not None
    assert (state.fault.code, state.fault.params) == ("mirror.not_made", {"problem": "no such page"})
    assert "ValueError: no such page" in Job.objects.get(pk=held[0]).log
    again = jobs.waiting("mirror", mirror.owner.key)
    assert again is not None
    assert again.due == state.next


def test_a_mirror_that_is_being_sent_is_not_sent_twice_at_once(
    mirror: MirrorOf, capsys: pytest.CaptureFixture[str]
) -> None:
    mirror.want()
    held = jobs.take_here("mirror", mirror.owner.key)
    call_command("mirror", mirror.tournament.slug)
    assert "is being brought up to date already" in capsys.readouterr().out
    assert held is not None
    assert mirror.is_wanted


def test_the_command_says_what_it_did(mirror: MirrorOf, played: Tournament) -> None:
    mirror.run()
    call_command("mirror", played.slug)
    Kept(played.identity).save_settings(MirrorSettings())
    with pytest.raises(CommandError, match="has no mirror"):
        call_command("mirror", str(played.pk))
    with pytest.raises(CommandError, match="no tournament"):
        call_command("mirror", "nowhere")


def test_settings_that_cannot_be_read_do_not_stop_an_action(
    mirror: MirrorOf, chief_arbiter: User, caplog: pytest.LogCaptureFixture
) -> None:
    (mirror.kept.folder / "settings.json").write_text("{")
    entry_withdraw(entry_id=factories.entry_of(mirror.tournament, 6).pk, actor=chief_arbiter, now=factories.NOW)
    assert "cannot be read" in caplog.text


def test_a_start_of_the_server_resumes_mirrors_and_forgets_those_of_deleted_tournaments(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    gone = factories.make_tournament(chief_arbiter, name="By mistake")
    Kept(gone.identity).save_settings(MirrorSettings(secret="t0ken", is_on=True))
    tournament_delete(tournament_id=gone.pk, actor=chief_arbiter, now=factories.NOW, name="By mistake")
    start_all(factories.NOW)
    job = jobs.waiting("mirror", mirror.owner.key)
    assert job is not None
    assert job.due == factories.NOW + FIRST_AFTER
    assert not Kept(gone.identity).folder.exists()
