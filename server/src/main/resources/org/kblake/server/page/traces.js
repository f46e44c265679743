// Draws the traces of one sheet: an envelope with the mean where events are dense, steps with points where they are few.

import { placer } from '/page/axes.js';
import { severitySign } from '/page/shapes.js';
import { lastEvent } from '/page/values.js';

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Trace} Trace @typedef {import('./axes.js').Axis} Axis
 * @typedef {{context: CanvasRenderingContext2D, x: (time: number) => number, height: number, ratio: number, perPixel: number}} Canvas   in
 * pixels of the screen; perPixel: milliseconds
 * @typedef {{from: number, to: number}} Cut a time in which no value is known */

/** Returns the times in which a channel's value is not known, ascending.
 * @param {Sheet} sheet @param {Trace} trace @returns {Cut[]} */
export function cutsOf(sheet, trace) {
  const spans = sheet.coverage.find((each) => each.group === trace.group)?.spans ?? [];
  const away = (trace.disconnected ?? []).map(([from, to]) => ({ from, to }));
  return [...spans.filter((span) => span.state !== 'answered'), ...away].sort((a, b) => a.from - b.from);
}

/** Draws a channel that has numbers.
 * @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {Axis} axis @param {string} colour
 * @param {string[]} severities their colours */
export function drawNumbers(canvas, sheet, trace, axis, colour, severities) {
  const place = placer(axis);
  const y = (/** @type {any} */ value) => (typeof value === 'number' ? canvas.height * (1 - place(value)) : NaN);
  const { context, ratio } = canvas;
  context.save();
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5 * ratio;
  context.lineJoin = 'round';
  if (trace.bins) {
    drawBins(canvas, sheet, trace, y, severities);
  } else if (trace.events) {
    drawSteps(canvas, sheet, trace, y, severities);
  }
  context.setLineDash([4 * ratio, 4 * ratio]);
  context.globalAlpha = 0.8;
  context.beginPath();
  for (const [from, to] of trace.disconnected ?? []) {
    const value = lastEvent(trace, from)?.value;
    if (typeof value === 'number') {
      context.moveTo(canvas.x(Math.max(from, sheet.from)), y(value));
      context.lineTo(canvas.x(Math.min(to, sheet.to)), y(value));
    }
  }
  context.stroke();
  context.restore();
}

/** @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {(value: any) => number} y @param {string[]} severities */
function drawBins(canvas, sheet, trace, y, severities) {
  const { context, ratio } = canvas;
  const { time, count, min = [], max = [], mean = [], timeMean = [], severity } = /** @type {import('./api.js').Bins} */ (trace.bins);
  const low = time.map((_, i) => (count[i] > 0 ? y(min[i]) : NaN));
  const high = time.map((_, i) => (count[i] > 0 ? y(max[i]) : NaN));
  const middle = time.map((_, i) => y(timeMean[i] ?? mean[i]));
  drawAlarms(canvas, sheet, time, severity, middle, severities);
  // Rectangles one by one are drawn faster than as one path.
  context.globalAlpha = 0.25;
  for (let i = 0; i < time.length; i++) {
    if (high[i] <= low[i]) {
      const x = Math.round(canvas.x(time[i]));
      context.fillRect(x, high[i], Math.max(1, Math.round(canvas.x(time[i] + sheet.width)) - x), Math.max(1, low[i] - high[i]));
    }
  }
  // An extreme that stands out from both neighbours is a line, however narrow it is.
  context.globalAlpha = 0.9;
  for (let i = 0; i < time.length; i++) {
    const m = middle[i];
    const near = (/** @type {number[]} */ levels, /** @type {number} */ j) => (levels[j] === levels[j] ? levels[j] ?? m : m);
    const x = Math.round(canvas.x(time[i] + sheet.width / 2) - ratio / 2);
    if (Math.min(near(high, i - 1), near(high, i + 1)) - high[i] > 3 * ratio) context.fillRect(x, high[i], ratio, m - high[i]);
    if (low[i] - Math.max(near(low, i - 1), near(low, i + 1)) > 3 * ratio) context.fillRect(x, m, ratio, low[i] - m);
  }
  context.globalAlpha = 1;
  context.beginPath();
  let end = -Infinity;
  for (let i = 0; i < time.length; i++) {
    const level = middle[i];
    if (Number.isNaN(level)) {
      end = -Infinity;
      continue;
    }
    if (time[i] > end + sheet.width / 2) context.moveTo(canvas.x(time[i]), level);
    context.lineTo(canvas.x(time[i] + sheet.width / 2), level);
    end = time[i] + sheet.width;
    if (!(middle[i + 1] === middle[i + 1] && time[i + 1] <= end + sheet.width / 2)) context.lineTo(canvas.x(Math.min(end, sheet.to)), level);
  }
  context.stroke();
}

