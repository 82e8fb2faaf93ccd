"""Rule text to HTML: Markdown, curly quotes, drawings, and nothing that a pack could smuggle in."""

from __future__ import annotations

import time

import pytest

from sheetgen.content.book.references import Reference
from sheetgen.documents.markdown import blocks_of, html_of


def said(inside: str) -> Reference:
    kind, _, name = inside.partition(" ")
    return Reference(kind, f"<{name}>", name) if name else Reference("text", f"<{inside}>")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Roll** two dice.", "<p><strong>Roll</strong> two dice.</p>\n"),
        ('You say "no".', "<p>You say “no”.</p>\n"),
        ("At {x} you win.", "<p>At &lt;x&gt; you win.</p>\n"),
        ("See {rule the-roll}.", '<p>See <a class="see" href="#rule-the-roll">&lt;the-roll&gt;</a>.</p>\n'),
        (
            "(Lost) once (see {rule the-roll}).",
            '<p>(Lost) once (see <a class="see bracketed" href="#rule-the-roll">&lt;the-roll&gt;</a>).</p>\n',
        ),
        ("Two ~~three~~ dice.", "<p>Two <s>three</s> dice.</p>\n"),
        ("<b>no</b>", "<p>&lt;b&gt;no&lt;/b&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](file:///etc/passwd)", "<p>[x](file:///etc/passwd)</p>\n"),
        ("<link rel=attachment>", "<p>&lt;link rel=attachment&gt;</p>\n"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>\n"),
    ],
)
def test_text_becomes_html(text: str, html: str) -> None:
    assert html_of(text, said) == html


def test_a_blank_before_bold_words_goes_into_them() -> None:
    made = html_of("Once, **twice**,\n*thrice*.", said)
    assert made == "<p>Once,<strong> twice</strong>,<em> thrice</em>.</p>\n"


def test_dice_and_cards_are_drawn_with_their_names() -> None:
    made = html_of("{die 6}, {card KS}, {suit H} and {hand KS up, 7C down, gone}", said, inline=True)
    assert 'aria-label="hearts"' in made
    assert 'aria-label="A hand: KS, face-down, gone"' in made
    assert 'aria-label="6"' in made
    assert "K\u2060<svg" in made  # on one line
    assert 'aria-label="spades"' in made


def test_blocks_are_the_whole_text_in_order_each_with_what_it_is() -> None:
    text = "First.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast."
    found = blocks_of(text, said)
    assert [block["kind"] for block in found] == ["paragraph", "list", "table", "paragraph"]
    assert "\n".join(block["html"] for block in found) + "\n" == html_of(text, said)


def test_a_paragraph_behind_two_colons_stands_beside_the_next_one_line_by_line() -> None:
    found = blocks_of(":: **Gate** {x}\n**Fence** 1\n\nIt is locked :: twice.", said)
    assert [block["kind"] for block in found] == ["beside", "paragraph"]
    gate, fence = "<span><strong>Gate</strong> &lt;x&gt;</span>", "<span><strong>Fence</strong> 1</span>"
    assert found[0]["html"] == f'<aside class="beside"><div>{gate} {fence} </div></aside>'
    assert found[1]["html"] == "<p>It is locked :: twice.</p>"


@pytest.mark.parametrize(
    "text",
    [">" * 10_000, "[" * 20_000, "![[" * 8_000, "*a_" * 8_000, f"{'|a' * 2_000}|\n{'|-' * 2_000}|\n{'|b' * 2_000}|\n"],
    ids=["quotations", "brackets", "pictures", "stars", "table"],
)
def test_text_that_is_deep_wide_or_endless_takes_no_time(text: str) -> None:
    begun = time.process_time()
    assert html_of(text, said)
    assert time.process_time() - begun < 2
