"""Wording that asserts more than a count does: superiority, approval, adoption.

A list of words is no understanding. It finds the usual ways of saying such things in English and in
Chinese, so that an author has to say what the evidence supports; docs/prose.md lists what that asks
of a text. The words of both languages are looked for in every text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_QUALITY = (
    "reliable|robust|accurate|secure|safe|efficient|effective|capable|durable|mature|stable|powerful|trustworthy"
    "|performant|scalable|usable"
)
_PRAISED = "可靠|稳定|稳健|健壮|安全|准确|高效|成熟|先进|便宜|省时|省钱|好|快|优|强|佳|稳"


class Assertion(StrEnum):
    """What a sentence asserts."""

    superiority = "superiority"
    approval = "approval"
    adoption = "adoption"


_ENGLISH: dict[Assertion, tuple[str, ...]] = {
    Assertion.superiority: (
        r"(?:better|worse|faster|slower|quicker|safer|cheaper|stronger|weaker|smarter|simpler|easier)\s+than",
        rf"(?:more|less|most|least)\s+(?:{_QUALITY})",
        rf"as\s+(?:good|fast|{_QUALITY})\s+as",
        r"outperform\w*|outclass\w*|surpass\w*|outdo(?:es|ne)?|beats",
        r"superior(?:ity)?|inferior(?:ity)?|unmatched|unrivall?ed|unbeaten|second\s+to\s+none",
        r"the\s+(?:best|fastest|quickest|safest|strongest|smartest|leading)",
        r"best[\s-]in[\s-]class|world[\s-]class|industry[\s-]leading|cutting[\s-]edge|state[\s-]of[\s-]the[\s-]art",
    ),
    Assertion.approval: (
        r"approv(?:ed|al)|certified|certification|endorse[sd]?|endorsement|accredit(?:ed|ation)",
        r"production[\s-](?:ready|grade)|ready\s+for\s+production|battle[\s-](?:tested|proven)|enterprise[\s-](?:ready|grade)",
        r"(?:safe|fit|suitable)\s+(?:for|in|to\s+use\s+in)\s+production|proven\s+(?:safe|secure|reliable)",
    ),
    Assertion.adoption: (
        r"recommend(?:ed|s|ation|ations)?|preferable|must-have|(?:preferred|default)\s+(?:choice|tool|option)",
        r"(?:should|must|ought\s+to|can\s+safely)\s+(?:be\s+)?(?:adopt(?:ed)?|prefer(?:red)?|switch(?:ed)?\s+to)",
        r"(?:should|must|ought\s+to|can|deserves\s+to)\s+(?:be(?:come)?|serve\s+as)\s+(?:the|a|an|your|our)\s+default",
        r"default\s+adoption|adopt(?:ed)?\s+(?:it\s+)?(?:as|by)\s+(?:the\s+)?default|drop[\s-]in\s+replacement",
    ),
}
_CHINESE: dict[Assertion, tuple[str, ...]] = {
    Assertion.superiority: (
        r"优于|胜过|胜于|强于|好于|快于|劣于|逊于|逊色|不如|碾压|完胜|远超|超越|优越|卓越",
        rf"更(?:为|加)?(?:{_PRAISED})",
        rf"最(?:为)?(?:{_PRAISED})",
        rf"比[^，。；！？：]{{1,16}}(?:更|还|要)?(?:{_PRAISED})",
        r"领先|首屈一指|无与伦比|无可匹敌|一流(?!程)|顶尖|前沿水平|先进水平|业界第一",
    ),
    Assertion.approval: (
        r"获批|获准|批准|背书|官方认可|(?:通过|获得|取得|经过?)[^，。；！？]{0,8}认证|久经考验",
        r"生产就绪|生产级|企业级|可(?:直接)?(?:用于|投入)生产|可放心使用",
    ),
    Assertion.adoption: (
        r"推荐|值得(?:采用|使用|选用)|首选|优选|建议(?:大家|各位|读者|用户|直接|优先)?(?:采用|选用|改用|使用|切换)",
        r"应(?:当|该)?(?:予以)?(?:采用|选用|优先|改用)|应(?:当|该)?(?:成为|作为|设为)默认|默认(?:采用|选用|选择|首选|方案)",
    ),
}
_PATTERNS = tuple(
    (
        kind,
        re.compile(
            "|".join([*(rf"(?<![A-Za-z])(?:{item})(?![A-Za-z])" for item in _ENGLISH[kind]), *_CHINESE[kind]]),
            re.IGNORECASE,
        ),
    )
    for kind in Assertion
)
_DENIES = re.compile(
    r"(?<![A-Za-z])(?:not(?!\s+(?:only|just|merely)\b)|no(?!\s+doubt\b)|nor|neither|never|none|nothing|nobody|without|cannot)(?![A-Za-z])"
    r"|n['’]t(?![A-Za-z])|不(?![仅但只])|没|未(?!来)|无(?!疑)|毫无(?!疑)|非(?!常)",
    re.IGNORECASE,
)
"""Not only, no doubt, and their Chinese kin deny nothing."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """Words that assert something, and where they begin."""

    at: int
    words: str
    kind: Assertion


def assertions(text: str) -> Iterator[Asserted]:
    """Every assertion in `text`, in order."""
    found = (Asserted(match.start(), match[0], kind) for kind, words in _PATTERNS for match in words.finditer(text))
    yield from sorted(found, key=lambda item: item.at)


def denies(sentence: str) -> bool:
    """Whether a sentence says no to something."""
    return _DENIES.search(sentence) is not None
