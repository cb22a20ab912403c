"""Reads for the pages: frozen dataclasses out, a fixed number of queries whatever the number of rows.

A selector that shows rounds takes ``runs``: whether the reader runs the tournament. Without it a draft
does not exist, and a result is unknown until it is published.
"""
