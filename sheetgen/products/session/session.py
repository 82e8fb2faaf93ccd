"""An evening in one PDF, in order of use, with a file to start from; and the cast of a campaign over its evenings."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from sheetgen.batch.sandbox import PUBLICATION, confined
from sheetgen.content.packs.folders import read_file
from sheetgen.content.people.groups import in_short
from sheetgen.content.session_files import FILE, read_session
from sheetgen.content.yaml.decoder import Problems
from sheetgen.content.yaml.encoding import FileLimit
from sheetgen.content.yaml.nodes import Mapping as MappingNode
from sheetgen.content.yaml.nodes import Scalar, parse
from sheetgen.content.yaml.quoting import scalar
from sheetgen.documents.export.characters import yaml_text
from sheetgen.documents.figures.web import web_figure
from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.people.sheet import game
from sheetgen.documents.render import environment, render
from sheetgen.errors import InputError, Problem, UsageError, quoted, suggestion
from sheetgen.geometry import PAPERS, mm
from sheetgen.model.session import GivenHandout, Session
from sheetgen.model.wording import sentence
from sheetgen.people.campaign_cast import CampaignCast, Evening, evening_of, file_beside, read_cast
from sheetgen.people.character_files import name_in_files, pack_named
from sheetgen.press.pages import bound
from sheetgen.products.form_cache import published, use_bundled_fonts
from sheetgen.products.handouts.handouts import pack_files
from sheetgen.products.options import TonedOptions, choice, paper_name
from sheetgen.products.product import Argument, Product, ProductResult, Sink
from sheetgen.products.session.parts import MadePart, OpenSession, SessionOptions, SessionParts, printing_runs
from sheetgen.workspace.campaigns import campaign_around, campaign_at, session_files
from sheetgen.workspace.packs import Pack, owner_of, sources, template_folders
from sheetgen.workspace.project import Project

KEPT = ".yaml"  # the form of a file of people
MOST = FileLimit(1_000_000, 50_000, "an evening has no more to say than that")
TEMPLATE = "session/new.yaml"
DICE = "2d6"
ENTRIES = 6  # that a table to roll on has at least
CAST_TEMPLATE = "session/campaign.html"
MOST_IN_WEB, NARROWEST = 40, 170.0  # mm
PAPERS_FOR = ("a4", "letter")


def open_session(project: Project, given: Any, options: SessionOptions) -> OpenSession:
    """Return the session of a file, or of the session.yaml in a folder; InputError with every problem of it."""
    path = project.where / given
    path = path / FILE if path.is_dir() else path
    problems = Problems()
    pack, session = read_session_file(project, path, options, problems)
    return complete_session(project, path, pack, session, problems=problems, people=evening_at)


def evening_at(project: Project, pack: Pack, session: Session, path: Path) -> Evening:
    """Return the people of a session that was read at a path; InputError with every problem of them."""
    campaign = campaign_around(project, path)
    cast = read_cast(project, campaign) if campaign is not None else None
    return evening_of(project, pack, session, path, cast)


def complete_session(
    project: Project,
    path: Path,
    pack: Pack,
    session: Session,
    *,
    problems: Problems,
    people: Callable[[Project, Pack, Session, Path], Evening],
) -> OpenSession:
    """Return a session that was read, with its people and files; InputError with these problems and all others."""
    evening, handouts, pictures = Evening(), list[tuple[Path, ...]](), list[Path | None]()
    try:
        evening = people(project, pack, session, path)
    except InputError as error:
        problems.extend(error)
    for scene in session.scenes:
        try:
            pictures.append(_picture_file(project, path, scene.map.picture if scene.map else None))
        except InputError as error:
            problems.extend(error)
        try:
            handouts.append(tuple(_handout(project, pack, path, each) for each in scene.handouts))
        except InputError as error:
            problems.extend(error)
    problems.raise_if_any()
    return OpenSession(path, pack, session, evening, tuple(handouts), tuple(pictures))


def read_session_file(
    project: Project, path: Path, options: TonedOptions, problems: Problems | None = None
) -> tuple[Pack, Session]:
    """Return what a session file says, and the pack of its game; InputError unless its `problems` are gathered."""
    shown = project.shown(path)
    if path.suffix.lower() not in (".yaml", ".yml"):
        raise UsageError(f"a session is a .yaml file, not {quoted(shown)} (sheetgen session new makes one)")
    return read_session_text(project, path, read_file(path, shown, most=MOST), options, problems=problems)


def read_session_text(
    project: Project,
    path: Path,
    data: bytes,
    options: TonedOptions,
    *,
    problems: Problems | None = None,
    opened: Callable[[Project, Scalar, Path], Pack] = pack_named,
) -> tuple[Pack, Session]:
    """Return what the bytes of a session file say, and the pack of its game; errors as `read_session_file`."""
    shown = project.shown(path)
    node = parse(data, shown, most=MOST)
    entries = node.entries if isinstance(node, MappingNode) else ()
    named = next((value for key, value in entries if key.text == "system" and isinstance(value, Scalar)), None)
    if named is None:
        raise InputError([Problem(node.place, "a session names its system (add `system: gamers` or the like)")])
    pack = opened(project, named, path).with_tone(options.tone)
    found = Problems() if problems is None else problems
    session = read_session(node, pack.system, found)
    if problems is None:
        found.raise_if_any()
    return pack, session


def _picture_file(project: Project, path: Path, word: Any) -> Path | None:
    return None if word is None else file_beside(path, word, project)


def _handout(project: Project, pack: Pack, path: Path, given: GivenHandout) -> Path:
    """Return the file of a handout; InputError where it is named for one that is not there."""
    if not given.ready:
        return file_beside(path, given.name, project)
    ready = {each.stem: each for each in pack_files(project, pack)}
    if given.name not in ready:
        near = suggestion(given.name, ready) or f" (there are {', '.join(ready) or 'none'})"
        told = f"{pack.system.title} has no handout {quoted(given.name)}{near}"
        raise InputError([Problem(given.name.place, told)])
    return ready[given.name]


def stream_session(project: Project, subject: OpenSession, options: SessionOptions, sink: Sink) -> ProductResult:
    """Write an evening; InputError for a text that does not fit, and for what the game refuses."""
    parts, session = SessionParts(project, subject, options), subject.session
    scenes, people = len(session.scenes), len(subject.evening.everybody)
    what = f"“{session.title}”, {scenes} scene{'s' if scenes != 1 else ''}, "
    what += f"{people} {'person' if people == 1 else 'people'}"
    if sink.form == KEPT:
        return _write_cast(project, subject, sink)
    if sink.form == ".html":
        sink.write(parts.web_page().encode())
        return ProductResult(b"", what)
    made = list[MadePart]()
    for name, make in parts.makers.items():
        if name in options.parts:
            sink.reporter.doing(f"making the {name}")
            made += make()
    if "run-sheet" in options.parts:
        sink.reporter.doing("making the run sheet")
        made.insert(0, parts.run_sheet(made))
    sink.reporter.doing("")
    if not made:
        raise UsageError(f"{session.title} has no {' and no '.join(options.parts)}")
    both = len(made) == 1 and bool(made[0].about.flip)
    bindings = [each.bound for each in made]
    sink.write(bound(bindings, title=session.title, author=subject.pack.system.credit, two_sided=both))
    return ProductResult(b"", what, tuple(printing_runs([each.about for each in made])), report=parts.report)


def part_of_text(
    project: Project,
    path: Path,
    text: str,
    part: str,
    *,
    opened: Callable[[Project, Scalar, Path], Pack],
    people: Callable[[Project, Pack, Session, Path], Evening],
) -> MadePart | None:
    """Return one part of what a file would be as an evening if it held this text, None if it has no such part.

    Of the run sheet the pages of one scene can be had alone: `run-sheet/2`. Errors as `open_session`, and those of the
    part.
    """
    problems, options = Problems(), SessionOptions()
    pack, session = read_session_text(project, path, text.encode(), options, problems=problems, opened=opened)
    subject = complete_session(project, path, pack, session, problems=problems, people=people)
    parts = SessionParts(project, subject, options)
    name, _, scene = part.partition("/")
    if name == "run-sheet":
        return parts.run_sheet(only=min(int(scene), len(session.scenes)) if scene else None)
    return next(iter(parts.makers[name]()), None)


def _write_cast(project: Project, subject: OpenSession, sink: Sink) -> ProductResult:
    """Write those who were rolled for this evening as a file of people, which other evenings take them from."""
    pack, people = subject.pack, subject.evening.rolled
    if not people:
        raise UsageError(f"{subject.session.title}: everybody of this evening is kept in a file already")
    sink.write("".join(yaml_text(pack.system, people, named=name_in_files(project, pack))).encode())
    count = f"{len(people)} {'person' if len(people) == 1 else 'people'}"
    return ProductResult(b"", f"{count} rolled for “{subject.session.title}”, to be kept and edited")


def _inputs(project: Project, subject: OpenSession) -> tuple[Path, ...]:
    own = [file for scene in subject.handouts for file in scene if not project.is_ours(file)]
    pictures = [each for each in subject.pictures if each is not None]
    return (subject.path, *subject.evening.files, *own, *pictures, *sources(project, subject.pack))


def _conflict(options: SessionOptions, formats: Collection[str]) -> None:
    if KEPT in formats and options.part:
        raise UsageError("a file of people has no parts: leave out --part, or make a .pdf")
    if ".html" in formats and not set(options.part) <= {"run-sheet", "people", "references"}:
        raise UsageError("a web page holds run sheet, people and references: leave out --part, or make a .pdf")


def _stem(subject: OpenSession, options: SessionOptions) -> str:
    name = subject.path.parent.name if subject.path.name == FILE and subject.path.parent.name else subject.path.stem
    size = "" if options.paper == "a4" else f"-{options.paper}"
    return f"{name}{''.join(f'-{each}' for each in options.part)}{size}"


SESSION: Product[OpenSession, SessionOptions] = Product(
    "session",
    "an evening in one PDF: run sheet, people, handouts, references, screen",
    formats=(".pdf", ".html", KEPT),
    options=SessionOptions,
    arguments=(Argument("file", "a session file, or a folder with a session.yaml", "SESSION.yaml"),),
    open=open_session,
    stem=_stem,
    stream=stream_session,
    inputs=_inputs,
    facts=lambda project, subject: {"system": subject.pack.system.id},
    owner=lambda project, subject: owner_of(project, subject.pack),
    conflict=_conflict,
)


def starter(project: Project, pack: Pack, *, named: str, file: str, title: str, seed: int) -> str:
    """Return the text of a new session for a game, called `named` in it; UsageError for a game without archetypes."""
    system = pack.system
    archetypes = [*system.cast.archetypes]
    if not archetypes:
        raise UsageError(f"{system.title} has no archetypes to begin a session with: write people of your own")
    chief = "boss" if "boss" in archetypes else archetypes[0]
    other = next((name for name in archetypes if name != chief), chief)
    group = next(iter(system.ready_groups), "")
    words = {
        "system": scalar(named),
        "file": file,
        "title": scalar(title),
        "seed": str(seed),
        "chief": chief,
        "band": f"{{group: {scalar(group)}}}" if group else f"{{archetype: {other}, count: 3}}",
        "archetype": other,
        "two": in_short(2, "", other),
        "usual": system.tries.usual if system.tries else DICE,
        "dice": DICE,
    }
    text = Template((project.templates / TEMPLATE).read_text("utf-8")).substitute(words)
    left_out = [] if system.tries else ["odds:", "- {try:"]  # no attempt could be asked for
    if len(system.cast.occupations) < ENTRIES:
        left_out.append("of: occupations")
    return "".join(line for line in text.splitlines(True) if not any(part in line for part in left_out))


def _paper(text: str) -> str:
    """Return the name of a paper; nothing for that of the campaign."""
    return paper_name(PAPERS_FOR, "casts are made for")(text) if text else ""


@dataclass(frozen=True, kw_only=True)
class CampaignOptions(TonedOptions):
    """How the cast is printed."""

    paper: str = choice("", "a4 or letter (default: that of the campaign)", read=_paper, metavar="SIZE")


@dataclass(frozen=True, slots=True)
class OpenCampaign:
    """A campaign whose cast and sessions were read."""

    cast: CampaignCast
    sessions: tuple[tuple[Path, Session], ...]


def _open_campaign(project: Project, given: Any, options: CampaignOptions) -> OpenCampaign:
    """Return the campaign of a folder; InputError with every problem of its files."""
    cast = read_cast(project, campaign_at(project, project.where / (given or ".")))
    read = tuple((file, read_session_file(project, file, options)[1]) for file in session_files(cast.campaign))
    if not cast.people:
        raise UsageError("this campaign has no cast yet: put files of characters into cast/ (sheetgen npc … -o)")
    return OpenCampaign(cast, read)


def make_cast(project: Project, subject: OpenCampaign, options: CampaignOptions, form: str) -> ProductResult:
    """Return the cast as PDF or web page."""
    cast = subject.cast
    system, paper = cast.pack.system.with_tone(options.tone), PAPERS[options.paper or cast.campaign.paper]
    people = [
        {
            "name": sentence(each.name),
            "trade": each.character.text("occupation"),
            "wants": sentence(each.character.text("want")),
            "file": str(each.file.relative_to(cast.campaign.folder)),
            "log": [{"date": entry.date, "what": entry.told} for entry in each.log],
            "hurt": ", ".join(f"{name} {lost}" for name, lost in each.hurt.items()),
        }
        for each in cast.people
    ]
    tied = sorted({at for one, other, _ in cast.ties for at in (one, other)})[:MOST_IN_WEB]
    names = [cast.people[at].name for at in tied]
    ties = [(tied.index(one), tied.index(other), said) for one, other, said in cast.ties if {one, other} <= {*tied}]
    sessions = [
        {
            "date": session.date,
            "title": session.title,
            "scenes": ", ".join(scene.title for scene in session.scenes),
            "given": ", ".join(
                given.title or Path(given.name).stem for scene in session.scenes for given in scene.handouts
            ),
        }
        for _, session in subject.sessions
    ]
    data: dict[str, Any] = {"game": game(system), "title": cast.campaign.title, "people": people, "sessions": sessions}
    data |= {"paper": {"width": paper.width, "height": paper.height}}
    data["web"] = web_figure(names, ties, mm(NARROWEST)) if ties else ""
    use_bundled_fonts(project)
    from sheetgen.pdf.flow import layout  # noqa: F401  # imports WeasyPrint once, before a process is forked for it

    def work() -> bytes:
        from sheetgen.pdf.flow.document import flow

        page = render(environment(template_folders(project, cast.pack), project.shown), CAST_TEMPLATE, data)
        page = with_ink(page, system.tone)
        if form == ".html":
            return published(project, cast.pack, page, CAST_TEMPLATE).encode()
        return flow(page, root=project.templates, name="campaign")

    made = confined(work, what=cast.campaign.title, limits=PUBLICATION)
    return ProductResult(made, f"{len(people)} people of “{cast.campaign.title}”")


CAMPAIGN: Product[OpenCampaign, CampaignOptions] = Product(
    "campaign",
    "the cast of a campaign: who knows whom, and what happened to them",
    formats=(".pdf", ".html"),
    options=CampaignOptions,
    arguments=(Argument("folder", "the folder of a campaign (default: this one)", "FOLDER", "?"),),
    open=_open_campaign,
    make=make_cast,
    stem=lambda subject, options: f"{subject.cast.campaign.folder.resolve().name}-cast",
    inputs=lambda project, subject: (
        *subject.cast.files,
        *(file for file, _ in subject.sessions),
        *sources(project, subject.cast.pack),
    ),
    owner=lambda project, subject: owner_of(project, subject.cast.pack),
    facts=lambda project, subject: {"system": subject.cast.pack.system.id},
)
