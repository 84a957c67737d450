"""A real Chromium, and one built site that it opens from disk."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from os.path import relpath
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from tests.plugins.sites import PROJECT
from tests.sitegen.pages.kinds import DETAIL_PAGE, DETAILS
from tests.sitegen.pages.kinds import places as every_place
from tests.sitegen.tables.made import write_pages


@dataclass
class Visit:
    """One tab, and what it did that no page of ours may do."""

    page: Page
    requests: list[str] = field(default_factory=list)
    """Everything it asked for that is not on this disk."""
    complaints: list[str] = field(default_factory=list)
    """Console messages of any kind, errors and dialogs."""

    def asked(self, url: str) -> None:
        """Note a request that leaves the disk."""
        if not url.startswith("file:"):
            self.requests.append(url)

    def asked_in_a_dialog(self, dialog: Dialog) -> None:
        """Note a dialog and close it."""
        self.complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def go(self, path: Path, *, fragment: str = "") -> None:
        """Open another page in the same tab."""
        self.page.goto(path.as_uri() + fragment)

    def faults(self) -> list[str]:
        """All of it."""
        return self.requests + self.complaints


Open = Callable[..., AbstractContextManager[Visit]]


@pytest.fixture(scope="session")
def chromium(required_tool) -> Iterator[Browser]:
    """The system's Chromium. It is driven through a pipe and needs no network."""
    path = required_tool("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(path), args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def disk(full_site) -> Path:
    """The built site of the full project."""
    return full_site


@pytest.fixture(scope="session")
def places(disk, paged_site) -> dict[str, str]:
    """One page of each kind in each language, from the root of the site: `{"result.en": "en/results/…", …}`.

    That of shared attempts lies in another site, beside this one.
    """
    shared = {f"{DETAILS}.{language}": relpath(paged_site / language / DETAIL_PAGE, disk) for language in ("en", "zh")}
    return every_place(disk.parent / PROJECT) | shared


@pytest.fixture
def tab(chromium) -> Open:
    """Open a page from disk: `with tab(path, width=360, script=False) as visit`."""

    @contextmanager
    def opened(
        path: Path,
        *,
        fragment: str = "",
        width: int = 1280,
        script: bool = True,
        scheme: str = "light",
        zone: str = "UTC",
    ) -> Iterator[Visit]:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=script, color_scheme=scheme, timezone_id=zone
        )
        page = context.new_page()
        visit = Visit(page)
        page.on("request", lambda request: visit.asked(request.url))
        page.on("console", lambda message: visit.complaints.append(message.text))
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        page.on("dialog", visit.asked_in_a_dialog)
        visit.go(path, fragment=fragment)
        yield visit
        context.close()

    return opened


@pytest.fixture
def pages(tmp_path):
    """Make the pages of a table: `pages(table)["en"]`."""
    return lambda table, **more: write_pages(table, tmp_path / "a site", tmp_path / "project", **more)
