"""Output files: names that any system can hold, and contents that are whole or not there at all."""

from __future__ import annotations

import errno
import os
import random
import secrets
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sheetgen
from sheetgen.batch.child import host_token
from sheetgen.content.packs.folders import find_packs
from sheetgen.errors import OutputError, UsageError
from sheetgen.workspace import write
from sheetgen.workspace.scaffold import write_folder
from sheetgen.workspace.write import Output, slug, slugs, sweep, write_file

CHECKOUT = Path(sheetgen.__file__).parents[1]
OLD, NEW = b"old", b"new" * 1000

# Writes the file of its argument over and over, each time 3 MB of another digit.
WRITER = """
import sys
from pathlib import Path
from sheetgen.workspace.write import Output
print("ready", flush=True)
for number in range(10**9):
    with Output(Path(sys.argv[1])) as output:
        for _ in range(30):
            output.write(b"%d" % (number % 10) * 100_000)
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A file that is there already, alone in its folder."""
    path = tmp_path / "out" / "sheet.pdf"
    path.parent.mkdir()
    path.write_bytes(OLD)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def printed(script: str, *arguments: object) -> str:
    """What a script prints, run by a Python of its own."""
    process = python(script, *arguments)
    out, err = process.communicate(timeout=60)
    assert (err, process.returncode) == ("", 0)
    return out.strip()


def refusal(path: Path) -> str:
    """The line that a file is refused with."""
    with pytest.raises(OutputError) as caught:
        write_file(path, NEW)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path.parent), "…")


class TestSlug:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("Ines Okafor", "Ines-Okafor"),
            ("  Bram   the  Elder  ", "Bram-the-Elder"),
            ("René", "Rene"),
            ("Rene\u0301", "Rene"),
            ("Łódź Straße Ærø Þór", "Lodz-Strasse-Aero-Thor"),
            ("D’Arcy O'Neil", "DArcy-ONeil"),
            ("Київ", "Київ"),
            ("Ωμέγα", "Ωμέγα"),
            ("हिन्दी", "हिन्दी"),
            ("ที่นี่", "ที่นี่"),
            ("がぎ 東京", "がぎ-東京"),
            ("\uff21\uff22\uff23\u2460", "ABC1"),
            ("../../x", "x"),
            ("/etc/passwd", "etc-passwd"),
            ("a/b", "a-b"),
            ("a\\b", "a-b"),
            ("C:\\x", "C-x"),
            ("a:b", "a-b"),
            ("a*b?", "a-b"),
            ("x.", "x"),
            ("a\0b", "a-b"),
            ("a\nb\x1b[31m", "a-b-31m"),
            ("-rf", "rf"),
            ("~root", "root"),
            ("$HOME `id` %PATH%", "HOME-id-PATH"),
            ("nul.pdf", "nul-pdf"),
            ("CON", "CON-name"),
            ("nul", "nul-name"),
            ("COM1", "COM1-name"),
            ("COM\u00b9", "COM1-name"),
            ("Lpt9 ", "Lpt9-name"),
            ("Conrad", "Conrad"),
            ("", "unnamed"),
            (".", "unnamed"),
            ("..", "unnamed"),
            ("   ", "unnamed"),
            ("\U0001f409" * 100, "unnamed"),
            ("\u3164\u1160", "unnamed"),
            ("\u200d\u202e", "unnamed"),
            ("\u0301\u0301", "unnamed"),
            ("\ud800\udfff", "unnamed"),
            ("\u202efdp.exe", "fdp-exe"),
            ("Zo\u200de", "Zoe"),
            ("Z\u0335\u0321\u0322a", "Za"),
            ("n" * 300, "n" * 80),
            ("é" * 300, "e" * 80),
            ("東" * 300, "東" * 26),
            ("x" * 79 + " y", "x" * 79),
        ],
        ids=ascii,
    )
    def test_a_slug_keeps_what_every_system_can_hold(self, name: str, expected: str) -> None:
        assert slug(name) == expected

    def test_names_that_collide_are_numbered_in_order(self) -> None:
        given = ["Bob", "bob", "René", "Rene\u0301", "", "..", "BOB", "Bob-2"]
        assert list(slugs(given)) == ["Bob", "bob-2", "Rene", "Rene-2", "unnamed", "unnamed-2", "BOB-3", "Bob-2-2"]

    def test_a_slug_keeps_clear_of_those_before(self) -> None:
        assert list(slugs(["BOB", "bob-2", "bob-4", "Bob"]))[-1] == "Bob-3"

    def test_a_number_finds_room_in_a_long_name(self) -> None:
        first, second, *_, twelfth = slugs(["n" * 300] * 12)
        assert (first, second, twelfth) == ("n" * 80, "n" * 78 + "-2", "n" * 77 + "-12")

    def test_ten_thousand_of_one_name_take_no_time(self) -> None:
        start = time.process_time()
        assert list(slugs(["Bob"] * 10_000))[-1] == "Bob-10000"
        assert time.process_time() - start < 2

    def test_a_name_as_long_as_a_book_takes_no_time(self) -> None:
        start = time.process_time()
        assert slug("\ufdfa" * 1_000_000) != "unnamed"
        assert time.process_time() - start < 1

    @given(st.lists(st.text(), max_size=5))
    def test_any_names_get_portable_slugs_of_their_own(self, given_names: list[str]) -> None:
        found = list(slugs(given_names))
        assert len({word.casefold() for word in found}) == len(given_names)
        for word in found:
            assert 0 < len(word.encode()) <= 80
            assert not set(word) & set('<>:"/\\|?*. \0')
            assert not word.startswith("-")
            assert unicodedata.is_normalized("NFC", word)
            assert list(slugs([word])) == [word], "a slug of a slug is the slug"


