"""The pages on which a list of players is imported."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.entries.test_entries_pages import names
from tests.tournaments.lists.imports.previews import sent
from tests.tournaments.neighbour import own
from tournaments.models import (
    Decision,
    Entry,
    Tournament,
)

CSV = "Name;Rating;Fed;FIDE ID\nÅngström, Åsa;2211;SWE;1701234\nO'Neill, Máire;1985;IRL;2501112\n"


def test_a_list_that_is_confirmed_twice_is_entered_once(
    tournament: Tournament, desk: Client
) -> None:
    url = reverse("entries-import", args=[tournament.slug])
    plain = "Name;Elo\nAbara, Ada;1500\nBlom, Bo;1400\n"
    looked = desk.post(url, {"text": plain})
    form = sent(looked)
    assert desk.post(url, form).status_code == 302
    again = desk.post(url, form)
    assert again.status_code == 409
    assert "The players entered have changed since you opened the preview" in again.content.decode()
    assert (again.context["found"].new, len(again.context["found"].unchanged)) == ([], 2)
    assert names(tournament) == ["Abara, Ada", "Blom, Bo"]


class TestImport:
    def test_an_import_is_previewed_then_saved(self, tournament: Tournament, desk: Client) -> None:
        url = reverse("entries-import", args=[tournament.slug])
        looked = desk.post(url, {"file": SimpleUploadedFile("list.csv", CSV.encode())})
        assert looked.status_code == 200
        assert "2 players in the file" in looked.content.decode()
        assert names(tournament) == []
        saved = desk.post(url, sent(looked), follow=True)
        assert saved.redirect_chain == [(reverse("entries", args=[tournament.slug]), 302)]
        assert "2 players are entered." in saved.content.decode()
        assert names(tournament) == ["O'Neill, Máire", "Ångström, Åsa"]

    def test_a_pasted_list_is_imported(self, tournament: Tournament, desk: Client) -> None:
        looked = desk.post(reverse("entries-import", args=[tournament.slug]), {"text": CSV})
        assert [row.name for row in looked.context["found"].new] == [
            "Ångström, Åsa",
            "O'Neill, Máire",
        ]

    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_the_preview_says_which_encoding_was_assumed_and_shows_names(
        self, tournament: Tournament, desk: Client, headers: dict[str, str]
    ) -> None:
        url = reverse("entries-import", args=[tournament.slug])
        assumed = "The file is not in UTF-8. It was read as Windows-1252."
        upload = SimpleUploadedFile(
            "list.csv", "Name;Club\nŠimon, Léa;Mate – Lyon\nAnn;\n".encode("cp1252")
        )
        looked = desk.post(url, {"file": upload}, headers=headers)
        text = " ".join(looked.content.decode().split())
        assert assumed in text
        assert "<p>Check these names: Šimon, Léa</p>" in text
        desk.post(url, sent(looked), headers=headers)
        assert names(tournament) == ["Ann", "Šimon, Léa"]
        plain = desk.post(
            url, {"file": SimpleUploadedFile("list.csv", "Name\nLéa\n".encode())}, headers=headers
        )
        assert "not in UTF-8" not in plain.content.decode()

    def test_warnings_are_shown_above_the_list(self, tournament: Tournament, desk: Client) -> None:
        text = "Name;Colour\nSame, Sue;blue\nSame, Sue;red\n"
        looked = desk.post(
            reverse("entries-import", args=[tournament.slug]), {"text": text}
        ).content.decode()
        assert "1 row needs your attention" in looked
        assert "The column “Colour” is not used." in looked
        assert "Line 3: Same, Sue is on line 2 too: the same person twice?" in looked

    @pytest.mark.parametrize(
        "data, sentence",
        [
            (b"Rating\n2000\n", "Line 1, column 1: there is no name column."),
            (b"", "The submitted file is empty."),
            (b"x" * 1_500_001, "The file is too large: at most 1.5 MB."),
        ],
        ids=["no name column", "empty", "junk"],
    )
    def test_bad_files_are_refused_with_the_place_and_nothing_is_saved(
        self, tournament: Tournament, desk: Client, data: bytes, sentence: str
    ) -> None:
        before = own(Decision).count()
        upload = SimpleUploadedFile("list.csv", data)
        response = desk.post(reverse("entries-import", args=[tournament.slug]), {"file": upload})
        assert response.status_code == 422
        assert sentence in response.content.decode()
        assert (names(tournament), own(Decision).count()) == ([], before)

    @pytest.mark.costly
    def test_the_players_of_a_trf_file_without_its_rounds(
        self, tournament: Tournament, desk: Client, chief_arbiter: User
    ) -> None:
        played = factories.make_ready(chief_arbiter, name="Last Year", players=6)
        factories.play_rounds(played, [1], chief_arbiter)
        file = desk.get(reverse("trf-export", args=[played.slug])).content
        url = reverse("entries-import", args=[tournament.slug])
        looked = desk.post(url, {"file": SimpleUploadedFile("last-year.trf", file)})
        assert "6 players in the file" in looked.content.decode()
        desk.post(url, sent(looked))
        entries = Entry.objects.filter(tournament=tournament).order_by("-rating")
        assert [(entry.name, entry.rating, entry.tpn) for entry in entries] == [
            (entry.name, entry.rating, None)
            for entry in Entry.objects.filter(tournament=played).order_by("tpn")
        ]

    def test_a_trf_file_that_cannot_be_read_says_where(
        self, tournament: Tournament, desk: Client
    ) -> None:
        response = desk.post(
            reverse("entries-import", args=[tournament.slug]), {"text": "012 Test\n001 abcd\n"}
        )
        assert response.status_code == 422
        assert "Line 2, column 5: " in response.content.decode()

    def test_a_confirmed_file_is_read_again(self, tournament: Tournament, desk: Client) -> None:
        response = desk.post(
            reverse("entries-import", args=[tournament.slug]), {"confirmed": "not base64!"}
        )
        assert response.status_code == 422
        assert names(tournament) == []
