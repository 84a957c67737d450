"""An agent program as a backend: OpenCode in a jail, with one model behind one loopback port.

The agent acts by itself in the workspace. What it did is read from its events afterwards, and each action is yielded as
something that has happened. Nothing it prints about its own success is read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from runner import environment
from runner.backends.agent_settings import AgentSettings, LocalModel, ScriptedModel
from runner.backends.backend import Acting, Backend, Brief, Commission, TimeOverError, spoken
from runner.backends.configuration import read_configuration
from runner.backends.eligibility import ineligible
from runner.backends.jailed_agent import JailedAgent
from runner.backends.opencode import VERSION
from runner.backends.opencode_events import Session, disagreements, read_events
from runner.backends.performance import Performance
from runner.backends.private_tools import check_tools
from runner.backends.read_script import read_script
from runner.backends.script import Script
from runner.backends.scripted_server import ScriptedServer
from runner.backends.session_actions import actions_of, unwatched, usage_of, watched
from runner.contract.comparison.actions import Agent
from runner.contract.comparison.detail import Ineligibility
from runner.contract.comparison.metrics import Stream
from runner.contract.events import CappedByClock, End
from runner.contract.seal import digest
from runner.contract.study import Tier
from runner.contract.values import FileDigest, UnknownUsage, Usage
from runner.errors import HumanDecisionError, UsageError
from runner.reading.files import open_regular, said
from runner.sandbox.bridge import Relay
from runner.sandbox.process import Finished
from runner.sandbox.secret_shapes import text_without_secrets, without_secrets
from runner.sandbox.tiers import require

NAME = "agent"
_TOLD = 5
"""Of many lines that are not understood, so many are told one by one."""
_NOBODY = dict.fromkeys(Stream, "the agent has not acted")
_SCRIPTED = ("none: a script counts", "a script of turns")


@dataclass(frozen=True, slots=True)
class _Acted:
    """What one session came to."""

    session: Session
    end: End
    flaws: tuple[str, ...]
    shown_bytes: tuple[int, ...] | None
    """Of each request to the model, where the runner saw them."""
    records: Mapping[str, bytes]
    secrets: int


@dataclass
class AgentBackend(Backend):
    """OpenCode, for one attempt."""

    settings: AgentSettings
    script: Script | None
    """What stands in for the model, if anything does."""
    _acted: _Acted | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """How records call it."""
        return NAME

    @property
    def fixture(self) -> bool:
        """Whether the model is a script."""
        return self.script is not None

    @property
    def agent(self) -> Agent:
        """OpenCode with its model, as the configuration names it."""
        model = self.settings.model
        told = (model.tokenizer, model.configuration) if isinstance(model, LocalModel) else _SCRIPTED
        return Agent(
            model=self.model,
            tokenizer=told[0],
            model_configuration=told[1],
            harness=f"opencode {VERSION}",
            host="a jail of tier bwrap",
            toolchain="as the host offers it, read-only",
        )

    @property
    def model(self) -> str:
        """The name of the model, or of the script's pretended one."""
        model = self.settings.model
        return model.name if isinstance(model, LocalModel) else (self.script.model if self.script else "")

    @property
    def inputs(self) -> Sequence[FileDigest]:
        """The script, where one stands in for the model."""
        if self.script is None:
            return ()
        data = self.script.canonical()
        return (FileDigest(path="script", bytes=len(data), sha256=digest(data)),)

    @property
    def streams(self) -> Sequence[Stream]:
        """What the session's record is whole enough to tell."""
        acted = self._acted
        return () if acted is None or acted.flaws else watched(acted.session, acted.shown_bytes)

    @property
    def claimed_outcome(self) -> str | None:
        """The last words of the model."""
        said = self._acted.session.last_words if self._acted else None
        return text_without_secrets(said)[0][:4000] if said else None

    @property
    def usage(self) -> Usage:
        """What the events sum up to."""
        if self._acted is None:
            return UnknownUsage(reason="the agent has not acted")
        return usage_of(self._acted.session, self._acted.flaws)

    @property
    def records(self) -> Mapping[str, bytes]:
        """The profile, the probes, what was printed, and the export."""
        return self._acted.records if self._acted else {}

    @property
    def replaced(self) -> int:
        """Keys that were taken out of the records."""
        return self._acted.secrets if self._acted else 0

    @property
    def ineligible(self) -> Sequence[Ineligibility]:
        """Always several reasons."""
        return ineligible(
            scripted=self.fixture,
            streams=self.streams,
            why_unwatched=unwatched(self._acted.session, self._acted.shown_bytes) if self._acted else _NOBODY,
            flaws=self._acted.flaws if self._acted else ("the agent has not acted",),
        )

    def act(self, brief: Brief) -> Acting:
        """Probe the jail, let the agent act, ask for its export, and tell what it did.

        Raises `SandboxError` if the jail allows what it must deny, or the program changed meanwhile, and
        `TimeOverError`.
        """
        self._acted = self._let_act(brief)
        for action in actions_of(self._acted.session, self._acted.shown_bytes):  # noqa: UP028  takes what is sent
            yield action
        if isinstance(self._acted.end, CappedByClock):
            raise TimeOverError

    def _let_act(self, brief: Brief) -> _Acted:
        with self._model_at(brief.private) as (socket, performance):
            (brief.private / "canary").write_text("whoever reads this reads what is not shown\n", encoding="ascii")
            rooms = brief.private / "rooms"
            rooms.mkdir(mode=0o700)
            agent = JailedAgent(rooms, brief.workspace, socket, self.settings, self.model)
            probes = agent.preflight(self._denied(brief))
            records = {
                "agent/profile.json": agent.profile.canonical(),
                "agent/probes.json": _as_json([item.model_dump(mode="json") for item in probes]),
            }
            finished = agent.run(spoken(brief), brief.seconds)
            session = read_events(finished.stdout.kept)
            exported = agent.export(session.id) if session.id else None
            agent.check_unchanged()
        flaws = _flaws(session, finished, exported)
        printed = {"agent/events.jsonl": finished.stdout.kept, "agent/errors.txt": finished.stderr.kept}
        if exported is not None:
            printed["agent/export.json"] = exported.stdout.kept
        clean = {name: without_secrets(data) for name, data in printed.items()}
        records |= {name: data for name, (data, _) in clean.items()}
        shown = _shown(performance) if performance else None
        return _Acted(session, finished.end, flaws, shown, records, sum(count for _, count in clean.values()))

    def _denied(self, brief: Brief) -> dict[str, Path]:
        """Places of the host that stand for what no agent may reach."""
        places = {
            "the attempt's folder": brief.private,
            "the runner": Path(__file__).parent,
            "where the runner was started": Path.cwd(),
        }
        home = environment.home()
        return places | ({"the user's home": Path(home)} if home else {})

    @contextmanager
    def _model_at(self, folder: Path) -> Iterator[tuple[Path, Performance | None]]:
        """A socket that leads to the model, and the performance if it is a script."""
        if self.script is not None:
            performance = Performance(self.script)
            path = folder / "model"
            with ScriptedServer(performance, path=path):
                path.chmod(0o666)  # the jailed account connects; who else may is decided by the private folder
                yield path, performance
        elif isinstance(self.settings.model, LocalModel):
            with Relay(folder, self.settings.model.port) as relay:
                yield relay.socket, None


