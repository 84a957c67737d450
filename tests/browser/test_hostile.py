"""Hostile text in every field of every record, on every kind of page: nothing runs, and all of it can be read.

One project holds five of the forty payloads in every field, behind one of seven addresses; eight projects hold them
all. `make test` takes the first, and each kind of page in one language; `make check-long` takes all of them in both.
What happens on a page: it is opened, everything that can be pressed is pressed, every field is typed into; then its
elements and addresses are looked at.
"""

import json
import re
from pathlib import Path

import pytest

from runner.contract.canonical import encode
from sitegen.build import build
from sitegen.charts import labels
from sitegen.pages.parity.differences import LONGEST
from sitegen.pages.wording import command
from sitegen.render import visible
from sitegen.visible import in_a_line
from tests.commit_parities import STUDY as CHANGED
from tests.comparisons import SYMBOLS, TEXT
from tests.hostile.comparison import STUDY
from tests.hostile.parity import STUDY as TWINS
from tests.hostile.project import BATCHES, a_hostile_project
from tests.hostile.unheld import unheld
from tests.sitegen.pages.kinds import DETAILS, places
from tests.sitegen.pages.sample import UNPUBLISHED
from tests.sitegen.projects import RUN

__all__ = ["unheld"]

pytestmark = pytest.mark.browser
CANARY = "window.hits = []; window.hit = (number) => { window.hits.push(number); return number; };"
USE = """async () => {
  document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
  document.querySelectorAll("input").forEach((field) => {
    field.focus();
    field.value = "hit";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.querySelectorAll("button").forEach((button) => { button.focus(); button.click(); });
  document.querySelectorAll("main *").forEach((node) => node.dispatchEvent(new MouseEvent("mouseover")));
  await new Promise((done) => setTimeout(done, 20));
}"""
AUDIT = """() => {
  // A style attribute may hold one length alone, inside the table, whose script sets it there.
  const wrong = [...window.hits.map((number) => `hit ${number}`)];
  const refused = "base object embed iframe frame form math style img image audio video source template applet"
    + " foreignObject animate set marquee portal xmp plaintext";
  for (const name of refused.split(" ")) {
    if (document.querySelector(name)) { wrong.push(`an element ${name}`); }
  }
  if (document.querySelector("meta[http-equiv=refresh i]")) { wrong.push("a refresh"); }
  const attributes = [];
  for (const node of document.querySelectorAll("*")) {
    if (node.tagName === "SCRIPT" && !node.getAttribute("src")) { wrong.push("an inline script"); }
    for (const { name, value } of node.attributes) {
      attributes.push(value);
      const placed = name === "style" && node.closest("[data-table]") && /^[a-z-]+: [0-9.]+px;$/.test(value);
      if (!placed && /^(on|style$|srcdoc$|formaction$|ping$|autofocus$)/i.test(name)) {
        wrong.push(`attribute ${name}=${value}`);
      }
      if (!/^(href|src|action|data|xlink:href|poster|cite|srcset|background|manifest)$/i.test(name)) { continue; }
      const address = value.replace(/[\\u0000-\\u0020]/g, "").toLowerCase();
      const outside = /^[a-z][a-z0-9+.-]*:/.test(address);
      const harmless = outside ? /^(https?|mailto):/.test(address) : !/^[/\\\\]/.test(address);
      if (!harmless) { wrong.push(`${name}=${value}`); }
      if (outside && !["A", "LINK"].includes(node.tagName)) { wrong.push(`${node.tagName} ${name}=${value}`); }
    }
  }
  const copy = document.documentElement.cloneNode(true);
  copy.querySelectorAll("script, noscript").forEach((node) => node.remove());
  return { wrong: [...new Set(wrong)], text: copy.textContent, attributes: attributes.join("\\n") };
}"""
LABEL = re.compile(r"‹([A-Za-z]+\.[a-z_]+~[0-9]+)›")
"""That of a field. The label of prose has no number: Markdown changes what stands in it, and it need only be inert."""
NOT_SHOWN = {
    "Artifact.name",
    "Failed.why",
    "ListedPaths.paths",
    "PinnedText.text",
    "ReplaceText.new",
    "ReplaceText.old",
    "RunStep.stdin",
    "Transcript.claimed_outcome",
}
"""Fields that take any text and that no page shows. Those of a comparison stand in its sealed plan and session.

Why a sample failed stands in its sealed document; pages say how many did. Of the paths of an open change those are
shown that the change of the study touches too.
"""
WRITTEN = ("ReplaceText.new~", "WriteText.content~")
"""What an agent writes into files. What it replaces is shown as far as it stood there."""
JUDGED = 400
"""Characters of a compared text that the judge of a comparison keeps."""
FAULTY = f"en/attempts/tiny/{UNPUBLISHED}/tool.persistence-kept.1.html"
"""An attempt that a fault of the runner ended; the attempt of the sample was rejected."""


