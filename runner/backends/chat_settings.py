"""What a person has to write down before a model's endpoint is asked: which one, how, at what price, and how much.

A TOML file, given by `--config`. It holds the *name* of the variable with the key, never the key.
"""

import ipaddress
import re
from decimal import Decimal
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, StringConstraints, field_validator, model_validator

from runner.backends.spending import Prices
from runner.contract.values import Day, Line, Record, Sha256

Usd = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}(\.[0-9]{1,9})?$")]
"""An amount in US dollars, as a decimal number in quotes: no binary fraction ever stands for money."""
Setting = Annotated[str, StringConstraints(pattern=r"^-?[0-9]{1,3}(\.[0-9]{1,6})?$")]
"""A decimal number in quotes."""
VariableName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=100)]


class Decoding(Record):
    """How the model chooses its words. What is left out is left to the provider."""

    temperature: Setting | None = None
    top_p: Setting | None = None
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1, le=1_000_000)]
    """No answer may be longer. With the price it bounds what a request can cost."""
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the endpoint calls that bound."""


class TokenPrices(Record):
    """US dollars for a million tokens. A model that costs nothing has the price "0"."""

    prompt_usd: Usd
    completion_usd: Usd


class Limits(Record):
    """Where a conversation ends, whatever the model says."""

    budget_usd: Usd
    """No request is made that could bring the spending of one attempt above it."""
    turns: Annotated[int, Field(ge=1, le=1000)] = 50
    request_seconds: Annotated[int, Field(ge=1, le=3600)] = 120
    response_bytes: Annotated[int, Field(ge=1024, le=64 * 1024 * 1024)] = 4 * 1024 * 1024
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a request that got no answer is made again. Each is an event, and counts."""
    retry_wait_seconds: Annotated[int, Field(ge=0, le=600)] = 5


class Authorization(Record):
    """A person's decision to spend money on one plan."""

    plan_sha256: Sha256
    """Of the plan, as `sealbook run --dry-run` prints it."""
    by: Line
    on: Day
    usd: Usd
    """At most this much for each attempt."""


class ChatSettings(Record):
    """Everything about an endpoint that a study's plan does not say."""

    format: Literal["sealbook.chat/1"]
    provider: Line
    base_url: Annotated[str, StringConstraints(max_length=500)]
    """Without `/chat/completions`, such as `http://127.0.0.1:8080/v1`."""
    model: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """An immutable name: `latest` names another model tomorrow and is refused."""
    tokenizer: Line
    """How the provider counts tokens, as far as it says."""
    key_variable: VariableName | None = None
    """The name of the variable that holds the key. An endpoint on this machine may need none."""
    decoding: Decoding
    prices: TokenPrices
    limits: Limits
    authorization: Authorization | None = None

    @property
    def on_loopback(self) -> bool:
        """Whether no request leaves this machine. A name is no address: it may lead anywhere."""
        try:
            return ipaddress.ip_address(urlsplit(self.base_url).hostname or "").is_loopback
        except ValueError:
            return False

    @property
    def url(self) -> str:
        """Where completions are asked for."""
        return f"{self.base_url.rstrip('/')}/chat/completions"

    @property
    def price(self) -> Prices:
        """The prices as numbers."""
        return Prices(Decimal(self.prices.prompt_usd), Decimal(self.prices.completion_usd))

    @field_validator("base_url")
    @classmethod
    def _is_plain(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname or not re.fullmatch(r"[!-~]+", value):
            raise ValueError("a base URL begins with https:// or http:// and names a host")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("a base URL holds no account, query or fragment; a key stands in a variable")
        _ = parts.port  # raises ValueError for one that is none
        return value

    @field_validator("model")
    @classmethod
    def _is_immutable(cls, value: str) -> str:
        if "latest" in re.split(r"[-:/@_.]", value.lower()):
            raise ValueError("a model needs a name that means the same one tomorrow, not `latest`")
        return value

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        wrong: list[str] = []
        if not self.on_loopback:
            if urlsplit(self.base_url).scheme != "https":
                wrong.append("an endpoint beyond this machine is asked by https:// only; this machine is 127.0.0.1")
            if self.key_variable is None:
                wrong.append(
                    "an endpoint beyond this machine needs key_variable, the name of the variable with its key"
                )
        if self.authorization and Decimal(self.authorization.usd) < Decimal(self.limits.budget_usd):
            wrong.append("limits.budget_usd is above what authorization.usd allows")
        if wrong:
            raise ValueError("; ".join(wrong))
        return self
