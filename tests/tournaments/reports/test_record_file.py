"""The record as a file: complete for arbiters, without anything unpublished for visitors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from pairing.record import signatures
from pairing.rounds.absences import absence_explain
from pairing.rounds.attendance import attendance
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from tests.record.records import PRIVATE, PUBLIC
from tests.tournaments.factories import (
    NOW,
    cached,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.reports.wanderers import checked, exported
from tournaments.core import signing
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_check_in, entry_return, entry_update, entry_withdraw
from tournaments.lists.imports.entry_lists import tournament_import_trf
from tournaments.models import Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.number_of_rounds import number_of_rounds_change
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update


@pytest.fixture
@cached
def event(chief_arbiter: User) -> Tournament:
    """Eight players with dates of birth; round 1 is over."""
    tournament = make_ready(chief_arbiter)
    entry_update(
        entry_id=entry_of(tournament, 3).pk, actor=chief_arbiter, now=NOW, birth_date="1987/06/05"
    )
    play_rounds(tournament, [1], chief_arbiter)
    return tournament


def last_public(tournament: Tournament) -> dict[str, Any]:
    """Return the last action of the file for visitors, which must be consistent."""
    lines = exported(tournament, runs=False)
    assert checked(lines) is None
    values: dict[str, Any] = json.loads(lines[-2])
    return values


def read(tournament: Tournament, *, runs: bool) -> str:
    return b"".join(exported(tournament, runs=runs)).decode()


def test_arbiters_get_every_line_and_visitors_the_published_ones(
    event: Tournament, chief_arbiter: User
) -> None:
    assert len(exported(event, runs=True)) == len(exported(event, runs=False)) == event.version + 2
    pair_and_publish(event, 2, chief_arbiter)
    enter_results(event, 2, chief_arbiter)
    assert checked(exported(event, runs=True)) is None
    assert last_public(event)["action"] == "pairings.published"
    # A public action between the results does not take them along.
    entry_withdraw(entry_id=entry_of(event, 8).pk, actor=chief_arbiter, now=NOW, from_round=4)
    assert last_public(event)["action"] == "pairings.published"
    results_publish(round_id=round_of(event, 2).pk, actor=chief_arbiter, now=NOW)
    assert last_public(event)["action"] == "results.published"


@pytest.mark.costly
def test_c04_2_4_4_a_draft_is_not_in_the_public_file_until_its_round_is_published(
    event: Tournament, chief_arbiter: User
) -> None:
    before = exported(event, runs=False)
    round_id = round_of(event, 2).pk
    round_pair(round_id=round_id, actor=chief_arbiter, now=NOW)
    round_unpair(round_id=round_id, actor=chief_arbiter, now=NOW)
    round_pair(round_id=round_id, actor=chief_arbiter, now=NOW)
    assert exported(event, runs=False) == before
    tournament_update(tournament_id=event.pk, actor=chief_arbiter, now=NOW, city="Lyon")
    assert last_public(event)["action"] == "results.published"
    assert "round.discarded" in read(event, runs=True)
    round_publish(
        round_id=round_id, actor=chief_arbiter, now=NOW, cut_short="the hall closes early"
    )
    # Now everybody may see that a draft was discarded.
    assert "round.discarded" in read(event, runs=False)
    assert len(exported(event, runs=False)) == event.version + 2


@pytest.mark.costly
def test_c04_2_3_3_byes_of_coming_rounds_are_fingerprints_until_their_round_is_published(
    event: Tournament, chief_arbiter: User
) -> None:
    pk = entry_of(event, 5).pk
    bye_request(entry_id=pk, actor=chief_arbiter, now=NOW, round_number=3, kind="H")
    bye_request(entry_id=pk, actor=chief_arbiter, now=NOW, round_number=4, kind="H")
    bye_cancel(entry_id=pk, actor=chief_arbiter, now=NOW, round_number=4)
    play_rounds(event, [2], chief_arbiter)
    text = read(event, runs=False)
    assert "bye.requested" not in text
    assert '"H"' not in text
    assert last_public(event)["action"] == "results.published"
    assert read(event, runs=True).count("bye.requested") == 2
    pair_and_publish(event, 3, chief_arbiter)
    assert read(event, runs=False).count("bye.requested") == 1
    assert last_public(event)["action"] == "pairings.published"


@pytest.mark.costly
def test_c04_2_4_1_check_ins_are_not_in_the_public_file(
    event: Tournament, chief_arbiter: User
) -> None:
    given: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    check_in_open(tournament_id=event.pk, **given)
    for tpn in range(1, 7):
        entry_check_in(entry_id=entry_of(event, tpn).pk, checked_in=True, **given)
    check_in_close(tournament_id=event.pk, **given)
    missing = [entry.pk for entry in attendance(event).missing]
    check_in_settle(tournament_id=event.pk, consequence="Z", seen=missing, confirmed=True, **given)
    assert "check_in.settled" not in read(event, runs=False)
    play_rounds(event, [2], chief_arbiter)
    text = read(event, runs=False)
    assert "entry.checked_in" not in text
    assert "check_in.closed" not in text
    assert last_public(event)["action"] == "results.published"
    # Who got a bye is public with the pairings.
    assert "check_in.settled" in text
    assert "entry.checked_in" in read(event, runs=True)
    assert checked(exported(event, runs=True)) is None


def test_private_values_are_in_no_file(event: Tournament, chief_arbiter: User) -> None:
    pk = entry_of(event, 4).pk
    entry_withdraw(entry_id=pk, actor=chief_arbiter, now=NOW)
    entry_return(entry_id=pk, actor=chief_arbiter, now=NOW, reason="out of hospital")
    for runs in (True, False):
        text = read(event, runs=runs)
        assert "entry.returned" in text
        after = json.dumps([json.loads(line).get("after") for line in exported(event, runs=runs)])
        # As a whole number: four digits in a row are found in some fingerprint by chance.
        assert not re.search(r"\b1987\b", after)
        assert "hospital" not in text
        assert not any(salt in text for salt in event.decisions.values_list("salt", flat=True))


def test_c04_2_4_2_announced_times_of_coming_rounds_are_public(
    event: Tournament, chief_arbiter: User
) -> None:
    round_id = round_of(event, 5).pk
    round_schedule(
        round_id=round_id, actor=chief_arbiter, now=NOW, starts_at=NOW, results_due_at=None
    )
    assert last_public(event)["action"] == "round.scheduled"


@pytest.mark.costly
def test_an_imported_event_is_in_the_public_file_when_everything_in_it_is_public(
    event: Tournament, chief_arbiter: User
) -> None:
    pair_and_publish(event, 2, chief_arbiter)
    game = round_of(event, 2).games.first()
    assert game is not None
    result_record(game_id=game.pk, result="WL", actor=chief_arbiter, now=NOW)
    bye_request(
        entry_id=entry_of(event, 5).pk, actor=chief_arbiter, now=NOW, round_number=3, kind="H"
    )
    data = trf_export(event, public=False).encode()
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
    assert "WL" in read(again, runs=True)
    assert len(exported(again, runs=False)) == 2  # header and seal
    enter_missing_results(again, chief_arbiter)
    results_publish(round_id=round_of(again, 2).pk, actor=chief_arbiter, now=NOW)
    assert len(exported(again, runs=False)) == 2  # the bye is not public
    assert checked(exported(again, runs=False)) is None
    pair_and_publish(again, 3, chief_arbiter)
    assert last_public(again)["action"] == "pairings.published"
    assert "WL" in read(again, runs=False)


def enter_missing_results(tournament: Tournament, actor: User) -> None:
    for game in round_of(tournament, 2).games.filter(result=""):
        result_record(game_id=game.pk, result="10", actor=actor, now=NOW)


@pytest.mark.costly
def test_c04_2_3_5_the_explanation_of_a_forfeit_waits_for_the_results(
    event: Tournament, chief_arbiter: User
) -> None:
    pair_and_publish(event, 2, chief_arbiter)
    game = round_of(event, 2).games.first()
    assert game is not None
    result_record(game_id=game.pk, result="-+", actor=chief_arbiter, now=NOW)
    white = game.seats.get(colour="w").entry_id
    absence_explain(
        entry_id=white, actor=chief_arbiter, now=NOW, round_number=2, explanation="a flat tyre"
    )
    assert "absence.explained" not in read(event, runs=False)
    enter_missing_results(event, chief_arbiter)
    results_publish(round_id=round_of(event, 2).pk, actor=chief_arbiter, now=NOW)
    text = read(event, runs=False)
    assert "absence.explained" in text
    assert "flat tyre" not in text + read(event, runs=True)


@pytest.mark.costly
def test_c04_1_1_byes_in_removed_rounds_stay_private(
    event: Tournament, chief_arbiter: User
) -> None:
    bye_request(
        entry_id=entry_of(event, 5).pk, actor=chief_arbiter, now=NOW, round_number=5, kind="H"
    )
    event.refresh_from_db()
    number_of_rounds_change(
        tournament_id=event.pk,
        actor=chief_arbiter,
        now=NOW,
        total_rounds=4,
        reason="snow",
        version=event.version,
    )
    assert last_public(event)["action"] == "rounds.changed"
    assert last_public(event)["before"]["byes"].keys() == {"hash"}
    assert checked(exported(event, runs=True)) is None


# Pages


def test_the_download_depends_on_the_reader(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    round_pair(round_id=round_of(event, 2).pk, actor=chief_arbiter, now=NOW)
    url = reverse("record-file", args=[event.slug])
    public = client.get(url)
    assert (
        public.headers["Content-Disposition"] == 'attachment; filename="autumn-open-record.jsonl"'
    )
    assert public.content == b"".join(exported(event, runs=False))
    client.force_login(chief_arbiter)
    assert client.get(url).content == b"".join(exported(event, runs=True))


def test_the_page_lists_every_fingerprint_that_was_shown(
    event: Tournament, client: Client, chief_arbiter: User
) -> None:
    pair_and_publish(event, 2, chief_arbiter)
    game = round_of(event, 2).games.first()
    assert game is not None
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    round_schedule(
        round_id=round_of(event, 5).pk,
        actor=chief_arbiter,
        now=NOW,
        starts_at=NOW,
        results_due_at=None,
    )
    text = client.get(reverse("fingerprints", args=[event.slug])).content.decode()
    for row in event.decisions.all():
        hidden = row.action == "result.recorded" and row.round_number == 2
        assert (row.hash in text) is not hidden
        assert (row.signature[:12] in text) is not hidden
    assert signing.public_key() in text
    page = client.get(reverse("record", args=[event.slug])).content.decode()
    assert reverse("fingerprints", args=[event.slug]) in page
    assert reverse("record-file", args=[event.slug]) in page


@pytest.mark.costly
def test_a_printed_list_has_the_first_digits_of_the_signature(
    event: Tournament, client: Client
) -> None:
    row = event.decisions.get(action="pairings.published")
    text = client.get(reverse("pairings-public", args=[event.slug, 1])).content.decode()
    assert f"signed {row.signature[:8]}" in " ".join(text[text.index("print-foot") :].split())


# The key


def test_the_key_is_made_once_for_its_owner_only(tmp_path: Path, settings: Any) -> None:
    settings.SIGNING_KEY_FILE = tmp_path / "signing-key"
    key = signing.public_key()
    signing._kept.cache_clear()
    assert signing.public_key() == key
    assert settings.SIGNING_KEY_FILE.stat().st_mode & 0o777 == 0o600
    assert signatures.is_signed(key, "0" * 64, signing.sign("0" * 64))


def test_a_damaged_key_is_refused(tmp_path: Path, settings: Any) -> None:
    settings.SIGNING_KEY_FILE = tmp_path / "signing-key"
    settings.SIGNING_KEY_FILE.write_text("0a0b")
    with pytest.raises(
        ImproperlyConfigured, match="is not 64 hexadecimal digits: put the saved one back"
    ):
        signing.public_key()


@pytest.mark.costly
def test_a_key_can_be_given(event: Tournament, settings: Any, chief_arbiter: User) -> None:
    """Then the lines from before need the key from before."""
    old = signing.public_key()
    settings.SIGNING_KEY = PRIVATE
    assert signing.public_key() == PUBLIC
    pair_and_publish(event, 2, chief_arbiter)
    with pytest.raises(CommandError):
        call_command("verify_record", event.slug)
    call_command("verify_record", event.slug, "--key", old)
    assert json.loads(exported(event, runs=True)[0])["keys"] == [old, PUBLIC]
