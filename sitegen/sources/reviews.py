"""Reviews have no form yet: a file that claims to be one is refused, so that none is left out in silence."""

from pathlib import Path

from sitegen.errors import Collected

REVIEWS = "content/reviews"
WHAT = "reviews cannot be read yet, and this one would not be shown"


def refuse_reviews(root: Path, found: Collected) -> None:
    """Note every visible file below content/reviews."""
    folder = root / REVIEWS
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if path.is_file() and not path.name.startswith("."):
            file = path.relative_to(root).as_posix()
            found.add(file, "", WHAT, "keep it elsewhere for now")
