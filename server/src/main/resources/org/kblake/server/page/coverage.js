// The coverage strip: what the log of each group has in the shown period.

import { fitted, make } from '/page/dom.js';
import { hatching } from '/page/shapes.js';
import { colours } from '/page/theme.js';
import { t } from '/page/words.js';

const MAX_ROWS = 4;
const LEAST_MARK = 4;

/** @typedef {import('./api.js').Span} Span @typedef {import('./api.js').LossySpan} LossySpan */

/** Draws spans from left to right, and above them those in which events may be lost.
 * @param {HTMLCanvasElement} canvas @param {Span[]} spans @param {number} from @param {number} to
 * @param {number} width @param {number} height @param {LossySpan[]} [lossy] */
export function drawSpans(canvas, spans, from, to, width, height, lossy = []) {
  const context = fitted(canvas, width, height);
  const palette = colours();
  for (const span of spans) {
    const x = Math.max(0, Math.round((span.from - from) / (to - from) * width));
    const end = Math.min(width, Math.round((span.to - from) / (to - from) * width));
    const room = Math.max(1, end - x);
    if (end < 0 || x > width) continue;
    if (span.state === 'answered') {
      context.fillStyle = palette.accent;
      context.globalAlpha = 0.55;
      context.fillRect(x, 0, room, height);
    } else if (span.state !== 'not-recorded' && span.state !== 'pending') {
      const bad = span.state === 'damaged';
      context.fillStyle = bad ? palette.severity[2] : palette.hatch;
      context.globalAlpha = 0.25;
      context.fillRect(x, 0, room, height);
      context.globalAlpha = 1;
      context.fillStyle = hatching(context, bad ? palette.severity[2] : palette.hatch, bad);
      context.fillRect(x, 0, room, height);
    }
    context.globalAlpha = 1;
  }
  for (const span of lossy) {
    const [x, end] = [span.from, span.to].map((time) => Math.round((time - from) / (to - from) * width));
    const room = Math.max(LEAST_MARK, end - x);
    if (x + room < 0 || x > width) continue;
    context.fillStyle = palette.panel;
    context.fillRect(x, 0, room, height);
    context.fillStyle = hatching(context, palette.severity[1], false);
    context.fillRect(x, 0, room, height);
    context.lineWidth = 2;
    context.strokeStyle = palette.severity[1];
    context.strokeRect(x + 1, 1, room - 2, height - 2);
  }
}

/** Returns the lossy spans of a group that some sheets have. Adjoining sheets have the same ones.
 * @param {import('./sheets.js').Sheet[]} sheets @param {string} group @returns {LossySpan[]} */
function lossyOf(sheets, group) {
  const spans = sheets.flatMap((sheet) => sheet.lossy ?? []).filter((span) => span.group === group);
  return [...new Map(spans.map((span) => [[span.from, span.to, span.count, span.reason].join(), span])).values()];
}

/** @param {LossySpan} span */
function lossyText({ count, reason }) {
  return t('lossy', (count === null ? '' : t(count === 1 ? 'lostEvent' : 'lostEvents', count) + ', ') + t(reason));
}

/** Returns the state of a span and its reason in words, without files and places in them.
 * @param {Span} span */
export function spanText(span) {
  const reason = span.reason?.split(/: | [a-z]+=/)[0];
  return t(span.state) + (reason && reason !== t(span.state) ? ' (' + reason + ')' : '');
}

export class CoverageStrip {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Map<string, {row: HTMLElement, canvas: HTMLCanvasElement}>} */
    this.rows = new Map();
  }

  /** @param {import('./sheets.js').Sheet[]} sheets @param {number} from @param {number} to @param {{left: number, width: number}} box */
  draw(sheets, from, to, box) {
    const groups = [...new Set(sheets.flatMap((sheet) => sheet.coverage.map((each) => each.group)))].slice(0, MAX_ROWS);
    if (groups.join() !== [...this.rows.keys()].join()) {
      this.rows.clear();
      this.element.replaceChildren(...groups.map((group) => {
        const canvas = /** @type {HTMLCanvasElement} */ (make('canvas'));
        const row = make('div.strip', {}, make('span.caption', { title: t('coverage') + ' ' + group }, group), make('div.part', {}, canvas));
        this.rows.set(group, { row, canvas });
        return row;
      }));
    }
    const height = groups.length > 2 ? 8 : 12;
    for (const [group, { row, canvas }] of this.rows) {
      const caption = /** @type {HTMLElement} */ (row.firstElementChild);
      caption.style.width = box.left - 8 + 'px';
      const spans = sheets.flatMap((sheet) => sheet.coverage.filter((each) => each.group === group).flatMap((each) => each.spans));
      // Half a period on each side is drawn, too: it is seen while a period is dragged.
      const half = (to - from) / 2;
      const lossy = lossyOf(sheets, group);
      const part = /** @type {HTMLElement} */ (canvas.parentElement);
      part.style.width = box.width + 'px';
      canvas.style.marginLeft = -box.width / 2 + 'px';
      canvas.style.transform = '';
      drawSpans(canvas, spans, from - half, to + half, box.width * 2, height, lossy);
      const states = [...new Set([
        ...spans.filter((span) => span.to > from && span.from < to).map((span) => t(span.state)),
        ...lossy.filter((span) => span.to >= from && span.from < to).map(lossyText),
      ])];
      canvas.setAttribute('aria-label', t('coverage') + ' ' + group + ': ' + states.join(', '));
      canvas.setAttribute('role', 'img');
      canvas.onmousemove = (event) => {
        const time = from - half + event.offsetX / box.width * (to - from);
        const span = spans.find((each) => each.from <= time && time < each.to);
        const near = LEAST_MARK / box.width * (to - from);
        const lost = lossy.filter((each) => each.from <= time + near && time - near <= each.to).map(lossyText);
        canvas.title = [...span ? [spanText(span)] : [], ...lost].join('\n');
      };
    }
  }
  /** Moves what is drawn.
   * @param {number} pixels of CSS */
  shift(pixels) { for (const { canvas } of this.rows.values()) canvas.style.transform = 'translateX(' + pixels + 'px)'; }
}
