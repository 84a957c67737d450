"""Asks a model's endpoint over HTTP: one request, bounded in time and size, with nothing taken from the environment.

No proxy, no redirect, no cookie, no compression: what is sent is what a dry run shows, and what comes back is read as
it came. Nothing is opened before the first request, and each request opens a connection of its own: one that is used
again may have been closed by the other side just then, and a request that dies so may have cost its most.
"""

import base64
import math
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx

from runner.backends.chat_settings import ChatSettings
from runner.backends.deadline import Deadline

KEY_MARK = b"{key}"


@dataclass(frozen=True, slots=True)
class Answered:
    """The endpoint answered, with whatever status."""

    status: int
    body: bytes
    """Without the key, should the endpoint have repeated it."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """No whole answer came."""

    why: str


class Endpoint:
    """One endpoint, with the key for it. Use it as a context."""

    def __init__(self, settings: ChatSettings, key: str | None) -> None:
        self._settings = settings
        self._key = key
        self._client: httpx.Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            self._client.close()

    def ask(self, body: bytes, until: float = math.inf) -> Answered | Unanswered:
        """Send one request. Its whole answer is here within `request_seconds` and before `until`, or it is given up.

        `until` is an instant of the monotonic clock.
        """
        limits = self._settings.limits
        seconds = max(min(limits.request_seconds, until - time.monotonic()), 0.001)
        whole = seconds >= limits.request_seconds
        late = f"no answer within {limits.request_seconds} s" if whole else "no answer before the attempt was over"
        if self._client is None:
            self._client = httpx.Client(trust_env=False, follow_redirects=False)
        headers = sent_headers(f"Bearer {self._key}" if self._key else None)
        with Deadline(seconds) as deadline:
            try:
                came = self._heard(body, headers, seconds, deadline)
            except httpx.TimeoutException:
                came = Unanswered(late)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                came = Unanswered(self._without_key(_reason(error).encode("utf-8", "backslashreplace")).decode())
        # What the deadline cut off looks like an answer that ended early, and may look like a whole one.
        return Unanswered(late) if deadline.over else came

    def _heard(self, body: bytes, headers: dict[str, str], seconds: float, deadline: Deadline) -> Answered | Unanswered:
        limits, client = self._settings.limits, self._client
        assert client is not None  # noqa: S101 -- made just before
        asked = client.build_request(
            "POST",
            self._settings.url,
            content=body,
            headers=headers,
            timeout=seconds,
            extensions={"trace": deadline.trace},
        )
        response = client.send(asked, stream=True)
        try:
            if response.headers.get("content-encoding", "identity") != "identity":
                return Unanswered("the answer is compressed, which was not asked for")
            received = bytearray()
            for piece in response.iter_raw():
                received += piece
                if len(received) > limits.response_bytes:
                    return Unanswered(f"the answer has more than {limits.response_bytes} bytes")
            return Answered(response.status_code, self._without_key(bytes(received)))
        finally:
            response.close()

    def _without_key(self, data: bytes) -> bytes:
        if self._key is None:
            return data
        key = self._key.encode()
        for spelled in (key, base64.b64encode(key), base64.b64encode(key).rstrip(b"=")):
            data = data.replace(spelled, KEY_MARK)
        return data


def sent_headers(authorization: str | None) -> dict[str, str]:
    """Every header of a request beside host and length."""
    headers = {
        "accept": "application/json",
        "accept-encoding": "identity",
        "connection": "close",
        "content-type": "application/json",
        "user-agent": "sealbook",
    }
    return headers | ({"authorization": authorization} if authorization else {})


def _reason(error: Exception) -> str:
    said = str(error) or type(error).__name__
    return f"no connection: {said[:1].lower()}{said[1:]}"
