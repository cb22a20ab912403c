"""Calendar files keep to RFC 5545."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given, settings, strategies as st

from tournaments.reports.icalendar import Appointment, calendar, escaped, folded, utc

AT = datetime(2026, 11, 24, 18, 30, tzinfo=timezone(timedelta(hours=1)))
GAME = Appointment(
    "a-1@swiss-arbiter", 2, AT, AT, AT + timedelta(hours=4), "Zoë; Ana, B\\C", "one\ntwo", "Room 1"
)


def test_rfc_5545_3_6_1_an_appointment_has_all_that_a_calendar_needs() -> None:
    lines = calendar("Open", [GAME]).split("\r\n")
    assert lines[:3] == ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Swiss Arbiter//games//EN"]
    assert lines[-4:] == ["STATUS:CONFIRMED", "END:VEVENT", "END:VCALENDAR", ""]
    assert {
        "UID:a-1@swiss-arbiter",
        "SEQUENCE:2",
        "DTSTAMP:20261124T173000Z",
        "DTSTART:20261124T173000Z",
        "DTEND:20261124T213000Z",
    } <= {*lines}
    assert {"SUMMARY:Zoë\\; Ana\\, B\\\\C", "DESCRIPTION:one\\ntwo", "LOCATION:Room 1"} <= {*lines}


def test_rfc_5545_3_8_1_11_a_cancelled_appointment_stays_in_the_file() -> None:
    gone = Appointment("a", 3, AT, AT, AT, "x", cancelled=True)
    assert "STATUS:CANCELLED" in calendar("Open", [gone])


def test_rfc_5545_3_7_2_a_file_is_no_message_that_would_need_an_organizer() -> None:
    assert "METHOD" not in calendar("Open", [GAME])


def test_rfc_5545_3_3_5_times_are_in_utc() -> None:
    assert utc(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) == "20260102T030405Z"
    assert utc(AT) == "20261124T173000Z"


@settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=300))
def test_rfc_5545_3_1_lines_have_at_most_75_octets_and_unfold_again(text: str) -> None:
    value = escaped(text)
    assert "\n" not in value
    assert "\r" not in value
    pieces = folded(f"SUMMARY:{value}").split("\r\n")
    assert all(len(piece.encode()) <= 75 for piece in pieces)
    assert all(piece.startswith(" ") for piece in pieces[1:])
    assert pieces[0] + "".join(piece[1:] for piece in pieces[1:]) == f"SUMMARY:{value}"


def test_rfc_5545_3_3_11_text_is_escaped() -> None:
    assert escaped("a\\b;c,d\r\ne\rf\ng\x00\x07") == "a\\\\b\\;c\\,d\\ne\\nf\\ng"
    # A space that does not break passes the test for control characters.
    assert escaped("Salle\N{NO-BREAK SPACE}2") == "Salle\N{NO-BREAK SPACE}2"
