"""Access to the pages: every address is in one of the three lists here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.models import Appointment, Decision, Entry, Game, PublishedList, Screen, Tournament
from tournaments.reports.protests import protest_lodge, protests_of
from tournaments.web.urls import urlpatterns

WITHOUT_A_TOURNAMENT = {"home", "help", "help-page", "language"}
EVERYBODY = (
    WITHOUT_A_TOURNAMENT
    | {"tournament", "players", "pairings-public", "standings", "standings-after"}
    | {
        "record",
        "trf-export",
        "fingerprints",
        "record-file",
        "against-engine",
        "player-standing",
    }
)
MORE_FOR_ARBITERS = {
    "record",
    "fingerprints",
    "record-file",
    "trf-export",
    "prizes",
    "open-games",
} | {
    "crosstable",
    "crosstable-picture",
    "published-lists",
    "published-list",
}
"""Pages for everybody on which arbiters of the tournament read more.

All other public pages are the same for all.
"""
MOVED = {"player-by-number", "standing-by-number", "next-event"}
"""Former addresses, and one that depends on other tournaments: they redirect."""
PUBLIC_FILES = {
    "news",
    "offline-worker",
    "push",
    "round-code",
    "entered-result",
    "screen-news",
    "logo",
}
"""Files of public pages, the same for everybody:
test_news.py, test_offline.py, test_round_codes.py, test_entered_results.py, screens/test_pages.py,
setup/test_logo.py.
"""
SIGNED_IN_ACTIONS = {"tie-breaks-try"}
"""Actions of every account that may create tournaments."""
SIGNED_IN = {"tournament-create", "tournament-import", "venue"}
OPEN_FILES = {"trf-opening"}
"""A large file, for the person who opens it: tests/tournaments/lists/imports/test_large_file.py."""
OWN_ROLES = {"role-accept", "invitation"}
"""Actions of the account to which a role is offered: test_hostile_event.py, test_invitations.py."""
SITE_ADMINISTRATOR = {"take-over", "rating-lists"}
"""Pages of the site administrator: test_taking_over.py, rating_lists/test_list_pages.py."""
ARBITER_PAGES = {
    "desk",
    "tournament-edit",
    "settings-pairing",
    "settings-ratings",
    "settings-byes",
    "settings-deadlines",
    "settings-fide",
    "settings-logo",
    "settings-privacy",
    "settings-tie-breaks",
    "schedule",
    "numbers",
    "initial-colour",
    "entries",
    "entry-add",
} | {
    "entries-import",
    "entry-edit",
    "round",
    "round-results",
    "results-state",
    "results-checks",
    "second-reading",
    "reading-differences",
    "round-correct",
    "round-change",
    "corrections",
    "game-date",
}
EVERYBODY |= {
    "crosstable",
    "crosstable-picture",
    "player-page",
    "certificate",
    "player-groups",
    "performance-picture",
    "progress",
    "progress-picture",
    "forecast",
}
EVERYBODY |= {
    "me",
    "names",
    "offline",
    "manifest",
    "open-games",
    "games-calendar",
    "rounds-calendar",
    "player-calendar",
    "live-results",
    "follow",
    "feed",
    "embedded",
}
EVERYBODY |= {
    "round-codes",
    "prizes",
    "published-lists",
    "published-list",
    "register",
    "why-public",
}
ARBITER_PAGES |= {
    "check-in",
    "start",
    "prohibited-pairs",
    "round-missing",
    "self-check-in-settings",
    "desk-card",
    "recheck",
    "prizes-define",
    "event-report",
    "report-chart-svg",
    "report-chart-png",
    "norms",
    "norm",
    "title-claims",
    "rating-report",
    "rating-reports",
    "federation-files",
    "report-check",
    "report-archive",
    "rating-report-next",
    "trf-for-programs",
    "tie-breaks",
    "tie-break-preview",
    "regulations",
    "tournament-manage",
    "mirror",
    "hand-over",
    "tournament-duplicate",
    "personal-data",
    "personal-data-of",
    "personal-data-file",
    "lots",
    "final-standings",
    "protests",
    "protest",
}
ARBITER_PAGES |= {
    "points",
    "number-of-rounds",
    "round-by-hand",
    "round-why",
    "round-provisional",
    "round-opponent",
    "round-swap",
}
EVENTS = {
    "event",
    "event-me",
    "event-news",
    "event-desk",
    "event-entries",
    "event-sections",
    "event-make",
} | {
    "event-check-in",
    "event-check-in-find",
    "event-check-in-tick",
    "event-check-in-turn",
    "event-import",
    "event-waiting",
    "event-waiting-row",
    "event-register",
    "event-find",
    "event-mirror",
    "event-keys",
    "event-prizes",
    "event-prizes-define",
    "event-prize-sheets",
}
"""Pages of events with sections: tests/tournaments/events."""
ARBITER_PAGES |= {"people", "waiting", "find", "keys", "round-player", "round-board"}
ARBITER_PAGES |= {"round-floor", "table-codes", "table-sheet", "print-and-share", "sheets"}
ARBITER_PAGES |= {"hall-screens", "hall-screen-add", "hall-screen", "hall-screen-pages"}
SESSION_FRAGMENT = {"own-part"}
"""What a browser adds to a page for everybody: nothing for a visitor."""
LINKS = {
    "sign-in-link",
    "self-check-in",
    "self-check-in-confirm",
    "registered",
    "registered-correct",
    "pairing-mail",
}
LINKS |= {"table-report", "kiosk", "kiosk-board", "short-address", "screen"}
LINKS |= {"table-mistake", "mistake"}
ARBITER_PAGES |= {"entry-hits", "ratings-check", "registration-settings", "registrations"}
"""Pages for the person with the link."""
NOT_ALWAYS = {"language", "standings-after", "player-standing", "performance-picture"} | {
    "live-results"
}
"""Addresses that are not pages, do not exist before the first results, or only with a setting."""
ARBITER_ACTIONS = (
    {
        "tournament-delete",
        "person-remove",
        "person-renew",
        "person-hand-over",
        "invitation-withdraw",
    }
    | {
        "points-withdraw",
        "check-in-turn",
        "check-in-settle",
        "check-in-find",
        "check-in-tick",
        "entry-fee",
        "absence-explain",
        "undo",
    }
    | {
        "list-close",
        "entry-check-in",
        "bye-request",
        "bye-cancel",
        "entry-withdraw",
        "entry-expel",
        "entry-return",
    }
    | {
        "entry-remove",
        "round-pair",
        "rating-report-withdraw",
        "rating-reports-restore",
        "boards-announce",
        "announcement-withdraw",
        "round-discard",
        "round-publish",
        "results-publish",
        "game-result",
        "game-colours",
        "game-reading",
        "waiting-enter",
        "waiting-change",
        "waiting-enter-all",
        "waiting-keep",
        "waiting-discard",
        "waiting-discard-all",
        "registrations-accept",
        "hall-screen-show",
        "hall-screens-message",
        "hall-screen-remove",
        "mistake-settle",
        "registration-accept",
        "registration-refuse",
    }
)


def address(name: str, tournament: Tournament) -> str:
    return addresses([name], tournament)[name]


def addresses(names: Iterable[str], tournament: Tournament) -> dict[str, str]:
    """Return the address of each page or action, with the first entry,
    game and so on of *tournament*.
    """
    names = sorted(names)
    if "protest" in names and not protests_of(tournament):
        protest_lodge(
            tournament_id=tournament.pk, by="Pia Player", at=factories.NOW, subject="The clock was wrong", seen=0,
            actor=tournament.created_by, now=factories.NOW,
        )  # fmt: skip
    screen, _ = Screen.objects.get_or_create(
        tournament=tournament, defaults={"code": f"ACCESS{tournament.pk}", "name": "Hall"}
    )
    game = Game.objects.filter(round__tournament=tournament).first()
    entry = Entry.objects.filter(tournament=tournament).first()
    values = {
        "slug": tournament.slug,
        "number": 1,
        "entry_id": entry.pk if entry else 0,
        "board": 1,
        "appointment_id": Appointment.objects.filter(tournament=tournament).latest("pk").pk,
        "game_id": game.pk if game else 0,
        "code": "fr",
        "tpn": 1,
        "waiting_id": 1,
        "invitation_id": 1,
        "registration_id": 1,
        "screen_id": screen.pk,
        "report_id": 1,
        "list_id": lists.pk
        if (lists := PublishedList.objects.filter(tournament=tournament).first())
        else 0,
        "name": "day-of-the-event",
        "title": "GM",
        "chart": "federations",
        "kind": "standings",
    }
    planned = values | {"number": 2}
    return {name: _reversed(name, planned if name == "round-missing" else values) for name in names}


def _reversed(name: str, values: dict[str, object]) -> str:
    for wanted in (
        (),
        ("slug",),
        ("code",),
        ("name",),
        ("slug", "number"),
        ("slug", "entry_id"),
        ("slug", "entry_id", "title"),
        ("slug", "chart"),
        ("slug", "appointment_id"),
        ("slug", "game_id"),
        ("slug", "list_id"),
        ("slug", "name"),
        ("slug", "kind"),
        ("slug", "waiting_id"),
        ("slug", "invitation_id"),
        ("slug", "registration_id"),
        ("slug", "screen_id"),
        ("slug", "report_id"),
        ("slug", "number", "tpn"),
        ("slug", "number", "entry_id"),
        ("slug", "number", "board"),
    ):
        try:
            return reverse(name, kwargs={key: values[key] for key in wanted})
        except NoReverseMatch:
            continue
    return reverse(name, kwargs={key: values[key] for key in ("slug", "entry_id", "number")})


def statuses(ask: Callable[[str], Any], urls: dict[str, str]) -> dict[str, int]:
    return {name: ask(url).status_code for name, url in urls.items()}


def test_every_address_has_its_audience() -> None:
    audiences = [
        EVERYBODY,
        PUBLIC_FILES,
        MOVED,
        SIGNED_IN,
        OPEN_FILES,
        OWN_ROLES,
        SITE_ADMINISTRATOR,
        SIGNED_IN_ACTIONS,
        ARBITER_PAGES,
        ARBITER_ACTIONS,
        LINKS,
        EVENTS,
    ]
    named = sorted(name for audience in audiences for name in audience)
    known = sorted(
        pattern.name or "" for pattern in urlpatterns if pattern.name not in SESSION_FRAGMENT
    )
    assert named == known, (
        f"Add {sorted({*known} - {*named})} to the list of its readers in this file: EVERYBODY, "
        "ARBITER_PAGES, ARBITER_ACTIONS, …"
    )


@pytest.mark.costly
@pytest.mark.on_postgres("one request of every page and read")
def test_visitors_read_the_public_pages(on_site: Tournament, client: Client) -> None:
    urls = addresses(EVERYBODY - NOT_ALWAYS, on_site)
    assert statuses(client.get, urls) == dict.fromkeys(urls, 200)


def test_visitors_are_sent_to_log_in_and_back(on_site: Tournament, client: Client) -> None:
    for name, url in addresses(SIGNED_IN | SITE_ADMINISTRATOR | ARBITER_PAGES, on_site).items():
        response = client.get(url)
        assert (response.status_code, response.headers["Location"]) == (
            302,
            f"/accounts/login/?next={url}",
        ), name


@pytest.mark.costly
@pytest.mark.on_postgres("one request of every page and read")
def test_strangers_are_refused_pages(on_site: Tournament, client: Client, stranger: User) -> None:
    client.force_login(stranger)
    for name, url in addresses(ARBITER_PAGES, on_site).items():
        response = client.get(url)
        assert response.status_code == 403, name
        assert "This page is for the arbiters of the tournament" in response.content.decode(), name


@pytest.mark.costly
@pytest.mark.on_postgres("one request of every page and read")
def test_a_deputy_can_open_every_page(on_site: Tournament, client: Client, deputy: User) -> None:
    """The Chief Arbiter opens every page in test_pages_for_logged_in_users_are_not_stored."""
    client.force_login(deputy)
    urls = addresses(ARBITER_PAGES, on_site)
    games_are_open = {
        "rating-report": 409
    }  # the page is open, and says that the report has to wait
    one_page = {"round-results": 302}  # arbiters enter results on the page of the round
    assert statuses(client.get, urls) == dict.fromkeys(urls, 200) | games_are_open | one_page


@pytest.mark.costly
def test_pages_for_logged_in_users_are_not_stored(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    """The next user of the laptop at the venue must not find it with the Back button."""
    client.force_login(chief_arbiter)
    own = (
        WITHOUT_A_TOURNAMENT
        | {"register"}
        | MORE_FOR_ARBITERS - NOT_ALWAYS
        | SIGNED_IN
        | ARBITER_PAGES
        | SESSION_FRAGMENT
    )
    for name, url in addresses(own - {"language"}, on_site).items():
        response = client.get(url)
        # Games are open: the report has to wait. Arbiters enter results on the page of the round.
        expected = {"rating-report": 409, "round-results": 302}.get(name, 200)
        assert (response.status_code, response.headers["Cache-Control"]) == (
            expected,
            "private, no-store",
        ), name
    refused = client.post(address("round-publish", on_site))
    assert refused.headers["Cache-Control"] == "private, no-store"


@pytest.mark.costly
@pytest.mark.on_postgres("one request of every page and read")
def test_actions_are_refused_to_strangers_and_visitors_and_change_nothing(
    on_site: Tournament, client: Client, stranger: User
) -> None:
    urls = addresses(ARBITER_ACTIONS, on_site)
    on_site.refresh_from_db()
    before = (on_site.version, own(Decision).count())
    assert statuses(client.post, urls) == dict.fromkeys(urls, 302)
    client.force_login(stranger)
    assert statuses(client.post, urls) == dict.fromkeys(urls, 403)
    on_site.refresh_from_db()
    assert (on_site.version, own(Decision).count()) == before


@pytest.mark.costly
def test_actions_are_never_done_by_a_link(
    on_site: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    urls = addresses(ARBITER_ACTIONS, on_site)
    assert statuses(client.get, urls) == dict.fromkeys(urls, 405)


@pytest.mark.costly
def test_actions_need_the_form_token(on_site: Tournament, chief_arbiter: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(chief_arbiter)
    for name, url in addresses(ARBITER_ACTIONS, on_site).items():
        response = strict.post(url)
        assert response.status_code == 403, name
        assert "The form was out of date" in response.content.decode(), name


@pytest.mark.costly
def test_a_tournament_that_does_not_exist_is_not_found(on_site: Tournament, client: Client) -> None:
    client.force_login(User.objects.get(username="chief"))
    for name, url in addresses(EVERYBODY - WITHOUT_A_TOURNAMENT | ARBITER_PAGES, on_site).items():
        response = client.get(url.replace(on_site.slug, "nowhere"))
        assert response.status_code == 404, name
        assert "There is no page at this address" in response.content.decode(), name
