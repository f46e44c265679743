// Lanes below the curves: an enum as a band of its states, texts as marks, a waveform as its image over time.

import { piecesOf } from '/page/traces.js';

/** @typedef {import('./traces.js').Canvas} Canvas @typedef {import('./sheets.js').Sheet} Sheet @typedef {import('./api.js').Trace} Trace
 * @typedef {import('./theme.js').Palette} Palette
 * @typedef {{name: string, kind: 'enum' | 'text' | 'waveform', top: number, height: number}} Lane in CSS pixels from the top of the plot */

/** The heights of lanes in CSS pixels. */
export const LANE_HEIGHTS = { enum: 24, text: 24, waveform: 72 };

/** Draws a lane.
 * @param {Canvas} canvas @param {Sheet} sheet @param {Trace} trace @param {Lane} lane @param {Palette} palette
 * @param {any} labels of an enum @param {number} colour of the channel */
export function drawLane(canvas, sheet, trace, lane, palette, labels, colour) {
  const { context, ratio } = canvas;
  const [top, height] = [(lane.top + 3) * ratio, (lane.height - 6) * ratio];
  const pieces = joined(piecesOf(sheet, trace));
  context.save();
  context.font = 12 * ratio + 'px ' + getComputedStyle(document.body).fontFamily;
  context.textBaseline = 'middle';
  if (lane.kind === 'waveform') {
    drawImage(canvas, pieces, top, height, palette.series[colour]);
  } else {
    for (const { from, to, value, changed } of pieces) {
      const [x, right] = [canvas.x(from), canvas.x(to)];
      const text = lane.kind === 'enum' ? labels?.[value] ?? String(value) : String(value);
      const tone = palette.series[lane.kind === 'enum' && typeof value === 'number' ? (colour + value) % 8 : colour];
      context.fillStyle = tone;
      if (lane.kind === 'enum') {
        context.globalAlpha = 0.3;
        context.fillRect(x, top, Math.max(ratio, right - x), height);
        context.globalAlpha = 1;
        context.fillRect(x, top + height - 2 * ratio, Math.max(ratio, right - x), 2 * ratio);
      }
      if (changed && (lane.kind === 'text' || right - x > 2 * ratio)) context.fillRect(x, top, lane.kind === 'text' ? 2 * ratio : ratio, height);
      const room = right - Math.max(x, canvas.x(sheet.from)) - 10 * ratio;
      if (room > 16 * ratio) {
        context.fillStyle = palette.ink;
        context.fillText(clipped(context, text, room), Math.max(x, 0) + 6 * ratio, top + height / 2);
      }
    }
  }
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} room */
function clipped(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let length = Math.floor(text.length * room / context.measureText(text).width) - 1;
  while (length > 0 && context.measureText(text.slice(0, length) + '…').width > room) length--;
  return length > 1 ? text.slice(0, length) + '…' : '';
}

/** Returns pieces, of which adjoining ones with the same number are one.
 * @param {import('./traces.js').Piece[]} pieces */
function joined(pieces) {
  return pieces.reduce((all, piece) => {
    const last = all[all.length - 1];
    if (last && typeof piece.value === 'number' && last.value === piece.value && last.to === piece.from) {
      last.to = piece.to;
    } else {
      all.push({ ...piece });
    }
    return all;
  }, /** @type {import('./traces.js').Piece[]} */ ([]));
}

/** Draws waveforms side by side: elements upwards, the value as the strength of the colour.
 * @param {Canvas} canvas
 * @param {{from: number, to: number, value: any}[]} pieces @param {number} top @param {number} height @param {string} colour */
function drawImage(canvas, pieces, top, height, colour) {
  const { context } = canvas;
  const arrays = pieces.filter((piece) => Array.isArray(piece.value) && piece.value.length > 0);
  let [low, high] = [Infinity, -Infinity];
  for (const { value } of arrays) {
    for (const element of value) {
      if (typeof element === 'number') {
        low = Math.min(low, element);
        high = Math.max(high, element);
      }
    }
  }
  context.fillStyle = colour;
  const rows = Math.round(height);
  for (const { from, to, value } of arrays) {
    const x = Math.round(canvas.x(from));
    const width = Math.max(1, Math.round(canvas.x(to)) - x);
    const lines = Math.min(rows, value.length);
    for (let row = 0; row < lines; row++) {
      const [begin, end] = [Math.floor(row * value.length / lines), Math.max(1, Math.floor((row + 1) * value.length / lines))];
      let greatest = -Infinity;
      for (let i = begin; i < end; i++) greatest = Math.max(greatest, value[i] ?? -Infinity);
      if (greatest > -Infinity) {
        const y = Math.round(top + height * (1 - (row + 1) / lines));
        context.globalAlpha = high > low ? 0.06 + 0.94 * (greatest - low) / (high - low) : 0.5;
        context.fillRect(x, y, width, Math.round(top + height * (1 - row / lines)) - y);
      }
    }
  }
}
