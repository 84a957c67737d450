"""Renders one document: its links checked, its figures bound, its headings given ids."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from urllib.parse import unquote, urlsplit

from markdown_it.token import Token

from runner.contract.errors import Problem
from sitegen.errors import Collected, ContentError
from sitegen.prose.cautions import front_cautions, text_cautions
from sitegen.prose.directives import Directive, is_directive, read_insert
from sitegen.prose.headings import heading_ids
from sitegen.prose.parser import parser
from sitegen.prose.parts import Citation, Claims, FindTarget, Heading, Insert, Lines, Prose, Resolve
from sitegen.prose.passages import passage
from sitegen.prose.roles import AS_WRITTEN, Roles
from sitegen.sources import Document

OUTSIDE = frozenset({"http", "https", "mailto"})
"""Schemes that a link may have. A picture may have none, because a page asks nobody for anything."""
NO_CLAIMS: Mapping[str, Citation] = {}
NO_DIRECTIVES: Mapping[str, Directive] = {}


def render(
    document: Document,
    *,
    resolve: Resolve | None,
    link: FindTarget,
    claims: Claims = NO_CLAIMS,
    directives: Mapping[str, Directive] = NO_DIRECTIVES,
    numbers: bool = False,
) -> Prose:
    """Render a document.

    `resolve` turns a reference into the evidence of the page's run into a figure, or None;
    without a run there is no `resolve`.
    `link` turns a target relative to the document's file (with its fragment) into one relative
    to the page, or None if nothing of the site stands there.
    `claims` are those that the text may cite, by id, and `directives` what the page can put into it.
    With `numbers`, every bare number in the text is a caution.
    Raises `ContentError` that lists every unresolved figure, refused link, unknown claim and wrong
    directive by file and line.
    """
    md = parser()
    tokens = md.parse(document.body)
    walk = _Walk(document, link, directives, Roles(document.path, resolve, claims))
    walk.blocks(tokens)
    walk.found.refuse(ContentError)
    roles = walk.roles
    cautions = [*front_cautions(document, numbers=numbers)]
    for block, line in walk.texts:
        cautions += text_cautions(document.path, passage(block, line), claims=claims, numbers=numbers)
    parts: list[str | Insert] = []
    start = 0
    for index, insert in walk.inserts:
        parts += (md.renderer.render(tokens[start:index], md.options, {}), insert)
        start = index + 1
    parts.append(md.renderer.render(tokens[start:], md.options, {}))
    return Prose(
        parts=tuple(part for part in parts if part),
        headings=tuple(walk.headings),
        code_blocks=tuple(walk.code_blocks),
        bound=tuple(item for item, _ in roles.bound),
        cited=tuple(item for item, _ in roles.cited),
        links=tuple(walk.links),
        lines=Lines(
            headings=tuple(walk.heading_lines),
            code=tuple(walk.code_lines),
            bound=tuple(line for _, line in roles.bound),
            cited=tuple(line for _, line in roles.cited),
        ),
        cautions=tuple(cautions),
    )


def anchors(document: Document) -> frozenset[str]:
    """The ids of a document's headings, as `render` gives them."""
    tokens = parser().parse(document.body)
    inlines = (after for token, after in pairwise(tokens) if token.type == "heading_open")
    return frozenset(heading_ids(_text(inline, figures=False) for inline in inlines))


