"""The verbs of the finder: each leads to a page with the player, board or round chosen."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tests.tournaments.desk.test_find import give, hits
from tests.tournaments.web.test_queries_pages import count, make_big
from tournaments.entries.entries import entry_withdraw
from tournaments.events.sections import event_create, section_add
from tournaments.models import Decision, Role, Round, Tournament
from tournaments.web.verb_lines import read, verbs_in
from tournaments.web.verbs import VERBS


@pytest.fixture
def on_site(published_round: Round) -> Tournament:
    """Round 1 is published; player 3 has a name with an accent."""
    tournament = published_round.tournament
    tournament.entries.filter(tpn=3).update(name="Guérin, Paul")
    return tournament


@pytest.fixture
def person(on_site: Tournament) -> User:
    return User.objects.create_user("person", password="person-secret")


def led(client: Client, tournament: Tournament, typed: str) -> list[str]:
    """Return the addresses of the finder, without those of pages and of plain players."""
    return [url for words, url in hits(client, tournament, typed).items() if ":" in words]


def addresses(client: Client, tournament: Tournament, typed: str) -> list[str]:
    return [*hits(client, tournament, typed).values()]


def board_of(tournament: Tournament, tpn: int) -> int:
    boards = factories.boards(tournament, 1)
    return next(n for n, row in enumerate(boards, 1) if tpn in row[:2])


@pytest.mark.costly
def test_every_verb_leads_to_its_page_with_the_player_or_the_board_chosen(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    entry, slug = factories.entry_of(on_site, 3), on_site.slug
    board = board_of(on_site, 3)
    of_entry = reverse("entry-edit", args=[slug, entry.pk])
    at_board = f"?board={board}"
    expected = {
        "bye guerin": f"{of_entry}#byes-heading",
        "bye guerin r2": f"{of_entry}?round=2#byes-heading",
        "exempt Guérin ronde 2": f"{of_entry}?round=2#byes-heading",
        "guerin bye": f"{of_entry}#byes-heading",
        "withdraw guerin": f"{of_entry}#withdraw-heading",
        "retirer guerin": f"{of_entry}#withdraw-heading",
        "withdrow guérin": f"{of_entry}#withdraw-heading",
        "withdraw guerrin": f"{of_entry}#withdraw-heading",
        "withdraw 3": f"{of_entry}#withdraw-heading",
        "expel guerin": f"{of_entry}#expel-heading",
        "not here guerin": reverse("round-board", args=[slug, 1, board]),
        "absent guerin": reverse("round-board", args=[slug, 1, board]),
        "check in guerin": reverse("check-in", args=[slug]) + "?q=Gu%C3%A9rin%2C+Paul",
        "edit guerin": of_entry,
        "penalty guerin": reverse("points", args=[slug]) + f"?player={entry.pk}",
        "why guerin": reverse("round-why", args=[slug, 1]) + "?player=3",
        f"+ {board}": reverse("round", args=[slug, 1]) + f"#board-{board}",
        f"+{board}": reverse("round", args=[slug, 1]) + f"#board-{board}",
        f"forfait {board}": reverse("round", args=[slug, 1]) + f"#board-{board}",
        "forfeit guerin": reverse("round", args=[slug, 1]) + f"#board-{board}",
        f"result {board}": reverse("round", args=[slug, 1]) + f"#board-{board}",
        f"correct {board}": reverse("round-correct", args=[slug, 1]) + at_board,
        f"couleurs {board}": reverse("round-correct", args=[slug, 1])
        + f"?kind=colours&board={board}",
        f"change {board}": reverse("round-change", args=[slug, 1]) + f"?b={board}",
        "undo": reverse("desk", args=[slug]) + "#log-heading",
        "annuler": reverse("desk", args=[slug]) + "#log-heading",
        "help": reverse("help"),
        "aide": reverse("help"),
        "shortcuts": reverse("keys", args=[slug]),
        "late": reverse("entry-add", args=[slug]),
        "export": reverse("print-and-share", args=[slug]),
        "archive": reverse("tournament-manage", args=[slug]),
        "archiver": reverse("tournament-manage", args=[slug]),
        "keep apart": reverse("prohibited-pairs", args=[slug]),
        "password": reverse("people", args=[slug]),
        "r3": reverse("round", args=[slug, 3]),
        "print r3": reverse("print-and-share", args=[slug]) + "?round=3",
        "imprimer r1": reverse("print-and-share", args=[slug]) + "?round=1",
        "slips": reverse("sheets", args=[slug]) + "?list=slips&round=1",
        "print names": reverse("sheets", args=[slug]) + "?list=names&round=1",
        "badges": reverse("sheets", args=[slug]) + "?list=badges",
    }
    lines_before = Decision.objects.count()
    for typed, address in expected.items():
        found = addresses(client, on_site, typed)
        assert address in [html.unescape(url) for url in found], (typed, found)
        assert client.get(address.partition("#")[0]).status_code == 200, typed
    assert Decision.objects.count() == lines_before
    page = client.get(f"{of_entry}?round=2").content.decode()
    assert re.search(r'<option value="2" selected', page)


@pytest.mark.costly
def test_a_swap_is_offered_for_a_draft_and_a_return_to_a_withdrawn_player(
    ready: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    entry = factories.entry_of(ready, 3)
    name = entry.name.partition(",")[0]
    assert led(client, ready, f"swap {name}") == []
    assert led(client, ready, f"why {name}") == []
    assert led(client, ready, "+ 1") == []
    round_pair(round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW)
    assert led(client, ready, f"swap {name}") == [
        reverse("round-swap", args=[ready.slug, 1]) + f"?mark={entry.pk}"
    ]
    assert led(client, ready, f"readmit {name}") == []
    entry_withdraw(entry_id=entry.pk, from_round=2, actor=chief_arbiter, now=factories.NOW)
    back = f"{reverse('entry-edit', args=[ready.slug, entry.pk])}#withdraw-heading"
    assert led(client, ready, f"readmit {name}") == led(client, ready, f"retour {name}") == [back]
    assert led(client, ready, f"withdraw {name}") == []


def test_a_name_that_fits_several_players_gives_a_line_for_each(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    on_site.entries.filter(tpn__in=[1, 2]).update(name="Guérin, Anne")
    client.force_login(chief_arbiter)
    found = hits(client, on_site, "bye guer")
    assert len(found) == 3
    assert sum("Anne" in words for words in found) == 2
    assert all("No." in words or "Paul" in words or re.search(r"\d", words) for words in found)


@pytest.mark.costly
def test_a_verb_without_a_player_leads_to_where_one_chooses_and_an_unknown_one_to_nothing(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    assert hits(client, on_site, "withdraw") == {
        "Withdraw player": reverse("entries", args=[on_site.slug])
    }
    for typed in ("withdraw xyzzy", "frobnicate", "+ 99", "+ +", "why", "print xyzzy", "r99"):
        page = client.get(reverse("find", args=[on_site.slug]), {"q": typed}).content.decode()
        assert "Nothing fits." in page, typed


def test_the_label_of_a_line_is_in_the_language_of_the_reader(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("find", args=[on_site.slug])
    page = client.get(url, {"q": "bye guerin"}, headers={"Accept-Language": "fr"}).content.decode()
    assert re.search(r"Accorder l’absence\s: Guérin, Paul", page)


@pytest.mark.costly
def test_each_role_is_led_only_to_what_it_may_do(
    on_site: Tournament, client: Client, person: User
) -> None:
    client.force_login(person)
    board = board_of(on_site, 3)
    typed = ["bye guerin", "expel guerin", "check in guerin", f"+ {board}", "undo", "help", "slips"]
    expected = {
        Role.DEPUTY: ["bye guerin", "check in guerin", f"+ {board}", "undo", "help", "slips"],
        Role.READER: ["help", "slips"],  # blank ones
        Role.RESULT_DESK: [f"+ {board}", "help"],
        Role.CHECK_IN_DESK: ["check in guerin", "help"],
    }
    for role, allowed in expected.items():
        give(person, on_site, role)
        found = {words: addresses(client, on_site, words) for words in typed}
        assert [words for words, urls in found.items() if urls] == allowed, role
        for urls in found.values():
            for url in urls:
                assert client.get(html.unescape(url)).status_code == 200, (role, url)


def test_final_standings_leave_the_verbs_that_change_nothing(on_site: Tournament) -> None:
    chief = Role.CHIEF
    assert verbs_in(("withdraw",), chief, is_final=True) == []
    assert [str(match.verb.label) for match in verbs_in(("help",), chief, is_final=True)] == [
        "Help"
    ]


def test_whole_words_go_before_beginnings_and_beginnings_before_mistakes() -> None:
    def labels(*words: str) -> list[str]:
        with override("en"):
            return [str(match.verb.label) for match in verbs_in(words, Role.CHIEF, is_final=False)]

    assert labels("bye", "x") == ["Grant bye"]
    assert labels("withd") == labels("wihtdraw") == ["Withdraw player"]
    assert labels("wi") == []
    assert labels("not", "h") == ["Not here"]
    assert "Undo" in labels("annul")


def test_a_round_is_read_in_every_way_to_write_it() -> None:
    for text in ("print r3", "print R 3", "print round 3", "print ronde 3", "r3 print"):
        assert read(text) == (("print",), 3), text
    assert read("gr3") == (("gr3",), None)
    assert read("+20") == (("+", "20"), None)


def test_every_verb_has_words_that_no_other_verb_has() -> None:
    for verb in VERBS:
        with override("en"):
            own = str(verb.words).split(", ")
        alone = [
            words
            for words in own
            if {
                match.verb
                for match in verbs_in(tuple(words.lower().split()), Role.CHIEF, is_final=False)
            }
            == {verb}
        ]
        assert alone, verb.label


@pytest.mark.costly
def test_verbs_take_the_same_queries_for_ten_times_the_players(
    client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    counts = {}
    for boards in (6, 60):
        url = reverse("find", args=[make_big(chief_arbiter, boards).slug])
        client.get(url)
        counts[boards] = [
            count(lambda url=url, q=q: client.get(url, {"q": q}))  # type: ignore[misc]
            for q in ("bye player", "+ 3", "undo")
        ]
    assert counts[6] == counts[60]
    assert max(counts[60]) <= 10


@pytest.mark.costly
def test_the_finder_of_an_event_knows_the_verbs_about_players(
    on_site: Tournament, client: Client, person: User
) -> None:
    chief = on_site.created_by
    event = event_create(
        tournament_id=on_site.pk, name="City Open", label="A", actor=chief, now=factories.NOW
    )
    second = section_add(
        event_id=event.pk, like_id=on_site.pk, label="B", limits={}, actor=chief, now=factories.NOW
    )
    entry = factories.entry_of(on_site, 3)
    url = reverse("event-find", args=[event.slug])

    def found(typed: str) -> list[str]:
        text = client.get(url, {"q": typed}, headers={"HX-Request": "true"}).content.decode()
        return re.findall(r'<a href="([^"]+)"', text)

    client.force_login(chief)
    byes = f"{reverse('entry-edit', args=[on_site.slug, entry.pk])}#byes-heading"
    assert found("bye guerin") == [byes]
    assert found("+ 1") == found("why guerin") == found("bye xyzzy") == []
    client.force_login(person)
    give(person, second, Role.DEPUTY)
    assert found("bye guerin") == []
