"""The table that `make bench` prints: one line a figure, beside what it is measured against."""

from dataclasses import dataclass, field

from tests.bench.limits import Limit


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing, and whether it keeps to its limit; without a limit it is only told."""

    name: str
    ours: str
    against: str
    """The peer or floor of the same run, in words; empty if there is none."""
    value: float | None = None
    """What the limit is for."""
    limit: Limit | None = None
    guide: str = ""

    @property
    def missed(self) -> bool:
        """Whether it has a limit and is beyond it."""
        return self.limit is not None and self.value is not None and self.value > self.limit.most

    def line(self) -> tuple[str, str, str, str, str]:
        """Its cells."""
        judged = ""
        if self.limit and self.value is not None:
            judged = f"{self.value:.3g} {self.limit.unit}, at most {self.limit.most:.3g}"
        mark = "" if not judged else "missed" if self.missed else "kept"
        guide = self.guide or (self.limit.guide if self.limit else "")
        return self.name, self.ours, self.against, f"{judged} {mark}".strip(), guide


@dataclass
class Report:
    """All figures of one run, told as they come."""

    figures: list[Figure] = field(default_factory=list)

    def add(self, figure: Figure) -> None:
        """Tell one figure and keep it for the table."""
        self.figures.append(figure)
        print("  " + "; ".join(cell for cell in figure.line() if cell), flush=True)

    def table(self) -> str:
        """A Markdown table of all."""
        lines = ["| figure | ours | against | judged | guide |", "| --- | --- | --- | --- | --- |"]
        lines += ["| " + " | ".join(figure.line()) + " |" for figure in self.figures]
        return "\n".join(lines)

    def missed(self) -> list[str]:
        """The names of the figures beyond their limits."""
        return [figure.name for figure in self.figures if figure.missed]


def seconds(value: float) -> str:
    """A time as the table shows it."""
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"
