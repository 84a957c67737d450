"""The verbs of the runner. Each turns words of a command line into values, calls one function, and reports."""

from collections.abc import Mapping
from typing import Final

VERBS: Final[Mapping[str, tuple[str, str]]] = {
    "studies": ("runner.verbs.studies:studies_verb", "List the studies of the project, one id a line."),
    "plan": (
        "runner.verbs.studies:plan_verb",
        "Show every attempt a run would make, and every exclusion with its reason.",
    ),
    "prepare": (
        "runner.verbs.running:prepare_verb",
        "Fetch and build what the study pins. The only step that uses a network.",
    ),
    "run": (
        "runner.verbs.running:run_verb",
        "Perform the study for real and seal what came of it. Resumes a run that was cut off.",
    ),
    "publish": (
        "runner.verbs.results:publish_verb",
        "Move a sealed run under its study. It stays there unchanged for ever.",
    ),
    "decide": (
        "runner.verbs.deciding:decide_verb",
        "Record what the owner decides on holds of a published run, sealed beside it.",
    ),
    "verify": (
        "runner.verbs.verifying:verify_verb",
        "Check sealed runs: every byte, every form, and every published number counted again.",
    ),
    "audit": (
        "runner.verbs.results:audit_verb",
        "Say what may be said of one observation of a comparison before its matrix is complete.",
    ),
    "serve-script": (
        "runner.verbs.serving:serve_script_verb",
        "Serve a script as an OpenAI-compatible endpoint on this machine, until Ctrl-C.",
    ),
    "schema": (
        "runner.verbs.schema:schema_verb",
        "Write the JSON Schemas of study, plan, attempt, run and the rest beside the contract.",
    ),
    "doctor": (
        "runner.verbs.doctor:doctor_verb",
        "Attack the sandbox of this machine in every way that is known, and say what held.",
    ),
}
"""Where the function of each verb stands, as MODULE:NAME, and its summary for the list of verbs.

The front door imports a verb when it is used, never before. A summary is the first paragraph of its function's
docstring.
"""
