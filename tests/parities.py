"""Writes small parity studies over a real program with a daemon, lays out its variants, and runs them for real."""

import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from runner.contract.plan import Selection
from runner.contract.seal import digest
from runner.execute.run import execute
from runner.kinds.parity.kind import Parity
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import SealedRun
from tests.factories import Silent, an_order
from tests.studies import both
from tests.toy import program

MUTATED = ('if "bad" in line.split():', 'if "bad" in line.split()[:0]:')
"""Finds nothing any more."""
SCENARIOS = """format = "sealbook.parity.scenarios/1"
[[scenarios]]
id = "clean"
title = { en = "Clean", zh = "无误" }
statement = { en = "Nothing is found.", zh = "未发现问题。" }
project = "fixtures/project"
[[scenarios.steps]]
step = "call"
id = "seed"
args = ["-m", "tally", "{backend}", "--state", "{state}", "."]
expect = { exit = 0, records = [] }
[[scenarios.steps]]
step = "ask"
id = "first"
expect = { exit = 0, holds = ["started"] }
[[scenarios.steps]]
step = "restart"
id = "restart"
[[scenarios.steps]]
step = "ask"
id = "again"
expect = { exit = 0, records = [] }
[[scenarios.steps]]
step = "call"
id = "command"
args = ["-m", "tally", "{backend}", "--state", "{state}", "."]
expect = { exit = 0, records = [] }
[[scenarios]]
id = "bad-word"
title = { en = "A bad word", zh = "坏词" }
statement = { en = "It is found.", zh = "已发现。" }
project = "fixtures/project"
[[scenarios.steps]]
step = "call"
id = "seed"
args = ["-m", "tally", "{backend}", "--state", "{state}", "."]
expect = { exit = 0 }
[[scenarios.steps]]
step = "edit"
id = "spoil"
files = "fixtures/spoilt"
[[scenarios.steps]]
step = "ask"
id = "first"
expect = { exit = 1, records = [{ file = "b.txt", line = 1, code = "bad-word" }] }
[[scenarios.steps]]
step = "restart"
id = "restart"
[[scenarios.steps]]
step = "ask"
id = "again"
expect = { exit = 1, records = [{ file = "b.txt", line = 1, code = "bad-word" }] }
[[scenarios.steps]]
step = "call"
id = "command"
args = ["-m", "tally", "{backend}", "--state", "{state}", "."]
expect = { exit = 1, records = [{ file = "b.txt", line = 1, code = "bad-word" }] }
"""
RULES = f"""
[[design.rules]]
form = "any-value"
id = "written-ns"
rule_class = "normalisation"
title = {both("Time of writing", "写入时间")}
reason = {both("The file system's own clock.", "文件系统自身的时钟。")}
variants = ["head", "wheel", "sdist"]
entries = ["state/**"]
places = ["/written_ns", "/data/written_ns"]
[[design.rules]]
form = "own-revision"
id = "version"
rule_class = "declared"
title = {both("Version", "版本号")}
reason = {both("Each release names itself.", "各版本自报其名。")}
variants = ["head"]
entries = ["state/**"]
places = ["/version", "/data/version"]
[[design.rules]]
form = "process-id"
id = "daemon-pid"
rule_class = "normalisation"
title = {both("Process of the daemon", "守护进程的进程号")}
reason = {both("The kernel gives it.", "由内核分配。")}
variants = ["head", "wheel", "sdist"]
entries = ["calls/*/receipt"]
places = ["/pid"]
[[design.rules]]
form = "temporary-path"
id = "socket"
rule_class = "normalisation"
title = {both("Place of the socket", "套接字位置")}
reason = {both("A temporary name.", "临时名称。")}
variants = ["head", "wheel", "sdist"]
entries = ["calls/*/receipt"]
places = ["/socket"]
"""
GATES = f"""
[[design.timing.gates]]
measure = "command"
title = {both("Full command, p95", "完整命令，p95")}
gate = {{ rule = "at-most", statistic = "p95", percent_millionths = 5000000, difference_ns = 25000000 }}
[[design.timing.gates]]
measure = "warm"
title = {both("Warm request, p95", "热请求，p95")}
gate = {{ rule = "strictly-below", statistic = "p95", bound_ns = 2000000000 }}
"""
CHANGES = Mapping[str, tuple[str, str]]


