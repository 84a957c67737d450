"""Measures search from disk over a thousand synthetic pages, beside loading a script of the same size."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser

from sitegen.pages.page import Frame, PageView
from sitegen.search import search_index
from tests.bench import limits
from tests.bench.browser import floor, opened, write_floor
from tests.bench.measure import in_turns
from tests.bench.report import Figure, Report, seconds

PAGES = 1000
SECTIONS = 8
WORDS = ("lease", "owner", "crash", "sealed", "attempt", "criterion", "recovered", "evidence", "digest", "refused")
HAN = "研究规程清单计划任务组重复尝试判据结果用量证据封存计数门限搁置主张局限许可评审"
FIELD = "[data-search] input"
TYPED = """([wanted]) => new Promise((done) => {
  const field = document.querySelector("[data-search] input");
  const status = document.querySelector("[data-status]");
  const loading = document.querySelector("[data-search]").getAttribute("data-loading");
  const begun = performance.now();
  field.focus();
  field.value = wanted;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const look = () => status.textContent && status.textContent !== loading
    ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun))) : setTimeout(look);
  look();
})"""


def write_index(file: Path, language: str) -> None:
    """Replace an index by that of a thousand made-up pages of about 300 words or 600 characters each."""
    frame = Frame(
        "en" if language == "en" else "zh", "zh" if language == "en" else "en", f"{language}/", "", "", None, None, ()
    )
    pages = [
        (
            PageView(
                frame=frame,
                path=f"results/{number}.html",
                template="result.html",
                title=f"Page {number}",
                description="",
                section="",
            ),
            f"<main>{''.join(_section(number, part, language) for part in range(SECTIONS))}</main>",
        )
        for number in range(PAGES)
    ]
    file.write_bytes(search_index(pages))


def _section(page: int, part: int, language: str) -> str:
    seed = page * SECTIONS + part
    if language == "en":
        text = " ".join(f"{WORDS[(seed * 7 + at * at) % len(WORDS)]}{(seed * at) % 97 or ''}" for at in range(40))
    else:
        text = "".join(HAN[(seed * 13 + at * at * 7 + at) % len(HAN)] for at in range(80))
    return f'<h2 id="s{part}">Part {part}</h2><p>{text}</p>'


def measure_search(browser: Browser, site: Path, work: Path, repeats: int, report: Report) -> None:
    """The first keystroke, which loads the index, and the later ones, in both languages."""
    for language, words in (
        ("en", ("l", "le", "lease", "lease cr", "lease crash")),
        ("zh", ("证", "证据", "证据封", "证据封存")),
    ):
        index = site / language / "search" / "index.js"
        write_index(index, language)
        bare = write_floor(work / f"floor-search-{language}", index, 1)
        found = in_turns(
            repeats,
            {"ours": _typed(browser, site / language / "search" / "index.html", words), "floor": floor(browser, bare)},
        )
        size = index.stat().st_size / 1e6
        report.add(
            Figure(
                f"search, first keystroke, {PAGES:,} pages ({language}, index of {size:.1f} MB)",
                seconds(found["ours"]["first"]),
                f"floor, a page with such a script: {seconds(found['floor']['interactive'])}",
                guide=limits.GUIDE_SEARCH["first"],
            )
        )
        report.add(
            Figure(
                f"search, slowest later keystroke, {PAGES:,} pages ({language})",
                seconds(found["ours"]["later"]),
                "",
                guide=limits.GUIDE_SEARCH["later"],
            )
        )


def _typed(browser: Browser, page: Path, words: tuple[str, ...]) -> Callable[[], dict[str, float]]:
    def once() -> dict[str, float]:
        with opened(browser, page, "", FIELD) as (tab, _):
            first, *later = (tab.evaluate(TYPED, [word]) / 1000 for word in words)
            return {"first": first, "later": max(later)}

    return once
