"""The WSGI application that tournaments/site/server.py serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.metrics import of_this_server
from config.request_log import AccessLog, Observer, RequestLog


def observers() -> list[Observer]:
    """Return what the settings switch on."""
    found: list[Observer] = []
    if settings.ACCESS_LOG != "no":
        found.append(
            AccessLog(
                trust_proxy=settings.TRUST_PROXY, whole_addresses=settings.ACCESS_LOG == "whole"
            )
        )
    if (metrics := of_this_server()) is not None:
        found.append(metrics.observe)
    return found


application = RequestLog(
    get_wsgi_application(), trust_proxy=settings.TRUST_PROXY, observers=observers()
)
