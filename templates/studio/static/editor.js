// The editor of authors. Without it the textarea does all of this, with buttons.
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection } from '@codemirror/view';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { lintGutter, setDiagnostics, lintKeymap } from '@codemirror/lint';
import { searchKeymap, highlightSelectionMatches } from '@codemirror/search';
import { HighlightStyle, syntaxHighlighting, indentUnit } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { yaml } from '@codemirror/lang-yaml';
import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';

const REST = 350;
const LONG_REST = 1200;
const form = document.getElementById('editor-form');
const text = document.getElementById('text');
const state = document.getElementById('state');
const readOnly = form.dataset.readOnly === 'true';
const explained = form.dataset.explained === 'true';
const languages = { yaml, css, html };

// What is asked of the server: a later question ends an earlier one of its kind.
const running = {};
async function ask(what, fields = {}, kind = what) {
  running[kind]?.abort();
  const mine = running[kind] = new AbortController();
  const body = new URLSearchParams({ do: what, text: view.state.doc.toString(), seen: form.elements.seen.value, as: 'data', ...fields });
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: mine.signal });
    document.getElementById('gone').hidden = true;
    return { status: answer.status, data: (answer.headers.get('content-type') ?? '').includes('json') ? await answer.json() : {} };
  } catch (error) {
    if (error.name !== 'AbortError') document.getElementById('gone').hidden = false;
    return null;
  }
}

// Completion: keys with their help, words to choose from.
async function complete(context) {
  const word = context.matchBefore(/[\w-]*/);
  if (!context.explicit && word.from === word.to && !/:\s$|-\s$/.test(context.state.doc.lineAt(context.pos).text.slice(0, context.pos - context.state.doc.lineAt(context.pos).from))) return null;
  const line = context.state.doc.lineAt(context.pos);
  const found = await ask('explain', { line: line.number, column: context.pos - line.from + 1 });
  if (!found || found.status !== 200) return null;
  const { keys, values } = found.data;
  const options = [
    ...values.map((each) => ({ label: each, type: 'keyword' })),
    ...keys.map((each) => ({ label: each.word, detail: each.takes, info: each.help || undefined, apply: `${each.word}: `, boost: each.needed ? 2 : 0 })),
  ];
  return options.length ? { from: word.from, options, validFor: /^[\w-]*$/ } : null;
}

// Problems stand in the margin, and in words above the text.
function diagnosticsOf(problems) {
  return problems.filter((each) => each.line > 0).map((each) => {
    const line = view.state.doc.line(Math.min(each.line, view.state.doc.lines));
    const from = Math.min(line.from + Math.max(each.column - 1, 0), line.to);
    const rest = /^[^\s,\]}]*/.exec(line.text.slice(from - line.from))[0].length;
    return { from, to: Math.min(line.to, from + Math.max(rest, 1)), severity: each.is, message: each.message };
  });
}
let alone = [];
let whole = [];
let undrawn = { problems: [], elsewhere: [] };  // what only drawing finds, such as a mistake in a template
let elsewhere = [];
// What is told above and below the text takes room from it: the line that one is at stays in sight.
function inSight() {
  const [at, box] = [view.coordsAtPos(view.state.selection.main.head), view.scrollDOM.getBoundingClientRect()];
  return at !== null && at.top >= box.top && at.bottom <= box.bottom;
}
function telling(place, ...words) {
  const seen = inSight();
  place.replaceChildren(...words);
  if (seen && !inSight()) view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
}
function told() {
  const seen = new Set();
  const all = [...alone, ...whole, ...undrawn.problems].filter((each) => { const key = `${each.line}:${each.message}`; return !seen.has(key) && seen.add(key); });
  view.dispatch(setDiagnostics(view.state, diagnosticsOf(all)));
  const place = document.getElementById('problems');
  telling(place, ...all.slice(0, 6).map((each) => {
    const line = document.createElement('p');
    const link = document.createElement('a');
    line.className = each.is;
    link.href = `?line=${each.line}`;
    link.textContent = `line ${each.line}`;
    link.addEventListener('click', (event) => { event.preventDefault(); go(each.line); });
    line.append(link, ` ${each.message}`);
    return line;
  }), ...[...new Set([...elsewhere, ...undrawn.elsewhere])].slice(0, 4).map((each) => { const line = document.createElement('p'); line.className = 'warning'; line.textContent = each; return line; }));
}
function go(number) {
  const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
  view.dispatch({ selection: { anchor: line.from }, effects: EditorView.scrollIntoView(line.from, { y: 'center' }) });
  view.focus();
}

// What it changes: told when the whole pack was read with the draft in it.
function moves(found) {
  const place = document.getElementById('moves');
  if (!place) return;
  if (!found.length) { place.replaceChildren(); return; }
  const title = document.createElement('h2');
  title.textContent = 'What it changes';
  const list = document.createElement('ul');
  list.append(...found.map((each) => {
    const line = document.createElement('li');
    const what = document.createElement('small');
    what.textContent = each.what;
    line.append(each.name, what);
    return line;
  }));
  place.replaceChildren(title, list);
}

