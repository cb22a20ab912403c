"""The record of a tournament as anybody can check it: chain, private values, file, replay.

No Django.
"""
