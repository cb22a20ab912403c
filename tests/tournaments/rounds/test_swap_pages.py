"""Arranging a draft by two clicks, with and without JavaScript:
nothing is written before it is saved.
"""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.engine.systems import pair
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import round_publish
from pairing.rounds.snapshot import snapshot
from pairing.rounds.swapping import Click, swapping
from tests.tournaments import factories
from tests.tournaments.core.test_concurrency import at_once
from tests.tournaments.factories import NOW, boards, byes, entry_of, round_of
from tests.tournaments.row_cache import all_rows
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Decision, DraftView, Tournament

WHY = "they travel together"


@pytest.fixture
def draft(chief_arbiter: User) -> Tournament:
    """Nine players after round 1; the draft of round 2.

    Player 8 has a half-point bye, so there is no other bye.
    """
    tournament = factories.make_ready(chief_arbiter, players=9)
    factories.play_rounds(tournament, [1], chief_arbiter)
    bye_request(
        entry_id=entry_of(tournament, 8).pk, round_number=2, kind="H", actor=chief_arbiter, now=NOW
    )
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    assert boards(tournament, 2) == [(4, 1, ""), (2, 9, ""), (5, 3, ""), (7, 6, "")]
    return tournament


@pytest.fixture
def after_withdrawal(chief_arbiter: User) -> Tournament:
    """Eight players after round 1, of whom player 8 has withdrawn; the draft of round 2."""
    tournament = factories.make_ready(chief_arbiter, players=8)
    factories.play_rounds(tournament, [1], chief_arbiter)
    entry_withdraw(entry_id=entry_of(tournament, 8).pk, actor=chief_arbiter, now=NOW)
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    return tournament


