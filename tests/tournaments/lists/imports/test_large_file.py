"""A large TRF file is opened in processes of its own:
progress, cancelling, and the saved rows when it ends early.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.lists.imports.test_import_pages import BY_HAND
from tests.tournaments.lists.imports.test_large_trf import file_of
from tests.tournaments.long_work import do, go_on, lose, queued
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import Conflict
from tournaments.core.jobs import enqueue
from tournaments.lists.imports.large_trf import (
    KEPT,
    opening_again,
    opening_begin,
    opening_cancel,
    opening_save,
)
from tournaments.lists.imports.trf_content import content_of, preview_of
from tournaments.lists.imports.trf_tournament import trf_preview
from tournaments.models import Decision, Entry, Job, OpeningState, Tournament, TrfOpening
from tournaments.reports.record_against_tables import differences
from tournaments.web.imports import tournaments as page_of_imports


@pytest.fixture(autouse=True)
def all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as large."""
    monkeypatch.setattr(page_of_imports, "LARGE", 0)


@pytest.fixture
def arbiter(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def begin(actor: User, data: bytes | None = None) -> TrfOpening:
    return opening_begin(
        data=file_of(11) if data is None else data, actor=actor, now=timezone.now()
    )


def work(opening: TrfOpening, at: Callable[[int], None] | None = None) -> int:
    """Do the job of *opening* that waits, as :func:`do`."""
    return do("trf", opening.pk, at)


def read(actor: User, data: bytes | None = None) -> TrfOpening:
    """Return a file that was read."""
    opening = begin(actor, data)
    work(opening)
    return TrfOpening.objects.get(pk=opening.pk)


def address(opening: TrfOpening) -> str:
    return reverse("trf-opening", args=[opening.pk])


def shown(client: Client, opening: TrfOpening, **headers: str) -> str:
    return client.get(address(opening), headers=headers, follow=True).content.decode()


def send(client: Client, opening: TrfOpening, **values: object) -> str:
    """Send a form of the page and return the page that follows."""
    return client.post(address(opening), values, follow=True).content.decode()


def nothing_saved() -> bool:
    return not own(Tournament).exists() and not own(Entry).exists()


def test_from_the_upload_to_the_tournament(arbiter: Client) -> None:
    file = SimpleUploadedFile("event.trf", file_of(11))
    reading = arbiter.post(
        reverse("tournament-import"), {"file": file}, follow=True
    ).content.decode()
    opening = own(TrfOpening).get()
    assert queued("trf") == [str(opening.pk)]
    assert "The file is being read" in reading
    assert 'hx-trigger="every 1s"' in reading
    bars: list[str] = []

    def look(mark: int) -> None:
        part = shown(arbiter, opening, HX_Request="true")
        assert "<html" not in part
        bars.extend(re.findall(r'value="\d" max="\d"', part))

    assert work(opening, look) == 4
    assert bars == [f'value="{done}" max="4"' for done in (0, 1, 2)]
    polled = arbiter.get(address(opening), headers={"HX-Request": "true"})
    assert polled["HX-Redirect"] == address(opening), "the whole preview replaces the progress"
    preview = shown(arbiter, opening)
    assert "3 rounds paired again from the file: no difference" in " ".join(preview.split())
    assert 'name="confirmed"' not in preview, "the file stays here"
    assert (
        f'<a href="{address(opening)}">'
        in arbiter.get(reverse("tournament-import")).content.decode()
    )
    saving = send(arbiter, opening, run=1, system="dutch_2026", tie_break_edition="fide-2026")
    assert queued("trf") == [str(opening.pk)]
    assert "The tournament is being imported" in saving
    assert nothing_saved()
    work(opening)
    made = own(Tournament).get()
    assert (made.entries.count(), differences(made), record.verify(made)) == (11, [], [])
    over = arbiter.get(address(opening))
    assert (over.status_code, over["Location"]) == (302, reverse("desk", args=[made.slug]))
    polled = arbiter.get(address(opening), headers={"HX-Request": "true"})
    assert polled["HX-Redirect"] == reverse("desk", args=[made.slug])
    opening.refresh_from_db()
    assert (bytes(opening.data), opening.content) == (b"", None)
    assert "still open" not in arbiter.get(reverse("tournament-import")).content.decode()


def test_a_small_file_is_shown_at_once(arbiter: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    data = file_of(11)
    monkeypatch.setattr(page_of_imports, "LARGE", len(data))
    page = arbiter.post(
        reverse("tournament-import"), {"file": SimpleUploadedFile("event.trf", data)}
    )
    assert (page.status_code, own(TrfOpening).exists()) == (200, False)
    assert 'name="confirmed"' in page.content.decode()


@pytest.mark.parametrize("data", [BY_HAND.encode(), file_of(11), file_of(12, "double_swiss_2026")])
def test_the_preview_is_the_one_of_a_small_file(data: bytes) -> None:
    preview = trf_preview(data)
    again = preview_of(json.loads(json.dumps(content_of(preview))))
    for name in preview.__dataclass_fields__:
        found = getattr(preview, name)
        expected = tuple(map(str, found)) if name == "warnings" else found
        assert getattr(again, name) == expected, name


@pytest.mark.costly
def test_other_rules_read_the_file_again(arbiter: Client, chief_arbiter: User) -> None:
    opening = read(chief_arbiter)
    send(arbiter, opening, again="1", run=1, system="dutch_2017", tie_break_edition="fide-2024")
    work(opening)
    assert 'value="dutch_2017" selected' in shown(arbiter, opening)
    rules = {"system": "dutch_2017", "tie_break_edition": "fide-2024"}
    assert 'name="leave_fide_mode_again"' in shown(arbiter, opening)
    send(arbiter, opening, run=2, leave_fide_mode="yes", **rules)
    work(opening)
    assert "With this file the tournament leaves FIDE mode permanently." in shown(arbiter, opening)
    assert not own(Tournament).exists()
    send(arbiter, opening, run=3, leave_fide_mode="yes", leave_fide_mode_again="yes", **rules)
    work(opening)
    made = own(Tournament).get()
    assert (made.system, made.tie_break_edition, made.left_fide_mode) == (
        "dutch_2017",
        "fide-2024",
        0,
    )


@pytest.mark.costly
@pytest.mark.parametrize("last", [1, 2, 3])
def test_cancelling_at_any_step_saves_nothing(
    arbiter: Client, chief_arbiter: User, last: int
) -> None:
    for is_saving in (False, True):
        opening = begin(chief_arbiter)
        if is_saving:
            work(opening)
            send(arbiter, opening, run=1)

        def cancel(mark: int, opening: TrfOpening = opening) -> None:
            if mark == last:
                assert "The file was closed. Nothing was saved." in send(arbiter, opening, cancel=1)

        work(opening, cancel)
        assert nothing_saved()
        assert not own(TrfOpening).exists()
        assert "This file is not open any more. Nothing of it was saved." in shown(arbiter, opening)
    assert queued("trf") == []
    enqueue("trf", str(opening.pk), {"run": 2})
    work(opening)  # one that begins after it was cancelled does nothing
    assert nothing_saved()


@pytest.mark.costly
def test_the_second_click_begins_nothing(arbiter: Client, chief_arbiter: User) -> None:
    opening = read(chief_arbiter)
    send(arbiter, opening, run=1)
    assert "The work on this file went on after this page was shown." in send(
        arbiter, opening, run=1
    )
    opening.refresh_from_db()
    assert (opening.state, opening.run) == (OpeningState.SAVING, 2)
    work(opening)
    send(arbiter, opening, run=1)
    enqueue("trf", str(opening.pk), {"run": 2})
    work(opening)  # nor does a second job of the same run
    assert own(Tournament).count() == 1
    assert "not open any more" in send(arbiter, opening, cancel=1), "too late to cancel"
    assert own(Tournament).count() == 1


@pytest.mark.costly
def test_a_page_that_is_out_of_date_begins_nothing(arbiter: Client, chief_arbiter: User) -> None:
    opening = read(chief_arbiter)
    opening_again(
        opening_id=opening.pk, run=1, actor=chief_arbiter, now=timezone.now(), system="dutch_2017"
    )
    for values in ({"run": 1}, {"run": 1, "again": 1}, {"run": 2}, {"run": 2, "again": 1}):
        assert "The work on this file went on after this page was shown." in send(
            arbiter, opening, **values
        )
    assert "must be a whole number" in send(arbiter, opening)
    opening.refresh_from_db()
    assert (opening.state, opening.run, opening.system) == (OpeningState.READING, 2, "dutch_2017")


@pytest.mark.costly
def test_somebody_else_sees_and_changes_nothing(
    client: Client, chief_arbiter: User, deputy: User
) -> None:
    opening = read(chief_arbiter)
    assert client.get(address(opening)).status_code == 302
    client.force_login(deputy)
    for message in (
        shown(client, opening),
        send(client, opening, run=1),
        send(client, opening, cancel=1),
    ):
        assert "This file is not open any more." in message
        assert "Player" not in message
    opening.refresh_from_db()
    assert (opening.state, opening.run) == (OpeningState.READ, 1)
    assert "still open" not in client.get(reverse("tournament-import")).content.decode()


def test_who_may_not_create_tournaments_any_more_saves_none(
    arbiter: Client, chief_arbiter: User
) -> None:
    opening = read(chief_arbiter)
    send(arbiter, opening, run=1)
    User.objects.filter(pk=chief_arbiter.pk).update(is_active=False)
    work(opening)
    assert nothing_saved()
    User.objects.filter(pk=chief_arbiter.pk).update(is_active=True)
    arbiter.force_login(chief_arbiter)
    refused = shown(arbiter, opening)
    assert "This account may not create tournaments any more." in refused
    assert 'name="run" value="2"' in refused, "the preview is still there"


@pytest.mark.costly
@pytest.mark.parametrize("mark_of_death", [1, 3, 4])
def test_a_process_that_was_killed_saves_nothing_and_another_one_goes_on(
    arbiter: Client, chief_arbiter: User, mark_of_death: int
) -> None:
    opening = read(chief_arbiter)
    send(arbiter, opening, run=1)

    def kill(mark: int) -> None:
        if mark == mark_of_death:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work(opening, kill)
    killed = Job.objects.get(key=opening.pk, state="running")
    assert nothing_saved()
    assert "The tournament is being imported" in shown(arbiter, opening)
    lose()
    interrupted = shown(arbiter, opening)
    assert "The import was interrupted. Nothing was saved." in interrupted
    assert "The log says: its process ended (exit code -9), for the second time" in interrupted
    assert "every 1s" not in interrupted
    send(arbiter, opening, again="1", run=2)
    go_on(killed, killed.token)
    assert nothing_saved(), "a process that was only slow saves nothing any more"
    work(opening)
    send(arbiter, opening, run=3)
    work(opening)
    assert own(Tournament).count() == 1


def test_a_file_that_cannot_be_read_says_where(arbiter: Client, chief_arbiter: User) -> None:
    opening = opening_begin(
        data=b"012 Open\n", actor=chief_arbiter, now=timezone.now(), language="fr"
    )
    work(opening)
    page = arbiter.get(address(opening))
    assert page.status_code == 422
    assert "Ligne 1, colonne 1" in page.content.decode()
    assert 'type="file"' in page.content.decode()
    assert "still open" not in arbiter.get(reverse("tournament-import")).content.decode()
    with pytest.raises(Conflict):
        opening_save(opening_id=opening.pk, run=1, actor=chief_arbiter, now=timezone.now())


def test_a_new_file_takes_the_place_of_the_one_before(chief_arbiter: User, deputy: User) -> None:
    first, other = begin(chief_arbiter), begin(deputy)
    second = begin(chief_arbiter)
    assert set(own(TrfOpening).values_list("pk", flat=True)) == {other.pk, second.pk}
    assert queued("trf") == sorted([str(other.pk), str(second.pk)])
    work(first)
    TrfOpening.objects.filter(pk=second.pk).update(state=OpeningState.SAVING)
    third = begin(chief_arbiter)
    assert TrfOpening.objects.filter(pk=second.pk).exists(), "one that is being saved stays"
    own(TrfOpening).update(progress_at=timezone.now() - KEPT - timedelta(minutes=1))
    fourth = begin(chief_arbiter)
    assert list(own(TrfOpening).values_list("pk", flat=True)) == [fourth.pk]
    assert fourth.pk > third.pk


@pytest.mark.costly
def test_the_page_of_a_new_file_says_that_the_one_before_was_closed(
    arbiter: Client, chief_arbiter: User
) -> None:
    closed = "The large file that was open before was closed. Nothing of it was saved."

    def choose() -> str:
        file = SimpleUploadedFile("event.trf", file_of(11))
        return arbiter.post(
            reverse("tournament-import"), {"file": file}, follow=True
        ).content.decode()

    assert closed not in choose()
    assert closed in choose()
    own(TrfOpening).update(state=OpeningState.SAVING)
    assert closed not in choose(), "one that is being saved stays"
    TrfOpening.objects.filter(state=OpeningState.READING).update(content={"problem": "no file"})
    assert closed not in choose(), "one that could not be read was not open"


def test_a_file_that_was_left_goes_with_the_personal_data_that_are_due(chief_arbiter: User) -> None:
    opening = begin(chief_arbiter)
    call_command("delete_personal_data", due=True, stdout=io.StringIO())
    assert own(TrfOpening).exists()
    TrfOpening.objects.filter(pk=opening.pk).update(
        progress_at=timezone.now() - KEPT - timedelta(minutes=1)
    )
    call_command("delete_personal_data", stdout=io.StringIO())
    assert own(TrfOpening).exists()
    call_command("delete_personal_data", due=True, stdout=(out := io.StringIO()))
    assert "Large TRF files that nobody went on with for a day: 1 deleted." in out.getvalue()
    assert not own(TrfOpening).exists()


def test_it_speaks_french(arbiter: Client, chief_arbiter: User) -> None:
    opening = begin(chief_arbiter)
    assert "Le fichier est en cours de lecture" in shown(arbiter, opening, Accept_Language="fr")


@pytest.mark.costly
def test_the_form_of_a_small_file_sent_twice_opens_one_tournament(
    arbiter: Client, chief_arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of_imports, "LARGE", 100_000)
    looked = arbiter.post(
        reverse("tournament-import"), {"file": SimpleUploadedFile("event.trf", file_of(11))}
    )
    values = {
        "confirmed": looked.context["data"],
        "system": "dutch_2026",
        "tie_break_edition": "fide-2026",
    }
    places = [arbiter.post(reverse("tournament-import"), values)["Location"] for _ in range(2)]
    made = own(Tournament).get()
    assert places == [reverse("desk", args=[made.slug])] * 2
    confirmed = {"leave_fide_mode": "yes", "leave_fide_mode_again": "yes"}
    arbiter.post(reverse("tournament-import"), values | {"system": "dutch_2017"} | confirmed)
    assert own(Tournament).count() == 2, "other rules"
    Tournament.objects.filter(pk=made.pk).update(version=2)
    arbiter.post(reverse("tournament-import"), values)
    assert own(Tournament).count() == 3, "somebody went on with the first one"


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_two_people_save_at_once(client: Client, chief_arbiter: User, deputy: User) -> None:
    openings = [read(person, file_of(40)) for person in (chief_arbiter, deputy)]
    for opening in openings:
        opening_save(opening_id=opening.pk, run=1, actor=opening.person, now=timezone.now())
    assert at_once(*[lambda o=opening: work(o) for opening in openings]) == [0, 0]
    for opening in openings:
        if (
            TrfOpening.objects.get(pk=opening.pk).tournament is None
        ):  # on PostgreSQL: both took the same address
            client.force_login(opening.person)
            assert "Somebody else created a tournament called Generated tournament 40" in shown(
                client, opening
            )
            send(client, opening, run=2)
            work(opening)
    made = [
        each for opening in openings if (each := TrfOpening.objects.get(pk=opening.pk).tournament)
    ]
    assert [(differences(each), record.verify(each)) for each in made] == [([], [])] * 2


@pytest.mark.costly
@pytest.mark.django_db(transaction=True)
def test_cancelling_while_it_is_saved_does_all_or_nothing(chief_arbiter: User) -> None:
    for delayed in range(4):
        opening = read(chief_arbiter)
        opening_save(opening_id=opening.pk, run=1, actor=chief_arbiter, now=timezone.now())

        def cancel(opening: TrfOpening = opening, last: int = delayed) -> None:
            rows = Job.objects.filter(key=opening.pk, kind="trf").order_by("-pk")
            while (
                last and (rows[0].progress or {}).get("done", 0) < last and rows[0].state != "done"
            ):
                pass
            opening_cancel(opening_id=opening.pk, actor=chief_arbiter)

        before = set(Tournament.objects.values_list("pk", flat=True))
        _, cancelled = at_once(lambda o=opening: work(o), cancel)
        made = set(Tournament.objects.values_list("pk", flat=True)) - before
        lines = Decision.objects.filter(tournament__in=made).count()
        entries = Entry.objects.exclude(tournament__in=before).count()
        assert (len(made), lines, entries) == ((0, 0, 0) if cancelled is None else (1, 1, 11)), (
            cancelled
        )
        assert cancelled is None or isinstance(cancelled, Conflict)


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_make_one_tournament(chief_arbiter: User) -> None:
    opening = read(chief_arbiter)
    save = {"opening_id": opening.pk, "run": 1, "actor": chief_arbiter, "now": timezone.now()}
    answers = at_once(*[lambda: opening_save(**save)] * 2)
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "int"]
    at_once(*[lambda: work(opening)] * 2)
    assert own(Tournament).count() == 1


def test_an_account_that_may_not_create_tournaments_opens_no_file(chief_arbiter: User) -> None:
    """Checked at each step: somebody who signs in with a link only,
    or whose password was taken away meanwhile.
    """
    opening = read(chief_arbiter)
    chief_arbiter.set_unusable_password()
    chief_arbiter.save()
    given: dict[str, Any] = {
        "opening_id": opening.pk,
        "run": opening.run,
        "actor": chief_arbiter,
        "now": timezone.now(),
    }
    for step in (
        lambda: begin(chief_arbiter),
        lambda: opening_again(**given),
        lambda: opening_save(**given),
    ):
        with pytest.raises(PermissionDenied):
            step()
    (there,) = own(TrfOpening).values_list("pk", "run", "state")
    assert there == (opening.pk, opening.run, OpeningState.READ)
    assert nothing_saved()
