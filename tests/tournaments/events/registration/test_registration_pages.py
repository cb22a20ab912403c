"""The pages of the registration: the form in two steps, the link, e-mail and limits."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW
from tests.tournaments.lists.rating_lists.conftest import text_list
from tests.tournaments.neighbour import own
from tournaments.core.request_limits import LIMITS, SEARCH, SEND
from tournaments.events.registration.opening import Wanted, registration_set
from tournaments.events.sections import event_create, section_add
from tournaments.models import (
    Appointment,
    Entry,
    Registration,
    RegistrationSettings,
    RequestCount,
    Role,
    Tournament,
)

from .conftest import Load, opened

pytestmark = pytest.mark.django_db
TYPED = {
    "last_name": "Abara",
    "first_name": "Player",
    "federation": "FRA",
    "birth_date": "1990",
    "email": "ada@example.org",
}
FRENCH = {"Accept-Language": "fr"}


@pytest.fixture
def form(autumn: Tournament) -> str:
    """The address of the form."""
    return reverse("register", args=[autumn.slug])


def fields_of(page: str) -> dict[str, str]:
    """Return the hidden fields of the second step, without the token against forgery."""
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    return {name: text for name, text in found.items() if name != "csrfmiddlewaretoken"}


def sent(client: Client, url: str, typed: dict[str, Any], **more: str) -> Any:
    """Go through both steps and return the answer to the second one."""
    page = client.post(url, typed).content.decode()
    return client.post(url, fields_of(page) | {"step": "send"} | more)


def is_private(response: Any) -> bool:
    return (
        response["Cache-Control"] == "private, no-store" and response["X-Robots-Tag"] == "noindex"
    )


class TestForm:
    @pytest.mark.costly
    def test_the_whole_way_without_scripts(
        self, form: str, client: Client, load: Load, autumn: Tournament
    ) -> None:
        load(text_list())
        assert is_private(client.get(form))
        page = client.post(form, TYPED)
        text = page.content.decode()
        assert is_private(page)
        assert "Are you one of these players" in text
        assert "2000016" in text
        key = re.findall(r'name="listed" value="(.+?)"', text)[0]
        answer = client.post(form, fields_of(text) | {"step": "send", "listed": key})
        assert answer.status_code == 302
        again = client.post(form, fields_of(text) | {"step": "send", "listed": key})
        assert answer["Location"] == again["Location"]
        row = own(Registration).get()
        assert (str(row), row.listed, row.state) == ("Abara, Player 1", True, "received")
        page = client.get(answer["Location"])
        assert is_private(page)
        assert "Received, but not confirmed" in page.content.decode()
        assert "Abara" not in answer["Location"]
        confirmed = client.post(
            answer["Location"], {"confirm": "yes"}, follow=True
        ).content.decode()
        assert "Confirmed: waiting for the arbiter" in confirmed
        assert not Entry.objects.filter(tournament=autumn).exists()

    def test_the_first_step_saves_nothing_and_can_be_changed(
        self, form: str, client: Client
    ) -> None:
        page = client.post(form, TYPED).content.decode()
        assert not own(Registration).exists()
        back = client.post(form, fields_of(page) | {"step": "edit"})
        assert 'value="Abara"' in back.content.decode()
        assert back.status_code == 200

    def test_every_fault_is_at_its_field_and_nothing_typed_is_lost(
        self, form: str, client: Client
    ) -> None:
        answer = client.post(
            form, TYPED | {"birth_date": "soon", "email": "nobody", "club": "<b>Mate</b>"}
        )
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "This is not an e-mail address." in page
        assert "“soon”" in page
        assert "&lt;b&gt;Mate&lt;/b&gt;" in page
        assert "<b>Mate" not in page

    @pytest.mark.parametrize("token", ["", "short", "x" * 500, "a" * 31 + "\n", "é" * 40])
    def test_a_token_of_ones_own_saves_nothing(self, form: str, client: Client, token: str) -> None:
        answer = client.post(form, TYPED | {"step": "send", "token": token})
        assert answer.status_code == 422
        assert not own(Registration).exists()

    def test_a_program_that_fills_in_everything_is_refused(self, form: str, client: Client) -> None:
        answer = client.post(form, TYPED | {"website": "https://spam.example"})
        assert answer.status_code == 422
        assert "One field must stay empty" in answer.content.decode()

    def test_closed_it_says_so_in_both_languages(
        self, tournament: Tournament, client: Client
    ) -> None:
        url = reverse("register", args=[tournament.slug])
        assert "Registration is not open. Ask the organiser." in client.get(url).content.decode()
        french = client.get(url, headers=FRENCH).content.decode()
        assert "Les préinscriptions ne sont pas ouvertes" in french
        answer = sent(client, url, TYPED)
        assert answer.status_code == 409
        assert "<form" not in answer.content.decode().partition("<main")[2]

    def test_the_public_page_leads_to_the_form_only_while_it_is_open(
        self, autumn: Tournament, form: str, client: Client, chief_arbiter: User
    ) -> None:
        overview = reverse("tournament", args=[autumn.slug])
        assert form in client.get(overview).content.decode()
        registration_set(
            tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, wanted=Wanted(False)
        )
        assert form not in client.get(overview).content.decode()

    def test_the_form_speaks_french(self, form: str, client: Client) -> None:
        page = client.get(form, headers=FRENCH).content.decode()
        for words in ("Se préinscrire", "Nom", "Prénom", "Adresse électronique", "Continuer"):
            assert words in page, words
        assert "Register" not in page
        answer = client.post(form, TYPED | {"email": ""}, headers=FRENCH).content.decode()
        assert "Indiquez une adresse électronique ou un numéro de téléphone" in answer


class TestLimits:
    def test_matches_while_typing_are_few_and_counted(
        self, form: str, client: Client, load: Load
    ) -> None:
        load(text_list())
        typing = TYPED | {"step": "matches"}
        part = client.post(form, typing)
        assert is_private(part)
        assert "2000016" in part.content.decode()
        assert "<html" not in part.content.decode()
        assert "2000016" not in client.post(form, typing | {"first_name": ""}).content.decode()
        most, _span = LIMITS[SEARCH]
        RequestCount.objects.update(count=most)
        busy = client.post(form, typing).content.decode()
        assert "2000016" not in busy
        assert "too many requests" in busy

    @pytest.mark.costly
    def test_one_address_registers_so_many_and_another_is_not_stopped(
        self, form: str, client: Client
    ) -> None:
        assert sent(client, form, TYPED).status_code == 302
        most, _span = LIMITS[SEND]
        RequestCount.objects.update(count=most)
        stopped = sent(client, form, TYPED | {"last_name": "Blom"})
        assert stopped.status_code == 429
        assert "too many requests" in stopped.content.decode()
        other = Client(REMOTE_ADDR="192.0.2.9")
        assert sent(other, form, TYPED | {"last_name": "Blom"}).status_code == 302
        assert own(Registration).count() == 2


class TestMail:
    @pytest.fixture(autouse=True)
    def server(self, settings: Any) -> None:
        settings.EMAIL_HOST = "mail.example.org"

    def test_the_link_goes_by_mail_and_is_not_shown(self, form: str, client: Client) -> None:
        answer = sent(client, form, TYPED | {"first_name": "Buy pills"})
        assert answer["Location"] == f"{form}?sent=yes"
        page = client.get(answer["Location"]).content.decode()
        assert "We have sent you an e-mail" in page
        assert "/registered/" not in page
        (message,) = mail.outbox
        assert message.to == ["ada@example.org"]
        assert "pills" not in message.subject + message.body
        link = re.findall(r"http://testserver(/registered/\w+/)", str(message.body))[0]
        assert client.post(link, {"confirm": "yes"}).status_code == 302
        assert own(Registration).get().state == "confirmed"

    @pytest.mark.costly
    def test_a_form_sent_again_sends_no_second_mail(self, form: str, client: Client) -> None:
        page = fields_of(client.post(form, TYPED).content.decode()) | {"step": "send"}
        for email in ("ada@example.org", "other@example.org", "third@example.org"):
            assert client.post(form, page | {"email": email})["Location"] == f"{form}?sent=yes"
        assert [message.to for message in mail.outbox] == [["ada@example.org"]]

    @pytest.mark.costly
    def test_one_address_gets_three_mails_a_day(self, form: str, client: Client) -> None:
        statuses = [
            sent(client, form, TYPED | {"last_name": name}).status_code
            for name in ("A", "B", "C", "D")
        ]
        assert statuses == [302, 302, 302, 429]
        assert len(mail.outbox) == 3

    @pytest.mark.costly
    def test_without_an_address_or_a_working_server_the_page_shows_the_link(
        self, form: str, client: Client, settings: Any
    ) -> None:
        phone = TYPED | {"email": "", "phone": "06 12 34 56 78"}
        assert "/registered/" in sent(client, form, phone)["Location"]
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 9, 1
        answer = sent(client, form, TYPED)
        assert "could not be sent" in client.get(answer["Location"]).content.decode()

    @pytest.mark.costly
    def test_an_address_that_no_header_can_hold_shows_the_link(
        self, form: str, client: Client
    ) -> None:
        answer = sent(client, form, TYPED | {"email": f"ada@{'é' * 63}.fr"})
        assert "could not be sent" in client.get(answer["Location"]).content.decode()
        assert mail.outbox == []


class TestLink:
    @pytest.mark.costly
    def test_correct_and_withdraw(self, form: str, client: Client) -> None:
        link = sent(client, form, TYPED)["Location"]
        url = f"{link}correct/"
        page = client.get(url)
        assert is_private(page)
        assert 'value="Abara"' in page.content.decode()
        seen = str(own(Registration).get().version)
        fixed = sent(client, url, TYPED | {"club": "Mate", "seen": seen})
        assert fixed["Location"] == link
        assert own(Registration).get().fields["club"] == "Mate"
        stale = sent(client, url, TYPED | {"club": "Old", "seen": seen})
        assert stale.status_code == 409
        assert "in another window" in stale.content.decode()
        assert sent(client, url, TYPED | {"seen": ""}).status_code == 409
        gone = client.post(link, {"withdraw": "yes"}, follow=True).content.decode()
        assert "Your data have been deleted." in gone
        assert "Abara" not in gone
        assert client.post(link, {"confirm": "yes"}).status_code == 409
        assert client.get(url).status_code == 409

    @pytest.mark.costly
    def test_another_sentence_of_consent_is_asked_again(
        self, autumn: Tournament, form: str, client: Client, chief_arbiter: User
    ) -> None:
        opened(autumn, chief_arbiter, consent="My name is published.")
        url = f"{sent(client, form, TYPED | {'agrees': 'on'})['Location']}correct/"
        agreed = 'name="agrees" id="id_agrees" checked'
        assert agreed in client.get(url).content.decode()
        opened(autumn, chief_arbiter, consent="Photographs are published.")
        page = client.get(url).content.decode()
        assert "Photographs" in page
        assert agreed not in page
        assert (
            'href="#id_agrees">Consent</a>'
            in client.post(url, TYPED | {"email": ""}).content.decode()
        )

    @pytest.mark.costly
    def test_a_correction_finds_the_rating_list_after_the_closing_time(
        self, autumn: Tournament, form: str, client: Client, chief_arbiter: User, load: Load
    ) -> None:
        url = f"{sent(client, form, TYPED)['Location']}correct/"
        opened(autumn, chief_arbiter, closes_at=NOW - timedelta(days=3_000))
        load(text_list())
        part = client.post(url, TYPED | {"step": "matches"}).content.decode()
        assert "2000016" in part
        assert "closed" not in part

    def test_a_wrong_link_is_nobodys(self, client: Client, db: None) -> None:
        for path in ("/registered/nothing/", "/registered/nothing/correct/"):
            for answer in (client.get(path), client.post(path, {"confirm": "yes"})):
                assert answer.status_code == 404
                assert is_private(answer)

    @pytest.mark.costly
    def test_the_visitor_reads_the_answer_in_french(
        self, form: str, desk: Client, autumn: Tournament
    ) -> None:
        visitor = Client()
        link = sent(visitor, form, TYPED)["Location"]
        row = own(Registration).get()
        url = reverse("registration-refuse", args=[autumn.slug, row.pk])
        assert (
            desk.post(url, {"seen": row.version, f"r{row.pk}-reason": "Trop tard."}).status_code
            == 302
        )
        page = visitor.get(link, headers=FRENCH).content.decode()
        assert "Refusée" in page
        assert "Trop tard." in page


class TestEvent:
    @pytest.mark.costly
    def test_one_form_with_a_choice_of_sections(
        self, autumn: Tournament, form: str, chief_arbiter: User, client: Client
    ) -> None:
        by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
        event = event_create(tournament_id=autumn.pk, name="City Open", label="A", **by)
        second = section_add(
            event_id=event.pk, like_id=autumn.pk, label="U12", limits={"born_from": 2014}, **by
        )
        opened(second, chief_arbiter, consent="A parent agrees.")
        url = reverse("event-register", args=[event.slug])
        assert client.get(form)["Location"] == f"{url}?section={autumn.slug}"
        page = client.get(url).content.decode()
        assert "born in 2014 or later" in page
        assert url in client.get(reverse("event", args=[event.slug])).content.decode()
        young = TYPED | {"section": second.slug}
        answer = client.post(url, young)
        assert answer.status_code == 422
        assert "A parent agrees." in answer.content.decode()
        old = client.post(url, young | {"agrees": "on"})
        assert "born in 2014 or later. Choose another section." in old.content.decode()
        assert sent(client, url, young | {"agrees": "on", "birth_date": "2015"}).status_code == 302
        assert own(Registration).get().tournament == second
        assert client.get(f"{url}?section=nowhere").status_code == 200
        registration_set(tournament_id=autumn.pk, wanted=Wanted(False), **by)
        closed = client.get(f"{url}?section={autumn.slug}").content.decode()
        assert "Registration is not open" in closed
        assert f"?section={second.slug}" in closed

    def test_one_setting_for_all_sections_but_the_places(
        self, autumn: Tournament, chief_arbiter: User, stranger: User
    ) -> None:
        by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
        event = event_create(tournament_id=autumn.pk, name="City Open", label="A", **by)
        second = section_add(event_id=event.pk, like_id=autumn.pk, label="B", limits={}, **by)
        opened(second, chief_arbiter, most=10)
        registration_set(
            tournament_id=autumn.pk,
            wanted=Wanted(True, most=40, text="Fee"),
            all_sections=True,
            **by,
        )
        found = own(RegistrationSettings).order_by("most").values_list("tournament", "most", "text")
        assert list(found) == [(second.pk, 10, "Fee"), (autumn.pk, 40, "Fee")]
        Appointment.objects.create(tournament=autumn, person=stranger, role=Role.DEPUTY, since=NOW)
        with pytest.raises(PermissionDenied):
            registration_set(
                tournament_id=autumn.pk,
                actor=stranger,
                now=NOW,
                wanted=Wanted(False),
                all_sections=True,
            )
        assert own(RegistrationSettings).filter(is_open=True).count() == 2
