"""Groups rolled together: everybody is somebody of a run, and nobody changes when somebody joins."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.errors import InputError, UsageError
from sheetgen.model.cast import Group, Member
from sheetgen.model.character import Character
from sheetgen.people.groups import GroupRun, check_group, checked_group, group_named, roll_group
from sheetgen.people.rolling import RollOptions, roll
from sheetgen.rules.rolling import Roller, plan_of
from sheetgen.workspace.packs import Pack, open_pack
from sheetgen.workspace.project import Project


@pytest.fixture
def pack(project: Project) -> Pack:
    """GAMERS, opened."""
    return open_pack(project, "gamers")


def rolled(pack: Pack, *members: Member, seed: int = 7, **settled: str) -> list[Character]:
    """Everybody of a group of these lines."""
    return list(roll_group(pack, GroupRun(Group("x", members), seed, options=settled)))


def names(people: list[Character]) -> list[str]:
    """What they are called."""
    return [each.text("name") for each in people]


def without_name(character: Character) -> object:
    """All of a character but what it is called."""
    return {**character.values, "name": ""}, character.origin


def test_members_are_called_by_part_and_number_and_have_names_of_their_own(pack: Pack) -> None:
    people = rolled(pack, Member("officer", part="captain"), Member("guard", 3), Member("spy", name="Marta Holt"))
    own = [each.text("name") for each in roll(pack, RollOptions(7, 3, archetype="guard"))]
    assert names(people)[1:4] == [f"{name}, guard {number}" for number, name in enumerate(own, 1)]
    assert names(people)[0].startswith("Captain ")
    assert names(people)[4] == "Marta Holt"


def test_a_group_is_made_of_runs_that_can_be_rolled_alone(pack: Pack) -> None:
    people = rolled(pack, Member("guard", 2), Member("healer"), Member("guard", 1))
    guards = list(roll(pack, RollOptions(7, 2, archetype="guard")))
    assert [without_name(each) for each in people[:2]] == [without_name(each) for each in guards]
    (late,) = roll(pack, RollOptions(7, 1, first=1001, archetype="guard"))
    assert without_name(people[3]) == without_name(late)
    assert names(people)[3].endswith(", guard 3")


def test_who_has_a_part_lives_by_a_trade_of_it(pack: Pack) -> None:
    captain, *guards = rolled(
        pack,
        Member("guard", part="captain", occupations=("captain of the guard",)),
        Member("guard", 3, occupations=("gate guard", "night watch")),
    )
    assert captain.text("occupation") == "captain of the guard"
    assert {each.text("occupation") for each in guards} <= {"gate guard", "night watch"}
    for each in (captain, *guards):
        assert each.origin is not None
        alone = Roller(pack.system, plan_of(pack.system, archetype="guard"), 7, each.origin.rerolled).roll(
            each.origin.index
        )
        assert without_name(alone) == without_name(each)


def test_a_part_stands_behind_the_name_unless_it_is_a_title(pack: Pack) -> None:
    own = next(iter(roll(pack, RollOptions(7, 1, archetype="merchant")))).text("name")
    assert names(rolled(pack, Member("merchant", part="master of the caravan"))) == [f"{own}, master of the caravan"]
    assert names(rolled(pack, Member("merchant", part="lookout"))) == [f"{own}, lookout"]
    assert names(rolled(pack, Member("merchant", part="master"))) == [f"Master {own}"]


def test_a_part_that_is_the_trade_goes_unsaid(pack: Pack) -> None:
    own = next(iter(roll(pack, RollOptions(7, 1, archetype="merchant"))))
    assert names(rolled(pack, Member("merchant", part=own.text("occupation")))) == [own.text("name")]
    manner = own.text("manner")
    told = f"{own.text('name')}, {manner[:1].lower()}{manner[1:]}"
    assert names(rolled(pack, Member("merchant", part=manner))) == [told]


def test_a_part_that_is_the_playbook_goes_unsaid(project: Project) -> None:
    """A page of Slackwater was headed by a pilot, Pilot, harbour pilot."""
    (pilot,) = rolled(open_pack(project, "slackwater"), Member("pilot"))
    assert pilot.text("playbook") == "Pilot"
    assert "," not in pilot.text("name")


def test_nobody_changes_when_somebody_joins(pack: Pack) -> None:
    before = rolled(pack, Member("guard", 2), Member("healer"), Member("guard", 1))
    after = rolled(pack, Member("guard", 4), Member("boss"), Member("healer", 2), Member("guard", 1))
    assert [without_name(each) for each in before[:2]] == [without_name(each) for each in after[:2]]
    assert without_name(before[2]) == without_name(after[5])
    assert without_name(before[3]) == without_name(after[7])


def test_a_line_has_the_last_word_the_table_the_one_before_and_the_group_the_first(pack: Pack) -> None:
    members = (Member("guard"), Member("thief", options={"tech": "3"}))
    group = Group("x", members, options={"tech": "5", "features": "none"})
    runs = [run.options for _, run in GroupRun(group, 7, options={"tech": "9"}).runs]
    assert runs == [{"tech": "9", "features": "none"}, {"tech": "3", "features": "none"}]


def test_every_ready_made_group_can_be_rolled(project: Project) -> None:
    for name in ("gamers", "agents"):
        pack = open_pack(project, name)
        assert len(pack.system.ready_groups) >= 7
        for group in pack.system.ready_groups.values():
            people = list(roll_group(pack, GroupRun(group, 1)))
            assert len(people) == group.size == len(set(names(people)))


def test_a_name_is_found_however_it_is_typed(project: Project, pack: Pack) -> None:
    group, files = group_named(project, pack, "The ship's CREW")
    assert (group.title, files) == ("the ship’s crew", ())
    with pytest.raises(UsageError, match=r'unknown group "night wach" \(did you mean "the night watch"\?\)'):
        group_named(project, pack, "night wach")


def test_a_file_is_a_group_of_its_own(project: Project, pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "toll-house.yaml").write_text("system: gamers\nmembers: [2 guards]\n")
    group, files = group_named(project, pack, "toll-house.yaml")
    assert (group.title, group.size, files) == ("toll house", 2, (tmp_path / "toll-house.yaml",))
    found = checked_group(project, tmp_path / "toll-house.yaml")
    assert found is not None
    assert found[0].system.id == "gamers"


def test_a_group_of_another_system_is_refused(project: Project, pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "gang.yaml").write_text("system: tsgs\nmembers: [2 guards]\n")
    with pytest.raises(InputError, match=r'gang.yaml:1:9: this group is of system "tsgs", not gamers'):
        group_named(project, pack, "gang.yaml")


def test_a_skin_takes_the_groups_of_what_it_extends(project: Project, tmp_path: Path) -> None:
    (tmp_path / "gang.yaml").write_text("system: gamers\nmembers: [2 guards]\n")
    group, _ = group_named(project, open_pack(project, "agents"), "gang.yaml")
    assert group.size == 2


def test_a_value_that_no_option_takes_is_told_at_its_line(project: Project, pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "gang.yaml").write_text("members:\n- 2 guards\n- {archetype: spy, options: {tech: 77}}\n")
    group, _ = group_named(project, pack, "gang.yaml")
    with pytest.raises(InputError, match=r'gang.yaml:3:3: option tech takes 0 to C, or rolled; not "77"'):
        check_group(pack, GroupRun(group, 7))


def test_every_wrong_value_of_a_group_is_told_and_those_for_all_of_it_once(
    project: Project, pack: Pack, tmp_path: Path
) -> None:
    lines = "- 2 guards\n- {archetype: spy, options: {tech: 77, pronouns: it}}\n"
    (tmp_path / "gang.yaml").write_text(f"options: {{tech: 55, culture: x}}\nmembers:\n{lines}")
    group, _ = group_named(project, pack, "gang.yaml")
    with pytest.raises(InputError) as refused:
        check_group(pack, GroupRun(group, 7))
    assert [str(problem).partition(";")[0].partition(" (")[0][:58] for problem in refused.value.problems] == [
        "gang.yaml: option tech takes 0 to C, or rolled",
        'gang.yaml: option culture: unknown word "x": any, one, eng',
        "gang.yaml:4:3: option tech takes 0 to C, or rolled",
        'gang.yaml:4:3: option pronouns: unknown word "it": any, sh',
    ]


def test_an_unknown_trade_is_told_as_such_and_not_as_another(project: Project, pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "gang.yaml").write_text("members:\n- {archetype: outlaw, occupations: [smugler, scribe]}\n")
    with pytest.raises(InputError) as refused:
        group_named(project, pack, "gang.yaml")
    assert [problem.message.partition(" (")[0] for problem in refused.value.problems] == [
        'unknown occupation "smugler"',
        "no outlaw is a scribe",
    ]


def test_a_file_of_characters_is_no_group(project: Project, tmp_path: Path) -> None:
    (tmp_path / "ada.yaml").write_text("system: gamers\nname: Ada\nnotes: members only\n")
    assert checked_group(project, tmp_path / "ada.yaml") is None


def test_a_file_of_characters_is_not_parsed_in_search_of_a_group(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ada.yaml").write_text("system: gamers\nname: Ada\n")
    monkeypatch.delattr("sheetgen.people.groups.parse")
    assert checked_group(project, tmp_path / "ada.yaml") is None


@pytest.mark.parametrize("seed", [7, 21])
@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("fright", "the inquiry"),
        ("fright", "the village"),
        ("genesix", "what lives under the hill"),
        ("gamers", "the village"),
        ("chalkdown", "the copying room"),
        ("chalkdown", "the queue"),
        ("slackwater", "the crew of the Providence"),
    ],
)
def test_nobody_in_a_group_has_the_story_or_the_manner_of_another(
    project: Project, system: str, name: str, seed: int
) -> None:
    pack = open_pack(project, system)
    group, _ = group_named(project, pack, name)
    people = list(roll_group(pack, GroupRun(group, seed)))
    for part in ("hook", "want", "manner"):
        said = [each.text(part) for each in people if each.text(part)]
        assert len(said) == len(set(said)), part


@pytest.mark.parametrize(("system", "name"), [("tsgs", "the speakeasy"), ("sixshooter", "the outlaw gang")])
def test_nobody_in_a_group_has_the_first_name_of_another(project: Project, system: str, name: str) -> None:
    pack = open_pack(project, system)
    group, _ = group_named(project, pack, name)
    names = []
    for each in roll_group(pack, GroupRun(group, 4)):
        assert each.origin is not None
        plan = plan_of(pack.system, archetype=each.origin.archetype, options=each.origin.options)
        alone = Roller(pack.system, plan, 4, each.origin.rerolled).roll(each.origin.index)
        assert alone.text("name") in each.text("name")
        names.append(alone.text("name").split()[0])
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("system", "name"), [("fright", "the village"), ("gamers", "the court"), ("waster", "the squad")]
)
@pytest.mark.parametrize("seed", [4, 5])
def test_nobody_in_a_group_knows_somebody_called_as_one_of_them(
    project: Project, system: str, name: str, seed: int
) -> None:
    pack = open_pack(project, system)
    group, _ = group_named(project, pack, name)
    people = list(roll_group(pack, GroupRun(group, seed)))
    called = set[str]()
    for each in people:
        assert each.origin is not None
        plan = plan_of(pack.system, archetype=each.origin.archetype, options=each.origin.options)
        alone = Roller(pack.system, plan, seed, each.origin.rerolled).roll(each.origin.index)
        assert without_name(alone) == without_name(each)
        called.add(alone.text("name").split()[0])
    known = [who.partition(",")[0] for each in people for who in each.numbers("people")]
    assert known
    assert not called & {*known}
    assert len(known) == len(set(known))
    stories = [each.text("hook") for each in people]
    assert len(stories) == len(set(stories))


@pytest.mark.parametrize("seed", range(3, 15))
def test_a_line_that_is_added_changes_nobody_before_it(pack: Pack, seed: int) -> None:
    """An added spy had changed the guards: their contacts were told apart from everybody of the group."""
    lines = [Member("guard", 5), Member("spy", 3), Member("outlaw", 4)]
    assert rolled(pack, *lines, seed=seed)[:5] == rolled(pack, *lines[:1], seed=seed)


def test_whose_story_was_rolled_again_is_found_again_alone(project: Project) -> None:
    pack = open_pack(project, "fright")
    group, _ = group_named(project, pack, "the inquiry")
    for each in roll_group(pack, GroupRun(group, 21)):
        origin = each.origin
        assert origin is not None
        plan = plan_of(pack.system, archetype=origin.archetype, options=origin.options)
        assert without_name(Roller(pack.system, plan, 21, origin.rerolled).roll(origin.index)) == without_name(each)
