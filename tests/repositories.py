"""Makes git repositories for tests, by git itself, apart from the user's configuration."""

import os
import subprocess
from pathlib import Path


class Repository:
    """A git repository in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str | Path) -> str:
        """Run git there and return what it printed."""
        return run_git("-C", self.folder, *arguments)

    def commit(self, message: str = "Change") -> str:
        """Commit everything; return the commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()


def run_git(*arguments: str | Path) -> str:
    """Run git with nothing of the user's and nothing of the hour, and return what it printed."""
    who = {
        "GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.org",
        "GIT_COMMITTER_NAME": "Test", "GIT_COMMITTER_EMAIL": "test@example.org",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none",
    }  # fmt: skip
    nothing = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    command = ["git", *map(str, arguments)]
    return subprocess.run(command, env=who | nothing, check=True, capture_output=True, text=True).stdout
