"""Tells records of what comes from a package index and of what comes from a commit apart.

The first ones were there before there was anything to tell them from, and their sealed form stays as it is.
"""

from pydantic import Discriminator

# Validation puts these between the keys that it names; no key of a document is called so.
FROM_PACKAGE = "from-package"
FROM_COMMIT = "from-commit"


def _origin_of(value: object) -> str:
    """The origin that a record or its document states; a package index, where it states none."""
    stated = value.get("origin", "package") if isinstance(value, dict) else getattr(value, "origin", "package")
    return f"from-{stated}"


BY_ORIGIN = Discriminator(
    _origin_of, custom_error_type="origin", custom_error_message="origin is neither package nor commit"
)
