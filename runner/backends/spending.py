"""What requests have cost and may still cost: exact amounts, and never less than the truth. Pure.

A request whose usage the provider did not report counts with the most that it could have cost.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from runner.backends.completions import Tokens

MILLION = 1_000_000
FRAME_TOKENS = 1024
"""What a provider may put around the messages of a request, such as marks of roles and forms of tools."""


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    prompt: Decimal
    completion: Decimal

    def cost(self, tokens: Tokens) -> Decimal:
        """What so many tokens cost, in US dollars."""
        return (tokens.prompt * self.prompt + tokens.completion * self.completion) / MILLION

    def most(self, request_bytes: int, max_completion_tokens: int) -> Decimal:
        """The most that a request can cost: a token is one byte or more, and the answer is bounded."""
        return self.cost(Tokens(request_bytes + FRAME_TOKENS, max_completion_tokens))


def in_micro_usd(amount: Decimal) -> int:
    """An amount in millionths of a US dollar, rounded up."""
    return int((amount * MILLION).to_integral_value(ROUND_CEILING))


def fits(spent: Iterable[Decimal], most: Decimal, budget: Decimal) -> bool:
    """Whether a request that may cost `most` can be made without passing the budget."""
    return sum(spent, Decimal(0)) + most <= budget
