"""An arbiter of a site that faults hit."""

from __future__ import annotations

from http.client import HTTPConnection

from tests.live.desk import LOG_IN, Answer, Lost, Operator
from tests.live.server import HOST


class Arbiter(Operator):
    """An operator who notes the answers that are neither right nor 503, and logs in again where the session is over.

    A session ends when the clock of the server jumps by more than its days. What was sent then was not saved.
    """

    def __init__(self, port: int, name: str, password: str, patience: float) -> None:
        self.wrong: list[str] = []
        self._patience = patience
        super().__init__(port, name, password, patience=patience)

    def use_port(self, port: int) -> None:
        """Go on at another port."""
        self._connection.close()
        self._connection = HTTPConnection(HOST, port, timeout=self._patience)

    def request(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> Answer:
        try:
            answer = super().request(method, path, form, **headers)
            if path == LOG_IN or not answer.location.startswith(LOG_IN):
                return answer
            self.log_in()
            raise Lost(f"the session is over: {path}")
        except Lost as loss:
            if str(loss)[:1] == "5" and not str(loss).startswith("503 "):
                self.wrong.append(str(loss))
            raise
