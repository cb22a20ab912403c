"""The pages in French: the reader's language everywhere, with unchanged articles."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pairing.engine.systems import SYSTEMS
from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.models import Eligible, Game, Round, Tournament
from tournaments.models.pairing_systems import NAMES
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set
from tournaments.web.templatetags.numbers import day_to

FRENCH = {"Accept-Language": "fr-FR,fr;q=0.9,en;q=0.5"}


@pytest.mark.parametrize(
    "name, words",
    [
        ("tournament", "Système d’appariement"),
        ("players", "Joueurs"),
        ("pairings-public", "Appariements publiés le 21 nov. 2026, 09:00"),
        (
            "standings",
            "Le classement est disponible après la publication des résultats de la ronde 1.",
        ),
        ("record", "appariements publiés"),
        ("record", "21 nov. 2026, 09:00:00"),
        ("desk", "Saisir les résultats de la ronde 1"),
        ("entries", "numéros provisoires"),
        ("numbers", "Classés par Elo, puis titre, puis nom"),
        ("round", "gain des Blancs par forfait"),
    ],
)
def test_pages_speak_french(
    name: str, words: str, published_round: Round, client: Client, chief_arbiter: User
) -> None:
    if name in {"desk", "entries", "numbers", "round"}:
        client.force_login(chief_arbiter)
    slug = published_round.tournament.slug
    numbered = name in {"pairings-public", "round"}
    response = client.get(reverse(name, args=[slug, 1] if numbered else [slug]), headers=FRENCH)
    text = response.content.decode()
    assert '<html lang="fr"' in text
    assert words in text
    assert response.headers["Content-Language"] == "fr"


def test_a_refusal_is_in_french_with_its_article(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    response = client.post(
        reverse("round-pair", args=[published_round.tournament.slug, 2]), headers=FRENCH
    )
    text = response.content.decode()
    assert response.status_code == 409
    assert "Le règlement ne le permet pas maintenant." in text
    assert "Ronde 1\u202f: il manque des résultats à l’échiquier 1, 2, 3, 4. (C.04.2 4.2)" in text


@pytest.mark.costly
def test_the_script_of_result_entry_gets_its_words_in_french(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    game = Game.objects.filter(round=published_round).first()
    assert game is not None
    url = reverse("round", args=[published_round.tournament.slug, 1])
    words = client.get(url, headers=FRENCH).context["words"]
    assert words["board"].replace("%n", "7") == "Échiquier 7"
    assert words["long"]["+-"] == "gain des Blancs par forfait"
    assert words["keys"] == client.get(url).context["words"]["keys"]


def test_a_page_cached_in_one_language_is_not_sent_in_the_other(
    ready: object, client: Client
) -> None:
    url = reverse("tournament", args=[own(factories.Tournament).get().slug])
    assert "Pairing system" in client.get(url).content.decode()
    assert "Système d’appariement" in client.get(url, headers=FRENCH).content.decode()
    assert "Pairing system" in client.get(url, headers={"Accept-Language": "sv"}).content.decode()


@pytest.mark.parametrize(
    "name, data, words",
    [
        ("tournament-import", "012 Open\n", "Ligne 1, colonne 1 : Ce fichier ne contient aucun joueur"),
        (
            "tournament-import",
            f"001    1      {'Un':<33} 2000{'':27}  9.0\n",
            "Ligne 1, colonne 81 : Le joueur 1 a ici 9.0 points, mais ses résultats donnent 0.0.",
        ),
        ("entries-import", "Name;Elo\nUn;beaucoup\n", "Ligne 2, colonne 2 : « beaucoup » n’est pas un nombre entier"),
        ("entries-import", "Name;Elo\nUn;beaucoup\n", "(Elo FIDE)"),
    ],
)  # fmt: skip
def test_an_unreadable_file_is_refused_in_french(
    name: str, data: str, words: str, published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    arguments = [] if name == "tournament-import" else [published_round.tournament.slug]
    response = client.post(reverse(name, args=arguments), {"text": data}, headers=FRENCH)
    assert response.status_code == (
        200 if "beaucoup" in data else 422
    )  # one doubtful row does not stop the others
    text = " ".join(response.content.decode().replace("\u202f", " ").replace("&#x27;", "'").split())
    assert words in text


@pytest.mark.costly
def test_colours_and_decimals_are_written_the_french_way(
    client: Client, chief_arbiter: User
) -> None:
    """B is Blancs and N is Noirs, so that nobody reads b as Blancs; the decimals follow a comma."""
    tournament = factories.make_ready(chief_arbiter, tie_breaks="SB")
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    client.force_login(chief_arbiter)

    def read(name: str, *numbers: int) -> str:
        return client.get(
            reverse(name, args=[tournament.slug, *numbers]), headers=FRENCH
        ).content.decode()

    crosstable = read("crosstable")
    assert set(re.findall(r"<i>\d+</i>(\w)<b>", crosstable)) == {"B", "N"}
    assert set(re.findall(r'<td class="history">(.*?)</td>', read("round", 2))) == {"B", "N"}
    assert set(re.findall(r">(\d+[.,]\d+)</td>", read("standings"))) == {"0,00"}
    assert "échiquier 4\u202f: – → 0 – 1" in read("record")
    assert "Ronde 3\u202f: Début de la ronde" in tidy(read("schedule"))


@pytest.mark.costly
def test_colours_and_decimals_of_an_english_reader(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, tie_breaks="SB")
    factories.play_rounds(tournament, [1], chief_arbiter)
    crosstable = client.get(reverse("crosstable", args=[tournament.slug])).content.decode()
    standings = client.get(reverse("standings", args=[tournament.slug])).content.decode()
    assert set(re.findall(r"<i>\d+</i>(\w)<b>", crosstable)) == {"w", "b"}
    assert set(re.findall(r">(\d+[.,]\d+)</td>", standings)) == {"0.00"}


@pytest.mark.costly
def test_the_town_and_the_place_of_a_prize_have_different_words(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    prizes_set(
        tournament_id=ready.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        plan=PrizePlan(
            "EUR", Division.EQUAL, True, (CategoryPlan("Main", Eligible.EVERYBODY, "", (1000,)),)
        ),
    )
    for number in range(1, 6):
        factories.play_rounds(ready, [number], chief_arbiter)
    prizes = client.get(reverse("prizes", args=[ready.slug]), headers=FRENCH).content.decode()
    assert '<th scope="col" class="number">Place</th>' in prizes
    client.force_login(chief_arbiter)
    form = client.get(
        reverse("tournament-edit", args=[ready.slug]), headers=FRENCH
    ).content.decode()
    assert re.search(r'<label for="id_city"\s*>\s*Lieu', form)


@pytest.mark.parametrize(
    "tenths, english, french",
    [
        (0, "0 points", "0 point"),
        (5, "½ point", "½ point"),
        (10, "1 point", "1 point"),
        (15, "1½ points", "1½ point"),
        (20, "2 points", "2 points"),
        (25, "2½ points", "2½ points"),
    ],
)
def test_points_have_the_plural_of_the_language(tenths: int, english: str, french: str) -> None:
    template = Template(
        "{% load i18n numbers %}"
        "{% blocktranslate count count=tenths|point_count with rank=1 points=tenths|points n=1 %}"
        "After round {{ n }}: rank {{ rank }} with {{ points }} point.{% plural %}"
        "After round {{ n }}: rank {{ rank }} with {{ points }} points.{% endblocktranslate %}"
    )
    for language, words in (("en", english), ("fr", french)):
        with override(language):
            assert template.render(Context({"tenths": tenths})).endswith(f" {words}.")


@pytest.mark.parametrize("system", list(SYSTEMS))
def test_a_pairing_system_has_a_french_name(system: str) -> None:
    assert str(NAMES[system]) == SYSTEMS[system].name
    with override("fr"):
        assert str(NAMES[system]).startswith("Système ")


@pytest.mark.costly
def test_the_forms_name_the_systems_in_french(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    """A new event, its settings, and the rules of an imported event."""
    client.force_login(chief_arbiter)
    file = client.get(reverse("trf-export", args=[ready.slug])).content.decode()
    pages = [
        client.get(reverse("tournament-create"), headers=FRENCH),
        client.get(reverse("settings-pairing", args=[ready.slug]), headers=FRENCH),
        client.post(reverse("tournament-import"), {"text": file}, headers=FRENCH),
    ]
    for response in pages:
        assert response.status_code == 200
        text = response.content.decode()
        assert all(SYSTEMS[code].name not in text for code in SYSTEMS)
        with override("fr"):
            assert all(str(name) in text for name in NAMES.values())


@pytest.mark.parametrize(
    "end, english, french",
    [
        (None, "21 Nov 2026", "21 nov. 2026"),
        (date(2026, 11, 21), "21 Nov 2026", "21 nov. 2026"),
        (date(2026, 11, 22), "21–22 Nov 2026", "21–22 nov. 2026"),
        (date(2026, 12, 1), "21 Nov 2026 – 1 Dec 2026", "21 nov. 2026 – 1 déc. 2026"),
        (date(2027, 11, 22), "21 Nov 2026 – 22 Nov 2027", "21 nov. 2026 – 22 nov. 2027"),
    ],
)
def test_the_days_of_an_event_name_a_month_once(
    end: date | None, english: str, french: str
) -> None:
    for language, words in (("en", english), ("fr", french)):
        with override(language):
            assert day_to(date(2026, 11, 21), end) == words
