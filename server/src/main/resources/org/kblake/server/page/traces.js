// Draws the traces of one sheet: an envelope with the mean where events are dense, steps with points where they are few.

import { placer } from '/page/axes.js';
import { SEVERITY_SIGNS } from '/page/shapes.js';
import { lastEvent } from '/page/values.js';

/** @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Trace} Trace @typedef {import('./axes.js').Axis} Axis
 * @typedef {{context: CanvasRenderingContext2D, x: (time: number) => number, height: number, ratio: number, perPixel: number}} Canvas   in
 * pixels of the screen; perPixel: milliseconds
 * @typedef {{from: number, to: number}} Cut a time in which no value is known
 * @typedef {{from: number, to: number, value: any, severity: number, changed: boolean}} Piece changed: it begins with an event */

/** Returns the times in which a channel's value is not known, ascending.
 * @param {Sheet} sheet @param {Trace} trace @returns {Cut[]} */
function cutsOf(sheet, trace) {
  const spans = sheet.coverage.find((each) => each.group === trace.group)?.spans ?? [];
  const away = (trace.disconnected ?? []).map(([from, to]) => ({ from, to }));
  const end = spans.length > 0 ? [{ from: spans[spans.length - 1].to, to: Infinity }] : [];
  return [...spans.filter((span) => span.state !== 'answered'), ...end, ...away].sort((a, b) => a.from - b.from);
}

/** Returns the periods in which a channel holds a value: none lasts into a time in which it is not known, such as the future.
 * @param {Sheet} sheet @param {Trace} trace @returns {Piece[]} */
export function piecesOf(sheet, trace) {
  const { events, bins, held } = trace;
  const cuts = cutsOf(sheet, trace);
  /** @type {Piece[]} */
  const pieces = [];
  let cut = 0;
  const hold = (/** @type {number} */ from, /** @type {number} */ to, /** @type {any} */ value, /** @type {number} */ severity, changed = true) => {
    while (cut < cuts.length && cuts[cut].to <= from) cut++;
    const end = Math.max(from, cut < cuts.length ? Math.min(to, cuts[cut].from) : to);
    if (value !== null && value !== undefined) pieces.push({ from, to: end, value, severity, changed });
  };
  const time = events?.time ?? bins?.time ?? [];
  if (held?.state === 'value') hold(sheet.from, Math.min(time[0] ?? sheet.to, sheet.to), held.value, held.severity ?? 0, false);
  for (let i = 0; i < time.length; i++) {
    const known = (events?.state?.[i] ?? 'value') === 'value';
    hold(time[i], Math.min(events?.until?.[i] ?? time[i + 1] ?? sheet.to, sheet.to), known ? (events?.value ?? bins?.last ?? [])[i] : null, (events ?? bins)?.severity[i] ?? 0);
  }
  return pieces;
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
  const answered = (sheet.coverage.find((each) => each.group === trace.group)?.spans ?? []).filter((span) => span.state === 'answered');
  for (const [from, to] of trace.disconnected ?? []) {
    const value = lastEvent(trace, from)?.value;
    for (const span of typeof value === 'number' ? answered : []) {
      const [begin, end] = [Math.max(from, span.from, sheet.from), Math.min(to, span.to, sheet.to)];
      if (begin < end) {
        context.moveTo(canvas.x(begin), y(value));
        context.lineTo(canvas.x(end), y(value));
      }
    }
  }
  context.stroke();
  context.restore();
}

