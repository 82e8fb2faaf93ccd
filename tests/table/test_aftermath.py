"""What happened to somebody between two evenings, by the rules of each game: the log, and the file after."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sheetgen.cli.verbs import campaign as verb
from sheetgen.content.session_files import read_log, with_entry
from sheetgen.dice.source import Scripted
from sheetgen.errors import Place
from sheetgen.model.data import Word
from sheetgen.model.session import LogEntry
from sheetgen.people.character_files import read_party
from sheetgen.rules.consequences import Event
from sheetgen.table.play import aftermath_of
from sheetgen.workspace.packs import open_pack
from sheetgen.workspace.project import Project

Sheetgen = Callable[..., Any]

WHO = {
    "gamers": "attributes: {Grit: 5, Awareness: 5, Mind: 7, Endurance: 6, Reflexes: 5, Strength: B}\n"
    "  skills: {Melee: 1}",
    "tsgs": "abilities: {Wisdom: Ability, Strength: Ability, Charm: Ability}\n  skills: {Riding: basic}\n"
    "  tally: {Skill Picks: 2, Experience: 8}",
    "sixshooter": "descriptor: Sly\n  luck: {Lucky Number: 6}",
    "diecodes": "stats: {Dexterity: 3d, Knowledge: 3d, Perception: 3d, Strength: 3d}\n"
    "  skills: {lifting: 4d, relics: 4d, dodge: 5d, stealth: 5d, bluffing: 4d}\n"
    "  fortune: {luck: 1, owed: 1}",
    "genesix": "attributes: {Strength: 1, Agility: 0, Mental: 1, Social: 0, Monetary: 0}\n"
    "  approaches: {Cautiously: 2, Flamboyantly: 0, Aggressively: 1, Covertly: 0, Unnaturally: 0}",
    "slackwater": "occupation: lifeboatman",
}
KEPT = """\
system: {system}
characters:
# our Ada, first of all
- name: Ada Marsh  # of the bridge
  {fields}

# and her friend
- name: Pask Orrin
"""


@pytest.fixture
def campaign(sheetgen: Sheetgen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes a campaign of a game with Ada Marsh in it, whose folder commands are then run in."""

    def make(system: str) -> Path:
        assert sheetgen("campaign", "new", system, "--system", system).code == 0
        folder = tmp_path / system
        (folder / "cast" / "people.yaml").write_text(KEPT.format(system=system, fields=WHO[system]), encoding="utf-8")
        monkeypatch.chdir(folder)
        return folder

    return make


CASES = [
    # what happened, by which dice; the rules in the log; what the file has anew
    (
        "gamers",
        "--experience 3 --on strength --helper",
        "3 months of training: Strength B to C [GAM-120]",
        "Strength: C",
    ),
    ("gamers", "--experience 7 --on Melee --helper", "Melee 1 to 2, 1 month over [GAM-123]", "Melee: 2"),
    ("gamers", "--injury 3 --dice 1", "injury 3: Endurance 6 to 3; up [GAM-214]", ""),
    (
        "gamers",
        "--injury 8 --on Mind --dice 1",
        "injury 8: Mind 7 to 0, Awareness 5 to 4; unconscious [GAM-214, GAM-220]",
        "",
    ),
    ("tsgs", "--experience 3", "experience 8 to 11 [TSG-081]", "Experience: 11"),
    ("tsgs", "--experience 3 --on riding", "experience 8 to 1, Riding +1 [TSG-081, TSG-082]", 'Riding: "+1"'),
    (
        "tsgs",
        "--experience 2 --on Sneaking --helper",
        "experience 8 to 0, Sneaking [TSG-081, TSG-082]",
        "Sneaking: basic",
    ),
    ("tsgs", "--injury 2", "wounds 0 to 2 [TSG-065]", "Wounds: 2"),
    ("sixshooter", "--experience 9", "Lucky Number 9 [SIX-065, SIX-066]", "Second Lucky Number: 9"),
    ("sixshooter", "--injury 2", "Strikes 0 to 2 [SIX-036]", "Strikes: 2"),
    ("sixshooter", "--injury 3 --on 6", "gives up the Lucky Number 6, back next adventure [SIX-068]", ""),
    (
        "diecodes",
        "--experience 3 --on lifting --on relics",
        "lifting 4d to 4d+1, relics 4d to 4d+1, luck 1 to 2",
        "relics: 4d+1",
    ),
    ("diecodes", "--injury 1", "wounded [DIE-H2]", ""),
    ("genesix", "--experience 1 --on strength", "milestone 1: Strength +1 to +2 [GEN-216]", "Milestones: 1"),
    ("genesix", "--injury 4", "Wounds 0 to 4 [GEN-263]", "Wounds: 4"),
    ("genesix", "--injury 2 --on stress", "Stress 0 to 2 [GEN-263]", "Stress: 2"),
]


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_the_log_and_the_file_have_what_the_rules_make_of_it(
    sheetgen: Sheetgen, campaign: Callable[[str], Path], case: tuple[str, str, str, str]
) -> None:
    system, words, told, written = case
    folder = campaign(system)
    before = (folder / "cast" / "people.yaml").read_text("utf-8")
    ran = sheetgen("campaign", "log", "Ada", "after the bridge", "--date", "2026-11-28", *words.split())
    assert ran.code == 0, ran.err
    entry = read_log((folder / "log.yaml").read_bytes(), "log.yaml")[1][0]
    assert (entry.who, entry.what, entry.date) == ("Ada Marsh", "after the bridge", "2026-11-28")
    assert told in entry.rules
    after = (folder / "cast" / "people.yaml").read_text("utf-8")
    assert written in after
    for line in (
        "# our Ada, first of all",
        "- name: Ada Marsh  # of the bridge",
        "# and her friend\n- name: Pask Orrin",
    ):
        assert line in after  # comments and order stay
    assert len(set(after.splitlines()) - set(before.splitlines())) <= 2  # and so does what has nothing to do with it


