"""Code blocks: coloured by CSS classes at build time, and labelled with their language."""

from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

PLAIN = "text"
"""The label of a block whose author named no language."""


def code_block(source: str, info: str) -> str:
    """The markup of one block. `info` is what stands behind the opening fence."""
    label = next(iter(info.split()), PLAIN)
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
    lines = highlight(source, _lexer(label), formatter)
    shown = escape(label)
    return (
        f'<figure class="code" data-language="{shown}"><figcaption>{shown}</figcaption>'
        f'<pre tabindex="0"><code class="highlight">{lines}</code></pre></figure>\n'
    )


def _lexer(label: str) -> Lexer:
    """The lexer for a language; what nobody knows is shown without colours."""
    try:
        return get_lexer_by_name(label, stripnl=False)
    except ClassNotFound:
        return TextLexer(stripnl=False)
