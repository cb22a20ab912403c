"""``/metrics`` for Prometheus: requests of all processes, the database,
the copies and the disk. Off by default.

Only addresses in ``SWISS_METRICS_FROM`` and requests with the token ``SWISS_METRICS_TOKEN`` read
it; for everybody else there is no such page.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from ipaddress import ip_address
from secrets import compare_digest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.health import trial
from config.metrics import of_this_server
from config.middleware import visitor_address
from tournaments.site.backups import state as copies

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the numbers; 404 for everybody who may not read them."""
    if not may_read(request):
        raise Http404
    counted = of_this_server()
    lines = (*(counted.lines() if counted else ()), *_of_the_site())
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type=CONTENT_TYPE)


def may_read(request: HttpRequest) -> bool:
    """Return whether the request comes from a listed address or has the token."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ").encode()
    if settings.METRICS_TOKEN and compare_digest(given, settings.METRICS_TOKEN.encode()):
        return True
    address = visitor_address(request)
    return address is not None and any(
        ip_address(address) in network for network in settings.METRICS_FROM
    )


def _of_the_site() -> Iterator[str]:
    state = copies.read()
    failing = bool(state.problem) + bool(state.second_problem)
    disk = shutil.disk_usage(settings.DATA_DIR)
    for name, about, value in (
        (
            "swiss_ready",
            "1 if the database can be written, as /readyz says",
            int(not trial.problem()),
        ),
        (
            "swiss_last_copy_seconds",
            "Time of the newest copy, 0: none",
            state.last.timestamp() if state.last else 0,
        ),
        ("swiss_copies_failing", "How many of copy and second folder failed", failing),
        ("swiss_disk_free_bytes", "Free on the disk of the data folder", disk.free),
    ):
        yield f"# HELP {name} {about}"
        yield f"# TYPE {name} gauge"
        yield f"{name} {value:.0f}"
    yield "# HELP swiss_version The version of the program"
    yield "# TYPE swiss_version gauge"
    yield f'swiss_version{{version="{settings.VERSION}"}} 1'
