"""Renders one document: its links checked, its figures bound, its headings given ids."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise, takewhile
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.myst_role import myst_role_plugin

from runner.contract.errors import Problem
from sitegen.errors import Collected, ContentError
from sitegen.prose.cjk import cjk_plugin
from sitegen.prose.code import code_block
from sitegen.prose.headings import heading_ids
from sitegen.sources import Document

OUTSIDE = frozenset({"http", "https", "mailto"})
"""Schemes that a link may have. A picture may have none, because a page asks nobody for anything."""
VALUE_ROLE = "value"


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure in the text and the place that proves it."""

    text: str
    href: str
    """From the page that shows it to the anchor that quotes the evidence."""


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading with the id that links to it."""

    level: int
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """A rendered document and what of it must agree between languages."""

    html: str
    """Safe markup; every character of the source that is not Markdown is escaped."""
    headings: tuple[Heading, ...]
    code_blocks: tuple[str, ...]
    bound: tuple[str, ...]
    """The JSON pointers of its figures, in order."""
    links: tuple[str, ...]
    """Targets as they stand in the HTML, in order."""
    heading_lines: tuple[int, ...]
    code_lines: tuple[int, ...]
    bound_lines: tuple[int, ...]
    """Where each heading, code block and figure stands in the file, from 1."""


Resolve = Callable[[str], Bound | None]
FindTarget = Callable[[str], str | None]


def render(document: Document, *, resolve: Resolve, link: FindTarget) -> Prose:
    """Render a document.

    `resolve` turns a JSON pointer into run.json of the page's run into a figure, or None.
    `link` turns a target relative to the document's file (with its fragment) into one relative
    to the page, or None if nothing of the site stands there.
    Raises `ContentError` that lists every unresolved figure and refused link by file and line.
    """
    md = _parser()
    tokens = md.parse(document.body)
    walk = _Walk(document, resolve, link)
    walk.blocks(tokens)
    walk.found.refuse(ContentError)
    html = md.renderer.render(tokens, md.options, {})
    return Prose(
        html=html,
        headings=tuple(walk.headings),
        code_blocks=tuple(walk.code_blocks),
        bound=tuple(walk.bound),
        links=tuple(walk.links),
        heading_lines=tuple(walk.heading_lines),
        code_lines=tuple(walk.code_lines),
        bound_lines=tuple(walk.bound_lines),
    )


def anchors(document: Document) -> frozenset[str]:
    """The ids of a document's headings, as `render` gives them."""
    tokens = _parser().parse(document.body)
    inlines = (after for token, after in pairwise(tokens) if token.type == "heading_open")
    return frozenset(heading_ids(_text(inline, figures=False) for inline in inlines))


def differences(first: tuple[Document, Prose], second: tuple[Document, Prose]) -> Iterator[Problem]:
    """What two languages of one page do not have in common and must have."""
    (one, here), (two, there) = first, second
    kinds: tuple[tuple[str, Sequence[object], Sequence[object], Sequence[int], Sequence[int]], ...] = (
        (
            "headings",
            [item.level for item in here.headings],
            [item.level for item in there.headings],
            here.heading_lines,
            there.heading_lines,
        ),
        ("code blocks", here.code_blocks, there.code_blocks, here.code_lines, there.code_lines),
        ("bound figures", here.bound, there.bound, here.bound_lines, there.bound_lines),
    )
    for name, ours, theirs, our_lines, their_lines in kinds:
        if ours == theirs:
            continue
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
        where = f"line {their_lines[same]}" if same < len(theirs) else ""
        what = f"{len(theirs)} {name}, {one.path} has {len(ours)}; they differ from number {same + 1} on"
        there_line = f", line {our_lines[same]}" if same < len(ours) else ""
        yield Problem(two.path, where, what, f"compare {one.path}{there_line}")


class _Parser(MarkdownIt):
    """Takes every target for a link, so that a bad one is refused by line instead of shown as text."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 (markdown-it's own signature)
        return True


def _parser() -> MarkdownIt:
    md = _Parser("commonmark", {"html": False, "highlight": None}).enable("table")
    md.use(myst_role_plugin).use(cjk_plugin)
    md.add_render_rule("fence", lambda _r, tokens, at, _o, _e: code_block(tokens[at].content, tokens[at].info))
    md.add_render_rule("code_block", lambda _r, tokens, at, _o, _e: code_block(tokens[at].content, ""))
    md.add_render_rule("myst_role", lambda _r, tokens, at, _o, _e: str(tokens[at].meta["html"]))
    md.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>\n')
    md.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return md


@dataclass(slots=True)
class _Walk:
    """One pass over a document's tokens that completes them and keeps what pages need to know."""

    document: Document
    resolve: Resolve
    link: FindTarget
    found: Collected = field(default_factory=Collected)
    headings: list[Heading] = field(default_factory=list)
    code_blocks: list[str] = field(default_factory=list)
    bound: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    heading_lines: list[int] = field(default_factory=list)
    code_lines: list[int] = field(default_factory=list)
    bound_lines: list[int] = field(default_factory=list)
    within: list[tuple[int, str]] = field(default_factory=list)
    """Links to places of the document itself, with their lines."""

    def blocks(self, tokens: list[Token]) -> None:
        """Complete all tokens of the document."""
        opened: list[tuple[Token, Token]] = []
        for index, token in enumerate(tokens):
            if token.type in ("fence", "code_block"):
                self.code_blocks.append(token.content)
                self.code_lines.append(self.line_of(token))
            elif token.type in ("th_open", "td_open"):
                _style_to_class(token)
            elif token.type == "inline":
                self.inline(token)
            elif token.type == "heading_open":
                opened.append((token, tokens[index + 1]))
        ids = heading_ids(_text(inline, figures=False) for _, inline in opened)
        for (token, inline), name in zip(opened, ids, strict=True):
            token.attrSet("id", name)
            self.headings.append(Heading(int(token.tag[1:]), name, _text(inline, figures=True)))
            self.heading_lines.append(self.line_of(token))
        self.anchors()

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
        """Complete the links, pictures and figures of one block of text."""
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
                self.role(token, line, inside_link=inside_link)

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

    def role(self, token: Token, line: int, *, inside_link: bool) -> None:
        """Put a figure in the place of its pointer."""
        name, pointer = token.meta["name"], token.content.strip()
        token.meta["html"] = ""
        if name != VALUE_ROLE:
            self.refuse(line, f"no role {{{name}}}", f"use {{{VALUE_ROLE}}}`/pointer` for a figure of the run")
            return
        if inside_link:
            self.refuse(line, f"the figure {pointer} stands inside a link", "it is a link already")
        figure = self.resolve(pointer)
        if figure is None:
            self.refuse(line, f"no figure {pointer!r} in run.json of this page's run", "correct the pointer")
            return
        self.bound.append(pointer)
        self.bound_lines.append(line)
        token.meta["text"] = figure.text
        token.meta["html"] = f'<a class="bound" href="{escape(figure.href)}">{escape(figure.text)}</a>'

    def refuse(self, line: int, what: str, todo: str) -> None:
        """Note a problem in a line of the file."""
        self.found.add(self.document.path, f"line {line}", what, todo)


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
        elif token.type == "myst_role" and figures:
            parts.append(str(token.meta.get("text", "")))
    return "".join(parts)
