// An evening on a phone: places as tabs, search over all of them, clocks and boxes that stay as they are left, dice that
// follow what the engine told ahead. No rule of any game stands here: DATA has a tree of what is told for each roll.
const root = document.documentElement;
const $ = (wanted, inside = document) => inside.querySelector(wanted);
const all = (wanted, inside = document) => [...inside.querySelectorAll(wanted)];
const current = (link, on) => on ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
const made = (name, about = {}, ...inside) => {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(about)) key in one ? (one[key] = value) : one.setAttribute(key, value);
  one.append(...inside);
  return one;
};
root.classList.add("scripted");

// What is ticked, filled in and folded stays for the next time, where the browser stores anything. Each value has a key
// of its own and is written by a hand alone, never on opening: two windows of one evening undo nothing of each other.
const key = (name) => `tonight ${DATA.key}: ${name}`;
function stored(name) {
  try { return JSON.parse(localStorage.getItem(key(name))); } catch { return null; }
}
function store(name, value) {
  try { localStorage.setItem(key(name), JSON.stringify(value)); } catch { /* nothing is stored then */ }
}

// Places: one at a time, and of the rules one card at a time. The address says which.
const panes = all("main > .place");
const tabs = all(".tabs a");
const finder = $(".finder");
const box = $("input", finder);
const chips = $(".chips", finder);
const rules = all("article.rule");
const contents = $("#rules > .contents");
function go() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1))) || $("#tonight");
  const pane = target.closest(".place") || $("#tonight");
  for (const each of panes) each.hidden = each !== pane;
  for (const tab of tabs) current(tab, tab.hash === `#${pane.id}`);
  const rule = target.closest("article.rule");
  for (const each of rules) each.hidden = each !== rule;
  if (contents) contents.hidden = rule !== null;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (pane.id === "rules" && !box.value) neighbours(rule);
  if (pane.id !== "rules" && !box.value) chips.replaceChildren();
  for (const link of all("a", chips)) current(link, link.hash === location.hash);
  const shown = $("a[aria-current]", chips);
  if (shown) shown.scrollIntoView({ block: "nearest", inline: "center" });
  room();
  if (target === pane || target === rule) window.scrollTo(0, 0);
  else target.scrollIntoView({ block: "start" });
}
const chip = (title, id) => made("a", { href: `#${id}` }, title);
function neighbours(rule) {
  const near = rule ? rules.filter((each) => each.dataset.chapter === rule.dataset.chapter) : [];
  chips.replaceChildren(...(rule ? [made("a", { href: "#rules" }, "All rules")] : []), ...near.map((each) => chip(each.dataset.title, each.id)));
}
window.addEventListener("hashchange", go);

// Search: titles first, then words within; what is found stands in a row, the best of it below.
const places = [...rules, ...all(".who-card"), ...all(".scene-sheet")].map((each) => ({
  id: each.id,
  title: each.dataset.title || $("h2", each).textContent,
  text: each.textContent.toLowerCase(),
}));
const marks = window.Highlight && CSS.highlights ? new Highlight() : null;
if (marks) CSS.highlights.set("found", marks);
function mark(words) {
  marks.clear();
  const here = document.getElementById(location.hash.slice(1)) || $("main");
  const walker = document.createTreeWalker(here, NodeFilter.SHOW_TEXT);
  while (words.length && walker.nextNode()) {
    const text = walker.currentNode.data.toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + word.length);
        marks.add(range);
      }
    }
  }
}
function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const told = $("output", finder);
  const rank = (each) => words.every((word) => each.title.toLowerCase().includes(word)) ? 0 : 1;
  const found = words.length ? places.filter((each) => words.every((word) => each.text.includes(word))) : [];
  found.sort((one, other) => rank(one) - rank(other));
  told.textContent = words.length && !found.length ? "nowhere in this file" : "";
  chips.replaceChildren(...found.slice(0, 40).map((each) => chip(each.title, each.id)));
  if (found.length) history.replaceState(null, "", `#${found[0].id}`);
  go();
  if (marks) mark(words);
}
let waiting = 0;
box.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 80); });
box.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { box.value = ""; search(); }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input, select")) { event.preventDefault(); box.focus(); }
});

