"""Pages of what somebody else published say first that nobody ran it here, keep every hold, and decide by words."""

import csv
import html
import io
import json
import re
import shutil

import pytest

from runner.contract.canonical import encode
from runner.contract.seal import digest
from sitegen.errors import SiteError
from tests.sitegen.built import make_site
from tests.sitegen.pages.sample import main_of
from tests.sitegen.projects import RESULT, a_project, replace
from tests.sitegen.rendered import rendered
from tests.sitegen.reported import CONTRADICTED, FILE, NAME, Data, a_report, time, write_report

PAGE = f"reported/{NAME}.html"
LIST = "reported/index.html"
RECORD = f"data/reported/{NAME}/record.json"
NOT_RUN = {
    "en": "Sealbook did not run this and cannot verify it.",
    "zh": "Sealbook 没有运行这些内容，也无法核实。",
}


@pytest.fixture(scope="module")
def pristine(tmp_path_factory):
    """A project without any record, which nobody changes."""
    return a_project(tmp_path_factory.mktemp("reported"))


@pytest.fixture
def project(pristine, tmp_path):
    return shutil.copytree(pristine, tmp_path / "project")


def text(markup: str) -> str:
    """What a reader of the markup reads, with a blank between elements."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def part(page: str, anchor: str) -> str:
    """What stands below one heading of the second level."""
    return page.partition(f'<h2 id="{anchor}">')[2].partition("<h2 ")[0]


def tables(page: str) -> dict[str, list[list[str]]]:
    """The rows of each table as text, by its label."""
    return {
        label: [
            [text(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
            for row in re.findall(r"<tr>(.*?)</tr>", body)[1:]
        ]
        for label, body in re.findall(r'<table [^>]*aria-label="([^"]*)">(.*?)</table>', page, re.DOTALL)
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_list_and_page_say_before_any_figure_that_nobody_ran_it_here(site, language):
    for place in (PAGE, LIST):
        before, _, after = main_of(site[f"{language}/{place}"]).partition(NOT_RUN[language])
        assert after, place
        assert re.search(r"\d+[.]\d{3}|%", text(before)) is None, place


@pytest.mark.rule("P121")
def test_holds_stand_in_order_of_time_each_with_its_sources_and_digests_and_never_behind_a_fold(site):
    page = main_of(site[f"en/{PAGE}"])
    holds = re.findall(r"<li>(.*?)</li>", part(page, "holds"), re.DOTALL)

    assert [text(hold).partition(" · ")[0] for hold in holds] == ["V1", "V1", "V1"]
    for hold in holds:
        said = re.sub(r"(\w{8}) … (\w+)", r"\1\2", text(hold))
        for wanted in ("a" * 40, "b" * 40, "Protocol " + "1" * 64, "Receipt unknown", "Seal " + "2" * 64):
            assert wanted in said
    assert "<details" not in page


@pytest.mark.rule("P118")
def test_a_gated_row_says_signed_change_verdict_and_reason_in_words(site):
    rows = tables(main_of(site[f"en/{PAGE}"]))["V1, Command: gated rows"]

    assert rows[0] == [
        "File",
        "500.000",
        "530.000",
        "+30.000",
        "+6.000000",
        "‖ hold : exceeds both the percentage and the difference",
    ]
    assert rows[1][-1] == "‖ hold : exceeds the difference"


@pytest.mark.report("A12")
def test_a_row_over_a_zero_baseline_shows_the_difference_and_no_ratio_and_the_gate_decides_by_it(site):
    rows = tables(main_of(site[f"en/{PAGE}"]))["V1, Command: gated rows"]

    assert rows[2] == ["Empty", "0.000", "1.000", "+1.000", "undefined (baseline 0)", "✓ pass"]


@pytest.mark.rule("P117")
def test_a_p50_stands_apart_as_context_and_gets_no_verdict(site):
    page = main_of(site[f"en/{PAGE}"])
    found = tables(page)

    assert found["V1, Command: context"] == [["File", "p50", "400.000", "380.000", "−20.000", "−5.000000"]]
    assert all("p50" not in cell for row in found["V1, Command: gated rows"] for cell in row)
    assert "It decides nothing and replaces no gate" in text(page)


def test_an_unknown_figure_is_a_word_with_its_reason_and_judges_nothing(site):
    row = tables(main_of(site[f"en/{PAGE}"]))["V2, Command: gated rows"][1]

    assert row == ["Database", "1,000.000", "unknown it was cut off", "—", "—", "? not judged : head is unknown"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "p95 of 16 values is the largest of them: a single slow sample decides it."),
        ("zh", "16 个值的 p95 就是其中最大的一个：单独一个慢样本便足以决定它。"),
    ],
)
def test_too_few_samples_for_a_p95_are_told_and_enough_are_not(site, language, told):
    page = text(main_of(site[f"{language}/{PAGE}"]))

    assert page.count(told) == 1
    assert "64" not in "".join(re.findall(r"p95 of [0-9]+ values", page))


def test_where_a_publication_contradicts_itself_both_values_are_shown(site):
    told = text(part(main_of(site[f"en/{PAGE}"]), "differs"))

    assert told.startswith(f"Where the publication contradicts its own figures {CONTRADICTED} · percentage")
    assert "Published +0.25 % Computed again +0.20 % A digit is wrong." in told


def test_only_the_digest_of_our_own_record_has_the_colour_of_a_seal(site, full_files):
    page = main_of(site[f"en/{PAGE}"])

    assert re.findall(r'class="hash" [^>]*aria-label="([^"]*)"', page) == [f"SHA-256 {digest(full_files[RECORD])}"]
    assert 'class="whole"' not in page
    assert 'class="bound"' not in page
    assert 'class="seal"' not in page


def test_a_record_is_found_from_the_results_the_first_page_and_the_search(site, full_files):
    for place in ("en/index.html", "en/results/index.html"):
        assert f"reported/{NAME}.html" in main_of(site[place])
    assert f'href="../{LIST}"' in main_of(site["en/results/index.html"])
    index = full_files["zh/search/index.js"].decode()
    assert f"reported/{NAME}.html" in index


def test_the_published_record_is_canonical_and_holds_what_was_written_down(full_files):
    data = full_files[RECORD]

    assert encode(json.loads(data)) == data
    wanted = a_report()
    found = json.loads(data)
    assert (found["id"], found["source"], len(found["versions"])) == (NAME, wanted["source"], 2)


def test_the_rows_for_programs_are_those_of_the_page_with_what_was_published_beside(full_files):
    sheet = full_files[f"data/reported/{NAME}/rows.csv"].decode()
    rows = list(csv.DictReader(io.StringIO(sheet, newline="")))
    view = json.loads(full_files[f"data/reported/{NAME}/view.json"])

    assert "'" not in sheet
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in view["rows"]] == rows
    assert rows[0] == {
        "version": "v1",
        "measure": "command",
        "case": "file",
        "statistic": "p95",
        "samples": "64",
        "rank": "61",
        "base_ns": "500000000",
        "head_ns": "530000000",
        "difference_ns": "30000000",
        "change_percent_millionths": "6000000",
        "verdict": "hold",
        "reason": "exceeds-both",
        "published_difference_ns": "30000000",
        "published_percent_digits": "6000000",
        "published_percent_decimals": "6",
        "published_verdict": "hold",
        "published_reason": "exceeds-both",
    }
    assert (rows[3]["difference_ns"], rows[3]["verdict"]) == ("-20000000", "")
    assert (rows[2]["base_ns"], rows[2]["change_percent_millionths"]) == ("0", "")


def test_the_document_says_that_nothing_was_reproduced_and_names_the_bytes_of_the_record(full_files):
    view = json.loads(full_files[f"data/reported/{NAME}/view.json"])

    assert (view["format"], view["reproduced"]) == ("sealbook.reported-view/1", False)
    assert view["record"] == {"file": RECORD, "sha256": digest(full_files[RECORD])}
    assert view["pages"] == {language: f"{language}/{PAGE}" for language in ("en", "zh")}
    assert [version["disposition"] for version in view["versions"]] == ["owner-review-hold", "not-yet-proven"]
    assert view["versions"][1]["seal"]["fact"] == "unknown"
    assert [item["at"] for item in view["differs"]] == [CONTRADICTED]


def test_a_change_that_no_exact_integer_holds_is_left_out_of_the_rows_and_breaks_no_page(project):
    def change(data: Data) -> None:
        data["measures"][0]["decimals"] = 6
        data["versions"][1]["measured"][0]["rows"][1] |= {
            "base": {"fact": "published", "ns": 1},
            "head": time(10**6),
        }

    data = a_report()
    change(data)
    write_report(project, data)
    files = make_site(project).files

    row = next(row for row in json.loads(files[f"data/reported/{NAME}/view.json"])["rows"] if row["base_ns"] == 1)
    assert (row["difference_ns"], row["change_percent_millionths"]) == (10**12 - 1, None)
    assert "+99,999,999,999,900.000000" in files[f"en/{PAGE}"].decode()


def test_an_address_that_is_none_is_text_and_no_link(project):
    data = a_report()
    data["source"]["url"] = "javascript:alert(1)"
    write_report(project, data)
    page = rendered(project, PAGE)[f"en/{PAGE}"]

    assert "javascript:alert(1)</dd>" in page
    assert 'href="javascript' not in page


@pytest.mark.parametrize(
    ("language", "empty"), [("en", "Nothing that somebody else published"), ("zh", "尚未录入任何他人公布的内容")]
)
def test_a_site_without_records_says_what_would_be_here_and_shows_none_on_the_first_page(project, language, empty):
    pages = rendered(project, "index.html", LIST, "results/index.html")

    assert empty in pages[f"{language}/{LIST}"]
    assert "content/reported/NAME.toml" in pages[f"{language}/{LIST}"]
    assert 'id="reported"' not in pages[f"{language}/index.html"]
    assert f'href="../{LIST}"' in pages[f"{language}/results/index.html"]


def test_a_text_links_to_a_record_by_its_file(project):
    write_report(project)
    for language in ("en", "zh"):
        path = RESULT.format(language)
        replace(project, path, "\n## ", f"\n[X](../reported/{NAME}.toml)\n\n## ")

    page = rendered(project, "results/2026-11-30-first.html")["en/results/2026-11-30-first.html"]
    assert f'<a href="../reported/{NAME}.html">X</a>' in page


def test_bad_records_stop_the_site_with_the_problems_of_all_of_them(project):
    first, second = a_report(), a_report("other")
    first["disposition"]["disposition"] = "pass"
    second["cases"][0]["id"] = "else"
    write_report(project, first)
    write_report(project, second)
    (project / "content/reported/Notes.md").write_text("x", encoding="utf-8")
    (project / "content/reported/.hidden").write_text("x", encoding="utf-8")

    with pytest.raises(SiteError) as caught:
        make_site(project)
    assert [(problem.file, problem.where) for problem in caught.value.problems] == [
        ("content/reported/Notes.md", ""),
        ("content/reported/other.toml", "versions[0].measured[0].rows[0].case"),
        ("content/reported/other.toml", "versions[0].measured[0].rows[3].case"),
        ("content/reported/other.toml", "versions[0].measured[1].rows[0].case"),
        ("content/reported/other.toml", "versions[1].measured[0].rows[0].case"),
        ("content/reported/other.toml", "versions[1].measured[1].rows[0].case"),
        ("content/reported/other.toml", "versions[1].measured[1].rows[1].case"),
        (FILE, "disposition"),
    ]
