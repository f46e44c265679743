// The stream of new events: one for the page. New events extend what is loaded.

import { address, ask } from '/page/api.js';
import { instantText, MINUTE, SECOND } from '/page/time.js';
import { lastEvent, traceOf } from '/page/values.js';

/** After so many milliseconds without an event a group is quiet. */
const QUIET = 2000;
const MAX_QUIET = 4;
/** So often losses are asked for, in milliseconds. */
const LOSSES = 10000;

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Trace} Trace
 * @typedef {{channel: string, time: number, value: any, severity: number, state: string}} LiveEvent */

export class Live {
  /** @param {(event: LiveEvent) => void} received @param {(away: boolean) => void} away */
  constructor(received, away) {
    this.received = received;
    this.away = away;
    /** @type {EventSource | null} */
    this.source = null;
    this.key = '';
  }

  /** Listens to channels from an instant on.
   * @param {string[]} channels @param {number} from */
  start(channels, from) {
    const key = channels.join('\n');
    if (this.source && this.key === key && this.source.readyState !== EventSource.CLOSED) return;
    this.stop();
    this.key = key;
    const source = this.source = new EventSource(address('live', { channel: channels, from: instantText(from) }));
    source.onopen = () => this.away(false);
    source.onerror = () => this.away(true);
    source.addEventListener('events', (message) => this.lists(JSON.parse(message.data)));
  }

  /** @param {{channel: string, time: number[], value: any[], severity: number[], state: string[]}} lists */
  lists({ channel, time, value, severity, state }) {
    time.forEach((at, i) => this.received({ channel, time: at, value: value[i], severity: severity[i], state: state[i] }));
  }

  stop() {
    this.source?.close();
    this.source = null;
  }
}

/** Extends the newest sheet to the present. What is known of a group holds on while events of it come.
 * @param {Sheet} sheet @param {number} now */
export function extend(sheet, now) {
  sheet.to = Math.max(sheet.to, now);
  for (const group of sheet.coverage) {
    const last = group.spans[group.spans.length - 1];
    if (last?.state === 'answered' && !isQuiet(group)) holdOn(sheet, group.group, last, sheet.to);
  }
}

/** Asks what is known of groups of which no event came for a while: they may be quiet, or their archiver may be down. It does so for a few
 * groups at a time, and not too often.
 * @param {Sheet} sheet @param {number} now */
export async function askQuiet(sheet, now) {
  const clock = performance.now();
  if (sheet.coverage.some((group) => clock - (group.asked ?? -Infinity) < QUIET)) return;
  const quiet = sheet.coverage.filter(isQuiet).sort((a, b) => (a.asked ?? 0) - (b.asked ?? 0)).slice(0, MAX_QUIET);
  await Promise.all(quiet.map(async (group) => {
    group.asked = clock;
    const from = answeredEnd(sheet, group.spans);
    const { coverage: [answer] } = await ask('coverage', { group: group.group, from: instantText(from), to: instantText(now) });
    // Meanwhile an event may have come, which tells more.
    if (!isQuiet(group)) return;
    const { spans } = group;
    while (spans.length > 0 && spans[spans.length - 1].from >= from) spans.pop();
    const last = spans[spans.length - 1];
    if (last) last.to = Math.min(last.to, from);
    for (const span of answer.spans) {
      if (last?.state === 'answered' && span.state === 'answered' && spans[spans.length - 1] === last) {
        holdOn(sheet, group.group, last, span.to);
      } else {
        spans.push(span);
      }
    }
    sheet.version++;
  }));
}

/** Asks, if the archive has a ledger of losses, what was lost in the last minute. Recorders state it a little later.
 * @param {Sheet} sheet @param {number} now */
export async function askLosses(sheet, now) {
  const clock = performance.now();
  sheet.lossesAsked ??= clock;
  if (!sheet.lossy || clock - sheet.lossesAsked < LOSSES) return;
  sheet.lossesAsked = clock;
  for (const { group } of sheet.coverage) {
    const { lossy } = await ask('coverage', { group, from: instantText(now - MINUTE), to: instantText(now) });
    const known = new Set(sheet.lossy.map((span) => JSON.stringify(span)));
    sheet.lossy.push(...(lossy ?? []).filter((/** @type {any} */ span) => !known.has(JSON.stringify(span))));
  }
  sheet.version++;
}

/** @param {Sheet} sheet @param {string} group @param {import('./api.js').Span} span @param {number} to */
function holdOn(sheet, group, span, to) {
  span.to = Math.max(span.to, to);
  sheet.channels.filter((trace) => trace.group === group).forEach((trace) => hold(trace, span.to, sheet.width));
}

/** @param {import('./api.js').Coverage} group */
function isQuiet(group) { return performance.now() - (group.heard ?? -Infinity) > QUIET; }

/** @param {Sheet} sheet @param {import('./api.js').Span[]} spans */
function answeredEnd(sheet, spans) { return spans.filter((span) => span.state === 'answered').pop()?.to ?? sheet.from; }

/** Returns the end of what a sheet knows of all its groups.
 * @param {Sheet} sheet */
export function knownEnd(sheet) {
  return Math.min(sheet.to, ...sheet.coverage.map(({ spans }) => answeredEnd(sheet, spans)));
}

/** Adds an event to the newest sheet.
 * @param {Sheet} sheet @param {LiveEvent} event */
