"""``python -m tournaments.site.run ADDRESS:PORT …``: make the site ready, and serve it.

``./run`` ends with it. Everything happens in one process, because loading the program is most of a
start. Where the site is made ready elsewhere, such as in a container,
:mod:`tournaments.site.server` is started alone.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator

from config.terminal import in_words


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tournaments.site.run")
    parser.add_argument("address", metavar="ADDRESS:PORT")
    parser.add_argument(
        "--demo", action="store_true", help="fill and play the demo tournament first"
    )
    parser.add_argument(
        "--announce", nargs="*", metavar="HOST", help="print the addresses in the network"
    )
    parser.add_argument("--pages", default="", help="printed when they can be opened")
    parser.add_argument(
        "--since", default="0", help="the begin of the start, on the monotonic clock"
    )
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Here, because Ctrl+C while these are imported has an answer too.
    from config import first_account
    from config.commands import execute

    with step("bringing the database up to date"):
        execute(["manage.py", "upgrade"])
    try:
        if code := first_account.main():
            return code
    except KeyboardInterrupt:
        raise KeyboardInterrupt(first_account.INTERRUPTED) from None
    if options.demo:
        with step("playing the demo tournament"):
            execute(["manage.py", "demo"])
    os.environ.pop("SWISS_ADMIN_PASSWORD", None)  # The server does not need it.
    if options.announce is not None:
        from tournaments.site.venue.announce import announce

        announce(options.address.rpartition(":")[2], options.announce)
    from django.db import connections

    for thread in {*threading.enumerate()} - {threading.current_thread()}:
        thread.join()  # The demo looks ahead in one, and the server forks.
    connections.close_all()
    del connections["default"]  # The server makes its own, with shorter waits.
    from tournaments.site.server import main as serve

    return serve([options.address, "--pages", options.pages, "--since", options.since])


@contextlib.contextmanager
def step(what: str) -> Iterator[None]:
    """Print *what* is being done and, when it is done, the seconds it took."""
    print(f"  {what} …", flush=True)
    begin = time.monotonic()
    yield
    print(f"  {what}: {time.monotonic() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(
        in_words(lambda: main(sys.argv[1:]), interrupted="Interrupted before the site was served.")
    )