@pytest.mark.parametrize(
    ("system", "words", "told"),
    [
        ("gamers", "--experience 2 --on Melee", "Ada Marsh: a level of Melee takes 24 months alone, not 2 [GAM-123]"),
        ("gamers", "--experience 2 --on Malee", 'nothing here is called Malee (did you mean "Melee"?)'),
        ("gamers", "--rest 2", "nothing of the log is left to heal [GAM-232]"),
        ("tsgs", "--experience 4", "Ada Marsh: a session gives 1 to 3 points, not 4 [TSG-080]"),
        ("tsgs", "--experience 3 --on Sneaking", "nobody taught Sneaking: --helper says that somebody did [TSG-084]"),
        ("tsgs", "--experience 1 --on Riding", "too few points for Riding [TSG-082]"),
        ("tsgs", "--rest 2", "there is no wound point to close [TSG-075]"),
        ("sixshooter", "--experience 6", "6 is lucky for Ada Marsh already [SIX-Q29]"),
        ("sixshooter", "--injury 4", "3 Strikes are the most, and there were 0 [SIX-038]"),
        ("sixshooter", "--injury 3 --on 4", "takes a number the Operator has (6) or none [SIX-068]"),
        (
            "diecodes",
            "--experience 3 --on lifting --on lifting",
            "a skill gains at most 1 pip in an adventure, not 2 [DIE-108]",
        ),
        ("diecodes", "--experience 1 --on lifting --on relics", "2 pips are more than the 1 handed out [DIE-108]"),
        ("genesix", "--experience 1 --on cautiously", "an approach at 2 cannot grow, it ends at +2 [GEN-216]"),
        (
            "genesix",
            "--experience 1",
            "each milestone raises one attribute or one approach: name it with --on [GEN-216]",
        ),
        ("diecodes", "--injury 1 --on Head", "the rule has no use for --on Head: leave it out"),
        ("diecodes", "--injury 1 --helper 5d", "nobody can help with this by the rules: leave --helper out"),
        ("tsgs", "--injury 2 --on Head", "the rule has no use for --on Head"),
        ("tsgs", "--injury 2 --helper 9", "leave --helper out"),
        (
            "tsgs",
            "--experience 2 --helper",
            "a teacher teaches a skill: name it with --on, or leave --helper out [TSG-084]",
        ),
        ("tsgs", "--rest 2 --on Hammock", "the rule has no use for --on Hammock"),
        ("tsgs", "--rest 2 --helper 9", "how good the helper is does not matter here: --helper alone, not 9"),
        ("sixshooter", "--rest 1 --on inn", "the rule has no use for --on inn"),
        ("sixshooter", "--rest 30", "this happens once, whatever the amount: write 1, not 30"),
        ("sixshooter", "--experience 5 --on boots", "the rule has no use for --on boots"),
        ("gamers", "--injury 3 --helper 4", "leave --helper out"),
        ("genesix", "--rest 2 --on bed", "the rule has no use for --on bed"),
        ("slackwater", "--injury 1", "Slackwater has no rule for injuries between evenings: say it in words alone"),
    ],
)
def test_what_the_rules_do_not_allow_is_one_line_with_the_rule_and_changes_nothing(
    sheetgen: Sheetgen, campaign: Callable[[str], Path], system: str, words: str, told: str
) -> None:
    folder = campaign(system)
    before = [(folder / name).read_bytes() for name in ("log.yaml", "cast/people.yaml")]
    ran = sheetgen("campaign", "log", "Ada", "after the bridge", *words.split())
    assert ran.code == 2
    assert told in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert [(folder / name).read_bytes() for name in ("log.yaml", "cast/people.yaml")] == before


