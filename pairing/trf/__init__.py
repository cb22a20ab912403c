"""Read and write FIDE tournament report files (TRF), and convert them for the engine."""

from .convert import state_before_round
from .document import TrfDocument
from .reader import read
from .writer import write

__all__ = ["TrfDocument", "read", "state_before_round", "write"]
