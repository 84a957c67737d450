"""`sealbook build` and `sealbook check`: the site, written or only looked at."""

from pathlib import Path
from typing import Annotated

import rfc8785
import typer

from runner.contract.errors import printable
from sitegen.build import SITE, Made, build, measure_site
from sitegen.errors import PageError
from sitegen.output import differences, is_site
from sitegen.verbs.asked import root_of

Strict = Annotated[
    bool,
    typer.Option("--strict", help="Refuse unbound numbers and unsupported claims in texts, which are else warnings."),
]


def build_verb(
    context: typer.Context,
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write here instead of site/. A build must have made it."),
    ] = None,
    strict: Strict = False,
) -> None:
    """Build the site in both languages from content and verified evidence, all of it or nothing."""
    root = root_of(context)
    made = build(root, out, strict=strict)
    _warn(made)
    shown = (out or root / SITE) / "index.html"
    typer.echo(f"{shown}: {_counted(made)}")


def check_verb(
    context: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    strict: Strict = False,
) -> None:
    """Check everything a site is made of: sources, evidence, every link, both languages.

    Writes nothing. If site/ was built, it must be what the sources give now.
    """
    root = root_of(context)
    made, digests = measure_site(root, strict=strict)
    site = root / SITE
    if is_site(site) and (problems := differences(digests, site)):
        raise PageError(*problems)
    without_base = made.site.config.base_url is None
    if as_json:
        fields = ("file", "where", "what", "todo")
        warnings = [{name: printable(getattr(item, name)) for name in fields} for item in made.cautions]
        report: dict[str, int | bool | list[dict[str, str]]] = {
            "pages": made.pages,
            "files": made.count,
            "base_url": not without_base,
            "warnings": warnings,
        }
        typer.echo(rfc8785.dumps(dict(report)).decode())
        return
    _warn(made)
    typer.echo(f"{_counted(made)}, {f'warnings: {len(made.cautions)}' if made.cautions else 'no problem'}")
    if without_base:
        typer.echo(
            "no base_url in content/site.toml: canonical links, feed, sitemap and Open Graph tags are left out",
            err=True,
        )


def _warn(made: Made) -> None:
    """Say on standard error what texts should not say, by file and line."""
    for caution in made.cautions:
        typer.echo(f"sealbook: warning: {printable(str(caution))}", err=True)


def _counted(made: Made) -> str:
    studies = made.site.studies
    runs = sum(len(study.runs) for study in studies)
    return f"pages: {made.pages}, files: {made.count}, studies: {len(studies)}, sealed runs: {runs}"
