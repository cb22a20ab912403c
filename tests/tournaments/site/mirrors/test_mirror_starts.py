"""When the mirror of a tournament is brought up to date: after actions, at a start of the server,
by the command, and again after a fault.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from pairing.rounds.pair import round_pair
from tests.tournaments import factories, long_work
from tests.tournaments.factories import NOW
from tests.tournaments.site.mirrors.conftest import MirrorOf
from tests.tournaments.site.mirrors.test_mirror import withdraw
from tournaments.core import jobs
from tournaments.models import Tournament
from tournaments.setup.deletion import tournament_delete
from tournaments.site.mirrors import updating
from tournaments.site.mirrors.store import MirrorSettings, Store
from tournaments.site.mirrors.updating import FIRST_AFTER, start, start_all


@pytest.mark.costly
def test_an_action_starts_nothing_without_a_mirror_or_without_news(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    round_pair(round_id=factories.round_of(mirror.tournament, 2).pk, actor=chief_arbiter, now=NOW)
    assert not mirror.is_wanted
    withdraw(mirror, chief_arbiter)
    assert mirror.is_wanted


@pytest.mark.costly
def test_a_fault_of_the_program_is_on_the_page_and_tried_again_later(
    mirror: MirrorOf, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*given: object) -> None:
        raise ValueError("no such page")

    monkeypatch.setattr(updating, "destination_of", fail)
    start(mirror.source)
    long_work.do("mirror", mirror.source.key)
    fault = mirror.store.state.fault
    assert fault is not None
    assert (fault.code, fault.params) == ("mirror.not_made", {"problem": "no such page"})
    again = jobs.waiting("mirror", mirror.source.key)
    assert again is not None
    assert again.due > timezone.now()
    assert "ValueError: no such page" in caplog.text


@pytest.mark.costly
def test_the_command_says_what_it_did(
    mirror: MirrorOf, played: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("mirror", played.slug)
    assert f"the mirror shows version {played.public_version}, " in capsys.readouterr().out
    start(mirror.source)
    held = jobs.take_here("mirror", mirror.source.key)
    call_command("mirror", played.slug)
    assert "is being brought up to date already" in capsys.readouterr().out
    assert held is not None
    assert mirror.is_wanted
    mirror.store.save_settings(MirrorSettings())
    with pytest.raises(CommandError, match="has no mirror"):
        call_command("mirror", str(played.pk))
    with pytest.raises(CommandError, match="no tournament"):
        call_command("mirror", "nowhere")


@pytest.mark.costly
def test_settings_that_cannot_be_read_do_not_stop_an_action(
    mirror: MirrorOf, chief_arbiter: User, caplog: pytest.LogCaptureFixture
) -> None:
    (mirror.store.folder / "settings.json").write_text("{")
    withdraw(mirror, chief_arbiter)
    assert "cannot be read" in caplog.text


def test_a_start_of_the_server_resumes_mirrors_and_forgets_those_of_deleted_tournaments(
    mirror: MirrorOf, chief_arbiter: User
) -> None:
    gone = factories.make_tournament(chief_arbiter, name="By mistake")
    store = Store(gone.identity)
    store.save_settings(MirrorSettings(secret="t0ken", is_on=True))
    tournament_delete(tournament_id=gone.pk, actor=chief_arbiter, now=NOW, name="By mistake")
    start_all(NOW)
    job = jobs.waiting("mirror", mirror.source.key)
    assert job is not None
    assert job.due == NOW + FIRST_AFTER
    assert not store.folder.exists()
