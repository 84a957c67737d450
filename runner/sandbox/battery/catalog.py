"""Every attack and every positive control: what it tries, where it must not succeed, how it is judged."""

from dataclasses import dataclass, field
from enum import StrEnum

from runner.contract.study import Tier
from runner.sandbox.isolation import MIB, Limits

BOTH = frozenset(Tier)
JAIL = frozenset({Tier.bwrap})


class Proof(StrEnum):
    """What shows that a tier holds."""

    works = "works"
    """It says that it did. A positive control."""
    blocked = "blocked"
    """It says that it could not."""
    blocked_or_killed = "blocked-or-killed"
    """It says so, or the kernel ended it."""
    gone = "gone"
    """What it started has stopped, once the runner took its process for ended."""
    capped_and_gone = "capped-and-gone"
    """The runner's clock ended it, and what it started has stopped."""
    counted = "counted"
    """Every byte was counted, and no more kept than the cap."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One attack or control."""

    module: str
    name: str
    """The function in that module of `inside`."""
    tries: str
    """In words."""
    proof: Proof = Proof.blocked
    tiers: frozenset[Tier] = JAIL
    """Where it must hold. At the others it is not tried: there it would succeed, and could do harm."""
    limits: Limits = field(default_factory=Limits)
    seconds: float = 20.0
    machine: str | None = None
    """The only kind of machine on which it can be told from a call that no kernel knows; None if any."""
    needs_group: bool = False
    """Whether it can hold only where a control group can limit memory."""


_SMALL = Limits(processes=40, address_space_bytes=512 * MIB, cpu_seconds=1, file_bytes=4 * MIB, scratch_bytes=2 * MIB)
_SCRATCH = Limits(scratch_bytes=2 * MIB)

CONTROLS: tuple[Trial, ...] = (
    Trial("controls", "use_workspace", "read and write the workspace", Proof.works, BOTH),
    Trial("controls", "use_programs", "start programs and join them", Proof.works, BOTH),
    Trial("controls", "use_scratch", "write to /tmp, /dev/shm and the home", Proof.works, BOTH),
    Trial("controls", "use_own_loopback", "serve and connect on its own loopback", Proof.works, BOTH),
)
ATTACKS: tuple[Trial, ...] = (
    Trial("files", "read_checkout", "read the folder of the runner"),
    Trial("files", "read_home_of_root", "read the home of root"),
    Trial("files", "read_shadow", "read /etc/shadow"),
    Trial("files", "read_secret_beside", "read a file beside the workspace"),
    Trial("files", "read_through_parent", "read it through `..`"),
    Trial("files", "read_planted_link", "read it through a link that stood there before"),
    Trial("files", "read_new_link", "read it through a new link"),
    Trial("files", "read_by_hard_link", "read it by a second name"),
    Trial("files", "read_through_init", "read it through /proc/1/root"),
    Trial("files", "read_environment_of_init", "read the variables of process 1"),
    Trial("files", "read_block_device", "find a disk or the machine's memory in /dev"),
    Trial("files", "write_usr", "write to /usr"),
    Trial("files", "write_etc", "write to /etc"),
    Trial("files", "write_root", "write to /"),
    Trial("files", "write_read_only_bind", "write to a folder that is bound read-only"),
    Trial("files", "write_core_pattern", "write /proc/sys/kernel/core_pattern"),
    Trial("files", "write_sysrq", "open /proc/sysrq-trigger for writing"),
    Trial("files", "write_sys", "open a file of /sys for writing"),
    Trial("network", "connect_host_loopback", "connect to a service on the host's loopback"),
    Trial("network", "connect_outside", "connect to another machine"),
    Trial("network", "send_dns", "send a datagram to a name server"),
    Trial("network", "connect_abstract", "connect to an abstract socket of the host"),
    Trial("network", "raw_socket", "open a raw socket"),
    Trial("network", "other_socket", "open a socket that no network namespace keeps apart"),
    Trial("kernel", "signal_host_process", "signal a process of the host"),
    Trial("kernel", "see_host_processes", "see a process of the host"),
    Trial("kernel", "new_user_namespace", "make a user namespace by unshare"),
    Trial("kernel", "new_namespace_by_clone", "make a user namespace by clone"),
    Trial("kernel", "mount_something", "mount a file system"),
    Trial("kernel", "change_root", "change the root folder"),
    Trial("kernel", "make_device", "make a device file"),
    Trial("kernel", "trace_init", "attach to process 1 by ptrace"),
    Trial("kernel", "read_memory_of_init", "read the memory of process 1"),
    Trial("kernel", "use_keyring", "use the kernel's keyring"),
    Trial("kernel", "load_bpf", "make a BPF map"),
    Trial("kernel", "count_performance", "open a performance counter"),
    Trial("kernel", "use_io_uring", "make an io_uring"),
    Trial("kernel", "handle_page_faults", "handle page faults itself"),
    Trial("kernel", "open_by_handle", "open a file by its handle, around all paths"),
    Trial("kernel", "call_of_other_machine", "make a call by a number of another instruction set", machine="x86_64"),
    Trial("kernel", "write_clock", "set the clock to what it shows"),
    Trial("kernel", "gain_privileges", "keep a way to more rights"),
    Trial("kernel", "use_inherited_file", "use an open file of the runner", tiers=BOTH),
    Trial("kernel", "read_environment", "find a variable that it was not given", tiers=BOTH),
    Trial("kernel", "core_file", "be allowed a core file", tiers=BOTH),
    Trial("limits", "fork_without_end", "start processes without end", limits=_SMALL),
    Trial("limits", "fill_address_space", "reserve memory without end", limits=_SMALL),
    Trial(
        "limits",
        "fill_memory_together",
        "fill memory with several processes",
        Proof.blocked_or_killed,
        limits=Limits(memory_bytes=96 * MIB),
        needs_group=True,
    ),
    Trial("limits", "write_endless_file", "write a file without end", limits=_SMALL),
    Trial("limits", "fill_scratch", "fill /tmp", limits=_SCRATCH),
    Trial("limits", "fill_shared_memory", "fill /dev/shm", limits=_SCRATCH),
    Trial("limits", "burn_time", "use the processor without end", Proof.blocked_or_killed, limits=_SMALL),
    Trial("limits", "leave_a_daemon", "leave a daemon behind", Proof.gone, BOTH),
    Trial("limits", "stop_oneself", "stop itself and never end", Proof.capped_and_gone, BOTH, seconds=1.5),
    Trial("limits", "flood_output", "flood its output", Proof.counted, BOTH),
)
TRIALS = (*CONTROLS, *ATTACKS)
