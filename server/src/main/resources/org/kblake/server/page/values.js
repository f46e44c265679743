// What a channel's loaded data say: its kind, the value at an instant, the extremes of a period, texts of numbers.

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Trace} Trace @typedef {import('./api.js').Metadata} Metadata
 * @typedef {{name: string, state: string, value: any, time: number, severity: number, min?: number | null, max?: number | null, count?: number}}
 * Reading
 * @typedef {{name: string, time: number, value: number, kind: 'min' | 'max'}} Extreme */

/** Returns how a channel is drawn.
 * @param {Trace} trace @param {Metadata | undefined} metadata @returns {'number' | 'enum' | 'text' | 'waveform'} */
export function kindOf(trace, metadata) {
  if ((metadata?.elements ?? 1) > 1 || Array.isArray(trace.held?.value) || Array.isArray(trace.events?.value[0]) || Array.isArray(trace.bins?.last?.[0])) {
    return 'waveform';
  }
  return trace.type === 'enum' ? 'enum' : trace.type === 'string' ? 'text' : 'number';
}

/** Returns the index of the last time at or before an instant, or -1.
 * @param {number[]} times ascending @param {number} time */
export function lastBefore(times, time) {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/** Returns the trace of a channel in a sheet.
 * @param {Sheet} sheet @param {string} name */
export function traceOf(sheet, name) { return sheet.channels.find((trace) => trace.name === name); }

/** Returns the state of the log of a group at an instant.
 * @param {Sheet} sheet @param {string} group @param {number} time */
export function coverageAt(sheet, group, time) {
  const spans = sheet.coverage.find((each) => each.group === group)?.spans ?? [];
  return spans.find((span) => span.from <= time && time < span.to);
}

/** Returns the value of a channel at an instant, as the chart shows it.
 * @param {Sheet[]} sheets @param {string} name @param {number} time
 * @returns {Reading | null} null if this is not loaded */
export function readingAt(sheets, name, time) {
  // Where two overlap the later one knows more.
  const sheet = sheets.filter((each) => each.from <= time && time <= each.to).pop();
  const trace = sheet && traceOf(sheet, name);
  if (!sheet || !trace) return null;
  const none = { name, state: 'none', value: null, time, severity: 0 };
  const span = coverageAt(sheet, trace.group, time);
  if (span && span.state !== 'answered') return { ...none, state: span.state };
  const away = trace.disconnected?.some(([from, to]) => from <= time && time < to);
  if (trace.bins && !away) {
    const i = lastBefore(trace.bins.time, time);
    if (i >= 0 && time < trace.bins.time[i] + sheet.width) {
      const { count, timeMean, mean, min, max, last, severity } = trace.bins;
      const value = timeMean || mean ? timeMean?.[i] ?? mean?.[i] ?? null : last[i];
      return { name, state: value === null ? 'none' : 'value', value, time: trace.bins.time[i], severity: severity[i] ?? 0,
        min: min?.[i], max: max?.[i], count: count[i] };
    }
  }
  const last = lastEvent(trace, time);
  const state = away ? 'disconnected' : last?.state ?? 'none';
  return last ? { name, state, value: last.value, time: last.time, severity: last.severity } : none;
}

/** Returns the last value at or before an instant.
 * @param {Trace} trace @param {number} time @returns {import('./api.js').Held | null} */
export function lastEvent(trace, time) {
  const { events, bins, held } = trace;
  if (events) {
    let i = lastBefore(events.time, time);
    // After a clock was set back, a value before it in time may be the last one in the log.
    while (i >= 0 && events.until && events.until[i] <= time) i--;
    if (i >= 0) return { time: events.time[i], value: events.value[i], state: events.state?.[i] ?? 'value', severity: events.severity[i] };
  } else if (bins) {
    for (let i = lastBefore(bins.time, time); i >= 0; i--) {
      if (bins.count[i] > 0) return { time: bins.time[i], value: bins.last[i], state: 'value', severity: bins.severity[i] ?? 0 };
    }
  }
  return held && held.time <= time ? held : null;
}

/** Returns the least and the greatest value of a channel in a period, each with its time.
 * @param {Sheet[]} sheets @param {string} name
 * @param {number} from @param {number} to @param {boolean} positive whether only values above zero count
 * @returns {{min: Extreme, max: Extreme} | null} */
export function extremes(sheets, name, from, to, positive = false) {
  let [least, greatest] = [Infinity, -Infinity];
  let [leastTime, greatestTime] = [0, 0];
  const take = (/** @type {any} */ low, /** @type {any} */ high, /** @type {number} */ lowTime, /** @type {number} */ highTime) => {
    if (typeof low === 'number' && low < least && (!positive || low > 0)) {
      least = low;
      leastTime = lowTime;
    }
    if (typeof high === 'number' && high > greatest && (!positive || high > 0)) {
      greatest = high;
      greatestTime = highTime;
    }
  };
  for (const sheet of sheets) {
    const trace = traceOf(sheet, name);
    if (!trace || sheet.to < from || sheet.from > to) continue;
    const { bins, events, held } = trace;
    if (held?.state === 'value' && sheet.from <= from) {
      const before = lastEvent(trace, from);
      take(before?.value, before?.value, from, from);
    }
    if (bins) {
      const end = lastBefore(bins.time, to);
      for (let i = Math.max(0, lastBefore(bins.time, from)); i <= end; i++) {
        if (bins.count[i] > 0) {
          take(bins.min?.[i], bins.max?.[i], bins.minTime?.[i] ?? 0, bins.maxTime?.[i] ?? 0);
        } else {
          take(bins.timeMean?.[i], bins.timeMean?.[i], bins.time[i], bins.time[i]);
        }
      }
    } else if (events) {
      const end = lastBefore(events.time, to);
      for (let i = Math.max(0, lastBefore(events.time, from)); i <= end; i++) take(events.value[i], events.value[i], events.time[i], events.time[i]);
    }
  }
  return least > greatest ? null
    : { min: { name, time: leastTime, value: least, kind: 'min' }, max: { name, time: greatestTime, value: greatest, kind: 'max' } };
}

/** Returns a number as text.
 * @param {number} value @param {number | null} [precision] decimals as EPICS has them */
export function numberText(value, precision = null) {
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e7)) return value.toExponential(2).replace('e+', 'e');
  if (precision !== null) return value.toFixed(Math.min(precision, 12));
  return String(+value.toPrecision(6));
}

/** Returns a value as text, without its unit.
 * @param {any} value @param {Metadata | undefined} metadata */
export function valueText(value, metadata) {
  if (typeof value === 'number') return metadata?.labels?.[value] ?? numberText(value, metadata?.precision);
  return value === null ? 'NaN' : Array.isArray(value) ? '[' + value.length + ']' : String(value);
}

/** Returns the last part of a name.
 * @param {string} name */
export function shortName(name) { return name.split(':').slice(-2).join(':'); }
