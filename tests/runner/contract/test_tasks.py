"""The step language: which lists of steps are a check, what is judged in them, and how the others are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.contract.canonical import load
from runner.contract.errors import InvalidRecordError
from runner.contract.qualification.sequence import BUILT_IN, placeholders
from runner.contract.qualification.tasks import NO_LEFTOVERS, Check, criteria

EXIT = {"expect": "exit", "code": 0}
BOTH = {"en": "Words.", "zh": "文字。"}


def run(step: str = "ask", **fields: object) -> dict[str, object]:
    return {"do": "run", "id": step, "argv": ["{command}"], "expect": [EXIT]} | fields


def race(step: str = "race", **fields: object) -> dict[str, object]:
    return {"do": "race", "id": step, "argv": ["{command}", "{i}"], "contenders": 4, "winners": 1} | {
        "winner": [EXIT],
        **fields,
    }


def start(step: str = "hold", **fields: object) -> dict[str, object]:
    return {"do": "start", "id": step, "argv": ["{command}"], "boundary": {"at": "output", "text": "ready"}} | fields


def service(step: str = "serve", **fields: object) -> dict[str, object]:
    return {"do": "service", "id": step, "argv": ["{command}", "{port.main}"], "port": "main"} | fields


def kill(step: str = "kill", target: str = "hold") -> dict[str, object]:
    return {"do": "kill", "id": step, "target": target}


def wait(step: str = "wait") -> dict[str, object]:
    return {"do": "wait", "id": step, "milliseconds": 5, "why": BOTH}


def a_check(*steps: dict[str, object]) -> Check:
    value = {"id": "kept", "feature": "identity", "title": BOTH, "statement": BOTH, "trials": 1, "steps": list(steps)}
    return load(Check, value, file="tasks.toml")


def refusals(*steps: dict[str, object]) -> list[str]:
    """What is said of steps that are no check, without file and remedy."""
    with pytest.raises(InvalidRecordError) as refused:
        a_check(*steps)
    assert {problem.file for problem in refused.value.problems} == {"tasks.toml"}
    return [f"{problem.where}: {problem.what}" for problem in refused.value.problems]


def captures(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "at": "/id"} for name in names]


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([run(), run()], "step ids must be unique in a check, twice: ask"),
        ([run("a", publish="out"), run("b", publish="out")], "published names must be unique in a check, twice: out"),
        ([service("a"), service("b")], "port names must be unique in a check, twice: main"),
        ([run(), kill()], "step kill: no earlier step starts 'hold'"),
        ([kill(), start()], "step kill: no earlier step starts 'hold'"),
        ([run("hold"), kill()], "step kill: no earlier step starts 'hold'"),
        ([start(), kill("one"), kill("two")], "step two: an earlier step has killed 'hold' already"),
        ([run(argv=["{nobody}"])], "step ask: unknown placeholder {nobody}"),
        ([run(env={"ID": "{nobody}"})], "step ask: unknown placeholder {nobody}"),
        ([run(stdin="{nobody}")], "step ask: unknown placeholder {nobody}"),
        (
            [run(expect=[{"expect": "json", "at": "/id", "value": "{nobody}"}])],
            "step ask: unknown placeholder {nobody}",
        ),
        (
            [run(expect=[{"expect": "json-count", "at": "", "count": 1, "where": {"/id": "{nobody}"}}])],
            "step ask: unknown placeholder {nobody}",
        ),
        ([start(argv=["{i}"])], "step hold: unknown placeholder {i}"),
        ([start(boundary={"at": "file", "path": "{nobody}"})], "step hold: unknown placeholder {nobody}"),
        ([race(winner=[{"expect": "lacks", "text": "{nobody}"}])], "step race: unknown placeholder {nobody}"),
        ([run(argv=["{port.main}"]), service()], "step ask: unknown placeholder {port.main}"),
        ([run(argv=["{token}"], capture=captures("token"))], "step ask: unknown placeholder {token}"),
        ([run(capture=captures("work"))], "step ask: {work} has a meaning of its own and cannot be captured"),
        ([run(capture=captures("i"))], "step ask: {i} has a meaning of its own and cannot be captured"),
        ([race(winners=5)], "step race: more winners than contenders"),
        ([wait()], "nothing is judged: give at least one step an expectation"),
    ],
)
def test_steps_that_do_not_fit_together_are_refused_in_these_words(steps, said):
    assert refusals(*steps) == [f": {said}"]


def test_all_that_does_not_fit_is_said_at_once():
    said = refusals(run(argv=["{b}", "{a}"]), run(), kill(), race(winners=9))
    assert [problem.removeprefix(": ").split("; ") for problem in said] == [
        [
            "step ids must be unique in a check, twice: ask",
            "step kill: no earlier step starts 'hold'",
            "step ask: unknown placeholder {a}",
            "step ask: unknown placeholder {b}",
            "step race: more winners than contenders",
        ]
    ]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (run(expect=[]), "steps[0].expect: tuple should have at least 1 item after validation, not 0"),
        (run(argv=[]), "steps[0].argv: tuple should have at least 1 item after validation, not 0"),
        (run(expect=[{"expect": "exit", "code": 256}]), "steps[0].expect[0].code: input should be less"),
        (run(expect=[{"expect": "exits"}]), "steps[0].expect[0]: input tag 'exits' found using 'expect' does not"),
        (run(expect=[{"expect": "json", "at": "id", "value": 1}]), "steps[0].expect[0].at: string should"),
        (run(repeat=65), "steps[0].repeat: input should be less than or equal to 64 (found 65)"),
        (run(seconds=0), "steps[0].seconds: input should be greater than or equal to 1 (found 0)"),
        (run(cwd="../other"), "steps[0].cwd: string should match pattern"),
        (run(cwd="/tmp"), "steps[0].cwd: string should match pattern"),
        (run(env={"path": "/tmp"}), "steps[0].env.path.[key]: string should match pattern"),
        (run(env={"A=B": "x"}), "steps[0].env.A=B.[key]: string should match pattern"),
        (run(shell=True), "steps[0].shell: extra inputs are not permitted"),
        (run(setup="yes"), "steps[0].setup: input should be a valid boolean (found 'yes')"),
        (run(id="Ask It"), "steps[0].id: string should match pattern"),
        (run(do="edit"), "steps[0]: input tag 'edit' found using 'do' does not match any of the expected tags"),
        (race(contenders=65), "steps[0].contenders: input should be less than or equal to 64 (found 65)"),
        (race(contenders=1), "steps[0].contenders: input should be greater than or equal to 2 (found 1)"),
        (start(boundary={"at": "line"}), "steps[0].boundary: input tag 'line' found using 'at' does not match"),
        (wait() | {"milliseconds": 0}, "steps[0].milliseconds: input should be greater than or equal to 1"),
        (service(port="Main"), "steps[0].port: string should match pattern"),
    ],
)
def test_a_step_beyond_its_language_is_refused_with_its_key_path(step, said):
    (problem,) = refusals(step)
    assert problem.startswith(said), problem


def test_what_is_judged_is_named_step_by_step_and_leftovers_come_last():
    check = a_check(
        service("broker"),
        run("init", expect=[EXIT, {"expect": "lacks", "text": "no"}], capture=captures("token")),
        race("claim", argv=["{command}", "{token}", "{i}", "{port.main}"]),
        start("writer"),
        wait(),
        kill("crash", "writer"),
        run("look", argv=["{command}", "{token}"]),
    )
    assert list(criteria(check)) == [
        "broker.ready",
        "init.1",
        "init.2",
        "claim.winners",
        "writer.reached",
        "crash.gone",
        "look.1",
        NO_LEFTOVERS,
    ]


def test_every_built_in_placeholder_and_the_number_are_known_where_they_mean_something():
    words = ["{command}", "{python}", "{work}", "{state}", "{source}", "{i}"]
    check = a_check(run(argv=words), race(argv=words), start(argv=words[:-1]))
    assert len(check.steps) == 3


def test_braces_that_hold_no_placeholder_are_plain_text():
    step = a_check(run(argv=['{"a": 1}', "{}", "{A}", "{ work }", "{1}"])).steps[0]
    assert list(placeholders(step)) == []


def test_a_service_can_be_killed_and_started_again_under_another_name():
    steps = a_check(
        service("one", port="a", argv=["{port.a}"]), kill("end", "one"), service("two"), kill("last", "two")
    ).steps
    assert [step.id for step in steps] == ["one", "end", "two", "last"]


NAMES = st.from_regex(r"[a-z][a-z0-9_]{1,5}", fullmatch=True).filter(lambda name: name not in BUILT_IN)


@given(st.lists(NAMES, max_size=5), st.sampled_from(["argv", "env", "stdin", "expect"]))
def test_every_placeholder_is_found_wherever_a_step_may_hold_one(names, where):
    text = "-".join(f"{{{name}}}" for name in names)
    fields: dict[str, dict[str, object]] = {
        "argv": {"argv": [text or "x"]},
        "env": {"argv": ["x"], "env": {"A": text}},
        "stdin": {"argv": ["x"], "stdin": text},
        "expect": {"argv": ["x"], "expect": [{"expect": "holds", "stream": "either", "text": text}]},
    }
    step = a_check(
        *[run(f"get-{n}", argv=["x"], capture=captures(name)) for n, name in enumerate(dict.fromkeys(names))],
        run("use", **fields[where]),
    ).steps[-1]
    assert list(placeholders(step)) == names
