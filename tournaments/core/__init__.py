"""Shared by every feature: actions, record, permissions, errors, messages, names."""
