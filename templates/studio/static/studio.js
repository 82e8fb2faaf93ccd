// The studio without which all works as plain links and forms: columns of narrow windows, keys, and whether we are there.
'use strict';
const root = document.documentElement;
root.classList.add('scripted');

// Narrow windows show one or two of the three columns; the tabs say which.
function press() {
  const shown = document.getElementById('columns')?.dataset.shown;
  document.querySelectorAll('.tabs button').forEach((each) => each.setAttribute('aria-pressed', String(each.dataset.column === shown)));
}
function show(column) {
  const columns = document.getElementById('columns');
  if (columns) columns.dataset.shown = column;
  press();
}
document.addEventListener('click', (event) => {
  const tab = event.target.closest('.tabs [data-column]');
  if (tab) show(tab.dataset.column);
});
document.addEventListener('htmx:afterSettle', press);
press();

// Keys: whatever carries data-key is pressed, unless one types. `?` lists them, and switches them off.
const KEYS_OFF = 'sheetgen-keys-off';
function typing(element) {
  return element.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]') !== null;
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || localStorage.getItem(KEYS_OFF)) return;
  // Space is the browser's own on buttons; on a face of the wall it ticks that one.
  if (event.key === ' ' && event.target.closest('button, summary, input')) return;
  const own = event.key === ' ' && event.target.closest('[data-space]');
  if (own) {
    event.preventDefault();
    document.querySelector(own.dataset.space)?.click();
    return;
  }
  const wanted = [...document.querySelectorAll('[data-key]')].find((each) => each.dataset.key === event.key && each.offsetParent !== null);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches('input:not([type=checkbox]), textarea')) wanted.focus();
  else wanted.click();
});

// Find: `/` or Ctrl-K goes to the box, the arrows to what is found, Enter to the first of it, Escape back.
const finding = document.getElementById('find-words');
document.getElementById('find').addEventListener('submit', () => { document.getElementById('find-first').disabled = false; });
function found() { return [...document.querySelectorAll('#found-all a')]; }
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
    event.preventDefault();
    finding.focus();
    finding.select();
  }
  const inside = event.target.closest('#found-all') !== null;
  if (event.key === 'Escape' && (inside || event.target === finding)) {
    document.getElementById('found-all').replaceChildren();
    finding.value = '';
    if (inside) finding.focus();
    else finding.blur();
  }
  if (!['ArrowDown', 'ArrowUp'].includes(event.key) || !(inside || event.target === finding)) return;
  const stops = [finding, ...found()];
  const next = stops[stops.indexOf(event.target) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next) { next.focus(); event.preventDefault(); }
});
document.addEventListener('click', (event) => { if (!event.target.closest('#find, #found-all')) document.getElementById('found-all').replaceChildren(); });

// Escape leads out of a field, to where keys are heard; the editor of texts has an Escape of its own.
document.addEventListener('keydown', (event) => {
  const own = event.target === finding || event.target.closest('.cm-editor, dialog');
  if (event.key === 'Escape' && !own && event.target.matches('input, textarea')) event.target.blur();
});

const keys = document.getElementById('keys');
function listKeys() {
  const named = (each) => each.getAttribute('aria-label') || each.title || [...each.childNodes].filter((node) => node.nodeName !== 'KBD').map((node) => node.textContent).join(' ').trim();
  const seen = new Set();
  const rows = [...document.querySelectorAll('[data-key]')].filter((each) => each.offsetParent !== null).map((each) => [each.dataset.key, named(each)]);
  rows.push(['Ctrl K', 'Find anything'], ['Arrows, Enter', 'Along what is listed, and into it'], ['Esc', 'Out of a field, or of what is open'], ['?', 'These keys']);
  const list = document.getElementById('keys-list');
  list.replaceChildren(...rows.filter(([key]) => !seen.has(key) && seen.add(key)).map(([key, name]) => {
    const row = document.createElement('tr');
    const head = document.createElement('th');
    head.scope = 'row';
    head.append(Object.assign(document.createElement('kbd'), { textContent: key === ' ' ? 'Space' : key.length === 1 ? key.toUpperCase() : key }));
    row.append(head, Object.assign(document.createElement('td'), { textContent: name }));
    return row;
  }));
  document.getElementById('keys-off').checked = Boolean(localStorage.getItem(KEYS_OFF));
  keys.showModal();
}
document.getElementById('keys-button')?.addEventListener('click', listKeys);
document.addEventListener('keydown', (event) => { if (event.key === '?' && !typing(event.target) && !keys.open) listKeys(); });
document.getElementById('keys-off')?.addEventListener('change', (event) => {
  if (event.target.checked) localStorage.setItem(KEYS_OFF, 'yes');
  else localStorage.removeItem(KEYS_OFF);
});

