"""One small record of what somebody else published, with every fact, verdict and sample count there is."""

from pathlib import Path
from typing import Any

from tests.hostile.toml import toml
from tests.sitegen.projects import write

Data = dict[str, Any]
NAME = "tiny-report"
FILE = f"content/reported/{NAME}.toml"
CONTRADICTED = "versions[1].measured[0].rows[0].percent"
"""The one place where what is published does not follow from its figures."""


def both(en: str, zh: str) -> Data:
    return {"en": en, "zh": zh}


def unknown(en: str = "it is not printed", zh: str = "未公布") -> Data:
    return {"fact": "unknown", "reason": both(en, zh)}


def time(milliseconds: int) -> Data:
    return {"fact": "published", "ns": milliseconds * 1_000_000}


def digest(digit: str) -> Data:
    return {"fact": "published", "sha256": digit * 64}


def row(case: str, base: Data, head: Data, statistic: str = "p95", **stated: Any) -> Data:
    return {"case": case, "statistic": statistic, "base": base, "head": head, **stated}


def a_report(name: str = NAME) -> Data:
    """A fresh copy. Its first version is held for three reasons, its second passes what it prints."""
    return {
        "format": "sealbook.reported/1",
        "id": name,
        "title": both("Tiny, as its author timed it", "Tiny：作者的计时"),
        "summary": both("Two versions, one of them held.", "两个版本，其中一个搁置。"),
        "subject": "tiny",
        "source": {
            "url": "https://example.org/tiny/1",
            "who": both("its author", "其作者"),
            "published": {"fact": "published", "instant": "2026-11-01"},
            "transcribed": "2026-11-30",
        },
        "measures": [
            {
                "id": "command",
                "title": both("Command", "命令"),
                "about": both("From start to exit.", "从启动到退出。"),
                "decimals": 3,
                "gate": {
                    "rule": "at-most",
                    "statistic": "p95",
                    "percent_millionths": 5_000_000,
                    "difference_ns": 25_000_000,
                },
            },
            {
                "id": "warm",
                "title": both("Warm request", "预热请求"),
                "about": both("Inside a running process.", "在运行中的进程内。"),
                "decimals": 0,
                "gate": {"rule": "strictly-below", "statistic": "p95", "bound_ns": 2_000_000},
            },
            {
                "id": "cold",
                "title": both("Cold start", "冷启动"),
                "about": both("With a filled cache.", "缓存已备好。"),
                "decimals": 0,
            },
        ],
        "cases": [
            {"id": "file", "title": both("File", "文件")},
            {"id": "database", "title": both("Database", "数据库")},
            {"id": "empty", "title": both("Empty", "空")},
        ],
        "versions": [
            {
                "id": "v1",
                "name": "V1",
                "occasion": both("The first run.", "首次运行。"),
                "ran": {"fact": "published", "instant": "2026-10-01T02:03:04Z"},
                "base": {"fact": "published", "revision": "a" * 40},
                "head": {"fact": "published", "revision": "b" * 40},
                "protocol": digest("1"),
                "receipt": unknown(),
                "seal": digest("2"),
                "seal_covers": {"fact": "published", "text": both("source and samples", "源代码与样本")},
                "retries": {"fact": "published", "count": 0},
                "rows_given": "all",
                "disposition": {"fact": "published", "disposition": "owner-review-hold"},
                "measured": [
                    {
                        "measure": "command",
                        "samples": {"samples": "pairs", "planned": 64, "complete": 64},
                        "rows": [
                            row(
                                "file",
                                time(500),
                                time(530),
                                difference_ns=30_000_000,
                                percent={"digits": 6_000_000, "decimals": 6},
                                verdict={"verdict": "hold", "reason": "exceeds-both"},
                            ),
                            row("database", time(1000), time(1026), verdict={"verdict": "hold"}),
                            row("empty", time(0), time(1), verdict={"verdict": "pass"}),
                            row("file", time(400), time(380), "p50"),
                        ],
                    },
                    {
                        "measure": "warm",
                        "samples": {"samples": "separate", "each": 128},
                        "rows": [row("file", unknown("one side is printed", "只公布一侧"), time(2))],
                    },
                ],
            },
            {
                "id": "v2",
                "name": "V2",
                "occasion": both("After a change.", "改动之后。"),
                "ran": unknown(),
                "base": {"fact": "published", "revision": "v1.0"},
                "head": unknown(),
                "protocol": unknown(),
                "receipt": digest("3"),
                "seal": unknown(),
                "seal_covers": unknown(),
                "retries": unknown(),
                "rows_given": "part",
                "disposition": unknown(),
                "measured": [
                    {
                        "measure": "command",
                        "samples": {"samples": "unknown", "reason": both("nobody says", "无人说明")},
                        "rows": [
                            row(
                                "file",
                                time(500),
                                time(501),
                                percent={"digits": 25, "decimals": 2},
                                verdict={"verdict": "pass"},
                            ),
                            row("database", time(1000), unknown("it was cut off", "被截断")),
                        ],
                    },
                    {
                        "measure": "cold",
                        "samples": {"samples": "separate", "each": 16},
                        "rows": [row("file", time(200), time(210)), row("file", time(150), time(150), "p50")],
                    },
                ],
            },
        ],
        "disposition": {"fact": "published", "disposition": "owner-review-hold"},
        "said": [{"id": "frozen", "text": both("Counts were frozen.", "次数事先冻结。")}],
        "limits": [{"id": "true", "text": both("That it is true.", "其属实。")}],
        "findings": [{"at": CONTRADICTED, "text": both("A digit is wrong.", "有一位数字有误。")}],
    }


def write_report(root: Path, data: Data | None = None) -> Path:
    """Write a record into a project, by default the small one."""
    record = data or a_report()
    write(root, f"content/reported/{record['id']}.toml", toml(record))
    return root / f"content/reported/{record['id']}.toml"
