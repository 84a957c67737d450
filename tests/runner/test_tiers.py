"""Tiers on the command line: what a study demands, what a machine gives, and what `doctor` says of it."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import sealbook
from runner.contract.events import Exited
from runner.contract.study import Tier
from runner.kinds.kind import Bench
from runner.sandbox.battery.catalog import TRIALS
from runner.sandbox.battery.trial import Judged, Verdict
from runner.sandbox.command import run
from runner.sandbox.isolation import Bind, Isolation
from runner.sandbox.process import ProcessRequest
from runner.verbs.doctor import Diagnosis, as_record, table
from tests.studies import a_study

SEALBOOK = Path(sys.executable).with_name("sealbook")


@pytest.fixture
def other_bubblewrap(required_tool, tmp_path):
    """Call the command where another program stands in bubblewrap's place, in a mount namespace of its own."""
    bubblewrap = required_tool("bwrap")
    unshare = required_tool("unshare")
    if os.geteuid() != 0:
        pytest.skip("mounting over a program needs root")

    def call(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        stand_in = tmp_path / "stand-in"
        stand_in.write_text(textwrap.dedent(program).lstrip())
        stand_in.chmod(0o755)
        script = 'cp "$1" /run/real-bwrap && mount --bind "$2" "$1" && shift 2 && exec "$@"'
        command = [unshare, "--mount", "sh", "-c", f"mount -t tmpfs none /run && {script}", "call"]
        return subprocess.run(
            [*command, bubblewrap, stand_in, SEALBOOK, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


def test_a_run_is_made_at_the_tier_that_its_study_demands(call, project, kind, jail):
    tiers = []

    def during(attempt: str, bench: Bench) -> None:
        jailed = Isolation(tier=bench.tier, binds=(Bind(bench.folder, writable=True),))
        request = ProcessRequest(("id", "-u"), bench.folder, {"PATH": "/usr/bin:/bin"}, 99, isolation=jailed)
        finished = run(request, 20)
        assert finished.end == Exited(code=0)
        tiers.append((bench.tier, finished.stdout.text.strip()))

    kind.during = during
    a_study(project / "manifests", tier="bwrap")
    call("prepare", "tiny")
    ended = call("run", "tiny", "--quick", "--json")

    assert ended.code == 0
    assert set(tiers) == {(Tier.bwrap, "1000")}
    sealed = project / ended.json["sealed"]
    attempts = [json.loads(line) for line in (sealed / "attempts.jsonl").read_text().splitlines()]
    assert {attempt["tier"] for attempt in attempts} == {"bwrap"}
    assert call("verify", sealed).code == 0


def test_a_kind_that_cannot_perform_at_a_tier_says_so_before_anything_starts(call, project, kind):
    kind.tiers = frozenset({Tier.process})
    a_study(project / "manifests", tier="bwrap")
    call("prepare", "tiny")
    ended = call("run", "tiny")

    assert ended.code == 3
    expected = "tiny: a study of kind qualification is performed at tier process, not at bwrap; use tier process"
    assert expected in ended.err
    assert call("run", "tiny", "--json").json["error"] == "tier-unavailable"
    assert kind.performed == []
    assert not (project / ".sealbook" / "runs").exists()


def test_an_unfinished_run_is_not_taken_up_at_another_tier(call, project, kind, jail):
    def stop(attempt: str, bench: Bench) -> None:
        raise KeyboardInterrupt

    kind.during = stop
    call("prepare", "tiny")
    assert call("run", "tiny").code == 3
    kind.during = lambda attempt, bench: None
    other = call("run", "tiny", "--tier", "bwrap")

    assert other.code == 3
    assert "it began at tier process, not at bwrap; give the same tier, or start a new run with --new" in other.err
    assert call("run", "tiny").code == 0


def test_an_unknown_tier_is_a_wrong_request(call, project):
    assert call("run", "tiny", "--tier", "vm").code == 2
    assert call("doctor", "--tier", "vm").code == 2


def test_a_machine_without_the_tier_is_told_before_anything_starts_and_gets_no_weaker_one(
    call, project, kind, other_bubblewrap
):
    ended = other_bubblewrap("#!/bin/sh\necho 'bwrap: no such luck' >&2; exit 1\n", "doctor", "--tier", "bwrap")

    assert ended.returncode == 3
    said = "tier bwrap cannot be had on this machine: bubblewrap does not start: bwrap: no such luck; let this user"
    assert said in ended.stderr
    assert ended.stdout == ""


def test_an_old_bubblewrap_is_told_with_the_version_that_is_needed(other_bubblewrap):
    old = "#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2; exit 1\n"
    ended = other_bubblewrap(old, "doctor", "--tier", "bwrap", "--json")

    assert ended.returncode == 3
    told = json.loads(ended.stdout)
    assert told["error"] == "tier-unavailable"
    assert told["problems"][0]["todo"] == "install bubblewrap 0.8 or later"


WITHOUT = """
    #!/usr/bin/python3
    # Bubblewrap without one of its options.
    import os, sys
    at = int(sys.argv[2])
    options = os.pread(at, 1 << 20, 0).split(b"\\0")
    options = [option for option in options if option != b"--unshare-net"]
    kept = os.memfd_create("options", 0)
    os.write(kept, b"\\0".join(options))
    os.lseek(kept, 0, os.SEEK_SET)
    os.execv("/run/real-bwrap", ["bwrap", "--args", str(kept), *sys.argv[3:]])
"""


@pytest.mark.long
def test_doctor_finds_a_jail_whose_network_is_open_and_ends_with_1(other_bubblewrap, jail):
    if not Path("/usr/bin/python3").exists():
        pytest.skip("the stand-in needs /usr/bin/python3")
    ended = other_bubblewrap(WITHOUT, "doctor", "--tier", "bwrap", "--json")

    assert ended.returncode == 1, ended.stderr
    told = json.loads(ended.stdout)
    (tier,) = told["tiers"]
    broken = {trial["name"] for trial in tier["trials"] if trial["verdict"] == "broken"}
    assert not told["held"]
    assert {"connect_host_loopback", "connect_abstract"} <= broken
    assert "read_secret_beside" not in broken


def passable(path: Path) -> bool:
    """Whether anybody may go through all folders above."""
    return all(parent.stat().st_mode & 0o001 for parent in path.parents)


@pytest.mark.long
def test_an_ordinary_user_gets_the_same_jail(jail, required_tool):
    """Private folders above the program are covered in a mount namespace, so that the user may start it."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user; the other tests are made by an ordinary one then")
    needed = {Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), Path(sealbook.__file__).parent}
    hidden = sorted(path for path in needed if not passable(path))
    closed = {next(up for up in reversed(path.parents) if not up.stat().st_mode & 0o001) for path in hidden}
    script = ["set -e", "mount -t tmpfs -o mode=755 none /media"]
    script += [f"mkdir /media/{n}; mount --bind {path} /media/{n}" for n, path in enumerate(hidden)]
    script += [f"mount -t tmpfs -o mode=755 none {path}" for path in sorted(closed)]
    script += [f"mkdir -p {path}; mount --bind /media/{n} {path}" for n, path in enumerate(hidden)]
    script += [
        "mount -t tmpfs -o mode=755 none /srv; mkdir -m 700 /srv/user; chown 1234:1234 /srv/user; cd /srv/user",
    ]
    become = "setpriv --reuid 1234 --regid 1234 --clear-groups env -i PATH=/usr/bin:/bin HOME=/srv/user"
    script.append(f"exec {become} {SEALBOOK} doctor --tier bwrap --work-root /srv/user --json")
    command = [required_tool("unshare"), "--mount", "--propagation", "private", "bash", "-c", "\n".join(script)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr
    (tier,) = json.loads(ended.stdout)["tiers"]
    found = {trial["verdict"] for trial in tier["trials"]}
    assert "held" in found
    assert found <= {"held", "not-limited"}


@pytest.mark.long
def test_doctor_ends_with_0_where_everything_holds(jail, tmp_path):
    command = [SEALBOOK, "doctor", "--work-root", tmp_path]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stdout
    assert "tier bwrap: 5" in ended.stdout
    assert "BROKEN" not in ended.stdout
    assert list(tmp_path.iterdir()) == []


def rows(tier: Tier, broken: str = "") -> tuple[Judged, ...]:
    def verdict(trial):
        if trial.name == broken:
            return Verdict.broken
        return Verdict.held if tier in trial.tiers else Verdict.not_claimed

    return tuple(Judged(trial, verdict(trial), "EPERM") for trial in TRIALS)


def test_the_table_has_a_row_for_each_trial_and_a_sum_for_each_tier():
    found = [
        Diagnosis(Tier.process, None, rows(Tier.process)),
        Diagnosis(Tier.bwrap, None, rows(Tier.bwrap, broken="write_usr")),
    ]
    lines = table(found)

    assert sum(trial.tries in line for line in lines for trial in TRIALS) >= len(TRIALS)
    (line,) = [line for line in lines if "write to /usr" in line]
    assert line.split()[3:] == ["not", "claimed", "BROKEN", "EPERM"]
    assert lines[-1] == f"tier bwrap: {len(TRIALS) - 1} of {len(TRIALS)} held"
    assert max(map(len, lines)) <= 120
    record = as_record(found)
    assert record["held"] is False


def test_the_table_says_what_stands_in_the_way_of_a_tier():
    found = [
        Diagnosis(Tier.process, None, rows(Tier.process)),
        Diagnosis(Tier.bwrap, ("it is old", "get a new one"), ()),
    ]
    lines = table(found)

    assert "    cannot be had: it is old; get a new one" in lines
    assert not [line for line in lines if line.startswith("tier bwrap:") and "held" in line]
    assert as_record(found)["held"] is True
