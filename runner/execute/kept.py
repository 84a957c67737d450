"""One attempt file: all that is kept of an attempt until its run is sealed."""

from collections.abc import Iterable, Iterator

from pydantic import TypeAdapter

from runner.contract.attempt import Attempt
from runner.contract.canonical import parse_record
from runner.contract.errors import ContractError, Problem
from runner.contract.evidence import Commitment, Timing
from runner.contract.values import Count, FileDigest, Record
from runner.errors import CorruptLedgerError
from runner.ledger import ATTEMPTS_FOLDER


class Kept(Record):
    """An attempt with its times, its commitments and the digests of its published files."""

    attempt: Attempt
    timing: Timing
    commitments: tuple[Commitment, ...]
    files: tuple[FileDigest, ...]
    """Its events and artifacts, by path in the run's folder."""
    replaced: Count


_ADAPTER = TypeAdapter(Kept)


def parse_each(files: Iterable[tuple[str, bytes]]) -> Iterator[Kept]:
    """Read attempt files back, one by one, each with its name in messages.

    At the end, raises `CorruptLedgerError` that names every file in a form of another version, and what in it differs:
    they are done all the same, so that none of them may be made again in silence.
    """
    read = 0
    unread: list[ContractError] = []
    for file, data in files:
        try:
            kept = parse_record(_ADAPTER, data, file=file)
        except ContractError as error:
            unread.append(error)
        else:
            read += 1
            yield kept
    if unread:
        done = read + len(unread)
        what = f"{len(unread)} of the {done} attempts that are done stand in a form that this version cannot read"
        todo = "none is made again: finish the run with the version that made them, or start another with --new"
        problems = [problem for error in unread for problem in error.problems]
        raise CorruptLedgerError.of(Problem(ATTEMPTS_FOLDER, "", what, todo), *problems)
