"""The public state: the actions that change it for visitors, its version,
the ETags and the pages that follow.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from tests.conftest import forget_pages
from tests.tournaments import factories
from tests.tournaments.stored import stored_files
from tests.tournaments.web.test_every_public_page import HTMX, OPEN_PAGES, OTHER_PAGES, address
from tournaments.core.build import build
from tournaments.core.frame import state_key
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import entry_check_in, entry_return, entry_withdraw
from tournaments.models import Decision, Game, Tournament
from tournaments.setup.tournaments import tournament_update

API = [
    "",
    "entries/",
    "rounds/",
    "rounds/3/",
    "standings/",
    "crosstable/",
    "prizes/",
    "trf/",
    "record/",
    "entries/csv/",
]


pytestmark = pytest.mark.usefixtures("publications_store_pages")


@pytest.fixture
@factories.cached
def event(chief_arbiter: User) -> Tournament:
    """Two rounds played, five declared, eight players; beside it an event with the same numbers."""
    neighbour = factories.make_ready(chief_arbiter, players=4, rounds=2, name="Beside")
    factories.play_rounds(neighbour, [1, 2], chief_arbiter, factories.white_wins)
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    return tournament


def everything_public(tournament: Tournament) -> dict[str, tuple[int, bytes, str]]:
    """Return status, content and ETag of every page that a visitor can read, rendered now."""
    forget_pages()
    client = Client()
    names = OPEN_PAGES | OTHER_PAGES
    del names["live-results"]  # shows what is not public yet, with a setting: test_running_results
    pages = [address(tournament, name, at) for name, at in names.items()]
    rest = [f"/api/v1/tournaments/{tournament.slug}/{address}" for address in API]
    answers = {url: client.get(url) for url in [*pages, *rest]}
    return {
        url: (page.status_code, page.content, page.headers.get("ETag", ""))
        for url, page in answers.items()
    }


class Desk:
    """The arbiter at the desk of one tournament."""

    def __init__(self, tournament: Tournament, actor: User) -> None:
        self.tournament = tournament
        self.by: dict[str, Any] = {"actor": actor, "now": factories.NOW}
        self.of: dict[str, Any] = {"tournament_id": tournament.pk, **self.by}

    def round_of(self, number: int) -> int:
        return factories.round_of(self.tournament, number).pk

    def entry(self, tpn: int) -> int:
        return factories.entry_of(self.tournament, tpn).pk

    def game(self, number: int) -> int:
        return Game.objects.filter(round=self.round_of(number), board=1).get().pk

    def undo(self) -> None:
        newest = Decision.objects.filter(tournament=self.tournament).latest("sequence")
        action_undo(**self.of, sequence=newest.sequence)

    def pair(self) -> None:
        round_pair(round_id=self.round_of(3), **self.by)

    def arrange(self) -> None:
        """Reverse the colours of every board of the draft."""
        boards = enumerate(factories.boards(self.tournament, 3), start=1)
        pairings = Pairings(
            {board: (self.entry(black), self.entry(white)) for board, (white, black, _) in boards}
        )
        round_arrange(round_id=self.round_of(3), pairings=pairings, reason="so it is", **self.by)

    def discard(self) -> None:
        round_unpair(round_id=self.round_of(3), **self.by)

    def publish(self) -> None:
        round_publish(round_id=self.round_of(3), **self.by)

    def ask_for_bye(self) -> None:
        bye_request(entry_id=self.entry(3), round_number=3, kind="H", **self.by)

    def cancel_bye(self) -> None:
        bye_cancel(entry_id=self.entry(3), round_number=3, **self.by)

    def open_check_in(self) -> None:
        check_in_open(**self.of)

    def tick(self, there: bool = True, but: int = 0) -> None:
        for tpn in range(1, 9):
            if tpn != but:
                entry_check_in(entry_id=self.entry(tpn), checked_in=there, **self.by)

    def close_check_in(self) -> None:
        check_in_close(**self.of)

    def settle(self, consequence: str) -> None:
        check_in_settle(**self.of, consequence=consequence, seen=[self.entry(5)])

    def enter_result(self) -> None:
        result_record(game_id=self.game(3), result="10", **self.by)


@pytest.fixture
def desk(event: Tournament, chief_arbiter: User) -> Desk:
    return Desk(event, chief_arbiter)


def assert_unnoticed(event: Tournament, *steps: tuple[Callable[[], object], ...]) -> None:
    """Check that each action of *steps* leaves the public state as it was, and each step every
    public page, byte by byte, with its ETag, and that nothing changes the stored pages.

    What the first actions of a step changed is still there when the step ends.
    """
    before, stored = everything_public(event), stored_files()
    assert stored
    event.refresh_from_db()
    public, running = state_key(event, runs=False), state_key(event, runs=True)
    for step in steps:
        for action in step:
            action()
            event.refresh_from_db()
            assert state_key(event, runs=True) != running
            assert state_key(event, runs=False) == public, action
            assert stored_files() == stored, action
            running = state_key(event, runs=True)
        after = everything_public(event)
        assert [url for url in before if before[url] != after[url]] == [], step


class TestHiddenFromVisitors:
    """[C.04.2/2026 4.4] Only arbiters know of pairings that are not published."""

    @pytest.mark.costly
    def test_c04_2_4_4_a_draft_and_its_end(self, event: Tournament, desk: Desk) -> None:
        assert_unnoticed(event, (desk.pair, desk.arrange), (desk.discard,), (desk.pair, desk.undo))

    @pytest.mark.costly
    def test_c04_2_3_3_a_bye_in_a_coming_round(self, event: Tournament, desk: Desk) -> None:
        assert_unnoticed(
            event, (desk.ask_for_bye,), (desk.cancel_bye,), (desk.ask_for_bye, desk.undo)
        )

    @pytest.mark.costly
    def test_c04_2_4_1_a_check_in(self, event: Tournament, desk: Desk) -> None:
        assert_unnoticed(
            event,
            (desk.open_check_in, lambda: desk.tick(but=5)),
            (desk.undo, desk.tick),
            (
                lambda: entry_check_in(entry_id=desk.entry(5), checked_in=False, **desk.by),
                desk.close_check_in,
                lambda: desk.settle("Z"),
            ),
            (desk.undo,),
        )

    @pytest.mark.costly
    def test_c04_2_4_2_a_result_and_its_undo(self, event: Tournament, desk: Desk) -> None:
        desk.pair()
        desk.publish()
        assert_unnoticed(event, (desk.enter_result,), (desk.undo,))

    def test_the_record_shows_it_with_the_next_public_action(
        self, event: Tournament, desk: Desk, client: Client, chief_arbiter: User
    ) -> None:
        url = reverse("record", args=[event.slug])

        def public_actions() -> list[str]:
            return [row.action for row in client.get(url).context["record"].page]

        forget_pages()
        before = public_actions()
        desk.open_check_in()
        forget_pages()
        assert public_actions() == before
        client.force_login(chief_arbiter)
        assert public_actions() == ["check_in.opened", *before]
        client.logout()
        tournament_update(**desk.of, city="Lyon")
        assert public_actions() == ["tournament.updated", "check_in.opened", *before]


class TestEverybodyNotices:
    @pytest.mark.costly
    def test_c04_2_3_2_a_withdrawal_a_return_and_their_undo(
        self, event: Tournament, desk: Desk
    ) -> None:
        by = desk.by
        before = everything_public(event)
        for action in (
            lambda: entry_withdraw(entry_id=desk.entry(4), **by),
            desk.undo,
            lambda: entry_withdraw(entry_id=desk.entry(4), **by),
            lambda: entry_return(entry_id=desk.entry(4), reason="a late train", **by),
            desk.undo,
        ):
            action()
            after = everything_public(event)
            assert [url for url in before if before[url][2] == after[url][2]] == []
            players = reverse("players", args=[event.slug])
            assert before[players][1] != after[players][1]
            before = after

    def test_c04_2_4_1_players_excluded_after_the_check_in(
        self, event: Tournament, desk: Desk
    ) -> None:
        desk.open_check_in()
        desk.tick(but=5)
        desk.close_check_in()
        before = state_key(Tournament.objects.get(pk=event.pk), runs=False)
        desk.settle("excluded")
        after = state_key(Tournament.objects.get(pk=event.pk), runs=False)
        assert after != before
        desk.undo()
        assert state_key(Tournament.objects.get(pk=event.pk), runs=False) not in (before, after)

    @pytest.mark.costly
    def test_a_publication(self, event: Tournament, desk: Desk) -> None:
        desk.pair()
        before = everything_public(event)
        desk.publish()
        after = everything_public(event)
        assert [url for url in before if before[url][2] and before[url][2] == after[url][2]] == []
        factories.enter_results(event, 3, desk.by["actor"])
        results_publish(round_id=desk.round_of(3), **desk.by)
        assert [
            url for url, page in everything_public(event).items() if page[2] == after[url][2]
        ] == []


@pytest.mark.costly
def test_another_action_after_a_restored_backup_gives_other_tags(
    event: Tournament, desk: Desk, chief_arbiter: User, client: Client
) -> None:
    """A visitor who read the page before must not get “not modified”,
    although the versions are equal.
    """
    overview, detail = (
        reverse("tournament", args=[event.slug]),
        f"/api/v1/tournaments/{event.slug}/",
    )

    def read() -> tuple[dict[str, str], str, str]:
        forget_pages()
        arbiter = Client()
        arbiter.force_login(chief_arbiter)
        own = arbiter.get(detail)
        tags = {
            "page": client.get(overview)["ETag"],
            "api": client.get(detail)["ETag"],
            "own": own["ETag"],
        }
        now = Tournament.objects.get(pk=event.pk)
        assert now.version == event.version + 1
        return tags, state_key(now, runs=False), state_key(now, runs=True)

    with transaction.atomic():
        tournament_update(**desk.of, city="Lyon")
        tag_of, public, own = read()
        transaction.set_rollback(True)
    tournament_update(**desk.of, city="Nice")
    again, public_again, own_again = read()
    assert {name for name in tag_of if tag_of[name] == again[name]} == set()
    assert b"Nice" in client.get(overview, headers={"If-None-Match": tag_of["page"]}).content
    assert client.get(detail, headers={"If-None-Match": tag_of["api"]}).json()["city"] == "Nice"
    # A page that stayed open sends the version it has.
    assert (public_again, own_again) != (public, own)
    assert b"Nice" in client.get(overview).content
    assert client.get(overview, {"v": public}, headers=HTMX).status_code == 200
    client.force_login(chief_arbiter)
    assert client.get(overview, {"v": own}, headers=HTMX).status_code == 200


@pytest.mark.costly
def test_another_build_of_the_program_gives_other_tags(
    event: Tournament, client: Client, settings: Any, tmp_path: Path
) -> None:
    """The templates may have changed: a page kept on a phone can differ from the page sent now."""
    addresses = [reverse("tournament", args=[event.slug]), f"/api/v1/tournaments/{event.slug}/"]
    before = [client.get(url).headers["ETag"] for url in addresses]
    assert [client.get(url).headers["ETag"] for url in addresses] == before
    builds = {build()}
    for name, text in (
        ("templates/base.html", "one"),
        ("templates/base.html", "two"),
        ("locale/fr.mo", "trois"),
    ):
        settings.BASE_DIR = tmp_path / f"{name}-{text}".replace("/", "-")
        path = settings.BASE_DIR / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
        builds.add(build())
        after = [
            client.get(url, headers={"If-None-Match": tag})
            for url, tag in zip(addresses, before, strict=True)
        ]
        assert [answer.status_code for answer in after] == [200, 200]
    assert len(builds) == 4
    settings.TIME_ZONE = "Europe/Paris"
    assert build() not in builds
