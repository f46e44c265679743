// The trend page: makes its parts, and connects them with each other, and with buttons, keys and gestures.

import { ApiError, askArchive } from '/page/api.js';
import { listenForAppearance } from '/page/appearance.js';
import { Archive } from '/page/archive.js';
import { Board } from '/page/board.js';
import { Chart } from '/page/chart.js';
import { CoverageStrip } from '/page/coverage.js';
import { byId, input, make, toast } from '/page/dom.js';
import { saveEvents, savePicture } from '/page/export.js';
import { Failures } from '/page/failures.js';
import { Following } from '/page/following.js';
import { listen } from '/page/gestures.js';
import { listenForKeys } from '/page/keys.js';
import { Marks } from '/page/marks.js';
import { Overview } from '/page/overview.js';
import { Rail } from '/page/rail.js';
import { Readings } from '/page/readings.js';
import { Search } from '/page/search.js';
import { Sheets } from '/page/sheets.js';
import { askAxis, banner, noState, showEmpty, showHelp, showLink } from '/page/states.js';
import { chooseColours } from '/page/theme.js';
import { HOUR, MIN_SPAN, MINUTE, PRESETS } from '/page/time.js';
import { ViewState } from '/page/view.js';
import { t } from '/page/words.js';

const MAX_SPAN = 400 * 366 * 24 * HOUR;

const view = new ViewState(() => {
  const length = chart.to - chart.from < 10000 ? 23 : 19;
  const text = (/** @type {number} */ time) => archive.zone.clock(time).replace('T', ' ').slice(0, length);
  showInputs(text(chart.from), text(chart.to));
  board.update();
});
const archive = new Archive();
/** @type {Chart} */
const chart = new Chart(byId('chart'), (time) => readings.point(time), () => {
  board.showPeriod();
  // What is beside the period is requested after it is drawn.
  request();
});
const sheets = new Sheets(() => {
  failures.answered();
  board.update();
}, failed, busy, target);
const strip = new CoverageStrip(byId('coverage'));
const overview = new Overview(byId('overview'), (from, to) => moveTo(from, to));
/** @type {Rail} */
const rail = new Rail(byId('rail'), {
  remove: (name) => setChannels(view.channels.filter((each) => each !== name)),
  focus: (name) => board.focus(name),
  add: () => input('search').focus(),
});
const parts = { view, archive, chart, sheets, strip, overview, rail };
/** @type {Readings} */
const readings = new Readings(parts);
/** @type {Board} */
const board = new Board({ ...parts, readings }, moveTo);
const marks = new Marks(board, moveTo);
const failures = new Failures(chart, { again, rest: () => request(true) });
const following = new Following(board, (away) => (away ? failures.away() : failures.answered()), request);
new Search(input('search'), byId('found'), addChannel, failed);

/** Shows whether data are requested.
 * @param {boolean} isBusy */
function busy(isBusy) {
  byId('loading').classList.toggle('busy', isBusy);
  byId('chart').setAttribute('aria-busy', String(isBusy));
}

/** Returns the channels that exist, as far as this is known. */
function channels() { return view.channels.filter((name) => !archive.lacks(name)); }

/** @returns {import('./sheets.js').Target} */
function target() {
  return { channels: channels(), from: chart.from, to: chart.to, pixels: Math.floor(chart.box().width), zoneOffset: archive.zone.offset(chart.from), now: archive.now() };
}

/** Requests what is missing in the period.
 * @param {boolean} [soon] */
function request(soon = false) { if (chart.to > chart.from && channels().length > 0) sheets.want(soon); }

/** Takes note of a request that did not succeed.
 * @param {any} error */
function failed(error) {
  if (error instanceof ApiError && error.status === 404 && view.channels.length > 0) {
    view.channels.filter((name) => !archive.metadata.get(name)?.type).forEach(describe);
  } else {
    failures.tell(error, view.from !== null);
  }
}

async function begin() {
  try {
    await archive.load();
  } catch (e) {
    // An error that has its own wait takes the place of this one.
    failures.retry();
    failed(e);
    return;
  }
  chart.zone = archive.zone;
  failures.answered();
  open();
}

/** Asks for everything again. */
function again() {
  if (!archive.loaded) {
    begin();
  } else if (chart.scene) {
    askArchive().then(() => {
      failures.answered();
      sheets.forget();
      resolve();
    }, failed);
  } else {
    resolve();
  }
}

