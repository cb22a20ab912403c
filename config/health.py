"""Whether the program is able to work, for those who watch over it."""

import logging

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)


@require_safe
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """200 ``ok`` when the database answers; 503 when it does not (the log says why)."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        logger.exception("the database does not answer")
        return HttpResponse("the database does not answer\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")
