"""The earlier name of :mod:`tournaments.site.server`, which older units of systemd start."""

import runpy

if __name__ == "__main__":
    runpy.run_module("tournaments.site.server", run_name="__main__", alter_sys=True)
