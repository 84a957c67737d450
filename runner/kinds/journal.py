"""Keeps the events of one attempt in order, each with its instant, fit to be published."""

from collections.abc import Callable
from typing import Any, TypeVar

from runner.contract.events import End, Event, NotSpawned, Output
from runner.contract.values import Record, without_surrogates
from runner.sandbox.output import Captured
from runner.sandbox.redact import Redactor
from runner.sandbox.secret_shapes import without_secrets

Kept = TypeVar("Kept", bound=Record)


class Journal:
    """The typed events of one attempt. Text goes in through `text` and `output` only."""

    def __init__(self, redactor: Redactor, now_ns: Callable[[], int]) -> None:
        self._redactor = redactor
        self._now_ns = now_ns
        self._events: list[Event] = []
        self._instants: list[int] = []
        self._replaced = 0

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(self._events)

    @property
    def instants(self) -> tuple[int, ...]:
        """One instant an event, in nanoseconds."""
        return tuple(self._instants)

    @property
    def replaced(self) -> int:
        """How many paths and names of this machine, and keys, were replaced so far."""
        return self._replaced

    def note(self, event: Event) -> None:
        """Add an event; it happened now."""
        self._events.append(event)
        self._instants.append(self._now_ns())

    def text(self, text: str) -> str:
        """A text as it may be published."""
        redacted = self._redactor.redact(without_surrogates(text))
        self._replaced += redacted.replaced
        return redacted.text

    def texts(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Many texts as they may be published."""
        return tuple(self.text(text) for text in texts)

    def record(self, record: Kept, free: frozenset[str]) -> Kept:
        """A record as it may be published: the texts of the fields named in `free`, however deep, and of no other.

        Raises ValueError if it does not fit its form any more.
        """
        changed: dict[str, Any] = {}
        for name in type(record).model_fields:
            value = getattr(record, name)
            if isinstance(value, Record):
                changed[name] = self.record(value, free)
            elif isinstance(value, str) and name in free:
                changed[name] = self.text(value)
        if not changed:
            return record
        # A placeholder may be longer than what it replaces, and so make a text too long for its field.
        return type(record).model_validate(record.model_copy(update=changed).model_dump())

    def data(self, data: bytes) -> bytes:
        """A file as it may be published; of one that is no UTF-8 the keys alone are taken out."""
        try:
            return self.text(data.decode("utf-8")).encode()
        except UnicodeDecodeError:
            clean, keys = without_secrets(data)
            self._replaced += keys
            return clean

    def end(self, end: End) -> End:
        """How a process ended, as it may be published."""
        return NotSpawned(why=self.text(end.why)) if isinstance(end, NotSpawned) else end

    def output(self, captured: Captured) -> Output:
        """A stream as it may be published; its digest stays that of the raw bytes."""
        redacted = self._redactor.redact(captured.text)
        self._replaced += redacted.replaced
        return Output(
            text=redacted.text,
            total_bytes=captured.total_bytes,
            kept_bytes=len(captured.kept),
            sha256=captured.sha256,
            replaced=redacted.replaced,
        )
