"""Load the templates without their indentation, which would be one third of a long page."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.template import Origin, TemplateSyntaxError
from django.template.loader import get_template
from django.template.loaders import filesystem

_INDENTATION: Final = re.compile(r"(?<=\n)[ \t]+")


class Loader(filesystem.Loader):
    """Read a template and remove the white space at the start of its lines, once in each process.

    Lines keep their numbers, for error messages. The text that a page inserts is unchanged; a
    ``<pre>`` or a ``<textarea>`` in a template must be on one line
    (:mod:`tests.tournaments.web.test_templates`).
    """

    def get_contents(self, origin: Origin) -> str:
        """Return the source of the template, each line from its first character on."""
        return _INDENTATION.sub("", super().get_contents(origin))


def read_all() -> int:
    """Read all templates and return how many: nobody waits for that under a lock later."""
    root = Path(settings.BASE_DIR) / "templates"
    names = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.html"))]
    for name in names:
        with suppress(TemplateSyntaxError):  # Only its own pages fail then, not the server.
            get_template(name)
    return len(names)