@dataclass(slots=True)
class _Walk:
    """One pass over a document's tokens that completes them and keeps what pages need to know."""

    document: Document
    link: FindTarget
    directives: Mapping[str, Directive]
    roles: Roles
    found: Collected = field(default_factory=Collected)
    headings: list[Heading] = field(default_factory=list)
    code_blocks: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    heading_lines: list[int] = field(default_factory=list)
    code_lines: list[int] = field(default_factory=list)
    inserts: list[tuple[int, Insert]] = field(default_factory=list)
    """What the page puts in, in the place of which token."""
    texts: list[tuple[Token, int]] = field(default_factory=list)
    """Blocks of running text, with their lines."""
    within: list[tuple[int, str]] = field(default_factory=list)
    """Links to places of the document itself, with their lines."""

    def blocks(self, tokens: list[Token]) -> None:
        """Complete all tokens of the document."""
        opened: list[tuple[Token, Token]] = []
        for index, token in enumerate(tokens):
            if is_directive(token):
                if insert := read_insert(token, self.line_of(token), self.directives, self.refuse):
                    self.inserts.append((index, insert))
            elif token.type in ("fence", "code_block"):
                self.code_blocks.append(token.content)
                self.code_lines.append(self.line_of(token))
            elif token.type in ("th_open", "td_open"):
                _style_to_class(token)
            elif token.type == "inline":
                self.texts.append((token, self.line_of(token)))
                self.inline(token)
            elif token.type == "heading_open":
                opened.append((token, tokens[index + 1]))
        ids = heading_ids(_text(inline, figures=False) for _, inline in opened)
        for (token, inline), name in zip(opened, ids, strict=True):
            token.attrSet("id", name)
            self.headings.append(Heading(int(token.tag[1:]), name, _text(inline, figures=True)))
            self.heading_lines.append(self.line_of(token))
        self.anchors()
        self.found.extend(tuple(self.roles.problems))

    def anchors(self) -> None:
        """Refuse links to headings that the document does not have; ids of the page around it hold a dot."""
        ids = {heading.id for heading in self.headings}
        for line, target in self.within:
            name = unquote(target[1:])
            if name not in ids and "." not in name:
                self.refuse(line, f"no heading of this document has the id {name!r}", "correct the link")

    def line_of(self, block: Token) -> int:
        """The line of the file on which a block begins, from 1."""
        return self.document.body_line + (block.map[0] if block.map else 0)

    def inline(self, block: Token) -> None:
        """Complete the links, pictures and roles of one block of text."""
        line = self.line_of(block)
        inside_link = False
        for token in block.children or []:
            if token.type in ("softbreak", "hardbreak") or token.meta.get("line_break"):
                line += 1
            elif token.type == "link_open":
                inside_link = True
                self.target(token, "href", line)
            elif token.type == "link_close":
                inside_link = False
            elif token.type == "image":
                self.target(token, "src", line)
            elif token.type == "myst_role":
                self.roles.complete(token, line, inside_link=inside_link)

    def target(self, token: Token, attribute: str, line: int) -> None:
        """Resolve the target of a link or picture, or refuse it."""
        target = str(token.attrGet(attribute) or "")
        try:
            parts = urlsplit(target)
        except ValueError:
            self.refuse(line, f"{target!r} is no address", "correct the link")
            return
        if parts.scheme:
            if attribute == "src":
                self.refuse(line, f"the picture {target!r} would be asked for elsewhere", "keep it in content")
            elif parts.scheme.lower() not in OUTSIDE:
                self.refuse(line, f"a link to {target!r}", "use http, https or mailto, or a file of content")
            token.attrSet("rel", "external noreferrer")
        elif parts.netloc or target.startswith(("/", "\\")):
            self.refuse(line, f"{target!r} has no fixed place", "write the address relative to this file")
        elif target.startswith("#"):
            self.within.append((line, target))
        else:
            place = self.link(target)
            if place is None:
                self.refuse(line, f"nothing of the site is at {unquote(target)!r}", "correct the link")
            else:
                token.attrSet(attribute, place)
        self.links.append(str(token.attrGet(attribute)))

    def refuse(self, line: int, what: str, todo: str) -> None:
        """Note a problem in a line of the file."""
        self.found.extend((Problem(self.document.path, f"line {line}", what, todo),))


def _style_to_class(cell: Token) -> None:
    """Say a column's alignment with a class: a page's policy allows no inline style."""
    style = cell.attrs.pop("style", None)
    if isinstance(style, str):
        cell.attrSet("class", f"align-{style.rpartition(':')[2]}")


def _text(inline: Token, *, figures: bool) -> str:
    """What a heading says, without its markup; with its figures or, for its id, without."""
    parts = []
    for token in inline.children or []:
        if token.type in ("text", "code_inline"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(token.content)
        elif token.type == "myst_role" and token.meta["name"] in AS_WRITTEN:
            parts.append(token.content.strip())
        elif token.type == "myst_role" and figures:
            parts.append(str(token.meta.get("text", "")))
    return "".join(parts)
