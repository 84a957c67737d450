"""Audits one observation of a run that is not published: is it eligible, and what may be said of it.

Evidence is bound to the commit it was made from. Once the project stands at another one, nothing is said.
"""

from runner.contract.attempt import Attempt
from runner.contract.canonical import Json, parse
from runner.contract.comparison.detail import ComparisonDetail, NoObservation
from runner.contract.comparison.observation import OBSERVATION_FILE
from runner.contract.evidence import CommittedSource, Source, UnknownSource
from runner.errors import AuditRefusedError, UsageError
from runner.reading.sealed import SealedRun

_CLAIMS: dict[str, Json] = {
    "scope": "one observation only",
    "lane_comparison": "not-claimed",
    "causality": "not-claimed",
    "significance": "not-claimed",
    "publication_authority": False,
}


def audit(sealed: SealedRun, head: Source, attempt_id: str) -> dict[str, Json]:
    """What an audit says of one attempt of a run that was opened, and so verified.

    Raises `UsageError` for an attempt that there is none of, `AuditRefusedError` unless the run was made from the
    clean commit the project is at, and the attempt was judged and observed in all twelve metrics.
    """
    name = f"{sealed.run.study} {sealed.run.run}"
    if attempt_id not in sealed.lines:
        raise UsageError(f"no attempt {attempt_id!r}", f"there are: {', '.join(sealed.lines)}", where=name)
    _refuse_drift(sealed, head, name)
    attempt = sealed.attempt(attempt_id)
    path = f"artifacts/{attempt_id}/{OBSERVATION_FILE}"
    observed = _observation(sealed, attempt, path, name)
    return {
        "format": "sealbook.comparison.audit/1",
        "study": sealed.run.study,
        "run": sealed.run.run,
        "plan_sha256": sealed.run.plan_sha256,
        "commit": head.commit if isinstance(head, CommittedSource) else "",
        "observation": {"path": path, "sha256": sealed.file(path).sha256},
        "eligibility": {
            **_eligibility(attempt),
            "complete_matrix_present": sealed.run.analysis.disposition.value == "complete",
            "complete_matrix_required": False,
        },
        "fixture": observed["fixture"],
        "outcome": observed["outcome"],
        "metrics": observed["metrics"],
        "acceptance": observed["acceptance"],
        "claims": {
            **_CLAIMS,
            "agent_execution": "none: a script stood in for a model" if observed["fixture"] else "as recorded",
        },
    }


def _eligibility(attempt: Attempt) -> dict[str, Json]:
    detail = attempt.detail
    reasons = detail.ineligible if isinstance(detail, ComparisonDetail) else ()
    if reasons:
        said: list[Json] = [{"because": reason.because.value, "text": reason.text} for reason in reasons]
        return {"status": "ineligible", "basis": "the attempt itself says why", "reasons": said}
    return {"status": "eligible-single-observation", "basis": "complete observation and evidence validated"}


def _refuse_drift(sealed: SealedRun, head: Source, name: str) -> None:
    made = sealed.run.source
    todo = "run it again at the commit the project is at"
    if isinstance(made, UnknownSource) or isinstance(head, UnknownSource):
        raise AuditRefusedError("the commit of the run or of the project is not known", todo, where=name)
    if made.modified:
        raise AuditRefusedError(f"the project was modified when it was made ({made.modified[0]})", todo, where=name)
    if made.commit != head.commit:
        what = f"it was made from {made.commit[:12]}, and the project is at {head.commit[:12]} now"
        raise AuditRefusedError(what, todo, where=name)


def _observation(sealed: SealedRun, attempt: Attempt, path: str, name: str) -> dict[str, Json]:
    detail = attempt.detail
    if not isinstance(detail, ComparisonDetail):
        raise UsageError("no comparison, and only those have observations to audit", "", where=name)
    if isinstance(detail.observed, NoObservation):
        what = f"{attempt.attempt} has no usable observation: {detail.observed.reason}"
        raise AuditRefusedError(what, "audit another attempt", where=name)
    value = parse(sealed.data(path), file=path)
    assert isinstance(value, dict)  # noqa: S101 -- the reader has compared it with its model
    return value
