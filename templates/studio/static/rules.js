// Rules: sliders go with the fields beside them; without script the fields are enough.
'use strict';
function slides() {
  for (const slide of document.querySelectorAll('.slide[hidden]')) slide.hidden = false;
}
document.addEventListener('input', (event) => {
  const slide = event.target.closest('.slide');
  if (slide) {
    document.getElementById(slide.dataset.for).value = slide.value;
    return;
  }
  const beside = event.target.closest('.typed')?.querySelector('.slide');
  if (beside && /^-?\d+$/.test(event.target.value)) beside.value = event.target.value;
});
document.addEventListener('htmx:afterSettle', slides);
document.addEventListener('click', (event) => {
  const play = event.target.closest('[data-play]');
  if (!play || !document.getElementById('play')) return;
  event.preventDefault();
  if (window.innerWidth < 720) show('paper');
  document.querySelector('#play input:not([type=hidden]):not(.slide), #play select, #play .go').focus();
});
slides();
// On a narrow screen what came of a roll comes into sight.
document.addEventListener('htmx:afterSettle', (event) => {
  if (event.target.id === 'playing') document.querySelector('#came > *')?.scrollIntoView({ block: 'nearest' });
});
