"""Where the index and the glossary of a book lead to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sheetgen.documents.book.back_matter import Concordance, IndexEntry, glossary_of, home_of, index_of, with_citations
from sheetgen.errors import Place
from sheetgen.model.book import Book, Chapter, Featured, Figure, Prose, Rule
from sheetgen.model.data import Word
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

HERE = Place("rules.yaml", 1)

BOOK = (
    '<h2 id="rule-jotting">Jot it down</h2><p>You jot <b>courage</b> down.</p>'
    '<h2 id="rule-falling">Falling</h2><p>Down you go, and you are <strong>down</strong>.</p>'
    '<div class="glance"></div>'
)


def test_a_glossary_leads_to_where_the_word_is_explained() -> None:
    found = Concordance(BOOK)
    first = found.place("down", "rule-jotting")
    (entry,) = glossary_of([("down", "Out of it.")], [IndexEntry("down", [first])], found)
    assert f'<strong><span id="{entry["anchors"][0]}">down</span></strong>' in found.marked()
    assert entry["anchors"] != [first]


def test_letters_that_grow_in_lower_case_leave_the_marks_in_their_places() -> None:
    found = Concordance("<p>Straße und Fuß İ</p>" + BOOK)
    found.place("Falling", "rule-falling")
    assert "Fuß İ</p>" in found.marked()
    assert "<h2 " in found.marked()
    marks = '<span id="word-1">Falling</span></h2>'
    assert marks in found.marked()


def test_a_table_names_a_thing_only_where_a_cell_does() -> None:
    """A pouch of sling stones was a page of the index for Sling, and salt water was one for Salt."""
    found = Concordance(
        '<h2 id="rule-pockets">In their pockets</h2><table><tr><td>Pouch of sling stones</td><td>Bows too low</td>'
        "<td>salt</td></tr></table>"
        '<h2 id="rule-arms">Arms</h2><table><tr><td>Sling; Bow +1, Salt</td><td>Pick Pockets</td></tr></table>'
        '<div class="glance"></div>'
    )

    def places(word: str) -> list[str]:
        return [rule for rule in found.rules if found.place(word, rule, strong=True)]

    assert places("sling") == places("Bow") == places("Salt") == places("Pick Pockets") == ["rule-arms"]


def test_an_hour_of_the_clock_tells_of_no_clock() -> None:
    html = (
        '<h2 id="rule-a">A</h2><p>At ten o’clock.</p><h2 id="rule-b">B</h2><p>Draw a ‘clock’.</p>'
        '<div class="glance"></div>'
    )
    found = Concordance(html)
    assert [rule for rule in found.rules if found.place("clock", rule)] == ["rule-b"]


def test_the_bold_words_that_an_example_leads_with_are_no_places_to_look_up() -> None:
    """Nobody holds both halves was a page for hold, and the gunner who fired one for Fire."""
    told = '<div class="words"><strong>Nobody holds</strong> both halves.</div>'
    html = f'<h2 id="rule-a">A</h2>{told}<h2 id="rule-b">B</h2><p>You <strong>hold</strong> it.</p>'
    found = Concordance(html + '<div class="glance"></div>')
    assert [rule for rule in found.rules if found.place("hold", rule, strong=True)] == ["rule-b"]


def test_a_heading_names_a_thing_where_its_capital_is_not_that_of_any_sentence() -> None:
    found = Concordance(
        '<h2 id="rule-dice">Reading the dice</h2><h2 id="rule-skill">What Reading is for</h2>'
        '<h2 id="rule-whole">Reading</h2><h2 id="rule-luck">Lucky Number</h2><div class="glance"></div>'
    )

    def places(word: str) -> list[str]:
        return [rule for rule in found.rules if found.place(word, rule, strong=True)]

    assert places("Reading") == ["rule-skill", "rule-whole"]
    assert places("Lucky Number") == ["rule-luck"]
    assert places("reading") == ["rule-dice", "rule-skill", "rule-whole"]


def test_a_name_within_a_longer_one_is_no_place_to_look_up() -> None:
    """GAMERS’ Mind led to the page of Mind Psi, which has nothing of it."""
    found = Concordance(
        '<h2 id="rule-powers">Powers</h2><p><strong>Mind Psi</strong> reads.</p>'
        '<h2 id="rule-both">Both</h2><p><strong>Mind Psi</strong> reads, and <strong>Mind</strong> knows.</p>'
        '<h2 id="rule-last">Last</h2><p>A <strong>Strong Mind</strong> holds.</p><div class="glance"></div>'
    )

    def places(*but: str) -> list[str]:
        return [rule for rule in found.rules if found.place("Mind", rule, strong=True, but=but)]

    assert places() == ["rule-powers", "rule-both", "rule-last"]
    assert places("Mind Psi") == ["rule-both", "rule-last"]
    assert places("Mind Psi", "Strong Mind") == ["rule-both"]


def test_a_word_is_at_home_where_a_title_or_a_rule_says_so() -> None:
    """GeneSix’s Luck led to page 5 alone, where it is first spoken of, and its group check to an example."""
    said = {"early": ("Who does what", "hit"), "group": ("Checks as a group",), "declaring": ("Declaring",)}
    said["blow"] = ("What a hit does", "damage", "hit")
    nothing = Prose("", HERE)
    rules = tuple(Rule(name, title, (), nothing, HERE, index=(*index,)) for name, (title, *index) in said.items())
    book = Book((Chapter("luck", "Luck", nothing, rules, (), HERE),), {})
    titles = "".join(f'<h2 id="rule-{each.id}">{each.title}</h2><p>Luck, hit, <b>damage</b>.</p>' for each in rules)
    found = Concordance(f'<section class="chapter" id="chapter-luck">{titles}</section><div class="glance"></div>')

    assert home_of("Luck", book, found) == "chapter-luck"
    assert home_of("group check", book, found, explained=True) == "rule-group"
    assert home_of("group", book, found) == ""
    assert home_of("declaring", book, found) == "rule-declaring"
    assert home_of("declare", book, found) == ""
    assert home_of("hit", book, found) == "rule-blow"
    assert home_of("damage", book, found) == found.place("damage", "rule-blow")
    (entry,) = glossary_of([("Luck", "Tokens.")], [IndexEntry("Luck", ["chapter-luck", "word-9"], home=True)], found)
    assert entry["anchors"] == ["chapter-luck"]


def test_handouts_and_people_of_an_adventure_have_entries() -> None:
    """They lead to where they stand; who has no name, and is only `A guard`, has none."""
    rule = Rule(
        "pier",
        "The pier",
        (),
        Prose("", HERE),
        HERE,
        figures=(Figure(Word("map", HERE), {}, "Pier Nine", HERE), Figure(Word("clock", HERE), {}, "The tide", HERE)),
        people=(Featured(HERE, file="people/pier.yaml"),),
        handouts={"letter": Word("To the editor", HERE)},
    )
    stat = "".join(f'<p class="who"><b class="name">{name}</b></p>' for name in ("Walt Harker", "The two hands"))
    found = Concordance(
        f'<h2 id="rule-pier">The pier</h2><p>“To the editor” lies there.</p>{stat}<div class="glance"></div>'
    )
    assert found.people(rule) == ["Walt Harker"]
    assert found.place("Walt Harker", "rule-pier") == "word-1"
    assert list(found.handouts(rule)) == [("handout: To the editor", "word-2")]
    printed = Concordance(f'{found.html}<figure id="handout-letter">To the editor</figure>')
    assert list(printed.handouts(rule)) == [("handout: To the editor", "handout-letter")]
    no_people = replace(rule, people=(Featured(HERE, archetype="guard", name="Ada"),))
    assert found.people(no_people) == []


def test_a_map_is_looked_up_where_it_is_drawn_and_not_where_a_heading_has_its_title() -> None:
    found = Concordance(
        '<h2 id="rule-front-office">The front office</h2><p>A page of text.</p>'
        '<figure><figcaption>The front office</figcaption></figure><div class="glance"></div>'
    )
    assert found.drawing("The front office", "rule-front-office") == "word-1"
    assert '<figcaption><span id="word-1">The</span> front office</figcaption>' in found.marked()
    assert found.drawing("A plan", "rule-front-office") == ""


@pytest.mark.parametrize("title", ["The vault", 'The "owl\'s" den'])
def test_a_map_is_told_from_another_of_its_rule_by_the_whole_title(title: str) -> None:
    shown = title.replace("'", "&#39;").replace('"', "&#34;")  # as templates write it
    captions = ("The vault door", shown)
    figures = "".join(f"<figure><figcaption>{each}</figcaption></figure>" for each in captions)
    found = Concordance(f'<h2 id="rule-vault">A vault</h2>{figures}<div class="glance"></div>')
    assert found.drawing(title, "rule-vault") == "word-1"
    assert f'<figcaption><span id="word-1">The</span>{shown.removeprefix("The")}</figcaption>' in found.marked()


def test_a_place_of_an_adventure_is_where_its_number_has_it_in_bold() -> None:
    """The Dry Kettle was looked up where its stokers were first spoken of."""
    found = Concordance(
        '<h2 id="rule-town">The town</h2><p>The stokers of the Dry Kettle, and a tusker.</p>'
        "<p><strong>6. The Dry Kettle.</strong> Stokers.</p>"
        '<p class="who"><b class="name">Tuskers</b></p><div class="glance"></div>'
    )
    assert (found.place("Dry Kettle", "rule-town"), found.place("tusker", "rule-town")) == ("word-1", "word-2")
    assert '<strong>6. The <span id="word-1">Dry</span> Kettle.</strong>' in found.marked()
    assert '<b class="name"><span id="word-2">Tusker</span>s</b>' in found.marked()


def test_somebody_is_filed_by_the_last_name_and_found_by_the_first_where_the_book_says_it() -> None:
    """Half the people stood under first names and half under last ones, by what the text said more."""
    told = "<p>Crouch, a clerk, drinks. Tilda cries. Mr Pell and Mr Ash smile. Crouch talks, and Tilda.</p>"
    names = "<p>Al of the Lamps, Eben Crouch, Tilda Marsh, Mr Pell, Al of the Lamps</p>"
    found, people = Concordance(told + names), ("Eben Crouch", "Tilda Marsh", "Mr Pell", "Al of the Lamps", "Old Haul")
    assert [found.filed(name) for name in people] == ["Crouch, Eben", "Marsh, Tilda", "Pell, Mr", *people[3:]]
    assert [found.called(name) for name in people] == ["", "Tilda", "", "", ""]


@pytest.mark.parametrize(
    ("html", "most", "last"),
    [
        ("Out of the fight.", "Out of the", "fight."),
        ("See <em>Hits</em>.", "See", "<em>Hits</em>."),
        ("Of\nwater", "Of", "water"),
        ("The edge.<br />\nBeware!", "The edge.<br />\nBeware!", ""),
        ('A <a href="#x">way out</a>', 'A <a href="#x">way out</a>', ""),
        ("Alone", "Alone", ""),
    ],
)
def test_the_last_word_of_an_entry_goes_with_its_page_and_no_tag_is_torn(html: str, most: str, last: str) -> None:
    (entry,) = glossary_of([("Word", html)], [], Concordance(""))
    assert (entry["html"], entry["last"]) == (most, last)


def test_somebody_without_figures_is_filed_by_the_last_name_that_a_rule_gives_and_found_as_the_text_has_it() -> None:
    """Arthur Penny stood under A, everybody else under the last name."""
    nothing = Prose("", HERE)
    rule = Rule("rooms", "Room by room", (), nothing, HERE, index=("Penny, Arthur",))
    book = Book((Chapter("well", "The well", nothing, (rule,), (), HERE),), {})
    html = f'<h2 id="rule-rooms">{rule.title}</h2><p>A bed.</p><p>Arthur Penny.</p><div class="glance"></div>'
    found = Concordance(html)
    assert home_of("Penny, Arthur", book, found) == "word-1"
    assert '<span id="word-1">Arthur</span> Penny' in found.marked()


def test_a_name_is_not_looked_up_where_a_verb_is_like_it() -> None:
    """Slackwater’s Hurt led to the heading What else hurts, a page before it."""
    nothing = Prose("", HERE)
    rule = Rule("cold", "Cold, and what else hurts", (), nothing, HERE, index=("Hurt", "Cold"))
    book = Book((Chapter("out", "Out", nothing, (rule,), (), HERE),), {})
    found = Concordance(
        f'<h2 id="rule-cold">{rule.title}</h2><p>It hurts: <em>Hurt</em>.</p><div class="glance"></div>'
    )
    home = home_of("Hurt", book, found)
    assert f'<em><span id="{home}">Hurt</span></em>' in found.marked()
    assert home_of("Cold", book, found) == "rule-cold"


def test_a_place_that_is_named_in_slanted_letters_is_where_its_number_has_it() -> None:
    """The *Providence* was looked up where its crew was first spoken of."""
    found = Concordance(
        '<h2 id="rule-way">The way</h2><p>Hosea, of the <em>Providence</em>.</p>'
        '<p><strong>3. The<em> Providence</em>.</strong> Dry.</p><div class="glance"></div>'
    )
    found.place("Providence", "rule-way")
    assert '<em> <span id="word-1">Providence</span></em>.</strong>' in found.marked()


def test_whoever_has_a_sheet_in_the_book_is_looked_up_there_too() -> None:
    found = Concordance('<section class="bound" id="sheet-15">\n<h1>Sheet of Hanne Orrock</h1></section>')
    assert list(found.sheets()) == [("Hanne Orrock", "sheet-15")]
    assert found.order("sheet-15") > 0
    nameless = Concordance('<section class="bound" id="sheet-15">\n<h1>Sheet of </h1></section>')
    assert list(nameless.sheets()) == []


def test_what_a_rule_names_in_fewer_words_leads_to_these_and_not_to_its_first_page() -> None:
    """Sergeant Kerrigan was sought two pages before her name, and a grenade a page before it bursts."""
    found = Concordance(
        '<h2 id="rule-harm">Harm</h2><p>A fall.</p><p>A grenade. Sergeant Kerrigan.</p><div class="glance"></div>'
        '<h2 id="rule-met">Met</h2><p><b class="name">Ines Kerrigan</b> and <b class="name">Ada Fall</b></p>'
    )
    places = [found.named(each, "rule-harm") for each in ("grenade: whom it strikes", "Ines Kerrigan")]
    assert (
        found.named("Painful Fall", "rule-harm")
        == found.named("Ada Fall", "rule-harm")
        == found.named("odds of dying", "rule-harm")
        == "rule-harm"
    )
    assert not found.named("grenade: whom it strikes", "rule-elsewhere")
    marked = '<span id="{}">grenade</span>. Sergeant <span id="{}">Kerrigan</span>'.format(*places)
    assert marked in found.marked()


def test_what_a_rule_names_for_its_index_comes_before_what_only_has_the_word(project: Project) -> None:
    """Die Codes' ambush by Sorrel Vane, which named her, was crowded out by examples that only told of her."""
    nothing = Prose("", HERE)
    told = [Rule(f"tale-{at}", f"Tale {at}" if at else "Dodge", (), nothing, HERE) for at in range(6)]
    last = Rule("ambush", "At the soft place", (), nothing, HERE, index=("dodge",))
    rules = (*told, last)
    book = Book((Chapter("out", "Out", nothing, rules, (), HERE),), {"dodge": nothing})
    html = "".join(f'<h2 id="rule-{each.id}">{each.title}</h2><p>Then <strong>dodge</strong>.</p>' for each in rules)
    found = Concordance(html + '<div class="glance"></div>')
    (entry,) = (each for each in index_of(open_pack(project, "diecodes").system, book, found) if each.word == "dodge")
    assert found.place("dodge", "rule-ambush") in entry.anchors


