"""Numbers in running text that nothing binds.

A number is a run of decimal digits of any script, with what belongs to it. It is let through where
it is no quantity: a date, the name of a run, a version, an identifier or a digest. Number words and
Chinese numerals (十六) are out of scope. The rules stand for authors in docs/prose.md.
"""

import re
from collections.abc import Iterator

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_EDGE = r"(?<![^\W_])"
"""No letter or digit of any script stands before."""
_LATIN_EDGE = r"(?<![A-Za-z0-9_.])"
"""Nothing that could belong to the same Latin word stands before; Chinese may."""
_LATIN_END = r"(?![A-Za-z0-9_])"
_NO_SHARE = r"(?!\.?\d|\s?[%％‰])"
"""What a sign of percent follows is no version, whatever name stands before it."""

NO_QUANTITY = re.compile(
    rf"""
    {_LATIN_EDGE}\d{{4}}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?      # 2026-11-30, 2026-11
        (?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:\ ?(?:Z|UTC)|[+-]\d\d:\d\d)?)?{_LATIN_END}(?!-\d)
  | \d{{4}}\ ?年\ ?\d{{1,2}}\ ?月(?:\ ?\d{{1,2}}\ ?日)?                         # 2026 年 11 月 30 日
  | {_EDGE}\d{{1,2}}\ (?:{_MONTHS})\ \d{{4}}(?!\d)                             # 30 November 2026
  | {_EDGE}(?:{_MONTHS})\ (?:\d{{1,2}},\ )?\d{{4}}(?!\d)                       # November 30, 2026
  | {_LATIN_EDGE}\d{{8}}T\d{{6}}Z(?:-\d+)?{_LATIN_END}                         # 20261130T015659Z, a run
  | {_LATIN_EDGE}v\d+(?:\.\d+)*[A-Za-z0-9.+-]*                               # v1, v1.2, v2.0-rc.1
  | {_LATIN_EDGE}\d+(?:\.\d+){{2,}}(?:[-+.]?[a-z]++[.-]?\d*+)*+{_LATIN_END}    # 0.5.0, 1.2.3rc1
  | {_EDGE}[Vv]ersions?\s\d+(?:\.\d+)*{_LATIN_END}                           # version 1.0
  | 版本\s?\d+(?:\.\d+)*{_LATIN_END} | {_LATIN_EDGE}\d+\.\d+\s?版              # 版本 1.0, 1.0 版
  | (?<=[\w,;:，；：（(、]\s)[A-Z][A-Za-z]+\s\d+(?:\.\d+)+{_LATIN_END}{_NO_SHARE}  # on Python 3.11: in a sentence
  | (?<=[\u4e00-\u9fff，；：（、])[A-Z][A-Za-z]+\s?\d+(?:\.\d+)+{_LATIN_END}{_NO_SHARE}  # 使用Python 3.11
  | {_LATIN_EDGE}(?:RFC|ISO|IEC|IEEE|ISO/IEC|PEP|BCP|ADR|ECMA|FIPS|WCAG|UAX)[ -]\d+(?:[.:-]\d+)*   # RFC 8785
  | {_LATIN_EDGE}0x[0-9A-Fa-f]+{_LATIN_END}                                  # 0x1f
  | {_LATIN_EDGE}[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{_LATIN_END}       # a UUID
  | {_LATIN_EDGE}(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{{7,128}}{_LATIN_END} # a digest or a commit
  | {_LATIN_EDGE}[A-Za-z_][A-Za-z_]*(?:[-_.]?[A-Za-z0-9_]+)*                 # S161, SHA-256, x86_64, lock-race
    """,
    re.VERBOSE,
)
"""What holds digits and is no quantity. The last line also passes over words, so that none is read from its middle."""

QUANTITY = re.compile(r"[-+−±]?[\d¼-¾⅐-⅞]+(?:[.,:/×–．，：／][\d¼-¾]+)*(?:\s?[%％‰°]|[A-Za-zµ]+(?![A-Za-z0-9]))?")
"""A number with its sign, its parts, and the unit that is written to it."""


def bare_numbers(text: str) -> Iterator[tuple[int, str]]:
    """Every quantity in `text` as it is written, with where it begins."""
    at = 0
    while at < len(text):
        if passed := NO_QUANTITY.match(text, at):
            at = passed.end()
        elif found := QUANTITY.match(text, at):
            yield at, found[0]
            at = found.end()
        else:
            at += 1
