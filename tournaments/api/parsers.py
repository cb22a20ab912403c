"""The body of a request as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class NestedJSONParser(JSONParser):
    """Parse JSON; a body nested more deeply than Python can
    follow is a fault of the sender (400).
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError(
                _("The request is not valid JSON: %(problem)s") % {"problem": error}
            ) from error
