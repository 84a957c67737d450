"""A source distribution is unpacked inside its place, or refused, on every Python that Sealbook runs on."""

import io
import os
import tarfile

import pytest

from runner.errors import PreparationError
from runner.sandbox.source import unpack


@pytest.fixture(params=["filter of tarfile", "before Python 3.11.4"], autouse=True)
def _python(request, monkeypatch):
    """Debian 12's Python has no filter for archives."""
    if request.param != "filter of tarfile":
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    elif not hasattr(tarfile, "data_filter"):
        pytest.skip("this Python has no filter for archives")


def an_archive(folder, *members: tarfile.TarInfo):
    """An archive with one good file and these members."""
    path = folder / "tool-1.0.tar.gz"
    good = tarfile.TarInfo("tool-1.0/tool.py")
    good.uid, good.mode, good.size = 12345, 0o6777, 2
    with tarfile.open(path, "w:gz") as tar:
        tar.addfile(good, io.BytesIO(b"x\n"))
        for member in members:
            tar.addfile(member, io.BytesIO(b"y" * member.size))
    return path


def member(name, kind=tarfile.REGTYPE, link=""):
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, 1 if kind == tarfile.REGTYPE else 0
    return made


def test_the_one_top_folder_becomes_the_target_and_belongs_to_the_user(tmp_path):
    unpack(an_archive(tmp_path, member("tool-1.0/below/more.py")), tmp_path / "source")

    assert (tmp_path / "source/tool.py").read_text() == "x\n"
    assert (tmp_path / "source/below/more.py").read_text() == "y"
    found = (tmp_path / "source/tool.py").stat()
    assert (found.st_uid, found.st_mode & 0o7022) == (os.geteuid(), 0)


@pytest.mark.parametrize(
    "bad",
    [
        member("../outside.txt"),
        member("tool-1.0/../../outside.txt"),
        member("tool-1.0/link", tarfile.SYMTYPE, "../../outside.txt"),
        member("tool-1.0/link", tarfile.SYMTYPE, "/etc/passwd"),
        member("tool-1.0/pipe", tarfile.FIFOTYPE),
        member("tool-1.0/device", tarfile.CHRTYPE),
    ],
    ids=lambda bad: f"{bad.name}->{bad.linkname}",
)
def test_a_member_that_leads_outside_or_is_no_source_is_refused_and_nothing_stays(tmp_path, bad):
    with pytest.raises(PreparationError, match="cannot be unpacked"):
        unpack(an_archive(tmp_path, bad), tmp_path / "source")

    assert [path.name for path in tmp_path.iterdir()] == ["tool-1.0.tar.gz"]