@pytest.fixture
def chief(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def address(tournament: Tournament) -> str:
    return reverse("round-swap", args=[tournament.slug, 2])


def pk(tournament: Tournament, tpn: int) -> int:
    return entry_of(tournament, tpn).pk


def link(page: str, tournament: Tournament, tpn: int) -> str:
    """Return the address behind the name of a player on *page*."""
    found = re.search(rf'data-player="{pk(tournament, tpn)}".*?href="([^"]*)"', page, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


def rows(page: str) -> list[str]:
    return [
        " ".join(re.sub("<[^>]*>", " ", row).split())
        for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    ][1:]


def checks(page: str) -> list[str]:
    found = re.findall(r'<tr class="swap-check">.*?</tr>', page, re.DOTALL)
    return [
        html.unescape(line.strip())
        for row in found
        for line in re.findall(r"<li[^>]*>(.*?)</li>", row)
    ]


def fields(page: str) -> dict[str, str]:
    """Return what the form to save sends."""
    form = re.search(r'<form method="post" action="[^"]*/swap/".*?</form>', page, re.DOTALL)
    assert form is not None
    return dict(
        re.findall(r'<input type="hidden" name="(m|version|seen_line)" value="([^"]*)"', form[0])
    )


def clicked(client: Client, tournament: Tournament, *tpns: int) -> str:
    """Click the names of *tpns* on the page of the round, without JavaScript; return the page."""
    page = client.get(reverse("round", args=[tournament.slug, 2])).content.decode()
    for tpn in tpns:
        page = client.get(link(page, tournament, tpn)).content.decode()
    return page


@pytest.mark.costly
def test_two_clicks_and_a_reason_swap_two_players(
    chief: Client, draft: Tournament, chief_arbiter: User
) -> None:
    page = clicked(chief, draft, 9, 6)
    assert [row.split()[0] for row in rows(page) if row[0].isdigit()] == ["1", "2", "3", "4"]
    assert boards(draft, 2)[0] == (4, 1, "")
    response = chief.post(address(draft), {**fields(page), "reason": WHY}, follow=True)
    assert response.redirect_chain == [(reverse("round", args=[draft.slug, 2]), 302)]
    assert {(white, black) for white, black, _ in boards(draft, 2)} == {
        (4, 1),
        (2, 6),
        (5, 3),
        (7, 9),
    }
    line = Decision.objects.filter(tournament=draft).latest("sequence")
    assert (line.action, line.reason, line.actor) == ("round.arranged", WHY, chief_arbiter)
    assert (line.before["boards"], line.after["boards"]) != ({}, {})
    assert Decision.objects.filter(tournament=draft, action="round.arranged").count() == 1


@pytest.mark.costly
def test_looking_writes_nothing_but_who_has_viewed_the_draft(
    chief: Client, draft: Tournament
) -> None:
    clicked(chief, draft)
    before = all_rows()
    page = clicked(chief, draft, 9, 6, 9, 9, 2, 8)
    for more in ("do=turn-1", f"mark={pk(draft, 7)}&do=out", "do=rest"):
        page = chief.get(f"{address(draft)}?m={fields(page)['m']}&{more}").content.decode()
    assert all_rows() == before
    assert DraftView.objects.filter(round__tournament=draft).count() == 1


@pytest.mark.costly
def test_c04_1_2_the_checks_of_the_changed_boards_are_beside_them(
    chief: Client, draft: Tournament
) -> None:
    met = next((white, black) for white, black, _ in boards(draft, 1) if {white, black} == {2, 6})
    page = clicked(chief, draft, 9, 6)
    assert set(met) == {2, 6}
    assert any("they have already played each other [C.04.1\xa02]" in line for line in checks(page))
    assert any(line.startswith("float: ") for line in checks(page))
    assert "differs from the engine’s pairing" in checks(page)
    assert "would end FIDE mode" in page
    undone = chief.get(html.unescape(re.findall(r'href="([^"]*)" data-swap>Undo<', page)[0]))
    assert checks(undone.content.decode()) == []


@pytest.mark.costly
def test_the_players_left_over_are_paired_by_the_engine(chief: Client, draft: Tournament) -> None:
    """Two boards are taken out; the engine pairs their players again,
    as it would pair them alone.
    """
    row = round_of(draft, 2)
    token = f"{pk(draft, 9)}o.{pk(draft, 6)}o"
    found = swapping(draft, row, token, Click(button="rest"))
    state, _ = snapshot(draft, 2)
    assert (found.refused, found.left) == (None, ())
    assert {*found.after.boards.values()} >= {(4, 1), (5, 3)}
    again = {frozenset(pair_) for pair_ in found.after.boards.values()} - {
        frozenset({4, 1}),
        frozenset({5, 3}),
    }
    assert again == {frozenset(pair_) for pair_ in pair(state).pairs} - {
        frozenset({4, 1}),
        frozenset({5, 3}),
    }
    assert swapping(draft, row, found.token).after == found.after
    assert swapping(draft, row, found.token_before).left == (2, 6, 7, 9)


def test_a_player_who_was_taken_out_gets_the_bye(draft: Tournament) -> None:
    row = round_of(draft, 2)
    out = swapping(draft, row, "", Click(pk(draft, 4), button="out"))
    assert out.left == (1, 4)
    found = swapping(draft, row, out.token, Click(pk(draft, 4), button="bye"))
    assert (found.refused, found.left, found.after.byes[4]) == (None, (1,), "U")
    assert swapping(draft, row, found.token).after == found.after


@pytest.mark.costly
def test_c04_1_3_an_odd_number_left_over_gets_the_bye_once(
    chief: Client, draft: Tournament
) -> None:
    """Player 8 asked for a bye and takes the place of 4: the engine gives 4 the bye;
    then nobody else can get it.
    """
    row = round_of(draft, 2)
    token = f"{pk(draft, 4)}x{pk(draft, 8)}"
    found = swapping(draft, row, token, Click(button="rest"))
    assert {tpn: letter for tpn, letter in found.after.byes.items() if letter == "U"} == {4: "U"}
    again = swapping(draft, row, found.token, Click(pk(draft, 4), pk(draft, 8)))
    assert (again.after.byes[8], again.after.boards[1]) == ("U", (4, 1))
    more = swapping(
        draft, row, f"{found.token}.{pk(draft, 7)}o.{pk(draft, 7)}u", Click(button="rest")
    )
    assert more.refused is not None
    assert more.refused.code == "change.two_allocated_byes"
    odd = swapping(draft, row, f"{pk(draft, 4)}o.{pk(draft, 4)}u", Click(button="rest"))
    assert odd.refused is not None
    assert odd.refused.code == "swap.one_too_many"
    assert swapping(draft, row, "", Click(button="rest")).refused is not None


@pytest.mark.costly
def test_c04_3_1_9_3_players_left_over_who_have_met_are_not_paired(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.play_rounds(tournament, [1], chief_arbiter)
    round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    white, black, _ = boards(tournament, 1)[0]
    partner = {tpn: other for a, b, _ in boards(tournament, 2) for tpn, other in ((a, b), (b, a))}
    together = f"{pk(tournament, partner[white])}x{pk(tournament, black)}"
    found = swapping(
        tournament,
        round_of(tournament, 2),
        f"{together}.{pk(tournament, white)}o",
        Click(button="rest"),
    )
    assert found.refused is not None
    assert (found.refused.code, found.refused.article) == ("swap.no_legal_pairing", "C.04.3 1.9.3")
    assert set(found.left) == {white, black}


def test_two_players_without_a_board_get_one_with_the_colours_of_the_rules(
    chief: Client, draft: Tournament
) -> None:
    row = round_of(draft, 2)
    found = swapping(draft, row, f"{pk(draft, 5)}o", Click(pk(draft, 3), pk(draft, 8)))
    assert found.refused is None
    assert {frozenset(pair_) for pair_ in found.after.boards.values()} >= {frozenset({3, 8})}
    assert found.left == (5,)


@pytest.mark.costly
def test_nobody_loses_a_place_without_a_warning(chief: Client, draft: Tournament) -> None:
    page = chief.get(f"{address(draft)}?m={pk(draft, 4)}o").content.decode()
    assert "2 players are left over and would get no points" in page
    chief.post(address(draft), {**fields(page), "reason": WHY})
    assert byes(draft, 2) == {1: "Z", 4: "Z", 8: "H"}


@pytest.mark.costly
@pytest.mark.parametrize(
    "token", ["x", "1x2", "9999999999999999999o", "c0", "_", "%00", "." * 500, "c1_c1.c77"]
)
def test_an_address_that_does_not_fit_the_draft_changes_nothing(
    chief: Client, draft: Tournament, token: str
) -> None:
    response = chief.get(
        address(draft), {"m": token, "mark": "x", "with": "9" * 400, "do": "turn-99"}
    )
    assert response.status_code == 200
    assert "this change no longer fits" in response.content.decode()
    version = {"version": draft.version, "reason": WHY, "m": token}
    assert chief.post(address(draft), version).status_code == 409
    assert boards(draft, 2)[0] == (4, 1, "")


@pytest.mark.costly
def test_no_change_beyond_the_last_that_can_wait_is_lost_in_silence(
    chief: Client, draft: Tournament
) -> None:
    full = ".".join(["c1"] * 100)
    page = chief.get(address(draft), {"m": full, "do": "turn-2"}).content.decode()
    assert "at most 100 unsaved changes" in page
    assert "100 unsaved changes" in page
    sent = {"m": f"{full}.c2", "version": draft.version, "reason": WHY}
    assert chief.post(address(draft), sent).status_code == 409


def test_the_row_of_a_check_is_as_wide_as_a_board_without_the_columns_a_phone_hides(
    chief: Client, draft: Tournament
) -> None:
    page = chief.get(f"{address(draft)}?m=c1").content.decode()
    board, check = (
        re.findall(r"<t[hd][^>]*>", row) for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)[1:3]
    )
    for row in (
        [*board],
        [cell for cell in board if "history" not in cell and "score" not in cell],
    ):
        cells = [cell for cell in check if row == board or "history" not in cell]
        spans = [re.search(r'colspan="(\d)"', cell) for cell in cells]
        assert sum(int(span[1]) if span else 1 for span in spans) == len(row)


@pytest.mark.costly
def test_c04_3_1_9_3_only_the_chief_arbiter_arranges(
    client: Client, draft: Tournament, deputy: User
) -> None:
    client.force_login(deputy)
    page = client.get(address(draft))
    assert (page.status_code, "data-player" in page.content.decode()) == (200, False)
    assert "data-player" not in client.get(reverse("round", args=[draft.slug, 2])).content.decode()
    sent = {"m": f"{pk(draft, 9)}x{pk(draft, 6)}", "version": draft.version, "reason": WHY}
    assert client.post(address(draft), sent).status_code == 403
    assert boards(draft, 2)[0] == (4, 1, "")


@pytest.mark.costly
def test_c04_2_3_2_a_withdrawn_player_gets_no_place(
    chief: Client, after_withdrawal: Tournament
) -> None:
    """The page does not name a withdrawn player, but an old or a written address may."""
    gone, other = pk(after_withdrawal, 8), pk(after_withdrawal, 1)
    before = boards(after_withdrawal, 2), Decision.objects.count()
    for token in (f"{gone}x{other}", f"{other}o_{gone}v{other}"):
        page = chief.get(address(after_withdrawal), {"m": token}).content.decode()
        assert (
            f"These players cannot be paired in this round: {entry_of(after_withdrawal, 8).name}."
            in page
        )
        assert rows(page) == rows(chief.get(address(after_withdrawal)).content.decode())
    assert (boards(after_withdrawal, 2), Decision.objects.count()) == before


@pytest.mark.costly
def test_a_reason_is_needed_and_the_changes_stay(chief: Client, draft: Tournament) -> None:
    sent = fields(clicked(chief, draft, 9, 6))
    response = chief.post(address(draft), {**sent, "reason": " "})
    assert response.status_code == 400
    assert "Enter a reason" in response.content.decode()
    assert fields(response.content.decode())["m"] == sent["m"]


@pytest.mark.costly
def test_a_stale_page_is_refused_with_what_others_did(
    chief: Client, draft: Tournament, chief_arbiter: User, deputy: User
) -> None:
    sent = fields(clicked(chief, draft, 9, 6))
    round_unpair(round_id=round_of(draft, 2).pk, actor=deputy, now=NOW)
    round_pair(round_id=round_of(draft, 2).pk, actor=deputy, now=NOW)
    response = chief.post(address(draft), {**sent, "reason": WHY})
    text = response.content.decode()
    assert response.status_code == 409
    assert "round paired" in text
    assert deputy.get_full_name() in text or deputy.get_username() in text
    assert boards(draft, 2)[0] == (4, 1, "")
    assert chief.post(address(draft), {**fields(text), "reason": WHY}).status_code == 302
    assert chief.post(address(draft), {**fields(text), "reason": WHY}).status_code == 409


@pytest.mark.costly
def test_a_click_on_a_stale_page_names_what_others_did(
    chief: Client, draft: Tournament, deputy: User
) -> None:
    page = clicked(chief, draft, 9)
    round_unpair(round_id=round_of(draft, 2).pk, actor=deputy, now=NOW)
    round_pair(round_id=round_of(draft, 2).pk, actor=deputy, now=NOW)
    text = chief.get(link(page, draft, 6)).content.decode()
    assert "Somebody else changed this in the meantime" in text
    assert "round paired" in text


def test_an_out_of_date_draft_is_not_arranged(
    chief: Client, draft: Tournament, chief_arbiter: User
) -> None:
    bye_request(entry_id=pk(draft, 7), round_number=2, kind="Z", actor=chief_arbiter, now=NOW)
    text = chief.get(address(draft)).content.decode()
    assert ("This draft is out of date" in text, "Only the Chief Arbiter" in text) == (True, False)


@pytest.mark.costly
def test_the_back_button_does_not_make_saved_changes_again(
    chief: Client, draft: Tournament
) -> None:
    """The address of the page before has the changes:
    on the new draft they would take back what was saved.
    """
    before = link(clicked(chief, draft, 9), draft, 6)
    assert (
        chief.post(
            address(draft), {**fields(chief.get(before).content.decode()), "reason": WHY}
        ).status_code
        == 302
    )
    back = chief.get(before, follow=True)
    assert back.redirect_chain == [(reverse("round", args=[draft.slug, 2]), 302)]
    assert "Your changes to this draft are saved already." in back.content.decode()


@pytest.mark.costly
def test_c04_2_4_4_a_published_round_is_not_arranged(
    chief: Client, draft: Tournament, chief_arbiter: User
) -> None:
    page = clicked(chief, draft, 9)
    sent = fields(chief.get(link(page, draft, 6)).content.decode())
    round_publish(
        round_id=round_of(draft, 2).pk, actor=chief_arbiter, now=NOW, cut_short=factories.CUT_SHORT
    )
    assert "data-player" not in chief.get(link(page, draft, 6)).content.decode()
    part = chief.get(link(page, draft, 6), headers={"HX-Request": "true"})
    assert part.headers["HX-Redirect"] == reverse("round", args=[draft.slug, 2])
    assert chief.post(address(draft), {**sent, "reason": WHY}).status_code == 409
    draft.refresh_from_db()
    newest = chief.post(address(draft), {**sent, "version": draft.version, "reason": WHY})
    assert newest.status_code == 409
    assert "C.04.2 4.4" in newest.content.decode()


@pytest.mark.costly
def test_htmx_gets_only_the_part_with_what_to_say(chief: Client, draft: Tournament) -> None:
    url = f"{address(draft)}?version={draft.version}&mark={pk(draft, 9)}&with={pk(draft, 6)}"
    text = chief.get(url, headers={"HX-Request": "true"}).content.decode()
    assert text.lstrip().startswith('<div id="arranging"')
    match = re.search(r'data-summary="([^"]*)"', text)
    assert match is not None
    assert " ⇄ " in match[1]
    assert "already played each other" in html.unescape(match[1])


@pytest.mark.costly
def test_what_takes_a_mark_or_changes_along_is_fetched_by_htmx(
    chief: Client, draft: Tournament
) -> None:
    page = chief.get(reverse("round", args=[draft.slug, 2])).content.decode()
    sent = re.findall(
        r'<a [^>]*data-swap[^>]*href="([^"]*)"|<a [^>]*href="([^"]*)"[^>]*data-swap', page
    )
    addresses = [html.unescape(first or second) for first, second in sent]
    assert addresses
    assert {each.partition("?")[0] for each in addresses} == {address(draft)}
    news = re.search(r'<div id="round-news"[^>]*hx-get="([^"]*)"', page)
    assert news is not None
    part = chief.get(html.unescape(news[1]), headers={"HX-Request": "true"})
    assert (part.status_code, part.content) == (204, b"")
    old = chief.get(
        reverse("round", args=[draft.slug, 2]), {"v": "old"}, headers={"HX-Request": "true"}
    ).content.decode()
    assert old.lstrip().startswith('<div id="round-news"')
    assert old.count('id="round-news"') == 1


@pytest.mark.costly
@pytest.mark.on_postgres("somebody else comes first")
@pytest.mark.django_db(transaction=True)
def test_two_windows_save_at_once_and_one_of_them_is_refused(chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=8)
    round_pair(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=NOW)
    tournament.refresh_from_db()
    url = reverse("round-swap", args=[tournament.slug, 1])
    clients = [Client(), Client()]
    for each in clients:
        each.force_login(chief_arbiter)
    first, second = ({"m": f"c{n}", "version": tournament.version, "reason": WHY} for n in (1, 2))
    answers = at_once(lambda: clients[0].post(url, first), lambda: clients[1].post(url, second))
    assert sorted(getattr(answer, "status_code", answer) for answer in answers) == [302, 409]
    assert Decision.objects.filter(tournament=tournament, action="round.arranged").count() == 1
