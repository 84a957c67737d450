"""The front door: one command, `sealbook`. It mounts the verbs of both packages and words their errors.

A verb is imported when it is used, because the models of the evidence take a second to build: the
version, the list of verbs and a misspelt word wait for none of them.

This is the only place that catches them: what was checked is bad (`ContractError`, `SiteError`)
ends with 1, a wrong request with 2, what could not be done (`RunnerError`, `OutputError`) with 3.
Anything else is a bug and shows its traceback.
"""

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

import runner.verbs
import sitegen.verbs
from runner.contract.errors import ContractError, Problem, printable
from runner.errors import RunnerError
from runner.project import find_project
from sitegen.errors import SiteError

app = typer.Typer(
    name="sealbook",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Verb(TyperCommand):
    """A verb by its summary, for the list of verbs; as soon as it gets arguments, the function itself takes over."""

    def __init__(self, name: str, place: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self.place = place
        """Of the function, as MODULE:NAME."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401  Typer's
        """Import the verb and read its arguments; what the context is about is from then on the verb itself."""
        alone = typer.Typer(add_completion=False)
        alone.command(self.name)(resolve_name(self.place))
        return typer.main.get_command(alone).make_context(info_name, args, parent, **extra)


def _print_version(asked: bool) -> None:  # noqa: FBT001  the shape Typer gives to callbacks
    if asked:
        from importlib.metadata import version  # noqa: PLC0415  a tenth of a second that no verb needs

        typer.echo(f"sealbook {version('sealbook')}")
        raise typer.Exit


@app.callback()
def front_door(
    context: typer.Context,
    *,
    root: Annotated[
        Path | None,
        typer.Option(
            "--root", metavar="DIR", help="The project; by default the nearest folder with content/site.toml."
        ),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Turn a frozen study into a published result that a stranger can check with the network off.

    Exit codes: 0 done, 1 what was checked is bad, 2 usage, 3 could not be done. The outcomes
    of a study never change them.
    """
    find: Callable[[], Path] = lambda: find_project(root, Path.cwd()).root  # noqa: E731  looked up by the verbs that need it
    context.obj = find


def command() -> TyperGroup:
    """The command with every verb of both packages, none of them imported."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)  # noqa: S101  it has a callback
    for name, (place, summary) in {**runner.verbs.VERBS, **sitegen.verbs.VERBS}.items():
        group.add_command(Verb(name, place, summary))
    return group


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command. Always ends with SystemExit, except for a bug of ours."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A title or a file name that the terminal cannot spell is no reason to end; stderr does so by itself.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        command()(args=given)
    except ContractError as error:
        _end(given, "bad-evidence", 1, error.problems)
    except SiteError as error:
        _end(given, error.code, error.exit_code, error.problems)
    except RunnerError as error:
        _end(given, error.code, error.exit_code, error.problems)


def _end(given: Sequence[str], code: str, exit_code: int, problems: Sequence[Problem]) -> None:
    if "--json" in given:
        import rfc8785  # noqa: PLC0415  needed by no verb that ends well without it

        fields = ("file", "where", "what", "todo")
        listed = [{name: printable(getattr(problem, name)) for name in fields} for problem in sorted(problems)]
        sys.stdout.buffer.write(rfc8785.dumps({"error": code, "problems": listed}) + b"\n")
        sys.stdout.buffer.flush()
    else:
        for problem in problems:
            typer.echo(f"sealbook: {printable(str(problem)).removeprefix(': ')}", err=True)
    sys.exit(exit_code)


if __name__ == "__main__":
    main()
