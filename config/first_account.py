"""``python -m config.first_account``: make the account of the first
chief arbiter if there is no account yet.

The name is ``SWISS_ADMIN_USER`` (``arbiter``). The password is ``SWISS_ADMIN_PASSWORD``, or in the
file that ``SWISS_ADMIN_PASSWORD_FILE`` names, or is entered twice in the terminal. Without a
variable and a terminal it only prints how to make an account, because there is no default password.
The exit code is 1 if the given password cannot be used; then no account is made.
"""

import getpass
import os
import sys
from typing import TYPE_CHECKING

from config.data_folder import BASE_DIR, data_option
from config.terminal import in_words

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ATTEMPTS = 3
INTERRUPTED = "Interrupted. No account was made; the next start asks again."


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Here, because Ctrl+C while these are imported has an answer too.
    import django
    from django.core.exceptions import ValidationError

    from config.env import SettingError

    try:
        django.setup()
    except SettingError as error:
        print(error, file=sys.stderr)
        return 1
    from django.contrib.auth.models import User

    if User.objects.filter(is_superuser=True, is_active=True).exists():
        return 0
    user = User(
        username=os.environ.get("SWISS_ADMIN_USER") or "arbiter", is_staff=True, is_superuser=True
    )
    try:
        user.clean_fields(exclude=["password"])
        user.validate_unique()
        password = _password(user)
    except SettingError as error:
        print(error, file=sys.stderr)
        return 1
    except ValidationError as error:
        print(
            f"The account {user.username!r} was not made: {' '.join(error.messages)}",
            file=sys.stderr,
        )
        return 1
    if password is None:
        # The image of the containers has no ./run.
        has_run = (BASE_DIR / "run").exists()
        make = (
            f"./run manage createsuperuser{data_option()}"
            if has_run
            else "python -m config.first_account"
        )
        print(f"  There is no account yet. To make one: {make}")
        return 0
    user.set_password(password)
    user.save(force_insert=True)
    print(f"  Made the chief arbiter's account {user.username!r}.")
    return 0


def _password(user: "User") -> str | None:
    """Return a password that the validators accept, or None without a terminal.

    Raise ``ValidationError`` for an unusable one; in the terminal only after :data:`ATTEMPTS`
    attempts.
    """
    from django.contrib.auth.password_validation import validate_password
    from django.core.exceptions import ValidationError

    from config.commands import RULE_OF_PASSWORDS
    from config.env import Environment

    given = Environment().text("SWISS_ADMIN_PASSWORD")
    if given:
        validate_password(given, user)
        return given
    if not sys.stdin.isatty():
        return None
    print(f"  A password for the chief arbiter's account {user}.\n{RULE_OF_PASSWORDS}")
    for left in reversed(range(ATTEMPTS)):
        password = _typed("    Password: ")
        try:
            if password != _typed("    Again: "):
                message = "The two passwords differ."
                raise ValidationError(message)
            validate_password(password, user)
        except ValidationError as error:
            if not left:
                raise
            print("    " + " ".join(error.messages))
        else:
            return password
    return None


def _typed(question: str) -> str:
    try:
        return getpass.getpass(question)
    except EOFError:  # Ctrl+D, or the terminal is gone.
        raise KeyboardInterrupt from None


if __name__ == "__main__":
    sys.exit(in_words(main, interrupted=INTERRUPTED))
