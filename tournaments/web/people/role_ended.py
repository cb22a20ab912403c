"""Tell a person whose role or link has ended why."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.people.people import role_end
from tournaments.web.templatetags.numbers import moment


def role_ended(tournament: Tournament, person: int) -> str:
    """Return why *person* has no role in *tournament* any more; empty if there was none.

    The sentence names neither the person nor the role: somebody else may have found the link.
    """
    end = role_end(tournament, person)
    if end is None:
        return ""
    given = {"tournament": tournament.name, "at": moment(end.at), "name": end.by}
    if end.with_the_event:
        return (
            _(
                "Your role in %(tournament)s ended with the final standings on %(at)s. Ask the "
                "Chief Arbiter."
            )
            % given
        )
    return _("%(name)s ended your role in %(tournament)s on %(at)s. Ask the Chief Arbiter.") % given
