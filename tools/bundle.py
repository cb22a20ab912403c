"""``./run bundle [FOLDER]``: one archive with everything a venue without network needs.

It has the source of the commit, the packages for this Python on this kind of machine, the checksums
of all files, and a short text. Making it needs the network once. Unpacked anywhere, ``./run``
installs the packages from the folder ``wheels``, and pip compares their hashes with the lock.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import io
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from config.settings import VERSION

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
DIST = ROOT / "dist"
CHECKSUMS, TEXT, MADE_FOR = "SHA256SUMS", "READ-ME-FIRST.txt", "wheels/made-for.txt"


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit whose source is bundled, and its time in seconds since 1970."""

    name: str
    time: int


class BundleError(Exception):
    """There is no bundle; the text is for the terminal."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="./run bundle", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the archive is written (dist)")
    folder = parser.parse_args(arguments).folder
    try:
        commit = this_commit()
        if changed := git("status", "--porcelain", "--untracked-files=no").decode().splitlines():
            print(
                f"{len(changed)} changed files are not committed: the bundle has what is in "
                f"{commit.name[:12]}."
            )
        if folder == DIST:
            folder.mkdir(exist_ok=True)
        elif not folder.is_dir():  # Never made: without the stick it would be on the first disk.
            raise BundleError(
                f"there is no folder {folder}. Is the stick plugged in? Nothing was written."
            )
        target = (
            folder / f"{top()}-{made_for().replace(' on ', '-').replace(' ', '').lower()}.tar.gz"
        )
        with tempfile.TemporaryDirectory() as work:
            download(Path(work))
            files = wheels_in(Path(work)) | source(git("archive", "--format=tar", commit.name))
        write(target, files, commit)
    except (BundleError, OSError) as error:
        print(f"There is no bundle: {error}", file=sys.stderr)
        return 1
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    print(
        f"{target}\n{len(files)} files, {target.stat().st_size / 1e6:.1f} MB, for "
        f"{made_for()}.\nSHA-256 {digest}"
    )
    return 0


def top() -> str:
    """Return the name of the folder in the archive."""
    return f"swiss-arbiter-{VERSION}"


def made_for() -> str:
    """Return the Python and the kind of machine for which the packages are."""
    return f"Python {sys.version_info[0]}.{sys.version_info[1]} on {sysconfig.get_platform()}"


def git(*arguments: str) -> bytes:
    """Return the output of git in this checkout. Raise :class:`BundleError`."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True)
    except OSError as error:
        raise BundleError(f"git cannot be started ({error.strerror}).") from None
    if done.returncode:
        output = done.stderr.decode(errors="replace").strip()
        raise BundleError(f"it is made from a commit, in a checkout with git: {output}")
    return done.stdout


def this_commit() -> Commit:
    """Return the commit that is checked out. Raise :class:`BundleError`."""
    commit, time = git("log", "-1", "--format=%H %ct").decode().split()
    return Commit(commit, int(time))


def download(folder: Path) -> None:
    """Download the packages of the lock, as wheels with the right hashes, into *folder*.

    Raise :class:`BundleError`.
    """
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
    ]
    which = [
        "--only-binary",
        ":all:",
        "--require-hashes",
        "--requirement",
        str(LOCK),
        "--dest",
        str(folder),
    ]
    done = subprocess.run([*pip, *which], capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise BundleError(
            "the packages cannot be downloaded:\n" + "\n".join(done.stderr.splitlines()[-10:])
        )


def wheels_in(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the packages in *folder* by their place in the archive, each with its mode."""
    found = {f"wheels/{path.name}": (path.read_bytes(), 0o644) for path in sorted(folder.iterdir())}
    return {**found, MADE_FOR: (f"{made_for()}\n".encode(), 0o644)}


def source(archive: bytes) -> dict[str, tuple[bytes, int]]:
    """Return the files of the tar *archive* by name, each with its mode; links stay out."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return {
            member.name: (content.read(), 0o755 if member.mode & 0o100 else 0o644)
            for member in tar
            if (content := tar.extractfile(member)) is not None
        }


def write(target: Path, files: dict[str, tuple[bytes, int]], commit: Commit) -> None:
    """Write *files* with checksums and a text into the archive *target*;
    the same files give the same archive.

    It appears complete or not at all. Raise :class:`BundleError` if it cannot be written.
    """
    text = (
        f"Swiss Arbiter {VERSION}, commit {commit.name[:12]}, with packages for {made_for()}: no "
        f"network is needed.\n"
        f"Start ./run (a trial: ./run demo) in this folder; sha256sum --check --quiet {CHECKSUMS} "
        f"compares all files.\n"
    )
    files = {**files, TEXT: (text.encode(), 0o644)}
    sums = "".join(
        f"{hashlib.sha256(files[name][0]).hexdigest()}  {name}\n" for name in sorted(files)
    )
    files[CHECKSUMS] = sums.encode(), 0o644
    draft = target.with_name(f".{target.name}.part")
    try:
        draft.write_bytes(_packed(files, commit))
        draft.replace(target)
    except OSError as error:
        raise BundleError(
            f"{target} cannot be written: {error.strerror}. Make room there, or choose another folder: "
            "./run bundle FOLDER"
        ) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _packed(files: dict[str, tuple[bytes, int]], commit: Commit) -> bytes:
    """Return the archive of *files*. It is made in memory: what fails on the disk is one write."""
    archive = io.BytesIO()
    with (
        gzip.GzipFile("", "wb", 6, archive, mtime=commit.time) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for path in sorted(files):
            content, mode = files[path]
            member = tarfile.TarInfo(f"{top()}/{path}")
            member.size, member.mode, member.mtime = len(content), mode, commit.time
            tar.addfile(member, io.BytesIO(content))
    return archive.getvalue()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
