"""The OpenAPI document of the headers that every write understands."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from .serializers import ErrorSerializer
from .writes import KEY_HEADER, LONGEST_KEY, UNSAFE

IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="The ETag of the state for which the request is meant; 412 if there is another by now.",
)
KEY = OpenApiParameter(
    KEY_HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": r"^[\x21-\x7e]+$"},
    OpenApiParameter.HEADER,
    description="A repetition with the same key and body gets the first answer again, for a day.",
)
CHANGED = OpenApiResponse(ErrorSerializer, description="`If-Match` names another state.")
OTHER_BODY = OpenApiResponse(
    ErrorSerializer, description="`Idempotency-Key` was used with another body."
)


class WriteSchema(AutoSchema):
    """Add the two headers and their refusals to each unsafe method."""

    def get_override_parameters(self) -> list[Any]:
        return [IF_MATCH, KEY] if self.method.lower() in UNSAFE else []

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        if self.method.lower() in UNSAFE:
            describe: Any = self._get_response_for_code
            for code, answer in {"412": CHANGED, "422": OTHER_BODY}.items():
                bodies[code] = describe(answer, code, direction=direction)
        return bodies
