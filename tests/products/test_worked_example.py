"""Examples told line by line: words take their figures from the case as it is played, and people are of the cast."""

from __future__ import annotations

import pytest

from sheetgen.documents.book.book import BookBuilder
from sheetgen.documents.book.worked_example import ExampleTeller
from sheetgen.errors import InputError, Place
from sheetgen.model.book import Prose, Scene, ToldLine
from sheetgen.model.data import Word
from sheetgen.model.procedures import PlayedCase, Throw
from sheetgen.products.books.book import hero_of
from sheetgen.products.chapters import canvas_of, open_book, perform
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

SYSTEM = """
id: mist
title: Mist
credit: Mist, by somebody
licence: as you like it
traits: {virtues: {title: Virtues, range: 0-5, members: {Hope: {role: hope}}}}
play: {attempt: {family: sum against a target, dice: 2d6}, pool: {family: count successes, sides: 6, from: 5}}
uses: {attempt: {who: {bonus: virtues.hope}}}
values: {high: [5, 6], low: [1]}
"""
CHAPTER = """
title: The roll
opening: How anything is tried.
cast: cast.yaml
rules:
  attempt:
    title: Trying
    text: Roll the dice.
    examples:
      - case: A1
        told: The door is shut.
        people: {who: Ada}
        scene:
          - say: "**Ada** rolls {thrown.dice|word} dice, and adds {bonus|word} for hope."
            dice: attempt
            result: "{thrown.sum} + {bonus} = {total}"
            so: {success: true}
          - It opens.
"""
CASES = "- {id: A1, given: {do: attempt, bonus: 2, target: 8}, dice: [4, 3], expect: {total: 9}}\n"
CAST = "system: mist\ncharacters: [{name: Ada Low, virtues: {Hope: 2}}, {name: Bo, virtues: {Hope: 1}}]\n"


def write(project: Project, chapter: str = CHAPTER, cases: str = CASES) -> None:
    """Writes a small game whose book tells one example."""
    folder = project.where / "mist"
    (folder / "rules").mkdir(parents=True)
    creation = "steps: {virtues: {do: roll each, group: virtues, dice: 1d4}}\nmethods: {random: {steps: [virtues]}}\n"
    sheet = "character: {name: {is: text, title: Name}, virtues: {is: levels, title: Virtues}}"
    texts = {"system": SYSTEM, "creation": creation, "sheet": sheet, "examples": cases, "cast": CAST}
    for name, text in {**texts, "rules/01-roll": chapter}.items():
        (folder / f"{name}.yaml").write_text(text.lstrip())


def scene(project: Project, chapter: str = CHAPTER, cases: str = CASES) -> dict[str, object]:
    """The one example of the small game as its template gets it."""
    write(project, chapter, cases)
    pack = open_pack(project, "./mist")
    rulebook, canvas = open_book(project, pack), canvas_of(pack, 300)
    data = BookBuilder(pack.system, rulebook.book, perform(pack, rulebook, canvas), canvas).data()
    (told,) = data["chapters"][0]["rules"][0]["scenes"]
    return dict(told)


def test_a_scene_has_its_dice_beside_the_line_they_belong_to(project: Project) -> None:
    told = scene(project)
    story, line, close = told["lines"]  # type: ignore[misc]
    assert (story["html"], story["rows"], close["played"]) == ("<p>The door is shut.</p>\n", [], False)
    assert line["html"] == "<p><strong>Ada</strong> rolls two dice, and adds two for hope.</p>\n"
    (row,) = line["rows"]
    assert row["result"] == "7 + 2 = 9"
    assert [f'aria-label="{face}"' in row["drawn"][0] for face in (4, 3, 1)] == [True, True, False]
    assert told["key"] == []


READ = """faces:
  good: {say: counts, drawn: black, of: high, adds: 1}
  rest: {say: nothing, drawn: light}
  bad: {say: one away, drawn: struck, of: low, adds: -1}
rules:"""


