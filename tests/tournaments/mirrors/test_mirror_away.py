"""The mirror of an event that was handed over: this copy sends nothing, until the event is brought back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments.factories import NOW
from tests.tournaments.mirrors.conftest import MirrorOf, make_event_mirror
from tests.tournaments.mirrors.test_mirror import publish
from tournaments.backups.hand_over import event_bring_back, event_hand_over
from tournaments.core.errors import RuleRefused
from tournaments.mirrors.kept import MirrorSettings
from tournaments.mirrors.owners import OfTournament
from tournaments.mirrors.running import start_all
from tournaments.mirrors.setting import mirror_again, mirror_replace, mirror_set, mirror_stop
from tournaments.models import Tournament


def test_a_copy_that_was_handed_over_sends_nothing(mirror: MirrorOf, chief_arbiter: User, client: Client) -> None:
    mirror.run()
    publish(mirror, 2, chief_arbiter)
    mirror.forget_wish()
    given: dict[str, Any] = {"tournament_id": mirror.tournament.pk, "actor": chief_arbiter, "now": NOW}
    event_hand_over(**given, to="a laptop", address="https://club.example/")
    mirror.kept.save_state(replace(mirror.kept.state, next_try=mirror.clock.now.isoformat(), tries=3))
    before = {path: path.read_bytes() for path in mirror.kept.folder.iterdir()}
    assert not mirror.is_wanted
    mirror.run()
    assert (mirror.place.written, mirror.place.removed) == ([], [])
    owner = OfTournament(mirror.tournament.pk, mirror.tournament.identity)
    chosen: dict[str, Any] = {"owner": owner, "actor": chief_arbiter}
    tries: tuple[Callable[[], object], ...] = (
        lambda: mirror_set(**chosen, wanted=MirrorSettings(kind="folder"), seen_revision=1),
        lambda: mirror_again(**chosen, everything=True),
        lambda: mirror_replace(**chosen, refused="x", seen_revision=1),
    )
    for attempt in tries:
        with pytest.raises(RuleRefused, match="handed over to a laptop"):
            attempt()
    with pytest.raises(CommandError, match="was handed over"):
        call_command("mirror", str(mirror.tournament.pk))
    start_all(NOW)
    assert not mirror.is_wanted
    assert {path: path.read_bytes() for path in mirror.kept.folder.iterdir()} == before
    client.force_login(chief_arbiter)
    page = client.get(reverse("mirror", args=[mirror.tournament.slug])).content.decode()
    assert "this computer sends nothing more to the mirror" in page
    assert "Send now" not in page
    # Brought back, it sends what visitors have not seen yet.
    event_bring_back(**given, confirmed=True)
    mirror.kept.save_state(replace(mirror.kept.state, next_try="", tries=0))
    assert mirror.run().version == Tournament.objects.get(pk=mirror.tournament.pk).public_version
    event_hand_over(**given, to="a laptop")
    mirror_stop(**chosen, seen_revision=1)
    assert not mirror.kept.is_on
    assert not mirror.is_wanted


def test_a_mirror_goes_on_by_itself_when_the_event_is_brought_back(mirror: MirrorOf, chief_arbiter: User) -> None:
    given: dict[str, Any] = {"tournament_id": mirror.tournament.pk, "actor": chief_arbiter, "now": NOW}
    event_hand_over(**given, to="a laptop")
    assert not mirror.is_wanted
    event_bring_back(**given, confirmed=True)
    assert mirror.is_wanted


def test_a_second_folder_is_left_alone_once_the_event_is_handed_over(mirror: MirrorOf, chief_arbiter: User) -> None:
    given: dict[str, Any] = {"tournament_id": mirror.tournament.pk, "actor": chief_arbiter, "now": NOW}

    def hand_over_meanwhile() -> None:
        mirror.clock.before_sleep = lambda: None
        event_hand_over(**given, to="a laptop")

    mirror.clock.before_sleep = hand_over_meanwhile
    mirror.run()
    assert any(path.startswith("a/") for path in mirror.place.written)
    assert not any(path.startswith("b/") for path in mirror.place.written)


def test_the_mirror_of_an_event_that_was_handed_over_rests_too(
    chief_arbiter: User, client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR, settings.MIRROR_DIR = tmp_path, str(tmp_path)
    mirror = make_event_mirror(chief_arbiter, tmp_path)
    mirror.run_all()
    for each in (mirror, mirror.a, mirror.b):
        each.forget_wish()
    event_hand_over(tournament_id=mirror.a.tournament.pk, actor=chief_arbiter, now=NOW, to="a laptop")
    mirror.want()
    mirror.run()
    assert (mirror.place.written, mirror.place.removed) == ([], [])
    start_all(NOW)
    assert not mirror.is_wanted
    with pytest.raises(CommandError, match="was handed over"):
        call_command("mirror", "--event", mirror.event.slug)
    with pytest.raises(RuleRefused, match="handed over to a laptop"):
        mirror_again(owner=mirror.owner, actor=chief_arbiter)
    client.force_login(chief_arbiter)
    page = client.get(reverse("event-mirror", args=[mirror.event.slug])).content.decode()
    assert "this computer sends nothing more to the mirror" in page
    assert "Save and send" not in page
    mirror_stop(owner=mirror.owner, actor=chief_arbiter, seen_revision=mirror.kept.settings.revision)
    assert not mirror.kept.is_on
    assert not mirror.is_wanted
