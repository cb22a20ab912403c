"""Pairings, standings and crosstables are stored as they were published [C.04.2/2026 4.2, 4.4]."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.record.chain import digest
from pairing.rounds.corrections import Report, colours_correct, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.corrections import CorrectionEffect
from pairing.rules.published import Situation
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments import factories
from tests.tournaments.double_swiss.matches import play
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_change_actions import change
from tournaments.core import signing
from tournaments.entries.entries import entry_add, entry_update
from tournaments.lists.imports.trf_tournament import tournament_import_trf
from tournaments.models import Game, PublishedList, Round, Tournament
from tournaments.reports.published_list_faults import list_faults
from tournaments.reports.trf_export import trf_export
from tournaments.standings.adjust_points import points_adjust
from tournaments.standings.final import standings_make_final, standings_reopen

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=5)


def stored() -> list[tuple[str, int, str]]:
    """Return kind, round and action of every list, in order."""
    rows = own(PublishedList).order_by("pk").values_list("kind", "round_number", "decision__action")
    return list(rows)


def game_at(tournament: Tournament, number: int, board: int) -> Game:
    return Game.objects.get(round__tournament=tournament, round__number=number, board=board)


def correct(tournament: Tournament, actor: User, chosen: CorrectionEffect | None = None) -> None:
    report = Report(LATER, "the slip says a draw", chosen)
    result_correct(
        game_id=game_at(tournament, 1, 1).pk, result="==", report=report, actor=actor, now=LATER
    )


def address(row: PublishedList) -> str:
    return reverse("published-list", args=[row.tournament.slug, row.pk])


def faults(tournament: Tournament) -> list[str]:
    return list_faults(tournament, {signing.public_key()})


@pytest.mark.on_postgres("the protection of the record")
def test_c04_2_4_2_every_publication_stores_its_lists(
    ready: Tournament, chief_arbiter: User
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    factories.pair_and_publish(ready, 2, chief_arbiter)
    assert stored() == [
        ("pairings", 1, "pairings.published"),
        ("standings", 1, "results.published"),
        ("crosstable", 1, "results.published"),
        ("pairings", 2, "pairings.published"),
    ]
    boards = own(PublishedList).get(kind="pairings", round_number=2).content["boards"]
    assert [(line["white"]["number"], line["white"]["points"]) for line in boards][:1] == [
        (factories.boards(ready, 2)[0][0], 10)
    ]
    assert faults(ready) == []


@pytest.mark.costly
def test_c04_2_4_2_small_actions_and_drafts_store_nothing(
    ready: Tournament, chief_arbiter: User
) -> None:
    published = factories.pair_and_publish(ready, 1, chief_arbiter)
    factories.enter_results(ready, 1, chief_arbiter)
    entry_update(
        entry_id=factories.entry_of(ready, 1).pk,
        actor=chief_arbiter,
        now=NOW,
        name="Abara, Anna",
        reason="misspelt",
    )
    assert stored() == [("pairings", 1, "pairings.published")]
    results_publish(round_id=published.pk, actor=chief_arbiter, now=NOW)
    round_pair(round_id=factories.round_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
    assert len(stored()) == 3


def test_c04_2_4_3_1_a_correction_stores_the_lists_that_it_changes(
    played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    correct(tournament, chief_arbiter)
    assert stored()[3:] == [
        ("standings", 1, "result.corrected"),
        ("crosstable", 1, "result.corrected"),
    ]
    old, new = own(PublishedList).filter(kind="standings")
    assert {line["points"] for line in old.content["players"]} == {0, 10}
    assert {line["points"] for line in new.content["players"]} == {0, 5, 10}
    assert faults(tournament) == []


@pytest.mark.costly
def test_c04_2_4_3_2_corrected_colours_store_the_pairings_of_their_round(
    played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    report = Report(LATER, "they had the wrong colours")
    factories.enter_results(tournament, 2, chief_arbiter)
    results_publish(round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
    before = len(stored())
    colours_correct(
        game_id=game_at(tournament, 2, 1).pk, report=report, actor=chief_arbiter, now=LATER
    )
    assert stored()[before:][0] == ("pairings", 2, "colours.corrected")
    assert faults(tournament) == []


@pytest.mark.costly
def test_c04_2_4_3_a_waiting_correction_changes_the_lists_when_it_is_done(
    chief_arbiter: User,
) -> None:
    """The line that applies it published them; the new pairings belong to their own publication."""
    tournament = factories.make_ready(chief_arbiter, correction_minutes=1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    correct(tournament, chief_arbiter, CorrectionEffect.NEXT_PAIRING)
    assert len(stored()) == 3
    round_ = factories.round_of(tournament, 2)
    round_pair(round_id=round_.pk, actor=chief_arbiter, now=LATER)
    round_publish(round_id=round_.pk, actor=chief_arbiter, now=LATER)
    assert stored()[3:] == [
        ("pairings", 2, "pairings.published"),
        ("standings", 1, "correction.applied"),
        ("crosstable", 1, "correction.applied"),
    ]
    assert faults(tournament) == []


@pytest.mark.costly
def test_c04_2_3_1_the_end_of_an_adjourned_game_stores_the_lists(
    ready: Tournament, chief_arbiter: User
) -> None:
    published = factories.pair_and_publish(ready, 1, chief_arbiter)
    games = list(Game.objects.filter(round=published).order_by("board"))
    for game in games[1:]:
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    results_publish(round_id=published.pk, actor=chief_arbiter, now=NOW, adjourning=[1])
    factories.pair_and_publish(ready, 2, chief_arbiter)
    before = len(stored())
    result_record(game_id=games[0].pk, result="01", actor=chief_arbiter, now=LATER, confirmed=True)
    assert stored()[before:] == [
        ("pairings", 2, "result.recorded"),
        ("standings", 1, "result.recorded"),
        ("crosstable", 1, "result.recorded"),
    ]
    assert faults(ready) == []


def test_a_list_that_does_not_change_is_stored_once(
    played_round: Round, chief_arbiter: User
) -> None:
    """Points for a round in play change neither the last standings nor the boards of that round."""
    tournament = played_round.tournament
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    before = stored()
    points_adjust(
        tournament_id=tournament.pk, entry_id=factories.entry_of(tournament, 1).pk, points=-5, round_number=2,
        article="Laws 12.9", reason="a phone", seen=0, actor=chief_arbiter, now=LATER,
    )  # fmt: skip
    assert stored() == before


@pytest.fixture
@factories.cached
def ended(chief_arbiter: User) -> Tournament:
    """Four players, two rounds, the standings made final, reopened and made final again."""
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=2)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    given = {"tournament_id": tournament.pk, "actor": chief_arbiter}
    standings_make_final(**given, now=LATER, ties_stay=True)
    standings_reopen(**given, now=LATER + timedelta(minutes=29), reason="a slip was found")
    standings_make_final(**given, now=LATER + timedelta(minutes=40), ties_stay=True)
    return tournament


def test_c04_2_4_3_final_and_reopened_standings_are_versions_with_one_content(
    ended: Tournament,
) -> None:
    assert stored()[-5:] == [
        ("standings", 2, "results.published"),
        ("crosstable", 2, "results.published"),
        ("standings", 2, "standings.made_final"),
        ("standings", 2, "standings.reopened"),
        ("standings", 2, "standings.made_final"),
    ]
    first, *others = own(PublishedList).filter(kind="standings", round_number=2).order_by("pk")
    assert first.content is not None
    assert {(row.content is None, row.same_as_id, row.sha256) for row in others} == {
        (True, first.pk, first.sha256)
    }
    assert all(row.listed == first.content for row in others)
    assert faults(ended) == []


@pytest.mark.costly
def test_c04_2_4_3_another_list_after_reopening_is_final_with_its_own_content(
    ended: Tournament, chief_arbiter: User
) -> None:
    given = {"tournament_id": ended.pk, "actor": chief_arbiter}
    standings_reopen(**given, now=LATER + timedelta(minutes=50), reason="a phone rang")
    points_adjust(
        **given, entry_id=factories.entry_of(ended, 1).pk, points=-5, round_number=2, article="Laws 11.3.2",
        reason="a phone", seen=0, now=LATER + timedelta(minutes=55),
    )  # fmt: skip
    standings_make_final(**given, now=LATER + timedelta(minutes=60), ties_stay=True)
    corrected, final = own(PublishedList).filter(kind="standings").order_by("-pk")[:2][::-1]
    assert (corrected.decision.action, corrected.same_as) == ("points.adjusted", None)
    assert (final.decision.action, final.same_as) == ("standings.made_final", corrected)
    assert faults(ended) == []


def test_verify_record_finds_missing_final_standings(ended: Tournament) -> None:
    row = own(PublishedList).latest("pk")
    with guard_lifted(connection):
        row.delete()
    assert f"#{row.decision.sequence}, standings of round 2: the list is missing." in faults(ended)


@pytest.mark.costly
def test_c04_2_4_3_the_pages_show_when_standings_became_final_and_were_reopened(
    ended: Tournament, client: Client
) -> None:
    body = client.get(reverse("published-lists", args=[ended.slug])).content.decode()
    assert [
        body.count(text) for text in ("final since 09:05", "reopened at 09:34", "final since 09:45")
    ] == [1, 1, 1]
    reopened = own(PublishedList).get(decision__action="standings.reopened")
    page = " ".join(client.get(address(reopened)).content.decode().split())
    assert "as published 21 Nov 2026, 09:34</strong> · reopened at 09:34" in page
    assert "(a slip was found)" in page
    assert "The same list as published 21 Nov 2026, 09:00</a>" in page
    assert "Abara, Player 1" in page


@pytest.mark.costly
def test_c04_5_a_match_keeps_both_results(chief_arbiter: User) -> None:
    tournament = factories.make_ready(
        chief_arbiter, players=4, rounds=3, system="double_swiss_2026"
    )
    play(tournament, 1, chief_arbiter)
    row = own(PublishedList).get(kind="crosstable")
    assert {len(line["rounds"][0][2]) for line in row.content["players"]} == {2}
    assert faults(tournament) == []


@pytest.mark.on_postgres("the protection of the record")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_publishedlist SET sha256 = 'another'",
        "DELETE FROM tournaments_publishedlist",
        "INSERT OR REPLACE INTO tournaments_publishedlist SELECT * FROM tournaments_publishedlist",
        "TRUNCATE tournaments_publishedlist",
    ],
)
def test_the_database_refuses_to_change_or_remove_a_list(
    played_round: Round, statement: str
) -> None:
    if connection.vendor == "sqlite" and statement.startswith("TRUNCATE"):
        pytest.skip("SQLite has no TRUNCATE")
    if connection.vendor == "postgresql" and "REPLACE" in statement:
        pytest.skip("INSERT OR REPLACE is SQLite's own")
    connection.check_constraints()
    with (
        pytest.raises(DatabaseError, match="the published lists are append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert faults(played_round.tournament) == []


@pytest.mark.on_postgres("the protection of the record")
def test_verify_record_finds_an_altered_a_wrong_and_a_missing_list(played_round: Round) -> None:
    tournament = played_round.tournament
    pairings, standings, crosstable = own(PublishedList).order_by("pk")
    with guard_lifted(connection):
        content = pairings.content | {"boards": pairings.content["boards"][::-1][1:]}
        PublishedList.objects.filter(pk=pairings.pk).update(content=content)
        PublishedList.objects.filter(pk=standings.pk).update(signature=pairings.signature)
        PublishedList.objects.filter(pk=crosstable.pk).delete()
    published, results = pairings.decision.sequence, standings.decision.sequence
    expected = [
        "List 3 of 3 is missing.",
        f"#{results}, crosstable of round 1: the list is missing.",
        f"#{published}, pairings of round 1: the content was altered.",
        f"#{results}, standings of round 1: the signature does not fit.",
        f"#{published}, pairings of round 1: the record has other boards.",
    ]
    assert faults(tournament) == expected
    out = io.StringIO()
    with pytest.raises(CommandError, match="The lists of “Autumn Open” are not those published"):
        call_command("verify_record", tournament.slug, stdout=out)
    assert out.getvalue().splitlines() == expected


@pytest.mark.on_postgres("the protection of the record")
def test_a_list_signed_again_with_other_boards_is_found_by_the_record(played_round: Round) -> None:
    """The owner of the key can sign another list, but not move the players in the record."""
    row = own(PublishedList).get(kind="pairings")
    line = row.content["boards"][0]
    line["white"], line["black"] = line["black"], line["white"]
    row.sha256 = digest(row.content)
    signature = signing.sign(f"{row.number} pairings 1 {row.sha256} {row.decision.hash}")
    with guard_lifted(connection):
        PublishedList.objects.filter(pk=row.pk).update(
            content=row.content, sha256=row.sha256, signature=signature
        )
    assert faults(row.tournament) == [
        f"#{row.decision.sequence}, pairings of round 1: the record has other boards."
    ]


# Pages


@pytest.mark.costly
def test_the_pages_show_the_list_as_published_and_no_change(
    played_round: Round, client: Client
) -> None:
    tournament = played_round.tournament
    listed = client.get(reverse("published-lists", args=[tournament.slug])).content.decode()
    for row in own(PublishedList):
        assert address(row) in listed
        body = client.get(address(row)).content.decode()
        assert "as published 21 Nov 2026, 09:00" in body
        assert "Unchanged: the list of today is the same." in body
        assert "Abara, Player 1" in body
    for name in ("record", "fingerprints"):
        page = client.get(reverse(name, args=[tournament.slug])).content.decode()
        assert reverse("published-lists", args=[tournament.slug]) in page


def test_c04_2_4_3_1_a_correction_is_shown_beside_the_published_list(
    played_round: Round, chief_arbiter: User, client: Client
) -> None:
    """In each language: the list is stored as data."""
    tournament = played_round.tournament
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    old = {row.kind: row for row in own(PublishedList).order_by("-pk")}
    correct(tournament, chief_arbiter)
    for kind in ("standings", "crosstable"):
        body = client.get(address(old[kind])).content.decode()
        assert "lines have changed since" in body
        assert "Unchanged" not in body
    new = own(PublishedList).filter(kind="standings").latest("pk")
    assert "Unchanged" in client.get(address(new)).content.decode()
    client.cookies.load({"django_language": "fr"})
    assert "version publiée le" in client.get(address(old["standings"])).content.decode()


@pytest.mark.costly
def test_c04_2_4_4_4_a_pairing_change_stores_the_new_pairings_beside_the_old(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=7)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    late = entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        name="Late, Lara",
        checked_in=True,
    )
    change(tournament, 1, chief_arbiter, "1-4 5-2 3-6 7-8", Situation.LATE_ENTRY, agreed="7 8")
    assert stored() == [("pairings", 1, "pairings.published"), ("pairings", 1, "round.changed")]
    assert faults(tournament) == []
    old, new = own(PublishedList).order_by("pk")
    body = client.get(address(old)).content.decode()
    assert "2 lines have changed since" in body, "the bye of 7, and board 4"
    assert late.name in body
    assert "Unchanged" in client.get(address(new)).content.decode()


@pytest.mark.costly
def test_c04_2_4_4_a_changed_board_is_shown_beside_the_published_pairings(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    row = own(PublishedList).get()
    before = client.get(address(row)).content.decode()
    assert "Unchanged" in before
    Game.objects.filter(round=published_round, board=1).update(table=9)
    Tournament.objects.filter(pk=row.tournament_id).update(public_version=99)
    body = client.get(address(row)).content.decode()
    assert "1 line has changed since" in body
    assert "table 9" in body


@pytest.mark.costly
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_list_of_lists_says_which_rounds_came_with_a_file(
    rounds: int, ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    factories.play_rounds(ready, range(1, rounds + 1), chief_arbiter)
    data = trf_export(ready, public=False).encode()
    url = reverse("published-lists", args=[ready.slug])
    assert "imported" not in client.get(url).content.decode()
    again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=data)
    url = reverse("published-lists", args=[again.slug])
    body = " ".join(client.get(url).content.decode().split())
    text = "Round 1 was imported" if rounds == 1 else "Rounds 1 to 3 were imported"
    assert f"{text} from a TRF file" in body
    assert "?line=1#line-1" in body
    assert "Nothing is published yet" not in body
    factories.pair_and_publish(again, rounds + 1, chief_arbiter)
    body = " ".join(client.get(url).content.decode().split())
    assert f"{text} from a TRF file" in body
    assert PublishedList.objects.filter(tournament=again).count() == 1
    assert faults(again) == []


@pytest.mark.costly
def test_visitors_see_no_list_of_a_hidden_line(
    published_round: Round, chief_arbiter: User, client: Client, neighbour: Tournament
) -> None:
    tournament = published_round.tournament
    row = own(PublishedList).get()
    others = PublishedList.objects.filter(tournament=neighbour).latest("pk")
    assert (
        client.get(reverse("published-list", args=[tournament.slug, others.pk])).status_code == 404
    )
    assert client.get(reverse("published-list", args=[tournament.slug, 999_999])).status_code == 404
    # A round that visitors may not see any more: nothing does this, but the rule is that of the
    # record.
    Round.objects.filter(pk=published_round.pk).update(state="draft")
    Tournament.objects.filter(pk=tournament.pk).update(public_version=99)
    assert client.get(address(row)).status_code == 404
    assert (
        address(row)
        not in client.get(reverse("published-lists", args=[tournament.slug])).content.decode()
    )
    client.force_login(chief_arbiter)
    assert client.get(address(row)).status_code == 200


@pytest.mark.costly
def test_the_list_of_lists_takes_the_same_queries_for_few_and_many(
    played_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament = played_round.tournament
    url = reverse("published-lists", args=[tournament.slug])
    client.force_login(chief_arbiter)
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    factories.play_rounds(tournament, [2, 3], chief_arbiter)
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(few) == len(many)