@pytest.mark.parametrize(("dice", "came"), [("[6, 1]", "1 − 1 = 0"), ("[5, 3]", "1"), ("[6, 5]", "2")])
def test_dice_are_read_as_the_book_says(project: Project, dice: str, came: str) -> None:
    chapter = CHAPTER.replace("rules:", READ, 1).partition("        people:")[0]
    chapter += "        scene:\n          - {say: She rolls., dice: pool}\n"
    told = scene(project, chapter, f"- {{id: A1, given: {{do: pool, dice: 2}}, dice: {dice}, expect: {{}}}}\n")
    assert told["lines"][1]["rows"][0]["result"] == came  # type: ignore[index]
    assert [say for _, say in told["key"]] == ["counts", "nothing", "one away"]  # type: ignore[misc, attr-defined]


def test_dice_that_did_not_count_are_light_and_not_in_the_sum(project: Project) -> None:
    chapter = CHAPTER.replace("            dice: attempt", "            kept: given.note\n            dice: attempt")
    cases = CASES.replace("do: attempt", "do: attempt, note: [4]")
    told = scene(project, chapter.replace(" = {total}", "").replace("{thrown.dice|word} dice", "a die"), cases)
    (row,) = told["lines"][1]["rows"]  # type: ignore[index]
    assert row["result"] == "4 + 2"
    assert ["#777" in part for part in row["drawn"][0].split("</svg>")[:2]] == [False, True]


def test_dice_of_their_own_are_drawn_so_and_summed(project: Project) -> None:
    wild = "faces: {wild: {say: the wild die, drawn: black, for: attempt}}\nrules:"
    told = scene(
        project,
        CHAPTER.replace("rules:", wild, 1).replace(
            "{thrown.sum} + {bonus} = {total}", "{thrown.wild} of {thrown.result}"
        ),
    )
    (row,) = told["lines"][1]["rows"]  # type: ignore[index]
    assert row["result"] == "2 of 7"
    assert row["drawn"][0].count('fill="#000" stroke') == 2
    assert [say for _, say in told["key"]] == ["the wild die"]  # type: ignore[misc, attr-defined]


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("so: {success: true}", "so: {success: false}", "16:18: so: success is true, not false"),
        ("so: {success: true}", "so: {sucess: true}", '16:18: so: the case has no "sucess" (did you mean "success"?)'),
        ("dice: attempt", "dice: Ada", '14:19: dice: "Ada" does not fall here: next falls attempt: 4, 3'),
        ("dice: attempt", "dice: [attempt, attempt]", "nothing falls any more"),
        ("dice: attempt", "dice: + the rest", 'dice: "+ the rest" joins no row: write the rest, in rows of their own'),
        ("            dice: attempt\n", "", "9:9: no line of the example shows: attempt: 4, 3"),
        ("It opens.", "It opens 1 inch.", '"1" stands in the words of an example'),
        ("{thrown.dice|word} dice", "two dice", '"two" stands in the words of an example: take it from the case, as'),
        ("+ {bonus} =", "+ {1} =", '15:21: "7 + 1 = 9" is wrong as a sum'),
        ("{thrown.sum} + {bonus} =", "{12} −{1} −{1} =", '"12 −1 −1 = 9" is wrong as a sum'),
        ("{total}", "{totals}", 'no value "totals"'),
        ("people: {who: Ada}", "people: {who: Bo}", "A1, bonus: Bo has 1, the case gives 2"),
        ("people: {who: Ada}", "people: {who: Cy}", 'nobody of the cast is called "Cy"'),
        ("people: {who: Ada}", "people: {whom: Ada}", "does not say what a character fills in here"),
        ("        people: {who: Ada}\n", "", "Ada is of the cast: say under people: what Ada does in this case"),
        ("{who: Ada}", "{who: {is: Bo, but: bonuses}}", "A1, bonuses: Bo has no such parameter"),
    ],
)
def test_a_scene_that_is_not_so_is_refused_at_its_line(project: Project, was: str, now: str, said: str) -> None:
    assert was in CHAPTER
    write(project, CHAPTER.replace(was, now))
    with pytest.raises(InputError) as caught:
        open_book(project, open_pack(project, "./mist"))
    assert said in "\n".join(map(str, caught.value.problems))


def test_a_changed_rule_changes_what_the_book_says(project: Project) -> None:
    write(project, cases=CASES.replace("[4, 3]", "[2, 3]").replace("9", "7"))
    with pytest.raises(InputError, match="so: success is false, not true"):
        open_book(project, open_pack(project, "./mist"))


