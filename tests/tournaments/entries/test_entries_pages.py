"""Entries: the list, the check-in in it, one player."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.models import (
    Decision,
    Entry,
    ListState,
    RatingSource,
    Round,
    Tournament,
)


def names(tournament: Tournament) -> list[str]:
    return sorted(Entry.objects.filter(tournament=tournament).values_list("name", flat=True))


def form(**fields: str) -> dict[str, str]:
    """Return the fields of the entry form with only *fields* filled in."""
    blank = (
        "name",
        "title",
        "sex",
        "federation",
        "fide_id",
        "club",
        "birth_date",
        "fide_rating",
        "national_rating",
    )
    return dict.fromkeys((*blank, "rating_source", "estimate"), "") | fields


@pytest.mark.parametrize(
    "typed, kept",
    [
        ("1990", "1990/00/00"),
        ("1990-03-07", "1990/03/07"),
        ("07/03/1990", "1990/03/07"),
        ("1990/03/00", "1990/03/00"),
    ],
)
def test_a_date_of_birth_is_read_as_it_is_in_lists(
    typed: str, kept: str, tournament: Tournament, desk: Client
) -> None:
    desk.post(
        reverse("entry-add", args=[tournament.slug]), form(name="Abara, Ada", birth_date=typed)
    )
    assert Entry.objects.get(tournament=tournament).birth_date == kept


@pytest.mark.parametrize(
    "field, typed, expected",
    [
        (
            "birth_date",
            "31/02/1990",
            "“31/02/1990” is not a date; expected a year, YYYY-MM-DD, DD/MM/YYYY or DD.MM.YYYY.",
        ),
        ("fide_rating", "29999", "Ensure this value is less than or equal to 4000."),
        ("national_rating", "4001", "Ensure this value is less than or equal to 4000."),
        ("fide_rating", "٣٣٣", "Enter a whole number."),
        ("estimate", "1_000", "Enter a whole number."),
        ("fide_id", "١٢٣", "Enter a whole number."),
        ("fixed_table", "٣", "Enter a whole number."),
    ],
)
def test_a_value_that_no_report_can_hold_is_refused_and_stays_in_the_form(
    field: str, typed: str, expected: str, tournament: Tournament, desk: Client
) -> None:
    given = form(name="Abara, Ada") | {field: typed}
    response = desk.post(reverse("entry-add", args=[tournament.slug]), given)
    assert response.status_code == 422
    assert expected in response.content.decode()
    assert f'value="{typed}"' in response.content.decode()
    assert not Entry.objects.filter(tournament=tournament).exists()


@pytest.mark.costly
def test_a_second_entry_of_a_name_needs_one_confirmation(
    tournament: Tournament, desk: Client
) -> None:
    url = reverse("entry-add", args=[tournament.slug])
    assert desk.post(url, form(name="Ångström, Åsa")).status_code == 302
    answer = desk.post(url, form(name="angstrom, asa", club="Mate"))
    text = answer.content.decode()
    assert (answer.status_code, "Already entered: Ångström, Åsa" in text) == (409, True)
    assert 'value="Mate"' in text
    # Two dates of birth mean two people.
    assert desk.post(url, form(name="Angstrom, Asa", birth_date="1990")).status_code == 409
    assert names(tournament) == ["Ångström, Åsa"]
    same = form(name="angstrom, asa", birth_date="1990", same=answer.context["same"])
    assert [desk.post(url, same).status_code for _ in range(2)] == [302, 409]
    assert (
        desk.post(
            url, form(name="angstrom, asa", birth_date="1991", same=answer.context["same"])
        ).status_code
        == 302
    )
    assert len(names(tournament)) == 3


@pytest.mark.parametrize(
    "fields, source",
    [
        ({"rating": 1500}, "estimate"),
        (
            {
                "rating": 1700,
                "rating_source": "national",
                "national_rating": 1700,
                "fide_rating": 1650,
            },
            "national",
        ),
        ({"national_rating": 1700}, ""),
        ({"fide_rating": 1650, "national_rating": 1700}, ""),
    ],
)
def test_the_form_shows_where_the_rating_comes_from_and_keeps_it(
    fields: dict[str, int | str],
    source: str,
    tournament: Tournament,
    desk: Client,
    chief_arbiter: User,
) -> None:
    by = {"actor": chief_arbiter, "now": factories.NOW}
    entry = entry_add(tournament_id=tournament.pk, name="Abara, Ada", **by, **fields)
    url = reverse("entry-edit", args=[tournament.slug, entry.pk])
    shown = desk.get(url).context["form"]
    assert shown["rating_source"].value() == source
    sent = {
        name: "" if (value := shown[name].value()) is None else str(value) for name in shown.fields
    }
    assert desk.post(url, {**sent, "arrived": [], "club": "Mate"}).status_code == 302
    saved = Entry.objects.get(pk=entry.pk)
    assert (saved.club, saved.rating, saved.rating_source) == (
        "Mate",
        entry.rating,
        entry.rating_source,
    )


class TestList:
    @pytest.mark.costly
    def test_search_ignores_accents_and_case(
        self, tournament: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        for name in (
            "Ångström, Åsa",
            "Angers, Anne",
            "Weiß, Karl",
            "Łukasiewicz, Øystein",
            "O’Connor, Þóra",
        ):
            entry_add(
                tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, name=name
            )
        url = reverse("entries", args=[tournament.slug])
        expected = ("angs", "a", "weiss k", "lukas oy", "o'con thor")
        found = {
            q: [line.name for line in desk.get(url, {"q": q}).context["list"].lines]
            for q in expected
        }
        assert found == {
            "angs": ["Ångström, Åsa"],
            "a": ["Angers, Anne", "Ångström, Åsa"],
            "weiss k": ["Weiß, Karl"],
            "lukas oy": ["Łukasiewicz, Øystein"],
            "o'con thor": ["O’Connor, Þóra"],
        }

    def test_htmx_gets_only_the_table(self, ready: Tournament, desk: Client) -> None:
        response = desk.get(
            reverse("entries", args=[ready.slug]), {"q": "abara"}, headers={"HX-Request": "true"}
        )
        text = response.content.decode()
        assert text.strip().startswith('<div id="entry-table" class="stack-small">')
        assert "Abara" in text
        assert "Blomqvist" not in text
        assert "HX-Request" in response.headers["Vary"]

    def test_filters_show_the_count_of_all_entries(
        self, ready: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        entries = {tpn: factories.entry_of(ready, tpn) for tpn in (1, 2)}
        bye_request(
            entry_id=entries[1].pk, actor=chief_arbiter, now=factories.NOW, round_number=2, kind="H"
        )
        entry_withdraw(entry_id=entries[2].pk, actor=chief_arbiter, now=factories.NOW, from_round=1)
        response = desk.get(reverse("entries", args=[ready.slug]), {"shown": "withdrawn"})
        counts = {kind.value: count for kind, _, count in response.context["filters"]}
        assert counts == {"all": 8, "checked-in": 0, "not-checked-in": 7, "byes": 1, "withdrawn": 1}
        assert [line.tpn for line in response.context["list"].lines] == [2]

    def test_provisional_and_definitive_numbers(self, ready: Tournament, desk: Client) -> None:
        """[C.04.2/2026 2.5]"""
        url = reverse("entries", args=[ready.slug])
        assert "numbers provisional" in desk.get(url).content.decode()
        desk.post(reverse("list-close", args=[ready.slug]), factories.seen_now(ready))
        assert "numbers definitive" in desk.get(url).content.decode()
        ready.refresh_from_db()
        assert ready.list_state == ListState.DEFINITIVE


class TestCheckIn:
    def test_htmx_gets_only_the_row(self, ready: Tournament, desk: Client) -> None:
        entry = factories.entry_of(ready, 4)
        url = reverse("entry-check-in", args=[ready.slug, entry.pk])
        row = (
            desk.post(url, {"checked_in": "yes"}, headers={"HX-Request": "true"})
            .content.decode()
            .strip()
        )
        assert row.startswith(f'<tr id="entry-{entry.pk}"')
        assert 'aria-pressed="true"' in row
        # The count of missing players comes with the row.
        assert 'hx-swap-oob="true"' in row
        assert 'not checked in&nbsp;<span class="muted">7</span>' in row
        entry.refresh_from_db()
        assert entry.checked_in is True

    def test_a_plain_form_goes_back_to_the_row(self, ready: Tournament, desk: Client) -> None:
        entry = factories.entry_of(ready, 4)
        desk.post(reverse("entry-check-in", args=[ready.slug, entry.pk]), {"checked_in": "yes"})
        response = desk.post(
            reverse("entry-check-in", args=[ready.slug, entry.pk]), {"checked_in": "no"}
        )
        assert response.headers["Location"] == f"/t/{ready.slug}/entries/#entry-{entry.pk}"
        entry.refresh_from_db()
        assert entry.checked_in is False


class TestOnePlayer:
    def test_an_entry_is_added_with_its_rating(self, tournament: Tournament, desk: Client) -> None:
        url = reverse("entry-add", args=[tournament.slug])
        response = desk.post(
            url, form(name="Abara, Ada", fide_rating="2105", federation="nor", another="yes")
        )
        assert response.headers["Location"] == url
        entry = Entry.objects.get(tournament=tournament)
        assert (entry.rating, entry.rating_source, entry.federation) == (
            2105,
            RatingSource.FIDE,
            "NOR",
        )

    def test_c04_2_2_1_an_unrated_player_is_estimated(
        self, tournament: Tournament, desk: Client
    ) -> None:
        url = reverse("entry-add", args=[tournament.slug])
        refused = desk.post(url, form(name="Abara, Ada", rating_source="estimate"))
        assert refused.status_code == 422
        assert "Enter the rating of the player." in refused.content.decode()
        desk.post(url, form(name="Abara, Ada", rating_source="estimate", estimate="1600"))
        entry = Entry.objects.get(tournament=tournament)
        assert (entry.rating, entry.rating_source) == (1600, RatingSource.ESTIMATE)

    @pytest.mark.costly
    def test_c04_2_2_1_a_typed_estimate_is_never_lost(
        self, desk: Client, ready: Tournament, chief_arbiter: User
    ) -> None:
        """Without a rating it is the rating used;
        beside a rating the form asks which one counts.
        """
        url = reverse("entry-add", args=[ready.slug])
        desk.post(url, form(name="New, Nora", estimate="1450"))
        nora = Entry.objects.get(tournament=ready, name="New, Nora")
        assert (nora.rating, nora.rating_source) == (1450, RatingSource.ESTIMATE)
        for rated in (
            {"fide_rating": "1700"},
            {"national_rating": "1700", "rating_source": "national"},
        ):
            refused = desk.post(url, form(name="Known, Ken", estimate="1500", **rated))
            assert refused.status_code == 422
            assert "the estimate would not be used" in refused.content.decode()
            assert 'value="1500"' in refused.content.decode()
        edit = reverse("entry-edit", args=[ready.slug, nora.pk])
        desk.post(edit, form(name="New, Nora", estimate="1480"))
        nora.refresh_from_db()
        assert (nora.rating, nora.rating_source) == (1480, RatingSource.ESTIMATE)
        desk.post(edit, form(name="New, Nora", estimate="1480", club="Rochade"))
        nora.refresh_from_db()
        assert (nora.rating, nora.club) == (1480, "Rochade")
        # The estimate that the page showed goes when a rating from a list comes.
        desk.post(edit, form(name="New, Nora", estimate="1480", fide_rating="1600"))
        nora.refresh_from_db()
        assert (nora.rating, nora.rating_source) == (1600, RatingSource.FIDE)

    def test_a_name_is_needed(self, tournament: Tournament, desk: Client) -> None:
        response = desk.post(reverse("entry-add", args=[tournament.slug]), form(fide_rating="2000"))
        assert response.status_code == 422
        assert names(tournament) == []

    def test_the_refusal_of_the_service_is_shown_at_its_field(
        self, ready: Tournament, desk: Client
    ) -> None:
        Entry.objects.filter(tournament=ready, tpn=1).update(fide_id=777_777)
        response = desk.post(
            reverse("entry-add", args=[ready.slug]), form(name="Second, Sam", fide_id="777777")
        )
        assert response.status_code == 422
        assert response.context["form"].errors.keys() == {"fide_id"}
        assert "belongs to Abara, Player 1" in response.content.decode()

    def test_an_entry_is_edited(self, ready: Tournament, desk: Client) -> None:
        entry = factories.entry_of(ready, 8)
        url = reverse("entry-edit", args=[ready.slug, entry.pk])
        page = desk.get(url).context["form"]
        values = form(**{name: str(page[name].value() or "") for name in page.fields})
        desk.post(url, values | {"fide_rating": "2555", "club": "Rook"})
        entry.refresh_from_db()
        assert (entry.rating, entry.club, entry.tpn) == (2555, "Rook", 8)

    def test_saving_without_a_change_records_nothing(self, ready: Tournament, desk: Client) -> None:
        entry = factories.entry_of(ready, 8)
        url = reverse("entry-edit", args=[ready.slug, entry.pk])
        page = desk.get(url).context["form"]
        before = own(Decision).count()
        response = desk.post(
            url, form(**{name: str(page[name].value() or "") for name in page.fields})
        )
        assert response.status_code == 302
        assert own(Decision).count() == before

    @pytest.mark.costly
    def test_c04_2_2_4_added_after_round_1_is_a_late_entry(
        self, played_round: Round, desk: Client
    ) -> None:
        tournament = played_round.tournament
        url = reverse("entry-add", args=[tournament.slug])
        assert "this is a late entry" in desk.get(url).content.decode()
        desk.post(url, form(name="Late, Lou", fide_rating="2395"))
        late = Entry.objects.get(tournament=tournament, name="Late, Lou")
        assert (late.first_round, late.tpn) == (2, 2)
        assert (
            "late entry, round 2"
            in desk.get(reverse("entries", args=[tournament.slug])).content.decode()
        )

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "gives, words",
        [
            ("Z", "The player gets no points for missed rounds"),
            ("H", "The player gets half a point for each"),
        ],
    )
    def test_c04_2_2_4_the_form_of_a_late_entry_says_what_the_regulations_give(
        self, gives: str, words: str, desk: Client, chief_arbiter: User
    ) -> None:
        tournament = factories.make_ready(chief_arbiter, late_entry_bye=gives)
        factories.play_rounds(tournament, [1], chief_arbiter)
        assert words in desk.get(reverse("entry-add", args=[tournament.slug])).content.decode()

    def test_a_year_of_birth_is_shown_as_it_was_typed(
        self, ready: Tournament, desk: Client
    ) -> None:
        entry = factories.entry_of(ready, 3)
        Entry.objects.filter(pk=entry.pk).update(birth_date="1992/00/00")
        page = desk.get(reverse("entry-edit", args=[ready.slug, entry.pk]))
        assert 'value="1992"' in page.content.decode()
        sent = {
            name: page.context["form"][name].value() or "" for name in page.context["form"].fields
        }
        assert (
            desk.post(reverse("entry-edit", args=[ready.slug, entry.pk]), sent).status_code == 302
        )
        entry.refresh_from_db()
        assert entry.birth_date == "1992/00/00"

    @pytest.mark.costly
    def test_an_entry_is_removed_before_round_1_only(
        self, ready: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        gone, stays = factories.entry_of(ready, 8), factories.entry_of(ready, 7)
        desk.post(reverse("entry-remove", args=[ready.slug, gone.pk]), factories.seen_now(ready))
        assert not Entry.objects.filter(pk=gone.pk).exists()
        factories.pair_and_publish(ready, 1, chief_arbiter)
        refused = desk.post(
            reverse("entry-remove", args=[ready.slug, stays.pk]), factories.seen_now(ready)
        )
        assert refused.status_code == 409
        assert "Withdraw the player instead. (C.04.2 3.2)" in refused.content.decode()
        assert Entry.objects.filter(pk=stays.pk).exists()
