"""A browser that photographs pages of the program, and a server with a
scratch database for it (tools/pictures.py).
"""

from __future__ import annotations

import base64
import os
import shutil
import socket
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import translation
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, Playwright, expect

ROOT = Path(__file__).resolve().parent.parent
HOST = "chess.example.org"
PASSWORD = "only for these pictures"  # noqa: S105 - of a database that is deleted afterwards
SCRIPT = (ROOT / "tools" / "pictures.js").read_text(encoding="utf-8")


class Camera:
    """A browser window on *site* in one language."""

    def __init__(self, browser: Browser, language: str) -> None:
        self.language = language
        self.page = browser.new_context(locale=language, color_scheme="light").new_page()
        self.label = translation("django", ROOT / "locale", [language], fallback=True).gettext

    def log_in(self) -> None:
        self.open("accounts/login/")
        self.fill(username="arbiter", password=PASSWORD)
        self.click(self.page.locator("main form button.primary"))

    def open(self, path: str) -> None:
        self.page.goto(f"http://{HOST}/{path}")

    def press(self, label: str, **values: object) -> None:
        """Press a button or follow a link of the main part of the page;
        *label* is the English one.
        """
        main, name = self.page.get_by_role("main"), self.label(label) % values
        both = (
            main.get_by_role("button", name=name, exact=True),
            main.get_by_role("link", name=name, exact=True),
        )
        self.click(both[0].or_(both[1]).first)

    def click(self, element: Locator) -> None:
        element.click()
        self.page.wait_for_load_state("networkidle")

    def fill(self, **values: str) -> None:
        for name, value in values.items():
            self.page.locator(f"main [name={name}]").fill(value)

    def keys(self, keys: str, entered: int, missing: int = 0) -> None:
        """Press one key for each board, and wait until all are saved
        and the tab says how many are *missing*.
        """
        for key in keys:
            self.page.keyboard.press(key)
        expect(self.page.locator("#entered")).to_have_text(str(entered))
        expect(self.page.locator("#save-state")).to_contain_text("✓")
        if missing:
            expect(self.page.locator("#event-tabs .count")).to_have_text(str(missing))

    def shoot(
        self, name: str, width: int, height: int, *, whole: bool = False, top: str = ""
    ) -> None:
        """Save the window as picture *name*: the *whole* page, or from the element *top* on."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.mouse.move(0, 0)
        self.page.evaluate(
            "top => (top ? document.querySelector(top) : document.body).scrollIntoView()", top
        )
        shot = self.page.screenshot(full_page=whole, animations="disabled")
        picture = ROOT / "docs" / "img" / f"{name}{'' if self.language == 'en' else '-fr'}.png"
        picture.write_bytes(with_palette(self.page, shot))


def with_palette(page: Page, shot: bytes) -> bytes:
    """Return *shot* as a PNG with a palette, which is a third of the size."""
    found = page.evaluate(SCRIPT, base64.b64encode(shot).decode())
    width, height, pixels = found["width"], found["height"], base64.b64decode(found["pixels"])
    rows = b"".join(
        b"\0" + pixels[start : start + width] for start in range(0, width * height, width)
    )
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),
        b"PLTE": bytes(found["palette"]),
    }
    parts |= {b"IDAT": zlib.compress(rows, 9), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    )


@contextmanager
def site(folder: str) -> Iterator[str]:
    """Serve an empty database in *folder* with the demo tournament; yield its address and port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    environment = {
        "SWISS_DATA_DIR": folder,
        "SWISS_ADMIN_PASSWORD": PASSWORD,
        # The time of the newest copy would be another one in each picture.
        "SWISS_BACKUP_MINUTES": "0",
        "DEBUG": "true",
        "ALLOWED_HOSTS": HOST,
        "LOG_LEVEL": "ERROR",
    }
    environment = {
        **os.environ,
        **environment,
        "DATABASE_URL": f"sqlite:///{folder}/pictures.sqlite3",
    }
    for command in (
        ["manage.py", "migrate"],
        ["-m", "config.first_account"],
        ["manage.py", "demo"],
    ):
        subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    serve = [sys.executable, "manage.py", "runserver", "--noreload", address]
    with subprocess.Popen(serve, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None and not is_open(address):
                time.sleep(0.1)
            yield address
        finally:
            server.terminate()


def is_open(address: str) -> bool:
    host, _, port = address.partition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


def chromium(playwright: Playwright, address: str) -> Browser:
    """Start Chromium, in which *address* is called ``HOST``."""
    names = (
        [os.environ["CHROMIUM"]]
        if "CHROMIUM" in os.environ
        else ["chromium-headless-shell", "chromium"]
    )
    path = next(filter(None, map(shutil.which, names)), None)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-features=HttpsUpgrades"]
    return playwright.chromium.launch(
        executable_path=path, args=[*flags, f"--host-resolver-rules=MAP {HOST} {address}"]
    )
