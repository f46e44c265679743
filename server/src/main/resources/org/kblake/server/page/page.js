// The trend page: holds the view, and connects the parts.

import { ApiError, askArchive, askChannels, askMetadata, askTrend } from '/page/api.js';
import { listenForAppearance } from '/page/appearance.js';
import { axesOf } from '/page/axes.js';
import { Chart } from '/page/chart.js';
import { CoverageStrip, spanText } from '/page/coverage.js';
import { byId, input, make, toast } from '/page/dom.js';
import { saveEvents, savePicture } from '/page/export.js';
import { listen } from '/page/gestures.js';
import { listenForKeys } from '/page/keys.js';
import { append, askQuiet, extend, knownEnd, Live } from '/page/live.js';
import { Overview } from '/page/overview.js';
import { Rail } from '/page/rail.js';
import { showReadout } from '/page/readout.js';
import { Search } from '/page/search.js';
import { Sheets } from '/page/sheets.js';
import { askAxis, banner, noState, showEmpty, showHelp, showLink, showNoEvents } from '/page/states.js';
import { chooseColours } from '/page/theme.js';
import { HOUR, MIN_SPAN, MINUTE, PRESETS, Zone } from '/page/time.js';
import { parseView, viewQuery } from '/page/url.js';
import { extremes, kindOf, lastEvent, readingAt, traceOf, valueText } from '/page/values.js';
import { t } from '/page/words.js';

const RETRY = 5;
const SETTLED = 400;

let view = parseView(location.search);
let zone = new Zone('UTC');
/** @type {{from: number, to: number} | null} */
let recorded = null;
let clockShift = 0;
/** @type {string[]} */
let examples = [];
/** @type {Map<string, any>} */
const metadata = new Map();
/** @type {import('./axes.js').Axis[]} */
let axes = [];
/** @type {number | null} */
let cursor = null;
/** @type {string | null} */
let focus = null;
/** @type {AbortController | null} */
let resolving = null;
/** @type {number | undefined} */
let settling; // set while the address has the period before the last movement
/** @type {number | undefined} */
let retrying;
let drawPending = false;

const chart = new Chart(byId('chart'), (time) => {
  cursor = time;
  showValues();
}, () => {
  showPeriod();
  // What is beside the period is requested after it is drawn.
  request();
});
const sheets = new Sheets((list) => {
  answered();
  loaded(list);
}, failed, busy, target);
const strip = new CoverageStrip(byId('coverage'));
const overview = new Overview(byId('overview'), (from, to) => moveTo(from, to));
const rail = new Rail(byId('rail'), {
  remove: (name) => setChannels(view.channels.filter((each) => each !== name)),
  focus: (name) => {
    focus = view.channels.length > 1 ? name : null;
    redraw();
  },
  add: () => input('search').focus(),
});
new Search(input('search'), byId('found'), addChannel, failed);
const live = new Live((event) => {
  const newest = sheets.list[sheets.list.length - 1];
  if (newest) {
    append(newest, event);
    redraw();
  }
}, away);

/** Shows whether data are requested.
 * @param {boolean} isBusy */
function busy(isBusy) {
  byId('loading').classList.toggle('busy', isBusy);
  byId('chart').setAttribute('aria-busy', String(isBusy));
}

/** Returns the present time of the server. */
function now() { return Date.now() + clockShift; }

/** Returns the channels that exist, as far as this is known. */
function channels() { return view.channels.filter((name) => !metadata.get(name)?.unknown); }

async function begin() {
  document.body.classList.toggle('wall', view.wall);
  byId('presets').replaceChildren(...Object.keys(PRESETS).map((key) => make('button', { type: 'button', 'data-preset': key, click: () => preset(PRESETS[/** @type {keyof PRESETS} */ (key)]) }, key)));
  try {
    const archive = await askArchive();
    zone = new Zone(archive.zone);
    recorded = archive.recorded;
    clockShift = archive.now - Date.now();
    chart.zone = zone;
    answered();
  } catch (e) {
    failed(e);
    retrying = setTimeout(begin, RETRY * 1000);
    return;
  }
  open();
}

