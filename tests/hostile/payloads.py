"""Forty texts that attack a page. Each carries, between ‹ and ›, the name of the field it was put into.

`ALERT` stands for a call that the browser tests listen to; a page that makes it has executed evidence.
"""

LABEL = "‹{label}›"
ALERT = "hit(1)"

PAYLOADS: dict[str, str] = {
    # Elements that run by themselves
    "script": f"<script>{ALERT}</script>‹label›",
    "script-split": f"<scr<script>ipt>{ALERT}</scr</script>ipt>‹label›",
    "script-upper": f"<SCRIPT SRC=https://example.org/‹label›.js></SCRIPT>{ALERT}",
    "img-onerror": f"<img src=x onerror={ALERT}>‹label›",
    "img-unclosed": f"‹label›<img src=x onerror={ALERT} x=",
    "svg-onload": f"<svg onload={ALERT}>‹label›</svg>",
    "svg-animate": f'<svg><animate onbegin="{ALERT}" attributeName=x dur=1s></animate></svg>‹label›',
    "svg-script": f"<svg><script xlink:href=data:,{ALERT}></script></svg>‹label›",
    "math": f"<math><maction actiontype=statusline xlink:href=javascript:{ALERT}>‹label›</maction></math>",
    "mutation": f'<noscript><p title="</noscript><img src=x onerror={ALERT}>">‹label›',
    "iframe": f'<iframe srcdoc="<script>parent.{ALERT}</script>">‹label›</iframe>',
    "object": f"<object data=javascript:{ALERT}>‹label›</object><embed src=javascript:{ALERT}>",
    "video": f"<video><source onerror={ALERT}></video><audio src=x onerror={ALERT}>‹label›",
    "details": f"<details open ontoggle={ALERT}><summary>‹label›</summary></details>",
    "meta-refresh": "<meta http-equiv=refresh content='0;url=https://example.org/‹label›'>",
    "base": "<base href=https://example.org/>‹label›",
    "form": f"<form action=javascript:{ALERT}><button autofocus onfocus={ALERT}>‹label›</button></form>",
    "style": "<style>@import 'https://example.org/‹label›.css';*{display:none}</style>",
    "link": "<link rel=stylesheet href=//example.org/‹label›.css>",
    "template": f"<template shadowrootmode=open><img src=x onerror={ALERT}></template>‹label›",
    # Ends of what the text stands in
    "end-script": f"</script><script>{ALERT}</script>‹label›",
    "end-title": f"</title><script>{ALERT}</script>‹label›",
    "end-textarea": f"</textarea></style></noscript></xmp><img src=x onerror={ALERT}>‹label›",
    "end-main": f"</pre></code></td></table></main></body></html><script>{ALERT}</script>‹label›",
    "end-attribute": f"\"'><b autofocus tabindex=0 onfocus={ALERT} onmouseover={ALERT}>‹label›",
    "end-attribute-bare": f'x" onmouseover="{ALERT}" autofocus onfocus=\'{ALERT}\' y=‹label›',
    "end-comment": f"--><!--><img src=x onerror={ALERT}>-->‹label›<!--",
    "end-cdata": f"]]><img src=x onerror={ALERT}><![CDATA[‹label›<?php {ALERT} ?>",
    # Other languages
    "entities": f"&lt;img src=x onerror={ALERT}&gt;&#60;b&#62;&amp;lt;‹label›&nbsp;&zwnj;&#0;&#x202e;",
    "template-injection": "{{7*7}}{% for a in b %}{{config}}{#‹label›#}${7*7}#{7*7}<%= 7*7 %>",
    "backticks": f"`${{{ALERT}}}` `‹label›` ''+{ALERT}+''",
    "json-end": f'","x":"\\","y":{ALERT}}}];{ALERT}//‹label›\\u003cscript\\u003e',
    "spreadsheet": f'=HYPERLINK("https://example.org/‹label›","x")+cmd|\' /C calc\'!A0 {ALERT}',
    "css": f"x;background:url(https://example.org/‹label›);-moz-binding:url(//x);width:expression({ALERT})",
    # Text that is not what it seems
    "bidi": "\u202egnp.‹label›\u202c\u2066\u2069\u200f\u200e\u061cadmin\u200b\u2060\ufeff",
    "controls": "\x00\x01\x07\x08\x1b[31m\x1b]8;;https://example.org\x07‹label›\x7f\x80\x9b\x0c\x0b",
    "separators": f"a\u2028{ALERT}\u2029‹label›\u0085b\u00a0c\ufffe\ufff9\U000e0041",
    "long-token": "W" * 900 + "‹label›" + "永" * 200,
    "line-breaks": f"one\n\n# two\n- ‹label›\n\n    three\t<b>\n{ALERT}",
    "zalgo": "Z" + "\u0335\u0321\u0489" * 20 + "‹label›" + "\u0e47" * 30 + "<wbr><b>",
}
"""By what they try."""

ADDRESSES: dict[str, str] = {
    "javascript": f"javascript:{ALERT}//‹label›",
    "javascript-split": f" \x01jAvA\tscript\n:{ALERT}//‹label›",
    "data": f"data:text/html,<script>{ALERT}</script>‹label›",
    "vbscript": f"vbscript:{ALERT}‹label›",
    "protocol-relative": "//example.org/‹label›",
    "backslashes": "\\\\example.org\\‹label›",
    "file": "file:///etc/passwd#‹label›",
}
"""Texts that are dangerous from their first character on, wherever one is taken for an address."""


def labelled(payload: str, label: str) -> str:
    """The payload with the name of its field."""
    return payload.replace("label", label)