/** Shows the view that the address has. */
async function open() {
  sheets.leave();
  const any = view.channels.length > 0;
  chooseColours(view.channels);
  rail.show(view.channels, archive.metadata);
  document.title = any ? view.channels.join(', ') + ' · kblake' : 'kblake';
  showLive();
  document.body.classList.toggle('no-channel', !any);
  // These do nothing without a channel.
  document.querySelectorAll('#presets button, #live, #csv, #png').forEach((each) => each.toggleAttribute('disabled', !any));
  view.channels.forEach(describe);
  tellUnknown();
  if (!view.live || !any) following.stop();
  if (any) {
    noState();
    resolve();
    return;
  }
  chart.clear();
  sheets.forget();
  const examples = await archive.findExamples();
  if (view.channels.length === 0) showEmpty(examples, addChannel);
}

/** Loads what is known of a channel, once.
 * @param {string} name */
async function describe(name) {
  if (archive.metadata.has(name)) return;
  await archive.describe(name);
  if (archive.lacks(name)) {
    tellUnknown();
    if (view.channels.includes(name) && channels().length > 0) resolve();
  }
  rail.show(view.channels, archive.metadata);
  board.update();
}

/** Names the channels of the view that do not exist. */
function tellUnknown() {
  const unknown = view.channels.filter((name) => archive.lacks(name));
  const nearest = [...new Set(unknown.flatMap((name) => archive.metadata.get(name).nearest.slice(0, 3)))].slice(0, 6).join(', ');
  banner('unknown', unknown.length === 0 ? null : t('unknownChannel', unknown.join(', ')) + (nearest ? ' · ' + t('nearest') + ': ' + nearest : ''), 'error');
}

/** Asks the server for the view's period, whose ends are texts. */
async function resolve() {
  view.settleNow();
  const names = channels();
  if (names.length === 0) return;
  if (view.from === null) {
    const { recorded, zone } = archive;
    const now = archive.now();
    const end = recorded && recorded.to < now - HOUR ? recorded.to : now;
    const live = view.live || end > now - MINUTE && view.to === null;
    view.begin(live ? { live, from: 'now-1h', to: 'now' } : { from: zone.link(end - 8 * HOUR), to: zone.link(end) });
    showLive();
  }
  const [from, to] = [view.from ?? '', view.to ?? 'now'];
  showInputs(from, to);
  const loaded = await sheets.begin({ channel: names, from, to, bins: Math.floor(chart.box().width) }, (trend) => {
    chart.from = trend.from;
    chart.to = Math.max(trend.to, trend.from + MIN_SPAN);
  });
  if (loaded) {
    board.showPeriod();
    if (view.live) following.start(channels());
  }
}

/** @param {string} from @param {string} to */
function showInputs(from, to) {
  input('from').value = from;
  input('to').value = to;
}

function showLive() { byId('live').setAttribute('aria-pressed', String(view.live)); }

/** Shows another period.
 * @param {number} from @param {number} to @param {boolean} [soon] whether this is no part of a longer movement */
function moveTo(from, to, soon = false) {
  if (chart.to === 0) return;
  if (view.live) {
    setLive(false);
    toast(t('liveStopped'));
  }
  const half = Math.min(Math.max(to - from, MIN_SPAN), MAX_SPAN) / 2;
  const middle = (from + to) / 2;
  chart.marked = null;
  chart.move(middle - half, middle + half);
  board.showPeriodSoon();
  // A period that is on its way would take the place of this one.
  sheets.leave();
  request(soon);
  view.move(link(chart.from), link(chart.to));
}

/** Returns a time as links have it.
 * @param {number} time */
function link(time) { return archive.zone.link(Math.round(time)); }

/** @param {string[]} names */
function setChannels(names) {
  view.change({ channels: names });
  board.forgetAxes();
  open();
}

/** @param {string} name */
function addChannel(name) { if (!view.channels.includes(name)) setChannels([...view.channels, name]); }

/** @param {number} length */
function preset(length) {
  if (view.live) {
    view.change({ from: 'now-' + length / 1000 + 's' });
    resolve();
  } else {
    const end = Math.min(chart.to, archive.now());
    moveTo(end - length, end, true);
  }
}

