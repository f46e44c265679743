// The page of the archive's state: groups, worst first, in the words of kblake status.

import { ask } from '/page/api.js';
import { drawSpans } from '/page/coverage.js';
import { byId, make } from '/page/dom.js';
import { DAY, durationText } from '/page/time.js';
import { t } from '/page/words.js';

const STRIP = 220;

/** @param {number | null | undefined} bytes */
function size(bytes) {
  if (typeof bytes !== 'number') return '';
  const power = Math.min(5, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return +(bytes / 1024 ** power).toPrecision(3) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'][power];
}

/** Shows the page. */
export async function showStatus() {
  const [status, archive] = await Promise.all([ask('status'), ask('archive')]);
  document.title = t('statusTitle') + ' · kblake';
  const head = ['state', 'groupName', 'newest', 'lag', 'lastDay', 'storeSize', 'jobs'];
  const strips = /** @type {Map<string, HTMLCanvasElement>} */ (new Map());
  const rows = status.groups.map((/** @type {any} */ group) => {
    const strip = /** @type {HTMLCanvasElement} */ (make('canvas'));
    strips.set(group.group, strip);
    return make('tr', {}, make('td.' + (group.state === 'ok' ? 'good' : 'bad'), {}, String(group.state ?? '')), make('td', {}, make('b', {}, group.group)),
      make('td.number', {}, group.newest ? t('updated', durationText(archive.now - group.newest)) : t('none')),
      make('td.number', {}, typeof group.lag === 'number' ? durationText(group.lag) : '–'), make('td', {}, strip),
      make('td.number', {}, size(group.storeBytes) || '–'), make('td', {}, [group.jobs, group.problems].flat().filter((each) => each).join('; ')));
  });
  byId('sheet').replaceChildren(make('h1', {}, t('statusTitle')),
    make('div.panel', {}, make('table', {}, make('thead', {}, make('tr', {}, ...head.map((key) => make(['newest', 'lag', 'storeSize'].includes(key) ? 'th.number' : 'th', {}, t(key))))), make('tbody', {}, ...rows))));
  for (const [group, strip] of strips) {
    const from = archive.now - DAY;
    const answer = await ask('coverage', { group, from: '@' + from / 1000, to: '@' + archive.now / 1000 });
    drawSpans(strip, (answer.coverage?.[0] ?? answer).spans, from, archive.now, STRIP, 12, answer.lossy);
  }
}
