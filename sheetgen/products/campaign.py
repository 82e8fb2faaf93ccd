"""The cast of a campaign on paper: who knows whom, everybody with what happened to them, and the evenings so far."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sheetgen.batch.sandbox import PUBLICATION, confined
from sheetgen.documents.figures.web import web_figure
from sheetgen.documents.ink_saving import with_ink
from sheetgen.documents.render import environment, render
from sheetgen.documents.sheet import game, sentence
from sheetgen.errors import UsageError
from sheetgen.geometry import PAPERS, mm
from sheetgen.model.session import Session
from sheetgen.people.campaign_cast import CampaignCast, read_cast
from sheetgen.products.form_cache import published, use_bundled_fonts
from sheetgen.products.options import TonedOptions, choice, paper_name
from sheetgen.products.product import Argument, Product, ProductResult
from sheetgen.products.session import read_session_file
from sheetgen.workspace.campaigns import campaign_at, session_files
from sheetgen.workspace.packs import owner_of, sources, template_folders
from sheetgen.workspace.project import Project

TEMPLATE = "session/campaign.html"
MOST_IN_WEB, NARROWEST = 40, 170.0  # mm
PAPERS_FOR = ("a4", "letter")


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


def _open(project: Project, given: Any, options: CampaignOptions) -> OpenCampaign:
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

        page = render(environment(template_folders(project, cast.pack), project.shown), TEMPLATE, data)
        page = with_ink(page, system.tone)
        if form == ".html":
            return published(project, cast.pack, page, TEMPLATE).encode()
        return flow(page, root=project.templates, name="campaign")

    made = confined(work, what=cast.campaign.title, limits=PUBLICATION)
    return ProductResult(made, f"{len(people)} people of “{cast.campaign.title}”")


CAMPAIGN: Product[OpenCampaign, CampaignOptions] = Product(
    "campaign",
    "the cast of a campaign: who knows whom, and what happened to them",
    formats=(".pdf", ".html"),
    options=CampaignOptions,
    arguments=(Argument("folder", "the folder of a campaign (default: this one)", "FOLDER", "?"),),
    open=_open,
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
