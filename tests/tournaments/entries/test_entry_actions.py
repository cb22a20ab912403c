"""Entries: added, changed, numbered, given byes, withdrawn."""

import pytest
from django.core.exceptions import PermissionDenied

from pairing.rounds.corrections import Report, rating_correct
from pairing.rounds.pair import round_pair
from tests.tournaments.factories import (
    NOW,
    byes,
    entry_of,
    make_entries,
    make_ready,
    make_tournament,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.entries import (
    entry_add,
    entry_check_in,
    entry_remove,
    entry_return,
    entry_update,
    entry_withdraw,
    numbers_assign,
)
from tournaments.models import Decision, Entry, RatingSource, RequestedBye
from tournaments.setup.tournaments import tournament_update

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("constraints")]


def numbered(tournament) -> list[tuple[int | None, str]]:
    return list(
        Entry.objects.filter(tournament=tournament).order_by("tpn", "pk").values_list("tpn", "name")
    )


class TestAdd:
    def test_a_new_entry_is_cleaned_and_has_no_number_yet(self, tournament, chief_arbiter):
        entry = entry_add(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW,
            name="  Kovar, Eva ", federation="cze", title="WFM", sex="w", fide_rating=2011, club="Mate ",
        )  # fmt: skip
        entry.refresh_from_db()
        assert (entry.name, entry.federation, entry.club, entry.tpn, entry.first_round) == (
            "Kovar, Eva", "CZE", "Mate", None, 1,
        )  # fmt: skip

    @pytest.mark.parametrize(
        "fields, rating, source",
        [
            ({"fide_rating": 2100, "national_rating": 2200}, 2100, RatingSource.FIDE),
            ({"national_rating": 1750}, 1750, RatingSource.NATIONAL),
            ({"fide_rating": 2100, "rating": 2150}, 2150, RatingSource.ESTIMATE),
            ({}, 0, RatingSource.NONE),
        ],
    )
    def test_c04_2_2_1_the_rating_has_a_source(
        self, tournament, chief_arbiter, fields, rating, source
    ):
        entry = entry_add(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="A", **fields
        )
        assert (entry.rating, entry.rating_source) == (rating, source)

    @pytest.mark.parametrize(
        "fields, field",
        [
            ({"name": "  "}, "name"),
            ({"name": "A" * 121}, "name"),
            ({"name": "A", "title": "XM"}, "title"),
            ({"name": "A", "sex": "x"}, "sex"),
            ({"name": "A", "fide_rating": "many"}, "fide_rating"),
            ({"name": "A", "tpn": 1}, "tpn"),
        ],
    )
    def test_an_invalid_field_is_named_and_nothing_is_saved(
        self, tournament, chief_arbiter, fields, field
    ):
        with pytest.raises(BadInput) as bad:
            entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, **fields)
        assert bad.value.field == field
        assert (own(Entry).count(), own(Decision).count()) == (0, 1)

    @pytest.mark.parametrize("code", ["FR", "F1A", "ÉTÉ"])
    def test_a_federation_has_three_letters(self, tournament, chief_arbiter, code):
        given = {"actor": chief_arbiter, "now": NOW, "federation": code}
        entry = entry_add(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="A", federation="fra"
        )
        for action in (
            lambda: entry_add(tournament_id=tournament.pk, name="B", **given),
            lambda: entry_update(entry_id=entry.pk, **given),
            lambda: tournament_update(tournament_id=tournament.pk, **given),
            lambda: make_tournament(chief_arbiter, federation=code),
        ):
            with pytest.raises(BadInput) as bad:
                action()
            assert bad.value.field == "federation"
            assert (
                str(bad.value)
                == f"“{code}” is not a federation; expected three letters such as FRA."
            )

    def test_a_former_federation_does_not_block_other_changes(self, tournament, chief_arbiter):
        entry = entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name="A")
        Entry.objects.filter(pk=entry.pk).update(federation="FR")
        given = {"entry_id": entry.pk, "actor": chief_arbiter, "now": NOW, "federation": "FR"}
        assert entry_update(**given, club="Mate").club == "Mate"

    def test_a_fide_id_belongs_to_one_participant(self, tournament, chief_arbiter):
        entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Kovar, Eva",
            fide_id=300123,
        )
        with pytest.raises(BadInput) as bad:
            entry_add(
                tournament_id=tournament.pk,
                actor=chief_arbiter,
                now=NOW,
                name="Kovar, E.",
                fide_id=300123,
            )
        assert str(bad.value) == "The FIDE ID 300123 belongs to Kovar, Eva, already on the list."

    def test_a_stranger_may_not_add_an_entry(self, tournament, stranger):
        with pytest.raises(PermissionDenied):
            entry_add(tournament_id=tournament.pk, actor=stranger, now=NOW, name="A")


