"""A study of two commits in which every text is hostile, and a published run of it that no commit was laid out for."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from runner.contract.parity.detail import ParityDetail, ParityFacts
from runner.contract.parity.overlap import OverlapInventory
from runner.contract.seal import digest
from runner.contract.study import Study
from runner.execute.run import execute
from runner.reading.manifest import read_study
from tests.commit_parities import OVERLAP, STUDY, CommitToy
from tests.factories import Silent, an_order
from tests.hostile import parity_sample as sample
from tests.hostile.fields import Make, Poisoned, poison
from tests.hostile.parity import HostileParity
from tests.hostile.toml import toml
from tests.sitegen.projects import RUN

EVERYTHING = '[{ path_class = "product", paths = ["**"] }]'
"""Every changed file has to be in a class, whatever it is called."""


def a_hostile_change(root: Path, make: Make, into: Poisoned, keep: frozenset[str]) -> None:
    """Write the study and a published run of it."""

    def put(kind: Any, data: Any) -> Any:
        return poison(kind, data, make, into, keep=keep)

    repository, folder = root / "repository", root / "manifests" / STUDY
    CommitToy(classes=EVERYTHING, overlap=OVERLAP).study(repository)
    shutil.move(repository / "manifests" / STUDY, folder)
    shutil.rmtree(repository)
    for path, kind in (("tasks/overlap.toml", OverlapInventory), ("study.toml", Study)):
        document = tomllib.loads((folder / path).read_text(encoding="utf-8"))
        for pin in document.get("pinned", ()):
            pin["sha256"] = digest((folder / pin["path"]).read_bytes())
        (folder / path).write_text(toml(put(kind, document)), encoding="utf-8", newline="")
    frozen = read_study(folder)
    details = {arm: put(ParityDetail, data) for arm, data in sample.details().items()}
    hostile = HostileParity(
        details={arm: TypeAdapter(ParityDetail).validate_json(json.dumps(data)) for arm, data in details.items()},
        found=TypeAdapter(ParityFacts).validate_json(json.dumps(put(ParityFacts, sample.commit_facts()))),
    )
    sealed = execute(an_order(root, frozen, hostile), Silent())  # type: ignore[arg-type]
    assert sealed.run.run == RUN
    (folder / "evidence").mkdir()
    shutil.move(sealed.folder, folder / "evidence" / RUN)