/** Shows the view that the address has. */
function open() {
  chooseColours(view.channels);
  rail.show(view.channels, metadata);
  document.title = view.channels.length > 0 ? view.channels.join(', ') + ' · kblake' : 'kblake';
  byId('live').setAttribute('aria-pressed', String(view.live));
  document.body.classList.toggle('no-channel', view.channels.length === 0);
  // These do nothing without a channel.
  document.querySelectorAll('#presets button, #live, #csv, #png').forEach((each) => each.toggleAttribute('disabled', view.channels.length === 0));
  view.channels.forEach(describe);
  tellUnknown();
  if (!view.live) live.stop();
  if (view.channels.length === 0) {
    chart.clear();
    live.stop();
    sheets.forget();
    empty();
    return;
  }
  noState();
  resolve();
}

async function empty() {
  if (examples.length === 0) {
    try {
      const found = (await askChannels('', 100)).channels.filter((each) => !['string', 'enum'].includes(each.type) && (each.elements ?? 1) === 1);
      const groups = [...new Set(found.map((each) => each.group))];
      const first = groups.map((group) => found.find((each) => each.group === group)?.name ?? '');
      examples = [...first, ...found.map((each) => each.name).filter((name) => !first.includes(name))].slice(0, 3);
    } catch {
      examples = [];
    }
  }
  if (view.channels.length === 0) showEmpty(examples, addChannel);
}

/** Loads what is known of a channel.
 * @param {string} name */
async function describe(name) {
  if (metadata.has(name)) return;
  metadata.set(name, {});
  try {
    metadata.set(name, await askMetadata(name));
  } catch (e) {
    if (e instanceof ApiError && e.status === 404) {
      metadata.set(name, { unknown: true, nearest: e.nearest });
      tellUnknown();
      if (view.channels.includes(name) && channels().length > 0) resolve();
    } else {
      metadata.delete(name);
    }
  }
  rail.show(view.channels, metadata);
  loaded(sheets.list);
}

/** Names the channels of the view that do not exist. */
function tellUnknown() {
  const unknown = view.channels.filter((name) => metadata.get(name)?.unknown);
  const nearest = [...new Set(unknown.flatMap((name) => metadata.get(name).nearest.slice(0, 3)))].slice(0, 6).join(', ');
  banner('unknown', unknown.length === 0 ? null : t('unknownChannel', unknown.join(', ')) + (nearest ? ' · ' + t('nearest') + ': ' + nearest : ''), 'error');
}

/** Asks the server for the view's period, whose ends are texts. */
async function resolve() {
  settleNow();
  const names = channels();
  if (names.length === 0) return;
  if (view.from === null) {
    const end = recorded && recorded.to < now() - HOUR ? recorded.to : now();
    view.live = view.live || end > now() - MINUTE && view.to === null;
    view.from = view.live ? 'now-1h' : zone.link(end - 8 * HOUR);
    view.to = view.live ? 'now' : zone.link(end);
    byId('live').setAttribute('aria-pressed', String(view.live));
    history.replaceState(null, '', viewQuery(view) || '/');
  }
  input('from').value = view.from;
  input('to').value = view.to ?? 'now';
  resolving?.abort();
  const control = resolving = new AbortController();
  busy(true);
  try {
    const box = chart.box();
    const bins = Math.floor(box.width);
    const trend = await askTrend({ channel: names, from: view.from, to: view.to ?? 'now', bins }, control.signal);
    answered();
    chart.from = trend.from;
    chart.to = Math.max(trend.to, trend.from + MIN_SPAN);
    sheets.begin(trend, names);
    showPeriod();
    request(true);
    if (view.live) follow();
  } catch (e) {
    if (!control.signal.aborted) failed(e);
  } finally {
    if (resolving === control) {
      resolving = null;
      busy(false);
    }
  }
}

/** @returns {import('./sheets.js').Target} */
function target() {
  return { channels: channels(), from: chart.from, to: chart.to, pixels: Math.floor(chart.box().width), zoneOffset: zone.offset(chart.from), now: now() };
}

