"""What a site gains from knowing where it will be published: feed, sitemap, and names where its address is shared."""

import re
from xml.etree import ElementTree as ET

import pytest

from sitegen.catalog import read_catalogs
from sitegen.pages.page import Frame
from sitegen.pages.sitemap import sitemap_documents
from sitegen.render import renderer
from tests.sitegen.built import make_site
from tests.sitegen.pages.sample import a_full_project
from tests.sitegen.projects import RESULT, replace

BASE = "https://example.org/evidence"
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ALTERNATE = "{http://www.w3.org/1999/xhtml}link"
HOSTILE = "</title>]]>&<x y=''>\\uFFFE\\u202E"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = a_full_project(tmp_path_factory.mktemp("published"))
    replace(root, "content/site.toml", "title", f'base_url = "{BASE}"\ntitle')
    return root


@pytest.fixture(scope="module")
def files(project):
    return make_site(project).files


def place(address: str | None) -> str:
    """The file of the site that an absolute address names."""
    assert address is not None
    assert address.startswith(f"{BASE}/")
    return address.removeprefix(f"{BASE}/") or "index.html"


@pytest.mark.parametrize(("language", "tag", "title"), [("en", "en", "First result"), ("zh", "zh-Hans", "首个结果")])
def test_the_feed_lists_dated_results_newest_first_with_times_from_the_sources(files, language, tag, title):
    feed = ET.fromstring(files[f"{language}/feed.xml"])

    assert feed.get("{http://www.w3.org/XML/1998/namespace}lang") == tag
    entries = feed.findall(f"{ATOM}entry")
    assert entries[0].findtext(f"{ATOM}title") == title
    # The run of the first ended at 01:02:04 of its day; nothing ran for the second.
    updated = [entry.findtext(f"{ATOM}updated") for entry in entries]
    assert updated == ["2026-11-30T01:02:04Z", "2026-11-29T00:00:00Z"]
    assert feed.findtext(f"{ATOM}updated") == updated[0]
    for element in (feed, *entries):
        assert all(element.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    for link in feed.iter(f"{ATOM}link"):
        assert place(link.get("href")) in files
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 2


def test_hostile_titles_are_text_in_the_feed(project, tmp_path_factory):
    root = a_full_project(tmp_path_factory.mktemp("hostile"))
    replace(root, "content/site.toml", "title", f'base_url = "{BASE}"\ntitle')
    replace(root, RESULT.format("en"), 'title = "First result"', f'title = "{HOSTILE}"')

    feed = ET.fromstring(make_site(root).files["en/feed.xml"])

    assert feed.findtext(f"{ATOM}entry/{ATOM}title") == "</title>]]>&<x y=''>⟦U+FFFE⟧⟦U+202E⟧"


def test_the_sitemap_lists_every_page_once_with_its_addresses_in_all_languages(files):
    sitemap = ET.fromstring(files["sitemap.xml"])
    listed = {}
    for entry in sitemap.findall(f"{MAP}url"):
        address = place(entry.findtext(f"{MAP}loc"))
        assert address not in listed
        listed[address] = {link.get("hreflang"): place(link.get("href")) for link in entry.findall(ALTERNATE)}

    assert listed.keys() == {
        path for path in files if path.endswith(".html") and not path.startswith(("evidence/", "data/"))
    }
    assert listed.pop("index.html") == {}
    for address, alternates in listed.items():
        below = address.partition("/")[2]
        assert alternates == {"en": f"en/{below}", "zh-Hans": f"zh/{below}"}


def test_a_sitemap_with_too_many_addresses_is_an_index_over_several():
    frame = Frame("en", "zh", "", "A", "B", f"{BASE}/", None, ())
    theme, catalog = renderer(), read_catalogs()["en"]
    written = {view.location: theme.page(view, catalog) for view in sitemap_documents(frame, ["a.html"] * 4, limit=4)}

    index = ET.fromstring(written.pop("sitemap.xml"))
    assert [place(item.text) for item in index.iter(f"{MAP}loc")] == list(written)
    assert [len(ET.fromstring(text)) for text in written.values()] == [4, 4, 1]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_pages_name_themselves_for_places_that_show_a_shared_address(files, language):
    page = files[f"{language}/results/2026-11-30-first.html"].decode()
    told = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page))

    assert told["og:type"] == "article"
    assert told["article:published_time"] == "2026-11-30"
    assert place(told["og:url"]) == f"{language}/results/2026-11-30-first.html"
    assert not [name for name in told if name.startswith("og:image")], "the theme has no picture that they show"
    assert told["og:locale"] == {"en": "en_US", "zh": "zh_CN"}[language]
    assert told["og:title"] == {"en": "First result", "zh": "首个结果"}[language]
    home = files[f"{language}/index.html"].decode()
    assert '<meta property="og:type" content="website">' in home
    assert 'type="application/atom+xml"' in home


def test_without_a_base_url_nothing_of_it_is_written(full_files):
    assert not [path for path in full_files if path.endswith(".xml")]
    for path, data in full_files.items():
        if path.endswith(".html"):
            assert b"og:" not in data, path
            assert b"atom+xml" not in data, path
