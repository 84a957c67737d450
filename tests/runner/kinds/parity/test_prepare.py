"""Every variant is made from pinned files alone, laid out alike, and noticed when it changes. pip is real."""

import io
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from runner.contract.artifact import Artifact, ArtifactRole
from runner.contract.parity.detail import VariantFacts
from runner.contract.plan import as_parity
from runner.contract.seal import digest
from runner.errors import PreparationError
from runner.kinds.parity.kind import Parity
from runner.kinds.parity.stage import epoch
from runner.reading.manifest import FrozenStudy
from tests.parities import Toy
from tests.runner.kinds import distributions
from tests.runner.kinds.distributions import write_wheel
from tests.toy.program import files

KIND = Parity()
BACKEND = """import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from wheelmaker import write_wheel


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = pathlib.Path(folder, "tally-{version}.dist-info")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: tally\\nVersion: {version}\\n")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    return info.name


def build_wheel(folder, config_settings=None, metadata_directory=None):
    package = {str(path): path.read_text() for path in pathlib.Path("tally").rglob("*.py")}
    return write_wheel(pathlib.Path(folder), "tally", "{version}", package).name
"""
PROJECT = '[project]\nname = "tally"\nversion = "{version}"\n[build-system]\nrequires = []\n'
PROJECT += 'build-backend = "backend"\nbackend-path = ["."]\n'


def sdist(folder: Path, version: str, **more: str) -> Path:
    """A source distribution of one release, with a build of its own."""
    path = folder / f"tally-{version}.tar.gz"
    contents = {
        "pyproject.toml": PROJECT.replace("{version}", version),
        "backend.py": BACKEND.replace("{version}", version),
        "wheelmaker.py": Path(distributions.__file__).read_text(encoding="utf-8"),
        "PKG-INFO": f"Metadata-Version: 2.1\nName: tally\nVersion: {version}\n",
        **files(version),
        **more,
    }
    with tarfile.open(path, "w:gz") as archive:
        for name, text in contents.items():
            member = tarfile.TarInfo(f"tally-{version}/{name}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def pinned(study: FrozenStudy, *found: tuple[Path, str, ArtifactRole]) -> FrozenStudy:
    """The study with these artifacts instead."""
    design, _ = as_parity(study)
    artifacts = tuple(
        Artifact(name="tally", version=version, file=path.name, sha256=digest(path.read_bytes()), role=role)
        for path, version, role in found
    )
    changed = study.study.model_copy(update={"design": design.model_copy(update={"artifacts": artifacts})})
    return replace(study, study=changed)


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Iterator[Path]:
    """A folder that the user's pip configuration names as the only index."""
    folder = tmp_path_factory.mktemp("index")
    config = tmp_path_factory.mktemp("config") / "pip.conf"
    config.write_text(f"[global]\nno-index = true\nfind-links = {folder}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PIP_FIND_LINKS", "PIP_CONSTRAINT", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("PIP_CONFIG_FILE", str(config))
        yield folder


@pytest.fixture(scope="module")
def study(index: Path, tmp_path_factory) -> FrozenStudy:
    """Both releases, pinned as they lie in the index."""
    wheel = write_wheel(index, "tally", "1.1", files("1.1"))
    return pinned(
        Toy().study(tmp_path_factory.mktemp("study")),
        (sdist(index, "1.0"), "1.0", ArtifactRole.source),
        (sdist(index, "1.1"), "1.1", ArtifactRole.source),
        (wheel, "1.1", ArtifactRole.subject),
    )


@pytest.fixture(scope="module")
def prepared(study: FrozenStudy, tmp_path_factory) -> Path:
    """What was made of it."""
    folder = Path(tmp_path_factory.mktemp("prepared")) / "tiny-parity"
    folder.parent.mkdir(exist_ok=True)
    KIND.prepare(study, folder, lambda line: None)
    return folder


@pytest.mark.rule("P97", "P107")
def test_facts_say_of_each_variant_what_it_was_made_from_and_which_production_files_are_those_of_its_source(
    study, prepared
):
    facts = {item.variant: item for item in KIND.facts(study, prepared).variants if isinstance(item, VariantFacts)}
    assert [facts[name].artifact.path for name in ("base", "head", "wheel", "sdist")] == [
        "tally-1.0.tar.gz",
        "tally-1.1.tar.gz",
        "tally-1.1-py3-none-any.whl",
        "tally-1.1.tar.gz",
    ]
    assert facts["head"].other_files == ("core.py",)  # the version stands in it
    for name in ("wheel", "sdist"):
        assert (facts[name].same_as, facts[name].same_files, facts[name].other_files) == ("head", 4, ())
        assert (facts[name].more_files, facts[name].missing_files) == (0, 0)


def test_every_file_of_every_variant_has_the_same_time_and_every_module_is_compiled_already(study, prepared):
    design, _ = as_parity(study)
    for variant in design.variants:
        tree = prepared / "variants" / variant.id
        assert {int(path.stat().st_mtime) for path in tree.rglob("*")} == {epoch(design.file_time)}
        compiled = {path.name.partition(".")[0] for path in (tree / "tally" / "__pycache__").iterdir()}
        assert compiled == {path.stem for path in (tree / "tally").glob("*.py")}


def test_a_changed_file_is_noticed_and_made_again(study, prepared, tmp_path):
    assert KIND.is_prepared(study, prepared)
    module = prepared / "variants" / "head" / "tally" / "core.py"
    before = module.read_bytes()
    module.write_bytes(before + b"#")
    assert not KIND.is_prepared(study, prepared)
    module.write_bytes(before)
    assert KIND.is_prepared(study, prepared)


def test_a_file_of_the_index_with_other_bytes_is_refused(study, index, tmp_path):
    design, _ = as_parity(study)
    wrong = tuple(item.model_copy(update={"sha256": "0" * 64}) for item in design.artifacts)
    changed = study.study.model_copy(update={"design": design.model_copy(update={"artifacts": wrong})})
    with pytest.raises(PreparationError, match=r"cannot fetch tally-1\.0\.tar\.gz"):
        KIND.prepare(replace(study, study=changed), tmp_path / "prepared", lambda line: None)
    assert not KIND.is_prepared(study, tmp_path / "prepared")


@pytest.mark.long
def test_a_package_that_is_not_there_is_told_with_what_to_correct(study, tmp_path):
    design, _ = as_parity(study)
    changed = study.study.model_copy(update={"design": design.model_copy(update={"package": "elsewhere"})})
    with pytest.raises(PreparationError, match="has no package 'elsewhere' at its top"):
        KIND.prepare(replace(study, study=changed), tmp_path / "prepared", lambda line: None)


def test_no_variant_is_built_from_a_checkout(study, prepared, tmp_path):
    with pytest.raises(PreparationError, match="none is built from a checkout; leave --repo out"):
        KIND.build_checkout(study, prepared, tmp_path, tmp_path / "built")
