"""Tables of cards: CSV and YAML say the same, and each wrong cell is told at its row and column."""

from __future__ import annotations

import pytest

from sheetgen.content.card_table import read_table
from sheetgen.errors import InputError

CSV = b"""Name,Text,Price,Type,copies,weight
Rope,Twenty metres.,2 m,Gear | Long,3,5
Lamp,,,,,
"""
YAML = b"""
cards:
- {title: Rope, text: Twenty metres., cost: 2 m, tags: [Gear, Long], count: 3, weight: 5}
- {title: Lamp}
"""


@pytest.mark.parametrize(("data", "file", "at"), [(CSV, "t.csv", "1:6"), (YAML, "t.yaml", "3:80")])
def test_both_kinds_of_tables_are_read_alike_and_a_strange_column_is_told(data: bytes, file: str, at: str) -> None:
    table = read_table(data, file)
    rope, lamp = table.cards
    assert (rope.title, rope.text("text"), rope.text("cost")) == ("Rope", "Twenty metres.", "2 m")
    assert (rope.tags, rope.count) == (("Gear", "Long"), 3)
    assert (lamp.title, lamp.text("text"), lamp.tags, lamp.count) == ("Lamp", "", (), 1)
    (note,) = table.notes
    assert str(note).startswith(f'{file}:{at}: column "weight" has no place on a card')


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("titel,text\nRope,x", '1:1: no column is the title of a card (call "titel" so)'),
        ("title,text\n,lost", "2:1: this card has no title"),
        ("title,count\nRope,many", '2:2: count: "many" is not a whole number from 1 to 99'),
        ("title,cost\nRope,two hundred marks", "2:2: cost has 17 letters; the most is 12"),
        ("title,name\nRope,Rope", '1:2: columns "title" and "name" are both the title of a card'),
        ("title,text\nRope,a,b", "2:1: this row has 3 cells, the header 2"),
        ("title", "1:1: this file has no card"),
        ("", "1:1: this CSV file is empty"),
    ],
)
def test_what_is_wrong_is_told_at_its_cell(table: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_table(table.encode(), "t.csv")
    assert str(caught.value).startswith(f"t.csv:{said}")


def test_a_yaml_file_that_is_no_list_says_what_to_write() -> None:
    with pytest.raises(InputError, match=r"t\.yaml:1:1: write a list of cards: `- \{title: Rope"):
        read_table(b"title: Rope", "t.yaml")
