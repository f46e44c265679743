// The page of a channel: what is known of it.

import { ask, askMetadata } from '/page/api.js';
import { byId, make } from '/page/dom.js';
import { Zone } from '/page/time.js';
import { valueText } from '/page/values.js';
import { t } from '/page/words.js';

/** Shows the page. */
export async function showChannel() {
  const name = new URLSearchParams(location.search).get('c') ?? '';
  const [known, archive] = await Promise.all([askMetadata(name), ask('archive')]);
  document.title = name + ' · kblake';
  const zone = new Zone(archive.zone);
  const range = (/** @type {any} */ limits) => (Array.isArray(limits) ? limits.map((each) => each ?? '…').join(' – ') : null);
  const last = known.lastValue;
  const labels = known.labels ? Object.entries(known.labels).map(([key, text]) => make('span.tag', {}, key + ' ' + text)) : null;
  /** @type {[string, any][]} */
  const rows = [
    ['description', known.description], ['groupName', known.group], ['type', known.type + (known.elements > 1 ? '[' + known.elements + ']' : '')],
    ['unit', known.unit], ['precision', known.precision], ['displayLimits', range(known.displayLimits)], ['warningLimits', range(known.warningLimits)],
    ['alarmLimits', range(known.alarmLimits)], ['labels', labels], ['aliases', known.aliases?.join(', ') || null],
    ['recordedPeriod', known.recorded ? zone.text(known.recorded.from) + ' – ' + zone.text(known.recorded.to) + ' ' + zone.offsetText(known.recorded.to) : null],
    ['lastValueName', last ? valueText(last.value, known) + ' ' + (known.unit ?? '') + ' · ' + zone.text(last.time, 1) : null],
  ];
  byId('sheet').replaceChildren(make('h1', {}, name), make('dl.panel', {}, ...rows.map(([key, value]) => make('div.row', {}, make('dt', {}, t(key)),
    make('dd' + (value === null || value === undefined ? '.note' : ''), {}, ...(Array.isArray(value) ? value : [String(value ?? t('unknown'))]))))),
  make('p', {}, make('a', { href: '/?c=' + encodeURIComponent(name) }, t('showTrend'))));
}
