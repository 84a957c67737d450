"""RO-Crate metadata of a run: what its specification demands, and nothing that the evidence does not say."""

import json
from dataclasses import replace
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from runner.contract.canonical import encode
from runner.contract.seal import digest
from sitegen.sources import load
from sitegen.twins import crate
from tests.sitegen.built import make_site
from tests.sitegen.pages.sample import UNPUBLISHED, a_full_project
from tests.sitegen.projects import RUN

PLACE = "data/evidence/tiny/{}/ro-crate-metadata.json"


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    return a_full_project(tmp_path_factory.mktemp("crate"))


@pytest.fixture(scope="module")
def files(root) -> dict[str, bytes]:
    return make_site(root).files


@pytest.fixture(scope="module")
def sources(root):
    return load(root)


def graph_of(data: bytes) -> dict[str, dict]:
    """Its entities by id."""
    document = json.loads(data)
    assert document.keys() == {"@context", "@graph"}
    return {entity["@id"]: entity for entity in document["@graph"]}


def references(value):
    """Every `{"@id": …}` below the top level of an entity."""
    if isinstance(value, dict):
        if value.keys() == {"@id"}:
            yield value["@id"]
        else:
            yield from (found for item in value.values() for found in references(item))
    elif isinstance(value, list):
        yield from (found for item in value for found in references(item))


@pytest.mark.parametrize("run", [RUN, UNPUBLISHED])
def test_the_document_is_what_the_specification_demands(files, run):
    data = files[PLACE.format(run)]
    document, graph = json.loads(data), graph_of(data)
    descriptor, top = graph["ro-crate-metadata.json"], graph["./"]

    assert document["@context"] == "https://w3id.org/ro/crate/1.2/context"
    assert len(graph) == len(document["@graph"]), "no two entities share an @id"
    assert (descriptor["@type"], descriptor["about"]) == ("CreativeWork", {"@id": "./"})
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.2"}
    assert top["@type"] == "Dataset"
    assert all(top[name] for name in ("name", "description", "datePublished", "license"))
    for entity in graph.values():
        assert entity["@type"] in ("CreativeWork", "Dataset", "File", "PropertyValue", "CreateAction")
        nested = [value for value in entity.values() if isinstance(value, dict)]
        assert all(value.keys() == {"@id"} for value in nested), "the document is flat"
    named = {name for entity in graph.values() for name in references(entity)}
    assert named - graph.keys() == {"https://w3id.org/ro/crate/1.2"}
    assert graph.keys() - named == {"ro-crate-metadata.json"}, "everything can be reached"


@pytest.mark.parametrize("run", [RUN, UNPUBLISHED])
def test_every_sealed_file_is_a_part_with_its_digest_and_lies_where_it_says(files, run):
    path = PLACE.format(run)
    graph = graph_of(files[path])
    parts = [graph[part["@id"]] for part in graph["./"]["hasPart"]]

    found = {normpath(join(dirname(path), part["@id"])): part for part in parts}
    assert found.keys() == {name for name in files if name.startswith(f"evidence/tiny/{run}/")}
    for name, part in found.items():
        assert part["@type"] == "File"
        assert part["sha256"] == digest(files[name])
        assert part["contentSize"] == str(len(files[name]))


def test_it_says_when_with_what_and_on_what_it_ran_and_that_it_is_derived(files):
    graph = graph_of(files[PLACE.format(RUN)])
    run = json.loads(files[f"evidence/tiny/{RUN}/run.json"])

    action = graph["#run"]
    assert (action["startTime"], action["endTime"]) == (run["started_at"], run["ended_at"])
    assert graph[action["instrument"]["@id"]]["version"] == run["runner"]["version"]
    assert run["runner"]["sha256"] in graph["#sealbook"]["identifier"]
    assert "not sealed itself" in graph["ro-crate-metadata.json"]["description"]
    assert "not sealed itself" in graph["./"]["description"]
    assert graph[graph["./"]["license"]["@id"]]["description"] == "The evidence states no license for itself."
    assert graph[graph["./"]["identifier"]["@id"]]["value"] == digest(files[f"evidence/tiny/{RUN}/SHA256SUMS"])
    assert "agent" not in action, "nobody knows who ran it"


def test_a_license_that_nobody_concluded_is_described_and_not_stated(files):
    graph = graph_of(files[PLACE.format(RUN)])
    (tool,) = (entity for name, entity in graph.items() if name.startswith("#artifact-"))

    assert "license" not in tool
    assert tool["description"].endswith("License: declared MIT, text found none, concluded nothing (declared-only).")


def test_only_an_unpublished_run_is_called_so(files):
    told = {run: graph_of(files[PLACE.format(run)])["./"]["description"] for run in (RUN, UNPUBLISHED)}

    assert "Not published" not in told[RUN]
    assert "Not published" in told[UNPUBLISHED]


def test_a_license_matrix_of_another_day_says_nothing_about_the_run(sources):
    study = sources.study("tiny")
    moved = tuple(replace_pin(file) for file in study.frozen.study.pinned)
    frozen = replace(study.frozen, study=study.frozen.study.model_copy(update={"pinned": moved}))

    graph = graph_of(crate.ro_crate(replace(study, frozen=frozen), sources.run("tiny", RUN)))

    (tool,) = (entity for name, entity in graph.items() if name.startswith("#artifact-"))
    assert tool["description"].endswith("License unknown.")


def replace_pin(file):
    """The pin of another file of that name."""
    return file.model_copy(update={"sha256": "0" * 64})


def test_very_many_files_are_described_by_folder(sources, monkeypatch):
    monkeypatch.setattr(crate, "EACH", 3)
    run = sources.run("tiny", RUN)

    graph = graph_of(crate.ro_crate(sources.study("tiny"), run))

    parts = [part["@id"].rpartition("/")[2] for part in graph["./"]["hasPart"]]
    assert parts == [
        *("attempts.jsonl", "commitments.jsonl", "plan.json", "run.json", "timings.jsonl", "SHA256SUMS"),
        *("#events", "#artifacts"),
    ]
    events = [file for file in run.sealed.files if file.path.startswith("events/")]
    assert f"{len(events)} files, {sum(file.bytes for file in events)} bytes" in graph["#events"]["description"]


def test_the_bytes_are_canonical_and_the_page_links_them(files):
    path = PLACE.format(RUN)

    assert encode(json.loads(files[path])) == files[path]
    for language in ("en", "zh"):
        page = files[f"{language}/evidence/tiny/{RUN}.html"].decode()
        assert f'href="../../../{path}"' in page
