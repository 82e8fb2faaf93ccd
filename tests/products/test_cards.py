"""Cards and index cards as they are printed: boxes to a tenth of a millimetre, everybody on them, nothing lost."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import pikepdf
import pymupdf
import pypdf
import pytest

from sheetgen.errors import InputError
from sheetgen.geometry import Size, mm
from sheetgen.model.character import Character
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.form_cache import sheet_form
from sheetgen.products.people.printing import write_people
from sheetgen.products.report import Report, dropped_lines
from sheetgen.products.shapes import PrintOptions, shape_named
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project

GAMES = ("gamers", "agents", "tsgs", "sixshooter", "diecodes", "genesix")
MOVE = re.compile(rb"q 1 0 0 1 (\S+) (\S+) cm\n\s*/B0 ")
CORNERS = {
    ("card", "a4"): ((9.75, 193), (63.5, 88.9)),
    ("card", "letter"): ((13.45, 183.7), (63, 88)),
    ("index", "a4"): ((21.5, 105), (127, 76.2)),
    ("index", "letter"): ((12.7, 107.95), (127, 76.2)),
}
WORDS = [f"word{at}" for at in range(400)]
LONG = "Maximiliane-Theodora von und zu Hohenlöwenstein-Wertheim III"


def printed(
    project: Project,
    pack: Pack,
    people: Iterable[Character],
    shape: str = "card",
    paper: str = "a4",
    *,
    form: str = ".pdf",
) -> tuple[bytes, Report]:
    """People in a shape, and what was told of it."""
    parts: list[bytes] = []
    report = write_people(project, pack, people, parts.append, PrintOptions(paper, shape), form=form)
    return b"".join(parts), report


def text_of(data: bytes) -> str:
    """All text of a file, its spaces and line ends made alike."""
    pages = pypdf.PdfReader(io.BytesIO(data)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).replace("\u00a0", " ").split())


def places(data: bytes, page: int = 0) -> list[tuple[float, float]]:
    """Where the backgrounds of a page's cards are moved to, in points."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        shown = b"\n".join(stream.read_bytes() for stream in pdf.pages[page].Contents)
    return [(float(x), float(y)) for x, y in MOVE.findall(shown)]


@pytest.mark.parametrize(("shape", "paper"), CORNERS)
def test_cards_stand_where_they_are_cut_to_a_tenth_of_a_millimetre(project: Project, shape: str, paper: str) -> None:
    pack = open_pack(project, "gamers")
    data, _ = printed(project, pack, roll(pack, RollOptions(seed=7, count=9)), shape, paper)
    (left, above), (width, height) = CORNERS[shape, paper]
    found = places(data)
    columns, rows = (3, 3) if shape == "card" else (2, 2)
    wanted = [(left + x * width, above - y * height) for y in range(rows) for x in range(columns)]
    assert len(found) == columns * rows
    for place, corner in zip(found, wanted, strict=True):
        assert place == pytest.approx(tuple(map(mm, corner)), abs=mm(0.1))
    shared = sheet_form(
        project, pack, paper=paper, template=shape_named(shape).template, card=shape_named(shape).card(paper)
    )  # fmt: skip
    assert shared.pages[0] == pytest.approx((mm(width), mm(height)), abs=mm(0.1))
    safe = [(mm(width) - field.border.right, field.border.x) for field in shared.fields if not field.page]
    assert min(min(pair) for pair in safe) >= mm(2.9)


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (9, 1), (10, 2), (40, 5)])
def test_nine_to_a_page(project: Project, count: int, pages: int) -> None:
    pack = open_pack(project, "gamers")
    people = list(roll(pack, RollOptions(seed=3, count=count)))
    data, report = printed(project, pack, people)
    assert report.printed == count
    assert len(pypdf.PdfReader(io.BytesIO(data)).pages) == pages
    assert sum(len(places(data, page)) for page in range(pages)) == count


