"""Keeps all bytes of one attempt in one file, so that the next variant can be held against them.

The file is private: it holds paths of this machine. It is committed to, and who keeps it can show it later.
"""

import gzip
import io
import tarfile
from collections.abc import Mapping
from pathlib import Path

from runner.contract.canonical import load, parse
from runner.contract.parity.inventory import INVENTORY_FILE, Inventory

ARCHIVE_FILE = "raw.tar.gz"


def keep(path: Path, inventory: Inventory, files: Mapping[str, bytes]) -> None:
    """Write every file, and the inventory that was made of them. Equal content gives equal bytes."""
    with (
        path.open("xb") as raw,
        gzip.GzipFile("", "wb", 1, raw, 0) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name, data in {INVENTORY_FILE: inventory.canonical(), **files}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


def kept(path: Path) -> tuple[Inventory, dict[str, bytes]]:
    """What `keep` wrote. Raises OSError or `tarfile.TarError` if it is damaged, `ContractError` for its inventory."""
    found: dict[str, bytes] = {}
    with tarfile.open(path, "r:gz") as tar:
        for member in tar:
            stream = tar.extractfile(member)
            if stream is not None:
                found[member.name] = stream.read()
    inventory = found.pop(INVENTORY_FILE)
    return load(Inventory, parse(inventory, file=INVENTORY_FILE), file=INVENTORY_FILE), found
