"""Writes: every act is one function and one transaction with its entry in the record."""
