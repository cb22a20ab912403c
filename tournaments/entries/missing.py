"""The arbiter's answers about missing players, before a round is paired [C.04.2/2026 4.1]."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.attendance import attendance
from pairing.rounds.facts import round_facts
from pairing.rules import check_in as policy
from pairing.rules.check_in import Answer
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, open_action, require
from tournaments.core.errors import BadInput
from tournaments.core.many_rows import save_fields
from tournaments.models import Entry, MissingAnswer
from tournaments.models.payload_data import AnsweredPlayer, Player
from tournaments.models.payloads import CheckInAnswered, EntryWithdrawn


def missing_answer(
    *,
    tournament_id: int,
    round_number: int,
    actor: User,
    now: datetime,
    answers: Mapping[int, str],
    confirmed: bool = False,
    reason: str = "",
) -> list[Entry]:
    """Save *answers* about missing players of *round_number*, and return these players.

    *answers* are values of :class:`~pairing.rules.check_in.Answer` by entry. An answer holds in
    every round until the player is checked in. Players who have been checked in, withdrawn or
    excused since are passed over; others who are missing keep their answers. Refused by
    :func:`~pairing.rules.check_in.may_answer`. All or none; one line of the record for each
    withdrawal, and one for all other answers.
    """
    chosen = {entry: _answer(value) for entry, value in answers.items()}
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        seen = attendance(tournament)
        absent = [entry for entry in seen.not_there if entry.pk in chosen]
        answered = {entry.pk: chosen[entry.pk] for entry in absent}
        skipped = [entry for entry in seen.skipped if entry.pk not in chosen]
        require(
            policy.may_answer(
                round_facts(tournament),
                round_number,
                list(answered.values()),
                due=seen.due + len(skipped),
                decides=permissions.may_decide(actor, tournament),
                confirmed=confirmed,
                others=len(skipped) + sum(entry.pk not in chosen for entry in seen.missing),
            )
        )
        article = policy.ARTICLE if round_number == 1 else "C.04.2 3.2"
        gone = [entry for entry in absent if answered[entry.pk] is Answer.WITHDRAW]
        for entry in gone:
            _withdraw(action, entry, round_number, article, reason)
        held = [
            entry
            for entry in absent
            if entry not in gone and entry.answer != answered[entry.pk].value
        ]
        if held:
            _hold(
                action,
                held,
                {entry.pk: answered[entry.pk].value for entry in held},
                round_number,
                reason,
            )
    return absent


def _answer(value: str) -> Answer:
    try:
        return Answer(value)
    except ValueError as error:
        expected = [each.value for each in Answer]
        raise BadInput(
            "check_in.consequence", field="answer", value=value, expected=expected
        ) from error


def _withdraw(action: OpenAction, entry: Entry, number: int, article: str, reason: str) -> None:
    about: Player = {"entry": entry.pk, "name": entry.name, "tpn": entry.tpn}
    before, entry.withdrawn_from = entry.withdrawn_from, number
    entry.save(update_fields=["withdrawn_from"])
    withdrawn = EntryWithdrawn(before={**about, "value": before}, after={**about, "value": number})
    action.record(withdrawn, article=article, reason=reason.strip(), changes_pairing=True)


def _hold(
    action: OpenAction, entries: list[Entry], values: Mapping[int, str], number: int, reason: str
) -> None:
    """Save the answers *values* about *entries*, which have others. One line of the record."""
    before, was_skipped = (
        _answered_players(entries),
        [entry for entry in entries if entry.answer == MissingAnswer.SKIP],
    )
    for entry in entries:
        entry.answer = values[entry.pk]
    save_fields(entries, ["answer"])
    skips = [entry for entry in entries if entry.answer == MissingAnswer.SKIP]
    action.record(
        CheckInAnswered(
            before={"players": before},
            after={"players": _answered_players(entries), "for_round": number},
        ),
        article=policy.ARTICLE,
        reason=reason.strip(),
        changes_pairing=bool(was_skipped or skips),
        is_public=False,
    )


def _answered_players(entries: Iterable[Entry]) -> list[AnsweredPlayer]:
    return [
        {"entry": one.pk, "tpn": one.tpn, "name": one.name, "answer": one.answer} for one in entries
    ]
