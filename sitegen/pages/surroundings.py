"""What a run ran on: times, commit, runner, Python, system, tier and subjects, each quoted from run.json."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from runner.contract.artifact import ArtifactRole
from runner.contract.comparison.detail import ProbeAbsent, ProbeFound
from runner.contract.evidence import (
    CheckoutSubject,
    CommittedSource,
    ComparisonFacts,
    PinnedSubject,
    QualificationFacts,
)
from runner.contract.parity.detail import CommitFacts, ParityFacts
from runner.contract.qualification.design import InstalledSubject
from sitegen import figures
from sitegen.pages.edition import Edition
from sitegen.pages.marks import Mark
from sitegen.pages.quotes import Bound, Quotes
from sitegen.pages.wording import source_state, system_words
from sitegen.sources import RunSource


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of what the run ran on."""

    name: str
    value: str
    bound: Bound | None = None
    digest: str = ""
    mark: Mark | None = None
    items: tuple[str, ...] = ()


def facts(edition: Edition, run: RunSource, quotes: Quotes) -> tuple[Fact, ...]:
    """The surroundings of `run`, line by line."""
    record, say = run.sealed.run, edition.say
    found = [
        Fact(say("fact.started"), figures.instant(record.started_at), quotes.at("/started_at")),
        Fact(say("fact.ended"), figures.instant(record.ended_at), quotes.at("/ended_at")),
    ]
    state = source_state(record.source, edition.catalog)
    if isinstance(record.source, CommittedSource):
        commit = Fact(
            say("fact.commit"),
            "",
            quotes.at("/source/commit"),
            digest=record.source.commit,
            mark=state,
            items=record.source.modified,
        )
    else:
        commit = Fact(say("fact.commit"), record.source.reason, quotes.at("/source/reason"), mark=state)
    environment = record.environment
    found += [
        commit,
        Fact(
            say("fact.runner"),
            say("fact.runner-files", version=record.runner.version, n=record.runner.files),
            quotes.at("/runner/sha256"),
            digest=record.runner.sha256,
        ),
        Fact(
            say("fact.python"),
            f"{environment.implementation} {environment.python}",
            quotes.at("/environment/python"),
        ),
        Fact(
            say("fact.system"),
            system_words(environment),
            quotes.at("/environment/system"),
        ),
        Fact(say("fact.cpus"), figures.count(environment.cpus, edition.catalog), quotes.at("/environment/cpus")),
        Fact(
            say("fact.tier"),
            edition.catalog.word(record.tier),
            quotes.at("/tier"),
            items=(say(f"tier.{record.tier}.meaning"),),
        ),
    ]
    match record.facts:
        case ComparisonFacts():
            found.extend(_compared(edition, record.facts, quotes))
        case ParityFacts():
            found.extend(_variants(edition, run, record.facts, quotes))
        case QualificationFacts():
            pass  # it has nothing but its subjects
        case _:
            assert_never(record.facts)
    found.extend(_subject(edition, run, quotes, index) for index in range(len(record.facts.subjects)))
    found.append(Fact(say("fact.replaced"), "", quotes.at("/replaced")))
    return tuple(found)


def _compared(edition: Edition, record: ComparisonFacts, quotes: Quotes) -> Iterator[Fact]:
    say = edition.say
    backend = say("fact.backend-fixture", backend=record.backend) if record.fixture else record.backend
    yield Fact(say("fact.backend"), backend, quotes.at("/facts/backend"))
    yield Fact(say("fact.jobs"), "", quotes.at("/facts/jobs"))
    library = f"{record.library.name} {record.library.version}"
    yield Fact(say("fact.library"), library, quotes.at("/facts/library/version"))
    for index, probe in enumerate(record.probes):
        name, pointer = say("fact.probe", tool=probe.tool), f"/facts/probes/{index}"
        match probe:
            case ProbeFound():
                yield Fact(name, probe.file.path, quotes.at(f"{pointer}/file/sha256"), digest=probe.file.sha256)
            case ProbeAbsent():
                yield Fact(name, say("fact.probe-absent"), quotes.at(f"{pointer}/probe"))
            case _:
                assert_never(probe)


def _variants(edition: Edition, run: RunSource, record: ParityFacts, quotes: Quotes) -> Iterator[Fact]:
    say, names = edition.say, edition.subjects(run)
    yield Fact(say("fact.variants-python"), record.python, quotes.at("/facts/python"))
    yield Fact(say("fact.harness"), "", quotes.at("/facts/harness"), digest=record.harness)
    for index, item in enumerate(record.variants):
        pointer = f"/facts/variants/{index}"
        if isinstance(item, CommitFacts):
            yield _of_commit(edition, names, item, quotes.at(f"{pointer}/tree"))
            continue
        told = [say("fact.variant-artifact", file=item.artifact.path, sha256=item.artifact.sha256)]
        if item.same_as is not None:
            counts = {"same": item.same_files, "other": len(item.other_files)}
            lacks = {"more": item.more_files, "missing": item.missing_files}
            told.append(say("fact.variant-same", against=names[item.same_as], **counts, **lacks))
        yield Fact(
            names[item.variant],
            say("fact.variant-tree", files=item.files, extensions=item.extensions),
            quotes.at(f"{pointer}/tree"),
            digest=item.tree,
            items=tuple(told),
        )


def _of_commit(edition: Edition, names: Mapping[str, str], item: CommitFacts, tree: Bound) -> Fact:
    told = [edition.say("fact.variant-commit", commit=item.commit)]
    if item.against is not None:
        told.append(edition.say("fact.variant-changes", n=len(item.changes), against=names[item.against]))
    return Fact(
        names[item.variant],
        edition.say("fact.commit-tree", files=item.files),
        tree,
        digest=item.tree,
        items=tuple(told),
    )


def _subject(edition: Edition, run: RunSource, quotes: Quotes, index: int) -> Fact:
    subject = run.sealed.run.facts.subjects[index]
    named = {item.id: item for item in run.sealed.plan.study.design.arms}
    described = named[subject.subject]
    title, pointer = edition.words(described.title), f"/facts/subjects/{index}"
    match subject:
        case PinnedSubject():
            artifact = next((item for item in subject.artifacts if item.role is ArtifactRole.subject), None)
            said = edition.say(
                "fact.pinned",
                distribution=described.distribution if isinstance(described, InstalledSubject) else described.id,
                version=artifact.version if artifact else edition.say("value.unknown"),
                n=len(subject.files),
            )
            digest = artifact.sha256 if artifact else ""
            return Fact(title, said, quotes.at(f"{pointer}/artifacts"), digest=digest)
        case CheckoutSubject():
            mark = source_state(subject.source, edition.catalog)
            modified = subject.source.modified if isinstance(subject.source, CommittedSource) else ()
            said = edition.say("fact.checkout")
            return Fact(title, said, quotes.at(f"{pointer}/tree"), digest=subject.tree, mark=mark, items=modified)
        case _:
            assert_never(subject)
