// What the page says of data that are missing in the shown period.

import { spanText } from '/page/coverage.js';
import { banner, noState, showNoEvents } from '/page/states.js';
import { traceOf, valueText } from '/page/values.js';
import { t } from '/page/words.js';

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {{from: number, to: number}} Period */

/** Returns those that are in a period.
 * @template {Period} T @param {T[]} list @param {Period} period */
function within(list, { from, to }) { return list.filter((each) => each.to > from && each.from < to); }

/** Tells what could not be read.
 * @param {Sheet[]} sheets @param {Period} period @param {import('./time.js').Zone} zone */
export function tellIncomplete(sheets, period, zone) {
  const shown = within(sheets, period);
  const bad = (/** @type {{state: string}} */ each) => each.state === 'damaged' || each.state === 'unavailable';
  const sheet = shown.find((each) => !each.complete);
  const elsewhere = sheet?.coverage.some(({ spans }) => spans.some(bad));
  const span = within(shown.flatMap((each) => each.coverage.flatMap(({ group, spans }) => spans.map((one) => ({ ...one, group })))), period).find(bad);
  const text = span ? span.group + ' ' + zone.text(span.from) + ' – ' + zone.text(span.to) + ' ' + spanText(span)
    : t('incompleteRead');
  banner('incomplete', sheet && (span || !elsewhere) ? t('incompleteText', text) : null);
}

/** Tells that the period has no events, and when there are some.
 * @param {Sheet[]} sheets @param {Period} period the present one at any time @param {string[]} names @param {import('./archive.js').Archive} archive
 * @param {(from: number, to: number) => void} show shows another period */
export function tellEmpty(sheets, period, names, { metadata, zone }, show) {
  const shown = within(sheets, period);
  const any = names.some((name) => shown.some((sheet) => {
    const trace = traceOf(sheet, name);
    return trace && (trace.held || (trace.events ?? trace.bins)?.time.length);
  }));
  if (any || shown.length === 0) {
    noState();
    return;
  }
  const lines = names.map((name) => {
    const known = metadata.get(name);
    const last = known?.lastValue ? ', ' + t('lastValue', valueText(known.lastValue.value, known) + ' ' + (known.unit ?? '')) : '';
    return known?.recorded ? name + ': ' + t('recorded', zone.text(known.recorded.from), zone.text(known.recorded.to)) + last : name + ': ' + t('not-recorded');
  });
  // The search for a held value ended at its look-back.
  const ended = shown[0].notes.map((note) => Date.parse(/ended at (\S+)/.exec(note)?.[1] ?? '')).find((each) => !Number.isNaN(each));
  if (ended !== undefined) lines.push(t('lookBack', zone.text(ended)));
  const ends = names.flatMap((name) => metadata.get(name)?.recorded?.to ?? []);
  const end = Math.max(...ends);
  const go = () => {
    // The period may have another length by then.
    const span = period.to - period.from;
    show(end - span * 0.95, end + span * 0.05);
  };
  showNoEvents(lines, ends.length > 0 ? go : null);
}
