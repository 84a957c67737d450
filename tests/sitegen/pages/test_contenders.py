"""The processes of a race: one entry says what came of them, and none of them is left out."""

from runner.contract.events import Event, Exited, Output, ProcessEvent, RacedEvent, Signalled
from sitegen.catalog import read_catalogs
from sitegen.pages.contenders import FEWEST, gathered
from sitegen.pages.happenings import time_line, told

CATALOG = read_catalogs()["en"]
SILENT = Output(text="", total_bytes=0, kept_bytes=0, sha256="0" * 64, replaced=0)
DECISION = RacedEvent(step="claim", contenders=16, winners=1, expected_winners=1)


def contender(number: int, step: str = "claim", end: Exited | Signalled | None = None) -> ProcessEvent:
    """A process of a step; 0 is one that runs alone."""
    return ProcessEvent(
        step=step,
        instance=number,
        argv=("tool", f"agent-{number}"),
        cwd=".",
        env=(),
        clock_shift_seconds=0,
        end=end or Exited(code=0 if number == 1 else 3),
        stdout=SILENT,
        stderr=SILENT,
    )


def seen(*events: Event):
    """The entries that a reader sees of `events`."""
    entries = time_line([told(event, CATALOG) for event in events], range(len(events)), CATALOG)
    return gathered(events, entries, CATALOG)


def test_a_race_is_told_first_and_holds_every_contender():
    crowd = [contender(number) for number in range(1, 17)]

    before, race, after = seen(contender(0, "init"), *crowd, DECISION, contender(0, "look"))

    assert (before.told.step, race.told.step, after.told.step) == ("init", "claim", "look")
    assert race.told.notes == ("16 contenders, 1 won, 1 expected",)
    assert race.unfold == "16 processes: exit code 0 ×1, exit code 3 ×15"
    assert [one.told.argv for one in race.contenders] == [f"tool agent-{number}" for number in range(1, 17)]


def test_a_race_without_a_decision_still_holds_its_processes():
    crowd = [contender(number, end=Signalled(signal=9)) for number in range(1, FEWEST + 1)]

    (race,) = seen(*crowd)

    assert race.told.title == "Race without a decision"
    assert race.unfold == f"{FEWEST} processes: ended by signal 9 ×{FEWEST}"
    assert len(race.contenders) == FEWEST


def test_two_races_in_a_row_stay_apart():
    first = [contender(number, "join") for number in range(1, 5)]
    second = [contender(number) for number in range(1, 5)]

    found = seen(*first, DECISION.model_copy(update={"step": "join"}), *second, DECISION)

    assert [(race.told.step, len(race.contenders)) for race in found] == [("join", 4), ("claim", 4)]


def test_a_decision_of_another_step_is_not_that_of_the_crowd():
    crowd = [contender(number, "join") for number in range(1, 5)]

    race, other = seen(*crowd, DECISION)

    assert (race.told.title, len(race.contenders)) == ("Race without a decision", 4)
    assert (other.told.title, other.contenders) == ("Race decided", ())


def test_a_few_processes_stand_one_by_one():
    found = seen(*(contender(number) for number in range(1, FEWEST)), DECISION)

    assert len(found) == FEWEST
    assert not any(entry.contenders for entry in found)
