// The list of the channels of the chart, with their last values.

import { make } from '/page/dom.js';
import { isKnown, readingText, severityMark } from '/page/readout.js';
import { colourOf } from '/page/theme.js';
import { durationText } from '/page/time.js';
import { traceOf } from '/page/values.js';
import { t } from '/page/words.js';

/** @typedef {object} Actions @property {(name: string) => void} remove @property {(name: string | null) => void} focus @property {() => void} add */

export class Rail {
  /** @param {HTMLElement} element @param {Actions} actions */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.shown = '';
    /** @type {Map<string, HTMLElement>} */
    this.lines = new Map();
  }

  /** Shows channels.
   * @param {string[]} names @param {Map<string, any>} metadata */
  show(names, metadata) {
    const state = JSON.stringify([names, names.map((name) => [metadata.get(name)?.unknown, metadata.get(name)?.description]), document.documentElement.lang]);
    if (state === this.shown) return;
    this.shown = state;
    this.lines.clear();
    this.element.replaceChildren(make('ul', {}, ...names.map((name) => {
      const known = metadata.get(name);
      const line = make('span.value');
      this.lines.set(name, line);
      return make('li.card.series' + colourOf(name) + (known?.unknown ? '.unknown' : ''), {
        title: name + (known?.description ? '\n' + known.description : '') + (known?.group ? '\n' + t('group', known.group) : ''),
        mouseenter: () => this.actions.focus(name), mouseleave: () => this.actions.focus(null),
      }, make('span.swatch'), make('span.name', {}, known?.unknown ? t('unknownChannel', name) : name), line,
      make('span.tools', {},
        make('a', { href: '/channel?c=' + encodeURIComponent(name), 'aria-label': t('about', name), title: t('about', name) }, 'i'),
        make('button', { type: 'button', 'aria-label': t('remove', name), title: t('remove', name), click: () => this.actions.remove(name) }, '×')));
    })), names.length > 0 ? make('button.add', { type: 'button', click: () => this.actions.add() }, '+ ' + t('add')) : '');
  }

  /** Shows values.
   * @param {import('./values.js').Reading[]} readings @param {Map<string, any>} metadata
   * @param {import('./sheets.js').Sheet[]} sheets */
  values(readings, metadata, sheets) {
    for (const reading of readings) {
      const line = this.lines.get(reading.name);
      const known = metadata.get(reading.name);
      line?.replaceChildren(
        make('b', {}, readingText(reading, known)), ' ',
        isKnown(reading) ? make('span.unit', {}, known?.unit ?? '') : '',
        make('span.rate', {}, reading.state === 'disconnected' ? t('disconnected') : rate(sheets, reading.name)),
        severityMark(reading.severity) ?? '');
    }
  }
}

/** Returns the usual time between events.
 * @param {import('./sheets.js').Sheet[]} sheets @param {string} name */
function rate(sheets, name) {
  let [events, time] = [0, 0];
  for (const sheet of sheets) {
    const trace = traceOf(sheet, name);
    events += trace?.events?.time.length ?? trace?.bins?.count.reduce((sum, count) => sum + count, 0) ?? 0;
    time += sheet.to - sheet.from;
  }
  return events > 1 ? durationText(time / events) : '';
}
