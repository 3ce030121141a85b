"""The judge's side of a grading, seen from the host: cases and right answers, computed in a container.

No oracle code runs on the host. Answers are cached under everything that they follow from; grades
never are.
"""

import hashlib
import json
import struct
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import docker

from ..bank import Variant
from ..engine import (
    Exchange,
    ExchangeEnded,
    ImageInfo,
    Kind,
    RoomLimits,
    cache_folder,
    room_options,
    write_whole,
)
from ..errors import HarnessFault, OracleFault
from .again import again
from .cases import Case, Cases, read_cases
from .inside.judge import HANDSHAKE, LENGTH
from .sources import judge_program

JUDGE_SECONDS = 300.0
JUDGE_BYTES = 500_000_000
_LIMITS = RoomLimits(memory_mib=2048)


class Pins(NamedTuple):
    """Which trials: the family's own seed and number by default."""

    seed: int
    trials: int


def make_cases(
    client: docker.DockerClient, image: ImageInfo, variant: Variant, pins: Pins | None = None
) -> Cases:
    """The fixed cases and the trials with their right answers, from the cache when they are there.

    Raises OracleFault when the oracle cannot make them; the text names family and fault.
    """
    oracle = variant.family.oracle
    pins = pins or Pins(oracle.seed, oracle.trials)
    request = _make_request(variant, pins)
    key = _cache_key(variant, image, request)
    path = cache_folder("judge") / f"{key}.json"
    try:
        return _cases_of(variant, json.loads(path.read_bytes()), pins)
    except (OSError, ValueError, KeyError, TypeError, HarnessFault):
        pass  # not there, or not whole: made anew
    reply = _ask(client, image, variant, request)
    cases = _cases_of(variant, reply, pins)
    write_whole(path, json.dumps(reply).encode("ascii"))
    return cases


def remake_cases(client: docker.DockerClient, image: ImageInfo, variant: Variant) -> Cases:
    """The same cases from a second judge, past the cache and under another hash seed.

    An oracle that does not make them alike rests on chance. Raises HarnessFault.
    """
    pins = Pins(variant.family.oracle.seed, variant.family.oracle.trials)
    return _cases_of(variant, _ask(client, image, variant, _make_request(variant, pins), hash_seed=1), pins)


def _make_request(variant: Variant, pins: Pins) -> dict[str, Any]:
    return {"mode": "make", "variant": variant.name, "seed": pins.seed, "trials": pins.trials}


def accepted(
    client: docker.DockerClient,
    image: ImageInfo,
    variant: Variant,
    items: Sequence[tuple[Case, Sequence[str]]],
) -> list[list[bool]]:
    """For each case and its given answers, which steps the oracle's property check accepts.

    The answers go to the judge as data. What the check cannot take is not accepted.
    """
    listed = [{"steps": list(case.steps), "answers": list(answers)} for case, answers in items]
    reply = _ask(client, image, variant, {"mode": "check", "items": listed})
    verdicts = reply["accepted"]
    if [len(v) for v in verdicts] != [len(case.steps) for case, _ in items]:
        raise OracleFault(f"the property check of {variant.family.id} does not give one value for each step")
    return [list(map(bool, verdict)) for verdict in verdicts]


def _cache_key(variant: Variant, image: ImageInfo, request: Mapping[str, Any]) -> str:
    parts = {
        "oracle": variant.family.oracle_hash(),
        "judge": judge_program(),
        "image": image.fingerprint.short,
        **request,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _cases_of(variant: Variant, reply: Mapping[str, Any], pins: Pins) -> Cases:
    try:
        cases = read_cases(reply)
        if [case.id for case in cases.trials] != [str(number) for number in range(pins.trials)]:
            raise ValueError(f"not the {pins.trials} trials that were asked for")
        _check_groups(cases, variant, pins)
        return cases
    except (ValueError, KeyError, TypeError) as error:
        raise OracleFault(
            f"the oracle of {variant.family.id} made cases that are no cases: {error}"
        ) from error


def _check_groups(cases: Cases, variant: Variant, pins: Pins) -> None:
    """Denominators are the manifest's: a generator that makes other groups is a fault."""
    oracle = variant.family.oracle
    found = Counter(case.group for case in cases.trials)
    if oracle.groups and pins.trials == oracle.trials and found != oracle.groups:
        made = ", ".join(f"{group} {count}" for group, count in found.items())
        raise ValueError(f"its groups are {made}, not those of oracle.toml")


def _ask(
    client: docker.DockerClient,
    image: ImageInfo,
    variant: Variant,
    request: Mapping[str, Any],
    hash_seed: int = 0,
) -> dict[str, Any]:
    whole = {**request, "oracle": variant.family.oracle_source}
    return ask_judge(client, image, variant.family.id, judge_program(), whole, hash_seed=hash_seed)


def ask_judge(
    client: docker.DockerClient,
    image: ImageInfo,
    family: str,
    program: str,
    request: Mapping[str, Any],
    hash_seed: int = 0,
    seconds: float = JUDGE_SECONDS,
    limits: RoomLimits = _LIMITS,
) -> dict[str, Any]:
    """The reply of a program in a judge's container to one request; `family` is named in what is raised.

    Raises OracleFault if the program replies with a fault or not at all in its time, HarnessFault if the
    engine loses the container again and again.
    """
    data = json.dumps(request).encode("ascii")
    command = ["/usr/bin/python3", "-sP", "-c", program]
    environment = {**_ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)}
    options = room_options(image.id, command, kind=Kind.JUDGE, environment=environment, limits=limits)
    reply = again(lambda: _reply(client, options, family, data, seconds))
    if "fault" in reply:
        raise OracleFault(f"the oracle of {family} failed in its judge:\n{reply['fault']}")
    return reply


def _reply(
    client: docker.DockerClient, options: dict[str, Any], family: str, data: bytes, seconds: float
) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    with Exchange(client, options, JUDGE_BYTES) as exchange:
        try:
            exchange.receive(len(HANDSHAKE), deadline)
            exchange.send(LENGTH.pack(len(data)) + data, deadline)
            length = LENGTH.unpack(exchange.receive(LENGTH.size, deadline))[0]
            return dict(json.loads(exchange.receive(length, deadline)))
        except (ExchangeEnded, ValueError, struct.error) as error:
            if not exchange.is_still_known():
                raise HarnessFault(f"the engine lost the judge of {family}") from error
            raise OracleFault(f"the judge of {family} gave no reply: {error}") from error


_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/room",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONDONTWRITEBYTECODE": "1",
}
