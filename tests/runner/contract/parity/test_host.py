"""A host is quiet when nothing shows otherwise and everything that would is known. Only then is a timing a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.parity.host import (
    Contended,
    ContentionReason,
    CpuTime,
    Host,
    HostAround,
    Name,
    Number,
    Quiet,
    UnknownContention,
    UnknownFact,
    admissible,
    contended,
)

SECOND = 1_000_000_000
NO_LOAD = UnknownFact(reason="the host shows no load average")
NO_CPU_TIME = UnknownFact(reason="the host does not show the time that its CPUs spent")


def host(load=30, cpus=2, runnable=1):
    return Host(
        cpu_model=Name(value="A CPU"),
        cpus=Number(value=cpus),
        governor=UnknownFact(reason="the host shows no frequency governor"),
        load_hundredths=load if isinstance(load, UnknownFact) else Number(value=load),
        runnable=Number(value=runnable),
    )


def spent(elapsed=100 * SECOND, others=0, stolen=0, own=70 * SECOND):
    return CpuTime(elapsed_ns=elapsed, busy_ns=own + others, own_ns=own, stolen_ns=stolen)


def around(load=30, cpus=2, cpu_time=None, after=None):
    return HostAround(before=host(load, cpus), after=after or host(), cpu_time=cpu_time or spent())


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (around(), Quiet()),
        (around(load=200), Quiet()),  # exactly as much as two CPUs do
        (around(load=201), Contended(reasons=(ContentionReason.load_before,))),
        (around(load=201, cpus=4), Quiet()),
        (around(cpu_time=spent(others=5 * SECOND)), Quiet()),  # exactly a twentieth
        (around(cpu_time=spent(others=5 * SECOND + 1)), Contended(reasons=(ContentionReason.others_busy,))),
        (around(cpu_time=spent(stolen=5 * SECOND)), Quiet()),
        (around(cpu_time=spent(stolen=5 * SECOND + 1)), Contended(reasons=(ContentionReason.stolen,))),
        (
            around(load=999, cpu_time=spent(others=9 * SECOND, stolen=9 * SECOND)),
            Contended(reasons=tuple(ContentionReason)),
        ),
    ],
)
def test_a_host_is_contended_one_step_beyond_a_limit_with_every_reason(found, expected):
    assert contended(found) == expected


def test_what_the_measurement_itself_may_have_caused_is_not_held_against_the_host():
    busy_with_it = host(load=400, runnable=9)

    assert contended(around(after=busy_with_it)) == Quiet()
    assert contended(around(cpu_time=spent(own=200 * SECOND))) == Quiet()


def test_what_is_not_known_leaves_it_unknown_with_each_reason():
    assert contended(around(load=NO_LOAD, cpu_time=NO_CPU_TIME)) == UnknownContention(
        reasons=(NO_LOAD.reason, NO_CPU_TIME.reason)
    )
    assert contended(around(load=NO_LOAD)) == UnknownContention(reasons=(NO_LOAD.reason,))


def test_what_is_known_to_be_contended_stays_so_whatever_else_is_unknown():
    assert contended(around(load=201, cpu_time=NO_CPU_TIME)) == Contended(reasons=(ContentionReason.load_before,))
    assert contended(around(load=NO_LOAD, cpu_time=spent(others=9 * SECOND))) == Contended(
        reasons=(ContentionReason.others_busy,)
    )


def test_counts_that_cannot_tell_are_unknown_and_not_quiet():
    short = spent(elapsed=SECOND - 1, own=0)
    stands_still = CpuTime(elapsed_ns=100 * SECOND, busy_ns=0, own_ns=70 * SECOND, stolen_ns=0)

    assert contended(around(cpu_time=short)) == UnknownContention(
        reasons=("the measurement was shorter than a second, and CPU time is counted in ticks",)
    )
    assert contended(around(cpu_time=stands_still)) == UnknownContention(
        reasons=("the host counts less CPU time than the runner alone has spent",)
    )


def test_ticks_that_say_a_little_less_than_was_spent_show_no_others():
    behind = CpuTime(elapsed_ns=100 * SECOND, busy_ns=69 * SECOND, own_ns=70 * SECOND, stolen_ns=0)

    assert behind.others_ns == 0
    assert contended(around(cpu_time=behind)) == Quiet()


@given(st.integers(0, 400), st.integers(0, 20 * SECOND), st.integers(0, 20 * SECOND), st.integers(1, 2 * SECOND))
def test_more_load_more_others_or_more_stolen_never_make_a_host_quiet(load, others, stolen, more):
    if not admissible(contended(around(load=load, cpu_time=spent(others=others, stolen=stolen)))):
        busier = [(load + more, others, stolen), (load, others + more, stolen), (load, others, stolen + more)]
        assert not any(admissible(contended(around(load=a, cpu_time=spent(others=b, stolen=c)))) for a, b, c in busier)


def test_only_a_host_known_to_be_quiet_admits_a_claim():
    assert admissible(Quiet())
    assert not admissible(Contended(reasons=(ContentionReason.stolen,)))
    assert not admissible(UnknownContention(reasons=(NO_CPU_TIME.reason,)))