/** @param {boolean} wanted */
function setLive(wanted) {
  if (wanted) {
    view.change({ live: true, from: 'now-' + Math.round((span() || HOUR) / 1000) + 's', to: 'now' });
    resolve();
  } else {
    view.endLive();
    following.stop();
  }
  showLive();
}

/** Shows the whole recorded time of the channels. */
function fit() {
  const recorded = archive.recordedOf(channels());
  if (recorded) {
    const room = (recorded.to - recorded.from) * 0.01;
    moveTo(recorded.from - room, recorded.to + room);
  }
}

function span() { return chart.to - chart.from; }

/** @param {number} factor */
function zoom(factor) {
  const middle = readings.cursor ?? (chart.from + chart.to) / 2;
  moveTo(middle - (middle - chart.from) * factor, middle + (chart.to - middle) * factor);
}

/** Asks how the axis at a place is to be drawn.
 * @param {MouseEvent} event */
function axisClicked(event) {
  // uPlot's axes are on the canvas beside the plot.
  const over = chart.plot?.over.getBoundingClientRect();
  if (!over || event.clientY > over.bottom || event.clientX >= over.left && event.clientX <= over.right) return;
  const right = event.clientX > over.right;
  const outward = Math.floor((right ? event.clientX - over.right : over.left - event.clientX) / (72 * chart.scale));
  const axis = board.axes[outward * 2 + (right ? 1 : 0)];
  if (axis) {
    askAxis(axis, view.axes[axis.key] ?? {}, (choice) => {
      view.change({ axes: { ...view.axes, [axis.key]: choice } });
      board.forgetAxes();
      board.update();
    });
  }
}

function saveChart() {
  if (chart.plot) {
    chart.drawNow();
    const { zone } = archive;
    const period = zone.text(chart.from) + ' – ' + zone.text(chart.to) + ' ' + zone.offsetText(chart.to);
    savePicture(chart.plot.ctx.canvas, channels(), period, fileName());
  } else {
    toast(t('noEvents'));
  }
}

function fileName() {
  return (channels()[0] ?? 'kblake').replace(/[^A-Za-z0-9_.-]+/g, '_') + '_' + archive.zone.clock(chart.from).slice(0, 16).replace(/[^0-9]/g, '');
}

async function copyLink() {
  const fixed = channels().length > 0 ? { live: false, from: link(chart.from), to: link(chart.to) } : {};
  const address = location.origin + '/' + view.query(fixed);
  try {
    await navigator.clipboard.writeText(address);
    toast(t('linkCopied'));
  } catch {
    showLink(address);
  }
}

/** @type {Record<string, () => void>} */
const clicks = {
  live: () => setLive(!view.live),
  back: () => {
    view.settleNow();
    history.back();
  },
  forth: () => {
    view.settleNow();
    history.forward();
  },
  helpButton: showHelp,
  csv: () => saveEvents(channels(), chart.from, chart.to, fileName()),
  png: saveChart,
  link: copyLink,
};
for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', action);

listenForKeys({
  'ArrowLeft': () => moveTo(chart.from - span() / 2, chart.to - span() / 2),
  'ArrowRight': () => moveTo(chart.from + span() / 2, chart.to + span() / 2),
  '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
  'l': clicks.live,
  '/': () => input('search').focus(),
  'e': () => marks.next(),
  'Enter': () => marks.enlarge(),
  '[': clicks.back, ']': clicks.forth,
  '?': showHelp,
  'Escape': () => marks.clear(),
});

listen(chart, { show: moveTo, fit, leave: () => readings.point(null), point: (x, y, clicked) => marks.point(x, y, clicked) });
byId('chart').addEventListener('click', axisClicked);
byId('period').addEventListener('submit', (event) => {
  event.preventDefault();
  const to = input('to').value.trim() || null;
  view.change({ from: input('from').value.trim() || null, to, live: view.live && to === 'now' });
  open();
});
window.addEventListener('popstate', () => {
  view.read();
  board.forgetAxes();
  open();
});
/** @type {number | undefined} */
let resizing;
new ResizeObserver(() => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    board.draw();
    request();
  }, 50);
}).observe(byId('chart'));
listenForAppearance(() => {
  open();
  board.refresh();
});
document.body.classList.toggle('wall', view.wall);
byId('presets').replaceChildren(...Object.entries(PRESETS).map(([key, length]) => make('button', { type: 'button', 'data-preset': key, click: () => preset(length) }, key)));
begin();
