"""The own board by e-mail: from the form of the registration to the link that ends it."""

from __future__ import annotations

import json
import re
import smtplib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from pairing.rounds.arrange import Pairings
from pairing.rounds.changes import round_change
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rules.published import Situation
from tests.tournaments import factories, long_work
from tests.tournaments.events.registration.conftest import opened, wish
from tests.tournaments.factories import NOW, entry_of, round_of
from tournaments.core import jobs
from tournaments.core.errors import BadInput
from tournaments.events.registration.queue import registration_accept
from tournaments.events.registration.visitor import (
    registration_add,
    registration_correct,
    registration_withdraw,
)
from tournaments.models import Entry, Job, PairingMail, Registration, Tournament
from tournaments.setup.personal_data import data_of
from tournaments.site.backups import rows
from tournaments.site.backups.event_tables import TABLES
from tournaments.web.pairing_mail import sending
from tournaments.web.pairing_mail.links import end_path
from tournaments.web.pairing_mail.sending import JOB

pytestmark = pytest.mark.django_db
SITE = "https://chess.example.org"
TYPED = {
    "last_name": "Abara",
    "first_name": "Ada",
    "federation": "FRA",
    "birth_date": "1990",
    "email": "ada@example.org",
}


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.EMAIL_HOST, settings.PUBLIC_ADDRESS = "mail.example.org", SITE


@pytest.fixture
def autumn(chief_arbiter: User) -> Tournament:
    tournament = factories.make_tournament(chief_arbiter)
    opened(tournament, chief_arbiter)
    return tournament


@pytest.fixture
def form(autumn: Tournament) -> str:
    return reverse("register", args=[autumn.slug])


def send_form(client: Client, url: str, typed: dict[str, Any], **headers: str) -> Any:
    page = client.post(url, typed, headers=headers).content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    fields.pop("csrfmiddlewaretoken", None)
    return client.post(url, fields | {"step": "send"}, headers=headers)


class TestConsent:
    @pytest.mark.costly
    def test_it_is_not_ticked_and_kept_with_the_language_of_the_page(
        self, form: str, client: Client, chief_arbiter: User, autumn: Tournament
    ) -> None:
        page = client.get(form).content.decode()
        (box,) = re.findall(r'<input[^>]+name="mails"[^>]*>', page)
        assert "checked" not in box
        assert "You can end them at any time" in page
        send_form(client, form, TYPED | {"mails": "on"}, accept_language="de")
        row = Registration.objects.get(tournament=autumn)
        assert (row.mails, row.language) == (True, "de")
        link = re.findall(r"(/registered/\w+/)", str(mail.outbox[0].body))[0]
        client.post(link, {"confirm": "yes"})
        assert "ada@example.org" in client.get(link).content.decode()
        entry = accept(Registration.objects.get(pk=row.pk), chief_arbiter)
        found = PairingMail.objects.get(entry=entry)
        assert (found.email, found.language) == ("ada@example.org", "de")
        own = client.get(link).content.decode()
        assert end_path(found) in own

    def test_without_the_tick_nothing_is_kept(
        self, form: str, client: Client, autumn: Tournament
    ) -> None:
        send_form(client, form, TYPED)
        row = Registration.objects.get(tournament=autumn)
        assert (row.mails, row.language) == (False, "")

    def test_it_needs_an_address(self, form: str, client: Client, autumn: Tournament) -> None:
        typed = TYPED | {"email": "", "phone": "06 12 34 56 78", "mails": "on"}
        page = client.post(form, typed)
        assert page.status_code == 422
        assert "Enter the e-mail address to which your pairings" in page.content.decode()

    @pytest.mark.costly
    @pytest.mark.parametrize("missing", ["EMAIL_HOST", "PUBLIC_ADDRESS"])
    def test_where_the_site_cannot_send_the_form_does_not_ask(
        self, form: str, client: Client, settings: Settings, chief_arbiter: User,
        autumn: Tournament, missing: str,
    ) -> None:  # fmt: skip
        setattr(settings, missing, "")
        settings.ALLOWED_HOSTS = ["localhost", "*"]
        assert 'name="mails"' not in client.get(form).content.decode()
        send_form(client, form, TYPED | {"mails": "on"})
        assert not Registration.objects.get(tournament=autumn).mails
        client.force_login(chief_arbiter)
        page = client.get(reverse("registration-settings", args=[autumn.slug])).content.decode()
        assert "Players cannot get their pairings by e-mail:" in page

    def test_a_link_that_could_not_be_sent_ends_it(
        self, form: str, client: Client, autumn: Tournament, settings: Settings
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 1
        send_form(client, form, TYPED | {"mails": "on"})
        assert not Registration.objects.get(tournament=autumn).mails

    def test_another_address_cannot_be_put_in_its_place(self, autumn: Tournament) -> None:
        """Nobody there has agreed."""
        kept(autumn, mails=True)
        with pytest.raises(BadInput, match="only to the address that got the link"):
            registration_correct(
                secret="s", wish=wish(email="other@example.org", mails=True), now=NOW
            )
        registration_correct(secret="s", wish=wish(email="other@example.org"), now=NOW)
        assert not Registration.objects.get(tournament=autumn).mails

    def test_who_has_not_confirmed_gets_none(self, autumn: Tournament, chief_arbiter: User) -> None:
        row = kept(autumn, mails=True)
        accept(row, chief_arbiter)
        assert not PairingMail.objects.filter(entry__tournament=autumn).exists()

    def test_a_withdrawn_registration_keeps_nothing(self, autumn: Tournament) -> None:
        kept(autumn, mails=True)
        registration_withdraw(secret="s", now=NOW)
        row = Registration.objects.get(tournament=autumn)
        assert (row.mails, row.language, row.email) == (False, "", "")


def kept(tournament: Tournament, **more: Any) -> Registration:
    more = {"language": "en"} | more
    return registration_add(tournament_id=tournament.pk, wish=wish(**more), secret="s", now=NOW)


def accept(row: Registration, actor: User) -> Entry:
    return registration_accept(
        registration_id=row.pk, tournament_id=row.tournament_id, actor=actor, now=NOW,
        values={"name": "Abara, Ada", "federation": "FRA"}, with_byes=False,
        seen_version=row.version,
        seen_doubts={"registration.unconfirmed", "registration.not_listed"},
    )  # fmt: skip


@pytest.fixture
def paired(chief_arbiter: User) -> Tournament:
    """A draft of round 1 of six players, of whom 1 and 4 get e-mails."""
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=3)
    round_pair(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=NOW)
    agreed(tournament, 1, "en")
    agreed(tournament, 4, "de")
    return Tournament.objects.get(pk=tournament.pk)


