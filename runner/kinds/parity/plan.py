"""Every attempt of a parity study and every exclusion. Pure."""

from runner.contract.parity.schedule import left_out, scheduled
from runner.contract.plan import Exclusion, ExclusionReason, Plan, Selection, Slot
from runner.contract.values import Text
from runner.errors import UsageError
from runner.reading.manifest import FrozenStudy

LEFT_OUT = Text(
    en="A run for correctness alone measures nothing.",
    zh="仅做正确性检验的运行不作任何测量。",
)


def plan(study: FrozenStudy, selection: Selection) -> Plan:
    """Plan a run.

    Raises `UsageError` for a quick run: nothing in a parity study waits in real time.
    """
    if selection is Selection.quick:
        what = "a parity study has no check that waits in real time, so that there is no quick run of it"
        raise UsageError(
            what, "use --correctness-only, which measures nothing, or --reduced-timings", where=study.study.id
        )
    return Plan(
        format="sealbook.plan/1",
        study=study.study,
        tasks=study.tasks,
        manifest=study.files,
        selection=selection,
        verdict_rule="last-attempt-of-slot",
        slots=tuple(Slot(arm=arm, task=task, trial=trial) for arm, task, trial in scheduled(study, selection)),
        exclusions=tuple(
            Exclusion(arm=arm, task=task, reason=ExclusionReason.left_out_of_correctness_run, text=LEFT_OUT, proof=None)
            for arm, task in left_out(study, selection)
        ),
    )
