"""The page of a round as the one work surface: the players beside the boards, the cards,
and news for open pages.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_check_in, entry_withdraw
from tournaments.models import (
    Appointment,
    Correction,
    Entry,
    Game,
    RequestedBye,
    Role,
    Round,
    Tournament,
)

HTMX = {"HX-Request": "true"}


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


@pytest.fixture
def corrected_round(chief_arbiter: User) -> Round:
    """Round 1, whose results have just been published."""
    tournament = factories.make_ready(chief_arbiter)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    factories.enter_results(tournament, 1, chief_arbiter)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief_arbiter, now=timezone.now()
    )
    return factories.round_of(tournament, 1)


def page_of(round_: Round) -> str:
    return reverse("round", args=[round_.tournament.slug, round_.number])


def card_of(tournament: Tournament, tpn: int, number: int = 1) -> str:
    return reverse(
        "round-player", args=[tournament.slug, number, factories.entry_of(tournament, tpn).pk]
    )


def keys(client: Client, address: str) -> set[str]:
    """Return the keys of the actions on a card."""
    return set(re.findall(r'data-key="(\w)"', client.get(address, headers=HTMX).content.decode()))


def groups(client: Client, round_: Round) -> dict[str, list[str]]:
    """Return the names beside the boards, by the kind of the group."""
    found = client.get(page_of(round_)).context["groups"]
    return {group.kind.value: [player.name for player in group.players] for group in found}


def test_results_are_entered_on_the_page_of_the_round(published_round: Round, desk: Client) -> None:
    text = desk.get(page_of(published_round)).content.decode()
    assert text.count("data-board=") == 4
    assert "Publish results" in text
    assert "Results of round" not in text[text.index("<main") : text.index("</main>")]
    old = desk.get(reverse("round-results", args=[published_round.tournament.slug, 1]))
    assert (old.status_code, old.headers["Location"]) == (302, page_of(published_round))


def test_a_past_round_shows_its_boards_without_the_entry_of_results(
    played_round: Round, desk: Client
) -> None:
    text = tidy(desk.get(page_of(played_round)).content.decode())
    assert ("is-past" in text, "past round" in text, 'id="results"' in text) == (True, True, False)
    assert reverse("round-board", args=[played_round.tournament.slug, 1, 1]) in text


@pytest.mark.costly
def test_c04_2_3_1_an_adjourned_game_of_a_past_round_is_entered_on_its_page(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    """The cards of the other boards do not offer it:
    there a result is corrected, which here is not one yet.
    """
    tournament = published_round.tournament
    ends = lambda board, white, black: "??" if board == 1 else "10"  # noqa: E731
    factories.enter_results(tournament, 1, chief_arbiter, ends)
    results_publish(round_id=published_round.pk, actor=chief_arbiter, now=factories.NOW)
    text = desk.get(page_of(published_round)).content.decode()
    assert ("is-past" in text, 'id="results"' in text) == (True, True)
    seats = {board: Game.objects.get(round=published_round, board=board).seats for board in (1, 2)}
    for board, offered in ((1, True), (2, False)):
        cards = [reverse("round-board", args=[tournament.slug, 1, board])]
        cards += [
            reverse("round-player", args=[tournament.slug, 1, seat.entry_id])
            for seat in seats[board].all()
        ]
        assert [("r" in keys(desk, card)) for card in cards] == [offered] * 3
        assert ("m" in keys(desk, cards[0])) is not offered


@pytest.mark.costly
def test_a_round_changed_by_hand_says_so_in_words_and_colour(
    draft_round: Round, desk: Client, chief_arbiter: User
) -> None:
    assert "changed by hand" not in desk.get(page_of(draft_round)).content.decode()
    white, black, _ = factories.boards(draft_round.tournament, 1)[0]
    others = [(w, b) for w, b, _ in factories.boards(draft_round.tournament, 1)[1:]]
    entries = {entry.tpn: entry.pk for entry in draft_round.tournament.entries.all()}
    turned = [(entries[w], entries[b]) for w, b in [(black, white), *others]]
    round_arrange(
        round_id=draft_round.pk, pairings=Pairings(dict(enumerate(turned, start=1))),
        reason="they asked for it", actor=chief_arbiter, now=factories.NOW, seen_version=None,
    )  # fmt: skip
    text = desk.get(page_of(draft_round)).content.decode()
    assert '<span class="badge draft">changed by hand</span>' in text


@pytest.mark.costly
def test_the_players_beside_the_boards_are_grouped_and_empty_groups_are_left_out(
    ready: Tournament, desk: Client, chief_arbiter: User
) -> None:
    by = {"actor": chief_arbiter, "now": factories.NOW}
    first, second, third = (factories.entry_of(ready, tpn) for tpn in (1, 2, 3))
    bye_request(entry_id=third.pk, round_number=1, kind="H", **by)
    factories.pair_and_publish(ready, 1, chief_arbiter)
    round_ = factories.round_of(ready, 1)
    assert groups(desk, round_)["bye"][-1] == third.name
    assert {*groups(desk, round_)} == {"bye"}
    game = Game.objects.get(round=round_, seats__entry=first)
    colour = game.seats.get(entry=first).colour
    result_record(game_id=game.pk, result="-+" if colour == "w" else "+-", **by)
    entry_withdraw(entry_id=second.pk, from_round=2, **by)
    late = entry_add(tournament_id=ready.pk, name="Late, Lara", **by)
    found = groups(desk, round_)
    assert found["absent"] == [first.name]
    assert found["late" if late.first_round > 1 else "unpaired"] == ["Late, Lara"]
    assert "withdrawn" not in found  # only from round 2 on


@pytest.mark.costly
def test_players_not_checked_in_are_shown_once_the_check_in_has_begun(
    draft_round: Round, desk: Client, chief_arbiter: User
) -> None:
    assert "not-checked-in" not in groups(desk, draft_round)
    here = factories.entry_of(draft_round.tournament, 1)
    entry_check_in(entry_id=here.pk, actor=chief_arbiter, now=factories.NOW, checked_in=True)
    missing = groups(desk, draft_round)["not-checked-in"]
    assert here.name not in missing
    assert len(missing) == Entry.objects.filter(tournament=draft_round.tournament).count() - 1


@pytest.mark.costly
def test_the_card_of_a_player_is_a_page_and_a_part(
    corrected_round: Round, desk: Client, chief_arbiter: User
) -> None:
    tournament = corrected_round.tournament
    round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=timezone.now()
    )
    address = card_of(tournament, 1, 2)
    whole, part = (
        desk.get(address).content.decode(),
        desk.get(address, headers=HTMX).content.decode(),
    )
    assert ("<html" in whole, "<html" in part) == (True, False)
    card = desk.get(address).context["card"]
    assert (card.points, card.colours, [line.total for line in card.rounds]) == (
        10,
        card.colours,
        [10],
    )
    assert card.board is not None
    for text in (whole, part):
        assert factories.entry_of(tournament, 1).name in text
    assert desk.get(reverse("round-player", args=[tournament.slug, 2, 10**9])).status_code == 404
    assert desk.get(reverse("round-board", args=[tournament.slug, 2, 99])).status_code == 404


@pytest.mark.costly
def test_a_card_offers_what_makes_sense_now_for_this_person(
    published_round: Round, client: Client, chief_arbiter: User, deputy: User
) -> None:
    tournament = published_round.tournament
    gone = factories.entry_of(tournament, 8)
    entry_withdraw(entry_id=gone.pk, actor=chief_arbiter, now=factories.NOW, from_round=2)
    reader = User.objects.create_user("reader")
    Appointment.objects.create(
        tournament=tournament, person=reader, role=Role.READER, since=factories.NOW
    )
    offered = {}
    for person in (chief_arbiter, deputy, reader):
        client.force_login(person)
        board = reverse("round-board", args=[tournament.slug, 1, 1])
        offered[person.username] = tuple(
            keys(client, address)
            for address in (card_of(tournament, 1), card_of(tournament, 8), board)
        )
    always = {"o", "e", "i", "d"}
    assert offered == {
        "chief": (always | {"r", "b", "w"}, always | {"r", "t"}, {"r", "c", "p", "e", "w", "b"}),
        "deputy": (always | {"r", "b", "w"}, always | {"r"}, {"r", "c", "e"}),
        "reader": (always, always, {"e"}),
    }


def test_c04_2_3_2_a_player_who_withdraws_from_a_later_round_still_plays_the_coming_one(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 1).pk,
        actor=chief_arbiter,
        now=factories.NOW,
        from_round=3,
    )
    assert {"b", "w", "t"} <= keys(desk, card_of(tournament, 1))


def test_c04_2_4_4_a_card_opened_before_the_pairings_were_published_says_so_in_its_place(
    corrected_round: Round, desk: Client, chief_arbiter: User
) -> None:
    tournament = corrected_round.tournament
    entry = factories.entry_of(tournament, 1)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    form = {"back": "round-1", "from_round": "2", "seen_version": "1"}
    done = desk.post(
        reverse("entry-withdraw", args=[tournament.slug, entry.pk]), form, headers=HTMX
    )
    text = done.content.decode()
    assert (done.status_code, "<html" in text, "pairings are not published yet" in text) == (
        422,
        False,
        True,
    )


@pytest.mark.costly
def test_an_action_of_a_card_returns_to_the_round_and_says_done_there(
    published_round: Round, desk: Client
) -> None:
    tournament = published_round.tournament
    entry = factories.entry_of(tournament, 1)
    form = {"back": "round-1", "round_number": "2", "kind": "Z", "seen_version": tournament.version}
    tournament.refresh_from_db()
    form["seen_version"] = tournament.version
    done = desk.post(reverse("bye-request", args=[tournament.slug, entry.pk]), form, follow=True)
    assert done.redirect_chain == [(page_of(published_round), 302)]
    assert f"{entry.name}: absent (zero-point bye) in round 2." in done.content.decode()
    assert RequestedBye.objects.filter(entry=entry, round_number=2).count() == 1
    assert "b" in keys(desk, card_of(tournament, 1))  # now to cancel it


@pytest.mark.parametrize(
    "back",
    [
        "https://example.org/",
        "//example.org",
        "round-99",
        "round-",
        "round-1/../..",
        "round-1-board-x/..",
        "round-1-board-",
        "",
    ],
)
def test_the_way_back_is_a_page_of_this_tournament(
    back: str, published_round: Round, desk: Client
) -> None:
    tournament = published_round.tournament
    tournament.refresh_from_db()
    entry = factories.entry_of(tournament, 1)
    form = {"back": back, "from_round": "2", "seen_version": tournament.version}
    done = desk.post(reverse("entry-withdraw", args=[tournament.slug, entry.pk]), form)
    own = reverse("entry-edit", args=[tournament.slug, entry.pk])
    assert (done.status_code, done.headers["Location"]) == (302, own)


@pytest.mark.costly
def test_an_open_page_asks_for_news_and_gets_its_parts(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    address = page_of(published_round)
    key = desk.get(address).context["live_key"]
    assert desk.get(address, {"v": key}, headers=HTMX).status_code == 204
    game = Game.objects.get(round=published_round, board=1)
    result_record(game_id=game.pk, result="-+", actor=chief_arbiter, now=factories.NOW)
    entry = game.seats.get(colour="w").entry
    news = desk.get(address, {"v": key}, headers=HTMX).content.decode()
    names = ("head", "tabs", "actions", "status", "automatic", "beside", "absent")
    parts = [f"round-{part}" for part in names]
    assert re.findall(r'id="([\w-]+)"[^>]*? data-part', news) == [
        "event-tabs",
        "where-it-stands",
        *parts,
    ]
    assert ("<html" in news, entry.name in news, "data-board=" in news) == (False, True, False)


def test_asking_for_news_costs_no_query_beyond_the_person_and_the_tournament(
    published_round: Round, desk: Client, django_assert_max_num_queries: object
) -> None:
    address = page_of(published_round)
    key = desk.get(address).context["live_key"]
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        assert desk.get(address, {"v": key}, headers=HTMX).status_code == 204


@pytest.mark.costly
def test_c04_2_4_3_1_a_result_is_corrected_on_the_card_of_its_board_with_a_reason_from_the_list(
    corrected_round: Round, desk: Client
) -> None:
    tournament = corrected_round.tournament
    card = reverse("round-board", args=[tournament.slug, 1, 2])
    shown = desk.get(card)
    assert [each["game"].board for each in shown.context["corrections"]] == [2]
    back = "round-1-board-2"
    assert f'name="back" value="{back}"' in shown.content.decode()
    game = Game.objects.get(round=corrected_round, board=2)
    now = timezone.localtime().strftime("%Y-%m-%dT%H:%M:%S")
    form = {
        "result": "==",
        "version": game.version,
        "reported_at": now,
        "save": "yes",
        "back": back,
    }
    address = f"{reverse('round-correct', args=[tournament.slug, 1])}?kind=result&board=2"
    without = desk.post(address, form)
    assert (without.status_code, Correction.objects.filter(tournament=tournament).count()) == (
        422,
        0,
    )
    assert "Choose a reason from the list, or write one." in without.content.decode()
    nothing = desk.post(address, form | {"because": "other"})
    assert nothing.status_code == 422
    done = desk.post(address, form | {"because": "sheets"}, follow=True)
    assert done.redirect_chain == [(f"{page_of(corrected_round)}#board-2", 302)]
    assert "The correction is saved and is in the record." in done.content.decode()
    assert Correction.objects.get(tournament=tournament).reason == "result sheets exchanged"
    game.refresh_from_db()
    assert game.result == "=="
    # The same form once more: the page is out of date, and nothing is saved twice.
    assert desk.post(address, form | {"because": "sheets"}).status_code == 422


@pytest.mark.costly
def test_c04_2_4_3_a_correction_starts_from_the_board_that_was_clicked(
    corrected_round: Round, published_round: Round, desk: Client
) -> None:
    address = reverse("round-correct", args=[corrected_round.tournament.slug, 1])
    assert "Round 1, board 3" in tidy(desk.get(f"{address}?board=3").content.decode())
    chosen = tidy(desk.get(f"{address}?kind=&board=3").content.decode())
    assert chosen.count('<option value="3" selected>') == 2
    # Before the results are published only the colours of a board can be corrected.
    before = reverse("round-correct", args=[published_round.tournament.slug, 1])
    assert (
        tidy(desk.get(f"{before}?board=3").content.decode()).count('<option value="3" selected>')
        == 1
    )


@pytest.mark.costly
def test_c04_2_4_3_after_the_next_pairing_the_card_leads_to_the_page_with_the_effect(
    corrected_round: Round, desk: Client, chief_arbiter: User
) -> None:
    tournament = corrected_round.tournament
    card = reverse("round-board", args=[tournament.slug, 1, 2])
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    found = desk.get(card)
    assert found.context["corrections"] == []
    assert (
        f"{reverse('round-correct', args=[tournament.slug, 1])}?board=2" in found.content.decode()
    )


def test_c04_2_3_3_the_bye_of_another_player_is_not_on_the_card(
    desk: Client, published_round: Round
) -> None:
    own = published_round.tournament
    RequestedBye.objects.create(entry=factories.entry_of(own, 3), round_number=2, kind="H")
    wishes = [desk.get(card_of(own, tpn)).context["wish"] for tpn in (3, 4)]
    assert [wish and wish.kind for wish in wishes] == ["H", None]