// A server that has stopped is told of; typing goes on.
document.addEventListener('htmx:sendError', () => { document.getElementById('gone').hidden = false; });
document.addEventListener('htmx:responseError', () => { document.getElementById('told').textContent = 'That went wrong in the studio: nothing was changed. Its terminal says more.'; });
document.addEventListener('htmx:afterOnLoad', () => { document.getElementById('gone').hidden = true; });

// What is told of a field is told with it, and comes into sight: below it, or on top of the page until something is done.
function intoSight() {
  const field = document.activeElement;
  const own = field.id && document.getElementById(`said-${field.id}`);
  if (own) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', own.id);
  } else if (field.id && field.getAttribute('aria-describedby') === `said-${field.id}`) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
  (own || document.querySelector('#told .note'))?.scrollIntoView({ block: 'nearest' });
}
document.addEventListener('htmx:afterSettle', (event) => {
  if (event.detail.target.id === 'columns') document.querySelector('#told .note')?.remove();
  if (document.querySelector('.note, [aria-invalid]')) requestAnimationFrame(intoSight);  // when all of the answer stands
});

// Fields that tell at once what was typed: levels immediately, text after a rest.
const REST_MS = 120;
let resting = 0;
function edited(form) {
  clearTimeout(resting);
  if (window.htmx) htmx.trigger(form, 'edited');
}
document.addEventListener('input', (event) => {
  const form = event.target.closest('form[data-live]');
  if (!form || event.target.matches('.new, .added')) return;
  clearTimeout(resting);
  resting = setTimeout(() => edited(form), event.target.matches('.lv, select') ? 0 : REST_MS);
});
document.addEventListener('change', (event) => {
  const form = event.target.closest('form[data-live]');
  if (form && (event.target.matches('.added') || event.target.matches('.named, .lv.new'))) edited(form);
});

// The paper: the next picture is loaded and decoded beside, then takes the place of the last in one frame.
let drawn = 0;
function tell(words) {
  const place = document.getElementById('drawing');
  if (place) place.textContent = words;
}
function draw(turn) {
  const pager = document.getElementById('pager');
  const picture = document.getElementById('page');
  const sheet = document.getElementById('sheet');
  if (sheet && !pager) sheet.hidden = true;  // nobody is chosen
  if (!pager || !picture) return;
  const shown = Math.max(1, turn || 1);
  const address = `${pager.dataset.pages}-${shown}.png`;
  pager.dataset.page = shown;
  if (picture.getAttribute('src') === address) {
    sheet.hidden = false;
    return;
  }
  const number = ++drawn;
  const telling = setTimeout(() => tell('drawing'), 300);
  const next = new Image(pager.dataset.width, pager.dataset.height);
  next.id = 'page';
  next.alt = pager.dataset.alt;
  next.src = address;
  next.decode().then(() => {
    if (number !== drawn) return;
    document.getElementById('page').replaceWith(next);
    document.getElementById('of').textContent = shown;
    sheet.hidden = false;
    sheet.classList.toggle('small', Boolean(pager.dataset.small));
    const spots = document.getElementById('spots');
    if (spots) spots.hidden = shown > 1;
    document.dispatchEvent(new CustomEvent('studio:drawn', { detail: address }));
  }).catch(async () => {
    if (number !== drawn) return;
    if (shown > 1) pager.dataset.page = shown - 1;
    else document.getElementById('told').textContent = await (await fetch(address)).text();
  }).finally(() => {
    clearTimeout(telling);
    if (number === drawn) tell('');
  });
}
document.addEventListener('htmx:afterSettle', () => draw());
document.addEventListener('click', (event) => {
  const turn = event.target.closest('[data-turn]');
  if (turn) draw(Number(document.getElementById('pager').dataset.page || 1) + Number(turn.dataset.turn));
});

// The paper alone, or as large as it is printed: what is chosen holds as long as the window is open.
function look(which, on) {
  root.classList.toggle(which, on);
  sessionStorage.setItem(`look-${which}`, on ? 'yes' : '');
  document.querySelectorAll(`[data-look=${which}]`).forEach((each) => each.setAttribute('aria-pressed', String(on)));
  measure();
}
function measure() {
  document.querySelectorAll('.sheet img').forEach((each) => {
    const dots = Number(document.getElementById('paper')?.dataset.dpi || 128);
    const wide = root.classList.contains('actual') && each.naturalWidth;
    each.closest('.sheet').style.width = wide ? `${each.naturalWidth / dots}in` : '';
  });
}
for (const which of ['alone', 'actual']) if (document.querySelector('[data-look]') && sessionStorage.getItem(`look-${which}`)) look(which, true);
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-look]');
  if (button) look(button.dataset.look, !root.classList.contains(button.dataset.look));
});
document.addEventListener('load', (event) => { if (event.target.matches?.('.sheet img')) measure(); }, true);

