"""Feature: standings, crosstable, players, points, lots and prizes."""
