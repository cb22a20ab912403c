"""Notifications on a phone: the button, the sentences where there are none, the worker, the open page.

The push service of a browser is on the internet, so the browser's part of it is a stand-in here:
what the server sends is decrypted with the keys of the phone, and given to the worker by DevTools.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import round_publish
from tests.tournaments import factories, long_work
from tests.tournaments.push_service import Browser, Service, push_service
from tournaments.core.web_push import public_key
from tournaments.models import PushSubscription
from tournaments.web.push.subscriptions import JOB

from .arbiter import Arbiter
from .page_waits import wait_for
from .test_accessibility import faults
from .test_phone import too_wide

pytestmark = pytest.mark.django_db(transaction=True)

ALLOWED = """
Object.defineProperty(Notification, "permission", { value: "granted" });
Notification.requestPermission = async () => "granted";
"""
STAND_IN = """
(() => {
  const subscription = SUBSCRIPTION;
  const kept = () => localStorage.getItem("stand-in");
  const mine = {
    endpoint: subscription.endpoint, toJSON: () => subscription,
    unsubscribe: async () => localStorage.removeItem("stand-in"),
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    if (kept() && kept() !== key) throw new DOMException("another key", "InvalidStateError");
    localStorage.setItem("stand-in", key);
    return mine;
  };
  PushManager.prototype.getSubscription = async () => (kept() ? mine : null);
})();
"""
RECORD = """
() => { registration.showNotification = async (title, options) => (self.shown = { title, ...options }); }
"""
CLICK = """
() => new Promise((resolve) => {
  clients.openWindow = resolve;
  const notification = { close() {}, data: self.shown.data };
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil() {} }));
})
"""


@pytest.fixture
def service(settings: Settings, tmp_path: Path) -> Iterator[Service]:
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    with push_service() as found:
        settings.PUSH_SERVICES = [found.origin]
        yield found


def stand_in(page: Page, browser: Browser) -> None:
    values = browser.subscription
    keys = {"p256dh": values["p256dh"], "auth": values["auth"]}
    text = json.dumps({"endpoint": values["endpoint"], "keys": keys})
    page.add_init_script(STAND_IN.replace("SUBSCRIPTION", text))


def allow(page: Page, live_server: LiveServer) -> None:
    """Permit notifications; a Chromium without windows shows no question."""
    page.context.grant_permissions(["notifications"], origin=live_server.url)
    page.add_init_script(ALLOWED)


def push_to(page: Page, origin: str, message: dict[str, str]) -> None:
    """Let the worker have *message*, as the browser does when it comes."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(
            each["registrationId"]
            for each in event["registrations"]
            if each["scopeURL"].endswith("/static/js/push/")
        ),
    )
    session.send("ServiceWorker.enable")
    page.wait_for_timeout(200)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": found[-1], "data": json.dumps(message)},
    )


@pytest.mark.costly
def test_a_phone_is_notified_after_one_tap_and_stops_after_one(
    phone: Page, live_server: LiveServer, service: Service
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=6)
    round_ = factories.round_of(tournament, 1)
    entry = factories.entry_of(tournament, 1)
    round_pair(round_id=round_.pk, actor=chief.user, now=factories.NOW)
    browser = service.browser("phone")
    stand_in(phone, browser)
    allow(phone, live_server)
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.goto(f"{root}me/")
    button = phone.get_by_role("button", name="Switch notifications on")
    status = phone.locator("#push-status")
    button.tap()
    expect(status).to_have_text("Choose your name or follow a player first.")
    phone.get_by_role("searchbox").fill(entry.name.split(",")[0])
    phone.get_by_role("button", name=entry.name).tap()
    button.tap()
    expect(status).to_have_text("On for 1 player.")
    assert faults(phone) == []
    assert not too_wide(phone)
    (row,) = PushSubscription.objects.filter(tournament=tournament)
    assert (row.own, row.language, row.endpoint) == (entry, "en", browser.endpoint)
    # A star on another page is for the notifications too.
    other = factories.entry_of(tournament, 2)
    phone.goto(f"{root}player/{other.pk}/")
    with (
        phone.expect_response("**/push/") as _sent,
        phone.expect_request(lambda request: request.method == "POST"),
    ):
        phone.get_by_role("button", name="Follow").tap()
    phone.goto(f"{root}me/")
    expect(status).to_have_text("On for 2 players.")
    row.refresh_from_db()
    assert row.players == [other.pk]
    # A publication comes to the worker, which shows it and opens My board.
    long_work.do(JOB, tournament.pk)
    round_publish(round_id=round_.pk, actor=chief.user, now=factories.NOW)
    long_work.do(JOB, tournament.pk)
    message = service.messages(browser)[-1]
    phone.goto(f"{root}standings/")
    workers = phone.context.service_workers
    worker = next(each for each in workers if "push_worker" in each.url)
    worker.evaluate(RECORD)
    push_to(phone, f"{live_server.url}/", message)
    shown = worker.evaluate(
        "async () => { while (!self.shown) await new Promise((done) => setTimeout(done, 20)); return self.shown; }"
    )
    assert shown["title"] == tournament.name
    assert f"{entry.name}, board 1, White" in shown["body"]
    assert worker.evaluate(CLICK) == f"{root}me/"
    # One tap ends it, here and at the server.
    phone.goto(f"{root}me/")
    phone.get_by_role("button", name="Switch notifications off").tap()
    expect(button).to_be_visible()
    expect(status).to_have_text("")
    assert not PushSubscription.objects.filter(tournament=tournament).exists()


