"""The file of an event that somebody wrote to become another person:
it opens no account and gives no role.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.plugins.empty_tables import empty_tables
from tests.tournaments import factories
from tests.tournaments.row_cache import all_rows
from tests.tournaments.site.backups.test_hand_over import LATER, bring_back, hand_over
from tests.tournaments.site.backups.test_one_event import altered
from tournaments.core.errors import RuleRefused
from tournaments.core.link_secrets import link_hash
from tournaments.core.permissions import role_of
from tournaments.models import Action, Appointment, Decision, Role, Tournament
from tournaments.people.people import (
    Access,
    account_appoint,
    chief_hand_over,
    person_appoint,
    role_decline,
)
from tournaments.people.sign_in import appointment_of
from tournaments.site.backups import one_event
from tournaments.site.backups.checks import event_faults
from tournaments.site.backups.copy_file import extract, read_manifest, write
from tournaments.site.backups.copying import ROWS
from tournaments.site.backups.one_event import export_tournaments, import_event

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.alone("the database is emptied, as if it were another computer"),
]
PIN: Final = "123456"
NUMBERS: Final = {"vera": 701, "boss": 702, "staff": 703, "helper": 704}
"""The accounts of the site that is attacked. Their numbers can be guessed."""


def secret_for(name: str) -> str:
    return f"a secret of the attacker for {name}"


@pytest.fixture
def old_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write every column of every table into a file, as the program did once."""
    monkeypatch.setattr(one_event, "WRITTEN", {})


