"""``./run`` before it starts any work: what it refuses, and the addresses it would serve.

In a fresh clone .ci/run tests that it makes an environment, installs, migrates and serves; this
module does not.
"""

import errno
import os
import socket
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def run() -> ModuleType:
    loader = SourceFileLoader("run", str(ROOT / "run"))
    spec = spec_from_loader("run", loader)
    assert spec is not None
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        loader.exec_module(module)
    return module


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "run", *arguments], capture_output=True, text=True
    )


def test_an_unknown_verb_is_refused_with_the_known_ones() -> None:
    done = start("sreve")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "./run does not know 'sreve'.\n\nSwiss Arbiter: install missing requirements"
    )


def test_a_port_that_is_taken_is_refused_before_anything_is_done() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = start("--port", str(port))
    assert done.returncode == 1
    assert done.stderr == (
        f"Cannot serve on 127.0.0.1, port {port}: Address already in use. Another port: ./run "
        f"--port {port + 1}\n"
    )
    assert done.stdout == ""


def test_the_hint_for_a_port_without_rights_is_one_that_needs_none(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(self: socket.socket, address: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(run.socket.socket, "bind", refuse)
    hints = []
    for port in (80, 443, 8000, 65535):
        with pytest.raises(SystemExit):
            run.require_free_port("127.0.0.1", port)
        hints.append(capsys.readouterr().err.split()[-1])
    assert hints == ["8080", "8443", "8001", "8535"]


@pytest.mark.parametrize("verb", [[], ["verify"], ["manage", "check"]])
def test_a_second_data_folder_is_refused(verb: list[str], tmp_path: Path) -> None:
    done = start(*verb, "--data", f"{tmp_path}/a", f"--data={tmp_path}/b")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "--data can be given only once: a site has one data folder.\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.costly
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other pipes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_gone_gets_no_traceback(unbuffered: str, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    environment = {**os.environ, "SWISS_DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "manage.py", "help"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


def test_the_hint_for_a_port_that_is_taken_keeps_the_verb() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert start("demo", "--port", str(port)).stderr.endswith(
            f"Another port: ./run demo --port {port + 1}\n"
        )


def test_the_hint_for_a_port_that_is_taken_keeps_what_else_was_asked_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        output = start("--data", f"{tmp_path}/a b", f"--port={port}", "--host", "127.0.0.1").stderr
    assert output.endswith(
        f"Another port: ./run --data '{tmp_path}/a b' --host 127.0.0.1 --port {port + 1}\n"
    )


@pytest.mark.parametrize("host", ["203.0.113.7", "999.1.1.1", "http://x"])
def test_an_address_that_is_not_ours_is_refused_with_one_that_is(host: str) -> None:
    done = start("--host", host, "--port", "8529")
    assert done.returncode == 1
    assert done.stderr.startswith(f"This computer has no address {host!r}: ")
    assert done.stderr.endswith(". For the whole venue: --host 0.0.0.0\n")


def test_a_folder_of_somebody_else_is_named_when_the_environment_cannot_be_made(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hints: list[str] = []
    monkeypatch.setattr(run, "call", lambda command, hint: hints.append(hint))
    monkeypatch.setattr(run, "VENV", tmp_path / "none")
    run.make_environment()
    monkeypatch.setattr(run.os, "access", lambda folder, how: False)
    run.make_environment()
    mine, theirs = hints
    assert mine == "On Debian and Ubuntu: sudo apt-get install python3-venv"
    assert (
        theirs
        == f"You may not write in {ROOT}: it belongs to somebody else. Copy it into a folder of your own."
    )


def test_https_is_for_the_whole_venue_unless_an_address_is_given(run: ModuleType) -> None:
    assert run.parse_serve("./run", []).host == "127.0.0.1"
    assert run.parse_serve("./run", ["--https"]).host in ("::", "0.0.0.0")
    for host in ("192.168.1.5", "127.0.0.1", "localhost", "::1"):
        assert run.parse_serve("./run", ["--https", "--host", host]).host == host


@pytest.mark.parametrize(
    "arguments, pages, network",
    [
        ([], "http://127.0.0.1:8123/", None),
        (["--host", "127.0.0.2"], "http://127.0.0.2:8123/", None),
        (["--host", "::1"], "http://[::1]:8123/", None),
        (["--host", "127.0.0.1", "--https"], "https://127.0.0.1:8123/", []),
        (["--host", "192.0.2.5"], "http://192.0.2.5:8123/", ["192.0.2.5"]),
        (
            ["--host", "0.0.0.0"],
            "http://127.0.0.1:8123/ and http://192.0.2.7:8123/",
            ["192.0.2.7", "desk"],
        ),
    ],
)
def test_the_start_names_only_addresses_that_listen(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    pages: str,
    network: list[str] | None,
) -> None:
    """*network* are the names for phones, or None if there is nothing to say about them."""
    started: list[list[str]] = []
    for step in ("require_free_port", "set_up", "collect_static"):
        monkeypatch.setattr(run, step, lambda *given: None)
    monkeypatch.setattr(run, "hand_over", lambda command, *, answers: started.append(command))
    monkeypatch.setattr(run.venue(), "own_addresses", lambda: ["192.0.2.7"])
    monkeypatch.setattr(run.venue(), "own_names", lambda: ["desk"])
    for name in ("ALLOWED_HOSTS", "SWISS_HTTPS", "SWISS_OWN_ADDRESSES", "SWISS_PUBLIC_ADDRESS"):
        monkeypatch.setenv(name, "")
    run.open_for_visitors(run.parse_serve("./run", [*arguments, "--port", "8123"]), demo=False)
    ((_, _, module, _, *options),) = started
    assert module == "tournaments.site.run"
    assert options[options.index("--pages") + 1] == pages
    announced = options[options.index("--announce") + 1 :] if "--announce" in options else None
    assert announced == network


@pytest.mark.parametrize("port", ["0", "65536", "-1"])
def test_a_port_out_of_range_is_refused(port: str) -> None:
    done = start("--port", port)
    assert (done.returncode, done.stderr) == (
        1,
        f"--port {port}: a port is a number from 1 to 65535.\n",
    )


def test_only_loopback_is_served_by_default(run: ModuleType) -> None:
    assert run.addresses("127.0.0.1") == ["127.0.0.1", "localhost", "::1"]


def test_a_named_host_is_served_besides(run: ModuleType) -> None:
    assert run.addresses("192.168.1.5") == ["127.0.0.1", "localhost", "::1", "192.168.1.5"]


def test_all_interfaces_serve_under_the_name_of_the_machine(run: ModuleType) -> None:
    name = socket.gethostname().lower()
    assert {name, f"{name.partition('.')[0]}.local"} <= {*run.addresses("0.0.0.0")}
    assert [address for address in run.addresses("0.0.0.0")[3:] if ":" in address] == []


def test_printed_lists_have_the_name_and_the_port_that_phones_use(run: ModuleType) -> None:
    here = {"ALLOWED_HOSTS": "127.0.0.1,localhost,[::1], .example.org ,192.168.1.20,desk"}
    assert run.printed_address(here, 8001) == "http://192.168.1.20:8001"
    assert run.printed_address(here | {"SWISS_HTTPS": "1"}, 8001) == "https://192.168.1.20:8001"
    assert run.printed_address({"ALLOWED_HOSTS": "127.0.0.1,[::1]"}, 8000) == ""
    assert run.printed_address(here | {"SWISS_TRUST_PROXY": "1"}, 8000) == ""
    own = {"SWISS_PUBLIC_ADDRESS": "https://chess.example.org", "SWISS_MODE": "production"}
    assert run.printed_address(here | own, 8000) == "https://chess.example.org"


def test_static_files_are_collected_again_when_any_of_their_folders_changes(
    run: ModuleType,
) -> None:
    folders = [
        Path(folder[1] if isinstance(folder, tuple) else folder)
        for folder in settings.STATICFILES_DIRS
    ]
    files = {path for folder in folders for path in folder.rglob("*") if path.is_file()}
    assert files
    assert files <= {*run.static_sources()}


def test_an_environment_that_does_not_start_does_not_count(run: ModuleType, tmp_path: Path) -> None:
    assert run.works(Path(sys.executable)) is True
    assert run.works(tmp_path / "python") is False


def test_the_packages_of_a_bundle_are_used_without_network(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run.packages_from(run.RUNTIME_LOCK) == []
    assert "internet" in run.hint_for(run.RUNTIME_LOCK)
    monkeypatch.setattr(run, "WHEELS", tmp_path)
    (tmp_path / "made-for.txt").write_text("Python 3.99 on a-machine\n")
    assert run.packages_from(run.RUNTIME_LOCK) == ["--no-index", "--find-links", tmp_path]
    assert run.packages_from(run.DEV_LOCK) == []
    assert "are for Python 3.99 on a-machine; this is Python 3." in run.hint_for(run.RUNTIME_LOCK)
