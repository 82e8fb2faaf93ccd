// A book in a browser: search that marks what it finds, contents that fold and say where one is, tables that slide.
const page = document.documentElement;
const bar = document.querySelector(".bar");
const box = bar.querySelector("input");
const told = bar.querySelector("output");
const menu = bar.querySelector("button");
const contents = document.querySelector(".contents");
const main = document.querySelector("main");
const one = (part) => [part, ...(part.tagName === "DT" ? [part.nextElementSibling] : [])];
const parts = [...document.querySelectorAll(".rule, .reason, .back > table, .back > .wide, .words dt, .index li")].map(
  (part) => [one(part), one(part).map((each) => each.textContent).join(" ").toLowerCase()],
);
const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
let hits = [];
let at = -1;
let waiting = 0;

// Every word that is looked for stands in a <mark>; drawings are left alone.
function mark(part, words) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("svg, style")) found.push(walker.currentNode);
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  for (const text of found) {
    for (const hit of [...text.data.matchAll(pattern)].reverse()) {
      const range = document.createRange();
      range.setStart(text, hit.index);
      range.setEnd(text, hit.index + hit[0].length);
      range.surroundContents(document.createElement("mark"));
    }
  }
}

function unmark() {
  for (const each of main.querySelectorAll("mark")) {
    const parent = each.parentNode;
    each.replaceWith(...each.childNodes);
    parent.normalize();
  }
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  unmark();
  const shown = [];
  for (const [nodes, text] of parts) {
    const found = words.every((word) => text.includes(word));
    for (const node of nodes) node.classList.toggle("hidden", !found);
    if (found && words.length) shown.push(nodes);
  }
  page.classList.toggle("searching", words.length > 0);
  for (const section of document.querySelectorAll(".chapter, .back")) {
    const left = shown.some(([node]) => section.contains(node));
    section.classList.toggle("hidden", words.length > 0 && !left);
  }
  for (const [id, link] of links) {
    const target = document.getElementById(id);
    link.parentElement.classList.toggle("hidden", words.length > 0 && (!target || target.closest(".hidden") !== null));
  }
  for (const nodes of shown) for (const node of nodes) mark(node, words);
  hits = [...main.querySelectorAll("mark")];
  at = -1;
  const rules = shown.filter(([node]) => node.classList.contains("rule")).length;
  const count = `${hits.length} time${hits.length === 1 ? "" : "s"}, in ${rules} rule${rules === 1 ? "" : "s"}`;
  told.textContent = !words.length ? "" : shown.length ? count : "nowhere in this book";
  if (words.length) window.scrollTo({ top: Math.min(window.scrollY, main.offsetTop - bar.offsetHeight), behavior: "instant" });
}

function go(step) {
  if (!hits.length) return;
  if (at >= 0) hits[at].classList.remove("now");
  at = (at + step + hits.length) % hits.length;
  hits[at].classList.add("now");
  const folded = hits[at].closest("details");
  if (folded) folded.open = true;
  hits[at].scrollIntoView({ block: "center" });
  told.textContent = `${at + 1} of ${hits.length}`;
}

function open(wanted) {
  page.classList.toggle("contents-open", wanted);
  menu.setAttribute("aria-expanded", String(wanted));
}

bar.hidden = false;
page.classList.add("scripted");
box.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, 80);
});
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
  if (event.key === "Escape") {
    box.value = "";
    search();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && document.activeElement !== box) {
    event.preventDefault();
    box.focus();
  } else if (event.key === "Escape" && page.classList.contains("contents-open")) {
    open(false);
    menu.focus();
  }
});
menu.addEventListener("click", () => open(!page.classList.contains("contents-open")));
contents.addEventListener("click", (event) => event.target.closest("a") && open(false));

// A chapter of the contents folds: its button says whether its rules are shown.
for (const list of contents.querySelectorAll("li > ol")) {
  const button = document.createElement("button");
  button.className = "fold";
  button.setAttribute("aria-label", `Rules of ${list.parentElement.querySelector("a").textContent}`);
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    button.setAttribute("aria-expanded", String(button.getAttribute("aria-expanded") !== "true"));
  });
  list.before(button);
}

// Where one is: the last heading above the middle of the screen.
const targets = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
let here = null;
function locate() {
  const passed = targets.filter((each) => each.offsetParent && each.getBoundingClientRect().top < window.innerHeight / 3);
  const link = passed.length ? links.get(passed[passed.length - 1].id) : null;
  if (link === here) return;
  if (here) here.removeAttribute("aria-current");
  here = link;
  if (!here) return;
  here.setAttribute("aria-current", "true");
  for (const each of contents.querySelectorAll("li.inside")) each.classList.remove("inside");
  for (let item = here.closest("li"); item; item = item.parentElement.closest("li")) item.classList.add("inside");
  if (contents.scrollHeight > contents.clientHeight) {
    const top = here.getBoundingClientRect().top - contents.getBoundingClientRect().top;
    if (top < 0 || top > contents.clientHeight - 40) contents.scrollTop += top - contents.clientHeight / 3;
  }
}
let frame = 0;
window.addEventListener("scroll", () => (frame ||= requestAnimationFrame(() => ((frame = 0), locate()))), { passive: true });
locate();

// What is wider than the screen can be reached by keyboard, and says that it slides.
function slides() {
  for (const each of document.querySelectorAll(".pane, .wide")) {
    const wide = each.scrollWidth > each.clientWidth + 4;
    each.classList.toggle("slides", wide);
    if (wide) each.setAttribute("tabindex", "0");
    else each.removeAttribute("tabindex");
  }
}
window.addEventListener("resize", slides);
document.fonts?.ready.then(slides); // letters of the page's own fonts are narrower than those they wait in
slides();
