"""Compare the HTML of a page without the white space that does not show."""

import re


def tidy(html: str) -> str:
    """Return *html* with single spaces, and none beside a tag; non-breaking spaces stay."""
    return re.sub(r"(?<=>) | (?=<)", "", re.sub(r"[ \t\n]+", " ", html))
