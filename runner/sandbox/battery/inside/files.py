"""Attacks on files: reads and writes of what must be absent or closed."""

import os

from runner.sandbox.battery.inside.tried import Facts, Tried, answer, reads, writes


def read_checkout(facts: Facts) -> Tried:
    return reads(facts["checkout"])


def read_home_of_root(_: Facts) -> Tried:
    try:
        names = [name for name in os.listdir("/root") if name in (".bashrc", ".profile", ".ssh", ".config")]
    except OSError as error:
        return answer(error)
    return Tried(bool(names), f"{len(names)} of root's own names")


def read_shadow(_: Facts) -> Tried:
    return reads("/etc/shadow")


def read_secret_beside(facts: Facts) -> Tried:
    return reads(facts["secret"])


def read_planted_link(facts: Facts) -> Tried:
    return reads(f"{facts['work']}/planted")


def read_new_link(facts: Facts) -> Tried:
    link = f"{facts['work']}/made"
    os.symlink(facts["secret"], link)
    return reads(link)


def read_by_hard_link(facts: Facts) -> Tried:
    try:
        os.link(facts["secret"], f"{facts['work']}/hard")
    except OSError as error:
        return answer(error)
    return reads(f"{facts['work']}/hard")


def read_through_init(facts: Facts) -> Tried:
    return reads(f"/proc/1/root{facts['secret']}")


def read_through_parent(facts: Facts) -> Tried:
    return reads(f"{facts['work']}/../{os.path.basename(facts['secret'])}")


def read_environment_of_init(_: Facts) -> Tried:
    try:
        with open("/proc/1/environ", "rb") as stream:
            names = [pair.partition(b"=")[0].decode() for pair in stream.read().split(b"\0") if pair]
    except OSError as error:
        return answer(error)
    return Tried(bool(names), f"{len(names)} names")


def read_block_device(_: Facts) -> Tried:
    found = [name for name in os.listdir("/dev") if name.startswith(("sd", "vd", "nvme", "loop", "mem", "kmsg"))]
    return Tried(bool(found), f"{len(found)} devices")


def write_usr(_: Facts) -> Tried:
    return writes("/usr/sealbook-attack")


def write_etc(_: Facts) -> Tried:
    return writes("/etc/sealbook-attack")


def write_root(_: Facts) -> Tried:
    return writes("/sealbook-attack")


def write_read_only_bind(facts: Facts) -> Tried:
    return writes(f"{facts['shown']}/sealbook-attack")


def write_core_pattern(_: Facts) -> Tried:
    path = "/proc/sys/kernel/core_pattern"
    try:
        with open(path, "rb") as stream:
            now = stream.read()
    except OSError as error:
        return answer(error)
    return writes(path, now, 0)


def write_sysrq(_: Facts) -> Tried:
    try:
        os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))  # opened only: a byte could stop the machine
    except OSError as error:
        return answer(error)
    return Tried(True, "opened for writing")


def write_sys(_: Facts) -> Tried:
    try:
        os.close(os.open("/sys/kernel/mm/transparent_hugepage/enabled", os.O_WRONLY))
    except OSError as error:
        return answer(error)
    return Tried(True, "opened for writing")
