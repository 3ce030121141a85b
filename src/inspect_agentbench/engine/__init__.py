"""The docker engine: finding it, the sandbox image, locked-down containers, removing what was made."""

from .client import check_compose, connect
from .containers import (
    Kind,
    Leftover,
    clean,
    labels,
    list_leftovers,
    new_name,
    remove,
    remove_all_of_this_process,
    removed_on_interrupt,
    run_id,
)
from .fingerprint import Fingerprint
from .hardening import NOBODY, ROOM_FOLDER, RoomLimits, room_options
from .image import ImageInfo, ensure_image, image_tag, sandboxes_folder

__all__ = [
    "NOBODY",
    "ROOM_FOLDER",
    "Fingerprint",
    "ImageInfo",
    "Kind",
    "Leftover",
    "RoomLimits",
    "check_compose",
    "clean",
    "connect",
    "ensure_image",
    "image_tag",
    "labels",
    "list_leftovers",
    "new_name",
    "remove",
    "remove_all_of_this_process",
    "removed_on_interrupt",
    "room_options",
    "run_id",
    "sandboxes_folder",
]
