"""Registration: the players admitted, the closing time, confirming, correcting,
withdrawing and the rating list.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from pairing.rounds.versions import round_version
from tests.tournaments.factories import NOW, make_entries, make_ready, make_tournament, round_of
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.request_limits import LIMITS, SEARCH, SEND, count_request
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.events.registration.matching import MOST, matches
from tournaments.events.registration.opening import Wanted, registration_set
from tournaments.events.registration.queue import waiting_number
from tournaments.events.registration.visitor import (
    registration_add,
    registration_confirm,
    registration_correct,
    registration_of,
    registration_withdraw,
)
from tournaments.events.sections import event_create, section_update
from tournaments.models import Decision, Registration, RegistrationState, RequestCount, Tournament
from tournaments.setup.tournaments import tournament_update

from .conftest import Load, Register, opened, wish

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("constraints")]


def refused(code: str, tournament: Tournament, *, now: Any = NOW, **more: Any) -> None:
    with pytest.raises((RuleRefused, BadInput)) as caught:
        registration_add(tournament_id=tournament.pk, wish=wish(**more), secret="x", now=now)
    assert caught.value.code == code, str(caught.value)
    assert str(caught.value)
    assert not Registration.objects.filter(tournament=tournament).exists()


class TestOpen:
    def test_registration_is_off_by_default(self, tournament: Tournament) -> None:
        refused("registration.off", tournament)

    def test_it_ends_at_its_time(self, autumn: Tournament, chief_arbiter: User) -> None:
        opened(autumn, chief_arbiter, closes_at=NOW + timedelta(hours=1))
        early = NOW + timedelta(minutes=59)
        registration_add(tournament_id=autumn.pk, wish=wish(), secret="early", now=early)
        # What came in time can still be confirmed.
        late = NOW + timedelta(hours=2)
        assert registration_confirm(secret="early", now=late).state == RegistrationState.CONFIRMED
        with pytest.raises(RuleRefused, match="Registration is closed"):
            registration_add(
                tournament_id=autumn.pk, wish=wish("Blom, Bo"), secret="late", now=late
            )

    def test_c04_2_2_5_it_ends_with_the_list_of_participants(
        self, autumn: Tournament, chief_arbiter: User
    ) -> None:
        tournament_update(
            tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, list_state="definitive"
        )
        refused("registration.list_closed", autumn)

    def test_it_ends_when_round_1_is_published_and_a_draft_does_not_show(
        self, chief_arbiter: User
    ) -> None:
        ready = make_ready(chief_arbiter)
        opened(ready, chief_arbiter)
        round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        registration_add(tournament_id=ready.pk, wish=wish(), secret="x", now=NOW)
        round_publish(
            round_id=round_of(ready, 1).pk,
            actor=chief_arbiter,
            now=NOW,
            seen_version=round_version(ready, 1),
        )
        with pytest.raises(RuleRefused, match="the tournament has begun"):
            registration_confirm(secret="x", now=NOW)

    def test_the_last_place(
        self, autumn: Tournament, chief_arbiter: User, register: Register
    ) -> None:
        make_entries(autumn, chief_arbiter, 1)
        opened(autumn, chief_arbiter, most=2, waiting_list=False)
        register("Blom, Bo", confirm=False)
        register("Abara, Ada")  # Nobody has a place before the registration is confirmed.
        with pytest.raises(RuleRefused, match="All places are taken"):
            registration_confirm(secret="secret of Blom, Bo", now=NOW)
        with pytest.raises(RuleRefused, match="All places are taken"):
            register("Kovar, Eva")
        registration_withdraw(secret="secret of Abara, Ada", now=NOW)
        assert (
            registration_confirm(secret="secret of Blom, Bo", now=NOW).state
            == RegistrationState.CONFIRMED
        )

    @pytest.mark.costly
    def test_the_waiting_list_moves_up(
        self, autumn: Tournament, chief_arbiter: User, register: Register
    ) -> None:
        (entry,) = make_entries(autumn, chief_arbiter, 1)
        opened(autumn, chief_arbiter, most=2)
        rows = [register(name) for name in ("Abara, Ada", "Blom, Bo", "Kovar, Eva")]
        assert [waiting_number(row) for row in rows] == [0, 1, 2]
        entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW)
        assert [waiting_number(row) for row in rows] == [0, 0, 1]

    def test_every_change_of_the_settings_is_in_the_record_once(
        self, autumn: Tournament, chief_arbiter: User
    ) -> None:
        lines = Decision.objects.filter(tournament=autumn, action="registration.set")
        assert lines.get().after["is_open"] is True
        opened(autumn, chief_arbiter)
        assert lines.count() == 1
        opened(autumn, chief_arbiter, closes_at=NOW, text="Fee: 20 €")
        assert lines.last().after["closes_at"] == NOW.isoformat()

    @pytest.mark.parametrize(
        "wanted, field",
        [
            ({"most": 0}, "most"),
            ({"most": 5001}, "most"),
            ({"hours": 0}, "hours"),
            ({"hours": 721}, "hours"),
            ({"text": "x" * 2001}, "text"),
            ({"text": "a\0b"}, "text"),
            ({"consent": "x" * 501}, "consent"),
        ],
    )
    def test_settings_outside_their_limits(
        self, autumn: Tournament, chief_arbiter: User, wanted: dict[str, Any], field: str
    ) -> None:
        with pytest.raises(BadInput) as caught:
            registration_set(
                tournament_id=autumn.pk, actor=chief_arbiter, now=NOW, wanted=Wanted(True, **wanted)
            )
        assert caught.value.field == field
        assert str(caught.value)


def test_nobody_is_born_after_this_year(autumn: Tournament) -> None:
    refused("csv.birth_range", autumn, values={"birth_date": str(NOW.year + 1)})
    refused("csv.birth_range", autumn, values={"birth_date": f"{NOW.year + 40}-01-01"})
    born_now = wish(values={"birth_date": str(NOW.year)})
    registration_add(tournament_id=autumn.pk, wish=born_now, secret="x", now=NOW)


class TestVisitor:
    def test_sent_twice_it_is_received_once_and_confirmed_once(self, register: Register) -> None:
        first, again = register(confirm=False), register(confirm=False)
        assert first.pk == again.pk
        confirmed = [register() for _ in range(2)]
        assert [row.version for row in confirmed] == [2, 2]
        assert own(Registration).count() == 1

    def test_what_nobody_confirms_expires(self, autumn: Tournament, register: Register) -> None:
        register(confirm=False)
        late = NOW + timedelta(hours=48)
        assert registration_of("secret of Abara, Ada", now=late - timedelta(seconds=1)) is not None
        assert registration_of("secret of Abara, Ada", now=late) is None
        with pytest.raises(Conflict, match="not confirmed in time"):
            registration_confirm(secret="secret of Abara, Ada", now=late)
        registration_add(tournament_id=autumn.pk, wish=wish("Blom, Bo"), secret="bo", now=late)
        assert [str(row) for row in own(Registration).all()] == ["Blom, Bo"]

    def test_a_correction_keeps_the_place_and_refuses_an_older_window(
        self, register: Register
    ) -> None:
        row, secret = register(), "secret of Abara, Ada"
        new = wish("Abara, Adah", phone="06 12 34 56 78", email="")
        fixed = registration_correct(secret=secret, wish=new, now=NOW, seen_version=row.version)
        assert (str(fixed), fixed.phone, fixed.email, fixed.state) == (
            "Abara, Adah",
            "06 12 34 56 78",
            "",
            "confirmed",
        )
        assert fixed.confirmed_at == row.confirmed_at
        with pytest.raises(Conflict, match="in another window"):
            registration_correct(secret=secret, wish=new, now=NOW, seen_version=row.version)

    def test_a_withdrawal_deletes_everything_personal(self, register: Register) -> None:
        register(phone="06 12 34 56 78")
        registration_withdraw(secret="secret of Abara, Ada", now=NOW)
        row = own(Registration).get()
        assert (row.fields, row.email, row.phone, row.state) == ({}, "", "", "withdrawn")
        with pytest.raises(Conflict, match="has decided"):
            registration_confirm(secret="secret of Abara, Ada", now=NOW)

    def test_who_is_entered_already_is_told_and_who_is_only_registered_is_not(
        self, autumn: Tournament, chief_arbiter: User, register: Register
    ) -> None:
        same = {"values": {"fide_id": "2000016"}}
        register("Abara, Ada", **same)
        register("Other, Olga", **same)  # the arbiter sees the two
        entry_add(
            tournament_id=autumn.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Abara, Ada",
            fide_id=2000016,
        )
        with pytest.raises(BadInput, match="already in the list of players"):
            register("Third, Theo", **same)

    @pytest.mark.parametrize(
        "more, field",
        [
            ({"values": {"last_name": ""}}, "last_name"),
            ({"values": {"last_name": "x" * 200}}, "last_name"),
            ({"values": {"last_name": "Null\0"}}, "last_name"),
            ({"values": {"last_name": "\u202egnirts"}}, "last_name"),
            ({"values": {"fide_id": "9" * 5000}}, "fide_id"),
            ({"values": {"fide_id": "٣"}}, "fide_id"),
            ({"values": {"federation": "Narnia"}}, "federation"),
            ({"values": {"birth_date": "31/02/2001"}}, "birth_date"),
            ({"values": {"club": "x" * 101}}, "club"),
            ({"values": {"national_id": "x" * 21}}, "national_id"),
            ({"email": ""}, "email"),
            ({"email": "nobody"}, "email"),
            ({"email": "a@b.org\nBcc: all@example.org"}, "email"),
            ({"email": f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.org"}, "email"),
            ({"phone": "call me"}, "phone"),
            ({"phone": "1" * 41}, "phone"),
            ({"byes": [99]}, None),
            ({"byes": [1]}, None),
        ],
    )
    def test_bad_input_has_its_field_and_saves_nothing(
        self, autumn: Tournament, chief_arbiter: User, more: dict[str, Any], field: str | None
    ) -> None:
        if field is None:  # rounds that are not offered are left out
            row = registration_add(tournament_id=autumn.pk, wish=wish(**more), secret="x", now=NOW)
            assert row.byes == []
            return
        with pytest.raises(BadInput) as caught:
            registration_add(tournament_id=autumn.pk, wish=wish(**more), secret="x", now=NOW)
        assert caught.value.field == field
        assert str(caught.value)
        assert not own(Registration).exists()

    def test_c04_2_3_3_byes_within_the_regulations(self, chief_arbiter: User) -> None:
        tournament = make_tournament(chief_arbiter, max_byes=2, last_bye_round=3)
        opened(tournament, chief_arbiter, offers_byes=True)
        refused("registration.bye_round", tournament, byes=[4])
        refused("bye.too_many", tournament, byes=[1, 2, 3])
        row = registration_add(
            tournament_id=tournament.pk, wish=wish(byes=[3, 1, 3]), secret="x", now=NOW
        )
        assert row.byes == [1, 3]

    def test_the_consent_is_kept_as_it_was_read(
        self, autumn: Tournament, chief_arbiter: User
    ) -> None:
        opened(autumn, chief_arbiter, consent="My name may be published.")
        refused("registration.no_consent", autumn)
        row = registration_add(tournament_id=autumn.pk, wish=wish(agrees=True), secret="x", now=NOW)
        assert row.consent == "My name may be published."

    def test_sections_have_limits_and_say_so(
        self, autumn: Tournament, chief_arbiter: User, load: Load
    ) -> None:
        by = {"actor": chief_arbiter, "now": NOW}
        event_create(tournament_id=autumn.pk, name="City Open", label="B", **by)
        limits: dict[str, int | None] = {"rating_to": 1799, "born_from": 1980}
        section_update(tournament_id=autumn.pk, label="B", limits=limits, **by)
        refused("registration.too_old", autumn, values={"birth_date": "1979"})
        refused("registration.birth_needed", autumn, values={"birth_date": ""})
        load_players(load)
        hit = key_of(autumn, "Abara", "Player")
        refused("registration.rating_high", autumn, name="Abara, Player", listed=hit)
        # The rating of somebody who is in no list is unknown: the arbiter decides.
        registration_add(tournament_id=autumn.pk, wish=wish("Nobody, Nia"), secret="x", now=NOW)


def load_players(load: Load) -> None:
    from tests.tournaments.lists.rating_lists.conftest import text_list

    load(text_list())


def key_of(tournament: Tournament, last: str, first: str) -> str:
    found = matches(tournament, {"last_name": last, "first_name": first})
    assert found
    return found[0].key


class TestRatingList:
    def test_the_data_of_the_list_are_taken_over(self, autumn: Tournament, load: Load) -> None:
        load_players(load)
        given = wish(
            "abara, pl",
            listed=key_of(autumn, "abara", "pl"),
            values={"birth_date": "", "club": "Mate"},
        )
        row = registration_add(tournament_id=autumn.pk, wish=given, secret="x", now=NOW)
        assert row.listed is True
        assert row.fields == {
            "name": "Abara, Player 1", "federation": "FRA", "fide_id": "2000016", "fide_rating": "2450", "title": "GM",
            "sex": "m", "birth_date": "1990", "club": "Mate", "rating_list": "FIDE 2026-11",
        }  # fmt: skip

    def test_nobody_reads_the_list_through_the_form(self, autumn: Tournament, load: Load) -> None:
        load_players(load)
        for values in (
            {"fide_id": "2000016"},  # an identifier alone
            {"last_name": "Abara"},  # no first name
            {"last_name": "Aba", "first_name": "P"},  # a part of the last name
            {"last_name": "A", "first_name": "P"},
            {"last_name": "", "first_name": "Player"},
            {
                "last_name": "Petit",
                "first_name": "N",
                "fide_id": "2000016",
            },  # somebody else's identifier
        ):
            assert matches(autumn, values) == [], values
        found = matches(autumn, {"last_name": "Abara", "first_name": "P"})
        assert found is not None
        other = matches(autumn, {"last_name": "Blomqvist", "first_name": "Player"})
        assert other
        # The key of another player is not accepted.
        refused("registration.list_moved", autumn, name="Abara, Player", listed=other[0].key)

    def test_at_most_five_are_shown_and_an_identifier_chooses_among_them(
        self, autumn: Tournament, load: Load
    ) -> None:
        from tests.tournaments.lists.rating_lists.conftest import text_list

        load(
            text_list(
                [
                    (2000000 + 8 * n, f"Martin, Anna {n}", "FRA", "F", "", 1500, 0, 0, 2000)
                    for n in range(9)
                ]
            )
        )
        typed = {"last_name": "Martin", "first_name": "Anna"}
        found = matches(autumn, typed)
        assert found is not None
        assert len(found) == MOST
        (one,) = matches(autumn, typed | {"fide_id": "2000064"}) or []
        assert one.row.fide_id == 2000064

    def test_without_a_list_nothing_is_searched(
        self, autumn: Tournament, register: Register
    ) -> None:
        assert matches(autumn, {"last_name": "Abara", "first_name": "Ada"}) is None
        assert register().listed is None


class TestCounting:
    def test_an_address_has_a_limit_for_each_kind_and_no_address_is_kept(self) -> None:
        most, span = LIMITS[SEND]
        for _ in range(most):
            count_request(SEND, "192.0.2.7", now=NOW)
        with pytest.raises(RuleRefused, match="too many requests"):
            count_request(SEND, "192.0.2.7", now=NOW + span - timedelta(seconds=1))
        count_request(SEND, "192.0.2.8", now=NOW)
        count_request(SEARCH, "192.0.2.7", now=NOW)
        count_request(SEND, None, now=NOW)
        count_request(SEND, "192.0.2.7", now=NOW + span)
        assert not [
            row for row in RequestCount.objects.all() if "192" in row.key and "." in row.key
        ]

    def test_old_counts_are_deleted(self) -> None:
        count_request(SEND, "192.0.2.7", now=NOW)
        count_request(SEND, "192.0.2.8", now=NOW + timedelta(days=3))
        assert RequestCount.objects.count() == 1
