"""Bad, hostile or unlucky input by the IDs of its classes: what each gets, or where that is tested."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sheetgen.people.rolling import RollOptions, roll
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]
TESTS = Path(__file__).parents[1]
HEAD = b"system: gamers\n"
CSV = b"system,name,attributes.Grit\n"
PACK = {
    "mist/system.yaml": b"id: mist\ntitle: Mist\ncredit: Mist, by somebody\nlicence: as you like it\n"
    b"traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {}}}}\n",
    "mist/creation.yaml": b"steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}\n"
    b"methods: {random: {steps: [virtues]}}\n",
    "mist/sheet.yaml": b"character: {name: {is: text, title: Name}, virtues: {is: levels, title: Virtues}}",
}
Files = Mapping[str, bytes]


def person(fields: bytes | str) -> Files:
    """A file of one character with these fields."""
    return {"x.yaml": HEAD + (fields.encode() if isinstance(fields, str) else fields)}


def people(text: bytes | str, name: str = "x.yaml") -> Files:
    """A file of characters that says this."""
    return {name: text.encode() if isinstance(text, str) else text}


def mist(**parts: str) -> Files:
    """A pack with these parts in place of its own."""
    return PACK | {f"mist/{name}.yaml": text.encode() for name, text in parts.items()}


def rolling(dice: str) -> Files:
    """A pack that rolls so."""
    return mist(creation=PACK["mist/creation.yaml"].decode().replace("1d4", dice))


def tarred(name: str) -> bytes:
    """An archive of one file, whose name may lead out of the folder that it is unpacked in."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(name), io.BytesIO())
    return data.getvalue()


