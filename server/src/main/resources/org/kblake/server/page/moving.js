// While a period is dragged, the plot and its time axis are pictures that are wider than the plot. Only their place changes from frame to
// frame. After a pause the chart is drawn again.

import { colours } from '/page/theme.js';

const PAUSE = 150;
const MAX_PIXELS = 16e6;

export class Moving {
  /** @param {import('./chart.js').Chart} chart */
  constructor(chart) {
    this.chart = chart;
    /** @type {{layer: HTMLElement, canvas: HTMLElement, margin: number}[]} the margin is what the layer hides at its left */
    this.layers = [];
    this.from = 0;
    this.perPixel = 1;
    this.width = 0;
    this.margin = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Returns whether the pictures are shown. */
  get active() { return this.layers.length > 0; }

  /** Returns how far the plot is moved from where it was drawn, in pixels of the screen. */
  get shift() { return this.active ? Math.round((this.from - this.chart.from) / this.perPixel) : 0; }

  /** Draws the pictures of the period and of what is beside it, and shows them. */
  begin() {
    const { chart } = this;
    const { plot, scene } = chart;
    this.remove();
    if (!plot || !scene || chart.to <= chart.from) return;
    const { left, top, width, height } = plot.bbox;
    this.from = chart.from;
    this.perPixel = (chart.to - chart.from) / width;
    this.width = width;
    this.margin = Math.max(0, Math.round(Math.min(width / 2, (MAX_PIXELS / height - width) / 2)));
    // A picture that is hardly wider than the plot would be drawn too often.
    if (this.margin < width / 8) return;
    const all = { left: 0, top: 0, width: width + 2 * this.margin, height };
    const seen = { left: this.margin, right: this.margin + width };
    const [from, to] = [chart.from - this.margin * this.perPixel, chart.to + this.margin * this.perPixel];
    const ticks = chart.timeTicks(from, to, chart.from);
    this.layer(left, top, width, all.width, height, this.margin, (context) => chart.paintPlot(context, all, from, to, ticks, seen));
    // A label may stand out of the plot.
    const out = Math.min(this.margin, left, plot.ctx.canvas.width - left - width);
    this.layer(left - out, top + height, width + 2 * out, all.width, plot.ctx.canvas.height - top - height, this.margin - out,
      (context) => chart.paintTimes(context, { ...all, height: 0 }, from, to, ticks));
    this.place();
  }

  /** @param {number} left @param {number} top @param {number} width @param {number} whole width of the picture @param {number} height
   * @param {number} margin all in pixels of the screen @param {(context: CanvasRenderingContext2D) => void} paint */
  layer(left, top, width, whole, height, margin, paint) {
    const { ratio } = this.chart;
    // The browser keeps a bitmap as it is. It copies other canvases anew for each frame, unless it has a graphics processor.
    const drawn = new /** @type {any} */ (window).OffscreenCanvas(whole, height);
    const context = drawn.getContext('2d', { alpha: false });
    context.fillStyle = colours().panel;
    context.fillRect(0, 0, whole, height);
    paint(context);
    const canvas = document.createElement('canvas');
    canvas.getContext('bitmaprenderer', { alpha: false })?.transferFromImageBitmap(drawn.transferToImageBitmap());
    const layer = document.createElement('div');
    layer.className = 'moving';
    for (const [element, sizes] of /** @type {const} */ ([[layer, { left, top, width, height }], [canvas, { width: whole, height }]])) {
      for (const [key, size] of Object.entries(sizes)) element.style.setProperty(key, size / ratio + 'px');
    }
    layer.append(canvas);
    this.chart.plot?.over.before(layer);
    this.layers.push({ layer, canvas, margin });
  }

  /** Moves the pictures to the period of the chart, and returns whether they have it. */
  follow() {
    if (!this.active) return false;
    const { from, to } = this.chart;
    if (Math.abs((to - from) / this.width / this.perPixel - 1) > 1e-6) {
      this.remove();
      return false;
    }
    if (Math.abs(this.shift) > this.margin) {
      this.begin();
    } else {
      this.place();
    }
    return true;
  }

  place() {
    for (const { canvas, margin } of this.layers) canvas.style.transform = 'translateX(' + (this.shift - margin) / this.chart.ratio + 'px)';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), PAUSE);
  }

  /** Draws the chart where it was moved to. */
  end() {
    this.remove();
    this.chart.refresh();
    this.chart.shown();
  }

  remove() {
    clearTimeout(this.timer);
    this.layers.forEach(({ layer }) => layer.remove());
    this.layers = [];
  }
}
