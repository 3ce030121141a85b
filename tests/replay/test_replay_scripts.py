"""The scripts of the embedded model, without a container."""

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput
from inspect_ai.tool import ToolDef, ToolInfo

from inspect_agentbench.bank import Variant, load_bank
from inspect_agentbench.episode import WORKSPACE, sample_messages
from inspect_agentbench.episode import tools as own
from inspect_agentbench.errors import AgentbenchError
from inspect_agentbench.replay import SCRIPTS, ReplayAPI, check_script
from inspect_agentbench.replay.calls import call_for
from inspect_agentbench.replay.scripts import ReadFile, Replace, Submit, Turn, WriteFile, turns_of

TINY = Path(__file__).parents[1] / "banks" / "tiny"
OWN = (own.bash(), own.read_file(), own.write_file(), own.str_replace(), own.list_files(), own.submit())


def tiny(name: str | None = None) -> Variant:
    return load_bank(TINY).family("tiny").variant(name)


def info(tool: Any, **parameters: Any) -> ToolInfo:
    definition = tool if isinstance(tool, ToolDef) else ToolDef(tool)
    return ToolInfo(
        name=definition.name, description=definition.description, parameters=definition.parameters
    )


def own_tools() -> list[ToolInfo]:
    return [info(tool) for tool in OWN]


async def _shell(cmd: str) -> str:
    """Run.

    Args:
        cmd: The command.
    """
    return cmd


async def _answer(answer: str) -> str:
    """End.

    Args:
        answer: The answer.
    """
    return answer


OTHER = [info(ToolDef(_shell, name="bash")), info(ToolDef(_answer, name="submit"))]


def generate(script: str, messages: list[ChatMessage], tools: list[ToolInfo]) -> ModelOutput:
    return asyncio.run(ReplayAPI(script).generate(messages, tools, "auto", GenerateConfig()))


def play(script: str, tools: list[ToolInfo], turns: int = 12) -> list[ChatMessageAssistant]:
    messages = sample_messages(tiny(), bank=str(TINY))
    replies: list[ChatMessageAssistant] = []
    for _ in range(turns):
        replies.append(generate(script, messages, tools).message)
        messages.append(replies[-1])
        if any(call.function == "submit" for call in replies[-1].tool_calls or []):
            break
    return replies


def calls(replies: list[ChatMessageAssistant]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.function, call.arguments) for reply in replies for call in reply.tool_calls or []]


@pytest.mark.parametrize("kind", ["correct", "lazy", "wrong"])
@pytest.mark.parametrize("variant", ["plain", "terse"])
def test_every_known_fix_is_typed_in_exactly(kind: Any, variant: str) -> None:
    """The edits of a script, applied to the tree, give the files of the fix it plays."""
    told = tiny(variant)
    for name, fix in told.family.fixes(kind).items():
        files = {path: file.content for path, file in told.tree().items()}
        for action in (a for turn in turns_of(f"{kind}:{name}", told) for a in turn.actions):
            if isinstance(action, Replace):
                assert files[action.path].decode().count(action.old) == 1
                text = files[action.path].decode().replace(action.old, action.new)
                files[action.path] = text.encode()
            elif isinstance(action, WriteFile):
                files[action.path] = action.content
        assert files == {path: file.content for path, file in told.apply(fix.files).items()}


def test_default_fixes() -> None:
    """`lazy` is the manifest's obvious fix; `correct` and `wrong` are the first by name."""
    family = tiny().family
    for script, name in (
        ("lazy", family.oracle.obvious),
        ("correct", min(family.fixes("correct"))),
        ("wrong", min(family.fixes("wrong"))),
    ):
        assert turns_of(script, tiny()) == turns_of(f"{script}:{name}", tiny())


def test_the_suites_own_tools_are_used() -> None:
    """A fix is played by listing, reading, running the tests, editing, running them again and a claim."""
    played = calls(play("correct", own_tools()))
    names = [name for name, _ in played]
    assert names == ["list_files", "read_file", "bash", "str_replace", "bash", "submit"]
    assert played[-1] == ("submit", {"status": "done", "reason": ""})
    assert played[2][1]["command"].endswith("python3 -m pytest -q tests")


