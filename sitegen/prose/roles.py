"""Roles: what an author binds, cites, or marks as no result inside a text.

{value}`/tally/accepted`        a figure of the page's run, linked to its evidence
{claim}`exclusive`              a claim of the page's study, with what the run says of it
{literal}`16`                   a number that is no result, shown as it is written
{disclaimed}`faster than`       words that the sentence denies, shown as they are written
"""

from dataclasses import dataclass, field
from html import escape

from markdown_it.token import Token

from runner.contract.errors import Problem
from sitegen.prose.directives import listed
from sitegen.prose.parts import Claims, Resolve

AS_WRITTEN = ("literal", "disclaimed")
"""Roles that show their own text."""
ROLES = ("value", "claim", *AS_WRITTEN)


@dataclass(slots=True)
class Roles:
    """Completes the roles of one document, and notes in order what they bind and cite."""

    path: str
    resolve: Resolve | None
    claims: Claims
    bound: list[tuple[str, int]] = field(default_factory=list)
    """References into the evidence, with their lines."""
    cited: list[tuple[str, int]] = field(default_factory=list)
    """Claims, with their lines."""
    problems: list[Problem] = field(default_factory=list)

    def complete(self, token: Token, line: int, *, inside_link: bool) -> None:
        """Give a role its markup (`html`) and its words (`text`), or note why it has none."""
        name, content = token.meta["name"], token.content.strip()
        token.meta["html"] = token.meta["text"] = ""
        match name:
            case "value":
                self._value(token, content, line)
            case "claim":
                self._claim(token, content, line)
            case "literal" | "disclaimed":
                _show(token, content, escape(content))
            case _:
                self._refuse(line, f"no role {{{name}}}", f"there are {listed(f'{{{role}}}' for role in ROLES)}")
        if inside_link and name in ("value", "claim"):
            self._refuse(line, f"the {{{name}}} {content} stands inside a link", "it is a link already")

    def _value(self, token: Token, reference: str, line: int) -> None:
        if self.resolve is None:
            self._refuse(line, f"no figure {reference!r}: this page has no run", "take it out")
            return
        figure = self.resolve(reference)
        if figure is None:
            self._refuse(line, f"no figure {reference!r} in the evidence of this page's run", "correct the reference")
            return
        self.bound.append((reference, line))
        title = f' title="{escape(figure.title)}"' if figure.title else ""
        _show(token, figure.text, f'<a class="bound" href="{escape(figure.href)}"{title}>{escape(figure.text)}</a>')

    def _claim(self, token: Token, name: str, line: int) -> None:
        claim = self.claims.get(name)
        if claim is None:
            self._refuse(line, f"no claim {name!r} of this page's study", f"there are {listed(self.claims)}")
            return
        self.cited.append((name, line))
        _show(token, claim.text, f'<a class="claim" href="{escape(claim.href)}">{escape(claim.text)}</a>')

    def _refuse(self, line: int, what: str, todo: str) -> None:
        self.problems.append(Problem(self.path, f"line {line}", what, todo))


def _show(token: Token, text: str, markup: str) -> None:
    token.meta["text"], token.meta["html"] = text, markup
