"""Passkeys in a real browser, with the devices that Chromium simulates."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.arbiter import PASSWORD, Arbiter
from tournaments.models import Passkey

from .page_waits import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
}


class Devices:
    """What *page* can keep passkeys on; the person confirms everything."""

    def __init__(self, page: Page) -> None:
        self.cdp: CDPSession = page.context.new_cdp_session(page)
        self.cdp.send("WebAuthn.enable")
        self.name = ""

    def plug_in(self, **more: Any) -> str:
        """Add a device, and return its name."""
        options = DEVICE | {"isUserVerified": True, "automaticPresenceSimulation": True} | more
        self.name = self.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})[
            "authenticatorId"
        ]
        return self.name

    def unplug(self, name: str) -> None:
        self.cdp.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": name})

    def keys(self, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.cdp.send(
            "WebAuthn.getCredentials", {"authenticatorId": name}
        )["credentials"]
        return found


def add(chief: Arbiter, name: str = "laptop") -> None:
    """Add a passkey; the page then says that it is there, or why not."""
    chief.page.goto(f"{chief.site}/accounts/passkeys/")
    chief.page.get_by_label("Name of the passkey").fill(name)
    chief.page.get_by_label("Your password").fill(PASSWORD)
    chief.press("Continue")
    chief.press("Create the passkey")


def log_out(chief: Arbiter) -> None:
    chief.page.goto(f"{chief.site}/accounts/")
    chief.page.get_by_role("button", name="Log out", exact=True).click()
    chief.page.wait_for_url(f"{chief.site}/")


def give_password(chief: Arbiter) -> None:
    chief.page.goto(f"{chief.site}/accounts/login/?next=/help/")
    chief.fill_log_in()
    chief.page.wait_for_url("**/accounts/login/code/**")


def answer_kept_back(page: Page) -> str:
    """Press the button of the log-in; return what the page then would have sent."""
    page.evaluate(
        """() => {
            const form = document.querySelector("form[data-passkey]");
            form.submit = () => { window.keptBack = form.elements.answer.value; };
        }"""
    )
    page.get_by_role("button", name="Use the passkey").click()
    wait_for(page, "window.keptBack")
    return str(page.evaluate("window.keptBack"))


def send(page: Page, answer: str) -> None:
    """Send *answer* by the form, which the server refuses."""
    with page.expect_navigation():
        page.evaluate(
            """answer => {
                const form = document.querySelector("form[data-passkey]");
                form.elements.answer.value = answer;
                HTMLFormElement.prototype.submit.call(form);
            }""",
            answer,
        )
    expect(page.get_by_role("alert").first).to_contain_text("This passkey was not accepted.")


@pytest.mark.costly
def test_a_passkey_is_added_used_and_removed(page: Page, live_server: LiveServer) -> None:
    chief, devices = Arbiter(page, live_server.url), Devices(page)
    laptop = devices.plug_in()
    chief.log_in()
    add(chief)
    chief.expect_message("The passkey is added.")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    expect(page.get_by_role("main").locator("code")).to_have_count(10)
    assert [key["rpId"] for key in devices.keys(laptop)] == ["localhost"]

    add(chief, "once more")  # the same device
    expect(page.get_by_role("alert")).to_have_text(
        "This device has a passkey for your account already."
    )
    expect(page.get_by_role("button", name="Create the passkey")).to_be_enabled()

    log_out(chief)
    for _ in range(2):
        give_password(chief)
        expect(page.get_by_role("button", name="Use the passkey")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url(f"{live_server.url}/help/")
        log_out(chief)
    assert Passkey.objects.get().counter == devices.keys(laptop)[0]["signCount"] > 1

    give_password(chief)
    chief.press("Use the passkey")
    page.wait_for_url(f"{live_server.url}/help/")
    page.goto(f"{live_server.url}/accounts/passkeys/")
    expect(page.get_by_role("main")).to_contain_text("last used")
    page.get_by_role("link", name="Remove… laptop").click()
    page.get_by_label("Your password").fill(PASSWORD)
    chief.press("Remove the passkey")
    chief.expect_message("The log-in no longer asks for a code.")
    log_out(chief)
    chief.log_in_by_form()
    assert not Passkey.objects.exists()


@pytest.mark.costly
def test_a_device_that_is_not_there_leaves_the_codes(page: Page, live_server: LiveServer) -> None:
    chief, devices = Arbiter(page, live_server.url), Devices(page)
    laptop = devices.plug_in()
    chief.log_in()
    add(chief)
    code = page.get_by_role("main").locator("code").first.inner_text()
    devices.unplug(laptop)
    devices.plug_in()
    log_out(chief)
    give_password(chief)
    chief.press("Use the passkey")
    expect(page.get_by_role("alert")).to_have_text(
        "The browser gave no passkey. Try again, or use a code."
    )
    page.get_by_label("Recovery code").fill(code)
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(f"{live_server.url}/help/")


@pytest.mark.costly
def test_answers_sent_twice_late_or_by_somebody_else_are_refused(
    page: Page, live_server: LiveServer
) -> None:
    chief, devices = Arbiter(page, live_server.url), Devices(page)
    devices.plug_in()
    chief.log_in()
    add(chief)
    chief.expect_message("The passkey is added.")
    log_out(chief)

    give_password(chief)
    sent = answer_kept_back(page)
    send(page, json.dumps(json.loads(sent) | {"rawId": "AAAA", "id": "AAAA"}))
    send(page, sent)  # the question was answered once already, although wrongly
    Passkey.objects.update(throttling_failure_count=0)
    chief.press("Use the passkey")
    page.wait_for_url(f"{live_server.url}/help/")

    log_out(chief)
    give_password(chief)
    send(page, sent)  # to another question

    other = Arbiter(page, live_server.url, name="deputy")
    page.context.clear_cookies()
    other.log_in()
    devices.plug_in(transport="usb")
    add(other)
    other.expect_message("The passkey is added.")
    log_out(other)
    give_password(other)
    theirs = answer_kept_back(page)
    Passkey.objects.update(throttling_failure_count=0)
    give_password(chief)
    send(page, theirs)
    assert User.objects.filter(passkey__last_used_at__isnull=False).get() == chief.user


@pytest.mark.costly
def test_at_an_address_of_numbers_browser_and_page_refuse(
    page: Page, live_server: LiveServer
) -> None:
    chief, devices = Arbiter(page, live_server.url), Devices(page)
    devices.plug_in()
    chief.log_in()
    add(chief)
    chief.expect_message("The passkey is added.")
    elsewhere = Arbiter(page, live_server.url.replace("localhost", "127.0.0.1"))
    give_password(elsewhere)
    expect(page.get_by_role("main")).to_contain_text(
        "Your passkeys work only when you open this site as localhost."
    )
    expect(page.get_by_role("button", name="Use the passkey")).to_have_count(0)
    refused = page.evaluate(
        """() => navigator.credentials.get({ publicKey: { rpId: "localhost", challenge: new Uint8Array(32) } })
            .catch((error) => error.name)"""
    )
    assert refused == "SecurityError"
    elsewhere.log_in()
    page.goto(f"{elsewhere.site}/accounts/passkeys/")
    expect(page.get_by_role("main")).to_contain_text("Browsers allow passkeys only over https")


def test_without_javascript_the_codes_remain(plain_page: Page, live_server: LiveServer) -> None:
    chief = Arbiter(plain_page, live_server.url)
    Passkey.objects.create(
        user=chief.user, name="laptop", host="localhost", credential="AA", data=KEY
    )
    give_password(chief)
    assert "Passkeys need JavaScript. Codes from an app do not." in plain_page.content()
    expect(plain_page.get_by_role("button", name="Use the passkey")).to_be_hidden()
    expect(plain_page.get_by_label("Recovery code")).to_be_visible()


KEY = bytes.fromhex(
    "00" * 16 + "0001" + "00" + "a5010203262001215820" + "11" * 32 + "225820" + "22" * 32
)
"""The public half of a key, of which nobody has the other half."""