class TestNumbers:
    def test_c04_2_2_2_numbers_follow_rating_title_and_name(self, tournament, chief_arbiter):
        for name, title, rating in (
            ("Zoe", "", 2000),
            ("Bob", "FM", 2000),
            ("Ann", "", 2000),
            ("Top", "", 2001),
        ):
            entry_add(
                tournament_id=tournament.pk,
                actor=chief_arbiter,
                now=NOW,
                name=name,
                title=title,
                fide_rating=rating,
            )
        ranked = numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
        assert [(entry.tpn, entry.name) for entry in ranked] == [
            (1, "Top"),
            (2, "Bob"),
            (3, "Ann"),
            (4, "Zoe"),
        ]
        assert numbered(tournament) == [(1, "Top"), (2, "Bob"), (3, "Ann"), (4, "Zoe")]

    @pytest.mark.costly
    def test_c04_2_2_3_a_corrected_rating_moves_numbers_until_round_4_is_paired(
        self, chief_arbiter
    ):
        tournament = make_ready(chief_arbiter, players=8, rounds=5)
        play_rounds(tournament, [1, 2, 3], chief_arbiter)
        last = entry_of(tournament, 8)
        report = Report(reported_at=NOW, reason="the list of November says 2500")
        rating_correct(
            entry_id=last.pk,
            ratings={"fide_rating": 2500},
            report=report,
            actor=chief_arbiter,
            now=NOW,
        )
        assert entry_of(tournament, 8) == last
        numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
        assert entry_of(tournament, 1) == last
        round_pair(round_id=round_of(tournament, 4).pk, actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused) as refused:
            numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
        assert (refused.value.code, refused.value.article) == ("numbers.frozen", "C.04.2 2.3")

    def test_assigning_the_same_numbers_again_writes_nothing(self, ready, chief_arbiter):
        count = own(Decision).count()
        numbers_assign(tournament_id=ready.pk, actor=chief_arbiter, now=NOW)
        assert own(Decision).count() == count

    @pytest.mark.costly
    def test_numbering_many_takes_as_many_queries_as_numbering_few(
        self, tournament, chief_arbiter, django_assert_num_queries
    ):
        make_entries(tournament, chief_arbiter, 40)
        # savepoint and release, tournament, entries, rounds, open boards, clear, number, version,
        # last row, new row
        with django_assert_num_queries(13):
            numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)


