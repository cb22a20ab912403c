"""Changing published pairings in the browser without script [C.04.2/2026 4.4]."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_check_in
from tournaments.models import Entry, Round, Tournament
from tournaments.reports.trf_export import trf_export

WHY = "she had told us by telephone"


@pytest.fixture
@factories.cached
def odd(chief_arbiter: User) -> Tournament:
    """Seven players, pairings of round 1 published: 1-4, 5-2, 3-6 and the bye for 7."""
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    return tournament


@pytest.fixture
def late(odd: Tournament, chief_arbiter: User) -> Entry:
    return entry_add(
        tournament_id=odd.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        name="Late, Lara",
        checked_in=True,
    )


def address(tournament: Tournament, query: str = "") -> str:
    return reverse("round-change", args=[tournament.slug, 1]) + query


def pk(tournament: Tournament, tpn: int) -> int:
    return factories.entry_of(tournament, tpn).pk


class TestPublished:
    def test_c04_2_4_4_the_page_lists_the_situations(
        self, odd: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        text = client.get(address(odd)).content.decode()
        assert text.count('name="situation"') == 5
        assert text.count("disabled") == 5
        assert (
            "No late entry has arrived: first enter the player, or mark the player as arrived."
        ) in text
        assert "Late entries who have not arrived" not in text

    @pytest.mark.costly
    def test_c04_2_2_4_a_late_entry_who_has_not_arrived_is_not_offered(
        self, odd: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        late = entry_add(
            tournament_id=odd.pk, actor=chief_arbiter, now=factories.NOW, name="Late, Lara"
        )
        client.force_login(chief_arbiter)
        waiting = reverse("entries", args=[odd.slug]) + "?shown=not-checked-in"
        response = client.get(address(odd))
        text = response.content.decode()
        assert text.count("disabled") == 5
        assert "Late entries who have not arrived cannot be paired:" in text
        assert waiting in text
        assert response.context["late"] == []
        # A page from before the tick was taken away, or an address typed by hand.
        seventh = pk(odd, 7)
        url = address(odd, f"?situation=4.4.4&p={late.pk}&p={seventh}")
        odd.refresh_from_db()
        form = {
            "w-4": seventh,
            "b-4": late.pk,
            "left": "Z",
            "reason": WHY,
            "consent": [seventh, late.pk],
        }
        form |= {"version": odd.version, "witness": "Wilma Witness", "save": "yes"}
        response = client.post(url, form)
        assert response.status_code == 409
        assert response.context["problem"].remedy[0] == waiting
        assert (
            "Late entries are paired only after they arrive: Late, Lara."
            in response.content.decode()
        )
        assert factories.boards(odd, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, "")]

    @pytest.mark.costly
    def test_c04_2_4_4_4_a_late_entry_is_admitted_on_the_pages(
        self, odd: Tournament, late: Entry, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        assert (
            client.get(address(odd)).content.decode().count("disabled") == 3
        )  # 4.4.3 too: two are alone
        seventh = pk(odd, 7)
        url = address(odd, f"?situation=4.4.4&p={late.pk}&p={seventh}")
        rows = client.get(url).context["rows"]
        assert [(row.board, {row.white, row.black}) for row in rows] == [(4, {late.pk, seventh})]
        form = {"w-4": seventh, "b-4": late.pk, "left": "Z", "reason": WHY, "version": odd.version}
        odd.refresh_from_db()
        form["version"] = odd.version
        text = client.post(url, {**form, "show": "yes"}).content.decode()
        assert "Some of the players involved have not agreed" in text
        assert "Save change" not in text
        form["consent"] = [seventh, late.pk]  # type: ignore[assignment]
        text = client.post(url, {**form, "show": "yes"}).content.decode()
        assert "The basic rules are met" in text
        assert "Save change" in text
        assert factories.boards(odd, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, "")]
        response = client.post(
            url, {**form, "witness": "Wilma Witness", "save": "yes"}, follow=True
        )
        assert "The change is saved and is in the record." in response.content.decode()
        assert factories.boards(odd, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, ""), (7, 8, "")]

    def test_c04_2_4_4_4_the_situation_alone_names_who_is_admitted(
        self, odd: Tournament, late: Entry, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        named = client.get(address(odd, "?situation=4.4.4&go=on"))
        ticked = client.get(address(odd, f"?situation=4.4.4&p={late.pk}&p={pk(odd, 7)}"))
        assert "Round 1: change the published pairings" in named.content.decode()
        assert named.context["choice"] == ticked.context["choice"]
        assert named.context["rows"] == ticked.context["rows"]

    @pytest.mark.parametrize(
        "query", ["?go=on", "?go=on&situation=4.4.1", "?go=on&situation=nonsense"]
    )
    def test_c04_2_4_4_ticking_nobody_is_refused(
        self, odd: Tournament, client: Client, chief_arbiter: User, query: str
    ) -> None:
        client.force_login(chief_arbiter)
        expected = "Tick the boards and players that change, then continue."
        assert expected in client.get(address(odd, query)).content.decode()
        assert expected not in client.get(address(odd)).content.decode()

    @pytest.mark.costly
    def test_c04_2_4_4_the_public_page_shows_the_change_and_its_time(
        self, odd: Tournament, late: Entry, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        seventh = pk(odd, 7)
        url = address(odd, f"?situation=4.4.4&p={late.pk}&p={seventh}")
        form = {
            "w-4": seventh,
            "b-4": late.pk,
            "left": "Z",
            "reason": WHY,
            "consent": [seventh, late.pk],
        }
        odd.refresh_from_db()
        form |= {"version": odd.version, "witness": "Wilma Witness"}
        client.post(url, {**form, "save": "yes"})
        client.logout()
        text = client.get(reverse("pairings-public", args=[odd.slug, 1])).content.decode()
        assert "(version 2)</strong>[C.04.2 4.4.4]" in tidy(text)
        assert "Late, Lara" in text
        assert WHY not in text
        assert WHY not in client.get(reverse("record", args=[odd.slug])).content.decode()
        assert "### MPA @ Round 1: boards 4, C.04.2 4.4.4" in trf_export(odd, public=True)

    @pytest.mark.costly
    def test_c04_2_4_4_4_the_consents_have_a_time_and_a_witness_for_arbiters(
        self, odd: Tournament, late: Entry, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        seventh = pk(odd, 7)
        url = address(odd, f"?situation=4.4.4&p={late.pk}&p={seventh}")
        page = client.get(url).content.decode()
        witness = re.search(r'<input[^>]*name="witness"[^>]*>', page)
        assert witness is not None
        assert ("value=" in witness[0], "required" in witness[0]) == (False, True)
        labels = {
            text: "required" in text for text in re.findall(r"<label for=.*?</label>", tidy(page))
        }
        values = {text.split(">")[1].split("<")[0]: required for text, required in labels.items()}
        # The action asks for the witness alone.
        assert (values["Witness"], values["When they agreed"]) == (True, False)
        form = {
            "w-4": seventh,
            "b-4": late.pk,
            "left": "Z",
            "reason": WHY,
            "consent": [seventh, late.pk],
        }
        odd.refresh_from_db()
        form |= {"version": odd.version, "witness": "Wilma Witness", "save": "yes"}
        assert client.post(url, form | {"consented_at": "soon"}).status_code == 422
        refused = client.post(url, form | {"consented_at": "2199-01-01T10:00"})
        assert refused.status_code == 400
        assert "The players cannot have agreed in the future" in refused.content.decode()
        refused = client.post(url, form | {"consented_at": "2026-11-21T08:59"})
        assert refused.status_code == 400
        assert "before the pairings of round 1 were published" in refused.content.decode()
        refused = client.post(url, form | {"witness": ""})
        assert refused.status_code == 400
        assert (
            "Enter the name of the person who heard the players agree." in refused.content.decode()
        )
        assert factories.byes(odd, 1) == {7: "U"}
        client.post(url, form | {"consented_at": "2026-11-21T10:07"})
        values = "Abara, Player 1 agreed"
        for name in ("record", "event-report"):
            body = tidy(client.get(reverse(name, args=[odd.slug])).content.decode())
            assert "Late, Lara agreed on 21 Nov 2026, 10:07; witness: Wilma Witness" in body
            assert values not in body
        client.logout()
        for name in ("record", "record-file", "pairings-public"):
            args = [odd.slug, *([1] if name == "pairings-public" else [])]
            assert "Wilma" not in client.get(reverse(name, args=args)).content.decode()

    def test_c04_2_4_4_a_situation_that_does_not_hold_is_refused_with_its_article(
        self, odd: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = address(odd, "?situation=4.4.5&b=1&b=2")
        four = {tpn: pk(odd, tpn) for tpn in (1, 2, 4, 5)}
        form = {
            "w-1": four[1],
            "b-1": four[2],
            "w-2": four[5],
            "b-2": four[4],
            "left": "Z",
            "reason": WHY,
        }
        response = client.post(url, {**form, "save": "yes"})
        assert response.status_code == 409
        assert "Round 1 is not the last round. (C.04.2 4.4.5)" in response.content.decode()
        assert factories.boards(odd, 1) == [(1, 4, ""), (5, 2, ""), (3, 6, "")]

    def test_c04_2_4_4_a_deputy_reads_that_it_is_for_the_chief_arbiter(
        self, odd: Tournament, client: Client, deputy: User
    ) -> None:
        client.force_login(deputy)
        text = client.get(address(odd)).content.decode()
        assert "Only the Chief Arbiter can change published pairings." in text
        url = address(odd, "?situation=4.4.5&b=1")
        form = {"w-1": pk(odd, 4), "b-1": pk(odd, 1), "left": "Z", "reason": WHY, "save": "yes"}
        assert client.post(url, form).status_code == 403

    def test_c04_2_4_4_3_the_two_players_without_an_opponent_are_already_listed(
        self, odd: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        odd.rounds.get(number=1).games.filter(board=2).update(result="+-")
        client.force_login(chief_arbiter)
        page = client.get(address(odd, f"?situation=4.4.3&b=2&p={pk(odd, 7)}"))
        rows = page.context["rows"]
        assert [(row.board, row.white, row.black) for row in rows] == [(2, pk(odd, 5), pk(odd, 7))]
        # The player who lost by forfeit is not there to agree.
        consenting = re.findall(r'name="consent"\s+value="(\d+)"', page.content.decode())
        assert sorted(map(int, consenting)) == sorted([pk(odd, 5), pk(odd, 7)])


class TestFinding:
    """The list of boards to tick, searched without script; 1-5, 6-2, 3-7, 8-4 are the boards."""

    @pytest.mark.parametrize(
        "words, boards",
        [
            ("player 7", [3]),
            ("lind", []),
            ("ERI", [1]),
            ("7", [3]),
            ("99999999999999999999", []),
            ("", [1, 2, 3, 4]),
        ],
    )
    def test_boards_are_found_by_name_tpn_and_board(
        self, draft_round: Round, client: Client, chief_arbiter: User, words: str, boards: list[int]
    ) -> None:
        client.force_login(chief_arbiter)
        response = client.get(address(draft_round.tournament), {"q": words, "find": "on"})
        assert [line.board for line in response.context["page"].boards] == boards
        assert ("No player matches your search." in response.content.decode()) is (boards == [])

    @pytest.mark.costly
    def test_a_number_is_that_of_a_player_and_that_of_a_board(
        self, played_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        """In round 2 player 3 has board 2, and player 7 board 4."""
        tournament = played_round.tournament
        round_pair(
            round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
        )
        client.force_login(chief_arbiter)
        url = reverse("round-change", args=[tournament.slug, 2])
        found = {
            n: client.get(url, {"q": n, "find": "on"}).context["page"].boards for n in (2, 3, 7)
        }
        assert {n: [line.board for line in lines] for n, lines in found.items()} == {
            2: [2],
            3: [2, 3],
            7: [4],
        }

    @pytest.mark.costly
    def test_what_is_ticked_stays_ticked_and_in_the_list(
        self, draft_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = draft_round.tournament
        client.force_login(chief_arbiter)
        response = client.get(address(tournament, "?b=4&q=eri&find=on"))
        assert [line.board for line in response.context["page"].boards] == [1, 4]
        assert ticked(response.content.decode()) == ["4"]
        everybody = client.get(address(tournament, "?b=4&b=1&q=eri&find=all"))
        assert [line.board for line in everybody.context["page"].boards] == [1, 2, 3, 4]
        assert ticked(everybody.content.decode()) == ["1", "4"]
        chosen = client.get(address(tournament, "?b=4&b=1&q=eri&go=on"))
        assert chosen.context["choice"].boards == (1, 4)
        back = client.get(chosen.context["back"])
        assert (
            f'<a href="{chosen.context["back"].replace("&", "&amp;")}">' in chosen.content.decode()
        )
        assert (back.context["q"], ticked(back.content.decode())) == ("eri", ["1", "4"])

    def test_c04_2_4_4_the_situation_and_the_late_entry_stay_during_a_search(
        self, odd: Tournament, late: Entry, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        bye, query = pk(odd, 7), "?situation=4.4.4&find=on&q=nobody&p="
        response = client.get(address(odd, f"{query}{late.pk}&p={bye}"))
        text = response.content.decode()
        assert (len(response.context["late"]), len(response.context["page"].byes)) == (1, 1)
        assert sorted(ticked(text)) == sorted(["4.4.4", str(late.pk), str(bye)])
        assert response.context["page"].boards == ()
        response = client.get(address(odd, f"{query}{bye}"))
        assert response.context["late"] == []


def ticked(text: str) -> list[str]:
    """Return the values of the ticked boxes, in the order of the page."""
    return re.findall(
        r'<input type="(?:checkbox|radio)" name="\w+" value="([^"]+)"[^>]* checked>', tidy(text)
    )


class TestAgainstTheEngine:
    def test_c04_2_1_5_a_round_without_changes_has_no_differences(
        self, played_round: Round, client: Client
    ) -> None:
        text = client.get(
            reverse("against-engine", args=[played_round.tournament.slug])
        ).content.decode()
        assert "All 4 boards match the engine’s pairing." in text

    @pytest.mark.costly
    def test_c04_2_1_5_boards_unlike_the_engines_are_listed_with_their_decision(
        self, draft_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = draft_round.tournament
        url = reverse("against-engine", args=[tournament.slug])
        client.force_login(chief_arbiter)
        form = {
            "w-1": pk(tournament, 5),
            "b-1": pk(tournament, 1),
            "left": "Z",
            "reason": WHY,
            "save": "yes",
        }
        tournament.refresh_from_db()
        client.post(address(tournament, "?b=1"), {**form, "version": tournament.version})
        client.logout()
        assert "No pairings are published yet." in client.get(url).content.decode()
        round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=factories.NOW)
        response = client.get(url)
        text = response.content.decode()
        assert "1 of 4 boards differs from the engine’s pairing." in text
        french = client.get(url, headers={"Accept-Language": "fr"}).content.decode()
        assert "1 échiquier sur 4 diffère de l’appariement du programme." in french
        assert "draft arranged by hand [C.04.3 1.9.3]" in tidy(text)
        assert [line.board for line in response.context["rounds"][0].deviations] == [1]
        assert "MPA @ Round 1: boards 1, C.04.3 1.9.3" in trf_export(tournament, public=True)


@pytest.mark.costly
@pytest.mark.parametrize(
    "language, expected",
    [
        (
            "en",
            (
                "No two of these players can play each other: they have met before, or are more "
                "than one win apart"
            ),
        ),
        ("fr", "Aucun de ces joueurs ne peut jouer contre un autre"),
    ],
)
def test_c04_2_4_4_3_the_page_says_why_it_proposes_no_board(
    client: Client, chief_arbiter: User, language: str, expected: str
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=8)
    factories.play_rounds(tournament, [1], chief_arbiter)
    one, other, _ = factories.boards(tournament, 1)[0]
    for tpn in (one, other):
        bye_request(
            entry_id=pk(tournament, tpn),
            round_number=2,
            kind="Z",
            actor=chief_arbiter,
            now=factories.NOW,
        )
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    client.force_login(chief_arbiter)
    url = reverse("round-change", args=[tournament.slug, 2]) + "?situation=4.4.3&go=on"
    page = client.get(url, headers={"Accept-Language": language})
    assert (page.context["choice"].suggested, expected in page.content.decode()) == (None, True)


@pytest.mark.costly
def test_c04_2_4_4_4_the_late_entry_can_be_chosen_although_only_a_board_is_ticked(
    odd: Tournament, late: Entry, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    page = client.get(address(odd, "?situation=4.4.4&b=1&go=on"))
    text = page.content.decode()
    assert page.context["choice"].suggested is None
    assert "No change of these boards gives the late entry a place." in text
    assert {entry.pk for entry in page.context["choice"].pool} == {pk(odd, 1), pk(odd, 4), late.pk}
    form = {
        "w-1": late.pk,
        "b-1": pk(odd, 1),
        f"left-{pk(odd, 4)}": "Z",
        "reason": WHY,
        "show": "yes",
    }
    shown = client.post(address(odd, "?situation=4.4.4&b=1&go=on"), form)
    assert [(row.board, row.white) for row in shown.context["rows"]] == [(1, late.pk)]
    found = client.get(address(odd, "?situation=4.4.4&go=on"))
    assert found.context["choice"].suggested is not None
    assert "gives the late entry a place" not in found.content.decode()
    entry_check_in(entry_id=late.pk, actor=chief_arbiter, now=factories.NOW, checked_in=False)
    gone = client.get(address(odd, "?situation=4.4.4&b=1&go=on"))
    assert late.pk not in {entry.pk for entry in gone.context["choice"].pool}
    assert (
        "No late entry has arrived: first enter the player, or mark the player"
    ) in gone.content.decode()
