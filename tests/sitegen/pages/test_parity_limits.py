"""What the pages of a parity run say that its figures are not, and the digests by which anybody holds it to them."""

import hashlib
import json
import re

import pytest

from runner.contract.analysis.parity_count import measured
from runner.contract.parity.documents import read_samples
from runner.contract.parity.false_hold import FalseHoldRate
from runner.contract.parity.gate import Held, HoldReason, Passed
from runner.contract.parity.quantile import Quantile
from runner.contract.parity.samples import Taken
from runner.contract.plan import as_parity
from sitegen.catalog import read_catalogs
from sitegen.sources import LANGUAGES, load
from tests.plugins.sites import PROJECT
from tests.sitegen.pages.parity_sample import LATER, MS, PAGES, STUDY
from tests.sitegen.projects import RUN

CATALOGS = read_catalogs()
MEASUREMENT = "measurement.files-bad-word.1"


@pytest.fixture(scope="module")
def site(parity_site):
    return load(parity_site.parent / PROJECT)


@pytest.fixture(scope="module")
def page(parity_site):
    """A page of the site by its language and its place."""
    return lambda language, place: (parity_site / language / place).read_text(encoding="utf-8")


def part(page: str, anchor: str) -> str:
    return page.split(f'id="{anchor}"')[1].split("<h2", maxsplit=1)[0]


@pytest.mark.rule("P129")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("run", [RUN, LATER])
def test_the_frozen_plan_the_final_receipt_and_the_seal_are_published_by_the_digests_of_the_bytes(
    parity_site, page, run, language
):
    folder = parity_site / "evidence" / STUDY / run
    seals = page(language, f"runs/{STUDY}/{run}.html").split('<ul class="seals">')[1].split("</ul>")[0]
    shown = re.findall(r'<a class="mono small"[^>]*>([^<]+)</a>.*?data-copy="([0-9a-f]{64})"', seals)

    assert shown == [
        (name, hashlib.sha256((folder / name).read_bytes()).hexdigest())
        for name in ("plan.json", "run.json", "SHA256SUMS")
    ]
    document = json.loads((parity_site / f"data/attempts/{STUDY}/{run}/receipts.json").read_bytes())
    assert [document[name] for name in ("plan_sha256", "run_sha256", "seal_sha256")] == [one for _, one in shown]


@pytest.mark.rule("P130")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "local paths included: compare it within a row only"),
        ("zh", "包括本地路径，因此只能在同一行内比较"),
    ],
)
def test_fingerprints_are_said_to_cover_local_paths_and_stand_in_one_table_a_row(parity_site, page, language, words):
    shown = part(page(language, PAGES["parity-run"]), "report.receipts")
    document = json.loads((parity_site / f"data/attempts/{STUDY}/{RUN}/receipts.json").read_bytes())

    assert words in shown
    assert "Fingerprints cover local paths: only those of one row can be compared." in document["comparison"]
    assert shown.count('<table class="receipts">') == len(document["rows"])


@pytest.mark.rule("P130")
def test_a_fingerprint_covers_local_paths_so_that_what_is_the_same_has_another_one_elsewhere(parity_site, site):
    document = json.loads((parity_site / f"data/attempts/{STUDY}/{LATER}/receipts.json").read_bytes())
    _, head, _, sdist = document["rows"][0]["variants"]
    places = {
        leaf["pointer"]
        for item in json.loads(site.run(STUDY, LATER).sealed.data("artifacts/sdist.files-bad-word.1/comparison.json"))[
            "differences"
        ]
        for leaf in item["leaves"]
    }

    assert sdist["compared"]["unexplained"] == 0
    assert "/socket" in places, "the path of a temporary folder"
    assert head["fingerprint"] != sdist["fingerprint"]


@pytest.mark.rule("P123")
def test_one_sample_that_took_far_longer_stays_and_holds_its_gate_whatever_the_rate_of_false_holds_is(site):
    run = site.run(STUDY, LATER).sealed
    protocol = as_parity(run.plan)[0].timing
    found = read_samples(run.data, f"artifacts/{MEASUREMENT}/samples.json")
    slow = found.pairs[1].model_copy(update={"head": Taken(ns=9000 * MS, sha256="a" * 64)})
    spoilt = found.model_copy(update={"pairs": (found.pairs[0], slow, *found.pairs[2:])})
    before, after = (
        measured(protocol, run.attempt(MEASUREMENT), samples, reduced=False).gates[0] for samples in (found, spoilt)
    )

    assert before.judgement == Passed()
    assert after.judgement == Held(reason=HoldReason.exceeds_both)
    assert isinstance(after.head, Quantile)
    assert (after.head.value_ns, after.samples.complete) == (9000 * MS, protocol.pairs)
    assert isinstance(after.false_holds, FalseHoldRate)
    assert after.false_holds == before.false_holds, "it is of the base, and no part of the verdict"


@pytest.mark.rule("P123")
@pytest.mark.parametrize(
    ("language", "noise", "cause"),
    [
        ("en", "It turns no hold into a pass and no sample into noise.", "Nothing on this page says which."),
        ("zh", "它不会把搁置变成通过，也不会把样本变成噪声。", "本页不说明是哪一个。"),
    ],
)
def test_a_hold_is_given_the_rule_that_it_exceeds_as_its_only_reason_and_no_cause(page, site, language, noise, cause):
    say = CATALOGS[language].word
    shown = page(language, PAGES["parity-run"])
    rows = re.findall(r"<tr><th scope=\"row\".*?</tr>", part(shown, "report.gates"), re.DOTALL)
    reasons = [HoldReason.exceeds_both, HoldReason.not_below_bound]

    assert noise in part(shown, "report.gates")
    assert cause in page(language, PAGES["parity-two-runs"])
    for row, reason in zip(rows, reasons, strict=True):
        verdict = re.search(r"<td class=\"wide\">(<a class=\"cell\".*?)</td>", row, re.DOTALL)
        assert verdict is not None
        assert re.sub("<[^>]+>", "", verdict[1]).endswith(f"{CATALOGS[language].say('list.colon')}{say(reason)}")


@pytest.mark.rule("P126")
@pytest.mark.parametrize(
    ("language", "run", "study"),
    [
        (
            "en",
            "Cold means that the daemon had to be started over prepared disk caches; the file system was not cold.",
            "only the daemon is cold, not the file system.",
        ),
        ("zh", "“冷”指在备好的磁盘缓存上必须先启动守护进程，文件系统并不冷。", "冷的只是守护进程，不是文件系统。"),
    ],
)
def test_what_cold_is_and_is_not_stands_where_cold_figures_stand(page, language, run, study):
    assert run in part(page(language, PAGES["parity-run"]), "report.measured")
    assert study in part(page(language, PAGES["parity-study"]), "timing")


@pytest.mark.rule("P134", "P135")
@pytest.mark.parametrize(
    ("language", "scope", "later"),
    [
        (
            "en",
            "One operating system, one interpreter and one project were used. Nothing is said about others.",
            "Later versions of the software, and this one merged with anything else, are not qualified by this run",
        ),
        (
            "zh",
            "只用了一个操作系统、一个解释器和一个项目，不涉及其他。",
            "软件此后的版本，以及本版本与其他内容合并的结果，都不因本次运行而得到鉴定",
        ),
    ],
)
def test_every_run_says_what_it_does_not_cover_and_that_a_merge_needs_a_run_of_its_own(page, language, scope, later):
    for run in (RUN, LATER):
        shown = page(language, f"runs/{STUDY}/{run}.html")
        assert scope in shown
        assert later in shown
