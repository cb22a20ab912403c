"""Take over an event on the page: the powers, every refusal, twice, two at once,
and nothing by halves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.row_cache import all_rows
from tests.tournaments.site.backups.test_hand_over import LATER, actions, bring_back, hand_over
from tests.tournaments.site.backups.test_one_event import altered
from tests.tournaments.web.test_shown_once import everything
from tournaments.core import jobs
from tournaments.models import Action, Decision, Entry, Tournament
from tournaments.site.backups import one_event, taking_over
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.copying import make_copy
from tournaments.site.backups.one_event import Imported, export_tournaments, import_event
from tournaments.site.backups.taking_over import NotTakenOver, event_take_over
from tournaments.web.setup.take_over import SHOWN_ONCE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the database is saved and emptied, as if it were another computer"),
]
FRENCH: Final = {"Accept-Language": "fr"}


@pytest.fixture
def file(tmp_path: Path, chief_arbiter: User) -> bytes:
    """The file of an event that was handed over, on a computer where nothing is yet; ``live``:
    before the hand-over.
    """
    ours = factories.make_ready(actor=chief_arbiter, players=6, automatic_results=True)
    factories.play_rounds(ours, [1], chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "live", now=LATER)
    make_copy(tmp_path / "site", now=LATER)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "away", now=LATER)
    empty_tables(connection)
    return (tmp_path / "away").read_bytes()


@pytest.fixture
def admin(file: bytes) -> User:
    """The account of the first start on this computer."""
    return User.objects.create_superuser(
        "arbiter", password="arbiter-secret", first_name="Ada", last_name="Admin"
    )


@pytest.fixture
def here(admin: User, client: Client) -> Client:
    client.force_login(admin)
    return client


def send(client: Client, data: bytes, **headers: str) -> Any:
    upload = SimpleUploadedFile("autumn-open.event", data)
    return client.post(reverse("take-over"), {"file": upload}, follow=True, headers=headers)


def words(answer: Any) -> str:
    return unescape(" ".join(answer.content.decode().split()))


def first_computer(path: Path) -> None:
    """Make the empty site the first computer again, with its copy that
    was handed over and its Chief Arbiter.
    """
    import_event(path)
    chief = User.objects.get(username="chief")
    chief.set_password("chief-secret")
    chief.save()


def link_and_pin(page: str) -> tuple[str, str]:
    """Return the path of the link and the PIN that *page* shows."""
    link, pin = re.search(r"/join/[\w-]+/", page), re.search(r'class="pin">(\d{3} \d{3})<', page)
    assert link is not None
    assert pin is not None
    return link[0], pin[1]


def refused(client: Client, data: bytes, **headers: str) -> tuple[int, str]:
    """Return status and page of a refusal, and check that it has changed nothing."""
    before = all_rows(), User.objects.count()
    answer = send(client, data, **headers)
    assert (all_rows(), User.objects.count()) == before
    return answer.status_code, words(answer)


@pytest.mark.costly
def test_the_event_goes_on_here(here: Client, file: bytes) -> None:
    assert reverse("take-over") in here.get(reverse("home")).content.decode()
    answer = send(here, file)
    page = words(answer)
    assert answer.redirect_chain == [(reverse("take-over"), 302)]
    assert "“Autumn Open” is taken over: go on with it here." in page
    assert "Clara Chief, Chief Arbiter" in page
    assert "The Chief Arbiter logs in with a link and a PIN." in page
    there = Tournament.objects.get()
    assert (there.handed_over_at, there.automatic_by, event_faults(there)) == (None, None, [])
    lines = Decision.objects.filter(tournament=there).order_by("-sequence")[:2]
    assert [(line.action, line.actor_name) for line in lines] == [
        (Action.PASSWORD_SET, "Ada Admin"),
        (Action.TOURNAMENT_TAKEN_OVER, "Ada Admin"),
    ]
    chief = User.objects.get(username="chief")
    assert not chief.has_usable_password()
    # The link and the PIN are shown once, and they open the desk.
    link, pin = link_and_pin(page)
    again = here.get(reverse("take-over")).content.decode()
    assert (link in again, pin in again) == (False, False)
    new = Client()
    assert new.post(link, {"pin": pin}).headers["Location"] == reverse("desk", args=[there.slug])
    assert new.get(reverse("people", args=[there.slug])).status_code == 200
    factories.play_rounds(there, [2], chief)
    assert event_faults(there) == []


@pytest.mark.costly
def test_the_new_link_and_the_pin_are_in_no_table(here: Client, file: bytes) -> None:
    answer = here.post(
        reverse("take-over"), {"file": SimpleUploadedFile("autumn-open.event", file)}
    )
    assert answer.cookies[SHOWN_ONCE]["path"] == reverse("take-over")
    kept = everything()
    link, pin = link_and_pin(here.get(reverse("take-over")).content.decode())
    assert [text for text in (link.split("/")[2], pin, pin.replace(" ", "")) if text in kept] == []


@pytest.mark.costly
def test_a_copy_is_made_at_once(
    here: Client, file: bytes, tmp_path: Path, settings: Settings
) -> None:
    """Until then every copy of this computer is without the event. A refusal asks for none."""
    settings.DATA_DIR, settings.BACKUP_MINUTES = tmp_path, 10
    jobs.cancel("copy")
    assert (refused(here, file[:-1])[0], jobs.is_active("copy")) == (400, False)
    send(here, file)
    assert jobs.is_active("copy")


@pytest.mark.costly
def test_a_name_that_is_taken_is_said(here: Client, file: bytes) -> None:
    User.objects.create_user("chief")
    page = words(send(here, file))
    assert (
        "The account “chief” of the other computer is called “chief-2” here. The account “chief” "
        "of this computer "
        "stays as it was." in page
    )
    assert User.objects.get(username="chief-2").appointments.get().role == "chief"


@pytest.mark.costly
def test_an_account_that_was_here_before_keeps_its_password_and_the_page_says_so(
    here: Client, file: bytes, tmp_path: Path
) -> None:
    """The administrators of both computers have the name of the first start, as on every laptop."""
    send(here, file)
    there, chief = Tournament.objects.get(), User.objects.get(username="chief")
    chief.set_password("set-on-the-other")
    chief.save()
    hand_over(there, chief)
    export_tournaments([there.pk], tmp_path / "back", now=LATER)
    empty_tables(connection)
    first_computer(tmp_path / "away")
    here.force_login(User.objects.create_superuser("arbiter", password="arbiter-secret"))
    page = words(send(here, (tmp_path / "back").read_bytes()))
    assert (
        "Clara Chief (Chief Arbiter) logs in here as “chief”, with the password and the second "
        "step that this account "
        "had here before. A password or second step set on the other computer does not work here."
        in page
    )
    assert (
        "The account “arbiter” of the other computer is called “arbiter-2” here. The account "
        "“arbiter” of this "
        "computer stays as it was." in page
    )
    assert "/join/" not in page
    assert User.objects.get(username="chief").check_password("chief-secret")


def test_only_the_site_administrator_takes_over(client: Client, file: bytes) -> None:
    User.objects.create_user("staff", password="staff-secret", is_staff=True)
    User.objects.create_user("somebody", password="some-secret")
    assert send(client, file).redirect_chain[0][0].startswith(reverse("login"))
    for name in ("staff", "somebody"):
        person = User.objects.get(username=name)
        client.force_login(person)
        assert reverse("take-over") not in client.get(reverse("home")).content.decode()
        answer = client.get(reverse("take-over"))
        assert (
            answer.status_code,
            "Only the site administrator can take over" in words(answer),
        ) == (403, True)
        assert send(client, file).status_code == 403
        with pytest.raises(PermissionDenied):
            event_take_over([file], actor=person, now=LATER)
    assert not Tournament.objects.exists()


def test_another_site_cannot_send_a_file(admin: User, file: bytes) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(admin)
    assert send(strict, file).status_code == 403
    assert not Tournament.objects.exists()


@pytest.mark.costly
def test_what_is_no_file_of_a_hand_over_is_refused_in_plain_words(
    here: Client, file: bytes, tmp_path: Path
) -> None:
    half = len(file) // 2
    damaged = file[:half] + bytes([file[half] ^ 4]) + file[half + 1 :]
    cases = {
        b"012 Autumn Open\n": (400, "This is not the file of a hand-over, or its end is missing."),
        file[:-100]: (400, "This is not the file of a hand-over, or its end is missing."),
        damaged: (400, "The file was changed or damaged on its way."),
        (tmp_path / "site").read_bytes(): (
            400,
            "This file is a copy of a whole site, not of one event.",
        ),
        (tmp_path / "live").read_bytes(): (
            409,
            "“Autumn Open” was not handed over: the other computer has the live",
        ),
        b"": (422, "This file is empty."),
    }
    for data, (status, sentence) in cases.items():
        found = refused(here, data)
        assert (found[0], sentence in found[1]) == (status, True), sentence
        assert "Traceback" not in found[1]
        assert str(tmp_path) not in found[1]
    nothing_chosen = here.post(reverse("take-over"))
    assert (nothing_chosen.status_code, "Choose the file." in words(nothing_chosen)) == (422, True)
    status, french = refused(here, damaged, **FRENCH)
    assert (status, "Le fichier a été modifié ou endommagé en chemin." in french) == (400, True)


@pytest.mark.costly
def test_a_file_from_another_edition_of_the_program(
    here: Client, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_event, "_own_migrations", lambda: ["tournaments.0009_newer"])
    status, page = refused(here, file)
    assert (
        status,
        "Bring both computers to the same version, then download the file again." in page,
    ) == (409, True)


@pytest.mark.costly
def test_a_file_that_is_too_large(
    here: Client, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taking_over, "MOST_BYTES", len(file) - 1)
    status, page = refused(here, file)
    assert (status, "too large for one event. Nothing was changed." in page) == (413, True)
    monkeypatch.setattr(taking_over, "MOST_BYTES", len(file))
    assert "is taken over" in words(send(here, file))


@pytest.mark.costly
def test_a_forged_file_is_refused(here: Client, file: bytes, tmp_path: Path) -> None:
    def other_name(table: str, row: dict[str, Any]) -> None:
        if table == Entry._meta.db_table:
            row["name"] = "Somebody Else"

    status, page = refused(here, altered(tmp_path / "away", other_name).read_bytes())
    assert (status, "The check of the file found " in page) == (400, True)
    for name in ("altered", "rows"):
        (tmp_path / name).unlink()

    def too_long(table: str, row: dict[str, Any]) -> None:
        if table == Entry._meta.db_table:
            row["rating"] = 10**30

    status, page = refused(here, altered(tmp_path / "away", too_long).read_bytes())
    assert (status, "The file cannot be read as an event of this program (" in page) == (400, True)


@pytest.mark.costly
def test_numbers_that_are_taken_here(here: Client, file: bytes, tmp_path: Path) -> None:
    import_event(tmp_path / "away")
    number, name = Entry.objects.values_list("pk", "name").latest("pk")
    chief = User.objects.get(username="chief").pk
    empty_tables(connection)
    again = User.objects.create_superuser("arbiter", password="arbiter-secret")
    here.force_login(again)
    taken = User.objects.create_user("somebody", pk=chief)
    status, page = refused(here, file)
    assert (status, f"Account {chief} is “chief” in the file and “somebody” here." in page) == (
        409,
        True,
    )
    taken.delete()
    club = Tournament.objects.create(
        name="Club Evening", slug="club", total_rounds=1, created_by=again, created_at=LATER
    )
    Entry.objects.create(pk=number, tournament=club, name="Somebody", created_at=LATER)
    status, page = refused(here, file)
    assert status == 409
    assert (
        f"{name} has the number {number} in the file, and here it belongs to Somebody of “Club Evening”."
        in page
    )


@pytest.mark.costly
def test_the_same_file_twice(here: Client, file: bytes) -> None:
    send(here, file)
    lines = Tournament.objects.get().version
    status, page = refused(here, file)
    assert status == 409
    assert "“Autumn Open” is here already, at /t/autumn-open/, with all actions of the file" in page
    assert f"({lines} here, {lines - 2} in the file)" in page


@pytest.mark.costly
def test_the_laptop_that_handed_it_over_says_where_it_is(
    here: Client, file: bytes, tmp_path: Path
) -> None:
    """The file is chosen on the first laptop by mistake:
    its copy is read only, so nobody can go on with it there.
    """
    import_event(tmp_path / "away")
    status, page = refused(here, file)
    assert status == 409
    assert (
        "“Autumn Open” was handed over from this computer to the laptop of the club on 21 Nov 2026, "
        in page
    )
    assert "is here already" not in page
    assert (
        "« Autumn Open » a été confié par cet ordinateur à the laptop of the club, "
        in refused(here, file, **FRENCH)[1]
    )


@pytest.mark.costly
def test_two_requests_at_once_make_one_copy(admin: User, file: bytes) -> None:
    def page() -> int:
        client = Client()
        client.force_login(admin)
        return int(send(client, file).status_code)

    assert sorted(map(str, at_once(page, page, page))) == ["200", "409", "409"]
    (there,) = Tournament.objects.all()
    assert actions(there, 3) == [
        (Action.PASSWORD_SET, True),
        (Action.TOURNAMENT_TAKEN_OVER, False),
        (Action.TOURNAMENT_HANDED_OVER, False),
    ]
    assert event_faults(there) == []
    assert User.objects.filter(username__startswith="chief").count() == 1


@pytest.mark.costly
def test_a_fault_in_the_middle_leaves_nothing(
    admin: User, file: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    before = all_rows()
    monkeypatch.setattr(taking_over, "make_live", fail)
    with pytest.raises(OSError, match="the disk is full"):
        event_take_over([file], actor=admin, now=LATER)
    assert all_rows() == before
    assert list(User.objects.all()) == [admin]


@pytest.mark.costly
def test_it_comes_back_to_where_it_was(
    here: Client, file: bytes, tmp_path: Path, logged_in: Callable[[User], Client]
) -> None:
    send(here, file)
    there, chief = Tournament.objects.get(), User.objects.get(username="chief")
    factories.play_rounds(there, [2], chief)
    arbiter = logged_in(chief)
    url = reverse("hand-over", args=[there.slug])
    seen = Tournament.objects.get().version
    arbiter.post(url, {"do": "hand-over", "to": "the first laptop", "seen_version": seen})
    back = arbiter.post(url, {"do": "file", "seen_version": seen + 1}).content
    empty_tables(connection)
    first_computer(tmp_path / "away")
    first = User.objects.create_superuser("first", password="arbiter-secret")
    here.force_login(first)
    before = Tournament.objects.get()
    assert "is taken over" in words(send(here, back))
    again = Tournament.objects.get()
    assert (again.pk, again.slug, again.version, again.handed_over_at) == (
        before.pk,
        before.slug,
        seen + 2,
        None,
    )
    assert event_faults(again) == []


@pytest.mark.costly
def test_an_event_goes_there_and_back_though_an_account_has_another_name_there(
    here: Client, file: bytes, tmp_path: Path
) -> None:
    User.objects.create_user("chief")
    send(here, file)
    there = Tournament.objects.get()
    hand_over(there, User.objects.get(username="chief-2"))
    export_tournaments([there.pk], tmp_path / "back", now=LATER)
    empty_tables(connection)
    first_computer(tmp_path / "away")
    here.force_login(User.objects.create_superuser("first", password="arbiter-secret"))
    page = words(send(here, (tmp_path / "back").read_bytes()))
    assert "“Autumn Open” is taken over: go on with it here." in page
    assert "The Chief Arbiter logs in as “chief”" in page
    back = Tournament.objects.get()
    assert (back.handed_over_at, event_faults(back)) == (None, [])
    factories.play_rounds(back, [2], User.objects.get(username="chief"))


@pytest.mark.costly
def test_a_fork_is_refused_with_the_first_two_lines_that_differ(
    here: Client, file: bytes, tmp_path: Path
) -> None:
    send(here, file)
    there, chief = Tournament.objects.get(), User.objects.get(username="chief")
    hand_over(there, chief)
    export_tournaments([there.pk], tmp_path / "back", now=LATER)
    other = (tmp_path / "back").read_bytes()
    empty_tables(connection)
    import_event(tmp_path / "away")
    both = bring_back(Tournament.objects.get(), User.objects.get(username="chief"))
    here.force_login(User.objects.create_superuser("first", password="arbiter-secret"))
    status, page = refused(here, other)
    assert status == 409
    assert (
        f"Both computers went on with “Autumn Open”: from action {both.version} on the records "
        f"are different" in page
    )
    assert (
        "Here: “tournament brought back after a hand-over”, Clara Chief, 21 Nov 2026, 10:00:00, fingerprint"
        in page
    )
    assert "In the file: “tournament taken over from another computer”, Ada Admin, " in page
    assert (
        "tournoi repris d’un autre ordinateur », Ada Admin, " in refused(here, other, **FRENCH)[1]
    )


@pytest.mark.costly
def test_a_service_says_what_it_refuses(admin: User, file: bytes) -> None:
    done = event_take_over([file[:1000], file[1000:]], actor=admin, now=LATER)
    assert (type(done), [each.slug for each in done.tournaments], done.renamed) == (
        Imported,
        ["autumn-open"],
        [],
    )
    with pytest.raises(NotTakenOver) as refusal:
        event_take_over([file], actor=admin, now=LATER)
    assert (refusal.value.code, refusal.value.status) == ("take_over.is_here", 409)
