"""The filter of system calls: the right numbers, and the right answer for each call."""

import ctypes
import ctypes.util
import socket
import struct

import pytest

from runner.sandbox.seccomp import CLONE, DENIED, X32, filter_for, machines

ALLOW, EPERM, ENOSYS, EAFNOSUPPORT = "allow", "EPERM", "ENOSYS", "EAFNOSUPPORT"
ANSWERS = {0x7FFF_0000: ALLOW, 0x0005_0001: EPERM, 0x0005_0026: ENOSYS, 0x0005_0061: EAFNOSUPPORT}
ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
ORDINARY = {"x86_64": (0, 1, 2, 9, 59, 41, 42, 202, 334), "aarch64": (56, 57, 63, 64, 221, 198, 203, 98, 293)}
"""read, write, open, mmap, execve, socket, connect, futex, rseq, or what stands for them."""


def answer(code: bytes, number: int, architecture: int, first: int = 0) -> str:
    """Run a filter as the kernel does, for one call."""
    data = struct.pack("<iIQ6Q", number, architecture, 0, first, 0, 0, 0, 0, 0)
    program = list(struct.iter_unpack("<HBBI", code))
    at, value = 0, 0
    while True:
        operation, true, false, operand = program[at]
        at += 1
        match operation:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, operand)
            case 0x15:
                at += true if value == operand else false
            case 0x35:
                at += true if value >= operand else false
            case 0x45:
                at += true if value & operand else false
            case 0x06:
                return ANSWERS[operand]
            case _:
                raise AssertionError(operation)


@pytest.mark.parametrize("machine", machines())
def test_each_call_gets_its_answer(machine):
    code, architecture = filter_for(machine), ARCHITECTURES[machine]
    column = machines().index(machine)
    denied = {numbers[column] for numbers in DENIED.values()} - {-1}

    assert {answer(code, number, architecture) for number in denied} == {EPERM}
    assert {answer(code, number, architecture, 2) for number in ORDINARY[machine]} == {ALLOW}
    assert answer(code, 435, architecture) == ENOSYS  # clone3
    assert answer(code, 470, architecture) == ENOSYS
    opening = {"x86_64": 41, "aarch64": 198}[machine]
    allowed = [family for family in range(64) if answer(code, opening, architecture, family) == ALLOW]
    assert allowed == [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK]
    assert answer(code, opening, architecture, socket.AF_VSOCK) == EAFNOSUPPORT
    clone = CLONE[column]
    assert answer(code, clone, architecture, 17) == ALLOW
    assert answer(code, clone, architecture, 0x003D_0F00) == ALLOW, "threads are made so"
    assert answer(code, clone, architecture, 0x1000_0011) == EPERM
    assert answer(code, clone, architecture, 0x4000_0000) == EPERM


@pytest.mark.parametrize("machine", machines())
def test_calls_of_other_instruction_sets_are_refused_whatever_their_number(machine):
    code = filter_for(machine)
    others = {*ARCHITECTURES.values(), 0x4000_0003} - {ARCHITECTURES[machine]}

    assert {answer(code, number, other) for other in others for number in (1, 11, 20)} == {EPERM}
    assert answer(code, X32 + 39, ARCHITECTURES[machine]) == EPERM


def test_an_unknown_machine_has_no_filter():
    with pytest.raises(KeyError):
        filter_for("riscv64")


@pytest.mark.parametrize("machine", machines())
def test_the_numbers_are_those_that_libseccomp_knows(machine):
    name = ctypes.util.find_library("seccomp")
    if name is None:
        pytest.skip("libseccomp2 is not installed")
    oracle = ctypes.CDLL(name)
    architecture = ARCHITECTURES[machine]
    column = machines().index(machine)
    compared = 0
    for call, numbers in DENIED.items():
        number = oracle.seccomp_syscall_resolve_name_arch(ctypes.c_uint32(architecture), call.encode())
        if number == -1:
            continue  # younger than the installed library
        assert max(number, -1) == numbers[column], call
        compared += 1
    assert compared > 50
