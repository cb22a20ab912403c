"""What the addresses for people with a role share: the tournament, the body and the refusals."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.request import Request

from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power, require_power
from tournaments.models import Tournament

from .errors import unknown_tournament
from .serializers import ErrorSerializer
from .views import MISSING, KnownQuery

FORBIDDEN: Final = OpenApiResponse(ErrorSerializer, description="Not for this reader.")
INVALID: Final = OpenApiResponse(
    ErrorSerializer, description="The request is not valid; params name the field."
)
CONFLICT: Final = OpenApiResponse(
    ErrorSerializer, description="A rule does not allow it, or somebody else was faster."
)
NOT_JSON: Final = OpenApiResponse(ErrorSerializer, description="Not application/json.")
REFUSALS: Final = {400: INVALID, 403: FORBIDDEN, 404: MISSING, 409: CONFLICT, 415: NOT_JSON}
"""The answers to a write that saves nothing."""


class ForPeople(KnownQuery):
    """Base: an address for people with a role, whose answers nobody on the way keeps."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers["Cache-Control"] = "private, no-store"
        return response


def tournament_for(request: Request, slug: str, *powers: Power) -> tuple[Tournament, User]:
    """Return the tournament in the address and the user;
    404, or ``PermissionDenied`` without one of *powers*.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise unknown_tournament(slug)
    user = request.user
    require_power(user, tournament, *powers)
    assert isinstance(user, User)
    return tournament, user


def checked_body(shape: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Return the body of *request* in *shape*; ``BadInput`` names the first field that is wrong."""
    form = shape(data=request.data)
    if not form.is_valid():
        name, problems = next(iter(form.errors.items()))
        raise BadInput("field.invalid", field=str(name), problem=" ".join(map(str, problems)))
    return dict(form.validated_data)
