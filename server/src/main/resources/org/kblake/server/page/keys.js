// The keyboard.

/** Listens for keys, except where text is written.
 * @param {Record<string, () => void>} actions by the key */
export function listenForKeys(actions) {
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const writing = target.matches('input, textarea, select, [contenteditable]');
    if (event.ctrlKey || event.metaKey || event.altKey || writing || document.querySelector('dialog[open]')) return;
    if (event.key === 'Enter' && target.matches('button, a, summary')) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      action();
    }
  });
}