def forms(text: str) -> list[str]:
    """How a page may write a text, longest first: as it is, in one line, as a word of a command, or as a JSON value.

    The judge of a comparison cuts what it compared, a chart its labels and a place that differs its values; all say
    so by an ellipsis.
    """
    value = encode(text).decode()
    cut = f"{text[:JUDGED]}…" if len(text) > JUDGED else text
    whole = (text, cut, in_a_line(text), in_a_line(cut), command([text]), value, value[1:-1])
    # What is cut before its label needs no form, and would be found at the end of others.
    short = (labels.cut(text), labels.cut(in_a_line(text)), f"{text[:LONGEST]} …")
    beside = (form for form in short if LABEL.search(form))
    written = (str(visible(form)).replace("`", "") for form in (*whole, *beside))
    return sorted(set(written), key=len, reverse=True)


def shown_as(label: str, text: str) -> list[str]:
    """The forms of a field's text.

    A file that an agent wrote is listed with every folder that it lies in, and what it wrote is shown line by line.
    """
    if label.startswith(WRITTEN):
        return forms(text) + [form for line in text.split("\n") if LABEL.search(line) for form in forms(line)]
    ends = [place for place, sign in enumerate(text) if sign == "/"] if label.startswith("WriteText.path~") else []
    return forms(text) + [form for end in reversed(ends) if LABEL.search(text[:end]) for form in forms(text[:end])]


def without(told: str, values: dict[str, list[str]]) -> tuple[str, set[str]]:
    """What is left of a page's text without every whole hostile text in it, and the fields that it shows."""
    rest, shown = told.replace("`", ""), set()
    for label in set(LABEL.findall(rest)):
        for form in values[label]:
            if form in rest:
                shown.add(label.partition("~")[0])
                rest = rest.replace(form, "")
    return rest, shown


SHARED = f"../shared/{{}}/details/tiny/{UNPUBLISHED}/0001.html"
"""The page that all attempts share in a second site."""
COMPARED = {
    "compared-study": f"{{}}/studies/{STUDY}/index.html",
    "compared-run": f"{{}}/runs/{STUDY}/{RUN}.html",
    "compared-table": f"{{}}/attempts/{STUDY}/{RUN}/index.html",
    "compared-by-symbol": f"{{}}/attempts/{STUDY}/{RUN}/{SYMBOLS}.narrow.1.html",
    "compared-by-text": f"{{}}/attempts/{STUDY}/{RUN}/{TEXT}.narrow.1.html",
    "compared-evidence": f"{{}}/evidence/{STUDY}/{RUN}.html",
    "compared-details": f"../shared/{{}}/details/{STUDY}/{RUN}/0001.html",
}
"""The pages of a comparison: the templates are those of other studies, and what stands on them is not."""

