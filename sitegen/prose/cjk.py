"""Chinese text in Markdown: emphasis beside full-width punctuation, and line breaks between Han.

CommonMark decides whether asterisks open or close emphasis by the punctuation and spaces around
them. Chinese is written without spaces, so `**已冻结，**不得更改` keeps its asterisks. Here a
Chinese, Japanese or Korean character, its punctuation included, counts as a letter, and ends
the need for a space on its side. Text without such characters is read as CommonMark says.
"""

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.emphasis import tokenize as commonmark_emphasis
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    "\U0001b000-\U0001b16f\U0001f200-\U0001f2ff\U00020000-\U0003ffff]"
)
_TRANSPARENT = frozenset({"em_open", "em_close", "strong_open", "strong_close", "link_open", "link_close"})
"""Inline tokens that show nothing themselves."""


def is_cjk(character: str) -> bool:
    """Whether `character` is a Chinese, Japanese or Korean letter or punctuation mark."""
    return _CJK.match(character) is not None


def cjk_plugin(md: MarkdownIt) -> None:
    """Teach a parser both rules."""
    md.inline.ruler.at("emphasis", emphasis)
    md.core.ruler.push("cjk_soft_breaks", soft_breaks)


def emphasis(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 (markdown-it's own signature)
    """Note a run of asterisks as delimiters. Underscores are left to CommonMark."""
    if silent or state.src[state.pos] != "*":
        return commonmark_emphasis(state, silent)
    start = state.pos
    end = start
    while end < state.posMax and state.src[end] == "*":
        end += 1
    before = state.src[start - 1] if start > 0 else " "
    after = state.src[end] if end < state.posMax else " "
    opens = _flanks(inner=after, outer=before)
    closes = _flanks(inner=before, outer=after)
    for _ in range(end - start):
        token = state.push("text", "", 0)
        token.content = "*"
        state.delimiters.append(Delimiter(ord("*"), end - start, len(state.tokens) - 1, -1, open=opens, close=closes))
    state.pos = end
    return True


def _flanks(*, inner: str, outer: str) -> bool:
    """Whether a run of delimiters between `outer` and `inner` may embrace what `inner` belongs to."""
    if isWhiteSpace(ord(inner)):
        return False
    return not _foreign_mark(inner) or isWhiteSpace(ord(outer)) or _foreign_mark(outer) or is_cjk(outer)


def _foreign_mark(character: str) -> bool:
    """Punctuation in CommonMark's sense that is not part of Chinese writing."""
    return not is_cjk(character) and (isMdAsciiPunct(ord(character)) or isPunctChar(character))


def soft_breaks(state: StateCore) -> None:
    """Drop a line break inside a paragraph between two characters that no space parts."""
    for block in state.tokens:
        children = block.children or []
        for index, token in enumerate(children):
            if token.type == "softbreak":
                before, after = _shown(reversed(children[:index])), _shown(iter(children[index + 1 :]))
                if before and after and is_cjk(before.content[-1]) and is_cjk(after.content[0]):
                    children[index] = Token("text", "", 0, level=token.level, meta={"line_break": True})


def _shown(tokens: Iterator[Token]) -> Token | None:
    """The next token that shows text, if text is what comes next."""
    for token in tokens:
        if token.type in _TRANSPARENT or (token.type == "text" and not token.content):
            continue
        return token if token.type == "text" else None
    return None
