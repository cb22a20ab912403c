"""The sentences about mirrors, by code; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_MIRRORS: Final[Mapping[str, Promise]] = {
    "mirror.address": _(
        "This is not an address that starts with http:// or https://. Enter it without a password "
        "and without “?”."
    ),
    "mirror.private_address": _(
        "The address is in a private network. Enter the address of a public web space."
    ),
    "mirror.not_encrypted": _(
        "The password would be sent without encryption. Enter an address that starts with https://."
    ),
    "mirror.user": _(
        "Username and password may contain letters, digits and signs; the username no colon."
    ),
    "mirror.no_folder": _(
        "This site has no folder for mirrors. The person who runs it can set SWISS_MIRROR_DIR."
    ),
    "mirror.folder_missing": _(
        "There is no folder %(folder)s. Connect the disk, or make the folder."
    ),
    "mirror.nothing_set": _("Enter where the mirror is first."),
    "mirror.not_reached": _("The web space could not be reached (%(problem)s)."),
    "mirror.not_made": _(
        "The pages could not be made (%(problem)s). Check the disk of the server."
    ),
    "mirror.moving": _("Something was published while the pages were made."),
    "mirror.not_allowed": _(
        "The web space refused %(method)s (answer %(status)s). Check address, username and "
        "password."
    ),
    "mirror.no_put": _(
        "The web space does not take files by %(method)s (answer %(status)s). Enter an address "
        "for WebDAV or PUT."
    ),
    "mirror.redirect": _(
        "The address leads to another one (answer %(status)s). Enter the address at which the "
        "files are to be saved."
    ),
    "mirror.full": _("The web space is full, or refuses a file of this size (answer %(status)s)."),
    "mirror.answer": _("The web space answered %(status)s to %(method)s of %(path)s."),
    "mirror.unreadable": _(
        "In the folder of the mirror is a file %(file)s that this program did not write, or that "
        "was changed. Choose "
        "an empty folder, or remove the file."
    ),
    "mirror.other_tournament": _(
        "The folder has the mirror of another tournament, “%(name)s”. Nothing was sent: choose "
        "another folder."
    ),
    "mirror.other_key": _(
        "The mirror was signed by another site (key %(key)s…). Nothing was sent: decide below "
        "which one is to be shown."
    ),
    "mirror.fork": _(
        "The mirror shows version %(version)s, which this record does not contain: this site was "
        "restored from an "
        "older copy, or another computer goes on with the tournament. Nothing was sent: decide "
        "below which one is to "
        "be shown."
    ),
    "mirror.moved_meanwhile": _(
        "Somebody else changed this mirror in the meantime. Nothing was changed: check it again."
    ),
}
