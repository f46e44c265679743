// When the value of a channel is known: disconnections, from events or from bins without a known value.

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
      if (since !== null) away.push([since, time[i]]);
      [time[kept], value[kept], severity[kept], state[kept]] = [time[i], value[i], severity[i], state[i]];
      kept++;
    }
    since = state[i] === 'value' ? null : since ?? time[i];
  }
  if (since !== null) away.push([since, trend.to]);
  [time, value, severity, state].forEach((column) => (column.length = kept));
  return away;
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
