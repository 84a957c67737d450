"""One sealed parity run for all tests that change it: with a spelling, a finding, a mutant and a measurement."""

import pytest

from runner.contract.plan import Selection
from tests.commit_parities import OVERLAP, CommitToy
from tests.parities import SCENARIOS, Toy

ONE = "[[scenarios]]".join(SCENARIOS.split("[[scenarios]]")[:1] + SCENARIOS.split("[[scenarios]]")[2:]).replace(
    'id = "first"\nexpect = { exit = 1, ', 'id = "first"\nexpect = { exit = 1, holds = ["started"], '
)
"""The scenario with the bad word alone."""
MARK = '    mark.write_text("")\n'
OTHER = '    mark.write_text("other")\n    (state / "more").write_text("x")\n'


@pytest.fixture(scope="session")
def parity(tmp_path_factory):
    """`wheel` puts out its keys in another order; `sdist` writes another file and one more."""
    changed = {
        "wheel": {"core": ("json.dumps(item)", "json.dumps(item, sort_keys=True)")},
        "sdist": {"core": (MARK, OTHER)},
    }
    toy = Toy(changed=changed, scenarios=ONE, backends=("files",), timed=(("files", "bad-word"),), process_seconds=60)
    return toy.run(tmp_path_factory.mktemp("parity"), Selection.full)


@pytest.fixture(scope="session")
def commits(tmp_path_factory):
    """A whole run of two commits, without a daemon, with an inventory of other open changes."""
    return CommitToy(overlap=OVERLAP).run(tmp_path_factory.mktemp("commits") / "repository", Selection.full)
