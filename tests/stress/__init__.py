"""Long programs, each with one command; ``./run test`` runs only a moment of each.

- ``python -m tests.stress.load``: a hall full of phones, slow clients, nginx; on both databases
- ``python -m tests.stress.costs``: what each page, action, import and copy costs
- ``python -m tests.stress.events``: fifty events at once on PostgreSQL
- ``python -m tests.stress.faults``: kills, outages, disks and networks, many times
- ``python -m tests.stress.mutation``: changes of the program that no test notices
- ``python -m tests.stress.second``: random events against a second computation
- ``python -m tests.stress.security``: the tests of each claim about security
- ``python -m tests.stress.proxies``: the proxies of ``deploy``
- ``python -m tests.stress.fresh``: ``./run demo`` on a new machine
"""
