"""The gate on families whose fate is known: rejected for the reason that was built in, or admitted."""

import docker
import pytest

from inspect_agentbench.engine import ImageInfo
from inspect_agentbench.gate.admission import Gate
from inspect_agentbench.gate.controls import CONTROL_CONTRACT, CONTROLS, Control, run_control
from inspect_agentbench.gate.network import WAYS, reach_from_everywhere
from inspect_agentbench.gate.reasons import Reason


@pytest.fixture(scope="session")
def gate(client: docker.DockerClient, image: ImageInfo) -> Gate:
    reached = reach_from_everywhere(client, image)
    return Gate(client, image, CONTROL_CONTRACT, 7, reached, lambda what: None)


def test_every_reason_has_a_control() -> None:
    """A reason that is never seen to be found may be one that cannot be found."""
    assert {control.name for control in CONTROLS} == {"good", *(reason.value for reason in Reason)}


@pytest.mark.docker
@pytest.mark.parametrize("control", CONTROLS, ids=lambda control: control.name)
def test_a_control_is_found_for_what_it_is(gate: Gate, control: Control) -> None:
    """Exactly the built-in reasons, no more and no fewer."""
    result = run_control(gate, control)
    assert result.behaves, f"found {[reason.value for reason in result.found]}: {result.detail}"


@pytest.mark.docker
def test_the_network_is_off_for_agents_and_rooms(gate: Gate) -> None:
    """Every way out is tried from both, and leads nowhere."""
    assert gate.reached == {place: dict.fromkeys(WAYS, "off") for place in ("agent's container", "room")}


@pytest.mark.docker
def test_a_gate_that_is_broken_is_seen_by_its_controls(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that finds nothing any more, and one that finds too much, both misbehave."""
    from inspect_agentbench.gate import admission

    monkeypatch.setattr(admission, "check_structure", lambda family, contract: [])
    names = {control.name: control for control in CONTROLS}
    assert not run_control(gate, names["standard_name"]).behaves