def make(commission: Commission) -> AgentBackend:
    """An agent for one attempt.

    Raises `HumanDecisionError` without a configuration, `InvalidRecordError` for a wrong one, `UsageError` for a task
    that no agent program can be given, `TierUnavailableError` where no jail can be made.
    """
    if commission.configuration is None:
        what = "an agent needs a configuration: which program, which commands it may run, and which model it talks to"
        raise HumanDecisionError(what, "write one as docs/backends.md describes, and give it with --config FILE")
    shown = str(commission.configuration)
    settings = read_configuration(AgentSettings, commission.configuration, shown)
    require(Tier.bwrap, for_what="an agent program")
    try:
        open_regular(Path(settings.program)).close()
    except OSError as error:
        where = f"{shown}: {settings.program}"
        raise UsageError(said(error), "name the agent's program itself", where=where) from error
    check_tools(settings.tools, shown)
    script = None
    if isinstance(settings.model, ScriptedModel):
        path = commission.configuration.parent / settings.model.script
        script = read_script(path, str(path))
    return AgentBackend(settings, script)


def _flaws(session: Session, finished: Finished, exported: Finished | None) -> tuple[str, ...]:
    """Why the record of a session is not whole."""
    flaws: list[str] = []
    if not finished.stdout.complete:
        flaws.append(f"the agent printed {finished.stdout.total_bytes} bytes, of which the first were kept")
    flaws += session.errors
    flaws += session.strange[:_TOLD]
    if (more := len(session.strange) - _TOLD) > 0:
        flaws.append(f"{more} more lines are not understood")
    if exported is None:
        flaws.append("the agent named no session that could be exported")
    elif not exported.stdout.complete:
        flaws.append("the export is too long to be kept")
    else:
        flaws += disagreements(session, exported.stdout.kept)
    return tuple(text_without_secrets(flaw)[0] for flaw in flaws)


def _shown(performance: Performance) -> tuple[int, ...]:
    return tuple(len(request.body) for request in performance.requests if request.became.startswith("turn "))


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"
