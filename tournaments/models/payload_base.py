"""What the data of every action in the record have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from pairing.rules.actions import Action

Before = TypeVar("Before", bound=Mapping[str, object], covariant=True)
After = TypeVar("After", bound=Mapping[str, object], covariant=True)


@dataclass(frozen=True, slots=True)
class Payload(Generic[Before, After]):
    """The data before and after one action."""

    action: ClassVar[Action]
    before: Before
    after: After

    @property
    def name(self) -> str:
        """The name in the data, of a player or of the tournament; empty if there is none."""
        return str(self.after.get("name") or self.before.get("name") or "")
