// Print without which all works as plain links and forms: pictures that nobody looks at any more stop being drawn.
'use strict';
document.addEventListener('htmx:beforeCleanupElement', (event) => {
  if (!(event.target instanceof Element)) return;
  const pictures = event.target.matches('img') ? [event.target] : event.target.querySelectorAll('img');
  for (const each of pictures) if (!each.complete) each.removeAttribute('src');
});
