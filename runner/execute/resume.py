"""Whether a run may be resumed: only under the manifest, the runner and the source it began with."""

from runner.contract.comparison.tasks import ComparisonTasks
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
    elif planned != plan:
        differences.append(_other_plan(planned, plan))
    if began.runner != runner:
        differences.append("the runner has changed")
    differences += _source(began.source, source)
    differences += _facts(began.facts, facts)
    if differences:
        todo = "restore what it began with to finish it, or start a new run with --new"
        raise RunChangedError(f"this run is unfinished, and {'; '.join(differences)}", todo, where=began.run)


def _other_plan(planned: Plan, plan: Plan) -> str:
    one, other = planned.tasks, plan.tasks
    if (planned.study, planned.manifest) != (plan.study, plan.manifest):
        return "the manifest has changed"
    if isinstance(one, ComparisonTasks) and isinstance(other, ComparisonTasks) and one.backend != other.backend:
        return f"it began with the backend {one.backend}, and now {other.backend} is asked for"
    return "other attempts of the study are asked for now"


def _facts(began: Facts, now: Facts) -> list[str]:
    """What a run was about to run on, and does not any more."""
    if began == now:
        return []
    if not isinstance(began, ComparisonFacts) or not isinstance(now, ComparisonFacts):
        return ["the subjects are not the ones it began with"]
    words = {
        "jobs": f"it began with --jobs {began.jobs}, and now {now.jobs} are asked for",
        "inputs": "the backend's configuration is not the one it began with",
        "library": f"{now.library.name} is of the version {now.library.version}, not {began.library.version}",
        "probes": "the probes are not the ones it began with",
    }
    found = [text for name, text in words.items() if getattr(began, name) != getattr(now, name)]
    if found or began.backend != now.backend:  # another backend is told by the plan
        return found
    return ["the backend is not the one it began with"]  # the configuration decides whether the same one is a script


def _source(began: Source, now: Source) -> list[str]:
    if isinstance(began, CommittedSource) and isinstance(now, CommittedSource):
        if began.commit != now.commit:
            return [f"the source was at {began.commit[:12]} and is at {now.commit[:12]}"]
        if now.modified and not began.modified:
            return [f"the source was clean, and {now.modified[0]} is modified now"]
        return []
    return [] if began == now else ["the state of the source is known at one time only"]
