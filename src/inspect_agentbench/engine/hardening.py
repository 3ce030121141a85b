"""The options of a container in which nothing is trusted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_agentbench.engine.containers import Kind, labels, new_name

ROOM_FOLDER = "/room"
NOBODY = 65534
_MIB = 1024 * 1024


@dataclass(frozen=True)
class RoomLimits:
    """What one locked-down container may use."""

    memory_mib: int = 512
    processes: int = 64
    cpus: float = 1.0
    files_mib: int = 64
    """Size of the one writable file system; it counts towards the memory too."""
    files: int = 8192
    """Files and folders there."""
    open_files: int = 1024


DEFAULT_LIMITS = RoomLimits()


def room_options(
    image: str,
    command: Sequence[str],
    *,
    kind: Kind = Kind.ROOM,
    environment: Mapping[str, str] | None = None,
    limits: RoomLimits = DEFAULT_LIMITS,
) -> dict[str, Any]:
    """The arguments of `client.api.create_container` for a new, named and labelled container.

    No network, read-only root, no capabilities, no new privileges, nobody's user id, no log, one tmpfs at
    /room, standard input open. The command is process 1, found by absolute path, and gets exactly the given
    environment. `image` is an image id or name; it must hold /usr/bin/env.
    """
    return {
        "image": image,
        "command": [*_scrubbed(environment or {}), *command],
        "entrypoint": [],
        "name": new_name(kind),
        "labels": labels(kind),
        "hostname": kind.value,
        "user": f"{NOBODY}:{NOBODY}",
        "working_dir": ROOM_FOLDER,
        "network_disabled": True,
        "stdin_open": True,
        "tty": False,
        "host_config": _host_config(limits),
    }


def _scrubbed(environment: Mapping[str, str]) -> list[str]:
    # The image's own variables, and HOME and HOSTNAME from the engine, would get in; env drops them, then
    # becomes the command.
    return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in environment.items())]


def _host_config(limits: RoomLimits) -> dict[str, Any]:
    memory_bytes = limits.memory_mib * _MIB
    return {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges"],
        "IpcMode": "none",  # no /dev/shm: it would be a second writable place
        "Memory": memory_bytes,
        "MemorySwap": memory_bytes,  # equal: no swap
        "PidsLimit": limits.processes,
        "NanoCpus": round(limits.cpus * 1e9),
        "Tmpfs": {ROOM_FOLDER: _tmpfs_options(limits)},
        # Message queues would outlive the process that made them and carry state to the next.
        "Ulimits": [_ulimit("core", 0), _ulimit("msgqueue", 0), _ulimit("nofile", limits.open_files)],
        "LogConfig": {"Type": "none", "Config": {}},  # its output would fill the engine's disk
        "Init": False,  # the command itself must be process 1
        "AutoRemove": False,  # removal is confirmed, not hoped for
    }


def _tmpfs_options(limits: RoomLimits) -> str:
    size = f"size={limits.files_mib}m,nr_inodes={limits.files}"
    return f"rw,nosuid,nodev,noexec,{size},uid={NOBODY},gid={NOBODY},mode=0700"


def _ulimit(name: str, value: int) -> dict[str, Any]:
    return {"Name": name, "Soft": value, "Hard": value}
