"""Attacks on the kernel, on other processes, and on what a process was given."""

import ctypes
import errno
import os
import resource
import signal
import struct
import time

from runner.sandbox.battery.inside.tried import LIBC, Facts, Tried, answer, calls


def signal_host_process(facts: Facts) -> Tried:
    try:
        os.kill(facts["pid"], 0)
    except OSError as error:
        return answer(error)
    return Tried(True, "it can be signalled")


def see_host_processes(facts: Facts) -> Tried:
    seen = os.path.exists(f"/proc/{facts['pid']}/stat")
    return Tried(seen, f"{sum(name.isdigit() for name in os.listdir('/proc'))} processes seen")


def new_user_namespace(facts: Facts) -> Tried:
    return calls(facts, "unshare", 0x1000_0000)


def new_namespace_by_clone(facts: Facts) -> Tried:
    ctypes.set_errno(0)
    child = LIBC.syscall(ctypes.c_long(facts["clone"]), 0x1000_0000 | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    if child > 0:
        os.waitpid(child, 0)
        return Tried(True, "allowed")
    return Tried(False, errno.errorcode.get(ctypes.get_errno(), "?"))


def mount_something(facts: Facts) -> Tried:
    return calls(facts, "mount", b"none", b"/tmp", b"tmpfs", 0, None)


def change_root(facts: Facts) -> Tried:
    return calls(facts, "chroot", b"/usr")


def make_device(facts: Facts) -> Tried:
    try:
        os.mknod(f"{facts['work']}/null", 0o600 | 0o020000, os.makedev(1, 3))
    except OSError as error:
        return answer(error)
    return Tried(True, "made")


def trace_init(facts: Facts) -> Tried:
    tried = calls(facts, "ptrace", 16, 1, 0, 0)  # PTRACE_ATTACH
    if tried.did:
        os.waitpid(1, 0x4000_0000)
        calls(facts, "ptrace", 17, 1, 0, 0)
    return tried


def read_memory_of_init(facts: Facts) -> Tried:
    return calls(facts, "process_vm_readv", 1, 0, 0, 0, 0, 0)


def use_keyring(facts: Facts) -> Tried:
    return calls(facts, "keyctl", 0, ctypes.c_int(-3), 1)


def load_bpf(facts: Facts) -> Tried:
    return calls(facts, "bpf", 0, ctypes.c_char_p(struct.pack("IIII", 1, 4, 4, 1) + bytes(112)), 128)


def count_performance(facts: Facts) -> Tried:
    return calls(facts, "perf_event_open", ctypes.c_char_p(struct.pack("II", 1, 112) + bytes(104)), 0, -1, -1, 0)


def use_io_uring(facts: Facts) -> Tried:
    return calls(facts, "io_uring_setup", 1, ctypes.create_string_buffer(120))


def handle_page_faults(facts: Facts) -> Tried:
    return calls(facts, "userfaultfd", 1)


def open_by_handle(facts: Facts) -> Tried:
    handle = struct.pack("Ii", 8, 1) + struct.pack("II", 2, 0)  # the root folder of an ext file system
    folder = os.open(facts["work"], os.O_RDONLY)
    return calls(facts, "open_by_handle_at", folder, ctypes.c_char_p(handle), os.O_RDONLY)


def call_of_other_machine(facts: Facts) -> Tried:
    """A call by its x32 number. A kernel without x32 answers ENOSYS by itself: only EPERM is the filter's answer."""
    ctypes.set_errno(0)
    allowed = LIBC.syscall(ctypes.c_long(facts["foreign"])) >= 0
    number = ctypes.get_errno()
    return Tried(allowed or number != errno.EPERM, "allowed" if allowed else errno.errorcode.get(number, "?"))


def write_clock(facts: Facts) -> Tried:
    moment = struct.pack("ll", *divmod(time.clock_gettime_ns(time.CLOCK_REALTIME), 10**9))
    return calls(facts, "clock_settime", 0, ctypes.c_char_p(moment))


def gain_privileges(_: Facts) -> Tried:
    """Whether a set-user-id program would run with more rights than this process."""
    with open("/proc/self/status", encoding="ascii") as stream:
        told = dict(line.split(":\t", 1) for line in stream.read().splitlines() if ":\t" in line)
    rights = int(told["CapBnd"], 16) | int(told["CapEff"], 16)
    held = told["NoNewPrivs"] == "1" and rights == 0
    return Tried(not held, f"NoNewPrivs {told['NoNewPrivs']}, capabilities {rights:x}")


def use_inherited_file(_: Facts) -> Tried:
    handles = [name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
    more = sorted(int(name) for name in handles if int(name) > 2)
    return Tried(bool(more), f"handles {more or 'none'} beyond the three")


def read_environment(facts: Facts) -> Tried:
    more = sorted(os.environ.keys() - set(facts["names"]) - {"PWD", "LC_CTYPE"})
    return Tried(bool(more), ", ".join(more) or "only what was given")


def core_file(_: Facts) -> Tried:
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    return Tried(most != 0, f"hard limit {most}")