@pytest.mark.parametrize("shape", ["card", "index"])
@pytest.mark.parametrize("name", GAMES)
def test_everybody_is_there_with_what_a_scene_needs(project: Project, name: str, shape: str) -> None:
    pack = open_pack(project, name)
    people = list(roll(pack, RollOptions(seed=5, count=12, archetype="guard")))
    said = text_of(printed(project, pack, people, shape)[0])
    for person in people:
        for field in ("name", "manner", "hook"):
            assert person.text(field)[1:] in said, (field, person.text("name"))


@pytest.mark.parametrize("name", GAMES)
def test_the_same_people_make_the_same_bytes(project: Project, name: str) -> None:
    pack = open_pack(project, name)
    first, second = (printed(project, pack, roll(pack, RollOptions(seed=5, count=3))) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(("shape", "paper"), CORNERS)
def test_rolled_people_of_the_first_game_need_one_card_each(project: Project, shape: str, paper: str) -> None:
    pack = open_pack(project, "gamers")
    for archetype in ("", "guard", "scholar"):
        _, report = printed(project, pack, roll(pack, RollOptions(seed=5, count=60, archetype=archetype)), shape, paper)
        assert len(report.continued) <= (2 if shape == "index" else 0)


@pytest.mark.parametrize("name", ["tsgs", "sixshooter", "diecodes"])
def test_rolled_people_of_other_games_need_one_card_each(project: Project, name: str) -> None:
    pack = open_pack(project, name)
    _, report = printed(project, pack, roll(pack, RollOptions(seed=3, count=60)))
    assert report.continued == []
    assert len(report.dropped) < 30
    assert set(report.short_of) <= {"Belongings", "Gear", "Says", "Pronouns and age"}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("shape", ["card", "index"])
def test_every_card_says_what_somebody_wants_and_whose_has_no_room_for_it_loses_belongings(
    project: Project, name: str, shape: str
) -> None:
    pack = open_pack(project, name)
    people = list(roll(pack, RollOptions(seed=11, count=24)))
    data, report = printed(project, pack, people, shape)
    said = " ".join(text_of(data).replace("\u00a0", " ").split())
    assert [each.text("name") for each in people if each.text("want")[1:] not in said] == []
    assert report.continued == []
    assert report.short_of["Says"] <= 2


def hostile(pack: Pack) -> Sequence[Character]:
    """People who say far too much, or hardly anything."""
    skills = {trait.name: 1 + at % 3 for at, trait in enumerate(pack.system.group("skills").members)}
    return [
        Character("gamers", {"name": LONG, "skills": skills, "occupation": "deputy harbour inspector " * 3}),
        Character("gamers", {"name": "Bo"}),
        Character(
            "gamers", {"name": "Ωμέγα Παπαδόπουλος", "occupation": "φρουρός", "hook": "Κανείς δεν τη θυμάται πια."}
        ),
        Character("gamers", {"name": "Володимир Київський", "manner": "мовчить", "hook": "Бачив, хто спалив міст."}),
        Character("gamers", {"name": "Łódź Żółć Ñandú Þór", "notes": " ".join(WORDS)}),
        Character("gamers", {"name": "W" * 60, "hook": "V" * 900}),
    ]


@pytest.mark.parametrize(("shape", "paper"), CORNERS)
def test_nothing_is_lost_of_people_who_say_too_much(project: Project, shape: str, paper: str) -> None:
    pack = open_pack(project, "gamers")
    people = hostile(pack)
    data, report = printed(project, pack, people, shape, paper)
    assert report.skipped == []
    assert {line.partition(":")[0] for line in report.continued} == {people[4].text("name"), "W" * 60}
    assert all("continued on a card of its own" in line for line in report.continued)
    said = text_of(data)
    for skill, level in people[0].numbers("skills").items():
        assert f"{skill} {level}" in said or (skill in said and f"t {level}: " in said)
    for words in ("Ωμέγα Παπαδόπουλος", "Φρουρός", "Κανείς δεν", "Володимир Київський", "Мовчить", "спалив міст", LONG):
        assert words in said
    counted = Counter(said.replace("…", " ").split())
    assert all(counted[word] == 1 or word == WORDS[0] for word in WORDS)
    assert said.replace(" ", "").replace("…", "").count("V") >= 900


@pytest.mark.parametrize("name", GAMES)
def test_a_few_things_without_room_are_counted_on_the_card_and_named_in_the_run(project: Project, name: str) -> None:
    """Each thing is either on the card or named, and a card is full before it counts."""
    pack, counted = open_pack(project, name), []
    for count in range(30, 74, 4):
        things = tuple(f"thing {at} of a heap" for at in range(1, count + 1))
        data, report = printed(project, pack, [Character(name, {"name": "Bo", "gear": things})])
        said = " ".join(text_of(data).replace("\u00a0", " ").split())
        for told in report.dropped:
            assert re.match(r"Bo: no room on the card for (Belongings|Gear) \(thing ", told)
            left = told.partition(" (")[2].removesuffix(")").split(" · ")
            assert f"and {len(left)} more" in said
            assert [thing for thing in things if thing[1:] not in said] == left
            counted.append(len(left))
        assert report.dropped or all(thing[1:] in said for thing in things)
    assert counted
    assert max(counted) < 10


def test_an_index_card_of_somebody_with_little_to_tell_is_ruled_for_notes(project: Project) -> None:
    """There was once nothing but white between a story and what stands at the foot, and nowhere to write."""
    for name in ("genesix", "sixshooter", "chalkdown"):
        pack = open_pack(project, name)
        (person,) = roll(pack, RollOptions(seed=8))
        told = {field: value for field, value in person.values.items() if field not in ("manner", "voice", "gear")}
        data, _ = printed(project, pack, [Character(name, {**told, "gear": ("a cup",)})], "index")
        assert "Notes" in text_of(data), name


@pytest.mark.parametrize("name", GAMES)
def test_many_things_without_room_stand_whole_on_a_card_of_their_own(project: Project, name: str) -> None:
    """Of forty things 32 once stood nowhere, while a long story got a card."""
    things = tuple(f"thing {at} of a heap" for at in range(1, 81))
    data, report = printed(project, open_pack(project, name), [Character(name, {"name": "Bo", "gear": things})])
    assert (report.dropped, len(report.continued)) == ([], 1)
    assert re.fullmatch(r"Bo: (Belongings|Gear) continued on a card of its own", report.continued[0])
    said = " ".join(text_of(data).replace("\u00a0", " ").split())
    assert re.search(r"and \d\d more » next card", said)
    assert [thing for thing in things if thing[1:] not in said] == []


@pytest.mark.parametrize("name", ["gamers", "tsgs", "genesix"])
def test_who_has_a_second_card_anyway_has_all_that_was_cut_there(project: Project, name: str) -> None:
    """“Tram tickets and 3 more” once stood before a card that was nearly empty and never named the three."""
    things = tuple(f"thing {at} of a heap" for at in range(1, 9))
    story = "; ".join(["owes money to a woman who has changed names three times since she lent it"] * 14)
    values = {"name": "Bo", "gear": things, "hook": story, "voice": "That is what they all say. " * 3}
    data, report = printed(project, open_pack(project, name), [Character(name, values)])
    assert report.dropped == []
    said = " ".join(text_of(data).replace("\u00a0", " ").split())
    assert [thing for thing in things if thing[1:] not in said] == []
    assert "it; » next card" in said
    assert said.count("That is what they all say. That is what they all say. That is what they all say.") == 1
    with pymupdf.open(stream=data) as pdf:
        words = [
            (span["font"], round(span["size"]))
            for page in pdf
            for block in page.get_text("dict")["blocks"]
            for line in block.get("lines", [])
            for span in line["spans"]
            if "changed names" in span["text"]
        ]
    assert len(set(words)) == 1


def test_up_to_twenty_people_are_told_what_their_cards_lack_and_more_are_counted() -> None:
    lines = [f"Bo {at}: no room on the card for rope" for at in range(1, 22)]
    parts = Counter({"Belongings": 19, "Specialties": 2})
    assert dropped_lines(Report(dropped=lines[:20], short_of=parts)) == lines[:20]
    assert dropped_lines(Report(dropped=lines, short_of=parts)) == [
        "21 people, Bo 1 first: no room on the card for part of Belongings (19), Specialties (2)"
    ]


def test_a_card_whose_template_is_too_high_is_refused(project: Project) -> None:
    pack = open_pack(project, "tsgs")
    with pytest.raises(InputError, match="is higher than a card of 127 × 60 mm"):
        sheet_form(project, pack, paper="a4", template="index.html", card=Size(127, 60))


def test_cards_on_a_web_page_say_the_same(project: Project) -> None:
    pack = open_pack(project, "gamers")
    people = list(roll(pack, RollOptions(seed=5, count=3)))
    page = printed(project, pack, people, form=".html")[0].decode()
    assert page.count('<section class="card">') == 3
    assert all(person.text("name") in page for person in people)


def test_a_card_names_the_end_of_a_fight_and_who_notices_first(project: Project) -> None:
    """“Out” had no box, a Lookout nobody had raised stood nowhere, and what the fight tells stood there twice."""
    pack = open_pack(project, "diecodes")
    values = {"name": "Bo", "gear": ("meat cleaver",), "stats": {"Dexterity": 9, "Perception": 11, "Strength": 6}}
    one = Character("diecodes", {**values, "skills": {"melee": 12, "dodge": 12, "driving": 12}})
    for shape in ("card", "index"):
        said = text_of(printed(project, pack, [one], shape)[0])
        assert "wounded stunned down" in said
        assert re.search(r"(?i)lookout", said)
        assert "3d+2" in said.replace("Perception 3d+2", "", 1)
        assert ("Driving 4d" in said, said.lower().count("dodge 4d"), said.lower().count("melee")) == (True, 1, 2)


@pytest.mark.parametrize("seed", [3, 7])
def test_every_operator_has_an_age_on_their_card(project: Project, seed: int) -> None:
    """A descriptor and a trade leave no room behind them, while there was some below."""
    pack = open_pack(project, "sixshooter")
    _, report = printed(project, pack, roll(pack, RollOptions(seed=seed, count=60)))
    assert not any("Pronouns and age" in told for told in report.dropped)


def test_a_card_has_a_row_for_each_weapon_and_one_name_for_each_figure(project: Project) -> None:
    pack = open_pack(project, "tsgs")
    *_, one = roll(pack, RollOptions(seed=7, count=8))
    for shape in ("card", "index"):
        said = text_of(printed(project, pack, [one], shape)[0])
        assert all(f"{weapon} " in said for weapon in ("Felling axe", "Sling", "Cudgel"))
        assert "Bare hands" not in said  # which leave their row to the third that was learnt
        fewer = Character("tsgs", {**one.values, "gear": ("felling axe", "sling")})
        said = text_of(printed(project, pack, [fewer], shape)[0])
        assert re.search("Felling axe.*Sling" + ".*Bare hands" * (shape == "index"), said)
        assert ("Bare hands" in said) == (shape == "index")  # a small card has no room for what everybody has
        assert "INITIATIVE" in said
        assert not re.search(r"FIRST|TENDS|OR DEFEND", said)


def test_the_hint_below_the_letters_holds_for_mind_and_body(project: Project) -> None:
    """Three mental attributes at zero are no death (`GAM-223`), and each three are counted alone (`GAM-Q59`)."""
    said = text_of(printed(project, open_pack(project, "gamers"), [Character("gamers", {"name": "Bo"})], "index")[0])
    assert "grey: mind · at 0: 1 out, 2 wounded, 3 disabled or dead" in said


def test_an_index_card_is_used_down_to_its_safe_edge(project: Project) -> None:
    """Headings a line high and a millimetre below the last one once cut the belongings of every third person."""
    pack = open_pack(project, "gamers")
    form = sheet_form(project, pack, paper="a4", template="index.html", card=Size(127, 76.2))
    for column in {field.column for field in form.fields if field.column}:
        bottom = min(field.box.y for field in form.fields if field.column == column and field.kind == "area")
        assert mm(2.9) <= bottom <= mm(3.2 if column == "right" else 6.8)  # the left one ends above the seed
    _, report = printed(project, pack, roll(pack, RollOptions(seed=3, count=80)), "index")
    assert len(report.dropped) < 20


def test_three_languages_stand_whole_on_an_index_card(project: Project) -> None:
    """The third was once parted from its level and got a card of its own."""
    pack = open_pack(project, "heroic")
    person = next(iter(roll(pack, RollOptions(seed=11, count=1))))
    data, report = printed(project, pack, [person], "index")
    assert report.continued == []
    assert "Marsh Talk 1" in text_of(data)


def squares(data: bytes, side: float) -> list[pymupdf.Rect]:
    """The drawn squares of the first page that are so many millimetres wide."""
    with pymupdf.open(stream=data) as pdf:
        drawn = [drawing["items"] for drawing in pdf[0].get_drawings() if drawing["type"] == "s"]
    found = [item[1] for items in drawn for item in items if item[0] == "re"]
    return [rect for rect in found if abs(rect.width - mm(side)) < 0.1 and abs(rect.height - mm(side)) < 0.1]


@pytest.mark.parametrize("shape", ["card", "index", "tarot"])
@pytest.mark.parametrize("count", [3, 10, 18, 30])
def test_boxes_to_mark_are_drawn_large_enough_for_a_pencil(project: Project, shape: str, count: int) -> None:
    """They were letters of a font, 2.8 mm wide with a shadow and 0.3 mm apart."""
    one = Character("slackwater", {"name": "Ada", "does": "ring the bell", "grip": {"Grip": count}})
    data, report = printed(project, open_pack(project, "slackwater"), [one], shape)
    assert (report.dropped, report.continued) == ([], [])
    assert not re.search("[\u2610\u2750]", text_of(data))
    drawn = squares(data, 4)
    assert len(drawn) == count
    edges = sorted(drawn, key=lambda rect: (rect.y0, rect.x0))
    for one_box, next_box in pairwise(edges):
        beside = abs(one_box.y0 - next_box.y0) < 0.1
        assert next_box.x0 - one_box.x1 >= mm(1.4) if beside else next_box.y0 - one_box.y1 >= mm(1)


def words_of(data: bytes) -> dict[str, pymupdf.Rect]:
    """Where the first of each word of the first page stands."""
    with pymupdf.open(stream=data) as pdf:
        return {word[4]: pymupdf.Rect(word[:4]) for word in reversed(pdf[0].get_text("words"))}


def test_armour_stands_below_the_last_weapon_and_nobody_loses_what_they_say(project: Project) -> None:
    """Below two empty rows it left no room for the line that is read aloud, and that was dropped."""
    pack = open_pack(project, "spacer")
    people = [each for each in roll(pack, RollOptions(seed=4, count=80)) if each.text("voice")]
    for shape in ("card", "index"):
        _, report = printed(project, pack, people, shape)
        assert not any("Says" in told for told in (*report.dropped, *report.continued, *report.short_of))
    worn = Character("spacer", {"name": "Bo", "gear": ("hard vacuum suit", "tin cup"), "voice": "Mind the door."})
    for shape in ("card", "index"):
        placed = words_of(printed(project, pack, [worn], shape)[0])
        assert 0 < placed["vacuum"].y0 - placed["hands"].y0 < mm(4.9)


def test_belongings_without_room_stand_in_the_other_column(project: Project) -> None:
    """The right half of an index card was cut while 10 mm of the left one stood empty."""
    things = tuple(f"thing {at} of a heap that is long" for at in range(1, 11))
    people = {f"somebody {at} of a family": 1 for at in range(1, 4)}
    skills = {"Fire": 1, "Search": 2, "Writing": 3, "Melee": 2, "Stealth": 2, "Acting": 3, "Survival": 2, "Hunting": 3}
    values = {
        "name": "Bo",
        "gear": things,
        "people": people,
        "skills": skills,
        "voice": "Mind the door.",
        "want": "Go.",
    }
    story = "owes money to a woman who has changed names three times since she lent it"
    one = Character("gamers", {**values, "hook": story})
    data, report = printed(project, open_pack(project, "gamers"), [one], "index")
    assert (report.dropped, report.continued) == ([], [])
    placed = words_of(data)
    assert max(placed["Belongings"].x0, placed["People"].x0) > placed["Wants:"].x0


@pytest.mark.parametrize("name", [*GAMES, "slackwater", "chalkdown"])
@pytest.mark.parametrize("shape", ["card", "index"])
def test_wish_quotation_and_story_stand_before_belongings(project: Project, name: str, shape: str) -> None:
    """Who picked up a card found what somebody wants at its foot."""
    told = {"want": "zwant it.", "voice": "zsays it.", "hook": "zstory it", "gear": ("zthing",)}
    data, _ = printed(project, open_pack(project, name), [Character(name, {"name": "Bo", **told})], shape)
    placed = words_of(data)
    order = [placed[next(word for word in placed if what in word.casefold())].y0 for what in ("zwant", "zsays")]
    story, thing = (placed[next(word for word in placed if what in word.casefold())] for what in ("zstory", "zthing"))
    assert order == sorted(order) or name in ("gamers", "agents")  # there they say it in the other column
    assert order[0] < story.y0
    assert shape == "index" or order[1] < story.y0 < thing.y0


def test_numbers_and_empty_boxes_of_a_card_say_what_they_are(project: Project) -> None:
    """Four numbers without a word were what others roll, and six boxes under letters were for injury."""
    for shape in ("card", "index"):
        said = text_of(printed(project, open_pack(project, "sixshooter"), [Character("sixshooter", {})], shape)[0])
        for words in ("TO BEAT THEM, ROLL AT LEAST", "LUCKY NUMBER", "HAND 1", "STRIKES", "+1 +2 out"):
            assert words in said
        assert "CN +" not in said
        said = text_of(printed(project, open_pack(project, "fright"), [Character("fright", {})], shape)[0])
        assert "NOW" in said
        assert ("grey" in said, "wounded" in said) == (shape == "index",) * 2  # a small card has no room for the rule


@pytest.mark.parametrize("name", [*GAMES, "slackwater", "chalkdown"])
def test_the_seed_stands_at_the_foot_of_an_index_card(project: Project, name: str) -> None:
    """It stood beside the trade, in the head of the card."""
    pack = open_pack(project, name)
    data, _ = printed(project, pack, roll(pack, RollOptions(seed=9, count=1)), "index")
    with pymupdf.open(stream=data) as pdf:
        (seed, *_) = pdf[0].search_for("seed 9")
        top = min(mark["rect"].y0 for mark in pdf[0].get_drawings() if mark["rect"].width > mm(100))
    assert seed.y0 - top > mm(55)


def test_nobody_of_the_people_of_an_index_card_is_parted_from_their_share(project: Project) -> None:
    """A list of people that found no room ended “old dancing and 1 more”: it is belongings that yield."""
    pack = open_pack(project, "gamers")
    people = list(roll(pack, RollOptions(seed=79, count=40)))
    _, report = printed(project, pack, people, "index")
    assert not any("shares" in told for told in (*report.dropped, *report.continued, *report.short_of))


@pytest.mark.parametrize("name", [*GAMES, "slackwater", "chalkdown"])
def test_what_somebody_wants_stands_before_their_numbers_and_nothing_touches_the_seed(
    project: Project, name: str
) -> None:
    """A GM reads name, trade, want and line; the last belongings stood a hair above the seed."""
    pack = open_pack(project, name)
    (one,) = roll(pack, RollOptions(seed=3, count=1))
    data, _ = printed(project, pack, [one])
    with pymupdf.open(stream=data) as pdf:
        words = [word for word in pdf[0].get_text("words") if word[0] < mm(73)]
        lines = [line["rect"].y0 for line in pdf[0].get_drawings() if line["type"] == "s" and line["rect"].x0 < mm(70)]
    seed = next(word for word in words if word[4] == "seed")
    want = next(word for word in words if word[4] == "Wants:")
    assert want[1] < min(y for y in lines if y > mm(30))
    above = [word for word in words if word[0] < mm(35)]  # Lookout stands beside it
    assert all(word[3] <= seed[1] + 0.6 or word[1] >= seed[1] - 0.6 for word in above)


def sizes_of(data: bytes) -> dict[str, set[float]]:
    """The sizes of lines by the word that they begin with."""
    found: dict[str, set[float]] = {}
    with pymupdf.open(stream=data) as pdf:
        lines = (line for page in pdf for block in page.get_text("dict")["blocks"] for line in block.get("lines", []))
        for span in (span for line in lines for span in line["spans"]):
            word = span["text"].partition(" ")[0].strip("“").casefold()
            found.setdefault(word, set()).add(round(span["size"], 1))
    return found


@pytest.mark.parametrize("name", [*GAMES, "slackwater", "chalkdown"])
@pytest.mark.parametrize("shape", ["card", "index", "tarot"])
def test_what_people_want_and_say_has_one_size_on_all_cards_of_a_run(project: Project, name: str, shape: str) -> None:
    """Each card once set its texts as large as it had room for, so that no two neighbours were alike."""
    much = {"want": "zwant it. " * 3, "voice": "zsays it. " * 8, "hook": "zstory it. " * 14, "gear": ("thing",) * 6}
    people = [Character(name, {"name": "Bo", "want": "zwant it.", "voice": "zsays it.", "hook": "zstory it"})]
    data, _ = printed(project, open_pack(project, name), [*people, Character(name, {"name": "Ada", **much})], shape)
    sizes = sizes_of(data)
    assert [len(sizes[word]) for word in ("wants:", "zsays", "zstory")] == [1, 1, 1]


@pytest.mark.parametrize("shape", ["card", "index"])
def test_numbers_of_a_fight_stand_apart(project: Project, shape: str) -> None:
    """Attack and injury read as one number, `2d6+1 1d6`."""
    one = Character("gamers", {"name": "Bo", "skills": {"Brawling": 1}, "attributes": {"Strength": 12}})
    data, _ = printed(project, open_pack(project, "gamers"), [one], shape)
    with pymupdf.open(stream=data) as pdf:
        words = [word for word in pdf[0].get_text("words") if word[4].startswith(("2d6", "1d6", "ATTACK", "INJURY"))]
    placed = {word[4].partition("+")[0]: word for word in words}
    assert placed["1d6"][0] - placed["2d6"][2] >= mm(2.5)
    assert abs(placed["1d6"][0] - placed["INJURY"][0]) < mm(0.8)
    assert abs(placed["2d6"][0] - placed["ATTACK"][0]) < mm(0.8)


def test_only_the_seed_stands_at_the_foot_of_a_card(project: Project) -> None:
    """Lookout of Die Codes stood beside it."""
    data, _ = printed(project, open_pack(project, "diecodes"), [Character("diecodes", {"name": "Bo"})])
    with pymupdf.open(stream=data) as pdf:
        words = [word for word in pdf[0].get_text("words") if word[0] < mm(73)]
    lookout = next(word for word in words if word[4] == "LOOKOUT")
    assert lookout[3] < next(word for word in words if word[4] == "wounded")[1]


def test_what_money_adds_stands_beside_its_word_and_is_no_sum(project: Project) -> None:
    """It stood between two columns, and then below Strength, as if it were added to that."""
    one = Character("genesix", {"name": "Bo", "attributes": {"Monetary": 3}})
    for shape in ("card", "index"):
        placed = words_of(printed(project, open_pack(project, "genesix"), [one], shape)[0])
        word, adds, harm = placed["adds"], placed["+3"], placed["Takes"]
        assert word.x1 < adds.x0 < word.x1 + mm(5)
        assert adds.x1 + mm(5) < harm.x0


def test_wounds_stand_at_one_height_on_all_index_cards_of_a_run(project: Project) -> None:
    """They dropped by 15 mm where belongings had moved to the other half."""
    pack = open_pack(project, "chalkdown")
    data, _ = printed(project, pack, roll(pack, RollOptions(seed=5, count=4)), "index")
    with pymupdf.open(stream=data) as pdf:
        tops = sorted(found.y0 for found in pdf[0].search_for("WOUNDS"))
    assert tops == pytest.approx([tops[0], tops[0], tops[0] + mm(76.2), tops[0] + mm(76.2)], abs=0.1)