// News of files that something else changed: one stream, as long as the window is seen; browsers open few to a host.
const STANDS_MS = 1500;
let news = null;
function deaf() {
  news?.close();
  news = null;
  delete root.dataset.news;
}
function listen() {
  deaf();
  if (document.visibilityState !== 'visible') return;
  news = new EventSource('/events');
  news.addEventListener('changed', (event) => document.dispatchEvent(new CustomEvent('studio:changed', { detail: JSON.parse(event.data) })));
  news.addEventListener('look', () => {
    root.dataset.news = 'heard';
    lookAgain();
  });
}
window.addEventListener('load', () => setTimeout(() => {
  listen();
  document.addEventListener('visibilitychange', listen);
  window.addEventListener('pagehide', deaf);
  window.addEventListener('pageshow', (event) => { if (event.persisted) listen(); });
}, STANDS_MS));
// What is typed, ticked or chosen, and not yet as the page came or was saved.
function touched(field) {
  if (field.matches('[type=search]')) return false;  // what one looks for is asked for again with the page
  if (field.matches('[type=checkbox], [type=radio]')) return field.checked !== field.defaultChecked;
  if (!field.matches('select')) return field.value !== field.defaultValue;
  return field.selectedIndex !== Math.max(0, [...field.options].findLastIndex((each) => each.defaultSelected));
}
function busy(where) {
  return [...document.querySelectorAll(where)].some((place) => [...place.querySelectorAll('input, textarea, select')].some(touched));
}
function here() {
  const address = new URL(location.href);
  const sought = document.querySelector('#list [type=search][name=q]');
  if (sought) address.searchParams.set('q', sought.value);
  return address.href;
}
let swaps = 0;
document.addEventListener('htmx:afterSwap', () => { swaps += 1; });
async function asItIsNow() {
  try {
    for (;;) {
      const [address, before] = [here(), swaps];
      const answer = await fetch(address);
      const text = await answer.text();
      if (address !== here() || before !== swaps) continue;  // older than what was done meanwhile
      return answer.ok ? new DOMParser().parseFromString(text, 'text/html') : null;
    }
  } catch {
    return null;  // the studio has stopped, or one leaves the page
  }
}
function relist(next) {
  const [list, now] = [document.getElementById('list'), next?.getElementById('list')];
  if (!now || busy('#list') || list.textContent === now.textContent) return;
  const focused = list.contains(document.activeElement) && document.activeElement.id;
  list.replaceChildren(...now.childNodes);
  window.htmx?.process(list);
  if (focused) document.getElementById(focused)?.focus();
}
function tellOfNews(words) { document.getElementById('told').textContent = words; }
function outside(file) {
  if (busy('#columns')) tellOfNews(`${file} was changed outside; what you type is not lost, and you will be asked.`);
  else if (window.htmx) htmx.ajax('GET', here(), { target: '#columns', select: '#columns', swap: 'outerHTML' });
  else tellOfNews(`${file} was changed outside: load the page again to see it.`);
}
const ownFile = () => document.querySelector('[data-file]')?.dataset.file;
const seenIn = (page) => page.querySelector('input[name=seen]')?.value;
const pulledIn = (page) => page.getElementById('pulls')?.textContent;
async function lookAgain() {
  const own = ownFile();
  if (document.querySelector('.columns.people')) relist(await asItIsNow());
  if (!own) return;
  const next = await asItIsNow();
  if (!next || own !== ownFile()) return;
  if (document.querySelector('form.htmx-request')) setTimeout(lookAgain, 300);  // its answer tells what the file is now
  else if (seenIn(next) !== seenIn(document)) outside(own);
  else if (pulledIn(next) !== pulledIn(document) && !busy('#columns')) outside('What can be pulled in');
}
document.addEventListener('studio:changed', (event) => {
  const [files, own] = [event.detail, ownFile()];
  if (own && own in files) {
    if (files[own] !== seenIn(document)) lookAgain();
  } else if (Object.keys(files).some((each) => /^(cast|groups|handouts)\//.test(each))) {
    lookAgain();
  }
});

// The wall: arrows go from one to the next.
document.addEventListener('keydown', (event) => {
  const face = event.target.closest('.face');
  if (!face || !event.key.startsWith('Arrow')) return;
  const faces = [...document.querySelectorAll('.face')];
  const across = Math.max(1, faces.filter((each) => each.getBoundingClientRect().top === faces[0].getBoundingClientRect().top).length);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
  const next = faces[faces.indexOf(face) + steps[event.key]];
  if (next) { next.focus(); event.preventDefault(); }
});
// In narrow windows whoever is chosen comes into sight.
document.addEventListener('click', (event) => { if (event.target.closest('.face') && window.innerWidth < 1180) show('work'); });

// The paper leads to the form, and the form rings the paper.
document.addEventListener('click', (event) => {
  const spot = event.target.closest('.spots [data-for]');
  if (!spot) return;
  if (window.innerWidth < 720) show('work');
  document.getElementById(spot.dataset.for)?.focus();
});
document.addEventListener('focusin', (event) => {
  const id = event.target.closest('#person') && event.target.id;
  document.querySelectorAll('.spots rect').forEach((each) => each.classList.toggle('ringed', each.dataset.for === id));
});
