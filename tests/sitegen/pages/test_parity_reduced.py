"""What the page of a run with reduced timings says in both languages: which it is, and that it proves no gate."""

import re

import pytest

from sitegen.catalog import read_catalogs
from sitegen.sources import LANGUAGES
from tests.sitegen.pages.parity_sample import STUDY
from tests.sitegen.projects import RUN
from tests.sitegen.rendered import rendered

CATALOGS = read_catalogs()


@pytest.fixture(scope="module")
def pages(reduced_project) -> dict[str, str]:
    return rendered(reduced_project, f"runs/{STUDY}/")


@pytest.mark.parametrize("language", LANGUAGES)
def test_banner_notice_and_every_gate_row_say_that_the_timings_are_reduced(pages, language):
    page, say = pages[f"{language}/runs/{STUDY}/{RUN}.html"], CATALOGS[language].say
    band = page.split('<ul class="band"')[1].split("</ul>")[0]
    parts = page.split('<ul class="parts"')[1].split("</ul>")[0]
    gates = page.split('id="report.gates"')[1].split("<h2", maxsplit=1)[0]
    rows = re.findall(r"<tr><th scope=\"row\".*?</tr>", gates, re.DOTALL)

    assert say("selection.reduced-timings") in band
    assert say("part.performance.reduced-timings") in parts
    assert say("performance.not-yet-proven") in parts
    assert say("gate.reduced-text") in gates
    assert say("gate.inadmissible-title") not in gates, "the host was quiet, and is not the reason"
    assert len(rows) == 2
    for row in rows:
        assert say("judgement.unjudged") in row
        assert say("unjudged_reason.reduced-timings") in row
        assert say("gate.inadmissible") in row
        assert 'title="run.json /analysis/measurements/0/gates/' in row


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_that_repeats_it_asks_for_reduced_timings_again(pages, language):
    assert f"sealbook run {STUDY} --reduced-timings" in pages[f"{language}/runs/{STUDY}/{RUN}.html"]
