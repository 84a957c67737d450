"""What pages offer to programs: the same figures as the pages, with the bytes they come from."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from posixpath import dirname, join, normpath

import pytest

from runner.contract.attempt import Outcome, Reason, ReasonCode
from runner.contract.canonical import encode
from runner.contract.seal import digest
from sitegen.twins import as_csv, as_jsonl, attempt_rows
from tests.factories import ScriptedKind, a_sealed_run, current
from tests.sitegen.pages.sample import UNPUBLISHED
from tests.sitegen.projects import RUN
from tests.studies import a_study

RESULT_PAGE = "results/2026-11-30-first.html"
RUN_PAGE = f"runs/tiny/{UNPUBLISHED}.html"
TABLE = f"attempts/tiny/{UNPUBLISHED}/index.html"


class Links(HTMLParser):
    """Where the links of a page lead, from the site's root, and which figures it binds."""

    def __init__(self, path: str, page: bytes) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.path = path
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "a" and href and "://" not in href:
            place, _, fragment = href.partition("#")
            whole = normpath(join(dirname(self.path), place)) if place else self.path
            self.targets.add(f"{whole}#{fragment}" if fragment else whole)


@pytest.fixture(scope="module")
def files(full_files):
    return full_files


def rows(files, run: str) -> list[dict[str, str]]:
    data = files[f"data/attempts/tiny/{run}/attempts.csv"].decode()
    assert data.count("\r\n") == data.count("\n") > 1
    return list(csv.DictReader(io.StringIO(data, newline="")))


@pytest.mark.parametrize("run", [RUN, UNPUBLISHED])
def test_each_row_agrees_with_the_line_of_the_sealed_file_that_it_names(files, run):
    sealed = [json.loads(line) for line in files[f"evidence/tiny/{run}/attempts.jsonl"].splitlines()]
    times = [json.loads(line) for line in files[f"evidence/tiny/{run}/timings.jsonl"].splitlines()]
    found = rows(files, run)

    assert len(found) == len(sealed) == 12
    for row in found:
        line = sealed[int(row["line"]) - 1]
        time = next(item for item in times if item["attempt"] == row["attempt"])
        assert (row["attempt"], row["arm"], row["task"]) == (line["attempt"], line["arm"], line["task"])
        assert (int(row["trial"]), int(row["retry"])) == (line["trial"], line["retry"])
        assert row["outcome"] == line["outcome"]
        assert row["reason"] == (line["reason"]["code"] if line["reason"] else "")
        assert int(row["duration_ns"]) == time["ended_ns"] - time["started_ns"]


def test_json_lines_say_what_the_csv_says_and_line_n_stands_for_line_n(files):
    found = rows(files, UNPUBLISHED)
    lines = [json.loads(line) for line in files[f"data/attempts/tiny/{UNPUBLISHED}/attempts.jsonl"].splitlines()]

    assert [line["line"] for line in lines] == list(range(1, len(lines) + 1))
    for row, line in zip(found, lines, strict=True):
        words = {None: "", True: "true", False: "false"}
        assert row == {
            name: words[value] if value is None or isinstance(value, bool) else str(value)
            for name, value in line.items()
        }


def test_a_cell_that_a_spreadsheet_would_compute_is_text_in_csv_and_as_it_is_in_json(tmp_path):
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests"), ScriptedKind({"identity-kept": Outcome.rejected}))
    texts = ['=HYPERLINK("https://example.org")', "+1", "-1", "@SUM(A1)", "\t=1", "a,b\r\nc", "plain"]
    attempts = tuple(
        attempt.model_copy(update={"reason": Reason(code=ReasonCode.runner_fault, at=text)})
        for attempt, text in zip(sealed.attempts, texts, strict=False)
    )
    made = tuple(attempt_rows(attempts, sealed.timings[: len(texts)], sealed.current))

    data = b"".join(as_csv(made)).decode()
    cells = [row["reason_at"] for row in csv.DictReader(io.StringIO(data, newline=""))]
    assert cells == ["'" + text for text in texts[:5]] + texts[5:]
    assert [json.loads(line)["reason_at"] for line in as_jsonl(made)] == texts


def test_a_retried_attempt_is_marked_as_superseded(tmp_path):
    sealed = a_sealed_run(tmp_path, a_study(tmp_path / "manifests"))
    first = sealed.attempts[0].model_copy(
        update={"outcome": Outcome.interrupted, "reason": Reason(code=ReasonCode.runner_ended, at=None)}
    )
    second = sealed.attempts[0].model_copy(update={"attempt": f"{first.attempt}.r1", "retry": 1})

    made = tuple(attempt_rows((first, second), sealed.timings[:2], current((first, second))))

    assert [(row.attempt, row.retry, row.superseded) for row in made] == [
        (first.attempt, 0, True),
        (second.attempt, 1, False),
    ]