/** @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {(value: any) => number} y @param {string[]} severities */
function drawSteps(canvas, sheet, trace, y, severities) {
  const { context, ratio } = canvas;
  const events = /** @type {import('./api.js').Events} */ (trace.events);
  const { time, value, severity, state } = events;
  const cuts = cutsOf(sheet, trace);
  const levels = time.map((_, i) => ((state?.[i] ?? 'value') === 'value' ? y(value[i]) : NaN));
  drawAlarms(canvas, sheet, time, severity, levels, severities);
  context.beginPath();
  let at = -Infinity;
  let cut = 0;
  const hold = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ level) => {
    if (Number.isNaN(level)) {
      at = -Infinity;
      return;
    }
    while (cut < cuts.length && cuts[cut].to <= from) cut++;
    const end = cut < cuts.length ? Math.min(to, cuts[cut].from) : to;
    if (at === from) {
      context.lineTo(canvas.x(from), level);
    } else {
      context.moveTo(canvas.x(from), level);
    }
    if (end > from) context.lineTo(canvas.x(end), level);
    at = end;
  };
  hold(sheet.from, time[0] ?? sheet.to, y(trace.held?.state === 'value' ? trace.held.value : null));
  for (let i = 0; i < time.length; i++) hold(time[i], time[i + 1] ?? sheet.to, levels[i]);
  context.stroke();
  const shown = (sheet.to - sheet.from) / canvas.perPixel / ratio;
  if (time.length > 0 && shown / time.length > 7) {
    context.beginPath();
    for (let i = 0; i < time.length; i++) {
      if (Number.isNaN(levels[i])) continue;
      const x = canvas.x(time[i]);
      context.moveTo(x + 2.5 * ratio, levels[i]);
      context.arc(x, levels[i], 2.5 * ratio, 0, 7);
    }
    context.fill();
  }
}

/** Marks values with a severity: a broad line behind the trace, and the sign of the severity where it begins.
 * @param {Canvas} canvas
 * @param {Sheet} sheet @param {number[]} time @param {number[]} severity @param {number[]} levels in pixels, NaN where there is none
 * @param {string[]} severities */
function drawAlarms(canvas, sheet, time, severity, levels, severities) {
  const { context, ratio } = canvas;
  const colour = context.fillStyle;
  let signed = -Infinity;
  for (let i = 0; i < time.length; i++) {
    const worst = severity?.[i] ?? 0;
    const first = levels[i];
    if (worst > 0 && !Number.isNaN(first)) {
      const begin = i;
      while (i + 1 < time.length && (severity[i + 1] ?? 0) === worst) i++;
      context.strokeStyle = context.fillStyle = severities[worst];
      context.globalAlpha = 0.5;
      context.lineWidth = 6 * ratio;
      context.beginPath();
      for (let j = begin; j <= i; j++) {
        if (Number.isNaN(levels[j])) continue;
        const next = Math.min(time[j + 1] ?? sheet.to, sheet.to);
        context.lineTo(canvas.x(time[j]), levels[j]);
        context.lineTo(canvas.x(j === i && next - time[j] > 100 * sheet.width ? time[j] + sheet.width : next), levels[j]);
      }
      context.stroke();
      const x = canvas.x(time[begin]);
      if (x - signed > 28 * ratio) {
        context.globalAlpha = 1;
        severitySign(context, worst, x, first - 10 * ratio, 4.5 * ratio);
        signed = x;
      }
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5 * ratio;
}
