// When the value of a channel is known: disconnections, from events or from bins without a known value, and how long values are held.

/**
 * @typedef {import('./api.js').Trend} Trend
 * @typedef {import('./api.js').Trace} Trace */

/** Adds the disconnections to the channels of an answer, and leaves only events that have a value.
 * @param {Trend} trend */
export function addDisconnections(trend) {
  for (const trace of trend.channels) {
    trace.disconnected = trace.events ? fromEvents(trend, trace, trace.events) : trace.bins?.timeMean ? fromBins(trend, trace, trace.bins) : [];
  }
}

/** @param {Trend} trend @param {Trace} trace @param {import('./api.js').Events} events @returns {[number, number][]} */
function fromEvents(trend, trace, events) {
  /** @type {[number, number][]} */
  const away = [];
  let since = trace.held?.state === 'disconnected' ? trend.from : null;
  const { time, value, severity, state } = events;
  let kept = 0;
  for (let i = 0; i < time.length; i++) {
    if (state[i] === 'value') {
      if (since !== null) away.push([Math.min(since, time[i]), Math.max(since, time[i])]);
      [time[kept], value[kept], severity[kept], state[kept]] = [time[i], value[i], severity[i], state[i]];
      kept++;
    }
    since = state[i] === 'value' ? null : since ?? time[i];
  }
  // What has not ended goes on while live data come.
  if (since !== null) away.push([since, Infinity]);
  [time, value, severity, state].forEach((column) => (column.length = kept));
  sort(events);
  return away.sort((a, b) => a[0] - b[0]);
}

/** Sorts events by time if a clock was set back. A value is held until the earliest time of the events behind it in the log.
 * @param {import('./api.js').Events} events in log order */
function sort(events) {
  const { time, value, severity, state } = events;
  if (time.every((each, i) => i === 0 || each >= time[i - 1])) return;
  /** @type {number[]} */
  const until = [];
  for (let i = time.length - 1, next = Infinity; i >= 0; i--) {
    until[i] = next;
    next = Math.min(next, time[i]);
  }
  const order = time.map((_, i) => i).sort((a, b) => time[a] - time[b]);
  for (const column of /** @type {any[][]} */ ([time, value, severity, state, until])) {
    const sorted = order.map((i) => column[i]);
    sorted.forEach((each, i) => (column[i] = each));
  }
  events.until = until;
}

/** @param {Trend} trend @param {Trace} trace @param {import('./api.js').Bins} bins @returns {[number, number][]} */
function fromBins(trend, trace, bins) {
  const { time, known, timeMean } = bins;
  /** @type {[number, number][]} */
  const gaps = [];
  let end = trace.held ? trend.from : null;
  for (let i = 0; i < time.length; i++) {
    if (known?.[i] === 0 && timeMean?.[i] === null) continue;
    if (end !== null && time[i] - end > trend.width / 2) gaps.push([end, time[i]]);
    end = time[i] + trend.width;
  }
  if (end !== null && trend.to - end > trend.width / 2) gaps.push([end, trend.to]);
  const spans = trend.coverage.find((each) => each.group === trace.group)?.spans ?? [];
  return gaps.flatMap(([from, to]) => spans.filter((span) => span.state === 'answered' && span.to > from && span.from < to)
    .map((span) => /** @type {[number, number]} */ ([Math.max(from, span.from), Math.min(to, span.to)])))
    .filter(([from, to]) => to - from > trend.width / 2);
}
