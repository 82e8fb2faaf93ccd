"""The policy of web pages: text, drawings and pictures in the page itself; nothing that runs, nothing fetched.

A page is judged on the tree that a parser makes of it by the rules that browsers follow, so that what looks like a
comment or an attribute in the text cannot be a script in the browser. The only home of tinyhtml5 and tinycss2.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from sheetgen.errors import InputError, Place, Problem, quoted

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:; base-uri 'none'; form-action 'none'"
)

_HTML, _SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
_TEXT = (
    "html head meta title style body header footer main nav section article aside address hgroup search h1 h2 h3 "
    "h4 h5 h6 p div span br wbr hr pre blockquote center a abbr acronym b bdi bdo big cite code data del dfn em "
    "font i ins kbd mark nobr q rp rt ruby s samp small strike strong sub sup time tt u var ul ol li dl dt dd "
    "menu dir figure figcaption table caption colgroup col thead tbody tfoot tr th td img picture input textarea "
    "label button fieldset legend select option optgroup datalist output progress meter details summary"
)
_DRAWINGS = (
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc metadata "
    "linearGradient radialGradient stop clipPath mask pattern marker image style switch a filter feBlend "
    "feComposite feColorMatrix feComponentTransfer feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge "
    "feMergeNode feOffset"
)
_ELEMENTS = frozenset(
    (
        *(f"{_HTML}{name}" for name in _TEXT.split()),
        *(f"{_SVG}{name}" for name in _DRAWINGS.split()),
    )
)
_WEB = ("http://", "https://", "mailto:", "#")
_FETCHING = (
    "srcset imagesrcset poster background data action formaction ping srcdoc manifest attributionsrc lowsrc "
    "dynsrc longdesc base codebase classid"
)
# Functions of CSS that take an address as plain text.
_ADDRESSES = frozenset(("url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade"))
_HEAD = re.compile(r"<head(?:\s[^<>]*)?>", re.IGNORECASE)
_IGNORED = re.compile(r"[\t\n\r]|^[\0- ]+|[\0- ]+$")  # what browsers drop from an address


def with_policy(page: str, name: str, *, style: str = "", script: str = "") -> str:
    """Return the page with a policy at the start of its head: a browser fetches nothing and runs only `script`.

    `style` joins the page behind the policy, `script` at its end. InputError with everything in the page that may not
    be there, or for a page without a head; `name` is what messages call the page.
    """
    head = _HEAD.search(page)
    if head is None:
        raise InputError([Problem(Place(name), "has no <head>, and a web page needs one")])
    digest = b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"{POLICY}; script-src 'sha256-{digest}'" if script else POLICY
    policy = f'\n<meta http-equiv="Content-Security-Policy" content="{allowed}">\n<style>\n{style}</style>'
    page = page[: head.end()] + policy + page[head.end() :]
    if script:
        before, end, after = page.rpartition("</body>")
        page = f"{before}<script>{script}</script>\n{end}{after}" if end else f"{page}<script>{script}</script>\n"
    faults = dict.fromkeys(_faults(page, allowed, script))
    if faults:
        raise InputError([Problem(Place(name), fault) for fault in faults])
    return page


def tree_of(page: str) -> Any:
    """Return the tree that browsers make of a page, with namespaces; InputError for what no page of ours may hold."""
    import tinyhtml5

    with_policy(page, "page")
    return tinyhtml5.parse(page)


def _faults(page: str, policy: str, script: str) -> Iterator[str]:
    """Yield what is wrong with a page that a policy, a style sheet and perhaps a script have been put into."""
    import tinyhtml5

    root = tinyhtml5.parse(page)
    first = list(root[0][:2]) if len(root) else []
    if [local_name(each) for each in first] != ["meta", "style"] or first[0].get("content") != policy:
        yield "something stands before its <head>: a web page begins with <!DOCTYPE html>, <html> and <head>"
        return
    ours = [each for each in root.iter() if script and local_name(each) == "script" and each.text == script][-1:]
    for element in root.iter():
        if not isinstance(element.tag, str) or element in first or element in ours:
            continue
        tag = local_name(element)
        if element.tag not in _ELEMENTS:
            yield f"<{tag}> is not allowed"
        for attribute, value in element.attrib.items():
            yield from _attribute_faults(element.tag, attribute.rpartition("}")[2].lower(), value)
        if tag == "style":
            yield from _style_faults("".join(element.itertext()))


def local_name(element: Any) -> str:
    """Return the name of an element without its namespace, or nothing for what is no element."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _attribute_faults(tag: str, name: str, value: str) -> Iterator[str]:
    address = _IGNORED.sub("", value)
    start = address[:12].lower()
    if name.startswith("on"):
        yield f"{name}= is not allowed"
    elif name in _FETCHING.split() or (name == "src" and not start.startswith("data:image/")):
        yield f"{name}={quoted(value)} would be fetched: only data: is allowed"
    elif name == "href":
        is_link, is_picture = tag.endswith("}a"), tag.endswith("}image")
        if not start.startswith(_WEB if is_link else ("#", "data:image/") if is_picture else "#"):
            yield f"{name}={quoted(value)} is not a link to the web or within the page"
    elif name == "http-equiv" and start == "refresh":
        yield "a page must not send its reader elsewhere"
    elif name == "http-equiv" and start != "content-type":
        yield f"{name}={quoted(value)} is not allowed"
    elif name == "style" or (tag.startswith(_SVG) and "(" in value and not name.startswith(("aria-", "data-"))):
        yield from _style_faults(value)


def _style_faults(css: str) -> Iterator[str]:
    """Yield what style sheets, `style` attributes and the attributes of drawings would fetch."""
    import tinycss2

    for token in _tokens(tinycss2.parse_component_value_list(css)):
        if token.type == "at-keyword" and token.lower_value == "import":
            yield "@import is not allowed"
        elif token.type == "url" and not _is_carried(token.value):
            yield f"url({quoted(token.value)}) would be fetched: only data: is allowed"
        elif token.type == "function" and token.lower_name in _ADDRESSES:
            for inner in _tokens(token.arguments):
                if inner.type == "string" and not _is_carried(inner.value):
                    yield f"{token.name}({quoted(inner.value)}) would be fetched: only data: is allowed"
                elif inner.type == "function" and inner.lower_name in ("var", "attr", "env"):
                    yield f"{token.name}({inner.name}(…)) could be fetched: only data: is allowed"


def _tokens(values: Iterable[Any]) -> Iterator[Any]:
    """Yield every token of a piece of CSS, those inside brackets and functions, too."""
    waiting = list(values)
    while waiting:
        token = waiting.pop()
        yield token
        waiting += getattr(token, "content", None) or getattr(token, "arguments", None) or ()


def _is_carried(address: str) -> bool:
    return _IGNORED.sub("", address)[:5].lower().startswith(("data:", "#"))