@pytest.fixture
def hostile(tmp_path: Path, old_form: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the file on the attacker's computer, with a sound record, and leave that computer."""
    mallory = User.objects.create_user(
        "mallory", pk=801, password="mallory-secret", first_name="Mallory"
    )
    ours = factories.make_ready(actor=mallory, players=4, name="Trap")
    for name, number in NUMBERS.items():
        User.objects.create_user(
            name, pk=number, password="known-to-mallory", is_superuser=True, is_staff=True
        )
        account_appoint(
            tournament_id=ours.pk, username=name, role="deputy", actor=mallory, now=LATER
        )
        theirs = Appointment.objects.filter(tournament=ours, person=number)
        theirs.update(link=link_hash(secret_for(name)), pin=make_password(PIN))
    hand_over(ours, mallory)
    Appointment.objects.filter(person=mallory).update(
        link=link_hash(secret_for("mallory")), pin=make_password(PIN)
    )
    export_tournaments([ours.pk], tmp_path / "hostile.event", now=LATER)
    empty_tables(connection)
    monkeypatch.undo()
    return tmp_path / "hostile.event"


@pytest.fixture
def site(hostile: Path) -> Tournament:
    """The site that is attacked: an event of Vera, with a helper who has a link,
    and two administrators.
    """
    vera = User.objects.create_user(
        "vera", pk=NUMBERS["vera"], password="vera-secret", first_name="Vera Victim"
    )
    User.objects.create_superuser("boss", pk=NUMBERS["boss"], password="boss-secret")
    User.objects.create_user("staff", pk=NUMBERS["staff"], password="staff-secret", is_staff=True)
    event = factories.make_ready(actor=vera, players=4, name="Spring Open")
    helper = User.objects.create_user("helper", pk=NUMBERS["helper"], first_name="Hal Helper")
    Appointment.objects.create(
        tournament=event,
        person=helper,
        role=Role.DEPUTY,
        since=LATER,
        link=link_hash("own"),
        pin=make_password(PIN),
    )
    return event


def send(client: Client, path: Path) -> Any:
    upload = SimpleUploadedFile("trap.event", path.read_bytes())
    return client.post(reverse("take-over"), {"file": upload}, follow=True)


def accounts() -> list[dict[str, Any]]:
    return list(User.objects.filter(pk__in=NUMBERS.values()).order_by("pk").values())


def by_page(boss: Client, path: Path) -> str:
    return unescape(send(boss, path).content.decode())


def by_program(boss: Client, path: Path) -> str:
    answer = boss.post(
        "/api/v1/take-over/", path.read_bytes(), content_type="application/octet-stream"
    )
    assert answer.status_code == 201
    return "".join(
        f"“{each['name']}” {each['role']} {each['accepted']}" for each in answer.json()["accounts"]
    )


@pytest.mark.costly
@pytest.mark.parametrize("way", [by_page, by_program])
def test_a_file_opens_no_account_of_this_site(
    site: Tournament,
    hostile: Path,
    way: Callable[[Client, Path], str],
    logged_in: Callable[[User], Client],
) -> None:
    before = accounts()
    found = way(logged_in(User.objects.get(username="boss")), hostile)
    trap = Tournament.objects.get(name="Trap")
    assert event_faults(trap) == []
    assert accounts() == before
    for name in NUMBERS:
        assert f"“{name}”" in found
        stranger, path = Client(), reverse("sign-in-link", args=[secret_for(name)])
        assert [stranger.get(path).status_code, stranger.post(path, {"pin": PIN}).status_code] == [
            404,
            404,
        ]
        assert "_auth_user_id" not in stranger.session
        assert role_of(User.objects.get(username=name), trap) is None
    assert (
        Client()
        .post(reverse("sign-in-link", args=[secret_for("mallory")]), {"pin": PIN})
        .status_code
        == 404
    )
    assert not User.objects.get(username="mallory").has_usable_password()
    assert (
        role_of(User.objects.get(username="helper"), Tournament.objects.get(pk=site.pk))
        == Role.DEPUTY
    )
    assert Client().post(reverse("sign-in-link", args=["own"]), {"pin": PIN}).status_code == 302


@pytest.mark.costly
def test_a_role_from_a_file_counts_once_the_account_has_accepted_it(
    site: Tournament, hostile: Path, logged_in: Callable[[User], Client]
) -> None:
    page = by_page(logged_in(User.objects.get(username="boss")), hostile)
    assert (
        "The file names “vera” (Vera Victim), an account of this computer, as deputy of “Trap”."
        in page
    )
    trap, vera = Tournament.objects.get(name="Trap"), User.objects.get(username="vera")
    client, other = logged_in(vera), logged_in(User.objects.get(username="staff"))
    desk, theirs = (
        reverse("desk", args=[trap.slug]),
        Appointment.objects.get(tournament=trap, person=vera),
    )
    accept = reverse("role-accept", args=[theirs.pk])
    assert client.get(desk).status_code == 403
    assert "as deputy of <strong>Trap</strong>" in client.get(reverse("home")).content.decode()
    assert Client().post(accept).headers["Location"].startswith(reverse("login"))
    assert (other.post(accept).status_code, role_of(vera, trap)) == (409, None)
    lines = Tournament.objects.get(pk=trap.pk).version
    assert [client.post(accept).status_code for _ in range(2)] == [302, 409]
    assert client.get(desk).status_code == 200
    assert accept not in client.get(reverse("home")).content.decode()
    there = Tournament.objects.get(pk=trap.pk)
    assert (there.version, event_faults(there)) == (lines, [])


@pytest.mark.costly
def test_a_role_from_a_file_is_declined_with_a_line_in_the_record(
    site: Tournament, hostile: Path, logged_in: Callable[[User], Client]
) -> None:
    by_page(logged_in(User.objects.get(username="boss")), hostile)
    trap, vera = Tournament.objects.get(name="Trap"), User.objects.get(username="vera")
    client, other = logged_in(vera), logged_in(User.objects.get(username="staff"))
    theirs = Appointment.objects.get(tournament=trap, person=vera)
    address, form = reverse("role-accept", args=[theirs.pk]), {"do": "decline"}
    assert ">Decline</button>" in client.get(reverse("home")).content.decode()
    helper = User.objects.get(username="helper")
    role = Appointment.objects.get(tournament=trap, person=helper)
    before = all_rows()
    with_a_link = logged_in(helper).post(reverse("role-accept", args=[role.pk]), form)
    assert (Client().post(address, form).status_code, other.post(address, form).status_code) == (
        302,
        409,
    )
    assert (with_a_link.status_code, all_rows()) == (409, before)
    answers = [client.post(address, form, follow=True) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 409]
    assert "You have declined the role." in answers[0].content.decode()
    assert client.post(address).status_code == 409  # a page from before, with “Accept”
    assert address not in client.get(reverse("home")).content.decode()
    theirs.refresh_from_db()
    there = Tournament.objects.get(pk=trap.pk)
    line = Decision.objects.filter(tournament=there).latest("sequence")
    assert (line.action, line.actor, line.before["person"]) == (
        Action.PERSON_REMOVED,
        vera,
        vera.pk,
    )
    assert (theirs.until, there.version, event_faults(there)) == (line.at, line.sequence, [])
    assert role_of(vera, there) is None
    # The copy here is not live any more: another role ends where the event is.
    Tournament.objects.filter(pk=trap.pk).update(handed_over_at=LATER)
    boss = User.objects.get(username="boss")
    with pytest.raises(RuleRefused, match="handed over"):
        role_decline(
            appointment_id=Appointment.objects.get(tournament=trap, person=boss).pk,
            actor=boss,
            now=timezone.now(),
        )


@pytest.mark.costly
def test_a_chief_arbiter_of_a_file_is_not_declined_before_there_is_another(
    site: Tournament, hostile: Path, logged_in: Callable[[User], Client]
) -> None:
    by_page(logged_in(User.objects.get(username="boss")), hostile)
    trap, vera = Tournament.objects.get(name="Trap"), User.objects.get(username="vera")
    Appointment.objects.filter(tournament=trap, role=Role.CHIEF).update(role=Role.DEPUTY)
    Appointment.objects.filter(tournament=trap, person=vera).update(role=Role.CHIEF)
    client = logged_in(vera)
    address = reverse(
        "role-accept", args=[Appointment.objects.get(tournament=trap, person=vera).pk]
    )
    page = client.get(reverse("home")).content.decode()
    assert (address in page, ">Decline</button>" in page) == (True, False)
    assert "ask the people who run this site to make somebody else the Chief Arbiter first" in page
    before = all_rows()
    answer = client.post(address, {"do": "decline"})
    assert (answer.status_code, all_rows()) == (400, before)
    assert f"./run manage appoint {trap.slug} NAME" in answer.content.decode()
    call_command("appoint", trap.slug, "staff")
    assert client.post(address, {"do": "decline"}).status_code == 302
    assert (
        role_of(User.objects.get(username="staff"), Tournament.objects.get(pk=trap.pk))
        == Role.CHIEF
    )


@pytest.mark.costly
def test_a_file_with_rows_for_logging_in_is_refused_as_a_whole(
    site: Tournament, hostile: Path, logged_in: Callable[[User], Client]
) -> None:
    boss = logged_in(User.objects.get(username="boss"))
    owner, until = NUMBERS["vera"], LATER.isoformat()
    tables: dict[str, dict[str, object]] = {
        "django_session": {"session_key": "k", "session_data": "d", "expire_date": until},
        "otp_totp_totpdevice": {
            "id": 1,
            "user_id": owner,
            "name": "x",
            "confirmed": True,
            "key": "00",
        },
        "otp_static_staticdevice": {"id": 1, "user_id": owner, "name": "x", "confirmed": True},
        "tournaments_passkey": {
            "id": 1,
            "user_id": owner,
            "name": "x",
            "host": "localhost",
            "credential": "c",
        },
        "auth_user_groups": {"id": 1, "user_id": 801, "group_id": 1},
        "auth_user_user_permissions": {"id": 1, "user_id": 801, "permission_id": 1},
    }
    before = all_rows(), accounts()
    for table, row in tables.items():
        more = f"{json.dumps({'table': table, 'columns': [*row]})}\n{json.dumps([*row.values()])}\n"
        assert send(boss, altered(hostile, lambda _table, _row: None, more)).status_code == 400, (
            table
        )
        for part in ("altered", "rows"):
            hostile.with_name(part).unlink()
    assert (all_rows(), accounts()) == before


@pytest.mark.costly
def test_a_role_in_another_tournament_is_refused(
    site: Tournament, hostile: Path, logged_in: Callable[[User], Client]
) -> None:
    def elsewhere(table: str, row: dict[str, Any]) -> None:
        if table == "tournaments_appointment":
            row["tournament_id"] = site.pk

    before = all_rows()
    boss = logged_in(User.objects.get(username="boss"))
    assert send(boss, altered(hostile, elsewhere)).status_code == 400
    assert all_rows() == before


@pytest.mark.costly
def test_a_file_of_an_earlier_version_is_taken_over(
    site: Tournament, hostile: Path, logged_in: Callable[[User], Client]
) -> None:
    """Its columns for logging in are not read, and what it does not have yet gets its default."""
    manifest = read_manifest(hostile, "event")
    earlier = tuple(each for each in manifest.migrations if each < "tournaments.0006")
    assert earlier != manifest.migrations
    extract(hostile, ROWS, hostile.with_name("rows"))
    lines = hostile.with_name("rows").read_text().splitlines()
    place = next(
        n for n, line in enumerate(lines) if line.startswith('{"table":"tournaments_appointment"')
    )
    missing = json.loads(lines[place])["columns"].index("accepted")
    for n in range(place, len(lines)):
        value = json.loads(lines[n])
        if n > place and isinstance(value, dict):
            break
        del (value["columns"] if isinstance(value, dict) else value)[missing]
        lines[n] = json.dumps(value)
    path = hostile.with_name("earlier")
    write(path, replace(manifest, migrations=earlier), {ROWS: ("\n".join(lines) + "\n").encode()})
    assert "“Trap” is taken over" in by_page(logged_in(User.objects.get(username="boss")), path)
    assert event_faults(Tournament.objects.get(name="Trap")) == []


def test_a_file_says_nothing_about_logging_in(
    tmp_path: Path, chief_arbiter: User, stranger: User
) -> None:
    User.objects.update(email="somebody@example.org", last_login=timezone.now(), is_superuser=True)
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    account_appoint(
        tournament_id=ours.pk, username="stranger", role="deputy", actor=chief_arbiter, now=LATER
    )
    person_appoint(
        tournament_id=ours.pk,
        name="Rita",
        role="reader",
        access=Access("s", PIN),
        actor=chief_arbiter,
        now=LATER,
    )
    export_tournaments([ours.pk], tmp_path / "our.event", now=LATER)
    extract(tmp_path / "our.event", ROWS, tmp_path / "rows")
    headings = [
        line for line in (tmp_path / "rows").read_text().splitlines() if line.startswith('{"table"')
    ]
    columns = {heading["table"]: heading["columns"] for heading in map(json.loads, headings)}
    assert columns["auth_user"] == ["id", "username", "first_name", "last_name", "date_joined"]
    assert columns["tournaments_appointment"] == [
        "id",
        "tournament_id",
        "person_id",
        "role",
        "since",
        "until",
    ]
    text = (tmp_path / "rows").read_text()
    secrets = [person.password for person in User.objects.all()] + [
        link_hash("s"),
        "somebody@example.org",
    ]
    assert [each for each in secrets if each in text] == []


def test_a_link_opens_nobody_who_has_a_password_or_rights_on_the_site(
    tournament: Tournament, chief_arbiter: User, stranger: User
) -> None:
    """Whatever wrote the row: a file, an older version, or somebody at the database."""
    row: dict[str, Any] = {"link": link_hash("s"), "pin": make_password(PIN), "since": LATER}
    theirs = Appointment.objects.create(
        tournament=tournament, person=stranger, role=Role.READER, **row
    )
    unusable = make_password(None)
    given: dict[str, Any]
    for given, opens in (
        ({}, False),
        ({"password": unusable}, True),
        ({"password": unusable, "is_staff": True}, False),
        ({"password": unusable, "is_superuser": True}, False),
        ({"password": unusable, "is_active": False}, False),
    ):
        User.objects.filter(pk=stranger.pk).update(
            is_staff=False, is_superuser=False, is_active=True
        )
        User.objects.filter(pk=stranger.pk).update(**given)
        client = Client()
        status = client.post(reverse("sign-in-link", args=["s"]), {"pin": PIN}).status_code
        assert (status, appointment_of("s") == theirs, "_auth_user_id" in client.session) == (
            302 if opens else 404,
            opens,
            opens,
        )


@pytest.mark.costly
def test_a_chief_arbiter_with_a_role_elsewhere_gets_no_link(
    tmp_path: Path, chief_arbiter: User, logged_in: Callable[[User], Client]
) -> None:
    """The site administrator would read a link that opens the other tournament too."""
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "our.event", now=LATER)
    number, joined = chief_arbiter.pk, chief_arbiter.date_joined
    empty_tables(connection)
    boss = User.objects.create_superuser("boss", password="boss-secret")
    helper = User.objects.create_user("person-1", pk=number, date_joined=joined)
    other = factories.make_tournament(boss, name="Spring Open")
    Appointment.objects.create(
        tournament=other, person=helper, role=Role.DEPUTY, since=LATER, link=link_hash("own")
    )
    page = by_page(logged_in(boss), tmp_path / "our.event")
    assert "/join/" not in page
    assert [each.link for each in Appointment.objects.filter(person=helper).order_by("pk")] == [
        link_hash("own"),
        "",
    ]


