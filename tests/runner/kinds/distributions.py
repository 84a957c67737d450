"""Makes small real distributions by hand, so that pip can be driven for real without a network."""

import hashlib
import io
import tarfile
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path

MODULE = '''import sys


def main():
    """Print help, or the word of this version."""
    if "--help" in sys.argv:
        print("usage: tool [claim]")
    else:
        print("{word}")
'''
BACKEND = '''"""A build backend of a few lines, in the tree that it builds."""
import pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from wheelmaker import write_wheel


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = pathlib.Path(folder, "tool-1.0.dist-info")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\\nName: tool\\nVersion: 1.0\\n")
    (info / "WHEEL").write_text("Wheel-Version: 1.0\\nGenerator: hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    return info.name


def build_wheel(folder, config_settings=None, metadata_directory=None):
    pathlib.Path("built-here").write_text("a build leaves traces in its tree")
    files = {"tool/__init__.py": "", "tool/main.py": pathlib.Path("tool/main.py").read_text()}
    return write_wheel(pathlib.Path(folder), "tool", "1.0", files, {"tool": "tool.main:main"}).name
'''
PROJECT = """[project]
name = "Tool"
version = "1.0"
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""


def write_wheel(
    folder: Path, name: str, version: str, files: Mapping[str, str], scripts: Mapping[str, str] | None = None
) -> Path:
    """Write a pure wheel of these files and console scripts."""
    info = f"{name}-{version}.dist-info"
    contents = dict(files)
    contents[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    contents[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    if scripts:
        lines = "".join(f"{script} = {target}\n" for script, target in scripts.items())
        contents[f"{info}/entry_points.txt"] = f"[console_scripts]\n{lines}"
    record = "".join(
        f"{path},sha256={urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()},{len(text)}\n"
        for path, text in contents.items()
    )
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n"
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in contents.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return wheel


def source_files(word: str) -> dict[str, str]:
    """The files of the subject's source tree."""
    return {
        "pyproject.toml": PROJECT,
        "backend.py": BACKEND,
        "wheelmaker.py": Path(__file__).read_text(encoding="utf-8"),
        "tool/__init__.py": "",
        "tool/main.py": MODULE.format(word=word),
        "tests/test_tool.py": "def test_nothing(): pass\n",
        "PKG-INFO": "Metadata-Version: 2.1\nName: tool\nVersion: 1.0\n",
    }


def write_tree(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


def write_sdist(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a source distribution of these files."""
    sdist = folder / "tool-1.0.tar.gz"
    with tarfile.open(sdist, "w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"tool-1.0/{path}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return sdist
