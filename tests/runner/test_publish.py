"""Publication: what may be published, and that it arrives whole or not at all."""

import shutil

import pytest

from runner.contract.evidence import CheckoutSubject, CommittedSource, QualificationFacts, UnknownSource
from runner.contract.plan import Selection
from runner.errors import PublicationRefusedError, UsageError
from runner.publish import publish
from runner.reading.sealed import open_run
from tests.factories import COMMIT, ScriptedKind, a_sealed_run, an_order
from tests.studies import a_study

HEAD = CommittedSource(commit=COMMIT, modified=())
MODIFIED = CommittedSource(commit=COMMIT, modified=("runner/x.py",))


@pytest.fixture
def study(tmp_path):
    return a_study(tmp_path / "manifests")


def publishing(tmp_path, study, run, head=HEAD):
    return publish(an_order(tmp_path, study).runs, run, study.folder, head)


class FromCheckout(ScriptedKind):
    """A kind whose subject was built from a checkout in a given state."""

    def __init__(self, source):
        super().__init__()
        self.source = source

    def facts(self, study, prepared):
        pinned = super().facts(study, prepared).subjects[0]
        return QualificationFacts(
            subjects=(CheckoutSubject(subject="tool", source=self.source, tree="0" * 64, files=pinned.files),)
        )


def test_a_published_run_has_the_sealed_bytes_and_the_original_is_gone(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study, ScriptedKind(artifacts={"a.txt": b"x"}, private={"db": b"secret"}))
    published = publishing(tmp_path, study, sealed.run.run)
    assert published.folder == study.folder / "evidence" / sealed.run.run
    again = open_run(published.folder)
    assert (again.seal_sha256, list(again.files)) == (sealed.seal_sha256, list(sealed.files))
    assert not sealed.folder.exists()
    assert (sealed.folder.parent / "private").is_dir(), "what opens the commitments stays with its owner"
    assert all(path.stat().st_mode & 0o222 == 0 for path in published.folder.rglob("*") if path.is_file())
    assert sorted(path.name for path in published.folder.parent.iterdir()) == [".gitattributes", sealed.run.run]


def test_a_published_run_is_not_taken_for_an_unfinished_one(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study)
    publishing(tmp_path, study, sealed.run.run)
    assert a_sealed_run(tmp_path, study).run.run != sealed.run.run


@pytest.mark.rule("R19")
@pytest.mark.parametrize(
    ("options", "head", "said"),
    [
        ({"source": MODIFIED}, HEAD, "the project was modified when it was made (runner/x.py)"),
        ({"source": UnknownSource(reason="not a git checkout")}, HEAD, "had no known commit (not a git checkout)"),
        ({}, CommittedSource(commit="0" * 40, modified=()), "was made from c0ffeec0ffee, and the project is at 000000"),
        ({}, UnknownSource(reason="git is not installed"), "commit is not known now (git is not installed)"),
        ({"selection": Selection.quick}, HEAD, "it is a quick run"),
        ({"kind": FromCheckout(MODIFIED)}, HEAD, "the checkout of tool was modified when it was made"),
        ({"kind": FromCheckout(UnknownSource(reason="not a git checkout"))}, HEAD, "tool had no known commit"),
    ],
)
def test_what_is_no_independent_result_is_not_published(tmp_path, study, options, head, said):
    sealed = a_sealed_run(tmp_path, study, **options)
    with pytest.raises(PublicationRefusedError) as refused:
        publishing(tmp_path, study, sealed.run.run, head)
    assert said in str(refused.value)
    assert "make a full run from the clean commit" in str(refused.value)
    assert open_run(sealed.folder).seal_sha256 == sealed.seal_sha256
    assert not (study.folder / "evidence").exists()


def test_a_run_of_a_clean_checkout_may_be_published(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study, FromCheckout(CommittedSource(commit="1" * 40, modified=())))
    assert publishing(tmp_path, study, sealed.run.run).run.seal_sha256 == sealed.seal_sha256


def test_an_unknown_or_unsealed_run_is_refused(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study)
    with pytest.raises(UsageError, match=f"no run 'nope'; there are: {sealed.run.run}"):
        publishing(tmp_path, study, "nope")
    shutil.rmtree(sealed.folder)
    with pytest.raises(PublicationRefusedError, match=r"`sealbook run tiny` finishes .* sealed with --out is not"):
        publishing(tmp_path, study, sealed.run.run)


def test_a_run_is_published_once(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study)
    publishing(tmp_path, study, sealed.run.run)
    with pytest.raises(PublicationRefusedError, match="is published already"):
        publishing(tmp_path, study, sealed.run.run)


def test_a_publication_that_a_crash_cut_off_is_finished(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study)
    aside = tmp_path / "aside"
    shutil.copytree(sealed.folder, aside)
    publishing(tmp_path, study, sealed.run.run)
    aside.rename(sealed.folder)
    publishing(tmp_path, study, sealed.run.run)
    assert not sealed.folder.exists()
    half = study.folder / "evidence" / ".20270101T000000Z.part"
    half.mkdir()
    other = a_sealed_run(tmp_path, study, started_at="2027-01-01T00:00:00Z")
    (half / "run.json").write_bytes(b"half")
    assert publishing(tmp_path, study, other.run.run).run.seal_sha256 == other.seal_sha256
    assert not half.exists()


def test_another_run_in_the_same_place_is_never_replaced(tmp_path, study):
    sealed = a_sealed_run(tmp_path, study)
    other = a_sealed_run(tmp_path / "elsewhere", study, ScriptedKind(output="other\n"))
    place = study.folder / "evidence" / sealed.run.run
    place.parent.mkdir()
    shutil.copytree(other.folder, place)
    with pytest.raises(PublicationRefusedError, match="published runs are never replaced"):
        publishing(tmp_path, study, sealed.run.run)
    assert open_run(place).seal_sha256 == other.seal_sha256
