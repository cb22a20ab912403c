"""Messages of Web Push: encryption, signature, and the addresses they may go to."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from pytest_django import Settings

from config.env import Environment, SettingError
from tests.tournaments.push_service import Browser, push_service
from tournaments.core import push_services
from tournaments.core.push_services import Parcel, is_known_service, seconds_of, send
from tournaments.core.web_push import (
    BrowserKeys,
    authorization,
    browser_keys,
    decoded,
    encoded,
    encrypt,
    public_key,
)


def key_of(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), ec.SECP256R1())


UA_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
UA_PRIVATE = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"


def test_the_example_of_rfc_8291_is_encrypted_to_the_byte() -> None:
    """The vectors of its appendix A."""
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        browser_keys(UA_PUBLIC, AUTH),
        own=key_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWA"
        "mS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxs"
        "j_Qulcy4a-fN"
    )
    browser = Browser("", key_of(UA_PRIVATE), decoded(AUTH))
    assert browser.decrypt(body) == b"When I grow up, I want to be a watermelon"


def test_each_message_has_a_key_and_a_salt_of_its_own() -> None:
    browser = Browser("")
    keys = BrowserKeys(browser.public, browser.auth)
    one, two = encrypt(b"same", keys), encrypt(b"same", keys)
    assert one[:16] != two[:16]
    assert one[21:86] != two[21:86]
    assert browser.decrypt(one) == browser.decrypt(two) == b"same"


@pytest.mark.parametrize(
    "public, secret",
    [
        ("", ""),
        (UA_PUBLIC, AUTH[:-2]),
        (UA_PUBLIC[:-4], AUTH),
        ("BA" + "A" * 85, AUTH),  # no point of the curve
        ("\u00e9" * 87, AUTH),
        (UA_PUBLIC, "!" * 22),
    ],
)
def test_keys_that_are_none_are_refused(public: str, secret: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        browser_keys(public, secret)


def test_the_site_introduces_itself_with_a_signature(settings: Settings, tmp_path: Path) -> None:
    """RFC 8292 2: audience, end and contact, signed with the key that browsers have."""
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    settings.PUBLIC_ADDRESS = "https://chess.example.org"
    header = authorization("https://push.example.net", 1_000_000.5)
    scheme, _, values = header.partition(" ")
    found = dict(each.split("=", 1) for each in values.split(", "))
    head, claims, signature = found["t"].split(".")
    assert (scheme, found["k"]) == ("vapid", public_key())
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decoded(claims)) == {
        "aud": "https://push.example.net",
        "exp": 1_000_000 + 12 * 3600,
        "sub": "https://chess.example.org",
    }
    raw = decoded(signature)
    r, s = (int.from_bytes(part, "big") for part in (raw[:32], raw[32:]))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(found["k"]))
    point.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    assert stat.S_IMODE(settings.PUSH_KEY_FILE.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QABC",
        "https://wns2-par02p.notify.windows.com/w/?token=BQY",
        "https://push.example.org/x",
        "https://a.more.example.org:443/x",
        "http://127.0.0.1:9/x",
    ],
)
def test_known_services_are_accepted(endpoint: str, settings: Settings) -> None:
    settings.PUSH_SERVICES = ["push.example.org", "*.more.example.org", "http://127.0.0.1:9"]
    assert is_known_service(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/x",
        "https://fcm.googleapis.com:8443/x",
        "https://fcm.googleapis.com.example.org/x",
        "https://example.org/fcm.googleapis.com",
        "https://fcm.googleapis.com@example.org/x",
        "https://user:word@fcm.googleapis.com/x",
        "https://push.apple.com.example.org/x",
        "https://notify.windows.com.example.org/x",
        "https://evilpush.apple.com.evil/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "https://fcm.googleapis.com/x y",
        "https://fcm.googleapis.com/x\r\nHost: localhost",
        "https://fcm.googleapis.com/\u00e9",
        "https://fcm.googleapis.com/x#y",
        "https://fcm.googleapis.com:port/x",
        "https://fcm.googleapis.com/" + "x" * 1_000,
        "javascript:alert(1)",
        "https://[fcm.googleapis.com/x",
    ],
)
def test_other_addresses_of_a_visitor_are_refused(endpoint: str) -> None:
    assert not is_known_service(endpoint)


def test_a_known_name_that_leads_into_the_network_of_the_server_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "tournaments.core.web_address.socket.getaddrinfo",
        lambda *_args, **_named: [(2, 1, 6, "", ("192.168.1.5", 443))],
    )
    connected: list[object] = []
    monkeypatch.setattr(
        "tournaments.core.web_address.socket.create_connection",
        lambda *args, **_named: connected.append(args),
    )
    browser = Browser("https://fcm.googleapis.com/fcm/send/x")
    (answer,) = send([parcel(1, browser)])
    assert answer == (1, push_services.Answer(0))
    assert connected == []


def test_the_setting_takes_hosts_and_whole_addresses() -> None:
    values = "push.example.org, *.example.net,http://127.0.0.1:9"
    found = Environment({"X": values}).push_services("X")
    assert found == ["push.example.org", "*.example.net", "http://127.0.0.1:9"]
    with pytest.raises(SettingError, match=r"push\.example\.org"):
        Environment({"X": "*"}).push_services("X")


@pytest.mark.parametrize(
    "text, seconds",
    [("", None), ("120", 120), ("99999", 3600), ("-1", None), ("soon", None), ("\u0663", None)],
)
def test_the_time_to_wait_is_a_number(text: str, seconds: int | None) -> None:
    assert seconds_of(text) == seconds


def test_the_time_to_wait_may_be_a_date() -> None:
    assert seconds_of("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert seconds_of("Wed, 21 Oct 2065 07:28:00 GMT") == 3600


def parcel(name: int, browser: Browser, message: bytes = b"{}") -> Parcel:
    keys = BrowserKeys(browser.public, browser.auth)
    return Parcel(name, browser.endpoint, keys, message, 60)


def test_one_silent_service_delays_no_other(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left alone after some failures, and the other has its messages before that."""
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    monkeypatch.setattr(push_services, "PATIENCE", 0.2)
    with push_service() as good, push_service() as silent:
        settings.PUSH_SERVICES = [good.origin, silent.origin]
        bad = [silent.browser(str(n)) for n in range(30)]
        fine = [good.browser(str(n)) for n in range(30)]
        silent.pauses = {f"/send/{n}": 2.0 for n in range(30)}
        parcels = [parcel(n, each) for n, each in enumerate([*bad, *fine])]
        answers = list(send(parcels))
    statuses = dict(answers)
    assert len(statuses) == len(answers) == 60
    assert all(statuses[n].status == 0 for n in range(30))
    assert all(statuses[n].status == 201 for n in range(30, 60))
    order = [name for name, _answer in answers]
    assert max(order.index(n) for n in range(30, 60)) < order.index(29)
    assert len(silent.arrived) < 30


def test_an_attempt_ends_although_a_service_never_does(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    monkeypatch.setattr(push_services, "ALL_OF_THEM", 0.3)
    with push_service() as silent:
        settings.PUSH_SERVICES = [silent.origin]
        silent.pauses = {"/send/a": 2.0}
        answers = list(send([parcel(1, silent.browser("a"))]))
    assert answers == [(1, push_services.Answer(0))]


def test_the_request_says_how_long_the_message_is_good(settings: Settings, tmp_path: Path) -> None:
    settings.PUSH_KEY_FILE = tmp_path / "push-key"
    with push_service() as service:
        settings.PUSH_SERVICES = [service.origin]
        browser = service.browser("a?b=c")
        before = time.time()
        assert dict(send([parcel(1, browser)]))[1].is_sent
        ((path, headers, body, at),) = service.arrived
    assert (path, headers["TTL"], headers["Urgency"]) == ("/send/a?b=c", "60", "high")
    assert headers["Content-Encoding"] == "aes128gcm"
    assert browser.decrypt(body) == b"{}"
    assert at >= before
