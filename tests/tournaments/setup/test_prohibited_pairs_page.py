"""The page of the prohibited pairs [C.04.2/2026 1.5]."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from pairing.rounds.snapshot import snapshot
from pairing.trf.document import ProhibitedPairs
from tests.tournaments.factories import NOW, entry_of, make_ready, round_of
from tournaments.core.errors import BadInput, Conflict
from tournaments.models import Decision, Entry, Tournament
from tournaments.models.regulations import pairs_of
from tournaments.reports.record_against_tables import differences
from tournaments.reports.trf_export import trf_document
from tournaments.setup.prohibited_effect import Effect, effect_of
from tournaments.setup.prohibited_pairs import prohibited_pairs_set

pytestmark = [pytest.mark.django_db, pytest.mark.on_postgres("constraints")]


def ids(tournament: Tournament, *tpns: int) -> list[int]:
    return [entry_of(tournament, tpn).pk for tpn in tpns]


def save(tournament: Tournament, actor: User, *pairs: list[int]) -> None:
    prohibited_pairs_set(tournament_id=tournament.pk, actor=actor, now=NOW, pairs=pairs)
    tournament.refresh_from_db()


def test_c04_2_1_5_a_pair_is_prohibited_in_the_first_rounds_only(
    ready: Tournament, chief_arbiter: User
) -> None:
    one, other, third = ids(ready, 1, 5, 6)
    save(ready, chief_arbiter, [other, one, 2], [one, third])
    assert pairs_of(ready) == [[one, other, 2], [one, third]]
    prohibited = [snapshot(ready, number)[0].prohibited for number in (1, 2, 3)]
    both, single = frozenset({frozenset({1, 5}), frozenset({1, 6})}), frozenset({frozenset({1, 6})})
    assert prohibited == [both, both, single]
    assert differences(ready) == []
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    at_one = round_of(ready, 1).games.get(seats__entry=one)
    assert other not in at_one.seats.values_list("entry", flat=True)


@pytest.mark.parametrize("last", [0, 6])
def test_an_unknown_round_is_refused(last: int, ready: Tournament, chief_arbiter: User) -> None:
    with pytest.raises(BadInput) as bad:
        save(ready, chief_arbiter, [*ids(ready, 1, 5), last])
    assert bad.value.code == "prohibited.unknown_round"


def test_of_two_prohibitions_of_a_pair_the_longer_one_holds(
    ready: Tournament, chief_arbiter: User
) -> None:
    one, other = ids(ready, 1, 5)
    save(ready, chief_arbiter, [one, other, 2], [other, one, 3])
    assert pairs_of(ready) == [[one, other, 3]]
    save(ready, chief_arbiter, [one, other, 2], [other, one])
    assert pairs_of(ready) == [[one, other]]


def test_record_260_has_the_rounds(ready: Tournament, chief_arbiter: User) -> None:
    one, other = ids(ready, 1, 5)
    save(ready, chief_arbiter, [one, other, 2])
    records = [
        record
        for record in trf_document(ready, public=False).records
        if isinstance(record, ProhibitedPairs)
    ]
    assert [(record.players, record.first_round, record.last_round) for record in records] == [
        ((1, 5), 1, 2)
    ]


def test_the_effect_is_that_of_pairing_with_and_without(
    ready: Tournament, chief_arbiter: User
) -> None:
    one, *others = ids(ready, 1, 2, 3, 4, 5, 6, 7, 8)
    assert effect_of(ready, []) == Effect(is_known=True)
    found = effect_of(ready, [[one, others[3]]])
    assert (found.is_known, found.is_impossible, found.together) == (True, False, 1)
    assert found.boards >= 2
    assert effect_of(ready, [[one, other] for other in others]).is_impossible
    Entry.objects.filter(pk=one).update(tpn=None)
    assert not effect_of(ready, [[one, others[3]]]).is_known


@pytest.mark.costly
def test_the_page_shows_the_effect_and_then_saves(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("prohibited-pairs", args=[ready.slug])
    names = [entry_of(ready, tpn).name for tpn in (1, 5)]
    answer = client.post(
        url, {"by": "names", "name": [names[0].split(",")[0], names[1], ""], "last_round": "2"}
    )
    text = answer.content.decode()
    assert "of round 1 would be paired otherwise than without prohibited pairs." in text
    assert pairs_of(ready) == []
    one, other = ids(ready, 1, 5)
    form = {"confirmed": "yes", "was": answer.context["was"], "one": one, "other": other, "last": 2}
    assert client.post(url, form).status_code == 302
    assert pairs_of(ready) == [[one, other, 2]]
    assert client.post(url, form | {"last": 0}).status_code == 409  # another arbiter was faster
    removed = client.post(url, {"remove": "yes", "pair": f"{one}-{other}"})
    assert removed.context["requested"] == []
    assert (
        Decision.objects.filter(tournament=ready).latest("sequence").action
        == "prohibited_pairs.set"
    )


@pytest.mark.parametrize("by, value", [("club", "Mate"), ("federation", "FRA")])
def test_a_club_or_a_federation_is_kept_apart(
    by: str, value: str, chief_arbiter: User, client: Client
) -> None:
    tournament = make_ready(chief_arbiter)
    Entry.objects.filter(tournament=tournament).update(club="", federation="GER")
    Entry.objects.filter(tournament=tournament, tpn__in=(1, 2, 5)).update(**{by: value})
    client.force_login(chief_arbiter)
    answer = client.post(reverse("prohibited-pairs", args=[tournament.slug]), {"by": by, by: value})
    assert len(answer.context["requested"]) == 3


def test_only_players_of_this_tournament_are_proposed(
    ready: Tournament, neighbour: Tournament, client: Client, chief_arbiter: User
) -> None:
    Entry.objects.filter(tournament=ready, tpn__gt=3).delete()
    assert Entry.objects.filter(tournament=neighbour, name="Abara, Player 1").exists()
    client.force_login(chief_arbiter)
    page = client.get(reverse("prohibited-pairs", args=[ready.slug])).content.decode()
    proposed = re.search(r'<datalist id="all-names">(.*?)</datalist>', page)
    assert proposed is not None
    # A namesake elsewhere adds nothing to a name.
    assert re.findall('value="([^"]*)"', proposed[1]) == [
        "Abara, Player 1",
        "Blomqvist, Player 2",
        "Czerny, Player 3",
    ]


@pytest.mark.parametrize("names", [["Abara, Player 1"], ["Abara", "Nobody"], ["", ""]])
def test_two_known_players_are_needed(
    names: list[str], ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(
        reverse("prohibited-pairs", args=[ready.slug]), {"by": "names", "name": names}
    )
    assert response.status_code == 400


def test_c04_2_1_5_after_the_draft_nothing_is_offered(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)
    page = client.get(reverse("prohibited-pairs", args=[ready.slug])).content.decode()
    assert "Show the effect" not in page


def test_a_federation_of_a_whole_open_is_too_large_a_group(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    Entry.objects.bulk_create(
        Entry(tournament=ready, name=f"Many, {n}", federation="FRA", created_at=NOW)
        for n in range(65)
    )
    client.force_login(chief_arbiter)
    url = reverse("prohibited-pairs", args=[ready.slug])
    refused = client.post(url, {"by": "federation", "federation": "FRA"})
    assert (refused.status_code, "At most 2000 pairs" in refused.content.decode()) == (400, True)
    with pytest.raises(Conflict, match="Somebody else changed the prohibited pairs"):
        prohibited_pairs_set(
            tournament_id=ready.pk, actor=chief_arbiter, now=NOW, pairs=[], seen="[[1, 2]]"
        )
