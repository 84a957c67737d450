"""The verbs that make, check and preview the site."""

from collections.abc import Mapping
from typing import Final

VERBS: Final[Mapping[str, tuple[str, str]]] = {
    "build": (
        "sitegen.verbs.building:build_verb",
        "Build the site in both languages from content and verified evidence, all of it or nothing.",
    ),
    "check": (
        "sitegen.verbs.building:check_verb",
        "Check everything a site is made of: sources, evidence, every link, both languages.",
    ),
    "serve": (
        "sitegen.verbs.previewing:serve_verb",
        "Preview the site on this machine; pages reload when a protocol, a template or evidence changes.",
    ),
}
"""Where the function of each verb stands, as MODULE:NAME, and its summary for the list of verbs.

The front door imports a verb when it is used, never before. A summary is the first paragraph of its function's
docstring.
"""