/** @param {boolean} [soon] */
function request(soon = false) { if (chart.to > chart.from && channels().length > 0 && !resolving) sheets.want(soon); }

/** Takes loaded data.
 * @param {import('./sheets.js').Sheet[]} list */
function loaded(list) {
  if (view.channels.length === 0 || list.length === 0) return;
  const names = channels().filter((name) => list.some((sheet) => traceOf(sheet, name)));
  axes = axesOf(list, names, metadata, view.axes, chart.from, chart.to, axes);
  redraw();
  tellIncomplete(list);
  tellEmpty(list, names);
  const main = names.find((name) => axes.some((axis) => axis.names.includes(name))) ?? null;
  const begins = names.map((name) => metadata.get(name)?.recorded?.from).filter((each) => typeof each === 'number');
  const whole = recorded && { from: begins.length > 0 ? Math.min(...begins) : recorded.from, to: view.live ? now() : recorded.to };
  overview.load(main, whole);
}

/** Draws the traces anew, at the next free moment. */
function redraw() {
  if (drawPending) return;
  drawPending = true;
  setTimeout(() => {
    drawPending = false;
    const list = sheets.list;
    const names = channels().filter((name) => list.some((sheet) => traceOf(sheet, name)));
    if (names.length === 0) return;
    const lanes = names.flatMap((name) => {
      const trace = list.map((sheet) => traceOf(sheet, name)).find((each) => each);
      const kind = trace ? kindOf(trace, metadata.get(name)) : 'number';
      return kind === 'number' ? [] : [{ name, kind }];
    });
    // The strips take their room before the chart is built.
    byId('overview').hidden = false;
    strip.draw(list, chart.from, chart.to, chart.box(axes));
    chart.draw({ sheets: list, axes, names, metadata, focus }, lanes);
  }, view.live ? 100 : 0);
}

/** @param {import('./sheets.js').Sheet[]} list */
function tellIncomplete(list) {
  const shown = list.filter((each) => each.to > chart.from && each.from < chart.to);
  const bad = (/** @type {{state: string}} */ each) => each.state === 'damaged' || each.state === 'unavailable';
  const sheet = shown.find((each) => !each.complete);
  const elsewhere = sheet?.coverage.some(({ spans }) => spans.some(bad));
  const span = shown.flatMap((each) => each.coverage.flatMap(({ group, spans }) => spans.map((one) => ({ ...one, group }))))
    .find((each) => bad(each) && each.to > chart.from && each.from < chart.to);
  const text = span ? span.group + ' ' + zone.text(span.from) + ' – ' + zone.text(span.to) + ' ' + spanText(span)
    : t('incompleteRead');
  banner('incomplete', sheet && (span || !elsewhere) ? t('incompleteText', text) : null);
}

/** @param {import('./sheets.js').Sheet[]} list @param {string[]} names */
function tellEmpty(list, names) {
  const shown = list.filter((sheet) => sheet.to > chart.from && sheet.from < chart.to);
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
  const ends = names.map((name) => metadata.get(name)?.recorded?.to).filter((each) => typeof each === 'number');
  showNoEvents(lines, ends.length > 0 ? () => moveTo(Math.max(...ends) - span() * 0.95, Math.max(...ends) + span() * 0.05) : null);
}

/** Shows the period in all parts that have it. */
function showPeriod() {
  if (!chart.scene) return;
  const box = chart.box();
  strip.draw(sheets.list, chart.from, chart.to, box);
  overview.show(chart.from, chart.to, box, zone);
  for (const button of byId('presets').children) {
    const length = PRESETS[/** @type {keyof PRESETS} */ (/** @type {HTMLElement} */ (button).dataset.preset)];
    button.setAttribute('aria-pressed', String(Math.abs((chart.to - chart.from) / length - 1) < 0.01));
  }
  showValues();
}

