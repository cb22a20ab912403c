"""Sites that earlier commits made, upgraded on both databases.

``sites/COMMIT.backup`` is a copy of a site in the program's own format, without keys, sessions and
stored pages. It was made by the code of that commit: the demo, random events of ``Arbiters``
(``tests/tournaments/core``), an event with two sections that has prizes, byes, late entries, data
of the check-in desk and corrections, and an event from its report file. Add one for each release,
and for a commit after which old records are read otherwise. Never make one again.
"""