class TestWriting:
    def test_a_file_is_written(self, tmp_path: Path) -> None:
        write_file(tmp_path / "a.txt", NEW)
        assert (names(tmp_path), (tmp_path / "a.txt").read_bytes()) == (["a.txt"], NEW)

    def test_a_missing_folder_is_made(self, tmp_path: Path) -> None:
        write_file(tmp_path / "a" / "b" / "c.txt", NEW)
        assert (tmp_path / "a" / "b" / "c.txt").read_bytes() == NEW

    def test_until_the_block_ends_the_old_file_stands(self, target: Path) -> None:
        with Output(target) as output:
            output.write(NEW)
            assert target.read_bytes() == OLD
            assert [name for name in names(target.parent) if name != target.name] == [output._part]
        assert (names(target.parent), target.read_bytes()) == ([target.name], NEW)

    def test_commit_returns_the_size(self, target: Path) -> None:
        with Output(target) as output:
            output.write(b"12")
            output.write(b"345")
            assert output.commit() == 5
        assert target.read_bytes() == b"12345"

    def test_an_abandoned_file_leaves_the_old_one(self, target: Path) -> None:
        with Output(target) as output:
            output.write(NEW)
            output.abandon()
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)

    @pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ZeroDivisionError, MemoryError, OSError])
    def test_a_block_that_fails_leaves_the_old_file(self, target: Path, error: type[BaseException]) -> None:
        def fail() -> None:
            with Output(target) as output:
                output.write(NEW)
                raise error

        with pytest.raises(error):
            fail()
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)

    def test_a_new_file_has_the_permissions_of_any_new_file(self, tmp_path: Path) -> None:
        before = os.umask(0o027)
        try:
            write_file(tmp_path / "new", NEW)
        finally:
            os.umask(before)
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640

    @pytest.mark.parametrize("mode", [0o600, 0o666, 0o755])
    def test_a_replaced_file_keeps_its_permissions(self, target: Path, mode: int) -> None:
        target.chmod(mode)
        write_file(target, NEW)
        assert (target.stat().st_mode & 0o777, target.read_bytes()) == (mode, NEW)

    @pytest.mark.parametrize("name", ["a b.pdf", 'it\'s "x".pdf', "\U0001f409.pdf", "-o.pdf", "n" * 250, "n" * 255])
    def test_any_name_works_as_given(self, tmp_path: Path, name: str) -> None:
        write_file(tmp_path / name, NEW)
        assert names(tmp_path) == [name]

    def test_a_relative_path_holds_when_the_program_goes_elsewhere(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path)
        with Output(Path("a.txt")) as output:
            output.write(NEW)
            monkeypatch.chdir(tmp_path / "elsewhere")
        assert names(tmp_path) == ["a.txt", "elsewhere"]

    def test_no_file_descriptor_stays_open(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        before = len(os.listdir("/dev/fd"))
        write_file(tmp_path / "a", NEW)
        Output(tmp_path / "b").abandon()
        with pytest.raises(OutputError):
            write_file(tmp_path, NEW)
        with pytest.raises(OutputError):
            write_file(tmp_path / ("n" * 256), NEW)
        monkeypatch.setattr(secrets, "token_hex", lambda _: "0123abcd")
        first = Output(tmp_path / "c")
        with pytest.raises(OutputError):
            Output(tmp_path / "c")
        first.commit()
        assert len(os.listdir("/dev/fd")) == before


class TestRefusals:
    def test_an_input_is_never_overwritten(self, target: Path) -> None:
        with pytest.raises(UsageError, match=r"sheet\.pdf is also an input"):
            Output(target, inputs=[target.parent / "other", target])
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)

    def test_an_input_is_known_by_any_of_its_names(self, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        link, hard = target.with_name("link"), target.with_name("hard")
        link.symlink_to(target)
        hard.hardlink_to(target)
        monkeypatch.chdir(target.parent)
        for path in (link, hard, Path("sheet.pdf"), Path("..") / "out" / "sheet.pdf"):
            with pytest.raises(UsageError):
                Output(path, inputs=[target])
        with pytest.raises(UsageError):
            Output(target, inputs=[link])
        assert target.read_bytes() == OLD

    def test_another_input_is_no_hindrance(self, target: Path) -> None:
        with Output(target.with_name("b"), inputs=[target, target.with_name("a")]) as output:
            output.write(NEW)
        assert target.with_name("b").read_bytes() == NEW

    def test_a_folder(self, target: Path) -> None:
        assert refusal(target.parent) == 'cannot write "…/out": it is a folder'
        assert target.read_bytes() == OLD

    @pytest.mark.parametrize("path", [Path(), Path(".."), Path("/")], ids=str)
    def test_a_folder_without_a_name(self, path: Path) -> None:
        with pytest.raises(OutputError, match="it is a folder"):
            Output(path)

    def test_a_folder_that_is_a_file(self, target: Path) -> None:
        reason = "a file stands where its folder would have to be"
        assert refusal(target / "x.pdf") == f'cannot write "…/x.pdf": {reason}'
        assert refusal(target / "a" / "b" / "x.pdf") == f'cannot write "…/x.pdf": {reason}'
        assert target.read_bytes() == OLD

    def test_a_read_only_folder(self, target: Path) -> None:
        """Permissions do not bind root, so root becomes somebody else, once inside the folder."""
        target.parent.chmod(0o555)
        script = """
            import os, sys
            from pathlib import Path
            from sheetgen.errors import OutputError
            from sheetgen.workspace.write import write_file
            os.chdir(sys.argv[1])
            if os.getuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            for name in ("sheet.pdf", "new.pdf", "more/new.pdf"):
                try:
                    write_file(Path(name), b"new")
                except OutputError as error:
                    print(error)
        """
        try:
            lines = printed("if True:" + script, target.parent).splitlines()
        finally:
            target.parent.chmod(0o755)
        assert lines[0].startswith('cannot write "sheet.pdf": ')
        assert lines[1:] == [
            'cannot write "new.pdf": Permission denied',
            'cannot write "more/new.pdf": Permission denied',
        ]
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)

    def test_a_write_protected_file(self, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "access", lambda path, mode: False)  # as for anybody but root
        assert refusal(target) == 'cannot write "…/sheet.pdf": it is write-protected'

    @pytest.mark.parametrize("name", ["n" * 256, "東" * 100], ids=["letters", "bytes"])
    def test_a_name_too_long(self, tmp_path: Path, name: str) -> None:
        assert refusal(tmp_path / name).endswith("File name too long (a file name may have 255 bytes)")
        assert names(tmp_path) == []

    def test_a_name_with_a_nul_or_an_escape_stays_one_line(self, tmp_path: Path) -> None:
        assert refusal(tmp_path / "a\0\n\x1b[31m") == 'cannot write "…/a\\x00\\n\\x1b[31m": embedded null byte'

    def test_half_a_character(self, tmp_path: Path) -> None:
        assert "surrogates not allowed" in refusal(tmp_path / "\ud800.pdf")

    def test_a_pipe_or_a_device(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "null").symlink_to(os.devnull)
        assert refusal(tmp_path / "pipe") == 'cannot write "…/pipe": it is not a regular file'
        assert refusal(tmp_path / "null") == 'cannot write "…/null": it is a link that leads to no regular file'
        assert names(tmp_path) == ["null", "pipe"]


