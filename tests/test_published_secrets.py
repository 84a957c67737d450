"""Whatever a tool prints or an agent writes that has the shape of a key reaches neither the seal nor the site."""

import base64
from pathlib import Path

import pytest

from runner.backends.performance import Performance
from runner.backends.scripted_server import ScriptedServer
from runner.contract.comparison.difference import read_difference
from tests.comparisons import Tiny
from tests.runner.backends.chats import settings_text
from tests.runner.backends.live import acted, toml
from tests.runner.backends.scripts import a_script, a_turn
from tests.sitegen.built import make_site
from tests.sitegen.projects import PROTOCOL, TEXTS, write

LISTED = "correct-horse-battery-staple"
"""The value of the variable that a configuration names: it has no shape of a key."""
SHAPES = {
    "google": "AIzaSyD-1234567890abcdefghijklmnopqrstu",
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "openai": "sk-proj-abcdefghijklmnopqrstuvwxyz012345",
}
HEADER = "x-api-key: 0123456789abcdef"
PEM = "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA0123\n-----END PRIVATE KEY-----"
HIDDEN = (
    "MIIEowIBAAKCAQEA0123",
    *SHAPES.values(),
    "0123456789abcdef",
    *(base64.b64encode(key.encode()).decode().rstrip("=") for key in SHAPES.values()),
)


def leaks(data: bytes | str, *more: str) -> list[str]:
    """Which of the keys stand in these bytes."""
    raw = data if isinstance(data, bytes) else data.encode()
    return [key for key in (*HIDDEN, *more) if key.encode() in raw]


def everything(folder: Path) -> bytes:
    """The bytes and the names of every file below a folder."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return b"\0".join([*(path.read_bytes() for path in files), *(str(path).encode() for path in files)])


@pytest.mark.report("A24")
def test_keys_that_an_agent_writes_and_says_reach_neither_seal_nor_site(tmp_path, monkeypatch):
    monkeypatch.setenv("LISTED_KEY", LISTED)
    told = " ".join([*SHAPES.values(), HEADER, base64.b64encode(SHAPES["openai"].encode()).decode(), LISTED])
    lines = "".join(f'{name.upper()} = "{key}"\n' for name, key in SHAPES.items())
    lines += f'PEM = """{PEM}"""\n'
    lines += f'HEADER = "{HEADER}"\nENCODED = "{base64.b64encode(SHAPES["aws"].encode()).decode()}"\nOWN = "{LISTED}"\n'
    turns = (
        a_turn(told, write_text={"path": "shop/keys.py", "content": lines}),
        a_turn("", write_text={"path": f"shop/{SHAPES['aws']}.py", "content": "X = 1\n"}),
        a_turn(told),
    )
    for language in ("en", "zh"):
        write(tmp_path, PROTOCOL.format(language), TEXTS[PROTOCOL.format(language)].partition("## ")[0] + "Text.\n")
    write(tmp_path, "content/site.toml", TEXTS["content/site.toml"])
    with ScriptedServer(Performance(a_script(*turns))) as server:
        settings = settings_text(base_url=server.address, key_variable="LISTED_KEY")
        (tmp_path / "chat.toml").write_text(toml(settings))
        sealed = acted(tmp_path, "chat", tmp_path / "chat.toml", tiny=Tiny())

    (attempt,) = sealed.attempts
    difference = sealed.data(f"artifacts/{attempt.attempt}/candidate.diff").decode()
    assert "+{secret}" in difference
    assert [file.path for file in read_difference(difference)] == ["shop/{secret}.py", "shop/keys.py"]
    assert leaks(everything(sealed.folder), LISTED) == []
    assert sealed.run.replaced >= len(SHAPES) + 2
    files = make_site(tmp_path).files
    for path, data in files.items():
        assert leaks(data, LISTED) == [], path
        assert leaks(path, LISTED) == []
    facts = next(data.decode() for path, data in files.items() if path.startswith("en/runs/tiny/"))
    assert f">{sealed.run.replaced}</a>" in facts.partition("Paths, names and keys replaced")[2][:400]
