"""Makes documents for tests of prose, and renders them where every link leads somewhere."""

from sitegen import prose
from sitegen.sources import Document

FIGURES = {"/tally/accepted": prose.Bound("6", "../evidence/x.html#run.json.tally.accepted")}


def document(body: str, *, language: str = "zh", path: str = "content/protocols/tiny/0.1.zh.md") -> Document:
    """A document whose body begins in line 8 of its file."""
    return Document(path, language, "Title", "Summary", {}, body, 8)


def rendered(body: str, *, language: str = "zh") -> prose.Prose:
    """`body` rendered; the one figure there is is /tally/accepted, and each relative link is itself."""
    return prose.render(document(body, language=language), resolve=FIGURES.get, link=lambda target: target)
