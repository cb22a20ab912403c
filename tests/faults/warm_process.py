"""The process of :mod:`tests.faults.warm`. The program it loads may be another checkout, so it imports no tests."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys


def main(log: str) -> None:
    import django
    from django.core.management import get_commands, load_command_class
    from django.db import connections

    django.setup()
    for name, app in get_commands().items():
        if app == "tournaments" or name == "migrate":
            load_command_class(app, name)
    import config.wsgi  # noqa: F401 - the first request needs it
    from config.start import load_ahead

    load_ahead()
    assert not any(connection.connection for connection in connections.all(initialized_only=True))
    print("loaded", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        if isinstance(asked, int):
            print(os.waitstatus_to_exitcode(os.waitpid(asked, 0)[1]), flush=True)
            continue
        reader, writer = os.pipe()
        pid = os.fork()
        if not pid:
            os.setsid()
            os.close(reader)
            os.close(writer)  # The group exists.
            work(asked, log)
        os.close(writer)
        os.read(reader, 1)
        os.close(reader)
        print(pid, flush=True)


def work(command: list[str], log: str) -> None:
    """Do *command* in this process and end it."""
    from django.core.management import execute_from_command_line

    import config.server

    status = 1
    try:
        die_with_parent()
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        for stream in (1, 2):
            os.dup2(output, stream)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        if command[0] == "serve":
            status = config.server.main(command[1:])
        else:
            execute_from_command_line(["manage.py", *command])
            status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def die_with_parent() -> None:
    """Let the kernel end this process when the one that has loaded the program has ended."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1])