function showValues() {
  // While a period is dragged, the time at the pointer stays.
  if (chart.moving.active) return;
  const names = view.channels;
  const end = Math.min(chart.to, now());
  const time = cursor ?? end;
  const readings = names.map((name) => (cursor === null ? latest(name, end) : readingAt(sheets.list, name, time)))
    .map((reading, i) => reading ?? { name: names[i], state: 'none', value: null, time, severity: 0 });
  const span = (chart.to - chart.from) / Math.max(1, chart.box().width) < 1000 ? 1 : HOUR;
  showReadout(byId('readout'), names.length > 0 ? zone.text(time, span) : '', readings, metadata);
  rail.values(readings, metadata, sheets.list);
}

/** @param {string} name @param {number} end @returns {import('./values.js').Reading | null} */
function latest(name, end) {
  const sheet = sheets.list.filter((each) => each.from <= end).pop();
  const trace = sheet && traceOf(sheet, name);
  const last = trace && lastEvent(trace, end);
  return last ? { name, ...last } : readingAt(sheets.list, name, Math.min(end, sheet?.to ?? end) - 1);
}

/** Shows another period.
 * @param {number} from @param {number} to @param {boolean} [soon] whether this is no part of a longer movement */
function moveTo(from, to, soon = false) {
  if (chart.to === 0) return;
  if (view.live) {
    setLive(false);
    toast(t('liveStopped'));
  }
  let span = Math.min(Math.max(to - from, MIN_SPAN), 400 * 366 * 24 * HOUR);
  const middle = (from + to) / 2;
  chart.marked = null;
  chart.move(middle - span / 2, middle + span / 2);
  showPeriodSoon();
  request(soon);
  clearTimeout(settling);
  settling = setTimeout(settle, SETTLED);
}

let periodFrame = 0;

function showPeriodSoon() {
  if (periodFrame !== 0) return;
  periodFrame = requestAnimationFrame(() => {
    periodFrame = 0;
    if (chart.moving.active) {
      strip.shift(chart.moving.shift / chart.ratio);
      overview.move(chart.from, chart.to);
    } else {
      showPeriod();
    }
  });
}

/** After a movement: the address and the inputs have the new period, and the ranges of the axes fit. */
function settle() {
  stopSettling();
  view.from = zone.link(Math.round(chart.from));
  view.to = zone.link(Math.round(chart.to));
  const length = chart.to - chart.from < 10000 ? 23 : 19;
  input('from').value = zone.clock(chart.from).replace('T', ' ').slice(0, length);
  input('to').value = zone.clock(chart.to).replace('T', ' ').slice(0, length);
  remember();
  loaded(sheets.list);
}

/** Ends the pause after a movement at once: what follows goes on from the new period. */
function settleNow() { if (settling !== undefined) settle(); }

/** Forgets the last movement: the view has got another period. */
function stopSettling() {
  clearTimeout(settling);
  settling = undefined;
}

/** Makes the view an entry of the history. */
function remember() {
  const query = viewQuery(view) || '/';
  if (query !== location.search) history.pushState(null, '', query);
}

/** @param {string[]} names */
function setChannels(names) {
  settleNow();
  view.channels = names;
  remember();
  axes = [];
  open();
}

/** @param {string} name */
function addChannel(name) { if (!view.channels.includes(name)) setChannels([...view.channels, name]); }

/** @param {number} length */
function preset(length) {
  if (view.live) {
    view.from = 'now-' + length / 1000 + 's';
    remember();
    resolve();
  } else {
    const end = Math.min(chart.to, now());
    moveTo(end - length, end, true);
  }
}

/** @param {boolean} wanted */
function setLive(wanted) {
  settleNow();
  view.live = wanted;
  byId('live').setAttribute('aria-pressed', String(wanted));
  if (!wanted) {
    live.stop();
    return;
  }
  view.from = 'now-' + Math.round((chart.to - chart.from || HOUR) / 1000) + 's';
  view.to = 'now';
  remember();
  resolve();
}

let following = 0;

