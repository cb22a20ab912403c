"""Keep the people who viewed a draft, for the line of the record that ends it."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.rounds import RoundState
from tournaments.core.actions import lock_if_live
from tournaments.models import DraftView, Round
from tournaments.models.payload_round_data import ViewedDraft


def draft_viewed(round_: Round, person: User, now: datetime) -> None:
    """Note that *person* has opened the draft of *round_*;
    other rounds are ignored, and copies that were handed over.

    One query; the first time also the lock of the tournament and a second one.
    """
    if round_.state != RoundState.DRAFT or round_.paired_at is None:
        return
    view = DraftView(round=round_, paired_at=round_.paired_at, person=person, at=now)
    if not DraftView.objects.filter(round=round_, paired_at=view.paired_at, person=person).exists():
        with transaction.atomic():
            if lock_if_live(rounds=round_.pk) is not None:
                # Two requests of one person may come here together.
                DraftView.objects.bulk_create([view], ignore_conflicts=True)


def viewed_draft(round_: Round) -> ViewedDraft:
    """Return those who have viewed the draft of *round_*, in order, for the record. One query.

    Empty if nobody has, or if the round is not a draft.
    """
    if round_.state != RoundState.DRAFT or round_.paired_at is None:
        return {}
    views = DraftView.objects.filter(round=round_, paired_at=round_.paired_at).select_related(
        "person"
    )
    rows = list(views.order_by("pk"))
    if not rows:
        return {}
    return {
        "viewed_by": [view.person.get_full_name() or view.person.get_username() for view in rows],
        "views": [{"person": view.person_id, "at": view.at.isoformat()} for view in rows],
    }