// Boxes to tick, numbers in pencil, rolls that are struck out.
all("main input").forEach((input, at) => {
  const name = `input ${at}`;
  if (input.type === "checkbox") input.checked = stored(name) === true;
  else input.value = stored(name) || "";
  input.addEventListener("change", () => store(name, input.type === "checkbox" ? input.checked : input.value));
});
all(".dice .roll").forEach((roll, at) => {
  const button = made("button", { type: "button", className: roll.className, textContent: roll.textContent });
  const press = (on) => button.setAttribute("aria-pressed", String(on));
  press(stored(`roll ${at}`) === true);
  button.addEventListener("click", () => { const on = button.getAttribute("aria-pressed") !== "true"; press(on); store(`roll ${at}`, on); });
  roll.replaceWith(button);
});

// Clocks: a tap fills a segment.
const SVG = "http://www.w3.org/2000/svg";
function sector(share) {
  if (share >= 1) return "M50 4A46 46 0 1 1 49.99 4Z";
  const turn = 2 * Math.PI * share - Math.PI / 2;
  return share ? `M50 50L50 4A46 46 0 ${share > 0.5 ? 1 : 0} 1 ${50 + 46 * Math.cos(turn)} ${50 + 46 * Math.sin(turn)}Z` : "";
}
all(".clock[data-segments]").forEach((clock, at) => {
  const whole = Number(clock.dataset.segments);
  const title = $("h2", clock).textContent;
  const filled = document.createElementNS(SVG, "path");
  filled.setAttribute("class", "filled");
  $(".face svg", clock).prepend(filled);
  const told = made("output");
  const fewer = made("button", { type: "button", textContent: "−", "aria-label": `Take a tick back: ${title}` });
  const more = made("button", { type: "button", textContent: "Tick", "aria-label": `Tick ${title}` });
  let now = Math.min(stored(`clock ${at}`) || 0, whole);
  const show = () => {
    filled.setAttribute("d", sector(now / whole));
    told.textContent = now === whole ? `${now} of ${whole}: full` : `${now} of ${whole}`;
    for (const beat of all(".beat", clock)) beat.classList.toggle("reached", Number($("b", beat).textContent) <= now);
  };
  const turn = (step) => { now = Math.max(0, Math.min(whole, now + step)); store(`clock ${at}`, now); show(); };
  fewer.addEventListener("click", () => turn(-1));
  more.addEventListener("click", () => turn(1));
  $(".face", clock).addEventListener("click", () => turn(1));
  $(".beats", clock).before(made("div", { className: "hands" }, fewer, told, more));
  show();
});

// Dice. A branch is [lines, question, answers, chance, whether it was followed]; a question is
// [kind, count, sides, purpose, classes, ordered]. Faces come from the browser's own randomness, or from the table.
const PIPS = { 1: [[5, 5]], 2: [[2.6, 2.6], [7.4, 7.4]], 3: [[2.6, 2.6], [5, 5], [7.4, 7.4]], 4: [[2.6, 2.6], [7.4, 2.6], [2.6, 7.4], [7.4, 7.4]], 5: [[2.6, 2.6], [7.4, 2.6], [5, 5], [2.6, 7.4], [7.4, 7.4]], 6: [[2.6, 2.4], [7.4, 2.4], [2.6, 5], [7.4, 5], [2.6, 7.6], [7.4, 7.6]] };
function die(face, sides) {
  const add = (name, about, inside = "") => {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(about)) one.setAttribute(key, value);
    one.textContent = inside;
    return one;
  };
  const svg = add("svg", { class: "die", viewBox: "0 0 10 10", role: "img", "aria-label": face });
  svg.append(add("rect", { x: 0.4, y: 0.4, width: 9.2, height: 9.2, rx: 1.6, fill: "#fff", stroke: "#000", "stroke-width": 0.7 }));
  if (sides === 6) svg.append(...PIPS[face].map(([x, y]) => add("circle", { cx: x, cy: y, r: 0.95 })));
  else svg.append(add("text", { x: 5, y: 7, "text-anchor": "middle", "font-size": face > 99 ? 4.2 : 5.6, "font-weight": 700, "font-family": "Source Serif Pro" }, face));
  return svg;
}
function below(bound) {
  const found = new Uint32Array(1);
  const limit = 2 ** 32 - (2 ** 32 % bound);
  do crypto.getRandomValues(found); while (found[0] >= limit);
  return found[0] % bound;
}
const thrown = (count, sides) => Array.from({ length: count }, () => below(sides) + 1);