/** Scrolls while live. */
function follow() {
  const newest = sheets.list[sheets.list.length - 1];
  // What came into the log while the answer was read is in neither, if the stream begins at the end of the answer.
  live.start(channels(), newest ? knownEnd(newest) : chart.from);
  cancelAnimationFrame(following);
  let drawn = 0;
  const step = () => {
    if (!view.live || !chart.scene) {
      if (view.live) following = requestAnimationFrame(step);
      return;
    }
    const span = chart.to - chart.from;
    const shift = now() + span * 0.02 - chart.to;
    if (shift > span / chart.box().width) {
      chart.now = now();
      chart.moving.remove();
      chart.move(chart.from + shift, chart.to + shift);
      const last = sheets.list[sheets.list.length - 1];
      if (last && !chart.away) extend(last, Math.min(now(), chart.to));
      if (performance.now() - drawn > 500) {
        drawn = performance.now();
        if (last) {
          last.version++;
          // A server that is away is told by the stream.
          if (!chart.away) askQuiet(last, now()).catch(() => {});
        }
        loaded(sheets.list);
        request();
      }
      showPeriod();
    }
    following = requestAnimationFrame(step);
  };
  following = requestAnimationFrame(step);
}

/** Takes note of a request that did not succeed.
 * @param {any} error */
function failed(error) {
  const status = error instanceof ApiError ? error.status : -1;
  if (status === 0) {
    away(true);
  } else if (status === 206) {
    banner('incomplete', t('incompleteText', t('incompleteCut')), 'warning', { label: t('retry'), action: () => request(true) });
  } else if (status === 429 || status === 503) {
    banner('busy', t('tooMany', error.retryAfter) + ' · ' + error.message);
    clearTimeout(retrying);
    retrying = setTimeout(again, error.retryAfter * 1000);
  } else if (status === 404 && view.channels.length > 0) {
    view.channels.filter((name) => !metadata.get(name)?.type).forEach(describe);
  } else if (status === 400 && view.from !== null) {
    banner('wrong', t('wrongPeriod') + ': ' + error.message, 'error');
  } else if (status > 0) {
    banner('wrong', t(status === 413 ? 'tooMuch' : 'wrong') + ': ' + error.message, 'error');
  } else {
    throw error;
  }
}

/** @param {boolean} isAway whether the server does not answer */
function away(isAway) {
  if (!isAway) {
    answered();
    return;
  }
  chart.away = true;
  document.body.classList.add('away');
  banner('away', t('serverAway', RETRY), 'error', { label: t('retry'), action: again });
  chart.refresh();
  clearTimeout(retrying);
  retrying = setTimeout(again, RETRY * 1000);
}

function again() {
  clearTimeout(retrying);
  if (chart.scene) {
    askArchive().then(() => {
      answered();
      sheets.forget();
      resolve();
    }, failed);
  } else {
    resolve();
  }
}

/** Takes note of an answer. */
function answered() {
  ['busy', 'wrong', 'away'].forEach((key) => banner(key, null));
  chart.away = false;
  document.body.classList.remove('away');
  chart.refresh();
}

/** Shows the whole recorded time of the channels. */
function fit() {
  const periods = channels().map((name) => metadata.get(name)?.recorded).filter((each) => each);
  const from = periods.length > 0 ? Math.min(...periods.map((each) => each.from)) : recorded?.from;
  const to = periods.length > 0 ? Math.max(...periods.map((each) => each.to)) : recorded?.to;
  if (from !== undefined && to !== undefined) {
    const room = (to - from) * 0.01;
    moveTo(from - room, to + room);
  }
}

/** Returns the extremes of all curves in the view, by time. */
function allExtremes() {
  return axes.flatMap((axis) => axis.names).flatMap((name) => {
    const found = extremes(sheets.list, name, chart.from, chart.to);
    return found ? [found.min, found.max] : [];
  }).filter((each) => each.time > chart.from).sort((a, b) => a.time - b.time);
}

/** @param {import('./values.js').Extreme} extreme */
function goTo(extreme) {
  const half = (chart.to - chart.from) / 40;
  moveTo(extreme.time - half, extreme.time + half);
}

listen(chart, {
  show: moveTo,
  fit,
  leave: () => {
    cursor = null;
    showValues();
  },
  point: (x, y, clicked) => {
    const before = chart.marked;
    chart.marked = allExtremes().find((each) => {
      const place = chart.placeOf(each);
      return place && Math.hypot(place.x - x, place.y - y) < 12;
    }) ?? null;
    byId('chart').classList.toggle('pointing', chart.marked !== null);
    if (clicked && chart.marked) {
      goTo(chart.marked);
    } else if (clicked) {
      chart.plot?.setCursor({ left: x, top: y });
    } else if (before?.time !== chart.marked?.time) {
      chart.refresh();
    }
  },
});

