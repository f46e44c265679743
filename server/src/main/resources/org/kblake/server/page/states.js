// What the page says when there is no chart to show, and banners above the chart.

import { byId, make } from '/page/dom.js';
import { t } from '/page/words.js';

/** Shows a state in place of the chart, or over it.
 * @param {(Node | null)[] | null} content */
function state(content) {
  const element = byId('state');
  const nodes = (content ?? []).flatMap((each) => each ?? []);
  element.hidden = content === null;
  // What is the same stays: it may have the focus, or be clicked at this moment.
  if (nodes.map((each) => each.textContent).join() !== [...element.childNodes].map((each) => each.textContent).join()) element.replaceChildren(...nodes);
}

/** Shows no state. */
export function noState() { state(null); }

/** Shows how to begin.
 * @param {string[]} examples @param {(name: string) => void} chosen */
export function showEmpty(examples, chosen) {
  const example = (examples[0] ?? 'CURRENT').toLowerCase().split(':').reverse().slice(0, 2).join(' ');
  state([
    make('h1', {}, t('emptyTitle')), make('p', {}, t('emptyText', example)),
    examples.length > 0 ? make('p', {}, t('emptyExamples')) : null,
    make('div.examples', {}, ...examples.map((name) => make('button.example', { type: 'button', click: () => chosen(name) }, name))),
  ]);
}

/** Shows that a period has no events.
 * @param {string[]} lines what is known of the channels
 * @param {(() => void) | null} go to where there are events */
export function showNoEvents(lines, go) {
  state([
    make('h1', {}, t('noEvents')), ...lines.map((line) => make('p', {}, line)),
    go ? make('button.example.primary', { type: 'button', click: go }, t('goThere')) : null,
  ]);
}

/** @type {Map<string, HTMLElement>} */
const banners = new Map();

/** Shows a banner, or removes it.
 * @param {string} key a banner replaces that with the same key @param {string | null} text
 * @param {'warning' | 'error'} kind @param {{label: string, action: () => void} | null} button */
export function banner(key, text, kind = 'warning', button = null) {
  const old = banners.get(key);
  if (old && text !== null && old.dataset.text === text) return;
  old?.remove();
  banners.delete(key);
  if (text !== null) {
    const element = make('div.banner.' + kind, { 'data-text': text }, make('span.sign', { 'aria-hidden': 'true' }, kind === 'error' ? '◆' : '▲'),
      make('span.text', { title: text }, text),
      button ? make('button', { type: 'button', click: button.action }, button.label) : null,
      make('button.close', { type: 'button', 'aria-label': t('dismiss'), title: t('dismiss'), click: () => banner(key, null) }, '×'));
    banners.set(key, element);
    byId('banners').append(element);
  }
}

/** Shows the keys. */
export function showHelp() {
  const row = (/** @type {string[]} */ keys, /** @type {string} */ text) =>
    make('div.row', {}, make('dt', {}, ...keys.map((key) => make('kbd', {}, key))), make('dd', {}, text));
  showDialog(
    make('form', { method: 'dialog' }, make('h1', {}, t('keysTitle')), make('button.close', { 'aria-label': t('close') }, '×')),
    make('div.columns', {},
      make('dl', {}, row(['←', '→'], t('keyArrows')), row(['+', '-'], t('keyZoom')), row(['L'], t('keyLive')), row(['/'], t('keySearch')),
        row(['E'], t('keyExtreme')), row(['[', ']'], t('keyHistory')), row(['?'], t('keyHelp'))),
      make('dl', {}, ...['Wheel', 'Drag', 'Shift', 'Double', 'Click', 'Pinch'].map((each) => row([t('gesture' + each)], t('do' + each))))),
  );
}

/** Shows a link to copy. A browser lets a page copy it only if the page came over TLS or from this machine.
 * @param {string} link */
export function showLink(link) {
  const field = /** @type {HTMLInputElement} */ (make('input.link', { readonly: true, value: link, 'aria-label': t('link') }));
  showDialog(make('form', { method: 'dialog' }, make('h1', {}, t('copyLink')), make('button.close', { 'aria-label': t('close') }, '×')), field);
  field.select();
}

/** Asks how an axis is to be drawn.
 * @param {import('./axes.js').Axis} axis @param {import('./url.js').AxisChoice} choice
 * @param {(choice: import('./url.js').AxisChoice) => void} chosen */
export function askAxis(axis, choice, chosen) {
  const option = (/** @type {string} */ name, /** @type {string} */ value, /** @type {boolean} */ checked, disabled = false) =>
    make('label', {}, make('input', { type: 'radio', name, value, checked, disabled }), t(value));
  const digits = Math.min(15, 4 + Math.ceil(Math.log10(Math.max(Math.abs(axis.min), Math.abs(axis.max)) / (axis.max - axis.min) + 1)));
  const number = (/** @type {string} */ name, /** @type {number} */ value) =>
    make('input', { name, type: 'number', step: 'any', value: +value.toPrecision(digits), 'aria-label': t(name) });
  const range = Array.isArray(choice.range) ? 'fixed' : choice.range ?? 'automatic';
  const form = make('form.axis', { method: 'dialog' }, make('h1', {}, t('axis', axis.unit || axis.key)),
    make('fieldset', {}, make('legend', {}, t('scale')), option('scale', 'automatic', choice.log === undefined),
      option('scale', 'linear', choice.log === false), option('scale', 'logarithmic', choice.log === true)),
    make('fieldset', {}, make('legend', {}, t('range')), option('range', 'automatic', range === 'automatic'),
      option('range', 'limits', range === 'limits', !axis.limited), option('range', 'fixed', range === 'fixed'),
      make('div.fixed', {}, number('min', axis.min), '–', number('max', axis.max))),
    make('button.example.primary', { type: 'submit' }, t('apply')));
  const read = () => {
    const data = new FormData(/** @type {HTMLFormElement} */ (form));
    const log = { automatic: undefined, linear: false, logarithmic: true }[String(data.get('scale'))];
    const fixed = /** @type {[number, number]} */ ([Number(data.get('min')), Number(data.get('max'))]);
    return { log, kind: data.get('range'), fixed };
  };
  form.addEventListener('input', (event) => {
    // Who writes a limit wants it.
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.type === 'number') /** @type {HTMLInputElement} */ (form.querySelector('[value=fixed]')).checked = true;
    const { log, kind, fixed } = read();
    const wrong = kind !== 'fixed' ? '' : !(fixed[0] < fixed[1]) ? t('wrongRange') : (log ?? axis.log) && fixed[0] <= 0 ? t('wrongLogRange') : '';
    /** @type {HTMLInputElement} */ (form.querySelector('[name=max]')).setCustomValidity(wrong);
  });
  form.addEventListener('submit', () => {
    const { log, kind, fixed } = read();
    chosen({ log, range: kind === 'limits' ? 'limits' : kind === 'fixed' ? fixed : undefined });
  });
  showDialog(form);
}

/** @param {...Node} content */
function showDialog(...content) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('help'));
  dialog.replaceChildren(...content);
  // A handler that returns false would take the click from buttons and inputs.
  dialog.onclick = (event) => { if (event.target === dialog) dialog.close(); };
  dialog.showModal();
}