/** @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {(value: any) => number} y @param {string[]} severities */
function drawBins(canvas, sheet, trace, y, severities) {
  const { context } = canvas;
  const { time, mean = [], timeMean = [], severity } = /** @type {import('./api.js').Bins} */ (trace.bins);
  const cuts = cutsOf(sheet, trace);
  const ends = time.map((begin) => {
    while (cuts.length > 0 && cuts[0].from <= begin) cuts.shift();
    return Math.min(begin + sheet.width, sheet.to, cuts[0]?.from ?? Infinity);
  });
  const middle = time.map((_, i) => y(timeMean[i] ?? mean[i]));
  const isNext = (/** @type {number} */ i) => middle[i] === middle[i] && time[i] <= time[i - 1] + sheet.width * 1.5;
  drawAlarms(canvas, time.map((from, i) => ({ from, to: isNext(i + 1) ? time[i + 1] : ends[i], level: middle[i], severity: severity?.[i] ?? 0 })), severities);
  context.beginPath();
  for (let i = 0; i < time.length; i++) {
    if (Number.isNaN(middle[i])) continue;
    if (!(i > 0 && isNext(i) && !Number.isNaN(middle[i - 1]))) context.moveTo(canvas.x(time[i]), middle[i]);
    context.lineTo(canvas.x(Math.min(time[i] + sheet.width / 2, ends[i])), middle[i]);
    if (!isNext(i + 1)) context.lineTo(canvas.x(ends[i]), middle[i]);
  }
  context.stroke();
}

/** @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {(value: any) => number} y @param {string[]} severities */
function drawSteps(canvas, sheet, trace, y, severities) {
  const { context, ratio } = canvas;
  const steps = piecesOf(sheet, trace).map((piece) => ({ ...piece, level: y(piece.value) })).filter((each) => !Number.isNaN(each.level));
  drawAlarms(canvas, steps, severities);
  context.beginPath();
  let at = -Infinity;
  let before = NaN;
  for (const { from, to, level } of steps) {
    if (to < at) {
      // An event of the time before a clock was set back, beside the value that is held then.
      context.moveTo(canvas.x(from), level);
      context.lineTo(canvas.x(from), before);
      context.moveTo(canvas.x(at), before);
      continue;
    }
    before = level;
    if (at === from) {
      context.lineTo(canvas.x(from), level);
    } else {
      context.moveTo(canvas.x(from), level);
    }
    if (to > from) context.lineTo(canvas.x(to), level);
    at = to;
  }
  context.stroke();
  const shown = (sheet.to - sheet.from) / canvas.perPixel / ratio;
  if (steps.length > 0 && shown / steps.length > 7) {
    context.beginPath();
    for (const { from, level, changed } of steps) {
      if (!changed) continue;
      context.moveTo(canvas.x(from) + 2.5 * ratio, level);
      context.arc(canvas.x(from), level, 2.5 * ratio, 0, 7);
    }
    context.fill();
  }
}

/** Marks values with a severity: a broad line behind the trace, and the sign of the severity where it begins.
 * @param {Canvas} canvas
 * @param {{from: number, to: number, level: number, severity: number}[]} pieces with levels in pixels, NaN where there is none
 * @param {string[]} severities */
function drawAlarms(canvas, pieces, severities) {
  const { context, ratio } = canvas;
  const colour = context.fillStyle;
  let signed = -Infinity;
  context.font = 13 * ratio + 'px sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let i = 0; i < pieces.length; i++) {
    const { from, level, severity } = pieces[i];
    if (!(severity > 0) || Number.isNaN(level)) continue;
    context.strokeStyle = context.fillStyle = severities[severity];
    context.globalAlpha = 0.5;
    context.lineWidth = 6 * ratio;
    context.beginPath();
    for (;; i++) {
      context.lineTo(canvas.x(pieces[i].from), pieces[i].level);
      context.lineTo(canvas.x(pieces[i].to), pieces[i].level);
      const next = pieces[i + 1];
      if (!(next?.severity === severity && next.from === pieces[i].to && !Number.isNaN(next.level))) break;
    }
    context.stroke();
    if (canvas.x(from) - signed > 28 * ratio) {
      context.globalAlpha = 1;
      context.fillText(SEVERITY_SIGNS[severity], canvas.x(from), level - 10 * ratio);
      signed = canvas.x(from);
    }
  }
  context.globalAlpha = 1;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = 1.5 * ratio;
}
