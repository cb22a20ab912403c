"""The correction pages in the browser, without script [C.04.2/2026 4.3]."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.core.frame import state_key
from tournaments.models import Correction, Game, Round, Tournament
from tournaments.web.rounds.forms import BECAUSE

LATE = 31


@pytest.fixture
def timed(chief_arbiter: User) -> Tournament:
    """Round 1 has just been played and published, round 2 is a draft;
    mistakes are reported within 30 minutes.
    """
    tournament = factories.make_ready(chief_arbiter, correction_minutes=30)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    factories.enter_results(tournament, 1, chief_arbiter)
    results_publish(
        round_id=factories.round_of(tournament, 1).pk, actor=chief_arbiter, now=timezone.now()
    )
    round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=timezone.now()
    )
    tournament.refresh_from_db()
    return tournament


def publish_earlier(tournament: Tournament, minutes: int) -> None:
    """Move the publication of the results of round 1 that many minutes back."""
    publish_at(tournament, timezone.now() - timedelta(minutes=minutes))


def publish_at(tournament: Tournament, at: datetime) -> None:
    """Move the publication of the results of round 1 to *at*,
    and with it the deadline for reports.
    """
    Round.objects.filter(tournament=tournament, number=1).update(results_published_at=at)
    Tournament.objects.filter(pk=tournament.pk).update(corrections_until=at + timedelta(minutes=30))


def wizard(tournament: Tournament, **query: object) -> str:
    return reverse("round-correct", args=[tournament.slug, 1]) + (
        "?" + "&".join(f"{key}={value}" for key, value in query.items()) if query else ""
    )


def answer(**more: str) -> dict[str, str]:
    """Return the fields of the form."""
    now = timezone.localtime().strftime("%Y-%m-%dT%H:%M:%S")
    return {"reported_at": now, "reason": "the slip says 0-1", "chosen": "", "version": "1"} | more


def result_of_board_1(tournament: Tournament) -> str:
    return Game.objects.get(round__tournament=tournament, round__number=1, board=1).result


@pytest.mark.costly
def test_the_first_page_asks_for_the_mistake(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = client.get(wizard(timed)).content.decode()
    for question in (
        "The result is wrong",
        "The colours are wrong",
        "The rating is wrong",
    ):
        assert question in text


@pytest.mark.costly
def test_c04_2_4_3_the_effect_is_shown_before_anything_is_saved(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    publish_earlier(timed, 2)
    url = wizard(timed, kind="result", board=1)
    response = client.post(url, answer(result="01", show="yes"))
    text = response.content.decode()
    assert response.status_code == 200
    assert "Reported in time." in text
    assert "Standings: 2 players change scoregroup" in text
    assert "Draft of round 2: " in text
    outlook = response.context["outlook"]
    assert {
        (place.tpn, place.points_before, place.points_after) for place in outlook.scoregroups
    } == {
        (1, 10, 0),
        (5, 0, 10),
    }
    assert (own(Correction).count(), result_of_board_1(timed)) == (0, "10")


@pytest.mark.costly
def test_c04_2_4_3_the_boards_of_the_draft_are_those_that_change(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    """The previewed boards are those of the round when it is paired again."""
    client.force_login(chief_arbiter)
    url = wizard(timed, kind="result", board=1)
    previewed = client.post(url, answer(result="01", show="yes")).context["outlook"].draft_boards
    names = {entry.tpn: entry.name for entry in timed.entries.all()}
    before = [(names[white], names[black]) for white, black, _ in factories.boards(timed, 2)]
    client.post(url, answer(result="01", save="yes"))
    round_pair(round_id=factories.round_of(timed, 2).pk, actor=chief_arbiter, now=timezone.now())
    after = [(names[white], names[black]) for white, black, _ in factories.boards(timed, 2)]
    changed = [
        (n, was, now)
        for n, (was, now) in enumerate(zip(before, after, strict=True), start=1)
        if was != now
    ]
    assert [(board.board, board.before, board.after) for board in previewed] == changed
    assert changed


@pytest.mark.costly
def test_a_correction_is_saved_and_listed(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(
        wizard(timed, kind="result", board=1), answer(result="01", save="yes"), follow=True
    )
    assert response.redirect_chain == [(reverse("corrections", args=[timed.slug]), 302)]
    text = response.content.decode()
    assert "The correction is saved and is in the record." in text
    assert "board 1: 1 – 0 → 0 – 1" in text
    assert "the slip says 0-1" in text
    assert result_of_board_1(timed) == "01"


@pytest.mark.costly
def test_c04_2_4_3_after_the_deadline_the_chief_arbiter_chooses(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    publish_earlier(timed, LATE)
    url = wizard(timed, kind="result", board=1)
    text = client.post(url, answer(result="01", show="yes")).content.decode()
    assert "the rules do not decide this case" in text
    assert "Decision of the Chief Arbiter" in text
    refused = client.post(url, answer(result="01", save="yes"))
    assert refused.status_code == 409
    assert (
        "the Chief Arbiter chooses the effect of the correction. (C.04.2 4.3.1)"
        in refused.content.decode()
    )
    client.post(url, answer(result="01", save="yes", chosen="next_round"))
    assert (own(Correction).get().effect, result_of_board_1(timed)) == ("next_round", "01")


@pytest.mark.costly
def test_c04_2_4_3_a_deputy_sees_that_the_chief_arbiter_decides(
    timed: Tournament, client: Client, deputy: User
) -> None:
    client.force_login(deputy)
    publish_earlier(timed, LATE)
    text = client.post(
        wizard(timed, kind="result", board=1), answer(result="01", show="yes")
    ).content.decode()
    assert "only the Chief Arbiter can decide it" in text
    assert "Save correction" not in text


@pytest.mark.costly
def test_c04_2_4_3_2_colours_are_corrected_on_the_page(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = wizard(timed, kind="colours", board=2)
    white, black, result = factories.boards(timed, 1)[1]
    assert "Both players keep their points." in client.get(url).content.decode()
    client.post(url, answer(save="yes"))
    assert factories.boards(timed, 1)[1] == (black, white, result[::-1])


@pytest.mark.costly
def test_c04_2_4_3_3_a_rating_is_corrected_on_the_page(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    entry = factories.entry_of(timed, 8)
    url = wizard(timed, kind="rating", player=entry.pk)
    client.post(url, answer(fide_rating="2111", national_rating="", save="yes"))
    entry.refresh_from_db()
    assert (entry.fide_rating, entry.rating) == (2111, 2111)


@pytest.mark.costly
def test_a_missing_value_is_named_at_its_field(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(wizard(timed, kind="result", board=1), {"save": "yes"})
    assert response.status_code == 422
    assert set(response.context["form"].errors) == {"result", "reported_at", "reason"}
    assert result_of_board_1(timed) == "10"


@pytest.mark.parametrize(
    "query", [{"kind": "result", "board": 99}, {"kind": "rating", "player": 999999}]
)
def test_an_unknown_object_is_not_found(
    timed: Tournament, client: Client, chief_arbiter: User, query: dict[str, object]
) -> None:
    client.force_login(chief_arbiter)
    assert client.get(wizard(timed, **query)).status_code == 404


@pytest.mark.costly
def test_c04_2_4_3_3_a_rating_of_another_tournament_is_neither_shown_nor_corrected_here(
    timed: Tournament, neighbour: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = wizard(timed, kind="rating", player=neighbour.entries.latest("pk").pk)
    sent = answer(fide_rating="2111", national_rating="", save="yes")
    assert [client.get(url).status_code, client.post(url, sent).status_code] == [404, 404]


@pytest.mark.costly
def test_c04_2_4_3_a_correction_costs_the_same_queries_in_a_big_round(
    client: Client, chief_arbiter: User
) -> None:
    counts = []
    client.force_login(chief_arbiter)
    for players in (4, 20):
        tournament = factories.make_ready(chief_arbiter, players=players, name=f"Open {players}")
        factories.play_rounds(tournament, [1], chief_arbiter)
        for is_kept in (True, False):
            if is_kept:
                Client().get(reverse("standings", args=[tournament.slug]))
            else:
                forget_pages()
            with CaptureQueriesContext(connection) as context:
                client.post(
                    wizard(tournament, kind="result", board=1), answer(result="01", show="yes")
                )
            counts.append(len(context))
    # The store has the standings before the correction, as after every publication.
    assert counts == [19, 23, 19, 23]


class TestTheLastRound:
    @pytest.fixture
    def over(self, chief_arbiter: User) -> Tournament:
        """The only round is played, and its results have just been published."""
        tournament = factories.make_ready(chief_arbiter, rounds=1, correction_minutes=30)
        factories.play_rounds(tournament, [1], chief_arbiter)
        publish_at(tournament, timezone.now())
        return tournament

    @pytest.mark.costly
    def test_c04_2_4_3_the_last_round_mentions_no_next_pairing(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = wizard(over, kind="result", board=1)
        text = client.post(url, answer(result="01", show="yes")).content.decode()
        assert "The correction counts for the final standings. [C.04.2 4.3.1]" in text
        assert (
            "next"
            not in text[
                text.index('id="outlook"') : text.index("</form>", text.index('id="outlook"'))
            ]
        )
        publish_earlier(over, LATE)
        text = client.post(url, answer(result="01", show="yes")).content.decode()
        assert (
            "Reported after the deadline, with no later round: the rules do not decide this case."
            in text
        )
        assert "The correction counts for the final standings." in text
        assert "next pairing" not in text
        client.post(url, answer(result="01", save="yes", chosen="next_round"))
        listed = client.get(reverse("corrections", args=[over.slug])).content.decode()
        assert "<td>final standings</td>" in tidy(listed)
        assert (
            "(final standings)"
            in client.get(reverse("event-report", args=[over.slug])).content.decode()
        )

    @pytest.mark.costly
    def test_c04_2_4_3_a_report_in_the_minute_of_the_publication_is_after_it(
        self, over: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        """The form has minutes, the publication seconds:
        a report of 03:49 is not before 03:49:40.
        """
        client.force_login(chief_arbiter)
        minute = timezone.now().replace(second=0, microsecond=0) - timedelta(minutes=1)
        publish_at(over, minute + timedelta(seconds=40))
        typed = timezone.localtime(minute).strftime("%Y-%m-%dT%H:%M")
        url = wizard(over, kind="result", board=1)
        response = client.post(url, answer(result="01", show="yes", reported_at=typed))
        assert "Reported in time." in response.content.decode()
        before = timezone.localtime(minute - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M")
        response = client.post(url, answer(result="01", show="yes", reported_at=before))
        assert "Reported before the results were published." in response.content.decode()


class TestCountdown:
    def test_c04_2_4_3_the_public_page_counts_down_in_words(
        self, timed: Tournament, client: Client
    ) -> None:
        text = client.get(reverse("tournament", args=[timed.slug])).content.decode()
        assert "Report mistakes in the results of round 1 to the arbiters by" in text
        assert timed.corrections_until is not None
        assert f'<strong data-until="{timed.corrections_until.isoformat()}"' in text
        words = 'data-one="1 minute left" data-many="# minutes left" data-hours="@ h # min left"'
        assert f'{words} data-over="The time is over." hidden></strong>' in tidy(text)
        assert "report them within 30 minutes of the publication of the results" in text

    @pytest.mark.costly
    def test_c04_2_4_3_the_page_stays_as_it_is_before_and_after_the_time_is_over(
        self, timed: Tournament, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The phone counts the minutes itself: a hall full of phones
        does not fetch the same page again.
        """
        assert timed.corrections_until is not None
        url = reverse("standings", args=[timed.slug])
        first = client.get(url)
        known = {"v": state_key(timed, runs=False)}
        requested: dict[str, str] = {"HX-Request": "true"}
        for minutes in range(30, -3, -1):
            monkeypatch.setattr(
                timezone, "now", lambda at=minutes: timed.corrections_until - timedelta(minutes=at)
            )
            assert client.get(url, known, headers=requested).status_code == 204, minutes
            assert (
                client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
            )
            assert client.get(url).content == first.content


