"""Pages that would end in a gap: set closer where the next block then has room; rows of a table set further apart."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pymupdf
import pytest

from sheetgen.pdf.flow.document import flow

STYLE = """@page { size: 100mm 100mm; margin: 10mm } * { margin: 0; padding: 0 }
html { font: 10pt/1.4 'Source Serif Pro' } p { margin-bottom: 3mm } td { padding: 0.5mm }
table { width: 80mm; border-collapse: collapse } .whole { break-inside: avoid; border: 0.5mm solid }"""


def words_by_page(body: str, root: Path) -> list[list[tuple[str, float]]]:
    """The words of each page, each with where it stands, in mm from above."""
    page = f'<!DOCTYPE html><html lang="en"><title>x</title><style>{STYLE}</style><section data-flow>{body}</section>'
    with pymupdf.open(stream=flow(page, root=root, name="x")) as made:
        return [[(word[4], word[1] / 72 * 25.4) for word in each.get_text("words")] for each in made]


def lines(name: str, count: int) -> str:
    return "".join(f"<p>{name}{number}</p>" for number in range(count))


def block(height: int) -> str:
    return f'<div class="whole" style="height: {height}mm">block</div>'


def test_a_block_that_just_misses_its_page_comes_onto_it(tmp_path: Path) -> None:
    (page,) = words_by_page(lines("word", 7) + block(25), tmp_path)
    assert page[-1][0] == "block"


def test_a_block_that_is_far_too_large_changes_nothing_before_it(tmp_path: Path) -> None:
    before, after = words_by_page(lines("word", 6) + block(60), tmp_path)
    (alone,) = words_by_page(lines("word", 6), tmp_path)
    assert before == alone
    assert after[0][0] == "block"


def test_only_the_page_that_needs_it_is_set_closer(tmp_path: Path) -> None:
    first, second = words_by_page(lines("word", 7) + block(25) + lines("later", 5), tmp_path)
    apart = [after[1] - before[1] for page in (first[:7], second) for before, after in pairwise(page)]
    assert max(apart[:6]) < min(apart[6:])


def test_rows_that_have_a_page_to_themselves_fill_it(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>row{number}</td></tr>" for number in range(9))
    first, _ = words_by_page(f'<table class="whole">{rows}</table>{block(60)}', tmp_path)
    (alone,) = words_by_page(f'<table class="whole">{rows}</table>', tmp_path)
    assert alone[-1][1] < 70
    assert 78 < first[-1][1] < 90


def test_the_end_of_a_chapter_stands_alone_rather_than_leave_a_hole(tmp_path: Path) -> None:
    """It stays with the block before it where that leaves less empty."""
    last = '<div class="whole" data-last style="height: 15mm; break-before: avoid">last</div>'
    hole = words_by_page(lines("word", 3) + block(48) + last, tmp_path)
    assert [page[-1][0] for page in hole] == ["block", "last"]
    near = words_by_page(lines("word", 9) + block(12) + last, tmp_path)
    assert [page[0][0] for page in near] == ["word0", "block"]


def test_a_line_that_fits_but_for_the_blank_at_its_end_is_not_broken(tmp_path: Path) -> None:
    """WeasyPrint 70 would set its first word alone, at a width that the line has without that blank."""
    widths = [44 + fifth / 5 for fifth in range(80)]
    said = [f'<p style="width: {width}mm">not happen. The code to hit with; <i>What</i></p>' for width in widths]
    words = [word for page in words_by_page("".join(said), tmp_path) for word in page]
    begun = [at for at, (word, _) in enumerate(words) if word == "not"]
    paragraphs = [words[start:end] for start, end in pairwise([*begun, len(words)])]
    first = [sum(abs(height - each[0][1]) < 1 for _, height in each) for each in paragraphs]
    assert first == sorted(first)
    assert first[-1] > first[0] > 5


def test_a_figure_stays_under_its_heading_as_long_as_no_great_gap_is_left(tmp_path: Path) -> None:
    """It goes past the next one only where it would leave a fifth of a page empty."""
    figure = '<figure data-float style="height: 40mm; break-inside: avoid">figure</figure>'
    after = '<h2 style="font: 10pt Source Serif Pro; break-after: avoid">Next</h2>' + lines("later", 14)
    first, second, _ = words_by_page(lines("word", 8) + '<p style="height: 2mm">so</p>' + figure + after, tmp_path)
    assert (first[-1][0], second[0][0], second[1][0]) == ("so", "figure", "Next")
    first, second, _ = words_by_page(lines("word", 7) + figure + after, tmp_path)
    assert "Next" in [word for word, _ in first]
    assert second[0][0] == "figure"


def test_the_rule_beside_a_block_that_goes_on_ends_with_its_words(tmp_path: Path) -> None:
    row = '<p style="height: 12mm; break-inside: avoid; margin: 0">row</p>'
    body = f'<div style="border-left: 1mm solid">{row * 12}</div>'
    page = f'<!DOCTYPE html><html lang="en"><title>x</title><style>{STYLE}</style><section data-flow>{body}</section>'
    with pymupdf.open(stream=flow(page, root=tmp_path, name="x")) as made:
        first = max(drawn["rect"].y1 for drawn in made[0].get_drawings()) / 72 * 25.4
    assert first < 83  # six rows of 12 mm under a margin of 10; the page ends at 90


def test_the_pages_of_an_index_stand_in_order_behind_the_one_that_defines_its_word(tmp_path: Path) -> None:
    """An index said penalty 23, 14: a table had floated past the words that stand behind it in the rules."""
    style = ".index { break-before: page } a::before { content: ', ' target-counter(attr(href), page) }"
    later = "".join(f'<p id="w{number}" style="break-after: page">word</p>' for number in range(1, 5))
    links = {"difficulty": ("w3", "w1", "w1", "w2"), "luck": ("home w3", "w4", "w1")}
    items = ""
    for word, places in links.items():
        told = [
            f'<a class="{each.partition("w")[0].strip()}" href="#w{each.partition("w")[2]}"></a>' for each in places
        ]
        items += f"<li data-pages>{word}{''.join(told)}</li>"
    index = f'<style>{style}</style><div class="index"><ul style="list-style: none">{items}</ul></div>'
    page = f'<!DOCTYPE html><html lang="en"><title>x</title><style>{STYLE}</style><section>{later}</section>{index}'
    with pymupdf.open(stream=flow(page, root=tmp_path, name="x")) as made:
        assert made[-1].get_text().splitlines() == ["difficulty, 1, 2, 3", "luck, 3, 1, 4"]


def test_the_least_width_of_a_long_text_is_found_a_little_of_it_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where words may be parted anywhere, all that followed was set anew for each letter: 17 s for a wanted poster."""
    from weasyprint.text.line_break import Layout

    usual, letters = Layout.set_text, list[int]()
    monkeypatch.setattr(
        Layout, "set_text", lambda self, text, **more: letters.append(len(text)) or usual(self, text, **more)
    )
    told = "Nobody went home before the lamps were lit. " * 15
    box = f'<div style="display: flex; flex-direction: column; overflow-wrap: anywhere"><p>{told}</p></div>'
    (first, *_) = words_by_page(box, tmp_path)
    assert [word for word, _ in first[:3]] == ["Nobody", "went", "home"]
    assert sum(letters) < 100 * len(told)
