"""Whether a run may be resumed: only under the manifest, the runner and the source it began with."""

from runner.contract.evidence import Beginning, CommittedSource, ComparisonFacts, Facts, RunnerIdentity, Source
from runner.contract.plan import Plan
from runner.errors import RunChangedError


def refuse_if_changed(
    began: Beginning,
    planned: Plan,
    plan: Plan,
    source: Source,
    runner: RunnerIdentity,
    facts: Facts,
) -> None:
    """Compare what a run began with to what is there now.

    Raises `RunChangedError` that names everything that differs.
    """
    differences: list[str] = []
    if planned.selection is not plan.selection:
        differences.append(f"it is a {planned.selection.value} run, and now a {plan.selection.value} one is asked for")
    elif planned.slots != plan.slots and planned.study == plan.study:
        differences.append("other attempts of the study are asked for now")
    elif planned != plan:
        differences.append("the manifest has changed")
    if began.runner != runner:
        differences.append("the runner has changed")
    differences += _source(began.source, source)
    differences += _facts(began.facts, facts)
    if differences:
        todo = "restore what it began with to finish it, or start a new run with --new"
        raise RunChangedError(f"this run is unfinished, and {'; '.join(differences)}", todo, where=began.run)


def _facts(began: Facts, now: Facts) -> list[str]:
    if isinstance(began, ComparisonFacts) and isinstance(now, ComparisonFacts) and began.jobs != now.jobs:
        alike = began.model_copy(update={"jobs": now.jobs})
        return [f"it began with --jobs {began.jobs}, and now {now.jobs} are asked for", *_facts(alike, now)]
    return [] if began == now else ["the subjects are not the ones it began with"]


def _source(began: Source, now: Source) -> list[str]:
    if isinstance(began, CommittedSource) and isinstance(now, CommittedSource):
        if began.commit != now.commit:
            return [f"the source was at {began.commit[:12]} and is at {now.commit[:12]}"]
        if now.modified and not began.modified:
            return [f"the source was clean, and {now.modified[0]} is modified now"]
        return []
    return [] if began == now else ["the state of the source is known at one time only"]
