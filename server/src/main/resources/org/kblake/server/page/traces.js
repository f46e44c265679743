// Draws the traces of one sheet: an envelope with the mean where events are dense, steps with points where they are few.

import { placer } from '/page/axes.js';
import { SEVERITY_SIGNS } from '/page/shapes.js';
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

/** Returns a function for the height of a value in pixels, NaN where there is none.
 * @param {Canvas} canvas @param {Axis} axis @returns {(value: any) => number} */
function levelOf(canvas, axis) {
  const place = placer(axis);
  return (value) => (typeof value === 'number' ? canvas.height * (1 - place(value)) : NaN);
}

/** Draws what is between the least and the greatest value of each bin. A browser needs much longer for a rectangle than for its pixels.
 * @param {Canvas} canvas @param {ImageData} image whose pixels are changed @param {Sheet} sheet @param {Trace} trace @param {Axis} axis
 * @param {string} colour such as #0072b2 */
export function drawEnvelope(canvas, image, sheet, trace, axis, colour) {
  const { time, count, min = [], max = [], mean = [], timeMean = [] } = /** @type {import('./api.js').Bins} */ (trace.bins);
  const y = levelOf(canvas, axis);
  const low = time.map((_, i) => (count[i] > 0 ? y(min[i]) : NaN));
  const high = time.map((_, i) => (count[i] > 0 ? y(max[i]) : NaN));
  const ratio = Math.round(canvas.ratio);
  const paint = painter(image, colour);
  for (let i = 0; i < time.length; i++) {
    const x = Math.round(canvas.x(time[i]));
    const right = Math.max(x + 1, Math.round(canvas.x(time[i] + sheet.width)));
    const top = Math.round(high[i]);
    paint(x, top, right, Math.max(top + 1, Math.round(low[i])), 64);
    // An extreme that stands out from both neighbours is a line, however narrow it is.
    const m = y(timeMean[i] ?? mean[i]);
    const near = (/** @type {number[]} */ levels, /** @type {number} */ j) => (levels[j] === levels[j] ? levels[j] ?? m : m);
    const middle = Math.round(canvas.x(time[i] + sheet.width / 2) - ratio / 2);
    if (Math.min(near(high, i - 1), near(high, i + 1)) - high[i] > 3 * ratio) paint(middle, top, middle + ratio, Math.round(m), 230);
    if (low[i] - Math.max(near(low, i - 1), near(low, i + 1)) > 3 * ratio) paint(middle, Math.round(m), middle + ratio, Math.round(low[i]), 230);
  }
}

/** Returns a function that lays a colour with an alpha up to 255 over a rectangle of an image.
 * @param {ImageData} image @param {string} colour */
function painter({ data, width, height }, colour) {
  const rgb = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return (/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ right, /** @type {number} */ bottom, /** @type {number} */ alpha) => {
    for (let row = Math.max(0, top); row < Math.min(height, bottom); row++) {
      for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
        const at = (row * width + x) * 4;
        const under = data[at + 3] * (255 - alpha) / 255;
        for (let i = 0; i < 3; i++) data[at + i] = (rgb[i] * alpha + data[at + i] * under) / (alpha + under);
        data[at + 3] = alpha + under;
      }
    }
  };
}

/** Draws a channel that has numbers.
 * @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {Axis} axis @param {string} colour
 * @param {string[]} severities their colours */
export function drawNumbers(canvas, sheet, trace, axis, colour, severities) {
  const y = levelOf(canvas, axis);
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
  const { context } = canvas;
  const { time, mean = [], timeMean = [], severity } = /** @type {import('./api.js').Bins} */ (trace.bins);
  const middle = time.map((_, i) => y(timeMean[i] ?? mean[i]));
  drawAlarms(canvas, sheet, time, severity, middle, severities);
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
  context.font = 13 * ratio + 'px sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
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
        context.fillText(SEVERITY_SIGNS[worst], x, first - 10 * ratio);
        signed = x;
      }
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5 * ratio;
}
