"""A device with passkeys, in software: it answers the questions of a page as a browser does."""

from __future__ import annotations

import json
import os
import struct
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_encode

ORIGIN = "http://localhost"


class Authenticator:
    """One key, for the host of *origin*; ``counter`` counts the answers,
    or stays 0 where *counts* is false.
    """

    def __init__(self, origin: str = ORIGIN, *, counts: bool = True) -> None:
        self.origin = origin
        self.host = origin.partition("://")[2].partition(":")[0]
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = os.urandom(32)
        self.counts = counts
        self.counter = 0

    def create(self, question: dict[str, Any], **changed: Any) -> str:
        """Answer for a new passkey."""
        public = cbor.encode(ES256.from_cryptography_key(self.key.public_key()))
        attested = bytes(16) + struct.pack(">H", len(self.name)) + self.name + public
        data = self._data(0x45) + attested
        found = cbor.encode({"fmt": "none", "attStmt": {}, "authData": data} | changed)
        return self._answer(
            clientDataJSON=self._client_data("webauthn.create", question), attestationObject=found
        )

    def get(self, question: dict[str, Any], **changed: str) -> str:
        """Answer at the log-in; *changed* are other values of what the browser signs,
        such as ``origin``.
        """
        self.counter += self.counts
        data, client_data = self._data(0x05), self._client_data("webauthn.get", question, **changed)
        signature = self.key.sign(data + sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client_data, authenticatorData=data, signature=signature)

    def _data(self, flags: int) -> bytes:
        return sha256(self.host.encode()).digest() + struct.pack(">BI", flags, self.counter)

    def _client_data(self, kind: str, question: dict[str, Any], **changed: str) -> bytes:
        values = {"type": kind, "challenge": question["challenge"], "origin": self.origin}
        return json.dumps(values | changed).encode()

    def _answer(self, **parts: bytes) -> str:
        name = websafe_encode(self.name)
        response = {part: websafe_encode(value) for part, value in parts.items()}
        return json.dumps({"id": name, "rawId": name, "type": "public-key", "response": response})
