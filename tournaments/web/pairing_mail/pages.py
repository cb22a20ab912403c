"""The page behind the link of an e-mail with pairings: it ends these e-mails."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tournaments.models import PairingMail
from tournaments.web.access import private
from tournaments.web.pairing_mail.links import mail_of


# A mail program posts by itself when its button is clicked (RFC 8058), without our form: the
# address is the secret, and a visit alone, such as that of a scanner of links, ends nothing.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def pairing_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether the e-mails shall end; POST ends them and deletes the address.

    404 for a link whose e-mails have ended already.
    """
    mail = mail_of(token)
    if mail is None:
        return private(render(request, "registrations/mails_ended.html", status=404))
    if request.method != "POST":
        return private(render(request, "registrations/mails.html", {"mail": mail}))
    PairingMail.objects.filter(pk=mail.pk).delete()
    context = {"tournament": mail.entry.tournament}
    return private(render(request, "registrations/mails_ended.html", context))