@dataclass
class Toy:
    """One study over the program, and how each variant of it is changed."""

    changed: Mapping[str, CHANGES] = field(default_factory=dict)
    """By variant: what is replaced in which of its modules."""
    scenarios: str = SCENARIOS
    rules: str = RULES
    gates: str = GATES
    find: str = MUTATED[0]
    replace: str = MUTATED[1]
    criterion: str = "first.exit"
    status: int = 0
    backends: tuple[str, ...] = ("files", "sqlite")
    timed: tuple[tuple[str, str], ...] = (("files", "clean"), ("sqlite", "bad-word"))
    mutated: str = "bad-word"
    process_seconds: int = 20
    pairs: int = 4
    cold: int = 2
    warm: int = 4
    burst: int = 6
    texts: Mapping[str, str] = field(default_factory=dict)
    """Files of the study beside its own, by path."""

    def study(self, folder: Path, name: str = "tiny-parity") -> FrozenStudy:
        """Write the study and read it."""
        place = folder / name
        files = {
            "licenses.toml": 'format = "sealbook.licenses/1"\nrows = []\n',
            "tasks/scenarios.toml": self.scenarios,
            "fixtures/project/a.txt": "one two\n",
            "fixtures/project/b.txt": "three\n",
            "fixtures/spoilt/b.txt": "bad three\n",
            "fixtures/client.py": program.CLIENT,
            **self.texts,
        }
        for path, text in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8", newline="")
        pins = "".join(
            f'[[pinned]]\npath = "{path}"\nsha256 = "{digest(text.encode())}"\n' for path, text in sorted(files.items())
        )
        (place / "study.toml").write_text(self._study(name, pins), encoding="utf-8", newline="")
        return read_study(place)

    def sources(self, variant: str) -> dict[str, str]:
        """The files of a variant, by path."""
        return program.files("1.0" if variant == "base" else "1.1", **self.changed.get(variant, {}))

    def prepared(self, folder: Path) -> Path:
        """Lay out what `prepare` would make, without pip."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "env" / "bin").mkdir(parents=True)
        (folder / "env" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
        (folder / "wheels").mkdir()
        for name in ("tally-1.0.tar.gz", "tally-1.1.tar.gz", "tally-1.1-py3-none-any.whl"):
            (folder / "wheels" / name).write_bytes(name.encode())
        for variant in ("base", "head", "wheel", "sdist"):
            for path, text in self.sources(variant).items():
                file = folder / "variants" / variant / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="")
        return folder

    def run(self, folder: Path, selection: Selection = Selection.correctness_only) -> SealedRun:
        """Perform and seal a run below `folder`."""
        frozen = self.study(folder / "manifests")
        self.prepared(folder / "prepared")
        order = an_order(folder, frozen, Parity(), selection=selection)  # type: ignore[arg-type]
        # A socket's path may have 107 bytes, and a test's own folder has a long name.
        with tempfile.TemporaryDirectory(prefix="toy-") as short:
            return execute(replace(order, work_root=Path(short)), Silent())

    def _study(self, name: str, pins: str) -> str:
        core = self.sources("head")["tally/core.py"]
        artifacts = "".join(
            f"""[[design.artifacts]]
name = "tally"
version = "{version}"
file = "{file}"
sha256 = "{digest(file.encode())}"
role = "{role}"
"""
            for version, file, role in (
                ("1.0", "tally-1.0.tar.gz", "source"),
                ("1.1", "tally-1.1.tar.gz", "source"),
                ("1.1", "tally-1.1-py3-none-any.whl", "subject"),
            )
        )
        variants = "".join(
            f"""[[design.variants]]
id = "{variant}"
title = {both(variant, f"变体 {variant}")}
summary = {both("One form of the program.", "程序的一种形态。")}
revision = "{revision}"
build = "{build}"
artifact = "{file}"
{f'against = "{against}"' if against else ""}
"""
            for variant, revision, build, file, against in (
                ("base", "1.0", "source-tree", "tally-1.0.tar.gz", ""),
                ("head", "1.1", "source-tree", "tally-1.1.tar.gz", "base"),
                ("wheel", "1.1", "wheel", "tally-1.1-py3-none-any.whl", "head"),
                ("sdist", "1.1", "built", "tally-1.1.tar.gz", "head"),
            )
        )
        backends = "".join(
            f'[[design.backends]]\nid = "{backend}"\ntitle = {both(backend, f"存储 {backend}")}\n'
            f'args = ["--store", "{backend}"]\n'
            for backend in self.backends
        )
        rows = ", ".join(f'{{ backend = "{backend}", scenario = "{scenario}" }}' for backend, scenario in self.timed)
        return f"""format = "sealbook.study/1"
id = "{name}"
title = {both("Tiny parity", "小型等同性研究")}
question = {both("Is the new release the same?", "新版本是否相同？")}
protocol = {{ id = "tiny", version = "1.0" }}
quick = false
tier = "process"
caps = {{ attempt_seconds = 60, process_seconds = {self.process_seconds}, output_bytes = 65536 }}
claims = [{{ id = "same", text = {both("Both releases do the same.", "两个版本行为相同。")} }}]
limits = [{{ id = "small", text = {both("The program is small.", "程序很小。")} }}]
{pins}
[design]
kind = "parity"
version = 1
package = "tally"
scenarios = "tasks/scenarios.toml"
clock = "2026-01-02T03:04:05Z"
file_time = "2026-01-01T00:00:00Z"
variables = [{{ name = "TALLY_TELEMETRY", value = "off" }}]
{artifacts}
{variants}
{backends}
[design.daemon]
ask = ["-m", "tally.daemon", "{{run}}/daemon.json", "ask", "{{backend}}", "--state", "{{state}}", "."]
stop = ["-m", "tally.daemon", "{{run}}/daemon.json", "stop"]
receipt = "daemon.json"
pid = "pid"
{self.rules}
[design.mutation]
variant = "head"
file = "tally/core.py"
sha256 = "{digest(core.encode())}"
find = '{self.find}'
replace = '{self.replace}'
backend = "files"
scenario = "{self.mutated}"
criterion = "{self.criterion}"
exit_status = {self.status}
invariant = {both("A bad word is found.", "坏词会被发现。")}
[design.timing]
base = "base"
head = "head"
rows = [{rows}]
command = "command"
client = "fixtures/client.py"
request = ["{{backend}}", "--state", "{{state}}", "."]
pairs = {self.pairs}
cold = {self.cold}
warm = {self.warm}
burst = {self.burst}
seed = "toy"
resamplings = 100
seconds = 120
{self.gates}
[design.mutant]
id = "mutant"
title = {both("Mutant", "变异体")}
summary = {both("A changed copy that must be rejected.", "必须被拒绝的改动副本。")}
[design.measurement]
id = "measurement"
title = {both("Measurement", "测量")}
summary = {both("Base and head side by side.", "基线与新版并排测量。")}
"""
