"""Measures tables and search in Chromium, from disk: until a reader can use them, and how long each wish takes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

WATCH = """(() => {
  const look = () => {
    if (document.querySelector(%r)) {
      requestAnimationFrame(() => { window.benchReady = performance.now(); });
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
})()"""
"""Notes the frame after the one in which the wanted element is there: what is asked then is answered at once."""
READY = """() => new Promise((done, fail) => {
  setTimeout(() => fail(new Error("not ready after three minutes")), 180000);
  const look = () => window.benchReady ? done(window.benchReady) : requestAnimationFrame(look);
  look();
})"""
DO = """([act, state]) => new Promise((done) => {
  const now = () => eval(state);
  const before = now();
  const begun = performance.now();
  eval(act);
  const drawn = () => setTimeout(() => done(performance.now() - begun));
  const look = () => now() === before ? setTimeout(look) : requestAnimationFrame(drawn);
  look();
})"""
"""Does something, and waits until what is looked at has changed and the frame that shows it is drawn."""
TYPE = """{ const field = document.querySelector(%r);
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, %r);
  field.dispatchEvent(new Event(%r, { bubbles: true })); }"""


@dataclass(frozen=True, slots=True)
class Table:
    """How one table is asked: where it shows a row, and what filters and sorts it."""

    page: Path
    fragment: str
    ready: str
    """Matches once rows are shown that can be asked about."""
    shown: str
    """An expression: what tells that other rows are shown."""
    filter: str
    sort: str


def ours(page: Path) -> Table:
    """The site's own table."""
    return Table(
        page,
        "",
        "[data-ready] tbody td",
        "document.querySelector('[data-count]').textContent + document.querySelector('.window tbody th').textContent",
        TYPE % ("[data-words]", "rejected", "input"),
        "document.querySelector('[data-sort=duration], th button.sort.number, th.number button.sort').click()",
    )


def theirs(page: Path) -> Table:
    """The peer's table: its own filter of the status column, and a click on the head of a column of numbers."""
    return Table(
        page,
        "#/table",
        ".td .row_id",
        "document.body.innerText.match(/Showing [0-9]+ of/)[0] + document.querySelector('.row_id').textContent",
        TYPE % ("select.filter-field", "rejected", "change"),
        "document.querySelectorAll('.header-sort-container')[4].click()",
    )


@contextmanager
def chromium(path: str) -> Iterator[Browser]:
    """A Chromium without a window, network or GPU."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, page: Path, fragment: str, ready: str) -> Iterator[tuple[Page, float]]:
    """A page from disk in a fresh profile, and the seconds until `ready` matched. The page may run our measures."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    context.set_default_timeout(180_000)
    context.add_init_script(WATCH % ready)
    tab = context.new_page()
    tab.goto(page.as_uri() + fragment)
    yield tab, tab.evaluate(READY) / 1000
    context.close()


def asked(browser: Browser, table: Table) -> Callable[[], dict[str, float]]:
    """Open a table, sort it, filter it: a contender."""

    def once() -> dict[str, float]:
        with opened(browser, table.page, table.fragment, table.ready) as (tab, interactive):
            tab.wait_for_timeout(300)
            sort = tab.evaluate(DO, [table.sort, table.shown]) / 1000
            tab.wait_for_timeout(300)
            chosen = tab.evaluate(DO, [table.filter, table.shown]) / 1000
            return {"interactive": interactive, "sort": sort, "filter": chosen}

    return once


def floor(browser: Browser, page: Path) -> Callable[[], dict[str, float]]:
    """Open a bare page that loads a script and sorts a plain array: a contender."""

    def once() -> dict[str, float]:
        with opened(browser, page, "", "[data-ready]") as (tab, interactive):
            return {"interactive": interactive, "sort": tab.evaluate("window.benchSort()") / 1000}

    return once


def write_floor(folder: Path, script: Path, rows: int) -> Path:
    """Write the bare page: it loads `script`, shows that it is there, and can sort an array of `rows` numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "data.js").write_bytes(script.read_bytes())
    page = folder / "index.html"
    page.write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Floor</title><body>
<script src="data.js"></script>
<script>
const numbers = Array.from({{ length: {rows} }}, (_, at) => (at * 2654435761) % 4294967296);
window.benchSort = () => {{
  const order = numbers.map((_, at) => at);
  const begun = performance.now();
  order.sort((a, b) => numbers[a] - numbers[b]);
  return performance.now() - begun;
}};
document.body.dataset.ready = "";
</script></body></html>""",
        encoding="utf-8",
    )
    return page
