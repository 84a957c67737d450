"""How somebody else makes the run again: the pinned versions, the surroundings, and the commands."""

from collections.abc import Iterator
from dataclasses import dataclass

from runner.contract.evidence import CommittedSource
from runner.contract.parity.variant import Variant
from runner.contract.plan import as_parity
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.parity.receipts import facts_of
from sitegen.pages.quotes import Bound
from sitegen.pages.report import OPTIONS
from sitegen.pages.wording import system_words
from sitegen.sources import RunSource

SCRATCH = "/tmp/sealbook-replay"  # noqa: S108 -- a name for a reader's shell; nothing here opens it
HASH_SEED = "PYTHONHASHSEED=0"
"""What the runner gives every process, whatever the manifest adds."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What a replay needs, and what it types."""

    facts: tuple[tuple[str, str, Bound | None], ...]
    """Name, words, and where the value is quoted, if it stands in run.json."""
    commands: tuple[str, ...]


def replay(edition: Edition, run: RunSource) -> Replay:
    """The instructions for one run."""
    return Replay(tuple(_facts(edition, run)), tuple(_commands(edition, run)))


def _facts(edition: Edition, run: RunSource) -> Iterator[tuple[str, str, Bound | None]]:
    say, quotes = edition.say, edition.quotes(run)
    design, _ = as_parity(run.sealed.plan)
    yield say("replay.python"), facts_of(run).python, quotes.at("/facts/python")
    yield say("fact.system"), system_words(run.sealed.run.environment), quotes.at("/environment/system")
    for variant in design.variants:
        made_from = variant.artifact if isinstance(variant, Variant) else say("replay.commit", commit=variant.commit)
        yield edition.words(variant.title), f"{made_from} · {edition.catalog.word(variant.build)}", None
    variables = ", ".join([HASH_SEED, *(f"{item.name}={item.value}" for item in design.variables)])
    yield say("replay.variables"), variables, None
    yield say("parity.clock"), figures.instant(design.clock), None
    yield say("replay.scratch"), say("replay.scratch-text", folder=SCRATCH), None


def _commands(edition: Edition, run: RunSource) -> Iterator[str]:
    record = run.sealed.run
    repository = edition.frame.repository
    if repository and isinstance(record.source, CommittedSource):
        yield f"git clone {repository} sealbook\ncd sealbook\ngit checkout {record.source.commit}\nmake setup"
    option = OPTIONS.get(record.selection, "")
    yield (
        f"mkdir -p {SCRATCH}\nexport TMPDIR={SCRATCH}\n"
        f"sealbook prepare {record.study}\nsealbook run {record.study}{option}"
    )
