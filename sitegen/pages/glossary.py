"""The glossary: the fixed terms, in both languages on every page of it."""

from dataclasses import dataclass

from sitegen.pages import place
from sitegen.pages.edition import Edition
from sitegen.pages.page import PageView

TERMS = (
    ("study", "研究"),
    ("protocol", "规程"),
    ("manifest", "清单"),
    ("plan", "计划"),
    ("task", "任务"),
    ("arm", "组"),
    ("trial", "重复"),
    ("attempt", "尝试"),
    ("criterion", "判据"),
    ("outcome", "结果"),
    ("usage", "用量"),
    ("evidence", "证据"),
    ("seal", "封存"),
    ("tally", "计数"),
    ("gate", "门限"),
    ("hold", "搁置"),
    ("claim", "主张"),
    ("limit", "局限"),
    ("license", "许可"),
    ("review", "评审"),
    ("packet", "评审包"),
    ("publication log", "发布日志"),
)
"""Each term with its one Chinese word."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word with its meaning."""

    en: str
    zh: str
    anchor: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryPage(PageView):
    """All fixed terms."""

    terms: tuple[Term, ...]


def glossary_page(edition: Edition) -> GlossaryPage:
    """The glossary in the edition's language."""
    return GlossaryPage(
        frame=edition.frame,
        path=place.GLOSSARY,
        template="glossary.html",
        title=edition.say("glossary.title"),
        description=edition.say("glossary.description"),
        section="glossary",
        trail=(edition.link(edition.say("nav.home"), place.HOME),),
        terms=tuple(
            Term(en, zh, anchor := en.replace(" ", "-"), edition.say(f"glossary.{anchor}")) for en, zh in TERMS
        ),
    )