@pytest.mark.costly
def test_a_greater_role_than_before_counts_once_it_is_accepted(
    tmp_path: Path, chief_arbiter: User, stranger: User, logged_in: Callable[[User], Client]
) -> None:
    """The other computer has made the deputy the Chief Arbiter, and the Chief Arbiter a deputy."""
    ours = factories.make_ready(actor=chief_arbiter, players=4)
    account_appoint(
        tournament_id=ours.pk, username="stranger", role="deputy", actor=chief_arbiter, now=LATER
    )
    hand_over(ours, chief_arbiter)
    export_tournaments([ours.pk], tmp_path / "away", now=LATER)
    there = bring_back(Tournament.objects.get(), chief_arbiter)
    theirs = Appointment.objects.get(tournament=there, person=stranger)
    chief_hand_over(appointment_id=theirs.pk, actor=chief_arbiter, now=LATER)
    hand_over(Tournament.objects.get(), stranger)
    export_tournaments([ours.pk], tmp_path / "back", now=LATER)
    empty_tables(connection)
    import_event(tmp_path / "away")
    for person in User.objects.all():
        person.set_password("their-own-secret")
        person.save()
    by_page(
        logged_in(User.objects.create_superuser("boss", password="boss-secret")), tmp_path / "back"
    )
    here, stranger = Tournament.objects.get(), User.objects.get(username="stranger")
    assert (role_of(User.objects.get(username="chief"), here), role_of(stranger, here)) == (
        Role.DEPUTY,
        None,
    )
    role = Appointment.objects.get(tournament=here, person=stranger, until=None)
    assert logged_in(stranger).post(reverse("role-accept", args=[role.pk])).status_code == 302
    assert role_of(stranger, Tournament.objects.get()) == Role.CHIEF
