"""Where one subject lies in a prepared folder."""

import sysconfig
from dataclasses import dataclass
from pathlib import Path

from runner.contract.qualification.design import InstalledSubject


@dataclass(frozen=True, slots=True)
class Installed:
    """One subject's private environment and source."""

    folder: Path
    subject: InstalledSubject

    @classmethod
    def of(cls, prepared: Path, subject: InstalledSubject) -> "Installed":
        """The subject's part of what `prepare` or `build_checkout` made."""
        return cls(prepared.absolute() / subject.id, subject)

    @property
    def env(self) -> Path:
        """Its virtual environment."""
        return self.folder / "env"

    @property
    def programs(self) -> Path:
        """The folder of its commands."""
        return self.env / "bin"

    @property
    def python(self) -> Path:
        """Its private interpreter: `{python}`."""
        return self.programs / "python"

    @property
    def command(self) -> Path:
        """Its program: `{command}`."""
        return self.programs / self.subject.command

    @property
    def packages(self) -> Path:
        """Where its installed distributions lie."""
        base = str(self.env)
        return Path(sysconfig.get_path("purelib", "venv", {"base": base, "platbase": base}))

    @property
    def source(self) -> Path:
        """Its unpacked source: what `{source}` is a copy of."""
        return self.folder / "source"

    @property
    def wheels(self) -> Path:
        """The pinned files of its environment, as they were fetched."""
        return self.folder / "wheels"

    @property
    def checkout(self) -> Path:
        """What is known of the checkout that was built; absent for pinned artifacts."""
        return self.folder / "checkout.json"
