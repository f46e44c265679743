// Draws the traces of one sheet: an envelope with the mean where events are dense, steps with points where they are few.

import { placeOn } from '/page/axes.js';
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
  const y = (/** @type {number} */ value) => canvas.height * (1 - placeOn(axis, value));
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

/** @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {(value: number) => number} y @param {string[]} severities */
function drawBins(canvas, sheet, trace, y, severities) {
  const { context, ratio } = canvas;
  const { time, count, min = [], max = [], mean = [], timeMean = [], severity } = /** @type {import('./api.js').Bins} */ (trace.bins);
  const low = (/** @type {number} */ i) => (count[i] > 0 ? min[i] : null);
  const high = (/** @type {number} */ i) => (count[i] > 0 ? max[i] : null);
  const middle = (/** @type {number} */ i) => timeMean[i] ?? mean[i] ?? null;
  drawAlarms(canvas, sheet, time, severity, middle, y, severities);
  context.globalAlpha = 0.25;
  for (let i = 0; i < time.length; i++) {
    const [l, h] = [low(i), high(i)];
    if (l !== null && h !== null && l !== undefined && h !== undefined) {
      const x = Math.round(canvas.x(time[i]));
      const right = Math.max(x + 1, Math.round(canvas.x(time[i] + sheet.width)));
      const top = y(h);
      context.fillRect(x, top, right - x, Math.max(1, y(l) - top));
    }
  }
  // An extreme that stands out from both neighbours is a line, however narrow it is.
  context.globalAlpha = 0.9;
  for (let i = 0; i < time.length; i++) {
    const [l, h, m] = [low(i), high(i), middle(i)];
    if (typeof l === 'number' && typeof h === 'number' && typeof m === 'number') {
      const [yl, yh, ym] = [y(l), y(h), y(m)];
      const above = Math.min(peak(high(i - 1), y, ym), peak(high(i + 1), y, ym)) - yh;
      const below = yl - Math.max(peak(low(i - 1), y, ym), peak(low(i + 1), y, ym));
      const x = Math.round(canvas.x(time[i] + sheet.width / 2) - ratio / 2);
      if (above > 3 * ratio) context.fillRect(x, yh, ratio, ym - yh);
      if (below > 3 * ratio) context.fillRect(x, ym, ratio, yl - ym);
    }
  }
  context.globalAlpha = 1;
  context.beginPath();
  let end = -Infinity;
  for (let i = 0; i < time.length; i++) {
    const m = middle(i);
    if (m === null) {
      end = -Infinity;
      continue;
    }
    const [x, level] = [canvas.x(time[i] + sheet.width / 2), y(m)];
    if (time[i] > end + sheet.width / 2) context.moveTo(canvas.x(time[i]), level);
    context.lineTo(x, level);
    end = time[i] + sheet.width;
    if (middle(i + 1) === null || time[i + 1] === undefined || time[i + 1] > end + sheet.width / 2) {
      context.lineTo(canvas.x(Math.min(end, sheet.to)), level);
    }
  }
  context.stroke();
}

/** @param {number | null | undefined} value @param {(value: number) => number} y @param {number} otherwise */
function peak(value, y, otherwise) { return typeof value === 'number' ? y(value) : otherwise; }

/** @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {(value: number) => number} y @param {string[]} severities */
function drawSteps(canvas, sheet, trace, y, severities) {
  const { context, ratio } = canvas;
  const events = /** @type {import('./api.js').Events} */ (trace.events);
  const { time, value, severity, state } = events;
  const cuts = cutsOf(sheet, trace);
  const held = (/** @type {number} */ i) => (typeof value[i] === 'number' && (state?.[i] ?? 'value') === 'value' ? value[i] : null);
  drawAlarms(canvas, sheet, time, severity, held, y, severities);
  context.beginPath();
  let at = -Infinity;
  let cut = 0;
  const hold = (/** @type {number} */ from, /** @type {number} */ to, /** @type {any} */ level) => {
    if (typeof level !== 'number') {
      at = -Infinity;
      return;
    }
    while (cut < cuts.length && cuts[cut].to <= from) cut++;
    const end = cut < cuts.length ? Math.min(to, cuts[cut].from) : to;
    if (at === from) {
      context.lineTo(canvas.x(from), y(level));
    } else {
      context.moveTo(canvas.x(from), y(level));
    }
    if (end > from) context.lineTo(canvas.x(end), y(level));
    at = end;
  };
  const first = trace.held?.state === 'value' ? trace.held.value : null;
  hold(sheet.from, time[0] ?? sheet.to, first);
  for (let i = 0; i < time.length; i++) hold(time[i], time[i + 1] ?? sheet.to, held(i));
  context.stroke();
  const shown = (sheet.to - sheet.from) / canvas.perPixel / ratio;
  if (time.length > 0 && shown / time.length > 7) {
    context.beginPath();
    for (let i = 0; i < time.length; i++) {
      if (held(i) !== null) {
        const [x, level] = [canvas.x(time[i]), y(value[i])];
        context.moveTo(x + 2.5 * ratio, level);
        context.arc(x, level, 2.5 * ratio, 0, 7);
      }
    }
    context.fill();
  }
}

/** Marks values with a severity: a broad line behind the trace, and the sign of the severity where it begins.
 * @param {Canvas} canvas
 * @param {Sheet} sheet @param {number[]} time @param {number[]} severity @param {(i: number) => number | null | undefined} level
 * @param {(value: number) => number} y @param {string[]} severities */
function drawAlarms(canvas, sheet, time, severity, level, y, severities) {
  const { context, ratio } = canvas;
  const colour = context.fillStyle;
  let signed = -Infinity;
  for (let i = 0; i < time.length; i++) {
    const worst = severity?.[i] ?? 0;
    const value = level(i);
    if (worst > 0 && typeof value === 'number') {
      const begin = i;
      while (i + 1 < time.length && (severity[i + 1] ?? 0) === worst) i++;
      context.strokeStyle = context.fillStyle = severities[worst];
      context.globalAlpha = 0.5;
      context.lineWidth = 6 * ratio;
      context.beginPath();
      for (let j = begin; j <= i; j++) {
        const each = level(j);
        if (typeof each === 'number') {
          const next = Math.min(time[j + 1] ?? sheet.to, sheet.to);
          context.lineTo(canvas.x(time[j]), y(each));
          context.lineTo(canvas.x(j === i && next - time[j] > 100 * sheet.width ? time[j] + sheet.width : next), y(each));
        }
      }
      context.stroke();
      const x = canvas.x(time[begin]);
      if (x - signed > 28 * ratio) {
        context.globalAlpha = 1;
        severitySign(context, worst, x, y(value) - 10 * ratio, 4.5 * ratio);
        signed = x;
      }
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5 * ratio;
}