def agreed(tournament: Tournament, tpn: int, language: str) -> PairingMail:
    entry = entry_of(tournament, tpn)
    return PairingMail.objects.create(entry=entry, email=f"{tpn}@example.org", language=language)


def pk(tournament: Tournament, tpn: int) -> int:
    return entry_of(tournament, tpn).pk


def publish(tournament: Tournament, number: int, actor: User) -> None:
    round_publish(round_id=round_of(tournament, number).pk, actor=actor, now=NOW)


def deliver(tournament: Tournament, at: Callable[[int], object] | None = None) -> int:
    return long_work.do(JOB, tournament.pk, at)


def states(tournament: Tournament) -> list[str]:
    rows = PairingMail.objects.filter(entry__tournament=tournament).order_by("entry__tpn")
    return list(rows.values_list("state", flat=True))


class TestSending:
    def test_c04_2_4_4_a_draft_is_not_sent(self, paired: Tournament) -> None:
        assert not long_work.queued(JOB)
        jobs.enqueue(JOB, str(paired.pk))
        deliver(paired)
        assert mail.outbox == []

    def test_each_player_gets_the_own_board_in_the_own_language(
        self, paired: Tournament, chief_arbiter: User
    ) -> None:
        publish(paired, 1, chief_arbiter)
        assert mail.outbox == []
        deliver(paired)
        first, second = mail.outbox
        name, rival = entry_of(paired, 1).name, entry_of(paired, 4).name
        assert first.to == ["1@example.org"]
        assert first.subject == f"{paired.name}: Pairings of round 1"
        assert f"Round 1: {name}, board 1, White against {rival}" in first.body
        assert f"{SITE}/t/{paired.slug}/me/#{entry_of(paired, 1).pk}" in first.body
        end = SITE + end_path(PairingMail.objects.get(email="1@example.org"))
        assert end in first.body
        assert first.extra_headers["List-Unsubscribe"] == f"<{end}>"
        assert first.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"Runde 1: {rival}, Brett 1, Schwarz gegen {name}" in second.body
        assert states(paired) == ["sent", "sent"]

    @pytest.mark.costly
    def test_the_same_board_is_sent_once(self, paired: Tournament, chief_arbiter: User) -> None:
        publish(paired, 1, chief_arbiter)
        for _time in range(2):
            jobs.enqueue(JOB, str(paired.pk))
            deliver(paired)
        assert len(mail.outbox) == 2

    @pytest.mark.costly
    def test_c04_2_4_4_only_whose_board_changed_gets_another(self, chief_arbiter: User) -> None:
        tournament = factories.make_ready(chief_arbiter, players=6, change_clause="7.3")
        for tpn in (1, 2, 4):
            agreed(tournament, tpn, "en")
        factories.pair_and_publish(tournament, 1, chief_arbiter)
        jobs.enqueue(JOB, str(tournament.pk))
        deliver(tournament)
        mail.outbox.clear()
        (_, white, black), *others = [
            (board, white, black)
            for board, (white, black, _result) in enumerate(factories.boards(tournament, 1), 1)
        ]
        seats = {board: (white, black) for board, white, black in others}
        round_change(
            round_id=round_of(tournament, 1).pk, situation=Situation.REGULATIONS,
            pairings=Pairings(
                {1: (pk(tournament, black), pk(tournament, white))}
                | {n: (pk(tournament, a), pk(tournament, b)) for n, (a, b) in seats.items()}, {},
            ),
            consents=(), concerned={1}, reason="the regulations", exception="the regulations",
            actor=chief_arbiter, now=NOW,
        )  # fmt: skip
        deliver(tournament)
        assert {message.to[0] for message in mail.outbox} == {"1@example.org", "4@example.org"}
        assert all("Changed: Round 1" in message.body for message in mail.outbox)

    @pytest.mark.costly
    def test_a_round_that_is_over_is_not_sent(
        self, paired: Tournament, chief_arbiter: User
    ) -> None:
        publish(paired, 1, chief_arbiter)
        factories.enter_results(paired, 1, chief_arbiter)
        results_publish(round_id=round_of(paired, 1).pk, actor=chief_arbiter, now=NOW)
        deliver(paired)
        assert mail.outbox == []

    def test_a_tournament_elsewhere_sends_nothing(
        self, paired: Tournament, chief_arbiter: User
    ) -> None:
        publish(paired, 1, chief_arbiter)
        Tournament.objects.filter(pk=paired.pk).update(handed_over_at=NOW)
        deliver(paired)
        assert mail.outbox == []

    @pytest.mark.costly
    def test_a_killed_worker_sends_nothing_twice(
        self, paired: Tournament, chief_arbiter: User, client: Client,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        publish(paired, 1, chief_arbiter)
        ended = sending.Due.end

        def die(*_args: object) -> None:
            raise SystemExit  # after the server has taken the e-mail, before that is written

        monkeypatch.setattr(sending.Due, "end", die)
        with pytest.raises(SystemExit):
            deliver(paired)
        monkeypatch.setattr(sending.Due, "end", ended)
        job = Job.objects.get(kind=JOB)
        Job.objects.filter(pk=job.pk).update(state="waiting", token="")
        deliver(paired)
        assert [message.to for message in mail.outbox] == [["1@example.org"], ["4@example.org"]]
        assert states(paired) == ["sending", "sent"]
        client.force_login(chief_arbiter)
        page = client.get(reverse("round", args=[paired.slug, 1])).content.decode()
        assert "Perhaps not sent" in page
        assert entry_of(paired, 1).name in page.split("Perhaps not sent")[1][:200]
        assert "example.org" not in page.split("Perhaps not sent")[1][:400]

    def test_who_ends_them_meanwhile_gets_none(
        self, paired: Tournament, chief_arbiter: User
    ) -> None:
        publish(paired, 1, chief_arbiter)

        def end(number: int) -> None:
            if number == 1:
                PairingMail.objects.filter(email="1@example.org").delete()

        deliver(paired, end)
        assert [message.to for message in mail.outbox] == [["4@example.org"]]


class Server(BaseEmailBackend):
    """A mail server with an answer for each address."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: dict[str, list[Exception]] = {}
        self.is_away = False
        self.taken: list[str] = []

    def open(self) -> bool:
        if self.is_away:
            raise ConnectionRefusedError
        return True

    def send_messages(self, messages: Any) -> int:
        (message,) = messages
        assert isinstance(message, EmailMessage)
        (address,) = message.to
        if self.answers.get(address):
            raise self.answers[address].pop(0)
        self.taken.append(address)
        return 1


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    found = Server()
    monkeypatch.setattr(sending, "get_connection", lambda: found)
    return found


def refused(address: str, code: int) -> smtplib.SMTPRecipientsRefused:
    return smtplib.SMTPRecipientsRefused({address: (code, b"no")})


class TestFaults:
    @pytest.mark.costly
    def test_a_server_that_is_away_gets_them_later_and_in_the_end_the_arbiter_reads_it(
        self, paired: Tournament, chief_arbiter: User, server: Server, client: Client
    ) -> None:
        server.is_away = True
        publish(paired, 1, chief_arbiter)
        for tries in range(len(sending.WAITS)):
            deliver(paired)
            assert jobs.waiting(JOB, str(paired.pk)).arguments == {"tries": tries + 1}
            assert states(paired) == ["", ""]
        deliver(paired)
        assert not long_work.queued(JOB)
        assert states(paired) == ["failed", "failed"]
        client.force_login(chief_arbiter)
        page = client.get(reverse("desk", args=[paired.slug])).content.decode()
        assert "2 e-mails with a board failed" in page

    def test_greylisted_once_and_then_taken(
        self, paired: Tournament, chief_arbiter: User, server: Server
    ) -> None:
        server.answers["1@example.org"] = [refused("1@example.org", 451)]
        publish(paired, 1, chief_arbiter)
        deliver(paired)
        assert (states(paired), server.taken) == (["", "sent"], ["4@example.org"])
        deliver(paired)
        assert server.taken == ["4@example.org", "1@example.org"]

    @pytest.mark.costly
    def test_a_refused_address_is_named_and_not_tried_again(
        self, paired: Tournament, chief_arbiter: User, server: Server, client: Client
    ) -> None:
        server.answers["1@example.org"] = [refused("1@example.org", 550)]
        publish(paired, 1, chief_arbiter)
        deliver(paired)
        assert states(paired) == ["failed", "sent"]
        assert not long_work.queued(JOB)
        client.force_login(chief_arbiter)
        page = client.get(reverse("round", args=[paired.slug, 1])).content.decode()
        assert "Boards sent by e-mail: 1, to 2 players who asked for it." in " ".join(page.split())
        assert f"Failed: {entry_of(paired, 1).name}" in page

    def test_an_answer_that_never_came_is_not_repeated(
        self, paired: Tournament, chief_arbiter: User, server: Server
    ) -> None:
        server.answers["1@example.org"] = [TimeoutError()]
        publish(paired, 1, chief_arbiter)
        for _time in range(2):
            jobs.enqueue(JOB, str(paired.pk))
            deliver(paired)
        assert (states(paired), server.taken) == (["sending", "sent"], ["4@example.org"])

    @pytest.mark.costly
    def test_a_later_publication_ends_the_job(
        self, paired: Tournament, chief_arbiter: User, server: Server,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        publish(paired, 1, chief_arbiter)
        numbers = iter((1, 1, 2))
        monkeypatch.setattr(sending, "_newest", lambda _tournament: next(numbers, 2))
        deliver(paired)
        assert server.taken == ["1@example.org"]


class TestEnd:
    def test_a_visit_asks_and_the_button_ends(
        self, paired: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        row = PairingMail.objects.get(email="1@example.org")
        path = end_path(row)
        page = client.get(path)
        assert page.status_code == 200
        assert page["X-Robots-Tag"] == "noindex"
        assert "1@example.org" not in page.content.decode()
        assert PairingMail.objects.filter(pk=row.pk).exists()
        ended = client.post(path)
        assert "The e-mails have ended" in ended.content.decode()
        assert client.get(path).status_code == client.post(path).status_code == 404
        publish(paired, 1, chief_arbiter)
        deliver(paired)
        assert [message.to for message in mail.outbox] == [["4@example.org"]]

    def test_the_button_of_a_mail_program_ends_them(self, paired: Tournament) -> None:
        row = PairingMail.objects.get(email="1@example.org")
        strict = Client(enforce_csrf_checks=True)
        answer = strict.post(end_path(row), {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
        assert not PairingMail.objects.filter(pk=row.pk).exists()

    def test_the_link_of_another_cannot_be_made(self, paired: Tournament, client: Client) -> None:
        one, other = PairingMail.objects.filter(entry__tournament=paired).order_by("pk")
        number, seal = end_path(one).strip("/").split("/")[-1].split(":")
        for token in (f"{other.pk}:{seal}", number, f"{number}:", f"x:{seal}"):
            assert client.post(reverse("pairing-mail", args=[token])).status_code == 404
        assert PairingMail.objects.filter(entry__tournament=paired).count() == 2


@pytest.mark.costly
def test_the_file_about_a_player_has_the_address_and_a_copy_without_keys_has_none(
    paired: Tournament,
) -> None:
    PairingMail.objects.filter(entry=entry_of(paired, 1)).update(email="one@own.example")
    about = json.dumps(data_of(entry_of(paired, 1)), default=str)
    assert "one@own.example" in about
    assert "4@example.org" not in about
    assert "one@own.example" in "".join(rows.dump(apps, "default"))
    assert "one@own.example" not in "".join(rows.dump(apps, "default", log_ins=False))
    assert PairingMail not in TABLES


def test_a_player_with_initials_is_named_so(paired: Tournament, chief_arbiter: User) -> None:
    Entry.objects.filter(pk=entry_of(paired, 1).pk).update(name="X. Q.", full_name="Quetzal, Xan")
    publish(paired, 1, chief_arbiter)
    deliver(paired)
    for message in mail.outbox:
        assert "X. Q." in message.body
        assert "Quetzal" not in message.body
