"""Running one trusted program in a container of the image, and reading what it prints."""

from typing import Any

import docker
from docker.errors import DockerException
from requests.exceptions import RequestException

from ..engine import ImageInfo, Kind, labels, new_name, remove
from ..errors import HarnessFault


def probe(
    client: docker.DockerClient,
    image: ImageInfo,
    program: str,
    *arguments: str,
    seconds: float,
    **options: Any,
) -> bytes:
    """The standard output of a Python program; the container is gone afterwards.

    Raises HarnessFault if it cannot be started, does not end in time or ends with an error.
    """
    container = ""
    try:
        made = client.containers.create(
            image.id,
            ["python3", "-c", program, *arguments],
            name=new_name(Kind.PROBE),
            labels=labels(Kind.PROBE),
            **options,
        )
        container = str(made.id)
        made.start()
        status = made.wait(timeout=seconds)["StatusCode"]
        if status != 0:
            raise HarnessFault(f"a probe ended with {status}: {made.logs()[-500:]!r}")
        return bytes(made.logs(stdout=True, stderr=False))
    except (DockerException, RequestException) as error:
        raise HarnessFault(f"a probe could not be run: {error}") from error
    finally:
        if container:
            remove(client, container)
