"""Feature: create a tournament and change its settings."""