def test_injuries_that_no_sheet_keeps_are_kept_in_the_log_until_they_are_healed(
    sheetgen: Sheetgen, campaign: Callable[[str], Path]
) -> None:
    folder = campaign("gamers")
    sheetgen("campaign", "log", "Ada", "fell", "--injury", "2", "--dice", "1")
    sheetgen("campaign", "log", "Ada", "fell again", "--injury", "2", "--dice", "1")
    assert "Endurance 4 to 2" in (folder / "log.yaml").read_text("utf-8")
    # a day: two dice under Endurance, which therefore helps, and two for the quickie at 8
    ran = sheetgen("campaign", "log", "Ada", "slept", "--rest", "1", "--dice", "1,1,5,4")
    assert ran.code == 0, ran.err
    entry = read_log((folder / "log.yaml").read_bytes(), "log.yaml")[1][-1]
    assert (entry.rules, entry.hurt) == ("1 day of rest: Endurance 2 to 3 [GAM-232]", {"Endurance": -1})
    assert sheetgen("campaign", "-o", "cast.html").code == 0
    assert "not yet healed: Endurance 3" in (folder / "cast.html").read_text("utf-8")


def test_days_of_rest_are_modified_by_how_bad_it_ever_was_until_all_is_healed(
    sheetgen: Sheetgen, campaign: Callable[[str], Path]
) -> None:
    folder = campaign("gamers")
    sheetgen("campaign", "log", "Ada", "fell", "--injury", "6", "--on", "Endurance")
    sheetgen("campaign", "log", "Ada", "burned", "--injury", "11", "--on", "Strength")  # two at 0: severely wounded
    sheetgen("campaign", "log", "Ada", "slept", "--rest", "20", "--helper", "8", "--seed", "1")
    healed = read_log((folder / "log.yaml").read_bytes(), "log.yaml")[1][-1].rules
    assert "Endurance 0 to " in healed
    assert "Strength 0 to " in healed  # up again, and not whole: the modifier stays (GAM-Q64)
    again = sheetgen("campaign", "log", "Ada", "slept on", "--rest", "1", "--seed", "2").out
    assert "severely wounded at the worst: DM-1" in again


def test_a_second_wound_brings_down_and_days_of_rest_close_one_after_the_other(
    sheetgen: Sheetgen, campaign: Callable[[str], Path]
) -> None:
    folder = campaign("diecodes")
    for words in ("--injury 1", "--injury 1", "--rest 8", "--rest 7"):
        assert sheetgen("campaign", "log", "Ada", "so it went", *words.split()).code == 0
    log = read_log((folder / "log.yaml").read_bytes(), "log.yaml")[1]
    assert [each.rules for each in log] == [
        "wounded [DIE-H2]",
        "2 wounds: down [DIE-H2]",
        "8 days of rest: 1 of 2 closed [DIE-H4]",
        "7 days of rest: the wound is closed [DIE-H4]",
    ]


def test_days_that_would_close_no_wound_are_refused_with_those_that_do(
    sheetgen: Sheetgen, campaign: Callable[[str], Path]
) -> None:
    folder = campaign("diecodes")
    sheetgen("campaign", "log", "Ada", "fell", "--injury", "1")
    before = (folder / "log.yaml").read_bytes()
    ran = sheetgen("campaign", "log", "Ada", "slept", "--rest", "3")
    assert "Ada Marsh: 7 days in one go close a wound, not 3 [DIE-H4]" in ran.err
    assert (folder / "log.yaml").read_bytes() == before


