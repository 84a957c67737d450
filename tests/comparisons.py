"""Writes small comparison studies and runs them for real: a function of one parameter too many, two lanes, no model."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path

from runner.contract.comparison.tasks import Asked
from runner.contract.plan import Selection
from runner.contract.seal import digest
from runner.execute.run import execute
from runner.kinds.comparison.kind import Comparison
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import SealedRun
from tests.factories import Silent, an_order
from tests.studies import both, quoted

SYMBOLS, TEXT = "by-symbol", "by-text"
MAIN = '"""Sums."""\n\n\ndef total(lines, unit):\n    """The sum."""\n    return sum(lines)\n'
USES = 'from shop.sums import total\n\n\ndef show(lines):\n    return total(lines, "EUR")\n'
DRIFTED = USES.replace("def show", "def first(lines):\n    return lines[0]\n\n\ndef show")
PATCH = "".join(
    unified_diff(USES.splitlines(keepends=True), DRIFTED.splitlines(keepends=True), "a/shop/uses.py", "b/shop/uses.py")
)
SCRIPT = "import os, sys\n\nsys.path.insert(0, os.getcwd())\nfrom shop.uses import show\n\nprint(show([1, 2]))\n"
FILES = '["shop/sums.py", "shop/uses.py"]'
RULES = {
    "signature": '{ rule = "signature", path = "shop/sums.py", symbol = "total", signature = "(lines)" }',
    "callers": '{ rule = "calls", path = "shop/sums.py", symbol = "total",'
    ' places = [{ path = "shop/uses.py", calls = 1 }] }',
    "review": f'{{ rule = "review", files = {FILES}, most_lines = 20 }}',
    "authority": f'{{ rule = "authority", files = {FILES} }}',
}
DRIFT_RULES = {
    "stale-detection": '{ rule = "noticed" }',
    "recovery": '{ rule = "recovered", path = "shop/uses.py", keeps = ["first"] }',
    **RULES,
}
OUTPUT = {"meaning": '{ rule = "output", script = "fixtures/script.py", prints = "3\\n" }'}


def usage(given: int = 10, made: int = 2) -> str:
    return f'action = "model_usage"\ninput_tokens = {given}\noutput_tokens = {made}\n'


def tool(operation: str = "", *, sent: int = 5, received: int = 7) -> str:
    """One call of a tool; `operation` is the inline table of what is to be done."""
    text = f'action = "tool_call"\ntool = "edit"\nrequest_bytes = {sent}\nresponse_bytes = {received}\n'
    return text + (f"operation = {operation}\n" if operation else "")


def marked(name: str, **fields: int) -> str:
    return f'action = "{name}"\n' + "".join(f"{key} = {value}\n" for key, value in fields.items())


def replaced(path: str, old: str, new: str, expects: str = "") -> str:
    stale = f', expects = "{expects}"' if expects else ""
    return f'{{ op = "replace_text", path = {quoted(path)}, old = {quoted(old)}, new = {quoted(new)}{stale} }}'


def written(path: str, content: str) -> str:
    return f'{{ op = "write_text", path = {quoted(path)}, content = {quoted(content)} }}'


REMOVED = '{ op = "remove_parameter", path = "shop/sums.py", symbol = "total", name = "unit" }'
EDITS = (
    tool(replaced("shop/sums.py", "lines, unit", "lines")),
    tool(replaced("shop/uses.py", '(lines, "EUR")', "(lines)")),
)
GOOD: Mapping[str, tuple[str, ...]] = {
    SYMBOLS: (usage(), tool(REMOVED), marked("validation_interval", ms=3), marked("review_interval", ms=4)),
    TEXT: (usage(20, 3), *EDITS, marked("validation_interval", ms=5), marked("review_interval", ms=6)),
}
NOTICED = (marked("stale_failure"), marked("stale_recovery_action"))
INSPECTION = marked("identifying_inspection")


@dataclass
class Tiny:
    """What a tiny comparison consists of; whatever is not given is sound."""

    sessions: Mapping[str, Iterable[str]] = field(default_factory=lambda: GOOD)
    repetitions: int = 1
    drift: bool = False
    rules: Mapping[str, str] | None = None
    patch: str = PATCH
    head: str = ""
    """More keys of every transcript."""
    streams: str = ""
    probe: str = ""
    """The `[probe]` table of the task."""
    agents: Mapping[str, str] = field(default_factory=dict)
    """The model of a lane's transcript, where it is another one."""
    tasks: tuple[str, ...] = ("narrow",)
    design: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    """More files, or other content of those there are."""

    def write(self, folder: Path, study: str = "tiny") -> Path:
        """Write the study below `folder` and pin every file."""
        files = {
            "licenses.toml": 'format = "sealbook.licenses/1"\nrows = []\n',
            "fixtures/shop/__init__.py": "",
            "fixtures/shop/sums.py": MAIN,
            "fixtures/shop/uses.py": USES,
            "fixtures/script.py": SCRIPT,
            "fixtures/drift.patch": self.patch,
            **{f"tasks/{name}.toml": self._task(name) for name in self.tasks},
            **{
                f"tasks/{name}.{lane}.toml": self._transcript(name, lane)
                for name in self.tasks
                for lane in (SYMBOLS, TEXT)
            },
            **self.files,
        }
        place = folder / study
        for path, text in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8", newline="")
        pins = "".join(
            f'[[pinned]]\npath = "{path}"\nsha256 = "{digest(text.encode())}"\n' for path, text in sorted(files.items())
        )
        (place / "study.toml").write_text(self._study(study, pins), encoding="utf-8", newline="")
        return place

    def read(self, folder: Path) -> FrozenStudy:
        """Write the study and read it."""
        return read_study(self.write(folder))

    def _study(self, study: str, pins: str) -> str:
        sessions = "".join(
            f'[[design.sessions]]\ntask = "{name}"\nlane = "{lane}"\ntranscript = "tasks/{name}.{lane}.toml"\n'
            for name in self.tasks
            for lane in (SYMBOLS, TEXT)
        )
        tasks = ", ".join(f'"tasks/{name}.toml"' for name in self.tasks)
        lanes = "".join(
            f"""[[design.lanes]]
availability = "available"
id = "{lane}"
title = {both(lane, f"组 {lane}")}
summary = {both("A way of working.", "一种工作方式。")}
system = "own"
mode = "{lane}"
subject = "head"
interface = "{interface}"
instructions = "Work so."
"""
            for lane, interface in ((SYMBOLS, "symbol-operations"), (TEXT, "text-edits"))
        )
        return f"""format = "sealbook.study/1"
id = "{study}"
title = {both("Tiny comparison", "小对比")}
question = {both("Which events does each lane leave?", "每组留下哪些事件？")}
protocol = {{ id = "tiny", version = "1.0" }}
quick = true
tier = "process"
caps = {{ attempt_seconds = 60, process_seconds = 20, output_bytes = 65536 }}
claims = [{{ id = "kept", text = {both("Sessions are judged apart.", "会话由独立检查判定。")} }}]
limits = [{{ id = "scripted", text = {both("A script is no model.", "脚本不是模型。")} }}]
{pins}
[design]
kind = "comparison"
version = 1
repetitions = {self.repetitions}
pairing = {{ same_model = true, same_prompt = true, same_task = true, same_trial = true, state = "cold" }}
tasks = [{tasks}]
{lanes}
[[design.lanes]]
availability = "external_unrun"
id = "elsewhere"
title = {both("Elsewhere", "别处")}
summary = {both("Run by others.", "由他人运行。")}
system = "theirs"
subject = "unknown"
reason = {both("It is run elsewhere.", "在别处运行。")}
{sessions}
{self.design}"""

    def _task(self, name: str) -> str:
        rules = self.rules or (DRIFT_RULES if self.drift else {**RULES, **OUTPUT})
        drift = (
            f'{{ drift = "patch", patch = "fixtures/drift.patch", description = {both("A sibling.", "相邻代码。")} }}'
            if self.drift
            else '{ drift = "none" }'
        )
        fixture = "".join(
            f'[[fixture]]\npath = "shop/{file}"\npinned = "fixtures/shop/{file}"\n'
            for file in ("__init__.py", "sums.py", "uses.py")
        )
        criteria = "".join(
            f'[[acceptance]]\nid = "{key}"\nrequirement = {both("It holds.", "成立。")}\nrules = [{rule}]\n'
            for key, rule in rules.items()
        )
        return f"""format = "sealbook.comparison.task/1"
id = "{name}"
title = {both(f"Narrow {name}", f"收窄 {name}")}
statement = {both("The parameter is gone.", "参数已删除。")}
prompt = "Remove the parameter `unit` of `total`."
setup = "A package."
drift = {drift}
review_protocol = {both("Blinded.", "盲评。")}
{self.probe}
{fixture}
{criteria}"""

    def _transcript(self, name: str, lane: str) -> str:
        actions = "".join(f"[[actions]]\n{action}" for action in self.sessions[lane])
        return f"""format = "sealbook.comparison.transcript/1"
fixture = true
task = "{name}"
lane = "{lane}"
{self.head}
{self.streams}
[agent]
model = "{self.agents.get(lane, "script-1")}"
tokenizer = "none"
model_configuration = "none"
harness = "fixture"
host = "offline"
toolchain = "none"
{actions}"""


def both_lanes(*actions: str, symbols: Iterable[str] | None = None) -> Mapping[str, tuple[str, ...]]:
    """Sessions in which the lane by text does these actions, and the lane by symbol the sound ones or `symbols`."""
    return {SYMBOLS: tuple(symbols) if symbols is not None else GOOD[SYMBOLS], TEXT: actions}


def run(
    folder: Path,
    frozen: FrozenStudy,
    *,
    asked: Asked | None = None,
    probes: Mapping[str, Path] | None = None,
    selection: Selection = Selection.full,
) -> SealedRun:
    """Perform and seal a comparison below `folder`."""
    kind = Comparison(asked or Asked(), probes=probes or {})
    return execute(an_order(folder, frozen, kind, selection=selection), Silent())  # type: ignore[arg-type]
