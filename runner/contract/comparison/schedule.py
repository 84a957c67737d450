"""In which order a matrix of tasks, lanes and trials is attempted: counterbalanced, and the same every time. Pure.

Tasks rotate by one each repetition, and the lane that goes first alternates from one pair to the next, so that neither
a task nor a lane is always early. With 9 pairs of two lanes the first places are 5 and 4.
"""

from collections.abc import Iterator, Sequence

Place = tuple[str, str, int]
"""Lane, task, trial."""


def places(tasks: Sequence[str], lanes: Sequence[str], repetitions: int) -> Iterator[Place]:
    """Every cell of the matrix, in the order in which it is attempted."""
    pair = 0
    for trial in range(1, repetitions + 1):
        turn = (trial - 1) % len(tasks)
        for task in (*tasks[turn:], *tasks[:turn]):
            first = pair % len(lanes)
            for lane in (*lanes[first:], *lanes[:first]):
                yield lane, task, trial
            pair += 1
