"""How tests of the table find their way about it."""

GRID = ".window table"
ROWS = f"{GRID} tbody:not(.gap) tr"
COUNT = "[data-count]"
DRAWN = "() => performance.getEntriesByName('sealbook:table-drawn').length"
FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def ready(visit):
    """Wait until the table is there."""
    visit.page.wait_for_selector("[data-ready]")
    return visit.page


def acted(page, act):
    """Do something, and wait until the table was drawn for it."""
    before = page.evaluate(DRAWN)
    act()
    page.wait_for_function(f"(before) => ({DRAWN})() > before", arg=before)
    page.evaluate(FRAME)


def column(page, number: int) -> list[str]:
    """What stands in one column of the rows that are drawn."""
    return page.locator(f"{ROWS} > :nth-child({number})").all_inner_texts()
