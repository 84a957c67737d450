"""A sealed run as RO-Crate 1.2 metadata: what archives and data catalogues read.

A view derived from the seal, and not sealed itself. It says only what the evidence says. Who ran the study and
under which license the evidence may be used is not in the evidence, and the view says that too. The form is that of
https://w3id.org/ro/crate/1.2; its context names every property used here.

Two choices follow from the facts at hand. The specification advises against `../` in the ids of files and does not
forbid it; here they lead to the sealed bytes themselves, beside which nothing unsealed may lie. It demands a homepage
for every `SoftwareApplication`, which a pinned file has not; software is therefore a `CreativeWork` with that as its
additional type.
"""

from collections.abc import Iterator
from posixpath import dirname, relpath

from runner.contract.artifact import Artifact
from runner.contract.canonical import Json, encode
from runner.contract.evidence import CommittedSource, PinnedSubject
from runner.contract.license import Concluded, Declared, LicenseMatrix, LicenseRow, LicenseState, TextFound
from runner.contract.parity.design import ParityDesign
from runner.contract.seal import (
    ATTEMPTS_FILE,
    COMMITMENTS_FILE,
    FOLDERS,
    PLAN_FILE,
    RUN_FILE,
    SEAL_FILE,
    TIMINGS_FILE,
    format_seal,
)
from runner.contract.values import FileDigest
from runner.reading.manifest import LICENSES_FILE
from sitegen.pages import place
from sitegen.sources import RunSource, StudySource

CONTEXT = "https://w3id.org/ro/crate/1.2/context"
CONFORMS = "https://w3id.org/ro/crate/1.2"
DESCRIPTOR = "ro-crate-metadata.json"
"""The specification fixes the name of the file and its id."""
EACH = 2_000
"""Up to so many sealed files are listed one by one; of more, those in folders are described together."""
DERIVED = (
    "Derived from a sealed run and not sealed itself. Where this file and a sealed file differ, the sealed file "
    f"counts; {SEAL_FILE} has the digest of each."
)
SOFTWARE = "http://schema.org/SoftwareApplication"
NO_LICENSE = "The evidence states no license for itself."
TYPES = {".json": "application/json", ".jsonl": "text/plain", ".txt": "text/plain", ".toml": "application/toml"}
"""Registered media types of what a run consists of; JSON Lines has none of its own."""
WHAT = {
    RUN_FILE: "What ran, on what, when (UTC), its tally and its analysis.",
    PLAN_FILE: "Every planned attempt, every exclusion with its reason, and the manifest.",
    ATTEMPTS_FILE: "One line an attempt, in plan order.",
    TIMINGS_FILE: "When each attempt happened, in nanoseconds from the run's start.",
    COMMITMENTS_FILE: "What exists and is not published: name, bytes and salted digest.",
    SEAL_FILE: "The seal: one digest for each of the other files, checked by `sha256sum --strict -c SHA256SUMS`.",
    "events": "The typed events of attempts, a file each.",
    "artifacts": "What attempts produced and the study publishes.",
}

Entity = dict[str, Json]


def ro_crate(study: StudySource, run: RunSource) -> bytes:
    """The canonical bytes of a run's metadata document, to lie at `place.crate`."""
    graph: list[Json] = [*_entities(study, run)]
    return encode({"@context": CONTEXT, "@graph": graph})


def _entities(study: StudySource, run: RunSource) -> Iterator[Entity]:
    sealed = run.sealed
    files = [*_files(run)]
    software = [_software(artifact, row) for artifact, row in _artifacts(study, run)]
    yield {
        "@id": DESCRIPTOR,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": CONFORMS},
        "description": DERIVED,
    }
    yield {
        "@id": "./",
        "@type": "Dataset",
        "name": f"{sealed.plan.study.title.en}: sealed run {run.id}",
        "alternateName": f"{sealed.plan.study.title.zh}：封存的运行 {run.id}",
        "description": f"{sealed.plan.study.question.en} {'' if run.published else 'Not published. '}{DERIVED}",
        "identifier": {"@id": "#seal"},
        # The specification demands a date. The only one that the evidence knows is when the run was sealed.
        "datePublished": sealed.run.ended_at,
        "license": {"@id": "#license"},
        "about": {"@id": "#study"},
        "mentions": {"@id": "#run"},
        "hasPart": [{"@id": item["@id"]} for item in files],
    }
    yield {
        "@id": "#seal",
        "@type": "PropertyValue",
        "name": f"SHA-256 of {SEAL_FILE}",
        "propertyID": "SHA-256",
        "value": sealed.seal_sha256,
    }
    yield {"@id": "#license", "@type": "CreativeWork", "name": "No license stated", "description": NO_LICENSE}
    yield {
        "@id": "#study",
        "@type": "CreativeWork",
        "name": sealed.plan.study.title.en,
        "alternateName": sealed.plan.study.title.zh,
        "identifier": sealed.run.study,
        "description": sealed.plan.study.question.en,
        "version": f"protocol {sealed.plan.study.protocol.id} {sealed.plan.study.protocol.version}",
    }
    yield _run(run, [item["@id"] for item in software])
    yield {
        "@id": "#sealbook",
        "@type": "CreativeWork",
        "additionalType": SOFTWARE,
        "name": "Sealbook",
        "version": sealed.run.runner.version,
        "identifier": f"sha256:{sealed.run.runner.sha256}",
        "description": f"The runner. The digest is over its {sealed.run.runner.files} source files.",
    }
    yield from software
    yield from files