class TestLinks:
    def test_a_link_to_a_file_stays_a_link(self, target: Path, tmp_path: Path) -> None:
        link = tmp_path / "link"
        link.symlink_to(target)
        write_file(link, NEW)
        assert link.is_symlink()
        assert (target.read_bytes(), names(target.parent)) == (NEW, [target.name])

    def test_a_link_to_nowhere_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "nowhere")
        assert refusal(tmp_path / "link").endswith("it is a link that leads to no regular file")
        assert names(tmp_path) == ["link"]

    def test_links_in_a_circle_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to(tmp_path / "b")
        (tmp_path / "b").symlink_to(tmp_path / "a")
        assert refusal(tmp_path / "a").startswith('cannot write "…/a": ')

    def test_a_link_to_a_folder_is_refused(self, target: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(target.parent)
        assert refusal(tmp_path / "link").startswith('cannot write "…/link": ')
        assert target.read_bytes() == OLD

    def test_a_folder_swapped_for_a_link_leads_nowhere_else(self, target: Path, tmp_path: Path) -> None:
        trap, moved = tmp_path / "trap", tmp_path / "moved"
        trap.mkdir()
        with Output(target) as output:
            output.write(NEW)
            target.parent.rename(moved)
            target.parent.symlink_to(trap)
        assert (names(trap), names(moved)) == ([], [target.name])
        assert (moved / target.name).read_bytes() == NEW

    def test_a_file_swapped_for_a_link_is_replaced_itself(self, target: Path, tmp_path: Path) -> None:
        victim = tmp_path / "victim"
        victim.write_bytes(OLD)
        with Output(target) as output:
            output.write(NEW)
            target.unlink()
            target.symlink_to(victim)
        assert (victim.read_bytes(), target.read_bytes(), target.is_symlink()) == (OLD, NEW, False)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting is not permitted; the limit on file sizes is tested instead")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


class TestFullDisk:
    def test_a_full_disk_keeps_the_old_file(self, small_disk: Path) -> None:
        path = small_disk / "sheet.pdf"
        path.write_bytes(OLD)
        with pytest.raises(OutputError) as caught:
            write_file(path, bytes(3_000_000))
        message = f'cannot write "{path}": No space left on device (3,000,000 bytes or more are needed)'
        assert str(caught.value) == message
        assert (names(small_disk), path.read_bytes()) == (["sheet.pdf"], OLD)
        write_file(path, NEW)
        assert path.read_bytes() == NEW, "all the space is free again"

    def test_a_file_larger_than_allowed_keeps_the_old_one(self, target: Path) -> None:
        script = """
            import resource, sys
            from pathlib import Path
            from sheetgen.errors import OutputError
            from sheetgen.workspace.write import Output
            resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
            try:
                with Output(Path(sys.argv[1])) as output:
                    for _ in range(100):
                        output.write(bytes(100_000))
            except OutputError as error:
                print(error)
        """
        line = printed("if True:" + script, target)
        assert line.startswith(f'cannot write "{target}": File too large (')
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)

    @pytest.mark.parametrize("call", ["fsync", "replace"])
    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES], ids=errno.errorcode.get)
    def test_a_disk_that_fails_at_the_last_moment_keeps_the_old_file(
        self, target: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, call, fail)
        assert os.strerror(number) in refusal(target)
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)

    def test_an_interruption_at_the_last_moment_keeps_the_old_file(
        self, target: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(_: int) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_file(target, NEW)
        assert (names(target.parent), target.read_bytes()) == ([target.name], OLD)


def is_whole(data: bytes) -> bool:
    return data == OLD or (len(data) == 3_000_000 and data.count(data[:1]) == len(data))


class TestManyProcesses:
    def test_whoever_is_killed_leaves_a_whole_file(self, target: Path) -> None:
        dice, left = random.Random(20), 0
        for _ in range(20):
            with python(WRITER, target) as writer:
                assert writer.stdout is not None
                writer.stdout.readline()
                time.sleep(dice.uniform(0, 0.05))
                writer.kill()
            assert is_whole(target.read_bytes())
            left = len(names(target.parent)) - 1
        assert left > 0, "no writer was killed in the middle of a file"
        assert target.read_bytes() != OLD

        for part in target.parent.glob(".*.part"):
            os.utime(part, (0, 0))
        sweep(target.parent)
        assert names(target.parent) == [target.name]

    def test_two_writers_never_show_half_a_file(self, target: Path) -> None:
        seen: set[bytes] = set()
        with python(WRITER, target) as one, python(WRITER, target) as two:
            for writer in (one, two):
                assert writer.stdout is not None
                writer.stdout.readline()
            deadline = time.monotonic() + 30
            while len(seen) < 10 and time.monotonic() < deadline:
                data = target.read_bytes()
                assert is_whole(data)
                seen.add(data[:1])
            assert (one.poll(), two.poll()) == (None, None), "both were writing to the end"
            one.kill()
            two.kill()
        assert len(seen) == 10


class TestSweep:
    @pytest.fixture
    def dead(self) -> int:
        """The number of a process that was there a moment ago."""
        with python("") as process:
            process.wait()
        return process.pid

    def put(self, folder: Path, name: str, *, age: float = 3600) -> None:
        path = folder / name
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)

    def test_only_old_temporary_files_of_dead_processes_go(self, tmp_path: Path, dead: int) -> None:
        here = host_token()
        kept = [
            f".young.pdf.{here}-{dead}-0123abcd.part",
            f".alive.pdf.{here}-{os.getpid()}-0123abcd.part",
            f".first.pdf.{here}-1-0123abcd.part",
            f"visible.pdf.{here}-{dead}-0123abcd.part",
            f".short.pdf.{here}-{dead}-0123.part",
            f".capitals.pdf.{here}-{dead}-0123ABCD.part",
            f".other-host.pdf.00c0ffee-{dead}-0123abcd.part",
            f".before-0.2.0.pdf.{dead}-0123abcd.part",
            ".film.part",
            "sheet.pdf",
        ]
        for name in kept:
            self.put(tmp_path, name, age=10 if "young" in name else 3600)
        self.put(tmp_path, f".sheet.pdf.{here}-{dead}-0123abcd.part")
        self.put(tmp_path, f".far.pdf.{here}-9999999999-0123abcd.part")
        link = tmp_path / f".link.{here}-{dead}-0123abcd.part"
        link.symlink_to(tmp_path / "sheet.pdf")
        os.utime(link, (0, 0), follow_symlinks=False)
        sweep(tmp_path)
        assert names(tmp_path) == sorted([*kept, link.name])

    def test_what_another_host_left_goes_after_a_day(self, tmp_path: Path) -> None:
        for name in (".a.pdf.00c0ffee-1-0123abcd.part", ".b.pdf.1-0123abcd.part"):
            self.put(tmp_path, name, age=25 * 3600)
        sweep(tmp_path)
        assert names(tmp_path) == []

    def test_folders_that_were_never_finished_go_too(self, tmp_path: Path, dead: int) -> None:
        folder = tmp_path / f".mist.{host_token()}-{dead}-0123abcd.part"
        folder.mkdir()
        (folder / "system.yaml").write_text("id: mist")
        os.utime(folder, (0, 0))
        assert find_packs([tmp_path]) == {}
        write_folder(tmp_path / "other", {"system.yaml": b"id: other"})
        assert names(tmp_path) == ["other"]

    def test_a_folder_that_is_not_there_is_clean(self, tmp_path: Path) -> None:
        sweep(tmp_path / "nowhere")
        assert names(tmp_path) == []

    def test_what_a_writer_leaves_is_what_a_sweep_knows(self, tmp_path: Path) -> None:
        output = Output(tmp_path / ("n" * 255))
        assert write._PART.fullmatch(output._part)
        output.abandon()
