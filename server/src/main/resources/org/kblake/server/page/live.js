// The stream of new events: one for the page. New events extend what is loaded.

import { address } from '/page/api.js';
import { instantText } from '/page/time.js';
import { traceOf } from '/page/values.js';

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {{channel: string, time: number, value: any, severity: number, state: string}} LiveEvent */

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
    }
  } else if (bins && event.time > (bins.lastTime?.[bins.time.length - 1] ?? -Infinity)) {
    addToBin(bins, event, sheet.width);
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
  const spans = sheet.coverage.find((each) => each.group === trace.group)?.spans ?? [];
  while (spans[spans.length - 1]?.state === 'pending') spans.pop();
  const last = spans[spans.length - 1];
  if (last?.state === 'answered') last.to = Math.max(last.to, event.time);
}

/** @param {import('./api.js').Bins} bins @param {LiveEvent} event @param {number} width */
function addToBin(bins, event, width) {
  const { value, time, severity } = event;
  if (event.state !== 'value') return;
  let i = bins.time.length - 1;
  if (i < 0 || time >= bins.time[i] + width) {
    const begin = i < 0 ? time - time % width : bins.time[i] + Math.floor((time - bins.time[i]) / width) * width;
    i++;
    for (const values of /** @type {any[][]} */ (Object.values(bins))) values.push(null);
    bins.time[i] = begin;
    bins.count[i] = 0;
    bins.severity[i] = 0;
    bins.first[i] = value;
  }
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
    for (const means of [bins.mean, bins.timeMean]) {
      if (means) means[i] = ((means[i] ?? 0) * (count - 1) + value) / count;
    }
  }
}
