"""The mirror of an event that was handed over:
this copy sends nothing, until the event is brought back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.tournaments import long_work
from tests.tournaments.factories import NOW
from tests.tournaments.site.mirrors.conftest import FOLDER, EventMirror, Mirror, MirrorOf
from tournaments.core.errors import RuleRefused
from tournaments.models import Tournament
from tournaments.site.backups.hand_over import event_bring_back, event_hand_over
from tournaments.site.mirrors.actions import mirror_again, mirror_replace, mirror_set, mirror_stop
from tournaments.site.mirrors.exporting import file_start
from tournaments.site.mirrors.updating import start, start_all

pytestmark = pytest.mark.costly


def hand_over(tournament: Tournament, chief: User) -> None:
    event_hand_over(
        tournament_id=tournament.pk,
        actor=chief,
        now=NOW,
        to="a laptop",
        address="https://club.example/",
    )


def require_resting(mirror: Mirror, chief: User, client: Client, page: str, *named: str) -> None:
    """Neither its job nor an action, the command or a start of the
    server sends anything; all files stay.
    """
    before = {path: path.read_bytes() for path in mirror.store.folder.iterdir()}
    start(mirror.source)
    long_work.do("mirror", mirror.source.key)
    mirror.run()
    assert (mirror.destination.written, mirror.destination.removed) == ([], [])
    chosen: dict[str, Any] = {"source": mirror.source, "actor": chief}
    actions: tuple[Callable[[], object], ...] = (
        lambda: mirror_set(**chosen, wanted=FOLDER, seen_revision=1),
        lambda: mirror_again(**chosen, everything=True),
        lambda: mirror_replace(**chosen, refused="x", seen_revision=1),
        lambda: file_start(**chosen),
    )
    for action in actions:
        with pytest.raises(RuleRefused, match="handed over to a laptop"):
            action()
    with pytest.raises(CommandError, match="was handed over"):
        call_command("mirror", *named)
    start_all(NOW)
    assert not mirror.is_wanted
    assert {path: path.read_bytes() for path in mirror.store.folder.iterdir()} == before
    client.force_login(chief)
    text = client.get(page).content.decode()
    assert "this computer sends nothing more to the mirror" in text
    assert "Send now" not in text
    assert "Save and send" not in text
    assert "Make the file" not in text


def test_a_copy_that_was_handed_over_sends_nothing(
    mirror: MirrorOf, chief_arbiter: User, client: Client
) -> None:
    mirror.run()
    mirror.publish(2, chief_arbiter)
    mirror.cancel_job()
    tournament = mirror.tournament
    hand_over(tournament, chief_arbiter)
    assert not mirror.is_wanted
    require_resting(
        mirror, chief_arbiter, client, reverse("mirror", args=[tournament.slug]), str(tournament.pk)
    )
    # Brought back, it sends by itself what visitors have not seen yet.
    event_bring_back(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, confirmed=True)
    assert mirror.is_wanted
    assert mirror.run().version == Tournament.objects.get(pk=tournament.pk).public_version
    hand_over(tournament, chief_arbiter)
    mirror_stop(source=mirror.source, actor=chief_arbiter, seen_revision=1)
    assert not mirror.store.is_on
    assert not mirror.is_wanted


def test_a_second_folder_is_left_alone_once_the_event_is_handed_over(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    assert mirror.attempt() is not None
    hand_over(mirror.tournament, chief_arbiter)
    start(mirror.source)
    long_work.do("mirror", mirror.source.key)
    assert any(path.startswith("a/") for path in mirror.files)
    assert not any(path.startswith("b/") for path in mirror.files)


def test_the_mirror_of_an_event_that_was_handed_over_rests_too(
    event_mirror: EventMirror, chief_arbiter: User, client: Client
) -> None:
    mirror = event_mirror
    mirror.run_all()
    for each in (mirror, mirror.a, mirror.b):
        each.cancel_job()
    hand_over(mirror.a.tournament, chief_arbiter)
    page = reverse("event-mirror", args=[mirror.event.slug])
    require_resting(mirror, chief_arbiter, client, page, "--event", mirror.event.slug)
    mirror_stop(
        source=mirror.source, actor=chief_arbiter, seen_revision=mirror.store.settings.revision
    )
    assert not mirror.store.is_on
    assert not mirror.is_wanted