def _run(run: RunSource, software: list[Json]) -> Entity:
    record = run.sealed.run
    environment, source = record.environment, record.source
    if isinstance(source, CommittedSource):
        state = f"with {len(source.modified)} modified paths" if source.modified else "unmodified"
        origin = f"commit {source.commit}, {state}"
    else:
        origin = f"an unknown commit: {source.reason}"
    return {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"Run {record.run} ({record.selection})",
        "description": (
            f"On {environment.implementation} {environment.python}, {environment.system} {environment.release}, "
            f"{environment.machine}, {environment.cpus} processors, tier {record.tier}; the study from {origin}. "
            f"Planned {record.tally.planned}, accepted {record.tally.accepted}."
        ),
        "startTime": record.started_at,
        "endTime": record.ended_at,
        "instrument": {"@id": "#sealbook"},
        "object": [{"@id": name} for name in ("#study", *software)] if software else {"@id": "#study"},
        "result": {"@id": "./"},
    }


def _files(run: RunSource) -> Iterator[Entity]:
    """Every sealed file and the seal over them; with too many of them, one entity a folder."""
    sealed = run.sealed
    each = len(sealed.files) <= EACH
    for file in sealed.files:
        if each or "/" not in file.path:
            yield _file(run, file.path, file.sha256, file.bytes)
    seal = format_seal({file.path: file.sha256 for file in sealed.files})
    yield _file(run, SEAL_FILE, sealed.seal_sha256, len(seal))
    if not each:
        yield from (
            _folder(name, [file for file in sealed.files if file.path.startswith(f"{name}/")]) for name in FOLDERS
        )


def _file(run: RunSource, path: str, sha256: str, size: int) -> Entity:
    study = run.sealed.run.study
    target = relpath(place.sealed_file(study, run.id, path), dirname(place.crate(study, run.id)))
    suffix = f".{path.rpartition('.')[2]}" if "." in path else ".txt"
    entity: Entity = {
        "@id": target,
        "@type": "File",
        "name": path,
        "encodingFormat": TYPES.get(suffix, "application/octet-stream"),
        "sha256": sha256,
        "contentSize": str(size),
    }
    if what := WHAT.get(path) or WHAT.get(path.partition("/")[0]):
        entity["description"] = what
    return entity


def _folder(name: str, files: list[FileDigest]) -> Entity:
    size = sum(file.bytes for file in files)
    told = f"{WHAT[name]} {len(files)} files, {size} bytes; {SEAL_FILE} has the digest of each."
    return {"@id": f"#{name}", "@type": "Dataset", "name": f"{name}/", "description": told}


def _artifacts(study: StudySource, run: RunSource) -> Iterator[tuple[Artifact, LicenseRow | None]]:
    """Each pinned artifact once, with its row of the license matrix that the plan pins."""
    rows = {row.detected.artifact: row for row in _matrix(study, run).rows}
    found: dict[str, Artifact] = {}
    design = run.sealed.plan.study.design
    if isinstance(design, ParityDesign):
        found.update((artifact.file, artifact) for artifact in design.artifacts)
    for subject in run.sealed.run.facts.subjects:
        if isinstance(subject, PinnedSubject):
            found.update((artifact.file, artifact) for artifact in subject.artifacts)
    for file, artifact in sorted(found.items()):
        yield artifact, rows.get(file)


def _matrix(study: StudySource, run: RunSource) -> LicenseMatrix:
    """The license matrix of the run's plan; one without rows if the study has another by now."""
    now, then = study.frozen.study, run.sealed.plan.study
    if now.pinned_digest(LICENSES_FILE) == then.pinned_digest(LICENSES_FILE) is not None:
        return study.frozen.licenses
    return LicenseMatrix(format="sealbook.licenses/1", rows=())


def _software(artifact: Artifact, row: LicenseRow | None) -> Entity:
    entity: Entity = {
        "@id": f"#artifact-{artifact.file}",
        "@type": "CreativeWork",
        "additionalType": SOFTWARE,
        "name": artifact.name,
        "version": artifact.version,
        "identifier": f"sha256:{artifact.sha256}",
        "description": f"{artifact.file}, the digest is that of this file. {_licensed(row)}",
    }
    if row is not None and row.state is LicenseState.cleared and isinstance(row.concluded, Concluded):
        entity["license"] = row.concluded.expression
    return entity


def _licensed(row: LicenseRow | None) -> str:
    """What is known of an artifact's license: facts, and no conclusion that nobody has drawn."""
    if row is None:
        return "License unknown."
    declared = row.declared.expression if isinstance(row.declared, Declared) else "nothing"
    found = row.detected.reads_as if isinstance(row.detected, TextFound) else "none"
    concluded = row.concluded.expression if isinstance(row.concluded, Concluded) else "nothing"
    return f"License: declared {declared}, text found {found}, concluded {concluded} ({row.state})."
