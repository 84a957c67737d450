"""The profile of OpenCode: how it is started, and what it may do. Pure.

Tried with 1.18.33. The prompt comes by standard input: one among the arguments is put in quotes. What it prints is read
by `opencode_events`.
"""

import json
from typing import Any

VERSION = "1.18.33"
CANDIDATE, PRIVATE, PROGRAM = "/candidate", "/private", "/agent/opencode"
"""Where the agent finds the workspace, its own folders, and itself. No path of the host ever shows."""
TOOLS = "/tools"
"""Where the programs are that it was given, before all others on its path."""
FOLDERS = {
    "HOME": "home",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_CACHE_HOME": "cache",
    "XDG_STATE_HOME": "state",
    "TMPDIR": "tmp",
}
"""The private folders, by the variable that names each."""
CONFIGURATION = "opencode.json"
_SWITCHES = (
    *("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_DEFAULT_PLUGINS"),
    *("OPENCODE_DISABLE_LSP_DOWNLOAD", "OPENCODE_DISABLE_MODELS_FETCH", "OPENCODE_DISABLE_PROJECT_CONFIG"),
    *("OPENCODE_DISABLE_SHARE",),
)
"""What would reach for the network, or for instructions that are not the task's."""
SEARCHER = "rg"
"""What its searching tools start. Without it they would be fetched from a network that is not there, and fail."""
_READING, _SEARCHING = ("read", "list"), ("glob", "grep")


def environment() -> dict[str, str]:
    """Every variable of its processes."""
    return {
        "PATH": f"{TOOLS}:/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "npm_config_offline": "true",
        "OPENCODE_CONFIG": f"{PRIVATE}/{CONFIGURATION}",
        **dict.fromkeys(_SWITCHES, "1"),
        **{variable: f"{PRIVATE}/{folder}" for variable, folder in FOLDERS.items()},
    }


def configuration(model: str, port: int, commands: tuple[str, ...], *, searches: bool) -> bytes:
    """Its `opencode.json`: one model at a loopback port, reading, editing, and the allowed commands alone.

    `searches` is whether `SEARCHER` is there; without it the tools that need it are not offered.
    """
    reading = (*_READING, *_SEARCHING) if searches else _READING
    allowed: dict[str, Any] = {"*": "deny", **dict.fromkeys(reading, "allow"), "edit": "allow"}
    allowed["bash"] = {"*": "deny", **dict.fromkeys(commands, "allow")}
    allowed["external_directory"] = "deny"
    options = {"baseURL": f"http://127.0.0.1:{port}/v1", "apiKey": "none"}
    limit = {"context": 128_000, "output": 8_192}
    value = {
        "provider": {
            "study": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "study",
                "options": options,
                "models": {model: {"name": model, "limit": limit}},
            }
        },
        "model": f"study/{model}",
        "enabled_providers": ["study"],
        "permission": allowed,
        "autoupdate": False,
        "share": "disabled",
        "snapshot": False,
        "lsp": False,
        "formatter": False,
    }
    return json.dumps(value, indent=2, sort_keys=True).encode() + b"\n"


def run_arguments(model: str) -> tuple[str, ...]:
    """The command that makes an attempt. With a title of its own it asks the model for none."""
    return (PROGRAM, "run", "--pure", "--format", "json", "--title", "attempt", "--model", f"study/{model}")


def export_arguments(session: str) -> tuple[str, ...]:
    """The command that prints a whole session once more."""
    return (PROGRAM, "export", "--pure", session)
