"""Processes that work for the runner: one task at a time each, and its errors are the runner's."""

import os
from collections.abc import Callable

import pytest

from runner.errors import SandboxError, StorageError
from runner.sandbox.crew import Crew
from runner.sandbox.process_table import look


def doubling(by: int) -> Callable[[int], tuple[int, int]]:
    """What each of the crew does: a negative number is what the disk refuses, and at zero the process ends."""

    def do(number: int) -> tuple[int, int]:
        if number < 0:
            raise StorageError("no space left", "free some", where=str(number))
        if not number:
            os._exit(7)
        return os.getpid(), number * by

    return do


def test_each_of_a_crew_takes_one_task_after_the_other_in_a_process_of_its_own():
    with Crew[int, tuple[int, int]](2, doubling, 10) as crew:
        assert (crew.free, crew.busy) == (2, 0)
        with pytest.raises(ValueError, match="nobody is busy"):
            crew.next()
        crew.give(1)
        crew.give(2)
        with pytest.raises(ValueError, match="all are busy"):
            crew.give(3)
        found = [crew.next()]
        crew.give(3)
        found += [crew.next(), crew.next()]
    assert sorted(number for _, number in found) == [10, 20, 30]
    workers = {pid for pid, _ in found}
    assert len(workers) == 2
    assert os.getpid() not in workers
    assert all((entry := look(pid)) is None or entry.zombie for pid in workers)


def test_an_error_of_a_task_is_raised_with_its_place_and_what_to_do_and_the_crew_goes_on():
    with Crew[int, tuple[int, int]](1, doubling, 10) as crew:
        crew.give(-1)
        with pytest.raises(StorageError, match="-1: no space left; free some") as refused:
            crew.next()
        assert refused.value.problems[0].where == ""
        assert refused.value.problems[0].file == "-1"
        crew.give(4)
        assert crew.next()[1] == 40


def test_a_process_that_ends_in_its_task_is_told_with_its_status():
    with Crew[int, tuple[int, int]](1, doubling, 10) as crew:
        crew.give(0)
        with pytest.raises(SandboxError, match=r"ended by itself \(exit status 7\)"):
            crew.next()
