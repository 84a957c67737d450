"""Small parity studies of two commits of a throw-away repository, without a daemon, laid out and run for real."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from runner.contract.parity.numstat import FileChange
from runner.contract.plan import Selection, as_parity
from runner.contract.seal import digest, tree_digest
from runner.execute.run import execute
from runner.kinds.parity.commits import lay_out_commits
from runner.kinds.parity.kind import Parity
from runner.kinds.parity.trees import Trees
from runner.reading.manifest import FrozenStudy, read_study
from runner.reading.sealed import SealedRun
from tests.factories import Silent, an_order
from tests.parities import MUTATED
from tests.repositories import Repository
from tests.studies import both
from tests.toy import program

STUDY = "tiny-commits"
BEFORE = {
    **program.files("1.0"),
    "README.md": "# Tally\n",
    "data/logo.bin": "\0old",
    "docs/old.md": "one\ntwo\nthree\nfour\n",
    "legacy/shim.py": "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n",
    "tests/test_tally.py": "def test_it():\n    pass\n",
}
AFTER = {
    **{path: text for path, text in BEFORE.items() if path not in ("docs/old.md", "legacy/shim.py")},
    **program.files("1.1"),
    "data/logo.bin": "\0new",
    "docs/new.md": BEFORE["docs/old.md"],
    "tally/bridge.py": "import tally.core\ncheck = tally.core.check\n",
    "tests/test_tally.py": "def test_it():\n    assert True\n    assert 1\n",
}
CLASSES = """[
  { path_class = "product", paths = ["tally/**", "legacy/**"] },
  { path_class = "tests", paths = ["tests/**"] },
  { path_class = "docs", paths = ["docs/**", "README.md"] },
  { path_class = "fixtures", paths = ["data/**"] },
]"""
OVERLAP = f"""format = "sealbook.parity.overlap/1"
observed_at = "2026-01-02T00:00:00Z"
source = {both("The list of the forge.", "代码托管平台的列表。")}
[[changes]]
name = "#7"
title = "Count lines, too"
commit = "{"7" * 40}"
touches = {{ known = "listed", paths = ["tally/core.py", "tally/lines.py"] }}
[[changes]]
name = "#8"
title = "Say it in the README"
touches = {{ known = "not-supplied" }}
[[changes]]
name = "#9"
title = "Another license"
touches = {{ known = "listed", paths = ["LICENSE"] }}
"""
SCENARIOS = """format = "sealbook.parity.scenarios/1"
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
step = "call"
id = "command"
args = ["-m", "tally", "{backend}", "--state", "{state}", "."]
expect = { exit = 1, records = [{ file = "b.txt", line = 1, code = "bad-word" }] }
"""


def sha256_of(files: Mapping[str, str]) -> str:
    """Over the sorted `sha256sum` lines of these files."""
    return tree_digest((path, digest(text.encode())) for path, text in files.items())


@dataclass
class CommitToy:
    """One study over two commits of the program."""

    before: Mapping[str, str] = field(default_factory=lambda: BEFORE)
    after: Mapping[str, str] = field(default_factory=lambda: AFTER)
    classes: str = CLASSES
    overlap: str | None = None
    """The text of the inventory; None where it is not supplied."""
    scenarios: str = SCENARIOS
    find: str = MUTATED[0]
    timing: str = 'timed = "command-alone"\npairs = 4'
    daemon: str = ""
    gate_measure: str = "command"
    trees: Mapping[str, str] = field(default_factory=dict)
    """Pinned digests other than those of the files, by variant."""
    commits: Mapping[str, str] = field(default_factory=dict)
    """Pinned commits other than those of the repository, by variant."""
    change: str = ""
    """What is declared instead."""

    def study(self, root: Path) -> FrozenStudy:
        """Make the repository at `root`, write the study into it, and read it."""
        repository = Repository(root)
        beside = "content/\nmanifests/\nprepared/\nwork-root/\n.sealbook/\n"
        (root / ".git" / "info" / "exclude").write_text(beside, encoding="utf-8")
        made = {name: self._commit(repository, files) for name, files in self._commits().items()}
        made |= self.commits
        place = root / "manifests" / STUDY
        files = {
            "licenses.toml": 'format = "sealbook.licenses/1"\nrows = []\n',
            "tasks/scenarios.toml": self.scenarios,
            "fixtures/project/a.txt": "one two\n",
            "fixtures/project/b.txt": "three\n",
            "fixtures/spoilt/b.txt": "bad three\n",
            **({} if self.overlap is None else {"tasks/overlap.toml": self.overlap}),
        }
        for path, text in files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8", newline="")
        pins = "".join(
            f'[[pinned]]\npath = "{path}"\nsha256 = "{digest(text.encode())}"\n' for path, text in sorted(files.items())
        )
        (place / "study.toml").write_text(self._study(pins, made), encoding="utf-8", newline="")
        return read_study(place)

    def laid_out(self, frozen: FrozenStudy, folder: Path) -> Path:
        """Lay out what `prepare` would make, without pip."""
        (folder / "env" / "bin").mkdir(parents=True)
        (folder / "env" / "bin" / "python").symlink_to(os.path.realpath(sys.executable))
        (folder / "wheels").mkdir()
        lay_out_commits(frozen, as_parity(frozen)[0], Trees(folder), lambda line: None)
        return folder

    def run(
        self,
        root: Path,
        selection: Selection = Selection.correctness_only,
        kind: Parity | None = None,
        **options: object,
    ) -> SealedRun:
        """Perform and seal a run in the repository at `root`."""
        frozen = self.study(root)
        self.laid_out(frozen, root / "prepared")
        order = an_order(root, frozen, kind or Parity(), selection=selection, **options)  # type: ignore[arg-type]
        return execute(order, Silent())

    def changed(self, frozen: FrozenStudy, folder: Path) -> dict[str, FileChange]:
        """What git says of the change to head, by path."""
        (facts,) = (item for item in Parity().facts(frozen, self.laid_out(frozen, folder)).variants[1:])
        assert facts.origin == "commit"  # type: ignore[union-attr]
        return {item.path: item for item in facts.changes}  # type: ignore[union-attr]

    def _commits(self) -> dict[str, Mapping[str, str]]:
        return {"base": self.before, "head": self.after}

    def _commit(self, repository: Repository, files: Mapping[str, str]) -> str:
        repository.git("rm", "-rq", "--ignore-unmatch", ".")
        for path, text in files.items():
            (repository.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (repository.folder / path).write_bytes(text.encode())
        return repository.commit()

    def _study(self, pins: str, made: Mapping[str, str]) -> str:
        variants = "".join(
            f"""[[design.variants]]
