"""The check-in before a round: its opening, its closing,
the decision about the missing players, and its page.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from pairing.rounds.attendance import attendance
from pairing.rounds.pair import is_stale, round_pair, round_unpair
from pairing.rounds.publish import round_publish
from tests.tournaments.factories import (
    NOW,
    byes,
    entry_of,
    make_ready,
    make_tournament,
    pair_and_publish,
    play_rounds,
    round_of,
    seen_now,
)
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_add, entry_check_in, entry_withdraw
from tournaments.models import Decision, Entry, RequestedBye, Round, Tournament

pytestmark = pytest.mark.django_db


def confirm(tournament: Tournament, actor: User, *, but: tuple[int, ...] = ()) -> None:
    """Open check-in, tick everybody but the numbers *but*, close it."""
    check_in_open(tournament_id=tournament.pk, actor=actor, now=NOW)
    for entry in Entry.objects.filter(tournament=tournament).exclude(tpn__in=but):
        entry_check_in(entry_id=entry.pk, actor=actor, now=NOW, checked_in=True)
    check_in_close(tournament_id=tournament.pk, actor=actor, now=NOW)
    tournament.refresh_from_db()


def settle(
    tournament: Tournament, actor: User, consequence: str = "excluded", **more: object
) -> list[int | None]:
    given = {"seen": [entry.pk for entry in attendance(tournament).missing]} | more
    gone = check_in_settle(
        tournament_id=tournament.pk, actor=actor, now=NOW, consequence=consequence, **given
    )
    tournament.refresh_from_db()
    return [entry.tpn for entry in gone]


def test_c04_2_4_1_all_missing_players_are_excluded_in_one_action(
    ready: Tournament, chief_arbiter: User
) -> None:
    confirm(ready, chief_arbiter, but=(3,))
    before = ready.pairing_version
    assert settle(ready, chief_arbiter, reason=" no word ") == [3]
    assert dict(
        own(Entry).filter(withdrawn_from__isnull=False).values_list("tpn", "withdrawn_from")
    ) == {3: 1}
    assert ready.pairing_version == before + 1
    decision = Decision.objects.filter(tournament=ready).latest("sequence")
    gone = entry_of(ready, 3)
    assert (decision.action, decision.article, decision.reason) == (
        "check_in.settled",
        "C.04.2 4.1",
        "no word",
    )
    assert decision.after == {
        "for_round": 1,
        "consequence": "excluded",
        "missing": [{"entry": gone.pk, "tpn": 3, "name": gone.name}],
    }
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    assert byes(ready, 1)[8] == "U"


@pytest.mark.costly
@pytest.mark.parametrize("kind", ["Z", "H"])
def test_c04_2_3_3_before_a_later_round_they_get_a_bye(
    kind: str, ready: Tournament, chief_arbiter: User
) -> None:
    play_rounds(ready, [1], chief_arbiter)
    confirm(ready, chief_arbiter, but=(7,))
    assert settle(ready, chief_arbiter, kind) == [7]
    assert list(own(RequestedBye).values_list("entry__tpn", "round_number", "kind")) == [
        (7, 2, kind)
    ]
    assert Decision.objects.filter(tournament=ready).latest("sequence").article == "C.04.2 3.3"
    pair_and_publish(ready, 2, chief_arbiter)
    assert byes(ready, 2)[7] == kind


def test_a_draft_made_before_is_out_of_date(draft_round, chief_arbiter: User) -> None:
    tournament = draft_round.tournament
    confirm(tournament, chief_arbiter, but=(2,))
    settle(tournament, chief_arbiter)
    assert is_stale(round_of(tournament, 1), tournament)


def test_excluding_more_than_a_fifth_needs_a_second_confirmation(
    ready: Tournament, chief_arbiter: User
) -> None:
    confirm(ready, chief_arbiter, but=(1, 2))
    decisions = own(Decision).count()
    with pytest.raises(
        RuleRefused, match=r"2 of 8 players would not be paired\. This is more than a fifth"
    ):
        settle(ready, chief_arbiter)
    assert own(Decision).count() == decisions
    assert not own(Entry).filter(withdrawn_from__isnull=False).exists()
    assert settle(ready, chief_arbiter, confirmed=True) == [1, 2]


def test_c04_2_4_1_only_an_open_check_in_is_closed(ready: Tournament, chief_arbiter: User) -> None:
    before = Decision.objects.filter(tournament=ready).count()
    with pytest.raises(RuleRefused) as refused:
        check_in_close(tournament_id=ready.pk, actor=chief_arbiter, now=NOW)
    assert refused.value.code == "check_in.not_open"
    assert Decision.objects.filter(tournament=ready).count() == before


def test_only_players_shown_as_missing_are_excluded(ready: Tournament, chief_arbiter: User) -> None:
    confirm(ready, chief_arbiter, but=(1,))
    with pytest.raises(Conflict, match="check the list again"):
        settle(ready, chief_arbiter, seen=[entry_of(ready, 2).pk])
    assert not own(Entry).filter(withdrawn_from__isnull=False).exists()


def test_a_player_who_withdrew_or_has_a_bye_is_not_missing(
    ready: Tournament, chief_arbiter: User
) -> None:
    entry_withdraw(entry_id=entry_of(ready, 1).pk, actor=chief_arbiter, now=NOW, from_round=1)
    bye_request(
        entry_id=entry_of(ready, 2).pk, actor=chief_arbiter, now=NOW, round_number=1, kind="H"
    )
    bye_request(
        entry_id=entry_of(ready, 3).pk, actor=chief_arbiter, now=NOW, round_number=2, kind="H"
    )
    seen = attendance(ready)
    assert (seen.round_number, seen.due, {entry.tpn for entry in seen.missing}) == (
        1,
        6,
        {3, 4, 5, 6, 7, 8},
    )


@pytest.mark.costly
def test_c04_2_3_3_the_limits_of_the_regulations_hold_for_all_or_nobody(
    chief_arbiter: User,
) -> None:
    tournament = make_ready(chief_arbiter, players=16, max_byes=1)
    bye_request(
        entry_id=entry_of(tournament, 5).pk, actor=chief_arbiter, now=NOW, round_number=3, kind="H"
    )
    confirm(tournament, chief_arbiter, but=(4, 5))
    with pytest.raises(RuleRefused) as refused:
        settle(tournament, chief_arbiter, "H")
    assert (refused.value.code, own(RequestedBye).count()) == ("bye.too_many", 1)
    assert settle(tournament, chief_arbiter, "Z") == [4, 5]


def test_c04_2_4_1_a_deputy_excludes_and_decides_nothing_else(
    ready: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    confirm(ready, chief_arbiter, but=(3,))
    with pytest.raises(RuleRefused) as refused:
        settle(ready, deputy, "H")
    assert refused.value.code == "check_in.chief_arbiter_decides"
    with pytest.raises(PermissionDenied):
        settle(ready, stranger)
    assert settle(ready, deputy) == [3]


@pytest.mark.costly
@pytest.mark.parametrize("consequence", ["excluded", "Z", "H"])
def test_c04_2_4_1_nobody_is_missing_after_the_decision(
    consequence: str, ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    neighbour = make_ready(chief_arbiter, name="Beside")
    for event in (neighbour, ready):
        confirm(event, chief_arbiter, but=(3, 5))
    client.force_login(chief_arbiter)
    address = reverse("desk", args=[ready.slug])
    assert client.get(address).context["desk"].not_checked_in == 2
    assert settle(ready, chief_arbiter, consequence, confirmed=True) == [3, 5]
    page = client.get(address)
    assert page.context["desk"].not_checked_in == 0
    assert "not checked in" not in page.content.decode()
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    assert client.get(address).context["desk"].not_checked_in == 0
    assert client.get(reverse("desk", args=[neighbour.slug])).context["desk"].not_checked_in == 2


def test_an_unknown_consequence_is_named(ready: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(BadInput) as bad:
        settle(ready, chief_arbiter, "F")
    assert (
        str(bad.value)
        == "“F” is not possible for missing players; use one of excluded, Z, H, paired."
    )


@pytest.mark.costly
def test_c04_2_4_1_no_ticks_while_it_is_closed_and_new_ticks_for_another_round(
    ready: Tournament, chief_arbiter: User
) -> None:
    who = {"actor": chief_arbiter, "now": NOW}
    confirm(ready, chief_arbiter, but=(3,))
    with pytest.raises(RuleRefused) as refused:
        entry_check_in(entry_id=entry_of(ready, 3).pk, checked_in=True, **who)
    assert refused.value.code == "check_in.closed"
    check_in_open(tournament_id=ready.pk, **who)
    assert [entry.tpn for entry in attendance(ready).missing] == [3]
    check_in_close(tournament_id=ready.pk, **who)
    settle(ready, chief_arbiter, "paired")
    play_rounds(ready, [1], chief_arbiter)
    check_in_open(tournament_id=ready.pk, **who)
    assert (attendance(ready).round_number, len(attendance(ready).missing)) == (2, 8)


def test_missing_players_are_listed_alphabetically_whatever_their_accents(
    chief_arbiter: User,
) -> None:
    tournament = make_tournament(chief_arbiter)
    for name in ("Zola, Ève", "Ève, Zoë", "Łuk, Jan", "Eve, Anna", "Mann, Élodie", "Mann, Felix"):
        entry_add(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, name=name)
    in_order = ["Eve, Anna", "Ève, Zoë", "Łuk, Jan", "Mann, Élodie", "Mann, Felix", "Zola, Ève"]
    assert [entry.name for entry in attendance(tournament).missing] == in_order


class TestPairing:
    """No round is paired between the opening of a check-in and the
    decision about the missing [C.04.2/2026 4.1].
    """

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "system, article",
        [("dutch_2026", "C.04.2 4.1"), ("dutch_2017", "C.04.2 C.1"), ("dutch_pre2017", "")],
    )
    def test_c04_2_4_1_neither_paired_nor_published_before_the_decision(
        self, system: str, article: str, chief_arbiter: User, deputy: User
    ) -> None:
        tournament, neighbour = (
            make_ready(chief_arbiter, system=system, name=name) for name in ("one", "beside")
        )
        first = round_of(tournament, 1)
        who = {"actor": deputy, "now": NOW}
        round_pair(round_id=first.pk, **who)
        confirm(tournament, chief_arbiter, but=(2, 5))
        rows = Decision.objects.count()

        def refused(action: Callable[..., object]) -> str:
            with pytest.raises(RuleRefused) as caught:
                action(round_id=first.pk, **who)
            names = (entry_of(tournament, 2).name, entry_of(tournament, 5).name)
            assert dict(caught.value.params) == {"round": 1, "names": names}
            return f"{caught.value.code} {caught.value.article}".strip()

        assert refused(round_publish) == f"check_in.unsettled {article}".strip()
        round_unpair(round_id=first.pk, **who)
        assert refused(round_pair) == f"check_in.unsettled {article}".strip()
        # Leaving the check-in open does not help either.
        check_in_open(tournament_id=tournament.pk, **who)
        assert refused(round_pair) == f"check_in.unsettled {article}".strip()
        check_in_close(tournament_id=tournament.pk, **who)
        assert Decision.objects.count() == rows + 3
        with pytest.raises(RuleRefused) as own:
            settle(tournament, deputy, "paired")
        assert own.value.code == "check_in.chief_arbiter_decides"
        assert settle(tournament, chief_arbiter, "paired", reason="their bus is near") == [2, 5]
        row = Decision.objects.filter(tournament=tournament).latest("sequence")
        assert (row.action, row.article, row.reason) == (
            "check_in.settled",
            article,
            "their bus is near",
        )
        assert (row.after["consequence"], [each["tpn"] for each in row.after["missing"]]) == (
            "paired",
            [2, 5],
        )
        with pytest.raises(RuleRefused):
            settle(tournament, chief_arbiter, "paired")
        pair_and_publish(tournament, 1, chief_arbiter)
        assert byes(tournament, 1) == {}
        # An event without a check-in is paired as usual.
        pair_and_publish(neighbour, 1, chief_arbiter)

    def test_c04_2_4_1_a_draft_stays_up_to_date_when_the_missing_are_paired(
        self, draft_round: Round, chief_arbiter: User
    ) -> None:
        tournament = draft_round.tournament
        confirm(tournament, chief_arbiter, but=(2,))
        settle(tournament, chief_arbiter, "paired")
        assert not is_stale(round_of(tournament, 1), tournament)
        assert entry_of(tournament, 2).checked_in
        last = Decision.objects.filter(tournament=tournament).latest("sequence")
        action_undo(
            tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, sequence=last.sequence
        )
        assert not entry_of(tournament, 2).checked_in
        with pytest.raises(RuleRefused):
            round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)

    @pytest.mark.costly
    def test_c04_2_2_4_a_late_entry_is_paired_only_when_it_has_arrived(
        self, ready: Tournament, chief_arbiter: User, deputy: User
    ) -> None:
        """A late entry can be checked in while the check-in of round 1 is closed,
        until the player has played.
        """
        confirm(ready, chief_arbiter)
        play_rounds(ready, [1], chief_arbiter)
        who = {"actor": deputy, "now": NOW}
        late = entry_add(tournament_id=ready.pk, name="Late, Lena", **who)
        second = round_of(ready, 2)
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=second.pk, **who)
        assert (refused.value.code, refused.value.article) == ("check_in.unsettled", "C.04.2 4.1")
        assert refused.value.params == {"round": 2, "names": ("Late, Lena",)}
        entry_check_in(entry_id=late.pk, checked_in=True, **who)
        play_rounds(ready, [2], chief_arbiter)
        # After a check-in, every round asks about the players who are not checked in.
        Entry.objects.filter(pk=late.pk).update(checked_in=False)
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=round_of(ready, 3).pk, **who)
        assert refused.value.code == "check_in.unsettled"

    @pytest.mark.parametrize("excuse", ["bye", "withdrawn"])
    def test_c04_2_2_4_a_late_entry_who_has_not_arrived_is_left_out(
        self, excuse: str, played_round: Round, chief_arbiter: User
    ) -> None:
        tournament, who = played_round.tournament, {"actor": chief_arbiter, "now": NOW}
        late = entry_add(tournament_id=tournament.pk, name="Late, Lena", **who)
        if excuse == "bye":
            bye_request(entry_id=late.pk, round_number=2, kind="Z", **who)
        else:
            entry_withdraw(entry_id=late.pk, **who)
        pair_and_publish(tournament, 2, chief_arbiter)
        assert byes(tournament, 2)[late.tpn or 0] == "Z"

    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_c04_2_4_1_the_page_of_the_round_leads_to_the_missing(
        self,
        ready: Tournament,
        client: Client,
        deputy: User,
        chief_arbiter: User,
        headers: dict[str, str],
    ) -> None:
        confirm(ready, chief_arbiter, but=(3,))
        client.force_login(deputy)
        response = client.post(reverse("round-pair", args=[ready.slug, 1]), headers=headers)
        page = reverse("round-missing", args=[ready.slug, 1])
        assert response.headers["HX-Redirect" if headers else "Location"] == page
        assert entry_of(ready, 3).name in client.get(page).content.decode()

    @pytest.mark.costly
    def test_c04_2_2_4_the_form_of_a_late_entry_asks_whether_the_player_is_there(
        self, played_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = played_round.tournament
        confirm(tournament, chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        client.force_login(chief_arbiter)
        url = reverse("entry-add", args=[tournament.slug])
        assert 'name="arrived"' in client.get(url).content.decode()
        client.post(url, {"name": "Late, Lena", "rating_source": "", "arrived": "on"})
        client.post(url, {"name": "Later, Lotte", "rating_source": ""})
        there = dict(Entry.objects.filter(first_round=3).values_list("name", "checked_in"))
        assert there == {"Late, Lena": True, "Later, Lotte": False}
        # The check-in is closed, and the late entry can still be ticked.
        listed = client.get(reverse("entries", args=[tournament.slug])).content.decode()
        assert listed.count('id="check-in-') == 1


class TestPage:
    @pytest.mark.costly
    def test_the_page_leads_from_open_to_the_decision_and_asks_for_confirmation(
        self, ready: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        page = reverse("check-in", args=[ready.slug])
        assert "Open check-in" in client.get(page).content.decode()
        opened = client.post(
            reverse("check-in-turn", args=[ready.slug]),
            {"open": "yes", **seen_now(ready)},
            follow=True,
        )
        assert "Close check-in" in opened.content.decode()
        closed = client.post(
            reverse("check-in-turn", args=[ready.slug]),
            {"open": "no", **seen_now(ready)},
            follow=True,
        )
        assert "What should happen to the missing players?" in closed.content.decode()
        given = {
            "missing": [entry.pk for entry in attendance(ready).missing[:8]],
            "consequence": "Z",
            "reason": "bus",
        }
        settle_url = reverse("check-in-settle", args=[ready.slug])
        answer = client.post(settle_url, given)
        assert answer.status_code == 409
        assert (
            "8 of 8 players would not be paired. This is more than a fifth: please confirm."
            in answer.content.decode()
        )
        assert 'value="bus"' in answer.content.decode()
        done = client.post(settle_url, {**given, "confirmed": "yes"}, follow=True)
        assert "The missing players will not be paired." in done.content.decode()
        assert own(RequestedBye).filter(kind="Z", round_number=1).count() == 8

    @pytest.mark.costly
    def test_a_closed_check_in_has_no_buttons_on_the_list_and_refuses_a_late_tick(
        self, ready: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        confirm(ready, chief_arbiter, but=(3,))
        client.force_login(chief_arbiter)
        listed = client.get(reverse("entries", args=[ready.slug])).content.decode()
        assert ("check-in-" in listed, "missing</span>" in listed) == (False, True)
        tick = reverse("entry-check-in", args=[ready.slug, entry_of(ready, 3).pk])
        answer = client.post(tick, {"checked_in": "yes"}, follow=True)
        assert (
            "The check-in is closed: reopen it to change the players who are present. (C.04.2 4.1)"
            in answer.content.decode()
        )

    def test_a_deputy_is_offered_exclusion_alone(
        self, ready: Tournament, client: Client, chief_arbiter: User, deputy: User
    ) -> None:
        confirm(ready, chief_arbiter, but=(3,))
        client.force_login(deputy)
        page = client.get(reverse("check-in", args=[ready.slug])).content.decode()
        assert page.count("disabled") == 3
        assert "Only the Chief Arbiter can choose anything other than exclusion." in page

    @pytest.mark.costly
    def test_invalid_values_are_refused(
        self, ready: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        confirm(ready, chief_arbiter, but=(3,))
        client.force_login(chief_arbiter)
        url = reverse("check-in-settle", args=[ready.slug])
        statuses = [
            client.post(url, {"missing": "x", "consequence": "Z"}).status_code,
            client.post(url, {"missing": "1", "consequence": "F"}).status_code,
        ]
        assert statuses == [422, BadInput.status]

    @pytest.mark.costly
    def test_when_everything_is_published_nobody_is_missing(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = make_ready(chief_arbiter, rounds=1)
        pair_and_publish(tournament, 1, chief_arbiter)
        client.force_login(chief_arbiter)
        page = client.get(reverse("check-in", args=[tournament.slug])).content.decode()
        assert "The pairings of all rounds are published: no more check-in is needed." in page
