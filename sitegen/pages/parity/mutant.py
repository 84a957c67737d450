"""Whether the harness was shown to notice a change: the mutant, and how it failed."""

from dataclasses import dataclass

from runner.contract.parity.design import MUTANT
from runner.contract.parity.detail import MutantDetail, ParityDetail
from runner.contract.parity.tasks import row_name
from runner.contract.plan import as_parity
from sitegen.pages import marks
from sitegen.pages.attempt_place import attempt_place
from sitegen.pages.edition import Edition
from sitegen.pages.happenings import Versus, judged
from sitegen.pages.marks import Mark
from sitegen.pages.page import Link
from sitegen.pages.parity.receipts import analysis_of, current
from sitegen.pages.planned import task_words
from sitegen.pages.quotes import Bound
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class Changed:
    """The changed copy, beside the original."""

    file: str
    matches: Bound
    original: str
    original_bound: Bound
    mutant: str
    mutant_bound: Bound
    failed: tuple[str, ...]
    """The criteria of the scenario that the mutant did not meet, in order."""


@dataclass(frozen=True, slots=True)
class MutantProof:
    """What the mutant showed of the harness."""

    mark: Mark
    state: Bound
    row: str
    invariant: str
    criterion: str
    status: int
    """The exit status that is declared for it."""
    attempt: Link | None
    versus: tuple[Versus, ...]
    """What was judged of the attempt, each with what was expected and observed."""
    changed: Changed | None
    """None where no copy was made."""


def mutant_proof(edition: Edition, run: RunSource) -> MutantProof:
    """The mutant of a run."""
    design, _ = as_parity(run.sealed.plan)
    mutation = design.mutation
    row = row_name(mutation.backend, mutation.scenario)
    attempt = current(run, MUTANT, row)
    quotes = edition.quotes(run)
    changed = None
    if attempt and isinstance(attempt.detail, ParityDetail) and isinstance(attempt.detail.what, MutantDetail):
        did = attempt.detail.what
        changed = Changed(
            did.file,
            quotes.in_attempt(attempt, "/detail/what/matches"),
            did.original_sha256,
            quotes.in_attempt(attempt, "/detail/what/original_sha256"),
            did.mutant_sha256,
            quotes.in_attempt(attempt, "/detail/what/mutant_sha256"),
            did.failed,
        )
    return MutantProof(
        mark=marks.of_parity(analysis_of(run).mutation, edition.catalog),
        state=quotes.at("/analysis/mutation"),
        row=task_words(edition, run.sealed.plan, MUTANT, row),
        invariant=edition.words(mutation.invariant),
        criterion=mutation.criterion,
        status=mutation.exit_status,
        attempt=edition.link(attempt.attempt, attempt_place(run, attempt.attempt)) if attempt else None,
        versus=judged(run.sealed.events(attempt.attempt), edition.catalog) if attempt else (),
        changed=changed,
    )
