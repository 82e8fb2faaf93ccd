// The studio without which all works as plain links and forms: columns of narrow windows, keys, and whether we are there.
'use strict';
const root = document.documentElement;
root.classList.add('scripted');

// Narrow windows show one or two of the three columns.
function show(column) {
  const columns = document.getElementById('columns');
  if (!columns) return;
  const open = column === 'list' && !columns.classList.contains('drawn');
  columns.classList.toggle('drawn', open);
  columns.dataset.shown = column;
  document.querySelectorAll('.tabs button').forEach((each) => each.setAttribute('aria-pressed', String(each.dataset.column === columns.dataset.shown)));
}
document.addEventListener('click', (event) => {
  const tab = event.target.closest('.tabs [data-column]');
  if (tab) show(tab.dataset.column);
});
document.querySelectorAll('.tabs button').forEach((each) => each.setAttribute('aria-pressed', String(each.dataset.column === document.getElementById('columns')?.dataset.shown)));

// Keys: whatever carries data-key is pressed, unless one types. `?` lists them, and switches them off.
const KEYS_OFF = 'sheetgen-keys-off';
function typing(element) {
  return element.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]') !== null;
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || localStorage.getItem(KEYS_OFF)) return;
  const wanted = [...document.querySelectorAll('[data-key]')].find((each) => each.dataset.key === event.key && each.offsetParent !== null);
  if (!wanted) return;
  event.preventDefault();
  if (wanted.matches('input:not([type=checkbox]), textarea')) wanted.focus();
  else wanted.click();
});

// A server that has stopped is told of; typing goes on.
document.addEventListener('htmx:sendError', () => { document.getElementById('gone').hidden = false; });
document.addEventListener('htmx:afterOnLoad', () => { document.getElementById('gone').hidden = true; });
