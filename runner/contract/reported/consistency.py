"""What is wrong with a record beyond the form of its fields: each problem with its key path."""

from collections.abc import Iterator, Sequence

from runner.contract.errors import Problem
from runner.contract.parity.gate import Pairs
from runner.contract.reported.recompute import recompute
from runner.contract.reported.record import Measured, PublishedInstant, PublishedTime, Reported
from runner.contract.values import twice

UNIT_DECIMALS = 6
"""Of a millisecond, in nanoseconds."""


def problems(record: Reported, *, file: str) -> tuple[Problem, ...]:
    """Everything in `record` that does not fit together, in the order of the file."""
    found = (*_names(record), *_order(record), *_rows(record), *_declared(record))
    return tuple(Problem(file, where, what, todo) for where, what, todo in found)


_Found = Iterator[tuple[str, str, str]]


def _names(record: Reported) -> _Found:
    named: tuple[tuple[str, Sequence[str]], ...] = (
        ("measures", [item.id for item in record.measures]),
        ("cases", [item.id for item in record.cases]),
        ("versions", [item.id for item in record.versions]),
        ("said", [item.id for item in record.said]),
        ("limits", [item.id for item in record.limits]),
        ("findings", [item.at for item in record.findings]),
    )
    for where, names in named:
        if repeated := twice(names):
            yield where, f"stands twice: {', '.join(repeated)}", "name each once"


def _order(record: Reported) -> _Found:
    latest = ""
    for number, version in enumerate(record.versions):
        if not isinstance(version.ran, PublishedInstant):
            continue
        if version.ran.instant[:10] < latest[:10] or (
            len(version.ran.instant) == len(latest) and version.ran.instant < latest
        ):
            todo = "put versions in order of time"
            yield (
                f"versions[{number}].ran.instant",
                f"{version.ran.instant} lies before {latest} of a version above",
                todo,
            )
        latest = max(latest, version.ran.instant)


def _rows(record: Reported) -> _Found:
    for number, version in enumerate(record.versions):
        names = [measured.measure for measured in version.measured]
        if repeated := twice(names):
            todo = "put the rows of a measure together"
            yield f"versions[{number}].measured", f"stands twice: {', '.join(repeated)}", todo
        for index, measured in enumerate(version.measured):
            yield from _measured(record, measured, f"versions[{number}].measured[{index}]")


def _measured(record: Reported, measured: Measured, place: str) -> _Found:
    measure = record.measure(measured.measure)
    if measure is None:
        known = ", ".join(item.id for item in record.measures)
        yield f"{place}.measure", f"no measure {measured.measure!r}", f"name one of {known}"
        return
    step = 10 ** (UNIT_DECIMALS - measure.decimals)
    keys = [f"{row.case} {row.statistic}" for row in measured.rows]
    if repeated := twice(keys):
        yield f"{place}.rows", f"stands twice: {', '.join(repeated)}", "give a case each statistic once"
    for index, row in enumerate(measured.rows):
        where = f"{place}.rows[{index}]"
        if record.case(row.case) is None:
            known = ", ".join(item.id for item in record.cases)
            yield f"{where}.case", f"no case {row.case!r}", f"name one of {known}"
        for name, time in (("base", row.base), ("head", row.head)):
            if isinstance(time, PublishedTime) and time.ns % step:
                what = f"{time.ns} ns has more than {measure.decimals} decimals of a millisecond"
                yield f"{where}.{name}.ns", what, "write it as published, or correct `decimals` of its measure"
        if row.verdict and row.verdict.verdict == "pass" and row.verdict.reason:
            yield f"{where}.verdict.reason", f"a pass with the reason {row.verdict.reason}", "remove it"
    if isinstance(measured.samples, Pairs) and not measured.samples.complete:
        yield f"{place}.samples.complete", "no pair is complete, but there are figures", "correct the count"


def _declared(record: Reported) -> _Found:
    """Differences that no finding names, and findings where nothing differs."""
    declared = {finding.at for finding in record.findings}
    differs = recompute(record).differs
    for item in differs:
        if item.at not in declared:
            what = f"published {item.published}, but its own figures give {item.computed}"
            todo = f"correct it, or declare it in `findings` with at = {item.at!r}"
            yield item.at, what, todo
    places = {item.at for item in differs}
    for index, finding in enumerate(record.findings):
        if finding.at not in places:
            what = f"nothing published at {finding.at[:200]!r} differs from its figures"
            yield f"findings[{index}].at", what, "name a place that differs, or remove the finding"