@pytest.mark.rule("S162")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_table_links_its_rows_as_data(files, language):
    linked = Links(f"{language}/{TABLE}", files[f"{language}/{TABLE}"]).targets

    for form in ("csv", "jsonl"):
        assert f"data/attempts/tiny/{UNPUBLISHED}/attempts.{form}" in linked
    assert f"evidence/tiny/{UNPUBLISHED}/attempts.jsonl" in linked


@pytest.mark.rule("S158")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("page", "run"), [(RESULT_PAGE, RUN), (RUN_PAGE, UNPUBLISHED)])
def test_a_result_links_its_figures_and_commitments_as_json(files, page, run, language):
    place = f"data/{page.removesuffix('.html')}/result.json"
    linked = Links(f"{language}/{page}", files[f"{language}/{page}"]).targets

    assert {place, f"evidence/tiny/{run}/run.json", f"evidence/tiny/{run}/commitments.jsonl"} <= linked
    document = json.loads(files[place])
    assert encode(document) == files[place]
    record = json.loads(files[f"evidence/tiny/{run}/run.json"])
    commitments = files[f"evidence/tiny/{run}/commitments.jsonl"].count(b"\n")
    assert document["run"]["commitments"] == commitments
    stated = {item["pointer"]: item["value"] for item in document["values"]}
    assert stated["/tally/accepted"] == record["tally"]["accepted"]
    assert stated["/analysis/arms/0/tally/rejected"] == record["analysis"]["arms"][0]["tally"]["rejected"]


@pytest.mark.rule("S162")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_figure_of_the_page_is_in_its_document_and_no_other_that_says_anything(files, language):
    document = json.loads(files[f"data/{RESULT_PAGE.removesuffix('.html')}/result.json"])
    quoted = f"{language}/evidence/tiny/{RUN}.html#run.json"
    linked = Links(f"{language}/{RESULT_PAGE}", files[f"{language}/{RESULT_PAGE}"]).targets

    values = {item["pointer"]: item["value"] for item in document["values"] if item["file"] == "run.json"}
    shown = {target.removeprefix(quoted).replace(".", "/") for target in linked if target.startswith(quoted)}
    assert len(shown) > 20
    assert shown <= values.keys()
    # What the page says in a word (not offered) has counts of nothing.
    assert {(pointer.split("/")[2], values[pointer]) for pointer in values.keys() - shown} == {("features", 0)}


def test_a_document_names_the_digests_of_the_sealed_bytes_and_says_that_it_is_derived(files):
    document = json.loads(files[f"data/{RUN_PAGE.removesuffix('.html')}/result.json"])

    named = [*document["run"]["files"], document["run"]["seal"]]
    assert {item["file"].rpartition("/")[2] for item in named} >= {"run.json", "plan.json", "SHA256SUMS"}
    for item in named:
        assert item["sha256"] == digest(files[item["file"]])
    assert "derived" in document["derived"]
    assert set(document["pages"].values()) <= files.keys()


def test_a_result_that_was_not_run_has_a_document_without_figures(files):
    document = json.loads(files["data/results/2026-11-29-second/result.json"])

    assert (document["status"], document["run"], document["values"]) == ("not-run", None, [])
    assert document["title"] == {"en": "A second site", "zh": "第二处"}


@pytest.mark.rule("S157", "S159")
@pytest.mark.parametrize("page", [RESULT_PAGE, RUN_PAGE, "results/2026-11-29-second.html"])
def test_every_result_has_a_date_and_says_under_a_stable_anchor_what_it_does_not_establish(files, page):
    for language, title, limit in (
        ("en", "Evidence limits", "Crashes are scripted."),
        ("zh", "证据的限度", "崩溃按脚本发生。"),
    ):
        text = files[f"{language}/{page}"].decode()
        part = re.search(
            r'<section class="not-established" aria-labelledby="report\.limits">.*?</section>', text, re.DOTALL
        )
        assert part is not None
        assert f'<h2 id="report.limits">{title}' in part[0]
        assert f"<li>{limit}</li>" in part[0]
        assert re.search(r'<time datetime="2026-11-(29|30)">2026-11-\1</time> UTC', text)
        if "second" not in page:
            anchors = ("features", "counts", "findings", "limits", "check", "surroundings", "data")
            assert [name for name in anchors if f'id="report.{name}"' not in text] == []
