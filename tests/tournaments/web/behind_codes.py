"""What a visitor reads behind codes and links: short address, tables, kiosk, the logo, the link to
the next event, and the e-mails with the own board.
"""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, override_settings
from django.urls import reverse

from pairing.rounds.table_codes import KIOSK, code_of, codes_of, players_reports_open
from tests.tournaments import factories, long_work
from tests.tournaments.pictures import png
from tournaments.core import jobs
from tournaments.core.short_address import short_code
from tournaments.models import Entry, PairingMail, Tournament
from tournaments.setup.logo import logo_set
from tournaments.web.pairing_mail.links import end_path
from tournaments.web.pairing_mail.sending import JOB

MAIL = {"EMAIL_HOST": "mail.example.org", "PUBLIC_ADDRESS": "https://chess.example.org"}


def prepare(tournament: Tournament, actor: User, *, of: Entry) -> Tournament:
    """Give *tournament* a logo and codes of tables, and let the player *of* get e-mails."""
    by = {"tournament_id": tournament.pk, "actor": actor, "now": factories.NOW}
    logo_set(data=png(), **by)  # type: ignore[arg-type]
    players_reports_open(secret="not-a-real-secret", **by)  # type: ignore[arg-type]
    PairingMail.objects.create(entry=of, email="own@example.org", language="en")
    return Tournament.objects.get(pk=tournament.pk)


def read_behind_codes(
    client: Client, tournament: Tournament, tables: int, *searched: str
) -> dict[str, str]:
    """Return by name what a visitor reads of the prepared *tournament*, with the addresses that
    redirects lead to; the kiosk is asked for the names *searched* too.
    """
    slug, codes = tournament.slug, codes_of(tournament)
    kiosk = reverse("kiosk", args=[slug, code_of(codes, KIOSK)])
    found = {
        "short address": reverse("short-address", args=[short_code(tournament)]),
        "next event": reverse("next-event", args=[slug]),
        "logo": reverse("logo", args=[slug, tournament.logo]),
        "kiosk": kiosk,
        **{f"kiosk, searched {name}": f"{kiosk}?q={name}" for name in searched},
    }
    for number in range(1, tables + 1):
        args = [slug, number, code_of(codes, number)]
        found[f"kiosk {number}"] = f"{kiosk}{number}/"
        found[f"table {number}"] = reverse("table-report", args=args)
        found[f"mistake {number}"] = reverse("table-mistake", args=args)
    with suppress(PairingMail.DoesNotExist):
        found["link of the e-mails"] = end_path(
            PairingMail.objects.get(email="own@example.org", entry__tournament=tournament)
        )
    with override_settings(**MAIL):
        texts = {name: _text(client, url) for name, url in found.items()}
        return texts | {"e-mails": _sent(tournament)}


def _text(client: Client, url: str) -> str:
    answer = client.get(url, follow=True)
    assert answer.status_code in (200, 404), url
    where = [address for address, _status in answer.redirect_chain]
    return " ".join([*where, str(answer.headers), answer.content.decode("utf-8", "replace")])


def _sent(tournament: Tournament) -> str:
    """Return the e-mails that are due now, without the addresses they go to."""
    assert settings.EMAIL_HOST
    mail.outbox.clear()
    jobs.enqueue(JOB, str(tournament.pk))
    long_work.do(JOB, tournament.pk)
    return "\n".join(f"{each.subject}\n{each.body}\n{each.extra_headers}" for each in mail.outbox)
