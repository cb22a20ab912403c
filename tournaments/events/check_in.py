"""Open and close the check-in of several sections at once [C.04.2/2026 4.1]."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.errors import BadInput
from tournaments.entries.check_in import check_in_close, check_in_open
from tournaments.models import Event, Section


def check_ins_switch(
    *, event: Event, seen: Mapping[int, int], opens: bool, actor: User, now: datetime
) -> None:
    """Open or close the check-in of the tournaments *seen*,
    each with the version that the page showed: all or none.

    They are locked in the order of their ids. Refused as
    :func:`~tournaments.entries.check_in.check_in_open` and ``check_in_close`` are; ``BadInput`` for
    a tournament of another event, and without any.
    """
    sections = set(Section.objects.filter(event=event).values_list("tournament_id", flat=True))
    if not seen or not sections.issuperset(seen):
        raise BadInput("section.unknown", field="open")
    change = check_in_open if opens else check_in_close
    with transaction.atomic():
        for pk in sorted(seen):
            change(tournament_id=pk, actor=actor, now=now, seen_version=seen[pk])