byId('chart').addEventListener('click', (event) => {
  // An axis was clicked: uPlot's axes are on the canvas beside the plot.
  const over = chart.plot?.over.getBoundingClientRect();
  if (!over || event.clientY > over.bottom || event.clientX >= over.left && event.clientX <= over.right) return;
  const right = event.clientX > over.right;
  const outward = Math.floor((right ? event.clientX - over.right : over.left - event.clientX) / (72 * chart.scale));
  const axis = axes[outward * 2 + (right ? 1 : 0)];
  if (axis) {
    askAxis(axis, view.axes[axis.key] ?? {}, (choice) => {
      settleNow();
      view.axes[axis.key] = choice;
      remember();
      axes = [];
      loaded(sheets.list);
    });
  }
});

const span = () => chart.to - chart.from;
const zoom = (/** @type {number} */ factor) => {
  const middle = cursor ?? (chart.from + chart.to) / 2;
  moveTo(middle - (middle - chart.from) * factor, middle + (chart.to - middle) * factor);
};
/** @type {Record<string, () => void>} */
const clicks = {
  live: () => setLive(!view.live),
  back: () => {
    settleNow();
    history.back();
  },
  forth: () => {
    settleNow();
    history.forward();
  },
  helpButton: showHelp,
  csv: () => saveEvents(channels(), chart.from, chart.to, fileName()),
  png: () => {
    if (chart.plot) {
      const period = zone.text(chart.from) + ' – ' + zone.text(chart.to) + ' ' + zone.offsetText(chart.to);
      savePicture(chart.plot.ctx.canvas, channels(), period, fileName());
    } else {
      toast(t('noEvents'));
    }
  },
  link: async () => {
    const fixed = { ...view, live: false, from: zone.link(Math.round(chart.from)), to: zone.link(Math.round(chart.to)) };
    const link = location.origin + '/' + viewQuery(channels().length > 0 ? fixed : view);
    try {
      await navigator.clipboard.writeText(link);
      toast(t('linkCopied'));
    } catch {
      showLink(link);
    }
  },
};
for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', action);

listenForKeys({
  'ArrowLeft': () => moveTo(chart.from - span() / 2, chart.to - span() / 2),
  'ArrowRight': () => moveTo(chart.from + span() / 2, chart.to + span() / 2),
  '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
  'l': clicks.live,
  '/': () => input('search').focus(),
  'e': () => {
    const all = allExtremes();
    const at = chart.marked?.time ?? -Infinity;
    chart.marked = all.find((each) => each.time > at) ?? all[0] ?? null;
    cursor = chart.marked?.time ?? null;
    showValues();
    chart.refresh();
  },
  'Enter': () => chart.marked && goTo(chart.marked),
  '[': clicks.back, ']': clicks.forth,
  '?': showHelp,
  'Escape': () => {
    chart.marked = null;
    chart.refresh();
  },
});

byId('period').addEventListener('submit', (event) => {
  event.preventDefault();
  stopSettling();
  view.from = input('from').value.trim() || null;
  view.to = input('to').value.trim() || null;
  view.live = view.live && view.to === 'now';
  remember();
  open();
});
function refreshAll() {
  redraw();
  overview.draw();
  showPeriod();
}

function fileName() {
  return (channels()[0] ?? 'kblake').replace(/[^A-Za-z0-9_.-]+/g, '_') + '_' + zone.clock(chart.from).slice(0, 16).replace(/[^0-9]/g, '');
}

window.addEventListener('popstate', () => {
  stopSettling();
  view = parseView(location.search);
  axes = [];
  open();
});
let resizing = 0;
new ResizeObserver(() => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    redraw();
    request();
  }, 50);
}).observe(byId('chart'));
listenForAppearance(() => {
  open();
  refreshAll();
});
begin();
