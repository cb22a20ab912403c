"""The check-in and the answers about missing players, for the independent
reading of a record in ``replay.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tournaments.models import Decision

if TYPE_CHECKING:
    from .replay import Replay


WHILE_FINAL: Final = ("standings.reopened", "person.removed", "data.deleted")
"""Actions on players and people that are possible while the standings are final."""


def data_deleted(replay: Replay, row: Decision) -> None:
    for pk, entry in replay.contents.entries.items():
        if row.after["entry"] in (None, pk):
            entry |= {"birth_date": "", "full_name": "", "checked_in": False, "answer": ""}
            entry |= {"fide_id": None} if pk in row.after["fide_ids"] else {}


def ticked(replay: Replay, row: Decision) -> None:
    entry = replay.contents.entries[row.after["entry"]]
    assert entry["checked_in"] is (row.action == "entry.checked_out")
    entry["checked_in"] = not entry["checked_in"]
    if entry["checked_in"]:
        assert entry["answer"] == row.before.get("answer", "")
        entry["answer"] = ""


def all_ticked(replay: Replay, row: Decision) -> None:
    for each in row.after["players"]:
        entry = replay.contents.entries[each["entry"]]
        assert (entry["checked_in"], entry["answer"]) == (False, "")
        entry["checked_in"] = True


def check_in_opened(replay: Replay, row: Decision) -> None:
    number = row.after["for_round"]
    if replay.contents.check_in[0] not in (None, number):
        for entry in replay.contents.entries.values():
            entry["checked_in"] = False
    replay.contents.check_in = (number, True)


def check_in_closed(replay: Replay, row: Decision) -> None:
    replay.contents.check_in = (row.after["for_round"], False)


def settled(replay: Replay, row: Decision) -> None:
    number = row.after["for_round"]
    replay.require_unpublished(number)
    for missing in row.after["missing"]:
        pk = missing["entry"]
        assert not replay.contents.entries[pk]["checked_in"]
        assert replay.contents.takes_part(pk, number)
        assert (pk, number) not in replay.contents.byes_requested
        if row.after["consequence"] == "paired":
            replay.contents.entries[pk]["checked_in"] = True
        elif row.after["consequence"] == "excluded":
            replay.contents.entries[pk]["withdrawn_from"] = number
        else:
            replay.contents.byes_requested[pk, number] = row.after["consequence"]


def answered(replay: Replay, row: Decision) -> None:
    replay.require_unpublished(row.after["for_round"])
    for before, after in zip(row.before["players"], row.after["players"], strict=True):
        entry = replay.contents.entries[after["entry"]]
        assert (entry["answer"], entry["checked_in"]) == (before["answer"], False)
        entry["answer"] = after["answer"]


def require_all_there(replay: Replay, row: Decision) -> None:
    """Check that no player missing at the check-in and no late
    entry who has not arrived is paired.
    """
    number = row.round_number or 0
    earlier = [kept for n, kept in replay.contents.rounds.items() if n < number]
    played = {pk for kept in earlier for pk in replay.to_play(kept)}
    for pk in [pk for pk in replay.contents.entries if replay.contents.takes_part(pk, number)]:
        entry = replay.contents.entries[pk]
        if (pk, number) not in replay.contents.byes_requested and not entry["checked_in"]:
            left_out = {replay.contents.by_tpn(tpn) for tpn in row.after["not_paired"]}
            assert (pk in left_out) is (entry["answer"] == "skip")
            assert replay.contents.check_in[0] is None or entry["answer"] in ("skip", "coming")
            if pk in left_out:
                continue
            assert entry["first_round"] == 1 or pk in played