def test_other_agents_tools_are_used_as_they_are() -> None:
    """With only a shell and a submit of another shape everything goes through these."""
    played = calls(play("lazy", OTHER))
    assert {(name, *arguments) for name, arguments in played} == {("bash", "cmd"), ("submit", "answer")}
    assert all(a["cmd"].startswith(f"cd {WORKSPACE} && ") for name, a in played if name == "bash")
    assert calls(play("blocked", OTHER))[-1][1]["answer"].startswith("blocked: ")


def test_edits_through_a_shell_are_exact(tmp_path: Path) -> None:
    """Quotes, line ends and bytes survive the shell."""
    edit = Replace("a b.py", "x = 'é'\r\n", 'x = "$HOME\\n`"\r\n')
    write = WriteFile("new/it's.bin", b"\x00\xff'\n")
    (tmp_path / "a b.py").write_bytes(b"1\n" + edit.old.encode() + b"2\n")
    for action in (edit, write):
        call = call_for(action, {tool.name: tool for tool in OTHER})
        assert call is not None
        command = call.arguments["cmd"].replace(f"cd {WORKSPACE}", f"cd '{tmp_path}'")
        subprocess.run(["bash", "-c", command], check=True)
    assert (tmp_path / "a b.py").read_bytes() == b"1\n" + edit.new.encode() + b"2\n"
    assert (tmp_path / "new" / "it's.bin").read_bytes() == write.content


def test_scripts_without_a_fix() -> None:
    """`idle` works and claims, `claim` claims at once, `blocked` stops, `talk` never calls a tool."""
    own_infos = own_tools()
    assert [name for name, _ in calls(play("idle", own_infos))][-2:] == ["bash", "submit"]
    assert calls(play("claim", own_infos)) == [("submit", {"status": "done", "reason": ""})]
    assert calls(play("blocked", own_infos))[-1][1]["status"] == "blocked"
    talked = play("talk", own_infos, turns=3)
    assert calls(talked) == []
    assert "```bash" in talked[0].text


def test_replies_depend_on_the_conversation_only() -> None:
    """Two samples at different turns are served by one model without mixing."""
    start = sample_messages(tiny(), bank=str(TINY))
    later = [*start, ChatMessageAssistant(content=""), ChatMessageUser(content="go on")]
    model = ReplayAPI("correct")

    async def both() -> list[ModelOutput]:
        runs = (model.generate(m, own_tools(), "auto", GenerateConfig()) for m in (start, later, start))
        return list(await asyncio.gather(*runs))

    first, second, again = asyncio.run(both())
    assert first.message.tool_calls == again.message.tool_calls != second.message.tool_calls


def test_the_last_reply_is_repeated() -> None:
    """A script asked beyond its end claims again, so that a refused claim does not hang."""
    messages: list[ChatMessage] = [*sample_messages(tiny(), bank=str(TINY))]
    messages += [ChatMessageAssistant(content="")] * 30
    calls_made = generate("correct", messages, own_tools()).message.tool_calls or []
    assert [call.function for call in calls_made] == ["submit"]


def test_usage_is_reported() -> None:
    """Each output carries usage, so that Inspect never loads a tokenizer."""
    usage = generate("idle", sample_messages(tiny(), bank=str(TINY)), own_tools()).usage
    assert usage is not None
    assert usage.input_tokens > 0
    assert usage.total_tokens == usage.input_tokens + usage.output_tokens


@pytest.mark.parametrize("name", ["nothing", "correct:", "", "talk:x", "Lazy"])
def test_an_unknown_script_is_refused_at_once(name: str) -> None:
    """A model that does not exist is refused before anything starts, with the scripts there are."""
    with pytest.raises(PrerequisiteError, match=r"correct:<name>.*idle, claim, blocked, talk"):
        ReplayAPI(name)


def test_a_fix_that_a_family_does_not_have_is_named() -> None:
    """The error lists the fixes that could be played."""
    family = tiny().family
    check_script("lazy:float", [family])
    with pytest.raises(AgentbenchError, match="replay/lazy:no cannot play family tiny: it has lazy:float"):
        check_script("lazy:no", [family])


def test_other_samples_are_refused() -> None:
    """A conversation that names no family is none of ours."""
    with pytest.raises(AgentbenchError, match="none of inspect_agentbench's"):
        generate("correct", [ChatMessageUser(content="hello")], [])


def test_scripts_can_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's own script is played like the others."""
    monkeypatch.setitem(SCRIPTS, "attack:peek", lambda variant: [Turn("", (ReadFile("/x"), Submit("done")))])
    assert [name for name, _ in calls(play("attack:peek", own_tools()))] == ["read_file", "submit"]
