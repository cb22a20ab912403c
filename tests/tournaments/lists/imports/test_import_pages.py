"""Before saving, the import page shows the content of a TRF file and
the rounds that the engine pairs differently.
"""

from __future__ import annotations

import base64
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tests.trf.reports import player, report
from tournaments.models import Entry, Tournament
from tournaments.web.templatetags.numbers import birth

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("many rows in one statement")]

BY_HAND = (
    report(
        "012 By hand",
        "142 5",
        "152 W",
        player(1, "2.0", "   3 w 1", "   4 b 1"),
        player(2, "2.0", "   4 b 1", "   3 w 1"),
        player(3, "0.0", "   1 b 0", "   2 b 0"),
        player(4, "0.0", "   2 w 0", "   1 w 0"),
    )
    .replace("12345678", " " * 8)
    .replace("Player 3", "<i>E</i>")
)
"""A round 2 that breaks the rules: the winners meet the losers."""


def page(client: Client, text: str, **headers: str) -> str:
    response = client.post(reverse("tournament-import"), {"text": text}, headers=headers)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_rounds_paired_differently_are_listed_before_anything_is_saved(
    chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    body = page(client, BY_HAND)
    assert "2 rounds paired again from the file: 1 difference" in body
    assert body.count('<section class="panel" aria-labelledby="round-') == 1
    assert "<td>2 Player 2</td><td>3 &lt;i&gt;E&lt;/i&gt;</td>" in tidy(body)
    assert not own(Tournament).exists()


def test_a_file_that_is_paired_the_same_says_so(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    body = page(
        client,
        "\n".join(line[:101].rstrip() for line in BY_HAND.replace("2.0", "1.0").splitlines()),
    )
    assert "1 round paired again from the file: no difference" in body
    assert 'aria-labelledby="round-' not in body


def test_a_file_that_is_not_utf_8_is_read_and_its_names_are_shown(
    chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("tournament-import")
    data = BY_HAND.replace("<i>E</i>", "Zoë     ").encode("latin-1")
    looked = client.post(url, {"file": SimpleUploadedFile("event.trf", data)})
    text = " ".join(looked.content.decode().split())
    assert "The file is not in UTF-8. It was read as Latin-1 (ISO 8859-1)." in text
    assert "<p>Check these names: Zoë</p>" in text
    assert client.post(url, {"confirmed": looked.context["data"]}).status_code == 302
    assert own(Entry).filter(name="Zoë").exists()


def test_the_list_speaks_french(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    body = page(client, BY_HAND, accept_language="fr")
    assert "2 rondes réappariées à partir du fichier : 1 différence" in body


DATED = report("042 04/05/2025", "142 5", "192 FIDE_DUTCH", "202 BH", player(1, "0.0"))


def test_the_page_names_the_rules_it_uses_and_why(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    body = page(client, DATED)
    assert "FIDE Dutch System 2017" in body
    assert (
        "record 192 says FIDE_DUTCH without an edition; the first day is 2025-05-04, 04/05/2025 (042)"
        in body
    )
    assert "“04/05/2025” could mean two days (042): it is read as 2025-05-04." in body
    assert '<option value="dutch_2017" selected>' in body
    assert '<option value="fide-2024" selected>' in body


def test_the_rules_can_be_corrected_before_anything_is_saved(
    chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    address = reverse("tournament-import")
    confirmed = base64.b64encode(DATED.encode()).decode()
    chosen = {"confirmed": confirmed, "system": "dutch_2026", "tie_break_edition": "fide-2026"}
    again = client.post(address, chosen | {"again": "1"}, headers={"HX-Request": "true"})
    body = " ".join(again.content.decode().split())
    assert (again.status_code, own(Tournament).count()) == (200, 0)
    assert '<option value="dutch_2026" selected>' in body
    assert body.count("it was chosen by the user") == 2
    assert client.post(address, chosen | {"system": "lim"}).status_code == 422
    assert not own(Tournament).exists()
    assert client.post(address, chosen).status_code == 302
    made = own(Tournament).get()
    assert (made.system, made.tie_break_edition, made.start_date) == (
        "dutch_2026",
        "fide-2026",
        date(2025, 5, 4),
    )
    assert (made.handling_edition, made.tie_breaks) == ("c04_2_2026", "BH")


def test_without_a_choice_the_rules_are_those_of_the_file(
    chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    client.post(
        reverse("tournament-import"), {"confirmed": base64.b64encode(DATED.encode()).decode()}
    )
    made = own(Tournament).get()
    assert (made.system, made.tie_break_edition) == ("dutch_2017", "fide-2024")


def test_every_refusal_of_a_file_is_422(chief_arbiter: User, client: Client) -> None:
    """Also for htmx and programs, which look at the status and not at the sentence."""
    client.force_login(chief_arbiter)
    address = reverse("tournament-import")
    unreadable = b"001 no report file"
    confirmed = base64.b64encode(unreadable).decode()
    refused = {
        "nothing": {},
        "unreadable": {"file": SimpleUploadedFile("event.trf", unreadable)},
        "pasted": {"text": "001 no report file"},
        "confirmed": {"confirmed": confirmed},
        "again": {"confirmed": confirmed, "again": "1"},
        "rules": {"confirmed": confirmed, "system": "lim"},
        "no base64": {"confirmed": "é"},
    }
    statuses = {name: client.post(address, sent).status_code for name, sent in refused.items()}
    assert statuses == dict.fromkeys(refused, 422)
    assert not own(Tournament).exists()


def test_a_file_that_is_not_base64_is_refused(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)
    assert client.post(reverse("tournament-import"), {"confirmed": "é"}).status_code == 422


def test_an_import_says_that_it_uses_the_tie_breaks_of_the_file(
    chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    expected = "The file lists no tie-breaks (202, 212). These are used: BH/C1,BH,SB,DE,WIN."
    assert expected in page(client, DATED.replace("202 BH\n", ""))
    assert expected not in page(client, DATED)


def test_before_the_first_round_there_is_nothing_to_pair_again(
    chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    assert "paired again" not in page(client, report("142 5", player(1, "0.0")))


@pytest.mark.parametrize(
    "typed, shown",
    [
        ("2011", "2011"),
        ("2011/05/00", "2011/05"),
        ("2011/05/06", "6 May 2011"),
    ],
)
def test_a_birth_date_is_shown_as_far_as_it_is_known(
    typed: str, shown: str, ready: Tournament, client: Client
) -> None:
    client.force_login(ready.created_by)
    body = client.post(
        reverse("entries-import", args=[ready.slug]), {"text": f"Name;Birth\nNew, One;{typed}\n"}
    )
    assert f'<td class="hide-narrow muted">{shown}</td>' in body.content.decode()


def test_an_invalid_birth_date_is_shown_unchanged() -> None:
    assert [birth(text) for text in ("", "1985.2.30", "2011/13/45")] == [
        "",
        "1985.2.30",
        "2011/13/45",
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_columns_that_the_help_names_are_read(
    language: str, ready: Tournament, client: Client
) -> None:
    client.force_login(ready.created_by)
    url = reverse("entries-import", args=[ready.slug])
    help_of = client.get(url, headers={"Accept-Language": language}).content.decode()
    columns = help_of.partition('id="csv-help"')[2].partition("<code>")[2].partition("</code>")[0]
    values = "New, One;2000;FM;SUI;1234567;Club Two;f;2001"
    text = client.post(url, {"text": f"{columns}\n{values}\n"}).content.decode()
    assert "FM</span> New, One</th>" in text
    assert all(f">{value}</td>" in text for value in ("2000", "SUI", "1234567", "Club Two", "2001"))
    assert "notice draft" not in text


@pytest.mark.costly
def test_the_list_of_fide_belongs_to_another_page(
    chief_arbiter: User, client: Client, tournament: Tournament
) -> None:
    client.force_login(chief_arbiter)
    text = (
        "<?xml version='1.0'?><playerslist><player><fideid>88000001</fideid></player></playerslist>"
    )
    large = b"PK\x03\x04" + bytes(26) + b"players_list_xml_foa.xml" + bytes(1_500_000)
    uploads = [
        {"text": text},
        {"file": SimpleUploadedFile("list.xml", text.encode())},
        {"file": SimpleUploadedFile("players_list_xml.zip", large)},
        {"file": SimpleUploadedFile("list.xml", text.encode() + b" " * 1_500_000)},
    ]
    for url in (reverse("entries-import", args=[tournament.slug]), reverse("tournament-import")):
        for upload in uploads:
            answer = client.post(url, dict(upload))
            assert answer.status_code == 422
            assert (
                "A site administrator can load it on the page Rating lists"
                in answer.content.decode()
            )
            for file in upload.values():
                if not isinstance(file, str):
                    file.seek(0)
    other = client.post(url, {"file": SimpleUploadedFile("list.csv", b"x" * 1_500_001)})
    assert "at most 1.5 MB" in other.content.decode()
