"""Configurations of an endpoint, and endpoints that answer as they are told, byte by byte."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from runner.backends.chat_settings import ChatSettings
from runner.backends.conversation import Called
from runner.contract.canonical import load

PLAN = "a" * 64


def settings_text(**more: Any) -> dict[str, Any]:
    """A configuration of a local endpoint as its file holds it."""
    value: dict[str, Any] = {
        "format": "sealbook.chat/1",
        "provider": "scripted",
        "base_url": "http://127.0.0.1:9/v1",
        "model": "scripted",
        "tokenizer": "none",
        "decoding": {"max_completion_tokens": 100, "temperature": "0.2"},
        "prices": {"prompt_usd": "1", "completion_usd": "2"},
        "limits": {"budget_usd": "1", "retries": 1, "retry_wait_seconds": 3, "request_seconds": 5},
    }
    for name, item in more.items():
        value[name] = {**value.get(name, {}), **item} if isinstance(item, dict) else item
    return {name: item for name, item in value.items() if item is not None}


def some_settings(**more: Any) -> ChatSettings:
    """A configuration as it is used."""
    return load(ChatSettings, settings_text(**more), file="chat.toml")


class Board:
    """One tool, which writes down what it is told."""

    tools = ({"name": "note", "description": "Write a line down.", "parameters": {"type": "object"}},)

    def __init__(self) -> None:
        self.used: list[tuple[str, str]] = []

    def use(self, called: Called) -> str:
        self.used.append((called.name, called.arguments))
        return f"noted {len(self.used)}"


def http_answer(body: str, *, status: str = "200 OK", headers: str = "") -> bytes:
    """An answer as it goes over the wire."""
    data = body.encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(data)}\r\n{headers}\r\n".encode() + data


@contextmanager
def answering(*answers: bytes, hold: float = 0) -> Iterator[tuple[str, list[bytes]]]:
    """An endpoint that gives each of these answers once and closes; gives its base URL and what was sent to it.

    It closes each connection after `hold` seconds.
    """
    asked: list[bytes] = []
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def serve() -> None:
            for answer in answers:
                connection, _ = listening.accept()
                with connection:
                    data = b""
                    while b"\r\n\r\n" not in data:
                        data += connection.recv(65_536)
                    head, _, body = data.partition(b"\r\n\r\n")
                    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
                    while len(body) < length:
                        body += connection.recv(65_536)
                    asked.append(head + b"\r\n\r\n" + body)
                    connection.sendall(answer)
                    time.sleep(hold)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", asked
        thread.join(10)


@contextmanager
def trickling(answer: bytes, every: float = 0.05) -> Iterator[tuple[str, list[int]]]:
    """An endpoint that sends an answer byte by byte; gives its base URL and the bytes that it came to send."""
    sent: list[int] = []
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, suppress(OSError):
                connection.recv(65_536)
                for byte in answer:
                    connection.sendall(bytes([byte]))
                    sent.append(byte)
                    time.sleep(every)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", sent
        thread.join(30)
