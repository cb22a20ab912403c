"""The certificate for https in the hall, made by this machine for its own names and addresses.

No authority knows it, so each browser warns once; the same fingerprint on both sides proves that
nobody sits in between. It cannot sign others: with a stolen key nobody can pretend to be another
site.
"""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import os
import ssl
import time
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tournaments.site.venue.addresses import own_addresses, own_names

FILE: Final = "https-certificate.pem"
"""Certificate and key in one file, so that the two always belong together;
readable by its owner only.
"""
VALID: Final = timedelta(days=397)
"""Browsers accept no longer one."""
RENEWED_BEFORE: Final = timedelta(days=30)


class Certificate:
    """The certificate in use. The first process renews it, the others read it again then.

    Connections that are open stay as they are.
    """

    LOOK_EVERY: Final = 30.0  # seconds

    def __init__(self, folder: Path, hosts: Collection[str]) -> None:
        self._folder = folder
        self._hosts = {host.strip("[]") for host in hosts if host[0] not in ".*"}
        self._next = 0.0
        self.keep_up_to_date()
        self._path, self._seen = folder / FILE, 0
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.set_alpn_protocols(["http/1.1"])
        self.context()

    def keep_up_to_date(self) -> None:
        """Make another one for a new address of this machine; at most every half minute."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self.LOOK_EVERY
            up_to_date(
                self._folder, {*self._hosts, *own_addresses(), *own_names()}, now=datetime.now(UTC)
            )

    def context(self) -> ssl.SSLContext:
        """Return what a new connection needs: TLS 1.2 or newer, and the certificate of the file."""
        with contextlib.suppress(OSError):
            changed = self._path.stat().st_mtime_ns
            if changed != self._seen:
                self._context.load_cert_chain(self._path)
                self._seen = changed
        return self._context


def up_to_date(folder: Path, hosts: Collection[str], *, now: datetime) -> Path:
    """Return the certificate file in *folder* for *hosts*; a new one if incomplete or ending."""
    path = folder / FILE
    if not (path.exists() and _is_good(path, hosts, now=now)):
        draft = path.with_name(f"{FILE}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(made(hosts, now=now))
        draft.replace(path)
    return path


def fingerprint(folder: Path) -> str:
    """Return the SHA-256 of the certificate in *folder* as browsers show it, or empty."""
    try:
        certificate = _read(folder / FILE)
    except (OSError, ValueError):
        return ""
    digest = (
        hashlib.sha256(certificate.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    )
    return ":".join(digest[at : at + 2] for at in range(0, len(digest), 2))


def made(hosts: Collection[str], *, now: datetime) -> bytes:
    """Return a new key and its certificate for *hosts*, names and addresses, as PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Swiss Arbiter, this laptop")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))  # The clock of a phone may be behind.
        .not_valid_after(now + VALID - timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(list(map(_general_name, sorted(set(hosts))))),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + certificate.public_bytes(serialization.Encoding.PEM)


def hosts_of(path: Path) -> set[str]:
    """Return the names and addresses for which the certificate in the file *path* holds."""
    names = _read(path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses = names.get_values_for_type(x509.IPAddress)
    return {*names.get_values_for_type(x509.DNSName), *map(str, addresses)}


def _is_good(path: Path, hosts: Collection[str], *, now: datetime) -> bool:
    try:
        return (
            set(hosts) <= hosts_of(path) and _read(path).not_valid_after_utc - now > RENEWED_BEFORE
        )
    except (ValueError, x509.ExtensionNotFound):
        return False


def _read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
