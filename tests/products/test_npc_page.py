"""NPC pages: two people to a page, what a GM needs of each, and nothing for what somebody lacks."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from fractions import Fraction

import pymupdf
import pytest

from sheetgen.documents.people.npc_page import npc_page_values, odds_of
from sheetgen.geometry import mm
from sheetgen.model.character import Character
from sheetgen.pdf.form.compile import compile_form
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.products.form_cache import sheet_html, use_bundled_fonts
from sheetgen.products.people.printing import write_people
from sheetgen.products.report import Report
from sheetgen.products.shapes import NPC_PAGE, PrintOptions
from sheetgen.rules.registry import engine_of
from sheetgen.workspace.packs import Pack, open_pack, template_root
from sheetgen.workspace.project import Project

GAMES = ("gamers", "tsgs", "sixshooter", "diecodes", "genesix")
SKINS = ("agents", "fright", "heroic", "spacer", "waster")
SKILL_ROW = re.compile(r"stack\.skills\.(?!1$)\d+")
HURT = re.compile(r"(MIND|BODY) ([A-Z] [A-Z] [A-Z])")
BEASTS = (("tsgs", "zombie"), ("tsgs", "young dragon"), ("diecodes", "ash bear"), ("genesix", "beast"))


def printed(project: Project, pack: Pack, run: RollOptions, paper: str = "a4") -> tuple[list[str], Report]:
    """The text of each half, and what was told of the run."""
    parts: list[bytes] = []
    report = write_people(project, pack, roll(pack, run), parts.append, PrintOptions(paper, "npc"), form=".pdf")
    halves = []
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
        for page in document:
            middle = page.rect.height / 2
            for clip in (pymupdf.Rect(0, 0, page.rect.width, middle), pymupdf.Rect(0, middle, *page.rect.br)):
                halves.append(" ".join(page.get_text(clip=clip).replace("\u00a0", " ").split()))
    return halves, report


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAMES)
def test_each_half_is_somebody_to_play(project: Project, game: str, paper: str) -> None:
    pack = open_pack(project, game)
    run = RollOptions(seed=7, count=5)
    halves, report = printed(project, pack, run, paper)
    assert (report.printed, report.continued, len(halves)) == (5, [], 6)
    for number, (person, half) in enumerate(zip(roll(pack, run), halves, strict=False)):
        for field in ("name", "occupation", "manner", "hook", "want", "voice", "age"):
            assert person.text(field) in half, field
        for thing in person.lines("gear"):
            assert thing.casefold() in half.casefold()
        assert all(who.split(",")[0] in half for who in person.numbers("people"))
        assert (f"page {number // 2 + 1} of 3" in half) == (number % 2 == 0)  # once for both halves
        assert f"seed 7 · no. {number + 1}" in half
        assert pack.system.credit.split()[-1] in half
        assert re.search(r"\d%", half)
        assert "NOTES" in half
    assert halves[5] == ""


@pytest.mark.parametrize("skin", SKINS)
def test_skins_have_them_too(project: Project, skin: str) -> None:
    halves, report = printed(project, open_pack(project, skin), RollOptions(seed=7, count=2))
    assert report.continued == []
    assert all(open_pack(project, skin).system.title in half for half in halves)


@pytest.mark.parametrize("skin", ["gamers", *SKINS])
def test_a_track_of_injuries_names_the_letters_that_it_counts(project: Project, skin: str) -> None:
    pack = open_pack(project, skin)
    (half, _), _ = printed(project, pack, RollOptions(seed=7, count=1))
    kinds = {"MIND": "mental", "BODY": "physical"}
    traits = pack.system.group("attributes").members
    assert dict(HURT.findall(half)) == {
        word: " ".join(trait.name[0] for trait in traits if trait.kind == kind) for word, kind in kinds.items()
    }


@pytest.mark.parametrize("skin", SKINS)
def test_every_place_of_an_npc_page_stands_within_its_margins(project: Project, skin: str) -> None:
    """The page is 186 mm wide, in the middle of its paper."""
    pack, card = open_pack(project, skin), NPC_PAGE.cards["a4"]
    use_bundled_fonts(project)
    html = sheet_html(project, pack, paper="a4", template=NPC_PAGE.template, card=card)
    form = compile_form(html, root=template_root(project, pack), name=skin)
    right = mm(card.width / 2 + 93.2)
    assert [field.name for field in form.fields if field.page == 0 and field.border.right > right] == []


@pytest.mark.parametrize(("game", "archetype"), BEASTS)
def test_monsters_have_no_label_for_what_they_lack(project: Project, game: str, archetype: str) -> None:
    pack = open_pack(project, game)
    halves, report = printed(project, pack, RollOptions(seed=7, count=2, archetype=archetype))
    assert report.continued == []
    for person, half in zip(roll(pack, RollOptions(seed=7, count=2, archetype=archetype)), halves, strict=True):
        assert not {"age", "pronouns"} & person.values.keys()
        assert ("WANTS FROM YOU" in half) == ("want" in person.values)
        assert ("“" in half.replace(" ".join(pack.system.credit.split()), "")) == ("voice" in person.values)
        assert (f"{archetype} · seed 7" in half, "Seed and number" in half) == (True, False)
        skilled = [name for name, level in person.numbers("skills").items() if level]
        assert ("Skills" in half) == bool(skilled)


def test_the_likeliest_attack_comes_first_with_the_odds_of_the_game(project: Project) -> None:
    """2d6 + 3 against 2d6 wins 493 times of 648, as `sheetgen odds gamers attack` says."""
    pack = open_pack(project, "gamers")
    rows = pack.system.npc_page.attacks if pack.system.npc_page else None
    assert rows is not None
    against = odds_of(pack.system).against(rows.chances, 1, {"arms.1.adds": "3"})
    assert against[0] == ("defence 0", Fraction(493, 648))
    assert [round(100 * chance) for _, chance in against] == [76, 66, 56, 44]


def test_what_cannot_be_asked_has_no_chance(project: Project) -> None:
    pack = open_pack(project, "gamers")
    rows = pack.system.npc_page.attacks if pack.system.npc_page else None
    assert rows is not None
    assert odds_of(pack.system).against(rows.chances, 1, {}) == ()


def test_odds_are_kept_between_runs_and_change_no_byte(project: Project) -> None:
    pack = open_pack(project, "tsgs")
    first = printed(project, pack, RollOptions(seed=5, count=3))
    assert list(project.cache.rglob("*.tsgs.odds.json"))
    assert printed(project, open_pack(project, "tsgs"), RollOptions(seed=5, count=3)) == first


def test_two_files_make_the_same_bytes_with_any_number_of_workers(project: Project) -> None:
    pack = open_pack(project, "gamers")
    made = []
    for workers in (1, 2):
        parts: list[bytes] = []
        people = roll(pack, RollOptions(seed=7, count=120))
        write_people(project, pack, people, parts.append, PrintOptions("a4", "npc", workers=workers), form=".pdf")
        made.append(b"".join(parts))
    assert made[0] == made[1]


def test_a_web_page_tells_the_same(project: Project) -> None:
    pack = open_pack(project, "gamers")
    (person,) = roll(pack, RollOptions(seed=7, count=1))
    parts: list[bytes] = []
    write_people(project, pack, [person], parts.append, PrintOptions("a4", "npc"), form=".html")
    page = b"".join(parts).decode().replace("\u00a0", " ")
    for field in ("name", "want", "manner", "voice"):
        assert person.text(field) in page
    assert "44%" in page


def test_who_has_no_traits_has_no_empty_strip_for_them(project: Project) -> None:
    """People of Slackwater have a Grip and what they do: that begins right below what is told of them."""
    parts: list[bytes] = []
    pack = open_pack(project, "slackwater")
    write_people(
        project, pack, roll(pack, RollOptions(seed=11, count=1)), parts.append, PrintOptions("a4", "npc"), form=".pdf"
    )
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
        (story,), (does,) = pdf[0].search_for("STORY"), pdf[0].search_for("What they do")
    assert does.y0 - story.y0 < mm(24)


def test_a_long_will_stands_whole_under_the_name_that_the_game_gives_it(project: Project) -> None:
    pack = open_pack(project, "slackwater")
    (person,) = roll(pack, RollOptions(seed=11, count=1))
    does = "fetch the harbourmaster, and the curate, and come back with both of them and a bill for the candle"
    parts: list[bytes] = []
    told = replace(person, values={**person.values, "does": does})
    report = write_people(project, pack, [told], parts.append, PrintOptions("a4", "npc"), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
        said = " ".join(pdf[0].get_text().split())
    assert (said.count("What they do"), "Best attack" in said, does[1:] in said) == (1, False, True)
    assert report.continued == []


def test_bonds_that_are_sentences_have_no_dots_between_them(project: Project) -> None:
    pack = open_pack(project, "slackwater")
    people = roll(pack, RollOptions(seed=3, count=2, method="player"))
    parts: list[bytes] = []
    write_people(project, pack, people, parts.append, PrintOptions("a4", "npc"), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
        said = " ".join(pdf[0].get_text().replace("\u00a0", " ").split())
    assert "Bonds" in said
    assert ". ·" not in said


def test_who_has_no_attack_has_what_they_have_learnt_in_its_place(project: Project) -> None:
    pack = open_pack(project, "slackwater")
    hints = {trait.name: trait.hint for trait in pack.system.group("moves").members}
    run = RollOptions(seed=4, count=2, archetype="pilot")
    for half, person in zip(printed(project, pack, run)[0], roll(pack, run), strict=True):
        moves = [name for name, level in person.numbers("moves").items() if level]
        assert moves
        assert half.count("Moves") == 1
        assert [f"{name} {hints[name]}" in half for name in moves] == [True] * len(moves), half
        assert person.text("taken") in half


def test_who_is_written_down_with_a_name_alone_has_lines_for_what_they_want(project: Project) -> None:
    pack = open_pack(project, "gamers")
    for told, count in (({}, 3), ({"hook": "Has a secret."}, 0)):
        parts: list[bytes] = []
        who = [Character("gamers", {"name": "Ada", **told})]
        write_people(project, pack, who, parts.append, PrintOptions("a4", "npc"), form=".pdf")
        with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
            rules = {round(each["rect"].y0) for each in pdf[0].get_drawings() if mm(105) < each["rect"].width < mm(111)}
            assert (len(rules), "WANTS FROM YOU" in pdf[0].get_text()) == (count, bool(count))


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", GAMES)
def test_a_story_as_long_as_may_be_stays_on_the_half_page(project: Project, game: str, paper: str) -> None:
    """Where no column has room for all of it, it stands above the lines for notes."""
    pack = open_pack(project, game)
    (person,) = roll(pack, RollOptions(seed=7, count=1))
    longest = next(spec.longest for spec in pack.system.fields if spec.name == "hook")
    story = ("Keeps the register of the drowned, and has found a name in it. " * 9)[:longest].rpartition(" ")[0]
    told = replace(person, values={**person.values, "hook": story})
    parts: list[bytes] = []
    report = write_people(project, pack, [told], parts.append, PrintOptions(paper, "npc"), form=".pdf")
    assert report.continued == []
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as pdf:
        assert story in " ".join(pdf[0].get_text().split())


def test_what_somebody_does_without_odds_is_set_large_with_boxes_to_mark(project: Project) -> None:
    """Whoever lives in Penny Staithe has a Grip to mark, and a will that is wrapped, in one size for all."""
    pack = open_pack(project, "slackwater")
    people = list(roll(pack, RollOptions(seed=31, count=6)))
    sizes = set()
    for words, person in zip(words_of(project, pack, people), people, strict=True):
        will = person.text("does").split()[-1]
        sizes |= {round(size, 1) for word, size in words if word == will and size > 12}
        assert "loosens" in [word for word, _ in words]
    assert sizes == {16.0}
    for person in people:
        with pymupdf.open("pdf", io.BytesIO(printed_bytes(project, pack, [person]))) as pdf:
            assert [round(side, 1) for side in squares_of(pdf[0])] == [5.0] * person.numbers("grip")["Grip"]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("skin", ["gamers", "fright"])
def test_many_skills_of_one_level_stand_two_to_a_line(project: Project, skin: str, paper: str) -> None:
    """None is run in with others, as a paragraph in a narrow column, and each line says how likely they are."""
    pack = open_pack(project, skin)
    people = list(roll(pack, RollOptions(seed=7, count=24)))
    halves, report = printed(project, pack, RollOptions(seed=7, count=24), paper)
    assert [told for told in report.continued if "Skills" in told] == []
    assert max(len(person.numbers("skills")) for person in people) > 8
    for half, person in zip(halves, people, strict=True):
        skills = person.numbers("skills")
        assert all(name.split()[-1] in half for name in skills)
        told = npc_page_values(pack.system, person, engine_of(pack.system).figures(pack.system, person))
        rows = [name for name in told if SKILL_ROW.fullmatch(name)]
        assert [f"{name}.chance" in told for name in rows] == [True] * len(rows)
        assert max(told[f"{name}.name"].count(", ") for name in rows) < 2, half
        assert half.count("%") == sum(".chance" in name for name in told)


def test_a_quotation_within_what_somebody_says_has_single_quotes(project: Project) -> None:
    pack = open_pack(project, "slackwater")
    ada = Character("slackwater", {"name": "Ada", "voice": "“Return to the galley.” She looked me in the eye."})
    told = npc_page_values(pack.system, ada, engine_of(pack.system).figures(pack.system, ada))
    assert "‘Return to the galley.’ She looked me in the eye.”" in told.values()


@pytest.mark.parametrize("skin", ["agents", "fright"])
def test_three_lines_that_somebody_says_keep_off_the_boxes_below(project: Project, skin: str) -> None:
    pack = open_pack(project, skin)
    parts: list[bytes] = []
    said = "I held it as long as anybody could, and then the lamps along the quay came on, one after another."
    who = Character(skin, {"name": "Ada", "voice": said})
    write_people(project, pack, [who], parts.append, PrintOptions("a4", "npc"), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
        words = document[0].get_text("words")
    last = next(word[3] for word in words if word[4].startswith("another."))
    track = min(word[1] for word in words if word[4] in ("COVER", "DREAD"))
    assert track - last >= mm(0.5)  # from line to line; the letters themselves are further apart


def printed_bytes(project: Project, pack: Pack, people: list[Character]) -> bytes:
    parts: list[bytes] = []
    write_people(project, pack, people, parts.append, PrintOptions("a4", "npc"), form=".pdf")
    return b"".join(parts)


def squares_of(page: pymupdf.Page) -> list[float]:
    """The sides in mm of the squares that are drawn for a pencil, in reading order."""
    found = [item[1] for each in page.get_drawings() if not each["fill"] for item in each["items"] if item[0] == "re"]
    return [rect.width / mm(1) for rect in found if abs(rect.width - rect.height) < 0.1 and rect.width > mm(2)]


def words_of(project: Project, pack: Pack, people: list[Character]) -> list[list[tuple[str, float]]]:
    """The words on each half with the size of their letters, in points."""
    parts: list[bytes] = []
    write_people(project, pack, people, parts.append, PrintOptions("a4", "npc"), form=".pdf")
    halves = []
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
        for page in document:
            lower: list[tuple[str, float]] = []
            upper: list[tuple[str, float]] = []
            spans = [s for b in page.get_text("dict")["blocks"] for line in b["lines"] for s in line["spans"]]
            for span in spans:
                half = upper if span["bbox"][1] < page.rect.height / 2 else lower
                half += [(word, span["size"]) for word in span["text"].replace("\u00a0", " ").split()]
            halves += [upper, lower]
    return halves


def test_pronouns_and_age_stand_right_below_the_name_where_the_head_has_no_room(project: Project) -> None:
    """Above what somebody says they read like the name of whoever is quoted."""
    system = open_pack(project, "genesix").system
    made = {"name": "Ana", "occupation": "park ranger", "pronouns": "she", "age": "old, " * 40, "voice": "Here."}
    told = npc_page_values(system, Character("genesix", made), {})
    assert (told["stack.lead.1"], told["stack.voice.1"]) == ("about", "voice")
    assert told["stack.lead.1.text"].startswith("she, old")


def test_a_trade_that_the_name_tells_is_not_told_again(project: Project) -> None:
    system = open_pack(project, "genesix").system
    made = {"name": "Number Six, applicant 1", "occupation": "applicant"}
    assert "npc.trade" not in npc_page_values(system, Character("genesix", made), {})
    assert "npc.trade" in npc_page_values(system, Character("genesix", {**made, "name": "Number Six"}), {})


def test_what_comes_to_nothing_is_not_told_below_the_attacks(project: Project) -> None:
    """Nobody looks up that nothing comes off harm; what does is told."""
    system = open_pack(project, "genesix").system
    who = Character("genesix", {"name": "Ana"})
    for figures, said in (({"resists": "0"}, None), ({"resists": "2"}, "Takes\u00a02\u00a0off\u00a0harm")):
        told = npc_page_values(system, who, figures)
        assert next((told[f"{name}.text"] for name, kind in told.items() if kind == "below"), None) == said


def test_a_column_of_which_nobody_has_anything_has_no_head(project: Project) -> None:
    system = open_pack(project, "chalkdown").system
    (person,) = roll(open_pack(project, "chalkdown"), RollOptions(seed=1, count=1))
    assert system.npc_page is not None
    assert system.npc_page.attacks is not None
    attacks = replace(system.npc_page.attacks, shows=("{body.Guard}", "{body.Hits}"), heads=("Guard", "Hits"))
    system = replace(system, npc_page=replace(system.npc_page, attacks=attacks))
    for guard, heads in (({}, {"head.2": "Hits"}), ({"Guard": 2}, {"head.1": "Guard", "head.2": "Hits"})):
        body = {"Hits": 10, **guard}
        told = npc_page_values(system, replace(person, values={**person.values, "body": body}), {})
        found = {name.removeprefix("stack.fight.1."): text for name, text in told.items() if ".fight.1.head" in name}
        assert found == heads


def test_the_seed_stands_at_the_foot_and_leaves_its_line_to_trade_and_age(project: Project) -> None:
    """A long name, a trade and an age share the first line, with nothing of them told elsewhere."""
    pack = open_pack(project, "heroic")
    parts: list[bytes] = []
    people = [person for person in roll(pack, RollOptions(seed=4, count=2)) if person.text("name").startswith("Horn")]
    write_people(project, pack, people, parts.append, PrintOptions("a4", "npc"), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
        (name,), (age,) = (document[0].search_for(said) for said in ("Hornbeam", "he, fifty-eight and grumbling"))
        (seed,), (credit,) = (document[0].search_for(said) for said in ("seed 4", "HEROIC, the Six-Letter"))
    assert name.y0 < age.y0 < age.y1 < name.y1
    assert 0 < seed.y1 - credit.y1 < mm(4)


@pytest.mark.parametrize("game", ["tsgs", "genesix"])
def test_what_is_told_of_somebody_has_one_left_edge(project: Project, game: str) -> None:
    """Behind labels of any length; a long label of a text of many lines has lines of its own."""
    pack = open_pack(project, game)
    (person,) = roll(pack, RollOptions(seed=8, count=1))
    parts: list[bytes] = []
    write_people(project, pack, [person], parts.append, PrintOptions("a4", "npc"), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
        found = [
            document[0].search_for(text[:20])[0].x0
            for name in ("manner", "drive", "hook")
            if (text := person.text(name))
        ]
        title = next(spec.title for spec in pack.system.fields if spec.name == "manner")
        label = document[0].search_for(title.upper())[0].x1
    assert max(found) - min(found) < 0.5
    assert mm(1) < min(found) - label < mm(6)


def test_boxes_to_mark_stand_on_a_web_page_and_an_attack_has_one_chance_for_each_opponent(project: Project) -> None:
    pack = open_pack(project, "chalkdown")
    (person,) = roll(pack, RollOptions(seed=77, count=1))
    parts: list[bytes] = []
    write_people(project, pack, [person], parts.append, PrintOptions("a4", "npc"), form=".html")
    page = b"".join(parts).decode()
    assert page.count('<i class="box"></i>') == person.numbers("body")["Hits"]
    fight = page.partition('class="fight"')[2].partition('class="skills"')[0]
    assert fight.count("%") == 2


def test_no_line_for_notes_runs_into_a_code(project: Project) -> None:
    """A reader wants a quiet margin around it."""
    pack = open_pack(project, "fright")
    parts: list[bytes] = []
    people = roll(pack, RollOptions(seed=77, count=2))
    write_people(project, pack, people, parts.append, PrintOptions("a4", "npc", code=True), form=".pdf")
    with pymupdf.open("pdf", io.BytesIO(b"".join(parts))) as document:
        lines = [each["rect"] for each in document[0].get_drawings() if mm(40) < each["rect"].width < mm(70)]
        low = [rect for rect in lines if rect.x0 > mm(130) and mm(118) < rect.y0 < mm(136)]
        assert low
        assert max(rect.x1 for rect in low) < mm(183)