# The ID, the words (`check` ends with 1 where other verbs do with 2), what stands there, and what the line says.
REFUSED: list[tuple[str, str, Files, str]] = [
    (
        "CLI-01",
        "sheet heros.yaml",
        people(HEAD, "heroes.yaml"),
        r'heros.yaml: no such file \(did you mean "heroes.yaml"',
    ),
    ("CLI-02", "check ./empty", {"empty/readme": b""}, "empty: no pack here: there is no system.yaml in this folder"),
    ("CLI-03", "sheet x.yaml -o x.yaml", person(b"name: A\n"), "x.yaml is also an input"),
    (
        "CLI-04",
        "sheet x.yaml -o out.pdf",
        person(b"name: A\n") | {"out.pdf/y": b""},
        'cannot write "out.pdf": it is',
    ),
    ("CLI-05", "npc gamers -n 0", {}, "takes a whole number from 1 to 100,000,000, not"),
    ("CLI-05", "npc gamers -n=-5", {}, "takes a whole number from 1 to 100,000,000, not"),
    ("CLI-05", "npc gamers -n 1e3", {}, "takes a whole number from 1 to 100,000,000, not"),
    ("CLI-05", "npc gamers -n 1000000000", {}, "takes a whole number from 1 to 100,000,000, not"),
    ("CLI-06", "npc gamers --seed " + "7" * 40_000, {}, "--seed: takes a whole number"),
    ("CLI-06", "npc gamers --seed seven", {}, "--seed: takes a whole number"),
    ("CLI-07", "cards gamers --size pocker", {}, "--size: invalid choice: 'pocker'"),
    ("CLI-07", "npc gamer", {}, r'unknown (pack|system) "gamer" \(did you mean "gamers"'),
    ("CLI-11", "npc gamers -o -x.pdf", {}, "a name that begins with a hyphen is given as --output=-x.pdf"),
    ("YAML-01", "check x.yaml", person(b"name: Ren\xe9e\n"), "x.yaml:2:10: byte E9 is not UTF-8, it looks like"),
    ("YAML-02", "check x.yaml", people("system: gamers".encode("utf-32-le")), "x.yaml:1:1: this looks like UTF-32"),
    ("YAML-03", "check x.yaml", person(b"name: A\x1b\n"), "x.yaml:2:8: control character U.001B, ESC"),
    ("YAML-05", "check x.yaml", person("\ufeffname: A\n"), "x.yaml:2:1: byte-order mark U.FEFF inside"),
    ("YAML-06", "check x.yaml", person(b"gear:\n\t- rope\n"), "x.yaml:3:1: tab used"),
    ("YAML-07", "check x.yaml", person("gear:\n\xa0\xa0- rope\n"), "x.yaml:3:1: .*U.00A0"),
    ("YAML-09", "check x.yaml", people(b"# nothing\n"), "x.yaml: file is empty"),
    ("YAML-10", "check x.yaml", people(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "x.yaml:1:1: this looks like a PNG picture"),
    ("YAML-11", "check x.yaml", person(b'name: "Ada\ngear: [rope]\n'), "x.yaml:2:7: this quote is never closed"),
    ("YAML-20", "check x.yaml", person(b"name: A\nname: B\n"), "x.yaml:3:1: .*(twice|line 2|2:1)"),
    (
        "YAML-21",
        "check x.yaml",
        person(b"name: &a lol\ngear: [*a, *a]\n"),
        "x.yaml:2:7: anchors are not allowed",
    ),
    ("YAML-22", "check x.yaml", person(b"a: &m {x: 1}\nb: {<<: *m}\n"), "x.yaml:2:4: anchors are not allowed"),
    ("YAML-24", "check x.yaml", people(b"[" * 100_000), "x.yaml:1:65: nested deeper than 64"),
    ("YAML-25", "check x.yaml", people(b"- " * 100_000), "x.yaml:1:129: nested deeper than 64"),
    ("YAML-26", "check x.yaml", person(b"a: x\n" * 12_000_000), "x.yaml: has 60,000,015 bytes; the most is"),
    ("YAML-27", "check x.yaml", person(b"name: !!python/object/apply:os.system [ls]\n"), "x.yaml:2:7: tag"),
    ("YAML-27", "check x.yaml", person(b"name: !foo x\n"), "x.yaml:2:7: tag"),
    ("YAML-29", "check x.yaml", people(b"- system: gamers\n"), "x.yaml:1:1: .*it must begin with `system: gamers`"),
    ("YAML-31", "check x.yaml", person(b"name: <<\n"), "x.yaml:2:7: .*quotes"),
    ("YAML-32", "check x.yaml", person(b"attributes: {Grit: " + b"9" * 5_000 + b"}\n"), "x.yaml:2:20: "),
    ("VAL-04", "check x.yaml", person(b"attributes: {Grit: 010}\n"), "x.yaml:2:20: "),
    ("VAL-04", "check x.yaml", person(b"attributes: {Grit: 1_0}\n"), "x.yaml:2:20: "),
    ("VAL-08", "check x.yaml", person(b"attributes: {Grit: 5.5}\n"), "x.yaml:2:20: "),
    ("VAL-08", "check x.yaml", person(b"attributes: {Grit: -3}\n"), "x.yaml:2:20: "),
    ("VAL-09", "check x.yaml", person("attributes: {Grit: \uff15}\n"), "x.yaml:2:20: "),
    ("VAL-09", "check x.yaml", person(b"attributes: {Grit: true}\n"), "x.yaml:2:20: "),
    (
        "SCH-01",
        "check x.yaml",
        person(b"gaer: [rope]\n"),
        r'x.yaml:2:1: unknown key "gaer" .*\(did you mean "gear"',
    ),
    ("SCH-02", "check ./mist", mist(system="title: Mist\n"), r'mist/system.yaml:1:1: .*lacks "id"'),
    ("SCH-03", "check x.yaml", person(b"skills: {Meele: 1}\n"), r'x.yaml:2:10: .*\(did you mean "Melee"'),
    ("SCH-04", "check ./mist", mist(system="id: mist\nextends: mist\ntitle: Mist\n"), "mist/system.yaml:2:10: .*mist"),
    (
        "SCH-08",
        "check x.yaml",
        person(b"name: " + b"W" * 1_000_000 + b"\n"),
        r"x.yaml:2:7: name is 1,000,000 char",
    ),
    ("SCH-09", "check x.yaml", person(b"".join(b"w%d: 1\n" % n for n in range(10))), "x.yaml:11:1: unknown key"),
    ("DICE-01", "check ./mist", rolling("1000000d1000000"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-02", "check ./mist", rolling("0d6"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-02", "check ./mist", rolling("1d0"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-02", "check ./mist", rolling("3d"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-03", "check ./mist", rolling("__import__('os')"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-03", "check ./mist", rolling("9**9**9"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-05", "check ./mist", rolling("1d6!"), "mist/creation.yaml:1:56: step virtues: "),
    ("DICE-06", "check ./mist", rolling("3d6kh4"), "mist/creation.yaml:1:56: step virtues: "),
    ("TXT-02", "check x.yaml", person("name: ev\u202eil\n"), "x.yaml:2:7: .*U.202E"),
    ("TXT-07", "check x.yaml", person("name: e" + "\u0301" * 100_000 + "\n"), "x.yaml:2:7: "),
    (
        "TXT-08",
        "check x.yaml",
        person(b"name: " + b"W" * 400 + b"\n"),
        "x.yaml:2:7: name is 400 characters long",
    ),
    ("JSON-01", "check x.json", people('{"system": "gamers", "attributes": {"Grit": NaN}}', "x.json"), "x.json:1:45: "),
    ("JSON-02", "check x.json", people('{"system": "gamers", "name": "A", "name": "B"}', "x.json"), "x.json:1:35: "),
    ("JSON-03", "check x.json", people(b"[" * 100_000, "x.json"), "x.json:1:65: nested deeper than 64"),
    ("JSON-04", "check x.json", people("{'system': 'gamers'}", "x.json"), "x.json:1:2: "),
    ("CSV-01", "check x.csv", people(CSV + b"gamers,A,5,6,7\n", "x.csv"), "x.csv:2:"),
    ("CSV-01", "check x.csv", people(CSV + b'gamers,"A,5\n', "x.csv"), "x.csv:2:"),
    ("CSV-01", "check x.csv", people(b"system" + b",a" * 1_000_000 + b"\ngamers\n", "x.csv"), "x.csv"),
    ("PIN-01", "booklet x.pdf", people(b"<html>", "x.pdf"), "x.pdf: "),
    ("PIN-01", "preflight x.pdf", people(b"", "x.pdf"), "x.pdf: "),
    (
        "PIN-01",
        "fill x.pdf y.yaml",
        people(b"%PDF-1.7\n%%EOF", "x.pdf") | people(HEAD + b"name: A\n", "y.yaml"),
        "x.pdf: ",
    ),
    ("PACK-03", "add evil.tar", people(tarred("../evil.txt"), "evil.tar"), '"evil.tar" is no .sheetpack file'),
    ("PACK-03", "add x.sheetpack", people(tarred("../evil.txt"), "x.sheetpack"), "x.sheetpack: is no sheetpack"),
    ("WEB-07", "studio --host 0.0.0.0", {}, 'unexpected "--host"'),
    (
        "OUT-04",
        "fill f.pdf x.yaml --map-out map.yaml",
        people(HEAD) | {"map.yaml": b"mine", "f.pdf": b""},
        "map.yaml|f.pdf",
    ),
]

# Where the others are tested.
ELSEWHERE = {
    "CLI-08": "cli/test_app.py::test_no_standard_output_is_one_line_and_4",
    "CLI-09": "cli/test_endurance.py::test_ctrl_c_keeps_whole_files_and_resume_makes_the_rest",
    "CLI-10": "cli/test_abuse_cases.py::test_a_terminal_without_letters_gets_their_numbers",
    "YAML-04": "content/test_nodes.py::test_byte_order_mark_and_kind_of_line_end_change_nothing",
    "VAL-01": "content/test_nodes.py::test_what_yaml_would_change_is_kept_as_written",
    "VAL-02": "content/test_nodes.py::test_what_yaml_would_change_is_kept_as_written",
    "VAL-03": "content/test_nodes.py::test_what_yaml_would_change_is_kept_as_written",
    "VAL-06": "content/test_decode.py::test_text_is_kept_as_written",
    "SCH-05": "services/test_build.py::test_two_packs_with_one_id_never_write_over_each_other",
    "SCH-06": "workspace/test_sheetpack.py::test_a_pack_in_the_place_of_a_game_of_ours_is_refused_until_it_is_meant",
    "DICE-07": "rules/test_rolling.py::test_number_57_is_the_same_alone_and_in_a_run",
    "PACK-01": "content/test_packs.py::test_a_link_out_of_the_pack_is_refused_wherever_it_lies",
    "PACK-02": "workspace/test_sheetpack.py::test_a_name_that_may_not_be_unpacked_is_refused",
    "PACK-04": "workspace/test_sheetpack.py::test_an_archive_that_swells_is_refused_by_its_table_of_contents",
    "PACK-05": "workspace/test_sheetpack.py::test_names_that_differ_in_case_or_accents_only_are_refused_naming_both",
    "PACK-06": "workspace/test_sheetpack.py::test_a_name_that_may_not_be_unpacked_is_refused",
    "PACK-07": "cli/test_app.py::test_no_python_of_the_folder_one_is_in_is_run",
    "PACK-08": "content/test_packs.py::test_a_pipe_anywhere_in_a_pack_is_refused",
    "PACK-10": "cli/test_abuse_cases.py::test_a_pack_that_changes_meanwhile_is_the_one_that_was_checked",
    "TPL-01": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-02": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-03": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-04": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-05": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-06": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-07": "documents/test_render.py::test_a_page_has_a_most",
    "TPL-09": "documents/test_render.py::test_too_deep_a_nest_is_told_at_its_line",
    "TPL-10": "documents/test_render.py::test_values_are_printed_literally",
    "TPL-11": "cli/test_abuse_cases.py::test_a_value_in_a_place_that_could_run_or_fetch_is_refused",
    "TPL-12": "services/test_check.py::test_what_can_be_printed_and_is_unwise_is_warned_of",
    "TPL-13": "documents/test_render.py::test_a_bad_template_is_told_off_by_name_and_line",
    "TPL-14": "pdf/test_flow.py::test_a_document_of_more_pages_than_anybody_prints_is_refused",
    "TPL-15": "products/test_people_print.py::test_a_roster_keeps_hostile_names_whole",
    "MD-01": "documents/test_markdown.py::test_text_becomes_html",
    "MD-02": "services/test_check.py::test_what_rule_text_may_not_do_is_told_at_its_line",
    "MD-03": "documents/test_markdown.py::test_text_becomes_html",
    "MD-04": "documents/test_markdown.py::test_text_that_is_deep_wide_or_endless_takes_no_time",
    "RND-01": "pdf/test_flow.py::test_nothing_outside_the_pack_is_read",
    "RND-02": "pdf/test_flow.py::test_nothing_outside_the_pack_is_even_opened",
    "RND-03": "pdf/test_flow.py::test_files_are_never_attached",
    "RND-04": "pdf/test_flow.py::test_nothing_outside_the_pack_is_read",
    "RND-05": "pdf/test_flow.py::test_nothing_outside_the_pack_is_read",
    "RND-06": "pdf/test_flow.py::test_links_lead_to_headings_the_web_and_mail_alone",
    "RND-07": "pdf/test_flow.py::test_a_truncated_picture_stops_the_page",
    "RND-08": "pdf/test_flow.py::test_a_picture_of_too_many_pixels_is_refused_from_its_header",
    "RND-09": "pdf/test_flow.py::test_a_pipe_is_refused_without_waiting",
    "RND-10": "batch/test_sandbox.py::test_a_page_that_would_take_the_program_down_is_refused",
    "RND-11": "pdf/test_flow.py::test_a_nest_too_deep_is_refused",
    "RND-12": "batch/test_sandbox.py::test_a_page_that_would_take_the_program_down_is_refused",
    "RND-13": "batch/test_sandbox.py::test_a_page_that_would_take_the_program_down_is_refused",
    "RND-15": "batch/test_sandbox.py::test_a_page_that_would_take_the_program_down_is_refused",
    "RND-16": "pdf/test_flow.py::test_a_stylesheet_that_imports_itself_is_refused",
    "RND-18": "pdf/test_flow.py::test_a_character_without_a_glyph_is_named",
    "RND-19": "pdf/test_flow.py::test_an_unknown_family_is_refused_with_a_suggestion",
    "RND-20": "pdf/test_flow.py::test_one_file_a_face",
    "RND-21": "pdf/test_bundled.py::test_fontconfig_shows_the_bundled_files_and_no_others",
    "RND-22": "pdf/test_flow.py::test_text_that_would_be_cut_off_is_measured",
    "TXT-01": "pdf/test_bidi.py::test_another_implementation_sees_every_line_alike",
    "TXT-03": "content/test_decode.py::test_the_same_name_composed_and_decomposed_is_one_name",
    "TXT-04": "cli/test_verbs.py::test_nobody_to_print_leaves_the_old_file",
    "TXT-09": "pdf/test_stamp.py::test_any_name_is_printed_as_it_is",
    "TXT-10": "documents/test_characters.py::test_a_spreadsheet_sees_text_and_not_a_formula",
    "OUT-01": "cli/test_verbs.py::test_a_hostile_name_is_kept_whole",
    "OUT-02": "workspace/test_write.py::test_any_names_get_portable_slugs_of_their_own",
    "OUT-03": "workspace/test_write.py::test_names_that_collide_are_numbered_in_order",
    "OUT-05": "cli/test_endurance.py::test_a_full_disk_is_one_line_and_the_old_file_stays",
    "OUT-06": "cli/test_endurance.py::test_a_killed_run_leaves_whole_files_no_orphans_and_nothing_that_the_next_run_"
    "does_not_sweep",
    "OUT-07": "workspace/test_manifest.py::test_runs_at_once_lose_nothing_of_what_they_wrote",
    "OUT-08": "workspace/test_write.py::test_a_folder_swapped_for_a_link_leads_nowhere_else",
    "OUT-09": "cli/test_endurance.py::test_ctrl_c_keeps_whole_files_and_resume_makes_the_rest",
    "OUT-10": "workspace/test_write.py::test_a_disk_that_fails_at_the_last_moment_keeps_the_old_file",
    "PIN-04": "cli/test_given_pdfs.py::test_a_bomb_takes_less_than_500_mb",
    "PIN-05": "cli/test_given_pdfs.py::test_what_cannot_be_used_is_refused_in_one_line",
    "PIN-07": "content/test_field_map.py::test_a_mistake_has_its_place_and_its_mend",
    "WEB-01": "studio/test_safety.py::test_another_host_is_refused_though_it_leads_here",
    "WEB-02": "studio/test_safety.py::test_another_page_is_refused_though_it_has_the_cookie",
    "WEB-03": "studio/test_safety.py::test_no_path_leads_out_of_what_is_served",
    "WEB-04": "studio/test_safety.py::test_pages_may_load_nothing_from_elsewhere_and_run_no_script_of_their_text",
    "WEB-06": "studio/test_authoring.py::test_a_file_that_was_changed_outside_is_compared_and_the_draft_is_kept",
    "DET-01": "pdf/test_flow.py::test_the_same_page_is_the_same_bytes",
    "DET-02": "pdf/test_bundled.py::test_fontconfig_shows_the_bundled_files_and_no_others",
}


@pytest.mark.parametrize("case", REFUSED, ids=[row for row, *_ in REFUSED])
def test_it_is_refused_in_lines_that_name_the_place(
    case: tuple[str, str, Files, str], sheetgen: Sheetgen, tmp_path: Path
) -> None:
    """With the promised exit code, no traceback, and everything as it was."""
    row, words, files, said = case
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    before = sorted(tmp_path.rglob("*"))
    ran = sheetgen(*words.split())
    assert ran.code == (1 if words.startswith("check") else 4 if row == "CLI-04" else 2)
    assert re.search(said, ran.err), ran.err[:500]
    assert max(map(len, ran.err.splitlines())) < 400
    assert "Traceback" not in ran.err
    assert [path for path in sorted(tmp_path.rglob("*")) if path.name != "output"] == before
    assert all((tmp_path / name).read_bytes() == data for name, data in files.items())


@pytest.mark.parametrize("where", sorted({*ELSEWHERE.values()}))
def test_what_is_tested_elsewhere_is_there(where: str) -> None:
    file, name = where.split("::")
    nodes = ast.walk(ast.parse((TESTS / file).read_text("utf-8")))
    assert name in {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def test_a_terminal_without_letters_gets_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("system: gamers\nname: A\n\u05e9\u05dc\u05d5\u05dd😀: x\n", "utf-8")
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    words = [sys.executable, "-m", "sheetgen", "check", "x.yaml"]
    ran = subprocess.run(words, check=False, cwd=tmp_path, env=plain, capture_output=True, timeout=120)
    assert ran.returncode == 1
    assert rb'x.yaml:3:1: unknown key "\u05e9\u05dc\u05d5\u05dd\U0001f600"' in ran.stderr
    assert ran.stderr.isascii()
    assert b"Error" not in ran.stderr


PAGE = (
    "<!DOCTYPE html><html lang=en><head><title>x</title>{head}</head><body>{body}<p><input name=name title=Name>"
    "<input name=virtues.Hope title=Hope></body></html>"
)
VALUE = '{% if mode == "page" %}{{ values["name"] }}{% endif %}'


@pytest.mark.parametrize(
    ("page", "name", "said"),
    [
        (("", f"<p title={VALUE}>x</p>"), "x onclick=alert(1)", "onclick= is not allowed"),
        (("", f"<a href={VALUE}>x</a>"), "javascript:alert(1)", "is not a link"),
        ((f"<style>p{{background:{VALUE}}}</style>", ""), "url(http://127.0.0.1:9/x)", "would be fetched"),
        ((f"<style>p{{color:{VALUE}}}</style>", ""), "red}</style><script>alert(1)</script>", ""),
    ],
)
def test_a_value_in_a_place_that_could_run_or_fetch_is_refused(
    sheetgen: Sheetgen, tmp_path: Path, page: tuple[str, str], name: str, said: str
) -> None:
    html = PAGE.replace("{head}", page[0]).replace("{body}", page[1])
    files = PACK | {"mist/templates/sheet.html": html.encode(), "x.yaml": f"system: ./mist\nname: '{name}'\n".encode()}
    for file, data in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(data)
    ran = sheetgen("sheet", "x.yaml", "-o", "o.html")
    assert (ran.code, "mist/templates/sheet.html: " in ran.err) == ((2, True) if said else (0, False))
    assert said in ran.err
    assert said or "<script" not in (tmp_path / "o.html").read_text("utf-8")


def test_a_pack_that_changes_meanwhile_is_the_one_that_was_checked(project: Project) -> None:
    for file, data in PACK.items():
        (project.where / file).parent.mkdir(exist_ok=True)
        (project.where / file).write_bytes(data)
    pack, options = open_pack(project, "./mist"), RollOptions(seed=1, count=4)
    before = list(roll(pack, options))
    (project.where / "mist/system.yaml").write_text("id: [")
    (project.where / "mist/creation.yaml").unlink()
    assert list(roll(pack, options)) == before
