"""Feature: reports, report files, the record and the re-check."""
