"""The one Markdown dialect of a project: CommonMark, tables, roles, directives, and what Chinese text needs."""

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from sitegen.prose.cjk import cjk_plugin
from sitegen.prose.code import code_block


class _Parser(MarkdownIt):
    """Takes every target for a link, so that a bad one is refused by line instead of shown as text."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 (markdown-it's own signature)
        return True


def parser() -> MarkdownIt:
    """A parser and renderer of the dialect. What a role shows stands in its token under `html`."""
    md = _Parser("commonmark", {"html": False, "highlight": None}).enable("table")
    md.use(myst_role_plugin).use(colon_fence_plugin).use(cjk_plugin)
    md.add_render_rule("fence", lambda _r, tokens, at, _o, _e: code_block(tokens[at].content, tokens[at].info))
    md.add_render_rule("code_block", lambda _r, tokens, at, _o, _e: code_block(tokens[at].content, ""))
    md.add_render_rule("myst_role", lambda _r, tokens, at, _o, _e: str(tokens[at].meta["html"]))
    md.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>\n')
    md.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return md
