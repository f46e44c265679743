// Times in the zone of the archive. A time is a number of milliseconds since 1970 UTC.

import { t } from '/page/words.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The lengths of the presets. */
export const PRESETS = /** @type {const} */ ({
  '1h': HOUR, '8h': 8 * HOUR, '1d': DAY, '1w': 7 * DAY, '1M': 30 * DAY, '1y': 365 * DAY,
});

const WIDTHS = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 20, 30].map((n) => n * SECOND), ...[1, 2, 5, 10, 15, 20, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((n) => n * HOUR), ...[1, 2, 4, 7, 14, 28].map((n) => n * DAY),
];

/** The smallest period that can be shown. */
export const MIN_SPAN = 10;

/** Returns the width of bins: the smallest that needs at most so many.
 * @param {number} span @param {number} bins */
export function binWidth(span, bins) { return WIDTHS.find((width) => span / width <= bins) ?? 28 * DAY; }

/** Returns a duration as requests have it.
 * @param {number} width */
export function widthText(width) { return width >= 1 ? Math.round(width) + 'ms' : Math.round(width * 1000) + 'us'; }

/** Returns an instant as requests have it.
 * @param {number} time */
export function instantText(time) { return '@' + (time / 1000).toFixed(6); }

/** A zone of time. */
export class Zone {
  /** @param {string} name as IANA or an offset such as +09:00 */
  constructor(name) {
    const fixed = /^(?:UTC|GMT|Z)?([+-])?(\d{2})?:?(\d{2})?$/.exec(name);
    /** @type {number | null} */
    this.fixed = fixed ? (fixed[1] === '-' ? -1 : 1) * (+(fixed[2] ?? 0) * HOUR + +(fixed[3] ?? 0) * MINUTE) : null;
    this.format = this.fixed === null
      ? new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }) : null;
    /** @type {Map<number, number>} */
    this.offsets = new Map();
  }

  /** Returns the offset from UTC in milliseconds.
   * @param {number} time */
  offset(time) {
    if (this.fixed !== null || !this.format) return this.fixed ?? 0;
    const quarter = Math.floor(time / (15 * MINUTE));
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      const name = this.format.formatToParts(quarter * 15 * MINUTE).find((part) => part.type === 'timeZoneName')?.value ?? '';
      const parts = /([+-])(\d+):?(\d+)?/.exec(name);
      offset = parts ? (parts[1] === '-' ? -1 : 1) * (+parts[2] * HOUR + +(parts[3] ?? 0) * MINUTE) : 0;
      this.offsets.set(quarter, offset);
    }
    return offset;
  }

  /** Returns a clock's date and time as text: 2024-05-20T09:00:00.000.
   * @param {number} time */
  clock(time) {
    const local = new Date(time + this.offset(time));
    return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, -1);
  }

  /** @param {number} time */
  date(time) { return this.clock(time).slice(0, 10); }

  /** Returns the date and time, as short as its distance to others permits.
   * @param {number} time
   * @param {number} [span] the period in which it is shown */
  text(time, span = DAY) {
    const clock = this.clock(time).replace('T', ' ');
    return clock.slice(0, span < 10 * SECOND ? 23 : span < 2 * HOUR ? 19 : 16);
  }

  /** @param {number} time */
  offsetText(time) {
    const minutes = this.offset(time) / MINUTE;
    const part = (/** @type {number} */ n) => String(Math.floor(Math.abs(n))).padStart(2, '0');
    return (minutes < 0 ? '-' : '+') + part(minutes / 60) + ':' + part(Math.abs(minutes) % 60);
  }

  /** Returns the date and time with offset, as links and requests have it.
   * @param {number} time */
  link(time) { return this.clock(time).replace(/\.000$/, '').replace(/:00$/, '') + this.offsetText(time); }
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE), ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7].map((n) => n * DAY),
];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

/** Returns ticks at round times of the clock.
 * @param {Zone} zone @param {number} from @param {number} to @param {number} count at most
 * @param {number} begin from which on the first label has the date
 * @returns {{times: number[], labels: string[]}} */
export function timeTicks(zone, from, to, count, begin = from) {
  const step = STEPS.find((each) => (to - from) / each <= count);
  const times = step ? stepTicks(zone, from, to, step) : monthTicks(zone, from, to, count);
  const labels = times.map((time, i) => {
    const clock = zone.clock(time);
    const daily = !step || step >= DAY;
    const label = !step ? clock.slice(0, 7) : daily ? clock.slice(5, 10)
      : clock.slice(11, step < SECOND ? 23 : step < MINUTE ? 19 : 16);
    const under = (/** @type {number} */ at) => (!step ? '' : zone.clock(at).slice(0, daily ? 4 : 10));
    const first = time >= begin && !(times[i - 1] >= begin);
    const changed = (/** @type {(time: number) => string} */ text) => (first || i > 0 && text(times[i - 1]) !== text(time) ? text(time) : '');
    const line = (changed(under) + ' ' + changed((at) => zone.offsetText(at))).trim();
    return line ? label + '\n' + line : label;
  });
  return { times, labels };
}

/** @param {Zone} zone @param {number} from @param {number} to @param {number} step */
function stepTicks(zone, from, to, step) {
  const times = [];
  const anchor = step === 7 * DAY ? 4 * DAY : 0;
  let local = Math.ceil((from + zone.offset(from) - anchor) / step) * step + anchor;
  let time = local - zone.offset(from);
  while (time <= to) {
    if (time >= from) times.push(time);
    // After a change of the offset the next tick is at a round time of the changed clock.
    const next = time + step;
    local = Math.round((next + zone.offset(next) - anchor) / step) * step + anchor;
    const snapped = local - zone.offset(next);
    time = snapped > time ? snapped : next;
  }
  return times;
}

/** @param {Zone} zone @param {number} from @param {number} to @param {number} count */
function monthTicks(zone, from, to, count) {
  const step = MONTHS.find((months) => (to - from) / (months * 30.4 * DAY) <= count) ?? 1200;
  const times = [];
  const begin = new Date(from + zone.offset(from));
  for (let month = Math.floor(begin.getUTCMonth() / step) * step; ; month += step) {
    const local = Date.UTC(begin.getUTCFullYear() - (step > 12 ? begin.getUTCFullYear() % (step / 12) : 0), month, 1);
    const time = local - zone.offset(local - zone.offset(local));
    if (time > to) return times;
    if (time >= from) times.push(time);
  }
}

/** Returns a duration for people: 250 ms, 42 s, 25 min, 3 h, 9 d, in the language in use.
 * @param {number} duration */
export function durationText(duration) {
  const units = /** @type {[number, string][]} */ ([[365 * DAY, 'year'], [DAY, 'day'], [HOUR, 'hour'], [MINUTE, 'minute'], [SECOND, 'second']]);
  const [length, unit] = units.find(([each, name]) => duration >= (name === 'second' ? 0.95 : 2) * each) ?? [1, 'millisecond'];
  const value = duration / length;
  return t(unit, value < 10 && (unit === 'second' || unit === 'year') ? Math.round(value * 10) / 10 : Math.round(value));
}
