"""Views of the whole site, without a tournament."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.views.decorators.http import require_safe

YEAR = 365 * 24 * 3600


@require_safe
def language(request: HttpRequest, code: str) -> HttpResponse:
    """Store the reader's language and go back.

    It is a plain link, so that public pages need no form token.
    """
    if code not in dict(settings.LANGUAGES) or not check_for_language(code):
        raise Http404
    back = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        back = "/"
    response = HttpResponseRedirect(back)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=YEAR,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )
    return response
