// The overview: one channel over the whole recorded time, with a brush for the shown period.

import { ask } from '/page/api.js';
import { fitted, make } from '/page/dom.js';
import { colourOf, colours } from '/page/theme.js';
import { instantText, timeTicks } from '/page/time.js';
import { t } from '/page/words.js';

const HEIGHT = 40;
const LEAST = 6;

export class Overview {
  /** @param {HTMLElement} element @param {(from: number, to: number) => void} chosen */
  constructor(element, chosen) {
    this.element = element;
    this.chosen = chosen;
    this.caption = make('span.caption');
    this.canvas = /** @type {HTMLCanvasElement} */ (make('canvas'));
    this.brush = make('div.brush', {}, make('i.grip.left'), make('i.grip.right'));
    this.track = make('div.track', {}, this.canvas, this.brush);
    element.append(this.caption, this.track);
    this.period = { from: 0, to: 1 };
    this.shown = { from: 0, to: 1 };
    this.width = 100;
    this.key = '';
    /** @type {import('./api.js').Trace | null} */
    this.trace = null;
    this.step = 1;
    this.listen();
  }

  /** Loads a channel with numbers, if there is one and it is another one than before.
   * @param {string | null} name @param {{from: number, to: number} | null} period */
  async load(name, period) {
    const key = name + ' ' + (period?.from ?? '');
    if (!period || key === this.key) return;
    this.key = key;
    this.period = period;
    this.trace = null;
    try {
      const trend = name && await ask('trend', { channel: [name], from: instantText(period.from), to: instantText(period.to), bins: 800, points: 0 });
      this.trace = trend?.channels[0] ?? null;
      this.step = trend?.width ?? 1;
    } catch {
      // Without a trace the overview still has the brush.
    }
    this.draw();
    this.move(this.shown.from, this.shown.to);
  }

  /** Shows the brush.
   * @param {number} from @param {number} to @param {{left: number, width: number}} box @param {import('./time.js').Zone} zone */
  show(from, to, box, zone) {
    this.element.hidden = false;
    this.zone = zone;
    this.caption.textContent = t('overview');
    this.caption.style.width = box.left - 8 + 'px';
    this.track.title = t('overviewHelp');
    if (this.width !== box.width) {
      this.width = box.width;
      this.track.style.width = box.width + 'px';
      this.draw();
    }
    this.move(from, to);
  }

  /** Moves the brush.
   * @param {number} from @param {number} to */
  move(from, to) {
    this.shown = { from, to };
    // Outside of the recorded time an arrow shows where the period is.
    const side = to <= this.period.from ? 'before' : from >= this.period.to ? 'after' : '';
    this.brush.hidden = side !== '';
    if (this.track.dataset.side !== side) this.track.dataset.side = side;
    const place = (/** @type {number} */ time) => (time - this.period.from) / (this.period.to - this.period.from) * this.width;
    const left = Math.min(Math.max(place(from), 0), this.width - LEAST);
    const right = Math.max(Math.min(place(to), this.width), left + LEAST);
    this.brush.style.transform = 'translateX(' + left + 'px)';
    const width = Math.round(right - left) + 'px';
    if (this.brush.style.width !== width) this.brush.style.width = width;
  }

  draw() {
    const context = fitted(this.canvas, this.width, HEIGHT);
    const { trace, period } = this;
    const palette = colours();
    const x = (/** @type {number} */ time) => (time - period.from) / (period.to - period.from) * this.width;
    if (this.zone) {
      context.font = '11px ' + getComputedStyle(document.body).fontFamily;
      const ticks = timeTicks(this.zone, period.from, period.to, this.width / 120);
      ticks.times.forEach((time, i) => {
        context.fillStyle = palette.line;
        context.fillRect(Math.round(x(time)), 0, 1, HEIGHT);
        context.fillStyle = palette.muted;
        context.fillText(ticks.labels[i].split('\n').reverse().join(' ').replace(/ ?[+-]\d\d:\d\d/, ''), x(time) + 4, 11);
      });
    }
    const times = trace?.bins?.time ?? trace?.events?.time ?? [];
    const lows = trace?.bins?.min ?? trace?.events?.value ?? [];
    const highs = trace?.bins?.max ?? trace?.events?.value ?? [];
    const numbers = [...lows, ...highs].filter((value) => typeof value === 'number');
    if (!trace) return;
    this.canvas.dataset.drawn = trace.name;
    const log = numbers.length > 0 && Math.min(...numbers) > 0 && Math.max(...numbers) > 1e3 * Math.min(...numbers);
    const scaled = (/** @type {number} */ value) => (log ? Math.log(value) : value);
    const [low, high] = [scaled(Math.min(...numbers)), scaled(Math.max(...numbers))];
    const y = (/** @type {number} */ value) => HEIGHT - 3 - (high > low ? (scaled(value) - low) / (high - low) : 0.5) * (HEIGHT - 18);
    context.fillStyle = palette.series[colourOf(trace.name)];
    times.forEach((time, i) => {
      const [l, h] = [lows[i], highs[i]];
      if (typeof l === 'number' && typeof h === 'number') {
        context.fillRect(x(time), y(h), Math.max(1, x(time + this.step) - x(time)), Math.max(1.5, y(l) - y(h)));
      }
    });
  }

  listen() {
    /** @type {{edge: string, x: number, from: number, to: number} | null} */
    let drag = null;
    const time = (/** @type {PointerEvent} */ event) => {
      const x = event.clientX - this.track.getBoundingClientRect().left;
      return this.period.from + Math.min(Math.max(x / this.width, 0), 1) * (this.period.to - this.period.from);
    };
    this.track.addEventListener('pointerdown', (event) => {
      this.track.setPointerCapture(event.pointerId);
      const target = /** @type {HTMLElement} */ (event.target);
      const edge = target.classList.contains('left') ? 'left' : target.classList.contains('right') ? 'right' : target === this.brush ? 'whole' : 'new';
      drag = { edge, x: time(event), ...this.shown };
    });
    this.track.addEventListener('pointermove', (event) => {
      if (!drag) return;
      const at = time(event);
      const shift = at - drag.x;
      if (drag.edge === 'whole') {
        this.chosen(drag.from + shift, drag.to + shift);
      } else if (drag.edge === 'new') {
        const far = Math.abs(shift) / (this.period.to - this.period.from) * this.width > 3;
        if (far) this.chosen(Math.min(at, drag.x), Math.max(at, drag.x));
      } else {
        const [from, to] = drag.edge === 'left' ? [at, drag.to] : [drag.from, at];
        this.chosen(Math.min(from, to), Math.max(from, to));
      }
    });
    const end = (/** @type {PointerEvent} */ event) => {
      if (drag?.edge === 'new' && Math.abs(time(event) - drag.x) / (this.period.to - this.period.from) * this.width <= 3) {
        const half = (this.shown.to - this.shown.from) / 2;
        this.chosen(drag.x - half, drag.x + half);
      }
      drag = null;
    };
    this.track.addEventListener('pointerup', end);
    this.track.addEventListener('pointercancel', () => (drag = null));
  }
}