def test_somebody_may_be_otherwise_for_once_if_the_example_says_so(project: Project) -> None:
    assert scene(project, CHAPTER.replace("{who: Ada}", "{who: {is: Bo, but: bonus}}").replace("**Ada**", "**Bo**"))


def test_a_case_that_names_somebody_of_the_cast_has_their_figures(project: Project) -> None:
    chapter = CHAPTER.replace("        people: {who: Ada}\n", "").replace("**Ada** rolls", "Somebody rolls")
    write(project, chapter, CASES.replace("do: attempt", "do: attempt, name: Ada"))
    with pytest.raises(InputError, match="A1 names Ada of the cast: say so with `people:`"):
        open_book(project, open_pack(project, "./mist"))


def test_each_wrong_word_of_a_hero_is_told_in_a_line_at_its_rule(project: Project) -> None:
    hero = "    hero: {seed: 1, index: 1, method: rolled, archetype: guard}\n"
    write(project, CHAPTER.replace("    examples:\n", f"{hero}    examples:\n"))
    pack = open_pack(project, "./mist")
    rulebook = open_book(project, pack)
    for make in (lambda: perform(pack, rulebook, canvas_of(pack, 300)), lambda: hero_of(pack, rulebook)):
        with pytest.raises(InputError) as caught:
            make()
        said = [str(problem) for problem in caught.value.problems]
        assert [line.partition(": ")[0] for line in said] == ["mist/rules/01-roll.yaml:6:5"] * 2
        assert [line.partition(": ")[2][:21] for line in said] == ["hero: unknown method ", "hero: unknown archety"]


@pytest.mark.parametrize(
    ("of", "said"),
    [
        ("hihg", ':5:41: faces: the pack has no value "hihg"'),
        ("named", ':5:41: faces: "six" under named is no face: write whole numbers'),
    ],
)
def test_faces_are_numbers_that_the_pack_lists(project: Project, of: str, said: str) -> None:
    write(project, CHAPTER.replace("rules:", READ.replace("of: high", f"of: {of}"), 1))
    system = project.where / "mist/system.yaml"
    system.write_text(system.read_text().replace("low: [1]", "low: [1], named: [six]"))
    with pytest.raises(InputError) as caught:
        open_book(project, open_pack(project, "./mist"))
    assert said in str(caught.value)


def test_the_key_draws_a_five_or_the_least_face(project: Project) -> None:
    chapter = CHAPTER.replace("rules:", READ.replace("of: high", "of: most"), 1)
    write(project, chapter)
    system = project.where / "mist/system.yaml"
    for listed, drawn in (("[6, 5, 4]", 5), ("[10, 6, 4]", 4)):
        system.write_text(SYSTEM.lstrip().replace("low: [1]", f"low: [1], most: {listed}"))
        pack = open_pack(project, "./mist")
        (first, *_) = ExampleTeller(pack.system, open_book(project, pack).book).key()
        assert f'aria-label="{drawn}"' in first[0]


def test_what_stands_beside_a_row_is_of_its_own_dice(project: Project) -> None:
    write(project)
    pack, here = open_pack(project, "./mist"), Place("rules/01.yaml", 1, 1)
    sums = tuple(Prose(text, here) for text in ("{thrown.sum} + {1}", "{thrown.sum}, and first {thrown.1.sum}"))
    line = ToldLine(Prose("{thrown.sum}.", here), here, (Word("first", here), Word("second", here)), results=sums)
    played = PlayedCase((Throw("first", (4, 2)), Throw("second", (6, 3))), ())
    (told,) = ExampleTeller(pack.system, open_book(project, pack).book).html(
        Scene("A1", None, here, lines=(line,)), played, {}
    )
    assert (told["html"], [row["result"] for row in told["rows"]]) == ("<p>6.</p>\n", ["6 + 1", "9, and first 6"])


def test_the_rest_are_as_many_rows_as_throws() -> None:
    here = Place("rules/01.yaml", 1, 1)
    throws = [Throw("first", (1,)), Throw("second", (2,)), Throw("third", (3,)), Throw("fourth", (4,))]
    names = tuple(Word(name, here) for name in ("first", "+ second", "the rest"))
    told = Scene("A1", None, here, lines=(ToldLine(Prose("They roll.", here), here, names),))
    (rows,) = told.shared_out(throws)
    assert [[throw.purpose for throw in row] for row in rows] == [["first", "second"], ["third"], ["fourth"]]