const line = () => view.state.doc.lineAt(view.state.selection.main.head).number;
// A chapter shows the rule that the line belongs to, the manifest the rule that names the value at the line.
const shownAt = (steps) => (steps[0] === 'rules' ? steps[1] : steps[0] === 'values' ? steps.join('.') : '');
let drawnOf = '';
function draw(again) {
  const paper = document.getElementById('author-paper');
  if (!paper || !window.htmx) return;
  htmx.ajax('GET', `${paper.dataset.paper}?line=${line()}${again ? '&again=1' : ''}`, { target: paper, swap: 'innerHTML', source: paper }).catch(() => {});  // a later drawing takes its place
}

document.addEventListener('undrawn', (event) => {
  undrawn = event.detail;
  told();
});

let rest = 0;
let longRest = 0;
function changed() {
  text.value = view.state.doc.toString();
  state.textContent = 'typing';
  clearTimeout(rest);
  clearTimeout(longRest);
  rest = setTimeout(async () => {
    rest = 0;
    const found = await ask(readOnly ? 'judge' : 'draft');
    if (!found || found.status !== 200) return;
    alone = found.data.problems;
    whole = [];
    elsewhere = [];
    undrawn = { problems: [], elsewhere: [] };
    state.textContent = found.data.draft;
    told();
    if (!alone.some((each) => each.is === 'error')) draw(true);
  }, REST);
  longRest = setTimeout(async () => {
    const found = await ask('whole');
    if (!found || found.status !== 200) return;
    whole = found.data.problems;
    elsewhere = found.data.elsewhere;
    told();
    moves(found.data.moves);
  }, LONG_REST);
}

async function save() {
  if (readOnly) return;
  const said = view.state.doc;
  const found = await ask('save');
  if (!found) return;
  if (found.status === 409) {
    text.value = view.state.doc.toString();
    const button = document.getElementById('save');
    form.requestSubmit(button);  // the page of the comparison says which holds
    return;
  }
  if (found.status !== 200) { state.textContent = 'not saved'; return; }
  form.elements.seen.value = found.data.seen;
  document.getElementById('drafted')?.remove();
  if (!view.state.doc.eq(said)) { changed(); return; }  // what was typed meanwhile is a draft of what is saved now
  state.textContent = found.data.told;
  clearTimeout(rest);
  rest = 0;
}

// Who leaves the page before the rest is over leaves a draft all the same.
function leave() {
  if (!rest || readOnly) return;
  const body = new URLSearchParams({ do: 'draft', text: view.state.doc.toString(), seen: form.elements.seen.value, as: 'data' });
  if (!navigator.sendBeacon(form.action, body)) return;  // larger than what may still be sent
  clearTimeout(rest);
  rest = 0;
}

let where = 0;
function moved() {
  if (!explained) return;
  clearTimeout(where);
  where = setTimeout(async () => {
    const at = view.state.selection.main.head;
    const here = view.state.doc.lineAt(at);
    const found = await ask('explain', { line: here.number, column: at - here.from + 1 }, 'where');
    if (!found || found.status !== 200) return;
    const place = document.getElementById('explained');
    const key = document.createElement('b');
    key.textContent = found.data.key || '';
    telling(place, key, found.data.help ? `  ${found.data.help}` : '');
    if (form.elements.line) form.elements.line.value = here.number;
    const shows = shownAt([...found.data.path, found.data.key]);
    if (shows && shows !== drawnOf) draw(true);
    drawnOf = shows || drawnOf;
  }, 250);
}

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.tagName], class: 'tok-key' },
  { tag: [tags.string, tags.content], class: 'tok-string' },
  { tag: [tags.comment, tags.lineComment], class: 'tok-comment' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace, tags.meta, tags.number], class: 'tok-mark' },
]);
const language = languages[form.dataset.language];
const view = new EditorView({
  parent: document.getElementById('editor'),
  state: EditorState.create({
    doc: text.value,
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), lintGutter(),
      indentUnit.of('  '), EditorState.tabSize.of(2), EditorView.lineWrapping,
      language ? language() : [], syntaxHighlighting(highlight),
      explained ? autocompletion({ override: [complete] }) : [],
      EditorView.contentAttributes.of({ 'aria-label': `${form.dataset.name} as text`, spellcheck: 'false', tabindex: '0' }),
      EditorState.readOnly.of(readOnly), EditorView.cspNonce.of(document.querySelector('script[type=importmap]').nonce),
      Prec.highest(keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => { save(); return true; } }])),
      keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed();
        if (update.selectionSet || update.docChanged) moved();
      }),
    ],
  }),
});
form.classList.add('edited');
document.getElementById('save')?.addEventListener('click', (event) => { if (event.isTrusted) { event.preventDefault(); save(); } });
window.addEventListener('pagehide', leave);
form.addEventListener('submit', () => { rest = 0; text.value = view.state.doc.toString(); });
window.addEventListener('keydown', (event) => { if ((event.ctrlKey || event.metaKey) && event.key === 's' && !event.defaultPrevented) { event.preventDefault(); save(); } });
if (Number(form.dataset.line)) go(Number(form.dataset.line));
ask('judge').then((found) => { if (found?.status === 200) { alone = found.data.problems; told(); } });
