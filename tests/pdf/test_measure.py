"""Heights of parts, as they come out on paper."""

from __future__ import annotations

import pytest

from sheetgen.errors import InputError, Place
from sheetgen.pdf.flow.document import part_heights
from sheetgen.products.form_cache import use_bundled_fonts
from sheetgen.workspace.project import Project

PAGE = """<html lang="en"><head><title>t</title><style>
@page {{ size: 80mm 500mm; margin: 0 }}
* {{ margin: 0; padding: 0 }}
html {{ font: 10pt/5mm 'Source Serif Pro' }}
div {{ display: flow-root }}
</style></head><body>{}</body></html>"""


def heights(project: Project, body: str, places: dict[str, Place] | None = None) -> dict[str, float]:
    use_bundled_fonts(project)
    return part_heights(PAGE.format(body), root=project.templates, name="page", places=places or {})


def test_each_part_has_its_height_in_mm(project: Project) -> None:
    found = heights(
        project,
        '<div data-part="one">A line</div><div data-part="three">A<br>B<br>C</div>'
        '<section><div data-part="framed" style="padding: 1mm; border: 0.5mm solid; margin: 9mm">A</div></section>',
    )
    assert found == {
        "one": pytest.approx(5, abs=0.01),
        "three": pytest.approx(15, abs=0.01),
        "framed": pytest.approx(8, abs=0.01),
    }


def test_what_is_wider_than_the_page_is_told_of_by_name(project: Project) -> None:
    wide = f'<div data-part="a" data-name="Help"><p style="white-space: nowrap">{"word " * 30}</p></div>'
    with pytest.raises(InputError) as caught:
        heights(project, wide, {"Help": Place("rules/03.yaml", 7)})
    assert str(caught.value.problems[0]).startswith('rules/03.yaml:7: "Help" has ')
