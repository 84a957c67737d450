"""Where each page and each sealed file lies in the site, and how one place names another.

Places are counted from the site's root. `relative` is the one function that turns two places
into a link that works from disk.
"""

import re
from functools import lru_cache
from posixpath import dirname, relpath

from runner.contract.seal import DECISION_FORM
from sitegen.pages.page import EVIDENCE_FOLDER

HOME = "index.html"
PROTOCOLS = "protocols/index.html"
STUDIES = "studies/index.html"
RESULTS = "results/index.html"
REPORTED = "reported/index.html"
ATTEMPTS = "attempts/index.html"
CLAIMS = "claims/index.html"
LICENSES = "licenses/index.html"
REVIEWS = "reviews/index.html"
EVIDENCE = "evidence/index.html"
RULES = "rules/index.html"
GLOSSARY = "glossary/index.html"
SCHEMAS = "schemas/index.html"
FEED = "feed.xml"
"""The Atom feed of a language, below its folder."""
SITEMAP = "sitemap.xml"
"""From the site's root."""
DATA = "data"
"""Below it lies what programs read, once for all languages, by the places of the pages it belongs to."""
SEARCH = "search/index.html"
SEARCH_INDEX = "search/index.js"

_WEB_ADDRESS = re.compile(r"https?://[^\s/]\S*", re.IGNORECASE)


def on_the_web(address: str) -> bool:
    """Whether a text of a manifest may be made a link; any other text, `javascript:` too, stays text."""
    return _WEB_ADDRESS.fullmatch(address) is not None


def protocol(name: str, version: str) -> str:
    """The page of one version of a protocol, below the language's folder."""
    return f"protocols/{name}/{version}.html"


def protocol_difference(name: str, old: str, new: str) -> str:
    """The page of what was changed between two consecutive versions of a protocol."""
    return f"protocols/{name}/{old}...{new}.html"


def study(name: str) -> str:
    """The page of a study."""
    return f"studies/{name}/index.html"


def result(name: str) -> str:
    """The dated page of a result."""
    return f"results/{name}.html"


def reported(name: str) -> str:
    """The page of what somebody else published."""
    return f"reported/{name}.html"


def reported_data(name: str, file: str) -> str:
    """A file for programs that belongs to that page, from the site's root."""
    return f"{DATA}/reported/{name}/{file}"


def run(study_id: str, run_id: str) -> str:
    """The page of a run that no result document speaks about."""
    return f"runs/{study_id}/{run_id}.html"


def two_runs(study_id: str, older: str, newer: str) -> str:
    """The page of a run beside the one before it."""
    return f"runs/{study_id}/{older}...{newer}.html"


def attempts(study_id: str, run_id: str) -> str:
    """The table of all attempts of a run."""
    return f"attempts/{study_id}/{run_id}/index.html"


def attempt(study_id: str, run_id: str, name: str) -> str:
    """The page of one attempt."""
    return f"attempts/{study_id}/{run_id}/{name}.html"


def details(study_id: str, run_id: str, number: int) -> str:
    """The page of that number, from 1, among those that show many attempts of a run each."""
    return f"details/{study_id}/{run_id}/{number:04d}.html"


def part(attempt_place: str, name: str) -> str:
    """A part (`line`, `times`) of an attempt that is shown at `attempt_place`, which may be an anchor itself."""
    return f"{attempt_place}.{name}" if "#" in attempt_place else f"{attempt_place}#{name}"


def evidence(study_id: str, run_id: str) -> str:
    """The page that lists and quotes the evidence of a run."""
    return f"evidence/{study_id}/{run_id}.html"


def sealed_file(study_id: str, run_id: str, path: str) -> str:
    """A sealed file itself, from the site's root."""
    return f"{EVIDENCE_FOLDER}/{study_id}/{run_id}/{path}"


def decision_file(study_id: str, decision_id: str, path: str) -> str:
    """A file of a sealed decision itself, from the site's root. No run is called `decisions`."""
    return f"{EVIDENCE_FOLDER}/{study_id}/{DECISION_FORM.place}/{decision_id}/{path}"


def attempt_data(study_id: str, run_id: str, form: str) -> str:
    """The attempts of a run as `csv` or `jsonl`, from the site's root."""
    return f"{DATA}/attempts/{study_id}/{run_id}/attempts.{form}"


def result_data(page: str) -> str:
    """The JSON document of the result page at `page` (below a language's folder), from the site's root."""
    return f"{DATA}/{page.removesuffix('.html')}/result.json"


def schema(name: str) -> str:
    """The field reference of one schema, below the language's folder."""
    return f"schemas/{name}.html"


def schema_data(name: str) -> str:
    """The JSON Schema itself, from the site's root."""
    return f"{DATA}/schemas/{name}.json"


def attempt_counts(study_id: str, run_id: str) -> str:
    """What the page of a run's attempts counts, as JSON, from the site's root."""
    return f"{DATA}/attempts/{study_id}/{run_id}/table.json"


def attempt_script(study_id: str, run_id: str) -> str:
    """The script from which the table of a run's attempts is loaded, from the site's root."""
    return f"{DATA}/attempts/{study_id}/{run_id}/rows.js"


def receipts(study_id: str, run_id: str) -> str:
    """The receipts of a parity run for programs, from the site's root."""
    return f"{DATA}/attempts/{study_id}/{run_id}/receipts.json"


def crate(study_id: str, run_id: str) -> str:
    """The RO-Crate metadata of a run, from the site's root. The specification fixes the file's name."""
    return f"{DATA}/evidence/{study_id}/{run_id}/ro-crate-metadata.json"


def anchor(file: str, pointer: str) -> str:
    """The id of the place on an evidence page that quotes `pointer` of a JSON file."""
    return file + pointer.replace("/", ".")


def relative(origin: str, target: str) -> str:
    """`target` as a link from the page at `origin`; both are places from the site's root."""
    place, hash_sign, fragment = target.partition("#")
    if place in ("", origin):
        return f"{hash_sign}{fragment}" if fragment else place.rpartition("/")[2] or "#"
    return _relative(place, dirname(origin) or ".") + hash_sign + fragment


@lru_cache(maxsize=4096)
def _relative(target: str, folder: str) -> str:
    """Kept, since the pages of a folder link to the same places thousands of times."""
    return relpath(target, folder)