HELD_AGAINST = {
    "parity-study": f"{{}}/studies/{TWINS}/index.html",
    "parity-run": f"{{}}/runs/{TWINS}/{RUN}.html",
    "parity-table": f"{{}}/attempts/{TWINS}/{RUN}/index.html",
    "parity-head": f"{{}}/attempts/{TWINS}/{RUN}/head.files-clean.1.html",
    "parity-mutant": f"{{}}/attempts/{TWINS}/{RUN}/mutant.files-clean.1.html",
    "parity-measurement": f"{{}}/attempts/{TWINS}/{RUN}/measurement.files-clean.1.html",
    "parity-two-runs": f"{{}}/runs/{TWINS}/{RUN}...{UNPUBLISHED}.html",
    "parity-evidence": f"{{}}/evidence/{TWINS}/{RUN}.html",
    "parity-details": f"../shared/{{}}/details/{TWINS}/{RUN}/0001.html",
    "change-study": f"{{}}/studies/{CHANGED}/index.html",
    "change-run": f"{{}}/runs/{CHANGED}/{RUN}.html",
}
"""The pages of a parity study."""


def visited(project: Path) -> dict[str, str]:
    """One page of each kind in each language, those of the other kinds of study, and the attempt that a fault ended."""
    more = {
        f"{kind}.{language}": place.format(language)
        for kind, place in ({DETAILS: SHARED} | COMPARED | HELD_AGAINST).items()
        for language in ("en", "zh")
    }
    return places(project) | more | {"attempt.faulty": FAULTY}


def taken_in_turn(every: dict[str, str]) -> dict[str, str]:
    """Each kind in one language, the languages in turn."""
    kinds = dict.fromkeys(name.partition(".")[0] for name in every)
    chosen = {f"{kind}.{('en', 'zh')[number % 2]}" for number, kind in enumerate(kinds)}
    return {name: place for name, place in every.items() if name in chosen | {"root", "attempt.faulty"}}


def unmade(project: Path) -> set[str]:
    """What was to be written into files of which none could be made, as their names are hostile too."""
    session = project / f"manifests/{STUDY}/evidence/{RUN}/artifacts/{TEXT}.narrow.1/transcript.json"
    acted = json.loads(session.read_bytes())["actions"]
    results = {item["result"] for item in acted if (item["action"].get("operation") or {}).get("op") == "write_text"}
    assert results
    return set() if "done" in results else {"WriteText.content"}


def attacked(folder: Path, tab, batch: int, choose) -> set[str]:
    """Build the site of a batch, use the chosen pages, and return which fields that take any text they do not show."""
    project: Path = folder / "project"
    found = a_hostile_project(project, batch)
    build(project, folder / "site")
    build(project, folder / "shared", paged_from=1)
    values = {label: shown_as(label, text) for label, text in found.values.items()}
    shown: set[str] = set()
    with tab(folder / "site" / "index.html") as visit:
        visit.page.add_init_script(CANARY)
        for kind, place in choose(visited(project)).items():
            visit.go(folder / "site" / place)
            visit.page.evaluate(USE)
            seen = visit.page.evaluate(AUDIT)

            assert seen["wrong"] == [], kind
            assert visit.faults() == [], kind
            assert re.split("[?#]", visit.page.url)[0].endswith(place.removeprefix("../")), kind
            if kind.startswith("search"):  # shows pieces of text around what was looked for
                continue
            for told in (seen["text"], seen["attributes"]):
                rest, fields = without(told, values)
                shown |= fields
                cut = LABEL.search(rest)
                assert cut is None, f"{kind}: not as written: {rest[max(0, cut.start() - 300) : cut.end() + 300]!r}"
    return found.taken - shown - unmade(project)


@pytest.mark.report("A17", "A26")
def test_five_payloads_in_every_field_run_nothing_on_any_kind_of_page_and_stay_text(tmp_path, tab):
    assert attacked(tmp_path, tab, 0, taken_in_turn) == NOT_SHOWN


@pytest.mark.long
@pytest.mark.report("A17", "A26")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_forty_payloads_in_every_field_run_nothing_on_any_kind_of_page_in_both_languages(tmp_path, tab, batch):
    assert attacked(tmp_path, tab, batch, lambda every: every) == NOT_SHOWN