class TestUpdateAndRemove:
    def test_the_ordering_rating_follows_its_source_and_an_estimate_stays(
        self, ready, chief_arbiter
    ):
        entry = entry_of(ready, 3)
        entry = entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, fide_rating=2222)
        assert (entry.rating, entry.rating_source) == (2222, RatingSource.FIDE)
        entry = entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, rating=1999)
        entry = entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, fide_rating=2333)
        assert (entry.rating, entry.rating_source) == (1999, RatingSource.ESTIMATE)

    def test_the_record_keeps_the_values_before_and_after(self, ready, chief_arbiter):
        entry = entry_of(ready, 3)
        entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, club="Mate")
        row = own(Decision).last()
        whom = {"entry": entry.pk, "name": entry.name}
        assert (row.before, row.after) == ({"club": "", **whom}, {"club": "Mate", **whom})

    def test_an_unchanged_entry_is_not_recorded(self, ready, chief_arbiter):
        count = own(Decision).count()
        entry_update(entry_id=entry_of(ready, 3).pk, actor=chief_arbiter, now=NOW, club=" ")
        assert own(Decision).count() == count

    @pytest.mark.costly
    def test_c04_2_3_2_a_participant_is_removed_only_before_round_1_is_paired(
        self, ready, chief_arbiter
    ):
        entry_remove(entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
        assert [tpn for tpn, _ in numbered(ready)] == [1, 2, 3, 4, 5, 6, 7]
        pair_and_publish(ready, 1, chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            entry_remove(entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "entry.event_begun"
        assert own(Entry).count() == 7

    def test_c04_2_4_1_checking_in_is_recorded_and_does_not_change_a_draft(
        self, ready, draft_round, chief_arbiter
    ):
        entry = entry_check_in(
            entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW, checked_in=True
        )
        assert entry.checked_in
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "round.already_paired"


class TestWithdrawal:
    @pytest.mark.costly
    def test_c04_2_3_2_a_withdrawn_player_is_no_longer_paired_and_may_return(
        self, ready, chief_arbiter
    ):
        play_rounds(ready, [1], chief_arbiter)
        entry = entry_of(ready, 5)
        assert entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW).withdrawn_from == 2
        play_rounds(ready, [2], chief_arbiter)
        assert byes(ready, 2)[5] == "Z"
        entry_return(entry_id=entry.pk, actor=chief_arbiter, now=NOW, reason="the flight was moved")
        pair_and_publish(ready, 3, chief_arbiter)
        assert byes(ready, 3) == {}

    def test_c04_2_4_4_a_withdrawal_leaves_published_pairings_alone(
        self, ready, published_round, chief_arbiter
    ):
        with pytest.raises(RuleRefused) as refused:
            entry_withdraw(
                entry_id=entry_of(ready, 5).pk, actor=chief_arbiter, now=NOW, from_round=1
            )
        assert refused.value.code == "withdrawal.round_published"

    def test_a_player_who_never_left_does_not_return(self, ready, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            entry_return(entry_id=entry_of(ready, 5).pk, actor=chief_arbiter, now=NOW, reason="so")
        assert refused.value.code == "entry.not_withdrawn"

    @pytest.mark.costly
    @pytest.mark.parametrize("system", ["dutch_2026", "dutch_2017", "dutch_pre2017"])
    def test_c04_2_3_2_only_the_chief_arbiter_brings_a_player_back_and_gives_a_reason(
        self, system, chief_arbiter, deputy, stranger, visitor
    ):
        tournament, neighbour = (
            make_ready(chief_arbiter, system=system, name=name) for name in ("one", "beside")
        )
        for each in (tournament, neighbour):
            entry_withdraw(entry_id=entry_of(each, 5).pk, actor=deputy, now=NOW, from_round=1)
        play_rounds(tournament, [1], chief_arbiter)
        entry = entry_of(tournament, 5)
        given = {"entry_id": entry.pk, "now": NOW, "reason": "the flight was moved"}
        for other in (deputy, stranger, visitor):
            with pytest.raises(PermissionDenied):
                entry_return(actor=other, **given)
        with pytest.raises(BadInput, match="Enter a reason for the return of the player"):
            entry_return(actor=chief_arbiter, **(given | {"reason": "."}))
        # A later withdrawal does not bring anybody back either.
        with pytest.raises(RuleRefused) as refused:
            entry_withdraw(entry_id=entry.pk, actor=deputy, now=NOW, from_round=4)
        assert refused.value.code == "withdrawal.later"
        entry_return(actor=chief_arbiter, **given)
        row = own(Decision).latest("pk")
        # No article provides for a return, in any edition.
        assert (row.action, row.article, row.reason) == (
            "entry.returned",
            "",
            "the flight was moved",
        )
        with pytest.raises(RuleRefused):
            entry_return(actor=chief_arbiter, **given)
        assert entry_of(neighbour, 5).withdrawn_from == 1

    def test_c04_2_3_2_a_future_withdrawal_may_be_postponed(self, ready, deputy):
        entry = entry_of(ready, 5)
        entry_withdraw(entry_id=entry.pk, actor=deputy, now=NOW, from_round=3)
        assert (
            entry_withdraw(entry_id=entry.pk, actor=deputy, now=NOW, from_round=4).withdrawn_from
            == 4
        )


class TestByes:
    def test_c04_2_3_3_a_bye_for_a_published_round_is_refused(
        self, ready, published_round, chief_arbiter
    ):
        entry = entry_of(ready, 5)
        for action in (bye_request, bye_cancel):
            kind = {"kind": "H"} if action is bye_request else {}
            with pytest.raises(RuleRefused) as refused:
                action(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=1, **kind)
            assert (refused.value.code, refused.value.article) == (
                "bye.round_published",
                "C.04.2 3.3",
            )

    def test_c04_2_3_3_the_last_request_counts_and_can_be_cancelled(self, ready, chief_arbiter):
        entry = entry_of(ready, 5)
        bye_request(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=2, kind="H")
        bye_request(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=2, kind="Z")
        assert list(own(RequestedBye).values_list("entry", "round_number", "kind")) == [
            (entry.pk, 2, "Z")
        ]
        bye_cancel(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=2)
        assert own(RequestedBye).count() == 0
        with pytest.raises(BadInput, match="No bye was requested for round 2"):
            bye_cancel(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=2)

    def test_nobody_can_request_the_pairing_allocated_bye(self, ready, chief_arbiter):
        with pytest.raises(BadInput) as bad:
            bye_request(
                entry_id=entry_of(ready, 5).pk,
                actor=chief_arbiter,
                now=NOW,
                round_number=1,
                kind="U",
            )
        assert bad.value.params == {"value": "U", "expected": ["F", "H", "Z"]}

    @pytest.mark.costly
    def test_c04_2_3_3_the_regulations_limit_byes_with_points(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, max_byes=1, last_bye_round=3)
        entry = entry_of(tournament, 5)

        def ask(number: int, kind: str) -> str:
            try:
                bye_request(
                    entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=number, kind=kind
                )
            except RuleRefused as refused:
                return f"{refused.code} [{refused.article}]"
            return "noted"

        assert ask(2, "H") == "noted"
        assert ask(2, "F") == "noted"  # the same round once more
        assert ask(3, "H") == "bye.too_many [C.04.2 3.3]"
        assert ask(3, "Z") == "noted"
        assert ask(2, "Z") == "noted"
        assert ask(4, "H") == "bye.too_late [C.04.2 3.3]"
        assert ask(3, "H") == "noted"


def test_c04_2_3_3_a_player_who_is_not_entitled_gets_no_bye_with_points(ready, chief_arbiter):
    by = {"actor": chief_arbiter, "now": NOW}
    entry = entry_update(entry_id=entry_of(ready, 3).pk, no_byes_with_points=True, **by)
    for kind in "HF":
        with pytest.raises(RuleRefused) as refused:
            bye_request(entry_id=entry.pk, round_number=2, kind=kind, **by)
        assert (refused.value.code, refused.value.article) == ("bye.not_entitled", "C.04.2 3.3")
    assert bye_request(entry_id=entry.pk, round_number=2, kind="Z", **by).kind == "Z"
    entry_update(entry_id=entry.pk, no_byes_with_points=False, **by)
    assert bye_request(entry_id=entry.pk, round_number=2, kind="H", **by).kind == "H"
