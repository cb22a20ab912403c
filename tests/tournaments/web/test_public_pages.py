"""The pages for players: search by name, cheap repeated requests, both languages."""

from __future__ import annotations

import re

import brotli
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.engine.systems import SYSTEMS
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.core.frame import state_key
from tournaments.entries.entries import entry_add
from tournaments.models import Decision, Game, Round, Tournament

HTMX = {"HX-Request": "true"}


def pairings_of(round_: Round) -> str:
    return reverse("pairings-public", args=[round_.tournament.slug, round_.number])


class TestRepeatedRequests:
    """A hall full of phones requests the same page again and again."""

    def test_an_unchanged_page_is_not_sent_again(
        self, published_round: Round, client: Client
    ) -> None:
        url = pairings_of(published_round)
        first = client.get(url)
        assert first.headers["Cache-Control"] == "public, max-age=2"
        again = client.get(url, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        among_others = client.get(
            url, headers={"If-None-Match": f'"other", {first.headers["ETag"]}'}
        )
        assert among_others.status_code == 304

    def test_an_action_makes_a_new_page(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        url = pairings_of(published_round)
        tag = client.get(url).headers["ETag"]
        factories.enter_results(published_round.tournament, 1, chief_arbiter)
        results_publish(round_id=published_round.pk, actor=chief_arbiter, now=factories.NOW)
        response = client.get(url, headers={"If-None-Match": tag})
        assert response.status_code == 200
        assert response.headers["ETag"] != tag

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "name, where",
        [
            ("tournament", []),
            ("players", []),
            ("player-page", [1]),
            ("pairings-public", [2]),
            ("standings", []),
            ("player-standing", [1, 1]),
            ("crosstable", []),
            ("progress", []),
            ("prizes", []),
            ("record", []),
            ("against-engine", []),
            ("trf-export", []),
            ("fingerprints", []),
            ("record-file", []),
        ],
    )
    def test_c04_2_4_2_an_unpublished_result_changes_no_page(
        self, played_round: Round, client: Client, chief_arbiter: User, name: str, where: list[int]
    ) -> None:
        """Phones need not fetch anything while results come in,
        because their page is still the newest one.
        """
        tournament = played_round.tournament
        round_ = factories.pair_and_publish(tournament, 2, chief_arbiter)
        if name.startswith("player-"):
            where = [*where[:-1], factories.entry_of(tournament, where[-1]).pk]
        url = reverse(name, args=[tournament.slug, *where])
        before = client.get(url)
        factories.enter_results(tournament, 2, chief_arbiter)
        assert client.get(url, headers={"If-None-Match": before.headers["ETag"]}).status_code == 304
        forget_pages()
        rendered = client.get(url)
        assert (rendered.content, rendered.headers["ETag"]) == (
            before.content,
            before.headers["ETag"],
        )
        results_publish(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
        assert client.get(url).headers["ETag"] != before.headers["ETag"]

    def test_a_result_of_an_adjourned_game_makes_a_new_page(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        """[C.04.2/2026 3.1] The results of its round are public, so this result is public too."""
        results_publish(
            round_id=published_round.pk,
            actor=chief_arbiter,
            now=factories.NOW,
            adjourning=[1, 2, 3, 4],
        )
        tag = client.get(pairings_of(published_round)).headers["ETag"]
        game = published_round.games.get(board=1)
        result_record(
            game_id=game.pk, result="10", actor=chief_arbiter, now=factories.NOW, confirmed=True
        )
        assert client.get(pairings_of(published_round)).headers["ETag"] != tag

    @pytest.mark.costly
    def test_data_shared_by_the_pages_of_players_is_read_again_after_a_round(
        self, played_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        url = factories.player_address(played_round.tournament, 1)
        before, again = client.get(url).text, client.get(url).text
        factories.play_rounds(played_round.tournament, [2], chief_arbiter)
        after = client.get(url).text
        assert before == again
        assert "After round 1: rank 1 with 1 point." in " ".join(before.split())
        assert "After round 2: rank 1 with 2 points." in " ".join(after.split())

    def test_an_arbiters_open_page_changes_like_that_of_everybody(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = pairings_of(published_round)
        tournament = published_round.tournament
        tournament.refresh_from_db()
        known = state_key(tournament, runs=False)
        assert client.get(url, {"v": known}, headers=HTMX).status_code == 204
        factories.enter_results(tournament, 1, chief_arbiter)
        assert client.get(url, {"v": known}, headers=HTMX).status_code == 204
        results_publish(round_id=published_round.pk, actor=chief_arbiter, now=factories.NOW)
        assert client.get(url, {"v": known}, headers=HTMX).status_code == 200

    def test_each_language_and_each_part_is_a_page_of_its_own(
        self, published_round: Round, client: Client
    ) -> None:
        url = pairings_of(published_round)
        answers = [
            client.get(url),
            client.get(url, headers=HTMX),
            client.get(url, headers={"Accept-Language": "fr"}),
            client.get(url, {"order": "name"}),
        ]
        assert len({answer.headers["ETag"] for answer in answers}) == 4
        assert len({answer.content for answer in answers}) == 4
        for answer in answers:
            assert {"HX-Request", "Cookie", "Accept-Language", "Accept-Encoding"} <= set(
                answer.headers["Vary"].split(", ")
            )

    def test_a_cached_page_takes_one_query(
        self,
        published_round: Round,
        client: Client,
        django_assert_num_queries: pytest.FixtureRequest,
    ) -> None:
        url = pairings_of(published_round)
        first = client.get(url)
        with django_assert_num_queries(1):  # type: ignore[operator]
            again = client.get(url)
        assert again.content == first.content

    def test_a_phone_gets_a_compressed_page(self, published_round: Round, client: Client) -> None:
        url = pairings_of(published_round)
        plain = client.get(url)
        packed = client.get(url, headers={"Accept-Encoding": "gzip, br"})
        assert packed.headers["Content-Encoding"] == "br"
        assert brotli.decompress(packed.content) == plain.content
        assert packed.headers["ETag"] == plain.headers["ETag"]

    def test_no_cookie_and_no_form_token_for_visitors(
        self, published_round: Round, client: Client
    ) -> None:
        response = client.get(pairings_of(published_round))
        assert response.cookies == {}
        assert "csrf" not in response.content.decode().lower()

    def test_a_page_that_polls_gets_204_without_news(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = published_round.tournament
        tournament.refresh_from_db()
        url = pairings_of(published_round)
        page = client.get(url).content.decode()
        known = state_key(tournament, runs=False)
        assert f'hx-get="{url}?v={known}" hx-trigger="news"' in tidy(page)
        assert client.get(url, {"v": known}, headers=HTMX).status_code == 204
        factories.enter_results(tournament, 1, chief_arbiter)
        assert client.get(url, {"v": known}, headers=HTMX).status_code == 204
        results_publish(round_id=published_round.pk, actor=chief_arbiter, now=factories.NOW)
        news = client.get(url, {"v": known}, headers=HTMX)
        assert news.content.decode().strip().startswith('<div id="live"')
        # Without htmx the address is an ordinary page.
        assert client.get(url, {"v": tournament.version + 4}).status_code == 200

    def test_a_logged_in_user_gets_the_page_of_everybody(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        visitor = client.get(pairings_of(published_round))
        client.force_login(chief_arbiter)
        response = client.get(pairings_of(published_round))
        assert (response.content, response.headers["ETag"]) == (
            visitor.content,
            visitor.headers["ETag"],
        )


class TestMyName:
    def test_a_player_is_found_by_the_beginning_of_a_name(
        self, published_round: Round, client: Client
    ) -> None:
        response = client.get(pairings_of(published_round), {"q": "fab"})
        assert [line.player.name for line in response.context["names"]] == ["Fabre, Player 6"]
        (line,) = response.context["names"]
        white, black, _ = factories.boards(published_round.tournament, 1)[line.board - 1]
        assert (line.player.tpn, line.opponent.tpn) == (
            (white, black) if line.colour == "w" else (black, white)
        )
        assert f"Board {line.board}" in tidy(response.content.decode())

    @pytest.mark.parametrize("words", ["angstrom", "ÅNGSTRÖM a", "asa ang", "9"])
    def test_the_search_ignores_accents_and_word_order_and_finds_numbers(
        self, words: str, ready: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        entry_add(
            tournament_id=ready.pk, actor=chief_arbiter, now=factories.NOW, name="Ångström, Åsa"
        )
        client.force_login(chief_arbiter)
        ready.refresh_from_db()
        client.post(reverse("numbers", args=[ready.slug]), {"seen_version": ready.version})
        client.logout()
        factories.pair_and_publish(ready, 1, chief_arbiter)
        url = reverse("pairings-public", args=[ready.slug, 1])
        assert [line.player.name for line in client.get(url, {"q": words}).context["names"]] == [
            "Ångström, Åsa"
        ]

    def test_a_bye_is_found_too(
        self, ready: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        entry_add(tournament_id=ready.pk, actor=chief_arbiter, now=factories.NOW, name="Zeta, Zoe")
        client.force_login(chief_arbiter)
        ready.refresh_from_db()
        client.post(reverse("numbers", args=[ready.slug]), {"seen_version": ready.version})
        client.logout()
        factories.pair_and_publish(ready, 1, chief_arbiter)
        url = reverse("pairings-public", args=[ready.slug, 1])
        assert factories.byes(ready, 1) == {9: "U"}
        assert "Pairing-allocated bye" in client.get(url, {"q": "zeta"}).content.decode()

    def test_an_unknown_name_finds_nobody(self, published_round: Round, client: Client) -> None:
        text = client.get(pairings_of(published_round), {"q": "nobody"}).content.decode()
        assert "No player matches your search." in text

    def test_the_list_by_name_has_everybody_once(
        self, published_round: Round, client: Client
    ) -> None:
        names = client.get(pairings_of(published_round), {"order": "name"}).context["names"]
        assert [line.player.tpn for line in names] == [1, 2, 3, 4, 5, 6, 7, 8]

    def test_typed_text_is_escaped(self, published_round: Round, client: Client) -> None:
        text = client.get(
            pairings_of(published_round), {"q": "<script>alert(1)</script>"}
        ).content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


class TestStandings:
    @pytest.mark.costly
    def test_after_every_published_round(
        self, ready: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        factories.play_rounds(ready, [1, 2], chief_arbiter)
        latest = client.get(reverse("standings", args=[ready.slug]))
        first = client.get(reverse("standings-after", args=[ready.slug, 1]))
        assert "Standings after round 2" in latest.content.decode()
        assert "Standings after round 1" in first.content.decode()
        assert sorted(line.points for line in first.context["standings"].lines) == [
            0,
            0,
            0,
            0,
            10,
            10,
            10,
            10,
        ]
        assert [line.points for line in latest.context["standings"].lines][:2] == [20, 20]
        assert latest.context["standings"].lines[0].rank == 1

    @pytest.mark.costly
    def test_the_last_round_gives_the_final_standings(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_ready(chief_arbiter, players=4, rounds=1, name="Short")
        factories.play_rounds(tournament, [1], chief_arbiter)
        assert (
            "Standings after round"
            in client.get(reverse("standings", args=[tournament.slug])).content.decode()
        )


class TestOnPaper:
    def test_the_printed_page_has_no_hint_to_open_a_value(
        self, played_round: Round, client: Client
    ) -> None:
        text = client.get(
            reverse("standings", args=[played_round.tournament.slug])
        ).content.decode()
        hint = "Choose the points of a player to see how each tie-break is made up."
        assert f'<span class="only-screen">{hint}</span>' in text

    def test_the_printed_page_names_the_tie_breaks_and_no_article_of_its_numbers(
        self, played_round: Round, client: Client
    ) -> None:
        page = client.get(reverse("standings", args=[played_round.tournament.slug])).content
        names = re.search(r'<span class="only-print-inline">(.*?)</span>', page.decode(), re.DOTALL)
        assert names is not None
        assert "BH: Buchholz · " in names.group(1)
        assert re.search(r"numbers \w+\s+<span class=\"only-screen\">\[C\.04\.2", page.decode())

    @pytest.mark.parametrize("system", list(SYSTEMS))
    def test_the_foot_names_only_the_system_of_the_event(
        self, system: str, client: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_tournament(chief_arbiter, system=system)
        text = client.get(reverse("tournament", args=[tournament.slug])).content.decode()
        foot = text[text.index('<footer class="site-footer">') :]
        assert SYSTEMS[system].name in foot
        assert ("Implements the FIDE Dutch System 2026; not endorsed." in foot) == (
            system == "dutch_2026"
        )
        assert text.count("Implements the FIDE") == (1 if system == "dutch_2026" else 0)
        assert "ot endorsed" in foot

    def test_the_printed_list_names_its_publication_and_fingerprint(
        self, published_round: Round, client: Client
    ) -> None:
        decision = own(Decision).get(action="pairings.published", round_number=1)
        text = client.get(pairings_of(published_round)).content.decode()
        foot = text[text.index("print-foot") :]
        assert decision.hash in foot
        assert "Pairings published 21 Nov 2026, 09:00" in foot
        assert "Implements the FIDE Dutch System 2026; not endorsed." in foot


class TestRecord:
    def test_newest_first_with_the_end_of_the_chain(
        self, played_round: Round, client: Client
    ) -> None:
        response = client.get(reverse("record", args=[played_round.tournament.slug]))
        rows = list(response.context["record"].page)
        assert [row.sequence for row in rows] == list(range(len(rows), 0, -1))
        assert rows[0].hash in response.content.decode()

    @pytest.mark.costly
    def test_a_long_record_has_pages(
        self, published_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        game = Game.objects.filter(round=published_round).first()
        assert game is not None
        for i in range(110):
            result_record(
                game_id=game.pk, result=["10", "01"][i % 2], actor=chief_arbiter, now=factories.NOW
            )
        url = reverse("record", args=[published_round.tournament.slug])
        client.force_login(chief_arbiter)
        assert len(client.get(url).context["record"].page) == 100
        assert "page 2 of 2" in client.get(url, {"page": 2}).content.decode()
        for line, page in (("1", 2), ("3", 2), ("110", 1), ("999999", 1), ("0", 1), ("x", 1)):
            assert client.get(url, {"line": line}).context["record"].page.number == page

    def test_actions_of_a_draft_are_hidden_from_visitors(
        self, draft_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        url = reverse("record", args=[draft_round.tournament.slug])
        assert "round.paired" not in [row.action for row in client.get(url).context["record"].page]
        client.force_login(chief_arbiter)
        assert "round.paired" in [row.action for row in client.get(url).context["record"].page]


def test_the_file_for_download(played_round: Round, client: Client) -> None:
    response = client.get(reverse("trf-export", args=[played_round.tournament.slug]))
    assert response.headers["Content-Disposition"] == 'attachment; filename="autumn-open.trf"'
    assert response.content.decode().startswith("012 Autumn Open")


def test_the_system_is_declared(published_round: Round, client: Client) -> None:
    text = client.get(
        reverse("tournament", args=[published_round.tournament.slug])
    ).content.decode()
    assert "FIDE Dutch System 2026" in text
    assert "Implements the FIDE Dutch System 2026; not endorsed." in text


def test_the_language_is_changed_by_a_plain_link(published_round: Round, client: Client) -> None:
    url = reverse("tournament", args=[published_round.tournament.slug])
    english = client.get(url).content.decode()
    assert f'href="/language/fr/?next={url}"' in english
    back = client.get(reverse("language", args=["fr"]), {"next": url}, follow=True)
    assert back.redirect_chain == [(url, 302)]
    assert '<html lang="fr">' in back.content.decode()