// What dice say, as a branch names it: their sum, how many fell into each class, or the faces themselves.
function answer([kind, , , , classes, ordered], faces) {
  if (kind === "total") return String(faces.reduce((sum, face) => sum + face, 0));
  if (kind === "counts") return classes.map((some) => faces.filter((face) => some.includes(face)).length).join(".");
  return (ordered ? faces : [...faces].sort((one, other) => other - one)).join(".");
}

const tray = $("#dice");
const which = $("select", tray);
const picks = $(".picks", tray);
const rolled = $(".told-roll", tray);
const next = $(".next", tray);
const keypad = $(".keypad", tray);
const throwing = $("button.roll", tray);
const mine = $("button.mine", tray);
const ANY = { title: "Any dice", picks: [{ say: "dice", values: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"] }, { say: "sides", values: ["4", "6", "8", "10", "12", "20", "100"] }] };
const rolls = [...(DATA.rolls || []), ANY];
let chosen = [0, 0];
let before = [];

const roll = () => rolls[Number(which.value)];
const start = () => roll().ways && roll().ways[chosen.join(",")];
const question = (branch) => (branch[1] < 0 ? null : DATA.questions[branch[1]]);
const named = (asked) => `${asked[1]}d${asked[2]}`;
const anyDice = () => ["total", Number(ANY.picks[0].values[chosen[0]]), Number(ANY.picks[1].values[chosen[1]]), "dice", [], false];

function pickers() {
  picks.replaceChildren(...roll().picks.map(({ say, values }, at) => {
    if (values.length < 2) return "";
    const field = made("fieldset", {}, made("legend", { textContent: say, title: say }));
    const short = values.length < 6 && values.join("").length < 12;
    if (short) {
      field.append(made("div", { className: "choice" }, ...values.map((value, number) => made("button", { type: "button", textContent: value, "aria-pressed": String(number === chosen[at]), onclick: () => pick(at, number) }))));
    } else {
      const step = (by) => made("button", { type: "button", textContent: by < 0 ? "−" : "+", "aria-label": `${say}: ${by < 0 ? "less" : "more"}`, onclick: () => pick(at, Math.max(0, Math.min(values.length - 1, chosen[at] + by))) });
      field.append(made("div", { className: "stepper" }, step(-1), made("output", { textContent: values[chosen[at]] }), step(1)));
    }
    return field;
  }));
}
function pick(at, number) {
  const focus = all("button", picks).indexOf(document.activeElement);
  chosen[at] = number;
  store(`chosen ${roll().title} ${roll().say}`, chosen);
  ready();
  if (focus >= 0) all("button", picks)[focus].focus();
}
function ready() {
  pickers();
  const first = roll() === ANY ? null : DATA.branches[start()];
  const asked = roll() === ANY ? anyDice() : first && question(first);
  const chance = (roll().chances || {})[chosen.join(",")] || "";
  throwing.disabled = mine.disabled = !asked;
  throwing.replaceChildren(asked ? `Roll ${named(asked)}` : "Too many ways to follow here: use dice", ...(chance ? [made("b", { textContent: chance })] : []));
  next.hidden = keypad.hidden = true;
  room();
}
function choose(number) {
  which.value = String(number);
  const last = stored(`chosen ${roll().title} ${roll().say}`);
  chosen = last && last.every((value, at) => value < roll().picks[at].values.length) ? [...last] : roll().picks.map((each) => Math.floor((each.values.length - 1) / 2));
  ready();
}

// A roll is followed from question to question; what falls in one breath is thrown at once.
function begin(byHand) {
  rolled.replaceChildren();
  if (roll() === ANY) return fall(null, anyDice(), byHand);
  const branch = DATA.branches[start()];
  tell(branch[0]);
  fall(branch, question(branch), byHand);
}
function fall(branch, asked, byHand) {
  if (asked[0] === "pick") return follow(branch, String(below(asked[1])), byHand);
  if (byHand) return ask(branch, asked);
  return fell(branch, asked, thrown(asked[1], asked[2]), false);
}
function fell(branch, asked, faces, byHand) {
  rolled.append(made("div", { className: "fallen", role: "img", "aria-label": `${asked[3]}: ${faces.join(", ")}` }, ...faces.map((face) => die(face, asked[2]))));
  if (!branch) {
    rolled.append(made("p", { className: "said-line last", textContent: faces.length > 1 ? `${faces.join(" + ")} = ${answer(asked, faces)}` : String(faces[0]) }));
    return done();
  }
  return follow(branch, answer(asked, faces), byHand);
}
function follow(branch, key, byHand) {
  const after = DATA.branches[branch[2][key]];
  const asked = question(after);
  tell(after[0]);
  if (asked && (asked[0] === "pick" || !after[0].length)) return fall(after, asked, byHand);
  if (asked) return offer(after, asked);
  if (!after[4]) rolled.append(made("p", { className: "said-line", textContent: "Rarer than one in 20,000: play on by the rule." }));
  return done();
}
function tell(lines) {
  for (const line of lines) rolled.append(made("p", { className: "said-line", textContent: DATA.lines[line] }));
}
function offer(branch, asked) {
  keypad.hidden = true;
  next.hidden = false;
  next.replaceChildren(
    made("span", {}, made("b", { textContent: `${asked[3][0].toUpperCase()}${asked[3].slice(1)}` }), ...(branch[3] ? [made("br"), branch[3]] : [])),
    made("button", { type: "button", className: "mine", textContent: "I rolled", onclick: () => fall(branch, asked, true) }),
    made("button", { type: "button", className: "roll", textContent: `Roll ${named(asked)}`, onclick: () => { next.hidden = true; fall(branch, asked, false); } }),
  );
  room();
  next.lastElementChild.focus({ preventScroll: true });
}
function ask(branch, asked) {
  const faces = [];
  next.hidden = true;
  keypad.hidden = false;
  const show = () => {
    const said = `${asked[3]}, ${named(asked)}: ${faces.length ? faces.join(", ") : "tap what fell"}`;
    const full = (face) => {
      faces.push(face);
      if (faces.length < asked[1]) return show();
      keypad.hidden = true;
      return fell(branch, asked, faces, true);
    };
    const keys = asked[2] <= 20
      ? Array.from({ length: asked[2] }, (_, at) => made("button", { type: "button", textContent: String(at + 1), onclick: () => full(at + 1) }))
      : [made("input", { type: "number", min: "1", max: String(asked[2]), "aria-label": "what fell", onchange: (event) => { const face = Number(event.target.value); if (face >= 1 && face <= asked[2]) full(Math.floor(face)); } })];
    keypad.replaceChildren(made("p", { textContent: said, "aria-live": "polite" }), made("div", { className: "keys" }, ...keys, made("button", { type: "button", textContent: "⌫", "aria-label": "take back", onclick: () => { faces.pop(); show(); } })));
    $("button, input", keypad).focus({ preventScroll: true });
    room();
  };
  show();
}
function done() {
  next.hidden = true;
  const last = all(".said-line", rolled).pop();
  if (last) {
    last.classList.add("last");
    if (before.length) rolled.append(made("details", {}, made("summary", { textContent: `Before: ${before[0]}` }), ...before.slice(1).map((line) => made("p", { className: "said-line", textContent: line }))));
    before = [last.textContent, ...before].slice(0, 6);
  }
  room();
}

// The tray leaves as much of the page free as it takes.
const folding = $(".fold-dice");
function room() {
  const fixed = getComputedStyle(tray).position === "fixed" && !tray.hidden;
  root.style.setProperty("--dice", fixed ? `${tray.offsetHeight}px` : "0px");
  root.style.setProperty("--head", `${finder.offsetHeight}px`);
}
function fold(on) {
  tray.hidden = !on;
  folding.setAttribute("aria-expanded", String(on));
  room();
}
folding.hidden = finder.hidden = false;
folding.addEventListener("click", () => { store("dice", tray.hidden); fold(tray.hidden); });
window.addEventListener("resize", room);
throwing.addEventListener("click", () => { keypad.hidden = next.hidden = true; begin(false); });
mine.addEventListener("click", () => { begin(true); });
which.replaceChildren(...rolls.map((each, at) => made("option", { value: String(at), textContent: rolls.filter((one) => one.title === each.title).length > 1 ? `${each.title}: ${each.say}` : each.title })));
which.addEventListener("change", () => { rolled.replaceChildren(); choose(Number(which.value)); });
rolls.forEach((each, at) => {
  const card = each.rule && document.getElementById(each.rule);
  if (!card) return;
  const button = made("button", { type: "button", className: "play", textContent: rolls.filter((one) => one.rule === each.rule).length > 1 ? `Roll it: ${each.say || each.title}` : "Roll it" });
  button.addEventListener("click", () => { fold(true); rolled.replaceChildren(); choose(at); throwing.focus({ preventScroll: true }); });
  const whole = $(":scope > .whole", card);
  if (whole) whole.before(button);
  else card.append(button);
});
choose(0);
fold(stored("dice") !== false);
go();