origin = "commit"
id = "{name}"
title = {both(name.title(), "基线" if name == "base" else "新版")}
summary = {both("One commit of the program.", "程序的一个提交。")}
commit = "{made[name]}"
tree = "{self.trees.get(name) or sha256_of(files)}"
compiled = ["tally"]
{f'against = "base"{chr(10)}{self._change()}' if name == "head" else ""}
"""
            for name, files in self._commits().items()
        )
        core = self.after["tally/core.py"]
        return f"""format = "sealbook.study/1"
id = "{STUDY}"
title = {both("Two commits", "两个提交")}
question = {both("Is the later commit the same?", "较晚的提交是否相同？")}
protocol = {{ id = "tiny", version = "1.0" }}
quick = false
tier = "process"
caps = {{ attempt_seconds = 60, process_seconds = 20, output_bytes = 65536 }}
claims = [{{ id = "same", text = {both("Both commits do the same.", "两个提交行为相同。")} }}]
limits = [{{ id = "small", text = {both("The program is small.", "程序很小。")} }}]
{pins}
[design]
kind = "parity"
version = 1
package = "tally"
scenarios = "tasks/scenarios.toml"
clock = "2026-01-02T03:04:05Z"
file_time = "2026-01-01T00:00:00Z"
[[design.artifacts]]
name = "nothing"
version = "1.0"
file = "nothing-1.0-py3-none-any.whl"
sha256 = "{"0" * 64}"
role = "dependency"
{variants}
[[design.backends]]
id = "files"
title = {both("Files", "文件")}
args = ["--store", "files"]
{self.daemon}
[[design.rules]]
form = "any-value"
id = "written-ns"
rule_class = "normalisation"
title = {both("Time of writing", "写入时间")}
reason = {both("The file system's own clock.", "文件系统自身的时钟。")}
variants = ["head"]
entries = ["state/**"]
places = ["/written_ns"]
[[design.rules]]
form = "any-value"
id = "version"
rule_class = "declared"
title = {both("Version", "版本号")}
reason = {both("Each commit names its version.", "各提交自报其版本。")}
variants = ["head"]
entries = ["state/**"]
places = ["/version"]
[design.mutation]
variant = "head"
file = "tally/core.py"
sha256 = "{digest(core.encode())}"
find = '{self.find}'
replace = '{MUTATED[1]}'
backend = "files"
scenario = "bad-word"
criterion = "command.exit"
exit_status = 0
invariant = {both("A bad word is found.", "坏词会被发现。")}
[design.timing]
base = "base"
head = "head"
rows = [{{ backend = "files", scenario = "bad-word" }}]
command = "command"
{self.timing}
seed = "toy"
resamplings = 100
seconds = 120
[[design.timing.gates]]
measure = "{self.gate_measure}"
title = {both("Full command, p95", "完整命令，p95")}
gate = {{ rule = "at-most", statistic = "p95", percent_millionths = 5000000, difference_ns = 25000000 }}
[design.mutant]
id = "mutant"
title = {both("Mutant", "变异体")}
summary = {both("A changed copy that must be rejected.", "必须被拒绝的改动副本。")}
[design.measurement]
id = "measurement"
title = {both("Measurement", "测量")}
summary = {both("Base and head side by side.", "基线与新版并排测量。")}
"""

    def _change(self) -> str:
        return (
            self.change
            or f"""[design.variants.change]
classes = {self.classes}
canonical_owner = {{ known = "stated", text = {both("`tally.core`.", "`tally.core`。")} }}
legacy_deleted = {{ known = "counted", paths = ["legacy/**"], text = {both("The shim.", "垫片。")} }}
bridge_added = {{ known = "counted", paths = ["tally/bridge.py"], text = {both("The bridge.", "桥接。")} }}
cross_runtime_calls = {{ known = "not-supplied" }}
scaffolding = {{ known = "stated", text = {both("There is none.", "没有。")} }}
facade_exit = {{ known = "not-supplied" }}
{'overlap = "tasks/overlap.toml"' if self.overlap is not None else ""}
"""
        )
