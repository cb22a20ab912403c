"""Changes of pairings: drafts arranged by hand, and published pairings under [C.04.2/2026 4.4]."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.engine.systems import pair
from pairing.record.private import hide, is_hidden
from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.changes import round_change
from pairing.rounds.corrections import Report, rating_correct, result_correct
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import round_publish
from pairing.rounds.results import result_record
from pairing.rounds.snapshot import snapshot
from pairing.rules.published import Situation
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    cached,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core import record
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.entries import entry_add, entry_update
from tournaments.models import Decision, Entry, Game, Seat, Tournament
from tournaments.setup.tournaments import tournament_update

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]

WHY = "the organiser had forgotten them"


def pairings(tournament: Tournament, text: str, **letters: str) -> Pairings:
    """Read ``"1-2 . 3-4"``: TPNs at boards 1 and 3; ``U="5"`` is a bye."""
    pk = {entry.tpn: entry.pk for entry in Entry.objects.filter(tournament=tournament)}
    pairs = {n: pair.split("-") for n, pair in enumerate(text.split(), start=1) if pair != "."}
    return Pairings(
        {n: (pk[int(white)], pk[int(black)]) for n, (white, black) in pairs.items()},
        {pk[int(tpn)]: letter for letter, all_ in letters.items() for tpn in all_.split()},
    )


def change(
    tournament: Tournament,
    number: int,
    actor: User,
    text: str,
    situation: Situation,
    *,
    agreed: str = "",
    **more,
):
    letters = {key: more.pop(key) for key in ("U", "Z") if key in more}
    consents = [entry_of(tournament, int(tpn)).pk for tpn in agreed.split()]
    return round_change(
        round_id=round_of(tournament, number).pk,
        pairings=pairings(tournament, text, **letters),
        situation=situation,
        consents=consents,
        **(
            {
                "reason": WHY,
                "actor": actor,
                "now": NOW,
                "witness": "Wilma Witness" if agreed else "",
            }
            | more
        ),
    )


@pytest.fixture
@cached
def odd(chief_arbiter: User) -> Tournament:
    """Seven players, pairings of round 1 published: 1-4, 5-2, 3-6 and the bye for 7."""
    tournament = make_ready(chief_arbiter, players=7)
    pair_and_publish(tournament, 1, chief_arbiter)
    assert boards(tournament, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, "")]
    assert byes(tournament, 1) == {7: "U"}
    return tournament


def test_c04_2_4_4_4_a_late_entry_plays_the_player_with_the_bye(odd, chief_arbiter):
    late = entry_add(
        tournament_id=odd.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
    )
    assert (late.tpn, late.first_round) == (8, 2)
    change(odd, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    assert boards(odd, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, ""), (7, 8, "")]
    assert byes(odd, 1) == {}
    late.refresh_from_db()
    assert late.first_round == 1
    row = own(Decision).order_by("-sequence").first()
    assert row is not None
    assert (row.action, row.article, row.reason, row.round_number) == (
        "round.changed",
        "C.04.2 4.4.4",
        WHY,
        1,
    )
    seventh = entry_of(odd, 7)
    bye = {"byes": {str(seventh.pk): "U"}, "names_of_byes": {str(seventh.pk): seventh.name}}
    assert row.before == {"boards": {}, "names": {}, **bye}
    assert row.after == {
        "boards": {"4": [seventh.pk, late.pk]},
        "names": {"4": [seventh.name, late.name]},
        "byes": {},
        "names_of_byes": {},
        "consents": [
            {"name": name, "at": NOW.isoformat(), "witness": "Wilma Witness"}
            for name in (seventh.name, late.name)
        ],
        "cautions": [],
    }
    assert record.verify(odd) == []


def test_c04_2_4_4_4_a_consent_has_its_time_and_its_witness_who_are_private(odd, chief_arbiter):
    entry_add(
        tournament_id=odd.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
    )
    later = NOW + timedelta(minutes=9)
    change(
        odd, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8",
        now=later, consented_at=NOW, witness="  Wilma   Witness ",
    )  # fmt: skip
    row = own(Decision).get(action="round.changed")
    assert [(each["at"], each["witness"]) for each in row.after["consents"]] == [
        (NOW.isoformat(), "Wilma Witness")
    ] * 2
    hidden = hide(record.line_of(row), row.salt, row.tournament.account_salt)
    assert is_hidden(hidden.after["consents"])


@pytest.mark.parametrize(
    "given, code",
    [
        ({"consented_at": NOW + timedelta(seconds=1)}, "consent.in_the_future"),
        ({"consented_at": NOW - timedelta(minutes=1)}, "consent.before_publication"),
        ({"witness": "W" * 101}, "draw.text"),
        ({"witness": " "}, "consent.witness_missing"),
    ],
)
def test_c04_2_4_4_4_a_consent_at_an_impossible_time_or_without_a_witness_changes_nothing(
    odd, chief_arbiter, given, code
):
    entry_add(
        tournament_id=odd.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
    )
    rows = own(Decision).count()
    with pytest.raises(BadInput) as refused:
        change(
            odd, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8", **given
        )
    assert refused.value.code == code
    assert own(Decision).count() == rows
    assert byes(odd, 1) == {7: "U"}


def test_c04_2_4_4_4_without_the_consent_of_all_players_nothing_changes(odd, chief_arbiter):
    entry_add(
        tournament_id=odd.pk, actor=chief_arbiter, now=NOW, name="Late, Lara", checked_in=True
    )
    rows, seats = own(Decision).count(), list(own(Seat).order_by("pk").values())
    with pytest.raises(RuleRefused) as refused:
        change(odd, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="8")
    assert (
        str(refused.value)
        == f"Some of the players involved have not agreed: {entry_of(odd, 7).name}. (C.04.2 4.4.4)"
    )
    assert (own(Decision).count(), list(own(Seat).order_by("pk").values())) == (rows, seats)


def test_c04_2_4_4_3_two_without_an_opponent_play_each_other(odd, chief_arbiter):
    game = Game.objects.get(round=round_of(odd, 1), board=2)
    result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
    kept = Game.objects.get(round=round_of(odd, 1), board=1)
    change(odd, 1, chief_arbiter, "1-4 7-5 3-6", Situation.WITHOUT_OPPONENT, agreed="5 7", Z="2")
    assert boards(odd, 1) == [(1, 4, ""), (7, 5, ""), (3, 6, "")]
    assert byes(odd, 1) == {2: "Z"}
    # Players who are not concerned keep their boards.
    assert Game.objects.get(round=round_of(odd, 1), board=1) == kept


@pytest.mark.costly
def test_c04_2_4_4_1_two_players_who_have_met_get_other_opponents(chief_arbiter):
    tournament = make_ready(chief_arbiter, players=6)
    play_rounds(tournament, [1], chief_arbiter)
    white, black, _ = boards(tournament, 1)[0]
    draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    others = [tpn for tpn in range(1, 7) if tpn not in (white, black)]
    again = f"{black}-{white} {others[0]}-{others[1]} {others[2]}-{others[3]}"
    round_arrange(
        round_id=draft.pk,
        pairings=pairings(tournament, again),
        reason="by mistake",
        actor=chief_arbiter,
        now=NOW,
    )
    round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW, leave_fide_mode=True)
    rows = boards(tournament, 2)
    board = next(n for n, row in enumerate(rows, start=1) if {row[0], row[1]} == {white, black})
    state, _ = snapshot(tournament, 2)
    met = {tpn: player.rounds[0].opponent for tpn, player in state.by_tpn().items()}
    pairs = [[row[0], row[1]] for row in rows]
    first, other = pairs[board - 1], next(pair for pair in pairs if not {*pair} & {white, black})
    partner = 1 if met[first[0]] != other[1] and met[other[0]] != first[1] else 0
    first[1], other[partner] = other[partner], first[1]
    change(
        tournament, 2, chief_arbiter, " ".join(f"{w}-{b}" for w, b in pairs), Situation.ALREADY_MET
    )
    assert [[w, b] for w, b, _ in boards(tournament, 2)] == pairs


@pytest.mark.parametrize(
    "situation, article",
    [
        (Situation.ALREADY_MET, "C.04.2 4.4.1"),
        (Situation.REGULATIONS, "C.04.2 4.4.2"),
        (Situation.WITHOUT_OPPONENT, "C.04.2 4.4.3"),
        (Situation.LATE_ENTRY, "C.04.2 4.4.4"),
        (Situation.TOP_BOARDS, "C.04.2 4.4.5"),
    ],
)
def test_c04_2_4_4_a_situation_that_does_not_hold_is_refused_with_its_article(
    odd, chief_arbiter, situation, article
):
    with pytest.raises(RuleRefused) as refused:
        change(odd, 1, chief_arbiter, "1-2 5-4 3-6", situation, agreed="1 2 3 4 5 6 7", U="7")
    assert refused.value.article == article
    assert boards(odd, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, "")]


@pytest.mark.costly
def test_c04_2_4_4_2_a_clause_entered_before_round_1_allows_the_change(chief_arbiter):
    tournament = make_ready(chief_arbiter, players=6, change_clause="7.3: until the start of play")
    pair_and_publish(tournament, 1, chief_arbiter)
    change(tournament, 1, chief_arbiter, "1-5 4-2 3-6", Situation.REGULATIONS)
    assert boards(tournament, 1) == [(1, 5, ""), (4, 2, ""), (3, 6, "")]
    with pytest.raises(RuleRefused) as refused:
        tournament_update(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, change_clause=""
        )
    assert refused.value.article == "C.04.2 4.4.2"


@pytest.mark.costly
def test_c04_2_4_4_5_top_boards_are_declared_by_the_chief_arbiter_before_the_last_round_is_paired(
    chief_arbiter, deputy
):
    tournament, neighbour = (
        make_ready(chief_arbiter, players=6, rounds=2, name=name) for name in ("Autumn", "Spring")
    )
    play_rounds(neighbour, [1], chief_arbiter)
    pair_and_publish(neighbour, 2, chief_arbiter)
    play_rounds(tournament, [1], chief_arbiter)

    def declare(actor, boards, reason="announced in the hall"):
        return tournament_update(
            tournament_id=tournament.pk, actor=actor, now=NOW, top_boards=boards, reason=reason
        )

    def refusal(actor):
        with pytest.raises(RuleRefused) as refused:
            declare(actor, 50)
        assert refused.value.article == "C.04.2 4.4.5"
        return refused.value.code

    assert refusal(deputy) == "tournament.chief_arbiter_declares"
    for reason in ("", ".", "   "):
        with pytest.raises(BadInput) as bad:
            declare(chief_arbiter, 1, reason)
        assert bad.value.code == "tournament.top_boards_reason"
    assert declare(chief_arbiter, 1).top_boards == 1
    assert declare(deputy, 1).top_boards == 1  # nothing changes
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    assert {refusal(deputy), refusal(chief_arbiter)} == {"tournament.last_round"}
    round_unpair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    assert {refusal(deputy), refusal(chief_arbiter)} == {"tournament.last_round"}
    tournament.refresh_from_db()
    assert tournament.top_boards == 1


@pytest.mark.costly
def test_c04_2_4_4_5_the_top_boards_of_a_published_last_round_change(chief_arbiter):
    tournament = make_ready(chief_arbiter, players=6, rounds=2)
    play_rounds(tournament, [1], chief_arbiter)
    tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, top_boards=2, reason=WHY
    )
    pair_and_publish(tournament, 2, chief_arbiter)
    with pytest.raises(RuleRefused) as refused:
        tournament_update(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, top_boards=3)
    assert (refused.value.code, refused.value.article) == ("tournament.last_round", "C.04.2 4.4.5")
    (w1, b1, _), (w2, b2, _), (w3, b3, _) = boards(tournament, 2)
    change(tournament, 2, chief_arbiter, f"{b1}-{w1} {w2}-{b2} {w3}-{b3}", Situation.TOP_BOARDS)
    assert boards(tournament, 2)[0] == (b1, w1, "")


@pytest.mark.costly
def test_c04_2_4_4_5_top_boards_named_after_the_draft_of_the_last_round_was_seen_do_not_count(
    chief_arbiter,
):
    """The draft of round 2 of 3 is seen, top boards are named, and round 2 becomes the last one."""
    tournament = make_ready(chief_arbiter, players=6, rounds=3)
    play_rounds(tournament, [1], chief_arbiter)
    pair_and_publish(tournament, 2, chief_arbiter)
    tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, top_boards=3, reason=WHY
    )
    Tournament.objects.filter(pk=tournament.pk).update(total_rounds=2)
    (w1, b1, _), (w2, b2, _), (w3, b3, _) = boards(tournament, 2)
    with pytest.raises(RuleRefused) as refused:
        change(tournament, 2, chief_arbiter, f"{b1}-{w1} {w2}-{b2} {w3}-{b3}", Situation.TOP_BOARDS)
    assert (refused.value.code, refused.value.article) == (
        "change.below_top_boards",
        "C.04.2 4.4.5",
    )


class TestWho:
    @pytest.mark.costly
    def test_c04_2_4_4_only_the_chief_arbiter_changes_pairings(self, odd, deputy):
        with pytest.raises(PermissionDenied):
            change(odd, 1, deputy, "1-2 5-4 3-6", Situation.REGULATIONS, U="7")

    @pytest.mark.costly
    def test_a_reason_is_needed(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=6, change_clause="7.3")
        pair_and_publish(tournament, 1, chief_arbiter)
        with pytest.raises(BadInput) as refused:
            change(tournament, 1, chief_arbiter, "1-5 4-2 3-6", Situation.REGULATIONS, reason=".")
        assert refused.value.code == "change.reason_missing"

    @pytest.mark.costly
    def test_a_change_from_a_stale_page_is_refused(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=6, change_clause="7.3")
        pair_and_publish(tournament, 1, chief_arbiter)
        with pytest.raises(Conflict):
            change(
                tournament, 1, chief_arbiter, "1-5 4-2 3-6", Situation.REGULATIONS, seen_version=1
            )

    def test_a_player_of_another_tournament_gets_no_board(self, odd, chief_arbiter):
        with pytest.raises(BadInput) as refused:
            round_change(
                round_id=round_of(odd, 1).pk,
                pairings=Pairings({1: (999_998, 999_999)}),
                situation=Situation.REGULATIONS,
                consents=(),
                reason=WHY,
                actor=chief_arbiter,
                now=NOW,
            )
        assert refused.value.code == "change.unknown"


class TestBefore2017:
    """A tournament with the older system follows the older rules."""

    @pytest.fixture
    def old(self, chief_arbiter: User) -> Tournament:
        tournament = make_ready(
            chief_arbiter, players=6, system="dutch_pre2017", correction_minutes=30
        )
        play_rounds(tournament, [1], chief_arbiter)
        return tournament

    def right_one(self, tournament: Tournament) -> str:
        """Return round 2 as the engine pairs it now, with unchanged pairs at their boards."""
        pairing = pair(snapshot(tournament, 2)[0])
        new = [
            one for one in pairing.pairs if one not in [row[:2] for row in boards(tournament, 2)]
        ]
        now = [row[:2] if row[:2] in pairing.pairs else new.pop(0) for row in boards(tournament, 2)]
        return " ".join(f"{white}-{black}" for white, black in now)

    @pytest.mark.costly
    def test_c04_3_pre2017_f7_a_correction_changes_a_published_round_as_far_as_needed(
        self, old, chief_arbiter
    ):
        """The engine pairs the round again from the corrected data; no other change is allowed."""
        assert (old.handling_edition, old.corrections_until) == ("pre2017", None)
        pair_and_publish(old, 2, chief_arbiter)
        now = [[white, black] for white, black, _ in boards(old, 2)]
        swapped = f"{now[0][1]}-{now[0][0]} {now[1][0]}-{now[1][1]} {now[2][0]}-{now[2][1]}"

        def answer(text: str) -> str:
            with pytest.raises(RuleRefused) as refused:
                change(old, 2, chief_arbiter, text, Situation.CORRECTION)
            return f"{refused.value.code} {refused.value.article}"

        assert answer(swapped) == "change.nothing_corrected C.04.3 F7"
        report = Report(reported_at=NOW, reason=WHY)
        # One point more for the last player changes nothing.
        last, given = entry_of(old, 6), {"report": report, "actor": chief_arbiter, "now": NOW}
        rating_correct(
            entry_id=last.pk, ratings={"fide_rating": (last.fide_rating or 0) + 1}, **given
        )
        assert answer(swapped) == "change.nothing_follows C.04.3 F7"
        game = Game.objects.get(round=round_of(old, 1), board=1)
        correction = result_correct(game_id=game.pk, result="01", **given)
        assert correction.effect == "next_pairing"
        right = self.right_one(old)
        assert right not in (swapped, " ".join(f"{white}-{black}" for white, black in now))
        assert answer(swapped) == "change.does_not_follow C.04.3 F7"
        change(old, 2, chief_arbiter, right, Situation.CORRECTION)
        assert " ".join(f"{white}-{black}" for white, black, _ in boards(old, 2)) == right
        row = own(Decision).order_by("-sequence").first()
        assert row is not None
        assert row.article == "C.04.3 F7"

    @pytest.mark.costly
    def test_c04_3_pre2017_f7_the_page_offers_the_new_pairing(self, old, chief_arbiter, client):
        pair_and_publish(old, 2, chief_arbiter)
        game = Game.objects.get(round=round_of(old, 1), board=1)
        result_correct(
            game_id=game.pk,
            result="01",
            report=Report(reported_at=NOW, reason=WHY),
            actor=chief_arbiter,
            now=NOW,
        )
        client.force_login(chief_arbiter)
        rows = client.get(f"/t/{old.slug}/rounds/2/change/?situation=correction&go=on").context[
            "rows"
        ]
        pk = {entry.pk: entry.tpn for entry in old.entries.all()}
        offered = {row.board: f"{pk[row.white]}-{pk[row.black]}" for row in rows}
        assert offered
        assert offered == {
            n: text
            for n, (text, (white, black, _)) in enumerate(
                zip(self.right_one(old).split(), boards(old, 2), strict=True), start=1
            )
            if text != f"{white}-{black}"
        }

    @pytest.mark.costly
    def test_c04_3_pre2017_f7_no_correction_is_for_the_rating_report_only(self, old, chief_arbiter):
        play_rounds(old, [2], chief_arbiter)
        game = Game.objects.get(round=round_of(old, 1), board=1)
        report = Report(reported_at=NOW, reason=WHY)
        correction = result_correct(
            game_id=game.pk, result="==", report=report, actor=chief_arbiter, now=NOW
        )
        game.refresh_from_db()
        assert (correction.effect, game.result) == ("next_pairing", "==")


def test_c04_2_4_4_2_the_record_distinguishes_two_players_of_the_same_name(chief_arbiter):
    """Both move from board 2, where both players forfeit, to a bye."""
    tournament = make_ready(chief_arbiter, players=6, change_clause="7.3")
    pair_and_publish(tournament, 1, chief_arbiter)
    namesakes = [entry_of(tournament, 2), entry_of(tournament, 5)]
    for entry in namesakes:
        entry_update(
            entry_id=entry.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Namesake, Nora",
            reason="misspelt",
        )
    game = Game.objects.get(round=round_of(tournament, 1), board=2)
    result_record(game_id=game.pk, result="--", actor=chief_arbiter, now=NOW)
    change(tournament, 1, chief_arbiter, "1-4 . 3-6", Situation.REGULATIONS, Z="2 5")
    row = own(Decision).latest("sequence")
    assert row.after["byes"] == {str(entry.pk): "Z" for entry in namesakes}
    assert byes(tournament, 1) == {2: "Z", 5: "Z"}
