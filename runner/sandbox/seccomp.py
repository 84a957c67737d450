"""The filter of system calls at tier `bwrap`: classic BPF, as seccomp(2) takes it.

A deny list: what a build or an agent needs stays allowed, and what only reaches for the kernel or for
other processes is refused with EPERM. Calls of a foreign instruction set, of x32, and calls numbered
beyond what this list knows by name are refused too: the first two with EPERM, the third with ENOSYS,
so that a C library falls back as on an older kernel.

Numbers are from the kernel's tables `arch/x86/entry/syscalls/syscall_64.tbl` and
`include/uapi/asm-generic/unistd.h`; a test compares them with libseccomp where that is installed.
"""

import struct
from collections.abc import Mapping

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
"""Offsets in `struct seccomp_data`; of a 64-bit argument the low half stands first on these machines."""
_ALLOW, _ERROR = 0x7FFF_0000, 0x0005_0000
_EPERM, _ENOSYS, _EAFNOSUPPORT = 1, 38, 97
X32 = 0x4000_0000
_NEW_NAMESPACES = 0x7E02_0080
"""CLONE_NEWUSER, NEWNS, NEWPID, NEWNET, NEWIPC, NEWUTS, NEWCGROUP and NEWTIME, as unshare and clone take them."""
_LAST_KNOWN = 469
"""The highest number that was looked at when this list was made: `file_setattr`."""

DENIED: Mapping[str, tuple[int, int]] = {
    # Other processes: ptrace on bubblewrap's own PID 1 would hold the run up for ever.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # Namespaces and mounts: a jail within the jail has more of the kernel to attack.
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    # The kernel itself.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "personality": (135, 92),
    "vhangup": (153, 58),
    "nfsservctl": (180, 42),
    # Keys are kept by user, not by namespace.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # The clock and the names of the machine.
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # Handles that go around paths, and devices.
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # Only on x86-64.
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
    "_sysctl": (156, -1),
}
"""By name: the number on x86-64 and on 64-bit ARM; -1 where it does not exist."""

CLONE = (56, 220)
_CLONE3 = (435, 435)
_SOCKET = (41, 198)
_FAMILIES = (1, 2, 10, 16)
"""Sockets that a network namespace keeps apart, and that programs need: unix, IPv4, IPv6, netlink. VSOCK, for
one, leads from a virtual machine to its host past every namespace; ALG is a way into the kernel's ciphers."""
_MACHINES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}


def machines() -> tuple[str, ...]:
    """The machines that a filter can be made for, as `platform.machine` names them."""
    return tuple(_MACHINES)


def filter_for(machine: str) -> bytes:
    """The filter's instructions, each a `struct sock_filter`. Raises KeyError for an unknown machine.

    `clone3` is refused with ENOSYS, since a filter cannot look at flags behind a pointer; C libraries
    then call `clone`, whose flags are looked at. So is the family of a `socket`.
    """
    column, architecture = _MACHINES[machine]
    denied = sorted(numbers[column] for numbers in DENIED.values() if numbers[column] >= 0)
    code = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, X32),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_AT_LEAST, 0, 1, _LAST_KNOWN + 1),
        (_RETURN, 0, 0, _ERROR | _ENOSYS),
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _ERROR | _ENOSYS),
    ]
    for number in denied:
        code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERROR | _EPERM)]
    code += [(_EQUAL, 0, len(_FAMILIES) + 2, _SOCKET[column]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    code += [(_EQUAL, len(_FAMILIES) - n, 0, family) for n, family in enumerate(_FAMILIES)]
    code += [
        (_RETURN, 0, 0, _ERROR | _EAFNOSUPPORT),
        (_LOAD, 0, 0, _NUMBER),
        (_EQUAL, 0, 3, CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _ERROR | _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)