def test_a_handout_leads_to_the_words_that_cite_it() -> None:
    """The letter of Die Codes said the page on which the list of places began, one before the place that has it."""
    cite = '<a class="cited" href="#handout-letter">The letter</a>'
    leaf = '<figure id="handout-{}"><figcaption>It <a class="from" href="#rule-places"></a></figcaption></figure>'
    made = with_citations(f"<p>{cite}, and {cite}</p>{leaf.format('letter')}{leaf.format('map')}")
    assert made.count(' id="cited-handout-letter"') == 1
    assert made.count('class="from" href="#cited-handout-letter"') == 1
    assert made.count('class="from" href="#rule-places"') == 1


def test_a_name_of_no_words_or_with_an_article_is_filed_as_it_is() -> None:
    found = Concordance('<h2 id="rule-a">A</h2><p>The Baker bakes.</p>')
    assert [(found.filed(name), found.called(name)) for name in ("", "The Baker")] == [("", ""), ("The Baker", "")]


def test_a_handout_that_leads_nowhere_leaves_the_next_alone() -> None:
    cite, leaf = '<a class="cited" href="#handout-letter">The letter</a>', '<figure id="handout-letter"></figure>'
    other = '<figure id="handout-map"><a class="from" href="#rule-places"></a></figure>'
    assert with_citations(f"{cite}{leaf}{other}").endswith(f"{leaf}{other}")
