"""Failures that other people's sites had and this one must not have."""

import re
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from runner.contract.analysis.count import counting
from runner.contract.attempt import Attempt
from runner.contract.seal import SEAL_FILE, digest, format_seal
from runner.reading.sealed import open_run
from sitegen.errors import SiteError
from tests.factories import ScriptedKind, a_sealed_run, counted
from tests.sitegen.built import make_site
from tests.sitegen.projects import PROTOCOL, RESULT, RUN, TEXTS, a_project, replace, write
from tests.sitegen.rendered import rendered
from tests.studies import a_study

DAY = 1791288000
"""An instant of 2026-10-06, noon UTC."""


def without_attempts(folder: Path, arm: str) -> None:
    """Make a sealed run one in which no attempt of `arm` was ever begun: every slot of it stays planned."""
    sealed = open_run(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    gone = {attempt.attempt for attempt in sealed.attempts if attempt.arm == arm}
    kept: tuple[Attempt, ...] = tuple(attempt for attempt in sealed.attempts if attempt.attempt not in gone)
    for name, records in (
        ("attempts.jsonl", kept),
        ("timings.jsonl", [item for item in sealed.timings if item.attempt not in gone]),
        ("commitments.jsonl", [item for item in sealed.commitments if item.attempt not in gone]),
    ):
        (folder / name).write_bytes(b"".join(record.canonical() + b"\n" for record in records))
    for attempt in gone:
        (folder / "events" / f"{attempt}.jsonl").unlink()
    count = counted(counting(sealed.plan, sealed.data), kept)
    told = sealed.run.model_copy(update={"tally": count.tally(), "analysis": count.analysis()})
    (folder / "run.json").write_bytes(told.canonical())
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != SEAL_FILE]
    sums = {path.relative_to(folder).as_posix(): digest(path.read_bytes()) for path in paths}
    (folder / SEAL_FILE).write_bytes(format_seal(sums))


@pytest.mark.report("A15")
def test_an_arm_without_any_attempt_is_shown_as_none_of_those_planned(tmp_path):
    for path, text in TEXTS.items():
        write(tmp_path, path, text)
    frozen = a_study(tmp_path / "manifests", subjects=("tool", "other"))
    sealed = a_sealed_run(tmp_path, frozen, ScriptedKind())
    run = shutil.copytree(sealed.folder, tmp_path / "manifests/tiny/evidence" / RUN)
    shutil.rmtree(tmp_path / ".sealbook")
    without_attempts(run, "other")

    files = make_site(tmp_path).files

    for language, row in (("en", "Other"), ("zh", "Other")):
        page = files[f"{language}/results/2026-11-30-first.html"].decode()
        line = re.search(rf'<tr><th scope="row">{row}</th>(.*?)</tr>', page)
        assert line is not None
        counts = [int(text) for text in re.findall(r'<a class="bound"[^>]*>([0-9]+)</a>', line[1])]
        planned, accepted, unbegun = counts[0], counts[1], counts[7]
        assert (planned, accepted, unbegun) == (12, 0, 12)
        cells = re.findall(r'>([0-9]+)</a>/<a class="bound"[^>]*>([0-9]+)</a>', page)
        assert cells.count(("0", "1")) == 12
        table = files[f"{language}/attempts/tiny/{RUN}/index.html"].decode()
        started, not_started = table.split('<h2 id="not-started">')
        named = re.findall(r'<th scope="row" class="wide"><a class="mono" href="([a-z]+)\.', started)
        assert set(named) == {"tool"}
        assert "<td>Other</td>" not in started
        assert not_started.count('<td class="number">1</td>') == 12
    for path in files:
        assert not re.search(r"other\.[a-z-]+\.1\.html$", path)


@pytest.fixture(scope="module")
def dated(tmp_path_factory):
    """A project whose result is dated 2026-10-06."""
    root = a_project(tmp_path_factory.mktemp("dated"))
    for language in ("en", "zh"):
        old = RESULT.format(language)
        replace(root, old, 'date = "2026-11-30"', 'date = "2026-10-06"')
        replace(root, PROTOCOL.format(language), "2026-11-30-first", "2026-10-06-first")
        (root / old).rename(root / old.replace("2026-11-30", "2026-10-06"))
    replace(root, "content/site.toml", "title", 'base_url = "https://example.org"\ntitle')
    return root


@contextmanager
def in_zone(name: str, hours: int):
    """Let local time be that of a zone, which is then so many hours from UTC, while the block lasts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", name)
        time.tzset()
        try:
            assert time.localtime(DAY).tm_gmtoff == hours * 3600
            yield
        finally:
            patch.undo()
            time.tzset()


@pytest.mark.report("A18")
def test_a_date_is_the_same_in_both_languages_wherever_the_site_is_built(dated):
    with in_zone("America/Los_Angeles", -7):
        west = make_site(dated).files
    with in_zone("Asia/Shanghai", 8):
        east = make_site(dated).files

    assert west == east
    for language in ("en", "zh"):
        page = west[f"{language}/results/2026-10-06-first.html"].decode()
        assert '<time datetime="2026-10-06">2026-10-06</time> UTC' in page
        for path in ("index.html", "results/index.html", "studies/tiny/index.html"):
            listed = west[f"{language}/{path}"].decode()
            assert '<time datetime="2026-10-06">2026-10-06 <span class="small second">UTC</span></time>' in listed
        assert b"<published>2026-10-06T00:00:00Z</published>" in west[f"{language}/feed.xml"]
    for path, data in west.items():
        if path.endswith((".html", ".xml")):
            assert b"2026-10-05" not in data, path
            assert b"2026-10-07" not in data, path


HEADINGS = "\n### Loop Engineering（迴圈工程）\n\n### 快速开始\n\n### 快速开始\n"
LINKS = "\n[a](#loop-engineering迴圈工程) [b](#快速开始) [c](#快速开始-2)\n"


@pytest.mark.report("A19")
def test_chinese_headings_have_ids_of_their_own_that_links_reach(tmp_path):
    root = a_project(tmp_path)
    for language in ("en", "zh"):
        path = PROTOCOL.format(language)
        write(root, path, (root / path).read_text(encoding="utf-8") + HEADINGS + LINKS)

    page = rendered(root, "protocols/tiny/1.0")["zh/protocols/tiny/1.0.html"]

    ids = ("loop-engineering迴圈工程", "快速开始", "快速开始-2")
    for name in ids:
        assert page.count(f'<h3 id="{name}">') == 1
    targets = re.findall(r'<a href="(#[^"]+)">[abc]</a>', page)
    assert len(targets) == 3

    for path in (PROTOCOL.format("en"), PROTOCOL.format("zh")):
        write(root, path, (root / path).read_text(encoding="utf-8") + "\n[d](#快速开始-3)\n")
    with pytest.raises(SiteError) as refused:
        make_site(root)
    for language in ("en", "zh"):
        path = PROTOCOL.format(language)
        last = (root / path).read_text(encoding="utf-8").count("\n")
        said = f"{path}: line {last}: no heading of this document has the id '快速开始-3'"
        assert [str(item) for item in refused.value.problems if str(item).startswith(said)] != []


@pytest.mark.report("A19")
def test_a_dead_fragment_of_another_document_is_told_by_file_and_line(tmp_path):
    root = a_project(tmp_path)
    path = PROTOCOL.format("zh")
    replace(root, path, "#发现", "#没有")
    line = next(
        n for n, text in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1) if "#没有" in text
    )

    with pytest.raises(SiteError) as refused:
        make_site(root)

    assert any(str(item).startswith(f"{path}: line {line}: ") for item in refused.value.problems)
