"""*Pair* asks about each missing player; the answer holds until
the player is checked in [C.04.2/2026 4.1].
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.record.engine import pair_again
from pairing.rounds.attendance import attendance
from pairing.rounds.new_opponent import opponent_give
from pairing.rounds.pair import is_stale, round_pair
from pairing.rounds.snapshot import skipped
from tests.tournaments.factories import (
    NOW,
    byes,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import listed
from tournaments.core.record import lines_of
from tournaments.desk.desk import desk
from tournaments.desk.undo import action_undo
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import entry_check_in
from tournaments.entries.missing import missing_answer
from tournaments.models import Decision, Entry, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.reports.record_file import record_file

pytestmark = pytest.mark.django_db


def check_in_all_but(tournament: Tournament, actor: User, *missing: int) -> None:
    """Open the check-in and check in everybody but the numbers *missing*."""
    check_in_open(tournament_id=tournament.pk, actor=actor, now=NOW)
    for entry in Entry.objects.filter(tournament=tournament).exclude(tpn__in=missing):
        entry_check_in(entry_id=entry.pk, actor=actor, now=NOW, checked_in=True)
    tournament.refresh_from_db()


def answer(
    tournament: Tournament, actor: User, number: int = 1, **answers: str
) -> list[int | None]:
    """Answer about the players ``p3="skip"`` and so on."""
    given = {entry_of(tournament, int(name[1:])).pk: value for name, value in answers.items()}
    found = missing_answer(
        tournament_id=tournament.pk,
        round_number=number,
        actor=actor,
        now=NOW,
        answers=given,
        confirmed=True,
    )
    tournament.refresh_from_db()
    return [entry.tpn for entry in found]


def playing(tournament: Tournament, number: int) -> set[int | None]:
    seats = round_of(tournament, number).seats.filter(game__isnull=False)
    return set(seats.values_list("entry__tpn", flat=True))


@pytest.mark.costly
def test_c04_2_4_1_each_missing_player_has_an_own_answer(
    ready: Tournament, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2, 3, 5)
    with pytest.raises(RuleRefused) as refused:
        round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    assert refused.value.code == "check_in.unsettled"
    assert answer(ready, chief_arbiter, p2="skip", p3="withdraw", p5="coming") == [2, 3, 5]
    pair_and_publish(ready, 1, chief_arbiter)
    assert playing(ready, 1) == {1, 4, 5, 6, 7, 8}
    assert byes(ready, 1) == {2: "Z", 3: "Z"}
    actions = list(
        Decision.objects.filter(tournament=ready).values_list("action", "article", "is_public")
    )
    assert ("entry.withdrawn", "C.04.2 4.1", True) in actions
    assert ("check_in.answered", "C.04.2 4.1", False) in actions
    assert differences(ready) == []


@pytest.mark.costly
def test_d10_the_answer_holds_in_every_round_until_the_player_is_checked_in(
    ready: Tournament, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2, 5)
    answer(ready, chief_arbiter, p2="skip", p5="coming")
    play_rounds(ready, [1, 2], chief_arbiter)
    assert [2 in playing(ready, number) for number in (1, 2)] == [False, False]
    seen = desk(tournament_frame(ready, runs=True))
    assert (seen.expected, [absence.name for absence in seen.absences], seen.not_checked_in) == (
        7,
        [entry_of(ready, 2).name],
        0,
    )
    round_pair(round_id=round_of(ready, 3).pk, actor=chief_arbiter, now=NOW)
    ready.refresh_from_db()
    entry_check_in(entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW, checked_in=True)
    ready.refresh_from_db()
    assert is_stale(round_of(ready, 3), ready)
    assert entry_of(ready, 2).answer == ""
    round_pair(round_id=round_of(ready, 3).pk, actor=chief_arbiter, now=NOW)
    assert 2 in playing(ready, 3)
    # The pairings of earlier rounds are still explained as they were made.
    assert [skipped(ready, number) for number in (1, 2, 3)] == [{entry_of(ready, 2).pk}] * 2 + [
        frozenset()
    ]
    assert differences(ready) == []
    assert pair_again(lines_of(ready, private=True)).differences == []


def test_c04_2_4_1_who_is_checked_in_meanwhile_is_passed_over(
    ready: Tournament, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2)
    lines = own(Decision).count()
    assert answer(ready, chief_arbiter, p1="withdraw") == []
    assert own(Decision).count() == lines
    assert entry_of(ready, 1).withdrawn_from is None
    answer(ready, chief_arbiter, p2="skip")
    lines = own(Decision).count()
    answer(ready, chief_arbiter, p2="skip")  # twice
    assert own(Decision).count() == lines


@pytest.mark.costly
def test_c04_2_4_1_only_the_chief_arbiter_decides_otherwise(
    ready: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2)
    for value in ("skip", "coming"):
        with pytest.raises(RuleRefused) as refused:
            answer(ready, deputy, p2=value)
        assert refused.value.code == "check_in.chief_arbiter_decides"
    with pytest.raises(PermissionDenied):
        answer(ready, stranger, p2="withdraw")
    with pytest.raises(BadInput):
        answer(ready, deputy, p2="perhaps")
    assert answer(ready, deputy, p2="withdraw") == [2]


def test_c04_2_4_1_more_than_a_fifth_needs_a_confirmation(
    ready: Tournament, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2, 3)
    given = {entry_of(ready, tpn).pk: "skip" for tpn in (2, 3)}
    with pytest.raises(RuleRefused) as refused:
        missing_answer(
            tournament_id=ready.pk, round_number=1, actor=chief_arbiter, now=NOW, answers=given
        )
    assert refused.value.code == "check_in.ask_again"


@pytest.mark.costly
def test_an_answer_and_the_check_in_after_it_are_undone(
    ready: Tournament, chief_arbiter: User
) -> None:
    def undo() -> None:
        last = Decision.objects.filter(tournament=ready).latest("sequence")
        action_undo(tournament_id=ready.pk, actor=chief_arbiter, now=NOW, sequence=last.sequence)

    check_in_all_but(ready, chief_arbiter, 2)
    answer(ready, chief_arbiter, p2="skip")
    entry_check_in(entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW, checked_in=True)
    undo()
    assert (entry_of(ready, 2).answer, entry_of(ready, 2).checked_in) == ("skip", False)
    assert differences(ready) == []
    answer(ready, chief_arbiter, p2="coming")
    undo()
    assert entry_of(ready, 2).answer == "skip"
    assert differences(ready) == []


@pytest.mark.costly
def test_visitors_never_read_an_answer_and_can_check_the_pairings(
    ready: Tournament, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2)
    ready.refresh_from_db()
    before = ready.public_version
    answer(ready, chief_arbiter, p2="skip")
    assert ready.public_version == before
    play_rounds(ready, [1], chief_arbiter)
    ready.refresh_from_db()
    text = "".join(record_file(tournament_frame(ready, runs=False)))
    assert "round.paired" in text
    assert "check_in.answered" not in text


@pytest.mark.costly
def test_c04_2_3_1_the_page_asks_about_older_adjourned_games_too(
    chief_arbiter: User, client: Client
) -> None:
    tournament = make_ready(chief_arbiter, rounds=4)
    play_rounds(
        tournament, [1], chief_arbiter, lambda board, white, black: "??" if board == 2 else "10"
    )
    play_rounds(tournament, [2], chief_arbiter)
    check_in_all_but(tournament, chief_arbiter, 2)
    client.force_login(chief_arbiter)
    url = reverse("round-missing", args=[tournament.slug, 3])
    assert "count as draws once more: 1/2" in client.get(url).content.decode()
    entry = entry_of(tournament, 2).pk
    form = {"pair": "yes", "entry-1": entry, f"answer-{entry}": "skip", "confirmed": "yes"}
    assert client.post(url, form).status_code == 409
    done = client.post(url, form | {"older_open": "yes"})
    assert done.headers["Location"] == reverse("round", args=[tournament.slug, 3])


def test_the_page_saves_the_answers_and_pairs(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2, 4)
    client.force_login(chief_arbiter)
    url = reverse("round-missing", args=[ready.slug, 1])
    form: dict[str, object] = {"pair": "yes"}
    for place, tpn in enumerate((2, 4), start=1):
        form |= {
            f"entry-{place}": entry_of(ready, tpn).pk,
            f"answer-{entry_of(ready, tpn).pk}": "skip",
        }
    response = client.post(url, form)
    assert response.status_code == 409
    assert "2 of 8 players would not be paired." in response.content.decode()
    done = client.post(url, form | {"confirmed": "yes"})
    assert done.headers["Location"] == reverse("round", args=[ready.slug, 1])
    assert playing(ready, 1) == {1, 3, 5, 6, 7, 8}
    assert attendance(ready).missing == ()
    assert client.post(url, {"entry-1": "x"}).status_code == 422


@pytest.mark.costly
def test_the_page_pairs_only_when_there_are_numbers(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    check_in_all_but(ready, chief_arbiter, 2, 4)
    client.force_login(chief_arbiter)
    url = reverse("round-missing", args=[ready.slug, 1])
    pairs, numbers = 'name="pair"', reverse("start", args=[ready.slug])
    text = client.get(url).content.decode()
    assert (pairs in text, numbers in text) == (True, False)
    ready.entries.update(tpn=None)
    text = client.get(url).content.decode()
    assert (pairs in text, numbers in text) == (False, True)


def test_long_lists_of_names_are_shortened() -> None:
    names = [f"Grau, Player {number}" for number in range(1, 15)]
    assert listed(names[:2]) == "Grau, Player 1; Grau, Player 2"
    assert listed(names).endswith("Grau, Player 12 and 2 more")
    assert listed(range(1, 4)) == "1, 2, 3"


def test_a_paired_round_asks_nobody(ready: Tournament, chief_arbiter: User, client: Client) -> None:
    pair_and_publish(ready, 1, chief_arbiter)
    client.force_login(chief_arbiter)
    answer = client.get(reverse("round-missing", args=[ready.slug, 1]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("round", args=[ready.slug, 1]))


@pytest.mark.costly
def test_c04_2_4_4_3_a_skipped_player_who_gets_an_opponent_is_checked_in(
    ready: Tournament, chief_arbiter: User
) -> None:
    """Otherwise the next round would be paired without players who are here."""
    check_in_all_but(ready, chief_arbiter, 3, 5)
    answer(ready, chief_arbiter, p3="skip", p5="skip")
    pair_and_publish(ready, 1, chief_arbiter)
    assert not {3, 5} & playing(ready, 1)
    opponent_give(
        round_id=round_of(ready, 1).pk,
        player_id=entry_of(ready, 3).pk,
        is_absent=False,
        partner_id=entry_of(ready, 5).pk,
        agreed=True,
        witness="Wanda",
        reason="their train was late",
        actor=chief_arbiter,
        now=NOW,
        seen_version=None,
    )
    assert {3, 5} <= playing(ready, 1)
    assert [(entry_of(ready, n).checked_in, entry_of(ready, n).answer) for n in (3, 5)] == [
        (True, "")
    ] * 2
    newest = own(Decision).order_by("-sequence").values_list("action", flat=True)[:3]
    assert [*newest] == ["round.changed", "entry.checked_in", "entry.checked_in"]
    ready.refresh_from_db()
    assert differences(ready) == []
