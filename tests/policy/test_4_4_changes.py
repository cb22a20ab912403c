"""C.04.2 4.4: published pairings change in five situations, no further than needed,
by the Chief Arbiter alone.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.change_page import changeable
from pairing.rounds.changes import round_change
from pairing.rounds.corrections import Report, rating_correct
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import round_publish
from pairing.rules.published import Situation
from tests.policy.refusals import NOT_THEIRS, page_refuses, refused
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    cached,
    entry_of,
    make_ready,
    page_versions,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.web.test_shown_values import opened
from tournaments.entries.entries import entry_add
from tournaments.models import Round, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update

WHY: Final = "so the deputy says"


def by(actor: User, **more: Any) -> dict[str, Any]:
    return {"actor": actor, "now": NOW, **more}


def pairings(tournament: Tournament, text: str, **letters: str) -> Pairings:
    """Return ``"1-2 3-4"`` by TPN; ``U="5"`` is a bye."""
    pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
    pairs = (pair.split("-") for pair in text.split())
    return Pairings(
        {n: (pk[int(white)], pk[int(black)]) for n, (white, black) in enumerate(pairs, start=1)},
        {pk[int(tpn)]: letter for letter, all_ in letters.items() for tpn in all_.split()},
    )


def change(
    tournament: Tournament, number: int, situation: Situation, to: Pairings, **more: Any
) -> object:
    given: dict[str, Any] = {
        "consents": (),
        "witness": "Wilma Witness",
        "reason": WHY,
        "now": NOW,
    } | more
    row = round_of(tournament, number)
    return round_change(round_id=row.pk, situation=situation, pairings=to, **given)


@pytest.fixture
def meeting_again(chief_arbiter: User) -> Round:
    """Return the draft of round 2 of eight players, in which 1 and 5 meet again by mistake."""
    tournament = make_ready(chief_arbiter)
    play_rounds(tournament, [1], chief_arbiter)
    draft = round_pair(round_id=round_of(tournament, 2).pk, **by(chief_arbiter))
    again = pairings(tournament, "5-1 2-3 4-6 7-8")
    round_arrange(round_id=draft.pk, pairings=again, reason="by mistake", **by(chief_arbiter))
    return draft


@pytest.fixture
def repeated(meeting_again: Round, chief_arbiter: User) -> Tournament:
    """Return the event with this round published."""
    round_publish(round_id=meeting_again.pk, leave_fide_mode=True, **by(chief_arbiter))
    return Tournament.objects.get(pk=meeting_again.tournament_id)


@pytest.fixture
@cached
def clause(chief_arbiter: User) -> Tournament:
    """Seven players, any change allowed by the regulations;
    7 had the bye of round 1, round 2 is published.
    """
    tournament = make_ready(chief_arbiter, players=7, change_clause="7.3")
    play_rounds(tournament, [1], chief_arbiter)
    pair_and_publish(tournament, 2, chief_arbiter)
    assert byes(tournament, 1) == {7: "U"}
    return tournament


def as_text(tournament: Tournament, **other: str) -> str:
    """Return round 2, with other pairs for the boards of the White players named: ``w5="5-3"``."""
    return " ".join(
        other.get(f"w{white}", f"{white}-{black}") for white, black, _ in boards(tournament, 2)
    )


@pytest.mark.costly
@pytest.mark.parametrize("situation", [each for each in Situation if each.value.startswith("4.4.")])
def test_c04_2_4_4_a_deputy_changes_no_published_pairings(
    situation: Situation, repeated: Tournament, deputy: User, as_deputy: Client
) -> None:
    to = pairings(repeated, as_text(repeated, w5="5-3", w2="2-1"))
    refused(lambda: change(repeated, 2, situation, to, actor=deputy), NOT_THEIRS)
    url = reverse("round-change", args=[repeated.slug, 2]) + f"?situation={situation.value}&b=1&b=2"
    seats = {
        f"{side}-{n}": pk
        for n, pair in to.boards.items()
        for side, pk in zip("wb", pair, strict=True)
    }
    form = {**seats, "left": "Z", "reason": WHY, "save": "yes", "version": repeated.version}
    page_refuses(as_deputy, url, form, 403, says="Only the Chief Arbiter")


@pytest.mark.costly
def test_c04_1_2_players_who_have_met_are_published_by_the_chief_arbiter_after_two_questions(
    meeting_again: Round, chief_arbiter: User, deputy: User, as_deputy: Client
) -> None:
    article = "C.04.1 2, 4"
    row: dict[str, Any] = {"round_id": meeting_again.pk}
    decides = f"fide_mode.chief_arbiter_decides {article}"
    refused(lambda: round_publish(**row, leave_fide_mode=True, **by(deputy)), decides)
    refused(lambda: round_publish(**row, **by(chief_arbiter)), f"fide_mode.confirm {article}")
    tournament = meeting_again.tournament
    form = {**page_versions(tournament, 2), "leave_fide_mode": "yes"}
    page_refuses(as_deputy, reverse("round-publish", args=[tournament.slug, 2]), form, 409, article)


def test_c04_2_4_4_nothing_else_touches_a_published_round(
    published_round: Round, chief_arbiter: User
) -> None:
    """Neither discarding, nor pairing again, nor arranging the draft that it was."""
    row, tournament = published_round, published_round.tournament
    published = "round.already_published C.04.2 4.4"
    refused(lambda: round_unpair(round_id=row.pk, **by(chief_arbiter)), published)
    refused(lambda: round_pair(round_id=row.pk, **by(chief_arbiter)), published)
    refused(lambda: round_publish(round_id=row.pk, **by(chief_arbiter)), published)
    to = pairings(tournament, "1-2 3-4 5-6 7-8")
    refused(
        lambda: round_arrange(round_id=row.pk, pairings=to, reason=WHY, **by(chief_arbiter)),
        published,
    )


@pytest.mark.costly
def test_c04_2_4_4_1_one_repeated_pair_opens_no_other_boards(
    repeated: Tournament, chief_arbiter: User
) -> None:
    wide = pairings(repeated, as_text(repeated, w5="5-3", w2="8-1", w7="2-7"))
    given: dict[str, Any] = {"situation": Situation.ALREADY_MET, "to": wide, "actor": chief_arbiter}
    for further in ("", " . "):
        refused(
            lambda: change(repeated, 2, **given, further=further),  # noqa: B023
            "change.not_minimal C.04.2 4.4.1",
        )
    narrow = pairings(repeated, as_text(repeated, w5="5-3", w2="2-1"))
    given |= {"to": narrow}
    refused(lambda: change(repeated, 2, **given, reason="."), "change.reason_missing")
    refused(
        lambda: change(repeated, 2, **given, seen_version=repeated.version - 1), "change.moved_on"
    )
    numbers = {white: str(n) for n, (white, _, _) in enumerate(boards(repeated, 2), start=1)}
    change(repeated, 2, **given)
    line = repeated.decisions.latest("sequence")
    assert line.after["boards"].keys() == {numbers[5], numbers[2]}  # type: ignore[attr-defined]


def test_c04_2_4_4_1_games_in_progress_are_stopped_only_with_a_confirmation(
    repeated: Tournament, chief_arbiter: User
) -> None:
    row, start = round_of(repeated, 2), NOW + timedelta(minutes=10)
    round_schedule(
        round_id=row.pk,
        starts_at=start,
        results_due_at=None,
        reason="the hall opened late",
        **by(chief_arbiter),
    )
    narrow = pairings(repeated, as_text(repeated, w5="5-3", w2="2-1"))
    given: dict[str, Any] = {
        "situation": Situation.ALREADY_MET,
        "to": narrow,
        "actor": chief_arbiter,
        "now": start,
    }
    refused(lambda: change(repeated, 2, **given), "change.confirm_start C.04.2 4.4.1")
    change(repeated, 2, **given, started=True)
    assert repeated.decisions.latest("sequence").after["started"]


def test_c04_2_4_4_2_no_regulation_sends_players_home_or_gives_a_second_bye(
    clause: Tournament, chief_arbiter: User
) -> None:
    (holder,) = byes(clause, 2)
    (white, black, _), *_ = boards(clause, 2)
    home = pairings(clause, as_text(clause).partition(" ")[2], U=str(holder), Z=f"{white} {black}")
    moved = Pairings({n + 1: pair for n, pair in home.boards.items()}, home.byes)
    given: dict[str, Any] = {"situation": Situation.REGULATIONS, "actor": chief_arbiter}
    refused(lambda: change(clause, 2, **given, to=moved), "change.sent_home C.04.2 4.4")
    with_7 = next(f"{w}-{b}" for w, b, _ in boards(clause, 2) if 7 in (w, b))
    side = as_text(clause).replace(
        with_7, "-".join(str(holder) if n == "7" else n for n in with_7.split("-"))
    )
    second = pairings(clause, side, U="7")
    refused(lambda: change(clause, 2, **given, to=second), "change.second_bye C.04.1 4")


@pytest.mark.costly
def test_c04_2_4_4_2_no_board_changes_two_hours_after_the_start(
    clause: Tournament, chief_arbiter: User
) -> None:
    (white, black, _), *_ = boards(clause, 2)
    (holder,) = byes(clause, 2)
    row, start = round_of(clause, 2), NOW + timedelta(minutes=10)
    round_schedule(
        round_id=row.pk,
        starts_at=start,
        results_due_at=None,
        reason="the hall opened late",
        **by(chief_arbiter),
    )
    to = pairings(clause, as_text(clause, **{f"w{white}": f"{black}-{white}"}), U=str(holder))
    given: dict[str, Any] = {"situation": Situation.REGULATIONS, "to": to, "actor": chief_arbiter}
    later = start + timedelta(hours=2)
    refused(lambda: change(clause, 2, **given, now=later), "change.begun C.04.2 4.4.2")


def test_c04_2_4_4_2_a_clause_is_not_written_when_it_is_needed(
    published_round: Round, chief_arbiter: User, deputy: User
) -> None:
    tournament = published_round.tournament
    to = pairings(tournament, "5-1 6-2 3-7 8-4")
    given: dict[str, Any] = {"situation": Situation.REGULATIONS, "to": to, "actor": chief_arbiter}
    refused(lambda: change(tournament, 1, **given), "change.no_clause C.04.2 4.4.2")
    for actor in (deputy, chief_arbiter):
        write: dict[str, Any] = {
            "tournament_id": tournament.pk,
            "change_clause": "7.3",
            "reason": WHY,
            **by(actor),
        }
        refused(lambda: tournament_update(**write), "tournament.begun C.04.2 4.4.2")  # noqa: B023


@pytest.mark.costly
def test_c04_2_4_4_4_no_late_entry_without_the_consents(chief_arbiter: User, deputy: User) -> None:
    tournament = make_ready(chief_arbiter, players=7)
    pair_and_publish(tournament, 1, chief_arbiter)
    late = entry_add(tournament_id=tournament.pk, name="Late, Lena", checked_in=True, **by(deputy))
    assert boards(tournament, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, "")]
    given: dict[str, Any] = {"situation": Situation.LATE_ENTRY, "actor": chief_arbiter}
    given |= {"to": pairings(tournament, "1-4 5-2 3-6 7-8")}
    for consents in ((), (late.pk,)):
        refused(
            lambda: change(tournament, 1, **given, consents=consents),  # noqa: B023
            "change.consent_missing C.04.2 4.4.4",
        )
    change(tournament, 1, **given, consents=(late.pk, entry_of(tournament, 7).pk))
    line = tournament.decisions.latest("sequence")
    consents = line.after["consents"]
    assert isinstance(consents, list)
    assert [each["name"] for each in consents] == [entry_of(tournament, 7).name, "Late, Lena"]
    assert {each["witness"] for each in consents} == {"Wilma Witness"}
    assert line.actor == chief_arbiter


@pytest.mark.costly
def test_c04_2_4_4_5_top_boards_are_named_before_the_last_draft(
    chief_arbiter: User, deputy: User, as_deputy: Client
) -> None:
    tournament = make_ready(chief_arbiter, rounds=2)
    url = reverse("tournament-edit", args=[tournament.slug])
    play_rounds(tournament, [1], chief_arbiter)
    named: dict[str, Any] = {"tournament_id": tournament.pk, "top_boards": 50}
    code = "tournament.chief_arbiter_declares C.04.2 4.4.5"
    refused(lambda: tournament_update(**named, reason=WHY, **by(deputy)), code)
    page_refuses(
        as_deputy,
        url,
        opened(as_deputy, url) | {"top_boards": "50", "reason": WHY},
        422,
        "C.04.2 4.4.5",
    )
    for reason in ("", ".", " - "):
        empty: dict[str, Any] = {**named, "reason": reason, **by(chief_arbiter)}
        refused(lambda: tournament_update(**empty), "tournament.top_boards_reason")  # noqa: B023
    round_pair(round_id=round_of(tournament, 2).pk, **by(deputy))
    round_unpair(round_id=round_of(tournament, 2).pk, **by(deputy))
    given: dict[str, Any] = {**named, "reason": WHY, **by(chief_arbiter)}
    refused(lambda: tournament_update(**given), "tournament.last_round C.04.2 4.4.5")


@pytest.mark.costly
def test_c04_3_pre2017_f7_a_rating_by_one_point_opens_no_boards(chief_arbiter: User) -> None:
    """The correction of the last seed does not change the engine's pairing,
    so no board may change.
    """
    tournament = make_ready(chief_arbiter, system="dutch_pre2017")
    play_rounds(tournament, [1], chief_arbiter)
    pair_and_publish(tournament, 2, chief_arbiter)
    last = entry_of(tournament, 8)
    rating = {"fide_rating": (last.fide_rating or 0) + 1}
    report = Report(reported_at=NOW, reason="the list says so")
    rating_correct(entry_id=last.pk, ratings=rating, report=report, **by(chief_arbiter))
    assert changeable(tournament, round_of(tournament, 2), at=NOW)[0].follows is None
    (a, b, _), (c, d, _), *_ = boards(tournament, 2)
    to = pairings(tournament, as_text(tournament, **{f"w{a}": f"{a}-{d}", f"w{c}": f"{c}-{b}"}))
    given: dict[str, Any] = {"situation": Situation.CORRECTION, "to": to, "actor": chief_arbiter}
    refused(lambda: change(tournament, 2, **given), "change.nothing_follows C.04.3 F7")
