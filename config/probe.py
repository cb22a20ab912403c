"""``python -m config.probe``: exit with code 0 if the server in this container is healthy.

The request uses the first name in ``ALLOWED_HOSTS``, because the server refuses all other names.
"""

import os
import sys
from urllib.error import URLError
from urllib.request import Request, urlopen

ADDRESS = "http://127.0.0.1:8000/readyz"
TIMEOUT = 5.0  # seconds


def main() -> int:
    host = os.environ.get("ALLOWED_HOSTS", "").split(",")[0].strip() or "127.0.0.1"
    try:
        with urlopen(Request(ADDRESS, headers={"Host": host}), timeout=TIMEOUT):
            return 0
    except URLError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