@pytest.mark.costly
def test_a_result_that_is_sent_twice_is_corrected_already(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = wizard(timed, kind="result", board=1)
    sent = answer(result="01", save="yes")
    assert client.post(url, sent).status_code == 302
    again = client.post(url, sent)
    assert again.status_code == 422
    assert "This result was already corrected: it is 0 – 1." in again.content.decode()
    assert own(Correction).count() == 1
    assert (
        "Select a valid choice"
        in client.post(url, answer(result="nonsense", save="yes")).content.decode()
    )


@pytest.mark.costly
def test_c04_2_4_3_3_the_reasons_of_a_rating_are_not_those_of_a_game(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    entry = factories.entry_of(timed, 8)
    game, rating = (
        wizard(timed, kind="result", board=1),
        wizard(timed, kind="rating", player=entry.pk),
    )
    offered = [
        [f'value="{one}"' in client.get(url).content.decode() for one in BECAUSE]
        for url in (game, rating)
    ]
    assert dict(zip(BECAUSE, zip(*offered, strict=True), strict=True)) == {
        "entry": (True, True), "players": (True, True), "sheets": (True, False), "colours": (True, False)
    }  # fmt: skip
    before = entry.fide_rating
    refused = client.post(rating, answer(fide_rating="2111", because="sheets", save="yes"))
    entry.refresh_from_db()
    assert (refused.status_code, entry.fide_rating) == (422, before)


def test_an_unrated_player_is_listed_without_a_zero(
    timed: Tournament, client: Client, chief_arbiter: User
) -> None:
    timed.entries.filter(tpn=8).update(rating=0, fide_rating=None)
    client.force_login(chief_arbiter)
    text = client.get(reverse("round-correct", args=[timed.slug, 1])).content.decode()
    assert ("(unrated)" in text, "(0)" in text) == (True, False)
