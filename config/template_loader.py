"""Load the templates of the program without their indentation, which would be one third of a long page."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import filesystem

_INDENTATION: Final = re.compile(r"(?<=\n)[ \t]+")


class Loader(filesystem.Loader):
    """Read a template and remove the white space at the start of its lines, once in each process.

    Lines keep their numbers, for error messages. The text that a page inserts is unchanged; a ``<pre>`` or a
    ``<textarea>`` in a template must be on one line (:mod:`tests.tournaments.web.test_templates`).
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the source of the template, each line from its first character on."""
        return _INDENTATION.sub("", super().get_contents(origin))
