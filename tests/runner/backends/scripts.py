"""Small scripts of model turns."""

from typing import Any

from runner.backends.script import Script
from runner.contract.canonical import load

USED = {"usage": "known", "prompt_tokens": 100, "completion_tokens": 20}
ABSENT = {"usage": "absent"}


def a_turn(text: str = "", *, usage: dict[str, Any] = USED, expects: dict[str, Any] | None = None, **calls: Any):
    """A turn that says `text` and calls each named tool with the given arguments."""
    listed = [{"name": name, "arguments": arguments} for name, arguments in calls.items()]
    return {"text": text, "calls": listed, "usage": usage, "expects": expects or {}}


def script_text(*turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A script as its file holds it."""
    return {"format": "sealbook.script/1", "model": "scripted", "turns": list(turns), **more}


def a_script(*turns: dict[str, Any], **more: Any) -> Script:
    """A script as it is served."""
    return load(Script, script_text(*turns, **more), file="script.json")


def a_request(
    *said: tuple[str, str], tools: tuple[str, ...] = (), model: str = "scripted", **more: Any
) -> dict[str, Any]:
    """The body of a request for a completion."""
    messages = [{"role": role, "content": text} for role, text in said or (("user", "go on"),)]
    offered = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    return {"model": model, "messages": messages, **({"tools": offered} if tools else {}), **more}
