"""Browses a large run from disk as a reader does: the table from end to end, the last attempt's details, and back."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

from playwright.sync_api import Browser, Page

from tests.bench import limits
from tests.bench.builds import table_page
from tests.bench.measure import in_turns
from tests.bench.report import Figure, Report, seconds

LANGUAGES = ("en", "zh")
STEPS = 120
"""Frames of one scroll from the first row to the last."""
SCROLL = """([steps]) => new Promise((done) => {
  const rows = document.querySelector(".window");
  rows.scrollIntoView();
  const far = rows.scrollHeight - rows.clientHeight;
  const frames = [];
  let last = performance.now();
  const step = () => {
    const now = performance.now();
    frames.push(now - last);
    last = now;
    rows.scrollTop = far * frames.length / steps;
    if (frames.length < steps) { requestAnimationFrame(step); } else { setTimeout(() => done(frames), 200); }
  };
  requestAnimationFrame(step);
})"""


def measure_browsing(browser: Browser, work: Path, attempts: int, repeats: int, report: Report) -> None:
    """How long frames take while the table is scrolled, and whether a page asks for or complains of anything.

    Raises RuntimeError if what a reader would see is not there, such as the last attempt after the last row.
    """
    site = work / f"site-{attempts}"
    complaints: list[str] = []
    found = in_turns(repeats, {language: _reader(browser, site, language, complaints) for language in LANGUAGES})
    for figure, name, guide in (
        ("median", "a frame while the table is scrolled from end to end", ""),
        ("slowest", "the slowest of those frames", "under 0.1 s"),
        ("details", "from the last row to its details", "under 1 s"),
        ("back", "and back to the table", "under 1 s"),
    ):
        en, zh = (seconds(found[language][figure]) for language in LANGUAGES)
        report.add(Figure(f"{name}, {attempts:,} rows", en, f"the same in Chinese: {zh}", guide=guide))
    report.add(
        Figure(
            "requests and complaints of those pages",
            str(len(complaints)),
            "; ".join(complaints[:3]),
            len(complaints),
            limits.COMPLAINTS,
        )
    )


def _reader(browser: Browser, site: Path, language: str, complaints: list[str]) -> Callable[[], dict[str, float]]:
    page = site / language / table_page(site).relative_to(site / "en")

    def once() -> dict[str, float]:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(180_000)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on("request", lambda asked: None if asked.url.startswith("file:") else complaints.append(asked.url))
        tab.goto(page.as_uri())
        tab.wait_for_selector("[data-ready] tbody td")
        frames = sorted(tab.evaluate(SCROLL, [STEPS]))
        details = _details(tab)
        back = _back(tab)
        context.close()
        return {
            "median": frames[len(frames) // 2] / 1000,
            "slowest": frames[-1] / 1000,
            "details": details,
            "back": back,
        }

    return once


def _details(tab: Page) -> float:
    """Seconds from a click on the last row until the anchor of its attempt stands there."""
    last = tab.locator(".window tbody th a").last
    name = last.inner_text()
    begun = tab.evaluate("Date.now()")
    last.click()
    tab.wait_for_load_state()
    if not tab.evaluate("document.querySelector(':target') !== null") or name not in unquote(tab.url):
        raise RuntimeError(f"the last row leads to {tab.url}, which is not the place of {name}")
    return float(tab.evaluate("Date.now()") - begun) / 1000


def _back(tab: Page) -> float:
    begun = tab.evaluate("Date.now()")
    tab.go_back()
    tab.wait_for_selector("[data-ready] tbody td")
    return float(tab.evaluate("Date.now()") - begun) / 1000
