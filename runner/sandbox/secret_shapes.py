"""Takes out of what is published what has the shape of a key, wherever it came from. Pure.

No key of the user is shown to a subject or an agent, so that this is a second line: what a model or a tool prints or
writes may have any source. The digests of a sealed file cover the text without the keys.
"""

import base64
import re

MARK = b"{secret}"
_REST_OF_KEY = (
    rb"(?:[A-Za-z0-9+/=:,.\s]|-(?!----BEGIN)|\\[nr])*?-----END [A-Z ]*PRIVATE KEY-----"
    rb"|(?:\s|\\[nr]|[A-Za-z0-9+/=]{16,})*"
)
"""Only what a key is written in: a begin in one event and an end in another must not take out those between them. A
key that was cut off has no end. A second begin ends the search, or many of them would be searched once for each."""
_SHAPES = (
    rb"AIza[0-9A-Za-z_-]{20,}",
    rb"A(?:KI|SI)A[0-9A-Z]{16}",
    rb"sk-[A-Za-z0-9_-]{16,}",
    rb"gh[oprsu]_[A-Za-z0-9]{20,}",
    rb"github_pat_[A-Za-z0-9_]{20,}",
    rb"xox[abeprs]-[A-Za-z0-9-]{10,}",
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:" + _REST_OF_KEY + rb")",
)
_START = rb"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
"""In JSON the letter before a key may be that of an escaped line break."""
_KEY = re.compile(_START + rb"(?:" + rb"|".join(_SHAPES) + rb")")
_SCHEME = rb"(?:bearer|basic|digest|negotiate|token|hmac|api-?key)"
"""How a header says what kind of key follows (RFC 9110, section 11). Any other word before a value is prose."""
_HEADER = re.compile(
    rb"(?i)" + _START + rb"((?:x-api-key|api-key|authorization)\\?[\"']?[ \t]*[:=][ \t]*\\?[\"']?"
    rb"(?:" + _SCHEME + rb"[ \t]+|(?!" + _SCHEME + rb"[ \t])))"
    rb"([^\s\"'\\,}{]{8,})"
)
_SIGN = re.compile(rb"[-+ ]?")
_SHORTEST = 15
"""Characters of the shortest that is taken for a key: `xoxa-` and ten more."""
_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{24,}={0,2}")


def without_secrets(data: bytes) -> tuple[bytes, int]:
    """The bytes with a mark in place of each key, in plain, in a header, or in base64; and how many there were."""
    data, encoded = _replaced_in_base64(data)
    data, plain = _KEY.subn(_marked, data)
    data, headers = _HEADER.subn(lambda found: found[1] + MARK, data)
    return data, encoded + plain + headers


def _marked(found: re.Match[bytes]) -> bytes:
    """A mark for each line of a key, so that a difference keeps its lines and their signs."""
    _, *more = found[0].split(b"\n")
    return b"\n".join([MARK, *(_SIGN.match(line)[0] + (MARK if line[1:].strip() else b"") for line in more)])  # type: ignore[index]


def text_without_secrets(text: str) -> tuple[str, int]:
    """The same for text. Most of it is too short for any key, or holds none, and comes back as it is."""
    if len(text) < _SHORTEST:
        return text, 0
    data, count = without_secrets(text.encode("utf-8", "backslashreplace"))
    return (data.decode(), count) if count else (text, 0)


def _replaced_in_base64(data: bytes) -> tuple[bytes, int]:
    count = 0

    def replaced(found: re.Match[bytes]) -> bytes:
        nonlocal count
        if not _holds_key(found[0]):
            return found[0]
        count += 1
        return MARK

    return _BASE64.sub(replaced, data), count


def _holds_key(blob: bytes) -> bool:
    """Whether a key stands in what the blob encodes, at whichever of its four alignments."""
    plain = blob.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    for start in range(4):
        part = plain[start:]
        whole = part[: len(part) - len(part) % 4]
        if _KEY.search(base64.b64decode(whole + _ends(part[len(whole) :]))):
            return True
    return False


def _ends(rest: bytes) -> bytes:
    """The last, incomplete group of base64 with its padding; one character alone encodes nothing."""
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""
