"""What a text says and nothing supports: numbers without evidence, assertions without a claim.

Each is a caution: the page can be shown, and a strict build refuses it.
"""

from collections.abc import Iterator

from runner.contract.errors import Problem
from sitegen.prose.assertions import assertions, denies
from sitegen.prose.numbers import bare_numbers
from sitegen.prose.parts import Claims
from sitegen.prose.passages import Passage, Sentence
from sitegen.sources import Document

BIND = "bind it as {value}`/pointer`, or mark it {literal}`%s` if it is no result"
SUPPORT = "cite a claim that the run supports, {claim}`id`, or deny it and mark the words {disclaimed}`%s`"
FRONT = ("title", "summary")
"""Front matter that readers see. It is plain text, so that nothing can be bound or cited in it."""


def front_cautions(document: Document, *, numbers: bool) -> Iterator[Problem]:
    """What title and summary say and cannot support."""
    for field, text in zip(FRONT, (document.title, document.summary), strict=True):
        if numbers:
            for _, number in bare_numbers(text):
                what = f"the number {number!r} is bound to no evidence"
                yield Problem(
                    document.path, field, what, f"say it in the text below: nothing can be bound in a {field}"
                )
        for said in assertions(text):
            what = f"{said.words!r} asserts {said.kind} and cites no claim"
            yield Problem(document.path, field, what, f"say it in the text below: a {field} can cite no claim")


def text_cautions(path: str, passage: Passage, *, claims: Claims, numbers: bool) -> Iterator[Problem]:
    """What one passage of the file at `path` says without support."""
    if numbers:
        for at, number in bare_numbers(passage.text):
            what = f"the number {number!r} is bound to no evidence"
            yield Problem(path, f"line {passage.line_at(at)}", what, BIND % number)
    for sentence in passage.sentences():
        yield from _asserted(path, passage, sentence, claims)
        yield from _disclaimed(path, passage, sentence)


def _asserted(path: str, passage: Passage, sentence: Sentence, claims: Claims) -> Iterator[Problem]:
    """Assertions of a sentence that cites no claim, or one that the page's run does not support."""
    cited = [claims[name] for name in sentence.claims if name in claims]
    if cited and all(claim.supported for claim in cited):
        return
    for said in assertions(sentence.text):
        where = f"line {passage.line_at(sentence.start + said.at)}"
        if cited:
            names = ", ".join(sentence.claims)
            what = f"{said.words!r} asserts {said.kind}, and the run does not support the claim it cites, {names}"
            yield Problem(path, where, what, "say what the run shows and no more")
        else:
            what = f"{said.words!r} asserts {said.kind} and cites no claim"
            yield Problem(path, where, what, SUPPORT % said.words)


def _disclaimed(path: str, passage: Passage, sentence: Sentence) -> Iterator[Problem]:
    """Words that are marked as disclaimed in a sentence that denies nothing."""
    for at, words in sentence.disclaimed:
        if not denies(sentence.text):
            what = f"{words!r} is marked as disclaimed, and the sentence denies nothing"
            yield Problem(path, f"line {passage.line_at(at)}", what, "say no to it in the same sentence")
