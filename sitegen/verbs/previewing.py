"""`sealbook serve`: the site while it is written."""

from typing import Annotated

import typer

from sitegen.serve import serve
from sitegen.verbs.asked import root_of


def serve_verb(
    context: typer.Context,
    *,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="On 127.0.0.1.")] = 5500,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open it in a browser.")] = True,
) -> None:
    """Preview the site on this machine; pages reload when a protocol, a template or evidence changes."""
    serve(root_of(context), port=port, open_browser=open_browser, say=lambda line: typer.echo(line, err=True))
