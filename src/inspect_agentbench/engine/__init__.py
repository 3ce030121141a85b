"""The docker engine: finding it, the sandbox image, locked-down containers, removing what was made."""

from .cache import cache_folder, write_whole
from .client import check_compose, connect
from .compose import agent_compose_file, agent_compose_text, fill_in_labels
from .containers import (
    PROCESS_LABEL,
    Kind,
    Leftover,
    clean,
    labels,
    list_leftovers,
    new_name,
    remove,
    remove_all_of_this_process,
    run_id,
)
from .exchange import Exchange, ExchangeEnded
from .fingerprint import Fingerprint
from .hardening import NOBODY, ROOM_FOLDER, RoomLimits, room_options
from .image import ImageInfo, ensure_image, image_tag, sandboxes_folder

__all__ = [
    "NOBODY",
    "PROCESS_LABEL",
    "ROOM_FOLDER",
    "Exchange",
    "ExchangeEnded",
    "Fingerprint",
    "ImageInfo",
    "Kind",
    "Leftover",
    "RoomLimits",
    "agent_compose_file",
    "agent_compose_text",
    "cache_folder",
    "check_compose",
    "clean",
    "connect",
    "ensure_image",
    "fill_in_labels",
    "image_tag",
    "labels",
    "list_leftovers",
    "new_name",
    "remove",
    "remove_all_of_this_process",
    "room_options",
    "run_id",
    "sandboxes_folder",
    "write_whole",
]
