"""One agent program in one jail: the saved profile, the probes before it, its run, and its export.

Probes, run and export go through the same profile, which is made once. The jail shows the workspace, the agent's own
folders, the agent, and one loopback port behind which the model is; all else of the host is absent.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from runner.backends import opencode
from runner.backends.agent_settings import AgentSettings
from runner.backends.preflight import Probe, arrived, free_name, probe, trials, witness
from runner.backends.private_tools import CopiedTool, check_copies, copy_tools, program_digest
from runner.contract.study import Tier
from runner.contract.values import Count, Line, Record, Sha256
from runner.errors import SandboxError
from runner.sandbox.command import run
from runner.sandbox.isolation import Bind, Bridge, Isolation, interpreter
from runner.sandbox.process import Finished, ProcessRequest
from runner.sandbox.programs import find_program

PORT = 8080
"""Where the model is, inside."""
_PROBE_SECONDS = 30.0
_EXPORT_SECONDS = 120.0


class Shown(Record):
    """A folder or file that the jail shows."""

    at: Line
    writable: bool


class SavedProfile(Record):
    """Everything that probes, run and export of an agent have in common. Paths are those inside the jail."""

    format: Literal["sealbook.agent-profile/1"] = "sealbook.agent-profile/1"
    agent: Literal["opencode"] = "opencode"
    program_sha256: Sha256
    tier: Tier
    shown: tuple[Shown, ...]
    model_port: Count
    environment: Mapping[str, str]
    configuration: str
    """The agent's own, as it is written into its private folder."""
    tools: tuple[CopiedTool, ...] = ()
    """What it finds by name on its path."""
    output_bytes: Count
    """Of each output."""
    seconds: Count
    """Of the run."""


class JailedAgent:
    """An agent that is ready to be probed and run. All its files lie in a folder that is the caller's to remove."""

    def __init__(self, rooms: Path, workspace: Path, socket: Path, settings: AgentSettings, model: str) -> None:
        """Furnish the agent's private folders in `rooms`, which is empty. `socket` leads to the model."""
        program = Path(settings.program)
        self._workspace = workspace
        self._private = rooms
        for name in opencode.FOLDERS.values():
            (rooms / name).mkdir(mode=0o700)
        searches = find_program(opencode.SEARCHER, workspace, opencode.environment()["PATH"]) is not None
        configuration = opencode.configuration(model, PORT, settings.commands, searches=searches)
        (rooms / opencode.CONFIGURATION).write_bytes(configuration)
        self._model = model
        self._settings, self._tools = settings, rooms.with_name("tools")
        self._tools.mkdir(mode=0o700)
        tools = copy_tools(settings.tools, self._tools)
        binds = (
            Bind(workspace, Path(opencode.CANDIDATE), writable=True),
            Bind(rooms, Path(opencode.PRIVATE), writable=True),
            Bind(program, Path(opencode.PROGRAM)),
            Bind(self._tools, Path(opencode.TOOLS)),
        )
        self._isolation = Isolation(tier=Tier.bwrap, binds=binds, bridge=Bridge(socket, PORT))
        self.profile = SavedProfile(
            program_sha256=program_digest(program, "program"),
            tier=Tier.bwrap,
            shown=tuple(Shown(at=str(bind.shown), writable=bind.writable) for bind in binds),
            model_port=PORT,
            environment=opencode.environment(),
            configuration=configuration.decode(),
            tools=tools,
            seconds=settings.limits.seconds,
            output_bytes=settings.limits.output_bytes,
        )

    def preflight(self, denied: Mapping[str, Path]) -> tuple[Probe, ...]:
        """Try from inside what must be allowed, and what must be denied in places of the host, by their names.

        Raises `SandboxError` that says what the jail allows and must not.
        """
        shown = [bind.source for bind in (*self._isolation.binds, *interpreter()) if bind.target is None]
        found = {name: witness(place, shown) for name, place in denied.items()}
        witnesses = {name: path for name, path in found.items() if path is not None}
        links = {name: f"tmp/denied-{number}" for number, name in enumerate(witnesses)}
        for name, link in links.items():
            (self._private / link).symlink_to(witnesses[name])
        inside = {name: f"{opencode.PRIVATE}/{link}" for name, link in links.items()}
        left = free_name(witnesses)
        tried = trials(f"{opencode.PRIVATE}/{opencode.CONFIGURATION}", witnesses, inside, left)
        try:
            probes = probe(lambda argv, stdin: self._run(argv, _PROBE_SECONDS, stdin), tried)
        finally:
            for link in links.values():
                (self._private / link).unlink()
        wrong = [f"{item.way} of {item.place} is {item.found}" for item in probes if not item.holds]
        wrong += [f"something was written to {name}" for name in arrived(witnesses, left)]
        if wrong:
            raise SandboxError(f"the jail does not hold: {'; '.join(wrong)}", "see what `sealbook doctor` says")
        return probes

    def run(self, prompt: str, seconds: float) -> Finished:
        """Let the agent act until it ends, or its time is over."""
        return self._run(opencode.run_arguments(self._model), min(seconds, self.profile.seconds), prompt.encode())

    def check_unchanged(self) -> None:
        """Raise `SandboxError` if its program or one of its tools is not what it was before it acted."""
        if program_digest(Path(self._settings.program), "program") != self.profile.program_sha256:
            raise SandboxError("the agent's program was changed while it ran", "run again with one that stays")
        check_copies(self._settings.tools, self._tools, self.profile.tools)

    def export(self, session: str) -> Finished:
        """Ask the agent for the whole session once more."""
        return self._run(opencode.export_arguments(session), _EXPORT_SECONDS)

    def _run(self, argv: tuple[str, ...], seconds: float, stdin: bytes = b"") -> Finished:
        request = ProcessRequest(
            argv=argv,
            cwd=self._workspace,
            env=self.profile.environment,
            output_bytes=self.profile.output_bytes,
            stdin=stdin,
            isolation=self._isolation,
        )
        return run(request, seconds)
