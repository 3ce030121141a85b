"""What of an image decides about answers: measured inside it, since image ids differ between machines."""

import hashlib

import docker
from pydantic import BaseModel, ConfigDict, ValidationError

from inspect_agentbench.engine.cache import cache_folder, write_whole
from inspect_agentbench.engine.containers import Kind, remove
from inspect_agentbench.engine.hardening import room_options
from inspect_agentbench.errors import HarnessFault

_MEASURE = r"""
import hashlib, json, os, platform, subprocess, unicodedata

def zones(root="/usr/share/zoneinfo"):
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                content = file.read()
            digest.update(b"%s:%d:" % (os.path.relpath(path, root).encode(), len(content)) + content)
    return digest.hexdigest()

def packages():
    query = ["dpkg-query", "-W", "-f", "${binary:Package} ${Version} ${Architecture}\n"]
    listed = subprocess.run(query, stdout=subprocess.PIPE, check=True).stdout
    return hashlib.sha256(b"".join(sorted(listed.splitlines(True)))).hexdigest()

print(json.dumps({
    "python": platform.python_version(),
    "unicode": unicodedata.unidata_version,
    "time_zones": zones(),
    "packages": packages(),
}))
"""


class Fingerprint(BaseModel):
    """Two images with equal fingerprints give equal answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    python: str
    unicode: str
    time_zones: str
    """SHA-256 over the time-zone data files."""
    packages: str
    """SHA-256 over names, versions and architectures of the installed Debian packages."""

    @property
    def short(self) -> str:
        """All of it in 12 hexadecimal digits."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]


def fingerprint_of(client: docker.DockerClient, image_id: str) -> Fingerprint:
    """The image's fingerprint: measured once per image id and host, then remembered."""
    path = cache_folder("fingerprints") / f"{image_id.removeprefix('sha256:')}.json"
    try:
        return Fingerprint.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):  # not measured yet, or by another version of this package
        measured = measure(client, image_id)
        write_whole(path, measured.model_dump_json().encode())
        return measured


def measure(client: docker.DockerClient, image_id: str) -> Fingerprint:
    """Look into the image with a locked-down container; `HarnessFault` if it cannot tell."""
    options = room_options(image_id, ["/bin/sleep", "60"], kind=Kind.PROBE)
    name = options["name"]
    try:
        client.api.create_container(**options)
        client.api.start(name)
        command = client.api.exec_create(name, ["/usr/bin/python3", "-IS", "-c", _MEASURE])
        output = client.api.exec_start(command["Id"])
        return Fingerprint.model_validate_json(output)
    except docker.errors.DockerException as error:
        raise HarnessFault(f"image {image_id}: its fingerprint could not be measured: {error}") from error
    except ValidationError as error:
        raise HarnessFault(
            f"image {image_id}: its fingerprint could not be measured: {output[-200:]!r}"
        ) from error
    finally:
        remove(client, name)
