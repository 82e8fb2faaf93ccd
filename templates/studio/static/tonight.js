// Tonight: what is saved is told to all forms, the paper is drawn again, and entries are dragged. Each drag has a button too.
'use strict';
(() => {
  const $ = (selector) => document.querySelector(selector);
  const seen = () => $('input[name=seen]').value;

  // A field that saved itself: every form learns what the file is now, and the paper is drawn again after a rest.
  let rest = 0;
  function redraw() {
    clearTimeout(rest);
    recount();
    rest = setTimeout(() => {
      const paper = $('#paper-inside');
      if (!paper) return;
      paper.classList.add('drawing');
      htmx.trigger(paper, 'redraw');
    }, 500);
  }
  // How many pages all of it has is counted once nothing has changed for a while, and given up as soon as something does.
  function recount() {
    htmx.trigger('#evening-count', 'htmx:abort');
    $('#evening-count').textContent = '';
    if (!$('#carried').textContent.endsWith('…')) $('#carried').textContent = '';  // it is of what was
  }
  document.body.addEventListener('htmx:afterSwap', (event) => {
    const count = $('#evening-count');
    if (event.detail.target.id === 'paper-inside' && !count.textContent && !count.matches('.htmx-request')) htmx.trigger(count, 'count');
  });
  // The file for a phone takes seconds: that it is made is told at once, and it is kept when it is there.
  document.addEventListener('click', async (event) => {
    const link = event.target.closest('#to-carry');
    if (!link || link.dataset.made) return;
    event.preventDefault();
    const told = $('#carried');
    if (told.textContent.endsWith('…')) return;
    told.textContent = 'making the file …';
    const answer = await fetch(link.href).catch(() => null);
    told.textContent = answer?.ok ? 'made, and downloaded' : '';
    if (!answer?.ok) return location.assign(link.href);  // the page that says why
    link.dataset.made = 'yes';
    link.click();
    delete link.dataset.made;
  });
  // What was last sent of a field: its own user's words, though the answer is late, is lost, or finds other columns here.
  const sent = new Map();
  const fieldOf = (form) => [form.getAttribute('action'), form.elements.of?.value, form.elements.field?.value].join(' ');
  // What the file said of a field when it was last read or saved: two windows that change different ones both may.
  function asShown(form) {
    const [was, title] = [form.elements.value.defaultValue, $('#scene-title')];
    return { was, sent: sent.get(fieldOf(form)) ?? was, ...(form.elements.scene_title && title ? { scene_title: title.defaultValue } : {}) };
  }
  // Requests stand in line, and each says what the file was after the one before it.
  document.body.addEventListener('htmx:configRequest', (event) => {
    const asked = event.detail.formData;
    if (!asked.has('was')) return;
    for (const [name, said] of Object.entries(asShown(event.target))) asked.set(name, said);
    sent.set(fieldOf(event.target), asked.get('value'));
  });
  document.body.addEventListener('saved', (event) => {
    const field = event.target.elements?.value;
    if (field && sent.has(fieldOf(event.target))) field.defaultValue = sent.get(fieldOf(event.target));
    document.querySelectorAll('input[name=seen]').forEach((each) => { each.value = event.detail.seen; });
    redraw();
  });

  // Whoever is quicker than the answers loses nothing: columns that are replaced take over what is being typed, and what
  // was sent meanwhile and stands in line is sent by the new ones; what was pressed of an entry is pressed where it is now.
  const inLine = [];
  const restored = new WeakSet();
  let [typed, late, pressed, stay] = [[], [], [], null];
  const saying = (form) => JSON.stringify([form.className, ...[...new FormData(form)].filter(([name]) => name !== 'seen')]);
  const savesItself = (form) => (form?.getAttribute('hx-trigger') ?? '').includes('change');
  document.addEventListener('submit', (event) => { if (event.target.closest('#columns')) inLine.push({ form: event.target, button: event.submitter }); }, true);
  document.addEventListener('change', (event) => { restored.delete(event.target); }, true);
  document.body.addEventListener('htmx:configRequest', (event) => {
    const at = inLine.findIndex((each) => each.form === event.target);
    if (at >= 0) inLine.splice(at, 1);
  });
  // An entry is named by its list and its place there, which is another one after what was done; -1 where it is gone.
  function placed(element) {
    const entry = element?.closest('.entry, .scene.here .scene-row');
    return entry && { list: entry.dataset.list, at: Number(entry.dataset.at), press: element.className.match(/\b(up|down|out)\b/)?.[0] };
  }
  function since(done, { list, at, press }) {
    const [from, to] = [Number(done.at), Number(done.to)];
    let now = at;
    if (list && done.list === list && done.do === 'move') now = at === from ? to : at - (from < at && at <= to) + (to <= at && at < from);
    if (list && done.list === list && ['remove', 'transfer'].includes(done.do)) now = at === from ? -1 : at - (from < at);
    return { list, at: now, press, before: at };
  }
  const entries = (list) => [...document.querySelectorAll(list ? `.entry[data-list=${list}]` : '.scene.here .scene-row')];
  const entryAt = ({ list, at }) => (list ? entries(list)[at] : entries(list)[0]);
  function stand() {
    if (!stay || document.activeElement !== document.body) return;
    const entry = stay.card ? null : entryAt(stay) ?? entries(stay.list).at(stay.at < 0 ? Math.min(stay.before, entries(stay.list).length - 1) : -1);
    const card = stay.card && [...document.querySelectorAll('#pulls .card form')].find((each) => saying(each) === stay.card);
    (card?.querySelector('button') ?? (stay.press && entry?.querySelector(`.${stay.press}`)) ?? (entry?.tabIndex < 0 ? entry.querySelector('input') : entry))?.focus();
  }
  document.body.addEventListener('htmx:beforeSwap', (event) => {
    if (event.detail.target.id !== 'columns') return;
    giveUp();  // the scene that fights are weighed for makes way for another
    const done = event.detail.requestConfig.elt;
    const fields = [...event.detail.target.querySelectorAll('input[id]:not([type=search]), textarea[id]')];
    typed = fields.filter((each) => touched(each) && !done.contains(each)).map((each) => [each.id, each.value, each.selectionStart]);
    const [waiting, asked] = [inLine.splice(0).filter((each) => each.form.isConnected), event.detail.requestConfig.parameters];
    late = waiting.map((each) => each.form).filter((each) => each !== done && !each.elements.at).map(saying);
    pressed = waiting.map((each) => placed(each.button)).filter((each) => each?.press).map((each) => since(asked, each));
    const [focused, card] = [document.activeElement, document.activeElement.closest('#pulls .card form')];
    kept.set('focus', focused.id);
    stay = card ? { card: saying(card) } : placed(focused) && since(asked, placed(focused));
  });
  document.body.addEventListener('htmx:afterSettle', (event) => {
    if (event.detail.target.id !== 'columns') return;
    for (const [id, value, at] of typed) {
      const field = document.getElementById(id);
      if (!field) continue;
      field.value = value;
      restored.add(field);
      if (field === document.activeElement) field.setSelectionRange?.(at, at);
    }
    document.body['htmx-internal-data']?.queuedRequests?.splice(0);  // of forms that are gone: they would block the line
    stand();
    const [fields, forms, presses] = [typed.map(([id]) => document.getElementById(id)), late, pressed];
    setTimeout(() => {  // once this answer is done with, whose turn it still is
      for (const field of fields) if (field && field !== document.activeElement && savesItself(field.form)) htmx.trigger(field.form, 'change');
      for (const said of forms) [...document.querySelectorAll('#columns form')].find((each) => saying(each) === said)?.requestSubmit();
      for (const each of presses) entryAt(each)?.querySelector(`.${each.press}`)?.click();
    });
    [typed, late, pressed, stay] = [[], [], [], null];
  });
  document.addEventListener('focusout', (event) => {
    if (restored.delete(event.target) && touched(event.target)) event.target.dispatchEvent(new Event('change', { bubbles: true }));
  });

  // What is typed when the window is left is saved: at once where it stays open, and by a message that outlives it.
  const unsaved = () => [...document.querySelectorAll('#columns form')].filter((each) => savesItself(each) && each.elements.value && touched(each.elements.value));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') for (const form of unsaved()) htmx.trigger(form, 'change');
  });
  window.addEventListener('pagehide', () => {
    for (const form of unsaved()) {
      const [body, value] = [new URLSearchParams(new FormData(form)), form.elements.value.value];
      for (const [name, said] of Object.entries(asShown(form))) body.set(name, said);
      body.set('seen', seen());
      if (navigator.sendBeacon(form.action, body)) form.elements.value.defaultValue = value;
    }
  });

  // The last picture stays until the next is loaded and decoded.
  let shown = null;
  document.body.addEventListener('htmx:beforeSwap', (event) => {
    if (event.detail.target.id === 'paper-inside') shown = event.detail.target.querySelector('.sheet img');
  });
  document.body.addEventListener('htmx:afterSwap', (event) => {
    if (event.detail.target.id !== 'paper-inside') return;
    event.detail.target.classList.remove('drawing');
    const [last, next] = [shown, event.detail.target.querySelector('.sheet img')];
    if (!last || !next) return;
    next.replaceWith(last);
    next.decode().catch(() => {}).finally(() => { if (last.isConnected) last.replaceWith(next); });
  });
  document.body.addEventListener('htmx:afterSettle', (event) => {
    if (event.detail.target.id !== 'columns') return;
    const paper = $('#paper-inside');
    const wanted = $('.scene.here')?.dataset.scene;
    if (paper && wanted) {
      paper.setAttribute('hx-get', paper.dataset.paper.replace(/\d+\/paper$/, `${wanted}/paper`));
      htmx.process(paper);
    }
    redraw();
  });

  // What one reads stays where it is when the columns are replaced.
  const kept = new Map();
  document.body.addEventListener('htmx:beforeRequest', () => {
    document.querySelectorAll('.col').forEach((each) => kept.set(each.id, each.scrollTop));
  });
  document.body.addEventListener('htmx:afterSwap', (event) => {
    if (event.detail.target.id !== 'columns') return;
    document.querySelectorAll('.col').forEach((each) => { each.scrollTop = kept.get(each.id) ?? 0; });
    const focused = kept.get('focus') && document.getElementById(kept.get('focus'));
    if (focused) focused.focus({ preventScroll: true });
  });

  // Fights that take a while tell how far they are. Stop leaves what is known: nobody waits any more, which ends them.
  let weighing = 0;
  document.body.addEventListener('htmx:beforeRequest', ({ detail }) => {
    if (detail.target.id !== 'odds') return;
    const [asked, place] = [detail.pathInfo.finalRequestPath.replace('?', '/so-far?'), $('#so-far')];
    clearInterval(weighing);
    place.textContent = '';
    const number = weighing = setInterval(async () => {
      const answer = await fetch(asked).catch(() => null);
      const told = answer?.ok ? await answer.text() : '';
      if (told && number === weighing) place.textContent = told;
    }, 600);
  });
  document.body.addEventListener('htmx:afterRequest', ({ detail }) => {
    if (detail.target.id === 'odds') clearInterval(weighing);
  });
  const giveUp = () => { if ($('#odds')) htmx.trigger('#odds', 'htmx:abort'); };
  document.addEventListener('click', (event) => {
    if (event.target.id !== 'stop-fights') return;
    giveUp();
    const [odds, known, told] = [$('#odds'), $('#going-on'), $('#so-far').textContent];
    if (known) known.textContent = ' — stopped there';
    else odds.textContent = `Stopped${told && `: ${told}`}.`;
    odds.focus();
  });

  // Alt with an arrow moves the entry that has the focus, as its buttons do.
  document.addEventListener('keydown', (event) => {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return;
    const entry = event.target.closest('.entry, .scene-row');
    const button = entry?.querySelector(event.key === 'ArrowUp' ? '.up' : '.down');
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  // Dragging: entries within a list and to other scenes, scenes among themselves, and from the left into the scene.
  let dragged = null;
  function send(values) {
    htmx.ajax('POST', $('#mover').getAttribute('action'), { source: '#mover', values, target: '#columns', select: '#columns', swap: 'outerHTML' });
  }
  document.addEventListener('dragstart', (event) => {
    dragged = event.target.closest('.entry, .scene-row, .card');
    if (!dragged) return;
    dragged.classList.add('dragged');
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', dragged.textContent.trim().slice(0, 80));
  });
  function over(event) {
    if (!dragged) return null;
    const kind = dragged.className.match(/entry|scene-row|card/)[0];
    if (kind === 'scene-row') return event.target.closest('.scene-row');
    if (kind === 'entry') return event.target.closest(`.entry[data-list=${dragged.dataset.list}]`) ?? event.target.closest('.scene:not(.here)');
    return event.target.closest('#scene-open');
  }
  const clear = () => document.querySelectorAll('.is-over, .drop-before').forEach((each) => each.classList.remove('is-over', 'drop-before'));
  document.addEventListener('dragover', (event) => {
    const target = over(event);
    clear();
    if (!target || target === dragged) return;
    event.preventDefault();
    target.classList.add(target.matches('.entry, .scene-row') ? 'drop-before' : 'is-over');
  });
  // Near the upper or lower edge of a column what is dragged scrolls it: no place is out of reach behind a long scene.
  const EDGE = 70;
  let [scroller, pull] = [null, 0];
  function scroll() {
    if (!dragged || !pull) return;
    scroller.scrollTop += pull;
    requestAnimationFrame(scroll);
  }
  document.addEventListener('dragover', (event) => {
    const [still, column] = [!pull, dragged && event.target.closest('.col')];
    const box = column?.getBoundingClientRect();
    const [above, below] = column ? [event.clientY - Math.max(0, box.top), Math.min(window.innerHeight, box.bottom) - event.clientY] : [EDGE, EDGE];
    scroller = column?.scrollHeight > column?.clientHeight ? column : document.scrollingElement;
    pull = (Math.min(0, above - EDGE) - Math.min(0, below - EDGE)) / 5;
    if (still) scroll();
  });
  document.addEventListener('drop', (event) => {
    const target = over(event);
    clear();
    if (!target || target === dragged) return;
    event.preventDefault();
    if (dragged.matches('.card')) dragged.querySelector('button').click();
    else if (dragged.matches('.scene-row')) send({ do: 'move-scene', at: dragged.dataset.at, to: target.dataset.at });
    else if (target.matches('.entry')) send({ do: 'move', list: dragged.dataset.list, at: dragged.dataset.at, to: target.dataset.at });
    else send({ do: 'transfer', list: dragged.dataset.list, at: dragged.dataset.at, scene: target.dataset.scene });
  });
  document.addEventListener('dragend', () => { dragged?.classList.remove('dragged'); dragged = null; clear(); });
})();