export function append(sheet, event) {
  const trace = traceOf(sheet, event.channel);
  if (!trace || event.time < sheet.from) return;
  const { events, bins } = trace;
  if (events) {
    if (event.state === 'value' && event.time > (events.time[events.time.length - 1] ?? -Infinity)) {
      events.time.push(event.time);
      events.value.push(event.value);
      events.severity.push(event.severity);
      events.state?.push(event.state);
      events.until = events.until && [...events.until.map((each) => Math.min(each, event.time)), Infinity];
    }
  } else if (bins && event.time > Math.max(...(bins.lastTime ?? []).slice(-9), -Infinity)) {
    rewind(trace, event.time);
    hold(trace, event.time, sheet.width);
    if (event.state === 'value') addToBin(bins, event, sheet.width);
  }
  if (event.state === 'disconnected') {
    (trace.disconnected ??= []).push([event.time, Infinity]);
  } else if (event.state === 'value') {
    const open = trace.disconnected?.[trace.disconnected.length - 1];
    if (open && open[1] > event.time) open[1] = event.time;
  }
  sheet.to = Math.max(sheet.to, event.time);
  sheet.version++;
  // The log is readable up to this event now.
  const group = sheet.coverage.find((each) => each.group === trace.group);
  if (group) group.heard = performance.now();
  const spans = group?.spans ?? [];
  while (spans[spans.length - 1]?.state === 'pending') spans.pop();
  const last = spans[spans.length - 1];
  if (last?.state === 'answered') last.to = Math.max(last.to, event.time);
}

/** Begins a bin.
 * @param {import('./api.js').Bins} bins @param {number} begin */
function push(bins, begin) {
  for (const values of /** @type {any[][]} */ (Object.values(bins))) values.push(null);
  const i = bins.time.length - 1;
  [bins.time[i], bins.count[i], bins.severity[i]] = [begin, 0, 0];
}

/** Adds the last value to the means over time, up to an instant.
 * @param {Trace} trace @param {number} to @param {number} width */
function hold(trace, to, width) {
  const { bins } = trace;
  if (!bins?.timeMean || !bins.known || bins.time.length === 0) return;
  const value = lastEvent(trace, to)?.value;
  const away = trace.disconnected?.some((each) => each[1] === Infinity);
  let i = bins.time.length - 1;
  trace.until ??= bins.time[i] + (bins.known[i] ?? 0) * SECOND;
  if (typeof value === 'number' && !away) {
    while (trace.until < to) {
      if (trace.until >= bins.time[i] + width) {
        push(bins, bins.time[i++] + width);
        bins.severity[i] = bins.severity[i - 1];
      }
      const end = Math.min(to, bins.time[i] + width);
      mix(bins, i, value, (end - trace.until) / SECOND);
      trace.until = end;
    }
  }
  trace.until = Math.max(trace.until, to);
}

/** Takes back what was held after an instant, because an event came.
 * @param {Trace} trace @param {number} to */
function rewind(trace, to) {
  const { bins } = trace;
  if (!bins?.timeMean || trace.until === undefined || trace.until <= to) return;
  const value = lastEvent(trace, trace.until)?.value;
  while (bins.time.length > 1 && bins.time[bins.time.length - 1] > to && bins.count[bins.count.length - 1] === 0) {
    trace.until = bins.time[bins.time.length - 1];
    for (const values of /** @type {any[][]} */ (Object.values(bins))) values.pop();
  }
  if (typeof value === 'number' && trace.until > to) mix(bins, bins.time.length - 1, value, (to - trace.until) / SECOND);
  trace.until = Math.min(trace.until, to);
}

/** @param {import('./api.js').Bins} bins @param {number} i @param {number} value @param {number} seconds for which it is added, or taken back if less than 0 */
function mix(bins, i, value, seconds) {
  if (!bins.known || !bins.timeMean) return;
  const [before, known] = [bins.known[i] ?? 0, Math.max(0, (bins.known[i] ?? 0) + seconds)];
  bins.timeMean[i] = known > 0 ? ((bins.timeMean[i] ?? 0) * before + value * seconds) / known : null;
  bins.known[i] = known;
}

/** @param {import('./api.js').Bins} bins @param {LiveEvent} event @param {number} width */
function addToBin(bins, { value, time, severity }, width) {
  let i = bins.time.length - 1;
  if (i < 0 || time >= bins.time[i] + width) {
    push(bins, i < 0 ? time - time % width : bins.time[i] + Math.floor((time - bins.time[i]) / width) * width);
    i++;
  }
  if (bins.count[i] === 0) bins.first[i] = value;
  const count = ++bins.count[i];
  bins.last[i] = value;
  bins.severity[i] = Math.max(bins.severity[i], severity);
  if (bins.lastTime) bins.lastTime[i] = time;
  if (typeof value === 'number' && bins.min && bins.max) {
    if (count === 1 || value < (bins.min[i] ?? Infinity)) {
      bins.min[i] = value;
      bins.minTime && (bins.minTime[i] = time);
    }
    if (count === 1 || value > (bins.max[i] ?? -Infinity)) {
      bins.max[i] = value;
      bins.maxTime && (bins.maxTime[i] = time);
    }
    if (bins.mean) bins.mean[i] = ((bins.mean[i] ?? 0) * (count - 1) + value) / count;
  }
}