def test_a_log_whose_ties_stand_last_takes_entries_in_their_place(
    sheetgen: Sheetgen, campaign: Callable[[str], Path]
) -> None:
    folder = campaign("tsgs")
    text = "log:\n- {who: Ada, what: fell}  # twice\n\n# who knows whom\nties:\n- {who: Ada, to: Pask, is: owes him}\n"
    (folder / "log.yaml").write_text(text, encoding="utf-8")
    assert sheetgen("campaign", "log", "Pask", "laughed").code == 0
    assert (folder / "log.yaml").read_text("utf-8") == text.replace(
        "# twice\n", "# twice\n- {who: Pask Orrin, what: laughed}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "ties:\nlog:\n# - {who: Ada Marsh, what: fell}\n",
        "log: []\n",
        "log: []  # nothing yet\n",
        "log: [\n]\n",
        "{log: []}\n",
        "{log: }\n",
        "log: ~\n",
        "log: null\n\n# the end\n",
    ],
)
def test_a_log_that_is_empty_in_any_way_takes_an_entry(text: str) -> None:
    here = Place("log.yaml")
    after = with_entry(text, LogEntry(Word("Ada", here), "fell"))
    after = with_entry(after, LogEntry(Word("Pask", here), "laughed"))
    assert [(each.who, each.what) for each in read_log(after.encode(), "log.yaml")[1]] == [
        ("Ada", "fell"),
        ("Pask", "laughed"),
    ]
    assert all(line in after for line in text.splitlines() if line.startswith("#"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("", "--injury", "2"), "what"),
        (("x" * 600, "--injury", "2"), "what"),
        (("fell", "--injury", "2", "--date", "2026 " * 11), "date"),
    ],
)
def test_an_entry_that_the_log_could_not_be_read_with_is_refused_before_anything_is_written(
    sheetgen: Sheetgen, campaign: Callable[[str], Path], words: tuple[str, ...], told: str
) -> None:
    folder = campaign("tsgs")
    before = [(folder / name).read_bytes() for name in ("log.yaml", "cast/people.yaml")]
    ran = sheetgen("campaign", "log", "Ada", *words)
    assert ran.code != 0
    assert told in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert [(folder / name).read_bytes() for name in ("log.yaml", "cast/people.yaml")] == before


@pytest.mark.parametrize("words", ["--on Riding", "--helper", "--dice 3", "--seed 0"])
def test_what_only_the_rules_read_is_refused_beside_words_alone(
    sheetgen: Sheetgen, campaign: Callable[[str], Path], words: str
) -> None:
    campaign("tsgs")
    ran = sheetgen("campaign", "log", "Ada", "fell", *words.split())
    assert ran.code == 2
    assert "--on, --helper, --dice and --seed belong to --experience, --injury or --rest" in ran.err


def test_experience_is_not_paid_where_the_log_cannot_be_written(
    sheetgen: Sheetgen, campaign: Callable[[str], Path]
) -> None:
    folder = campaign("tsgs")
    before = (folder / "cast" / "people.yaml").read_bytes()
    (folder / "log.yaml").unlink()
    (folder / "log.yaml").mkdir()
    ran = sheetgen("campaign", "log", "Ada", "got home", "--experience", "3")
    assert "it is a folder" in ran.err
    assert (folder / "cast" / "people.yaml").read_bytes() == before
    assert [each.name for each in (folder / "cast").iterdir()] == ["people.yaml"]


def test_two_who_note_something_at_once_wait_for_each_other(
    sheetgen: Sheetgen, campaign: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    folder, held = campaign("tsgs"), list[str]()

    def watched(name: str) -> None:
        real = getattr(verb, name)

        def wrapped(*args: Any, **options: Any) -> Any:
            handle = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                held.append(name)
            finally:
                os.close(handle)
            return real(*args, **options)

        monkeypatch.setattr(verb, name, wrapped)

    for name in ("read_cast", "aftermath_of", "file_after", "read_log"):
        watched(name)
    assert sheetgen("campaign", "log", "Ada", "fell", "--injury", "1").code == 0
    assert held == ["read_cast", "aftermath_of", "read_log", "file_after"]


def test_as_much_as_the_rules_say_of_one_event_can_be_read_again(
    sheetgen: Sheetgen, campaign: Callable[[str], Path], project: Project
) -> None:
    folder = campaign("diecodes")
    skills = [trait.name for trait in open_pack(project, "diecodes").system.group("skills").members][:14]
    people = folder / "cast" / "people.yaml"
    hers, known = (
        WHO["diecodes"].splitlines()[1],
        ", ".join(f"{name}: 3d+{1 + at % 2}" for at, name in enumerate(skills)),
    )
    text = people.read_text("utf-8").replace(hers, f"  skills: {{{known}}}")
    people.write_text(text, encoding="utf-8")
    ran = sheetgen("campaign", "log", "Ada", "learned", "--experience", "14", *(w for n in skills for w in ("--on", n)))
    assert ran.code == 0, ran.err
    assert all(name in read_log((folder / "log.yaml").read_bytes(), "log.yaml")[1][0].rules for name in skills)


def test_a_program_gets_who_they_are_afterwards_and_the_dice(project: Project, tmp_path: Path) -> None:
    (tmp_path / "ada.yaml").write_text(KEPT.format(system="genesix", fields=WHO["genesix"]), encoding="utf-8")
    pack, ada = open_pack(project, "genesix"), read_party(project, tmp_path / "ada.yaml").characters[0]
    came = aftermath_of(pack, ada, "injury", Event(3), Scripted(()))
    assert came.character.numbers("state") == {"Wounds": 3}
    assert ada.numbers("state") == {}
    assert came.log == ("+3 Wounds: Stress 0/9, Wounds 3/9 [GEN-263]",)
