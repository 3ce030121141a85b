"""Tries to reach a network from where it runs: a room, as a driver, or an agent's container, as a program.

Documentation addresses (RFC 5737, RFC 3849) belong to nobody, so nothing is bothered where a network is on.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SECONDS = 0.5
_OFF = (errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def call(folder: str, data: Any) -> dict[str, str]:
    """What each way out gave; `off` for one that leads nowhere. `data` is a port that the host listens on."""
    ways: dict[str, Callable[[], None]] = {
        "tcp": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
        "udp": lambda: send(socket.AF_INET, ("192.0.2.1", 53)),
        "dns": resolve,
        "ipv6": lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("2001:db8::1", 80)),
    }
    found = {way: outcome(attempt) for way, attempt in ways.items()}
    found["host"] = host(data)
    found["interfaces"] = interfaces()
    return found


def outcome(attempt: Callable[[], None]) -> str:
    """`off` if the kernel has no way there, otherwise what happened."""
    try:
        attempt()
    except socket.gaierror:
        return "off"
    except OSError as error:
        return "off" if error.errno in _OFF else f"on ({errno.errorcode.get(error.errno or 0, error)})"
    return "on"


def connect(family: int, kind: int, address: tuple[str, int]) -> None:
    """Connect within the time."""
    with socket.socket(family, kind) as opened:
        opened.settimeout(SECONDS)
        opened.connect(address)


def send(family: int, address: tuple[str, int]) -> None:
    """Send a datagram; where there is no route even that fails."""
    with socket.socket(family, socket.SOCK_DGRAM) as opened:
        opened.settimeout(SECONDS)
        opened.sendto(b"?", address)


def resolve() -> None:
    """Look a name up; `invalid` never exists (RFC 2606), so only an answer that says so is a network."""
    try:
        socket.getaddrinfo("agentbench.invalid", 80)
    except socket.gaierror as error:
        if error.errno == socket.EAI_NONAME and _has_resolver():
            raise OSError(errno.EIO, "a resolver answered") from None
        raise


def _has_resolver() -> bool:
    """Whether a resolver can be sent a question at all."""
    try:
        with open("/etc/resolv.conf", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            servers = [line.split()[1] for line in file if line.startswith("nameserver")]
    except (OSError, IndexError):
        return False
    for server in servers:
        try:
            connect(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM, (server, 53))
        except OSError:
            continue
        return True
    return False


def host(port: int) -> str:
    """Whether the host's own loopback, where it listens on that port, can be reached."""
    try:
        connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port))
    except OSError:
        return "off"
    return "on"


def interfaces() -> str:
    """`off` if there is no interface but the loopback."""
    others = sorted(name for name in os.listdir("/sys/class/net") if name != "lo")  # noqa: PTH208
    return f"on ({', '.join(others)})" if others else "off"


def main() -> None:
    """Print what was found as JSON; the port is the one argument."""
    print(json.dumps(call("", int(sys.argv[1]))))


if __name__ == "__main__":
    main()
