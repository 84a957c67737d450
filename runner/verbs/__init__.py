"""The verbs of the runner. Each turns words of a command line into values, calls one function, and reports."""

import typer

from runner.verbs.doctor import doctor_verb
from runner.verbs.results import audit_verb, publish_verb, verify_verb
from runner.verbs.running import prepare_verb, run_verb
from runner.verbs.schema import schema_verb
from runner.verbs.serving import serve_script_verb
from runner.verbs.studies import plan_verb, studies_verb


def register(app: typer.Typer) -> None:
    """Add the verbs to the command. Each takes the project from the front door."""
    app.command("studies")(studies_verb)
    app.command("plan")(plan_verb)
    app.command("prepare")(prepare_verb)
    app.command("run")(run_verb)
    app.command("publish")(publish_verb)
    app.command("verify")(verify_verb)
    app.command("audit")(audit_verb)
    app.command("serve-script")(serve_script_verb)
    app.command("schema")(schema_verb)
    app.command("doctor")(doctor_verb)
