"""The menu of an arbiter: at most eight tabs, each with at most eight pages."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.examples import first
from tests.tournaments.factories import NOW
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import POWERS, Power
from tournaments.desk.navigation import PAGE_OF, PAGES, SETUP, TABS, menu
from tournaments.events.sections import event_create, section_add
from tournaments.models import Role, Round, Tournament
from tournaments.web.templatetags.keys import destination_url
from tournaments.web.urls import urlpatterns

MOST = 8
ARBITERS = [role for role in Role if Power.READ in POWERS[role]]
NO_PAGE = re.compile(
    r"\.(trf|ics|svg|png|json|jsonl|webmanifest|zip)$|/corrections/reports/"
    r"|/(news|names|offline|own-part|find|keys|undo|file|hits|fee|turn|tick|settle|state|checks)"
    r"|/(colours|result|reading|restore|explain|expel|return|remove|withdraw|renew|cancel)/"
    r"|/(enter|keep|discard|change|accept|refuse)/$|/screens/(message|.*/show)/"
    r"|/people/.*/hand-over/|/invitations/<|/bye/|<int:entry_id>/check-in/"
)
"""Files, parts of pages, and addresses that only forms are sent to."""
OF_VISITORS = re.compile(
    r"/(table|kiosk|embed|logo)/<|/(register|follow|live|groups|next|push|mistake|certificate)/"
)


def test_every_page_of_the_arbiters_area_has_a_tab() -> None:
    pages = {
        str(each.name)
        for each in urlpatterns
        if str(each.pattern).startswith("t/<slug:slug>/")
        and not NO_PAGE.search(str(each.pattern))
        and not OF_VISITORS.search(str(each.pattern))
    }
    assert len(pages) > 60
    assert pages - set(PAGE_OF) == set(), (
        "A page for arbiters is in PAGES of tournaments/desk/navigation.py, or in `also` of the "
        "page from which it is opened; one for visitors alone is in OF_VISITORS of this file, and "
        "what is no page in NO_PAGE."
    )


@pytest.mark.parametrize("role", ARBITERS)
def test_no_menu_has_more_than_eight_entries(published_round: Round, role: Role) -> None:
    published_round.tournament.forecast_public = True
    tabs = menu(tournament_frame(published_round.tournament, runs=True), role, here="desk")
    assert [tab.key for tab in tabs] == list(TABS)
    assert all(0 < len(tab.pages) <= MOST for tab in tabs if tab.key != "setup")
    in_setup = [page.name for page in PAGES if page.tab == "setup"]
    assert sorted(in_setup) == sorted(name for _, names in SETUP for name in names)
    assert all(len(names) <= MOST for _, names in SETUP)
    assert [tab.key for tab in tabs if tab.is_current] == ["now"]


@pytest.mark.parametrize("role", first(ARBITERS, 1, pytest.mark.costly))
def test_every_page_of_the_menu_opens_and_is_marked(
    published_round: Round, client: Client, role: Role
) -> None:
    tournament = published_round.tournament
    appointment = tournament.appointments.get(role=Role.CHIEF)
    user = appointment.person
    if role is not Role.CHIEF:
        user = User.objects.create_user(f"{role}", password="secret-of-a-person")
        tournament.appointments.create(person=user, role=role, since=NOW)
    client.force_login(user)
    for tab in menu(tournament_frame(tournament, runs=True), role, here=""):
        for page in tab.pages:
            url = destination_url(tournament.slug, page.place)
            answer = client.get(url)
            if page.place.name == "players" or b"own-part" in answer.content:
                answer = client.get(
                    reverse("own-part", args=[tournament.slug]), {"on": page.place.name}
                )
            assert answer.status_code == 200, url
            text = answer.content.decode()
            here = 'class="side-list' if tab.key == "setup" else 'id="event-tabs"'
            nav = text.partition(here)[2].partition("</nav>")[0]
            marked = re.findall(r'href="([^"]+)" aria-current="page"', nav)
            assert set(marked) == {url}, (url, marked)


def test_the_pages_of_a_round_keep_its_number(published_round: Round) -> None:
    frame = tournament_frame(published_round.tournament, runs=True)
    rounds = next(
        tab for tab in menu(frame, Role.CHIEF, here="round", number=2) if tab.key == "rounds"
    )
    numbers = {page.place.name: page.place.round_number for page in rounds.pages}
    assert numbers == {"round": 2, "round-floor": 1, "open-games": None}


def test_the_labels_of_a_menu_differ_and_are_translated() -> None:
    for language in ("en", "fr"):
        with override(language):
            for key in TABS:
                labels = [str(page.menu or page.label) for page in PAGES if page.tab == key]
                assert len(labels) == len(set(labels)), key
            assert len({str(label) for label in TABS.values()}) == len(TABS)
    with override("fr"):
        assert str(TABS["print"]) == "Imprimer et partager"


@pytest.mark.costly
def test_the_name_of_an_event_is_on_a_page_of_a_section_once(
    tournament: Tournament, client: Client, chief_arbiter: User
) -> None:
    event = event_create(
        tournament_id=tournament.pk,
        name=tournament.name,
        label="A",
        actor=chief_arbiter,
        now=NOW,
    )
    other = section_add(
        event_id=event.pk,
        label="U12",
        like_id=tournament.pk,
        actor=chief_arbiter,
        now=NOW,
        limits={},
    )
    for language in ("visitor", "arbiter"):
        if language == "arbiter":
            client.force_login(chief_arbiter)
        page = "tournament" if language == "visitor" else "schedule"
        text = client.get(reverse(page, args=[other.slug])).content.decode()
        title = text.partition('<div class="event-title">')[2].partition("</div>")[0]
        assert title.count(event.name) == 1
        assert ">U12" in title
    switch = re.findall(r'<li><a href="([^"]+)" (aria-current="true")?', title)
    schedules = [reverse("schedule", args=[slug]) for slug in (tournament.slug, other.slug)]
    assert switch == [(schedules[0], ""), (schedules[1], 'aria-current="true"')]