@pytest.mark.costly
def test_a_phone_gets_a_subscription_for_a_new_key_of_the_site(
    phone: Page, live_server: LiveServer, service: Service
) -> None:
    tournament = factories.make_ready(Arbiter(phone, live_server.url).user, players=4)
    entry = factories.entry_of(tournament, 1)
    stand_in(phone, service.browser("phone"))
    allow(phone, live_server)
    root = f"{live_server.url}/t/{tournament.slug}/"
    phone.goto(f"{root}me/")
    phone.get_by_role("searchbox").fill(entry.name.split(",")[0])
    phone.get_by_role("button", name=entry.name).tap()
    phone.get_by_role("button", name="Switch notifications on").tap()
    expect(phone.locator("#push-status")).to_have_text("On for 1 player.")
    # The site is on another computer now, and the phone has told it nothing for a day.
    PushSubscription.objects.all().delete()
    phone.evaluate("""() => {
        localStorage.setItem("stand-in", "the key of before");
        const place = Object.keys(localStorage).find((each) => each.startsWith("push:"));
        const known = JSON.parse(localStorage.getItem(place));
        localStorage.setItem(place, JSON.stringify({ ...known, at: 0 }));
    }""")
    with phone.expect_response(lambda answer: answer.request.method == "POST"):
        phone.goto(f"{root}me/")
    expect(phone.locator("#push-status")).to_have_text("On for 1 player.")
    assert phone.evaluate("localStorage.getItem('stand-in')") == public_key()
    assert PushSubscription.objects.filter(tournament=tournament).count() == 1


@pytest.mark.costly
@pytest.mark.parametrize(
    "without, sentence",
    [
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "encrypted address"),
        ("delete window.PushManager", "This browser has no notifications."),
        (
            "Object.defineProperty(Notification, 'permission', { value: 'denied' })",
            "Your browser blocks notifications of this site.",
        ),
    ],
)
def test_where_there_are_none_the_page_says_why(
    phone: Page, live_server: LiveServer, without: str, sentence: str
) -> None:
    tournament = factories.make_ready(Arbiter(phone, live_server.url).user, players=4)
    phone.add_init_script(without)
    phone.goto(f"{live_server.url}/t/{tournament.slug}/follow/")
    expect(phone.locator("#push-status")).to_contain_text(sentence)
    expect(phone.locator("#push-button")).to_be_hidden()


def test_without_the_internet_the_page_says_so(
    phone: Page, live_server: LiveServer, service: Service
) -> None:
    tournament = factories.make_ready(Arbiter(phone, live_server.url).user, players=4)
    allow(phone, live_server)
    phone.add_init_script(
        "PushManager.prototype.subscribe = async () => { throw new DOMException('', 'AbortError') }"
    )
    phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    entry = factories.entry_of(tournament, 1)
    phone.evaluate(
        "([place, value]) => localStorage.setItem(place, value)",
        [f"chosen:/t/{tournament.slug}/", json.dumps({"entry": entry.pk, "name": entry.name})],
    )
    phone.get_by_role("button", name="Switch notifications on").tap()
    expect(phone.locator("#push-status")).to_contain_text("Notifications need the internet.")


@pytest.mark.costly
def test_a_choice_made_before_the_script_has_come_is_kept(
    phone: Page, live_server: LiveServer
) -> None:
    tournament = factories.make_ready(Arbiter(phone, live_server.url).user, players=4)
    held: list[Route] = []
    phone.route(re.compile(r"/push\.[^/]*js$"), lambda route: held.append(route))
    with phone.expect_request(re.compile(r"/push\.[^/]*js$")):
        phone.goto(f"{live_server.url}/t/{tournament.slug}/me/")
    box = phone.get_by_role("checkbox", name="Sound for news")
    box.check()
    for route in held:
        route.continue_()
    wait_for(phone, "localStorage.getItem('alerts') === '{\"sound\":true}'")
    expect(box).to_be_checked()


def test_an_open_page_does_what_the_reader_chose_for_news(
    phone: Page, live_server: LiveServer
) -> None:
    chief = Arbiter(phone, live_server.url)
    tournament = factories.make_ready(chief.user, players=4)
    phone.add_init_script(
        "window.vibrated = []; window.locks = [];"
        "Navigator.prototype.vibrate = (times) => window.vibrated.push(times);"
        "WakeLock.prototype.request = async (kind) => { window.locks.push(kind);"
        " return { released: false, release: async () => window.locks.pop() }; };"
    )
    address = f"{live_server.url}/t/{tournament.slug}/me/"
    phone.clock.install()
    phone.goto(address)
    for label in ("Sound for news", "Vibrate for news", "Keep the screen on"):
        phone.get_by_role("checkbox", name=label).check()
    wait_for(phone, "window.locks.join() === 'screen'")
    phone.goto(address)  # the phone keeps the choices
    expect(phone.get_by_role("checkbox", name="Vibrate for news")).to_be_checked()
    wait_for(phone, "window.locks.length === 1")
    phone.clock.fast_forward(2_000)
    phone.wait_for_timeout(300)
    assert phone.evaluate("window.vibrated") == []
    factories.pair_and_publish(tournament, 1, chief.user)
    phone.clock.fast_forward(20_000)
    wait_for(phone, "window.vibrated.length === 1")
    phone.get_by_role("checkbox", name="Keep the screen on").uncheck()
    wait_for(phone, "window.locks.length === 0")
