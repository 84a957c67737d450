"""Attacks that use without end: processes, memory, files, time, output."""

import os
import signal
import time
from contextlib import suppress

from runner.sandbox.battery.inside.tried import MIB, Facts, Tried, answer


def fork_without_end(facts: Facts) -> Tried:
    children = []
    saw = "no limit met"
    try:
        for _ in range(facts["forks"]):
            if (child := os.fork()) == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
    except OSError as error:
        saw = f"{answer(error).saw} after {len(children)}"
    for child in children:
        os.kill(child, signal.SIGKILL)
    return Tried(len(children) == facts["forks"], saw)


def fill_address_space(facts: Facts) -> Tried:
    try:
        held = bytearray(facts["too_much"])
    except MemoryError:
        return Tried(False, "MemoryError")
    return Tried(True, f"{len(held) // MIB} MiB")


def fill_memory_together(facts: Facts) -> Tried:
    """In pieces that a limit for each process would let pass. Ends by SIGKILL where the limit holds."""
    for _ in range(4):
        if os.fork() == 0:
            held = b"x" * (facts["too_much"] // 4)
            time.sleep(1)
            os._exit(len(held) * 0)
    codes = [os.wait()[1] for _ in range(4)]
    killed = sum(os.WIFSIGNALED(code) for code in codes)
    return Tried(killed == 0, f"{killed} of 4 killed")


def write_endless_file(facts: Facts) -> Tried:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return _fills(f"{facts['work']}/long", facts["too_much"])


def fill_scratch(facts: Facts) -> Tried:
    return _fills("/tmp/full", facts["too_much"])


def fill_shared_memory(facts: Facts) -> Tried:
    return _fills("/dev/shm/full", facts["too_much"])


def _fills(path: str, size: int) -> Tried:
    written = 0
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        while written < size:
            written += os.write(handle, b"x" * MIB)
    except OSError as error:
        return Tried(False, f"{answer(error).saw} after {written // MIB} MiB")
    return Tried(True, f"{written // MIB} MiB")


def burn_time(_: Facts) -> Tried:
    until = time.monotonic() + 8
    while time.monotonic() < until:
        pass
    return Tried(True, "8 s of the processor")


def leave_a_daemon(facts: Facts) -> Tried:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            for handle in (0, 1, 2):
                os.close(handle)
            _beat(f"{facts['work']}/heart")
        os._exit(0)
    os.wait()
    while not os.path.exists(f"{facts['work']}/heart"):
        time.sleep(0.01)
    return Tried(True, "left behind")  # whether it lives on shows outside


def stop_oneself(facts: Facts) -> Tried:
    if os.fork() == 0:
        _beat(f"{facts['work']}/heart")
    os.kill(os.getpid(), signal.SIGSTOP)
    return Tried(True, "went on")


def _beat(path: str) -> None:
    while True:
        with suppress(OSError):
            handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
            os.pwrite(handle, str(time.monotonic_ns()).encode(), 0)
            os.close(handle)
        time.sleep(0.02)


def flood_output(facts: Facts) -> Tried:
    piece = b"x" * MIB
    for _ in range(facts["flood_mib"]):
        os.write(2, piece)
    return Tried(True, "written")  # what is kept of it shows outside
