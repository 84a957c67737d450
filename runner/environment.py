"""What the runner takes from the machine: clock, chance, variables, and facts about where it runs.

Everything else is handed these as values, so that tests and replays can hand it others.
"""

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from runner.contract.evidence import Environment

NANOSECONDS = 1_000_000_000
SALT_BYTES = 32


class Clock(Protocol):
    """Tells when a run begins, and how long ago that was."""

    def instant(self) -> str:
        """The present second, RFC 3339 in UTC."""
        ...

    def since(self, instant: str, at_least_ns: int) -> Callable[[], int]:
        """A stopwatch in nanoseconds from `instant`. It never runs backwards nor below `at_least_ns`."""
        ...


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Reads the monotonic clock of this machine, which all its processes share, from another beginning."""

    offset_ns: int

    def __call__(self) -> int:
        """Nanoseconds from that beginning."""
        return time.monotonic_ns() + self.offset_ns


class SystemClock:
    """The clock of this machine. Between two readings it follows the monotonic clock."""

    def instant(self) -> str:
        """The present second, RFC 3339 in UTC."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def since(self, instant: str, at_least_ns: int) -> Callable[[], int]:
        """A stopwatch from `instant`.

        A resumed run goes on from the wall clock; where that was set back meanwhile, from `at_least_ns`.
        """
        begin = int(datetime.strptime(instant, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())
        offset = max(time.time_ns() - begin * NANOSECONDS, at_least_ns)
        start = time.monotonic_ns()
        return Stopwatch(offset - start)


def new_salt() -> bytes:
    """Fresh random bytes that keep a commitment from being guessed."""
    return os.urandom(SALT_BYTES)


def home() -> str | None:
    """The user's home folder, which git needs to know whom the user trusts."""
    return os.environ.get("HOME")


def key(name: str) -> str | None:
    """The key that the user keeps in a variable; None if it is not set or empty. It is never written down."""
    return os.environ.get(name) or None


def download_settings() -> dict[str, str]:
    """What the user has set for downloads: mirrors, proxies, certificates. For `prepare` alone."""
    names = frozenset({"HOME", "PATH", "LANG", "XDG_CONFIG_HOME", "NETRC", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE"})
    beginnings = ("PIP_", "SSL_CERT_")
    return {
        name: value
        for name, value in os.environ.items()
        if name in names or name.startswith(beginnings) or name.lower().endswith("_proxy")
    }


def facts() -> Environment:
    """Where this process runs, without host name, user name or path."""
    return Environment(
        python=platform.python_version(),
        implementation=platform.python_implementation(),
        system=platform.system(),
        release=platform.release(),
        machine=platform.machine(),
        cpus=os.cpu_count() or 0,
    )
