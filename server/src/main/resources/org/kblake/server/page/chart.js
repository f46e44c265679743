// The chart: uPlot has the canvas, the scale of time and the cursor; the axes are drawn here, and the traces are copied from a picture.

import uPlot from '/page/uplot/uPlot.esm.js';
import { placeOn, tickTexts, valueTicks } from '/page/axes.js';
import { LANE_HEIGHTS } from '/page/lanes.js';
import { Moving } from '/page/moving.js';
import { Picture } from '/page/picture.js';
import { hatching } from '/page/shapes.js';
import { colourOf, colours } from '/page/theme.js';
import { timeTicks, Zone } from '/page/time.js';
import { numberText, shortName } from '/page/values.js';
import { t } from '/page/words.js';

const GUTTER = 72;
const TOP = 24;
const BOTTOM = 48;
const EDGE = 40;
const QUIET = ['answered', 'not-recorded', 'pending'];

/** @typedef {import('./axes.js').Axis} Axis @typedef {import('./lanes.js').Lane} Lane @typedef {import('./picture.js').Scene} Scene
 * @typedef {import('./values.js').Extreme} Extreme @typedef {ReturnType<timeTicks>} Ticks
 * @typedef {{left: number, top: number, width: number, height: number}} Box */

export class Chart {
  /** @param {HTMLElement} element @param {(time: number | null) => void} pointed is called when the cursor moves @param {() => void} shown after new data are drawn */
  constructor(element, pointed, shown) {
    this.shown = shown;
    this.element = element;
    this.pointed = pointed;
    this.zone = new Zone('UTC');
    this.from = 0;
    this.to = 0;
    this.now = 0;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Extreme | null} */
    this.marked = null;
    this.away = false;
    this.picture = new Picture((scene) => this.show(scene));
    /** @type {uPlot | null} */
    this.plot = null;
    this.moving = new Moving(this);
    this.layout = '';
    this.frame = 0;
  }

  /** Returns the pixels of the screen that uPlot's canvas has for one of CSS. It follows a change of devicePixelRatio a moment later. */
  get ratio() { return this.plot ? this.plot.ctx.canvas.width / this.plot.width : devicePixelRatio || 1; }

  /** Returns the size of type relative to the usual one. */
  get scale() { return parseFloat(getComputedStyle(document.documentElement).fontSize) / 14; }

  /** Returns the place that the plotting area has with some axes, in CSS pixels of the element.
   * @param {Axis[]} axes */
  box(axes = this.scene?.axes ?? []) {
    const gutter = Math.round(GUTTER * this.scale);
    const [top, bottom] = [TOP, BOTTOM].map((each) => Math.round(each * this.scale));
    const left = Math.max(1, Math.ceil(axes.length / 2)) * gutter;
    const right = axes.length > 1 ? Math.floor(axes.length / 2) * gutter : EDGE;
    return {
      left, top, right, bottom,
      width: Math.max(50, this.element.clientWidth - left - right),
      height: Math.max(50, this.element.clientHeight - top - bottom),
    };
  }

  /** Shows another period. What was drawn moves with it.
   * @param {number} from @param {number} to */
  move(from, to) {
    this.from = from;
    this.to = to;
    if (!this.moving.follow()) this.refresh();
  }

  /** Makes ready for movements that do not change the length of the period. */
  hold() { if (!this.moving.active) this.moving.begin(); }

  /** Draws the next frame anew. */
  refresh() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      if (this.moving.active) {
        this.moving.begin();
      } else {
        this.plot?.setScale('x', { min: this.from, max: this.to });
      }
    });
  }

  /** Draws the shown period at once, also if pictures move. */
  drawNow() {
    if (this.moving.active) this.moving.end();
    this.plot?.batch(() => this.plot?.setScale('x', { min: this.from, max: this.to }));
  }

  /** Draws loaded data, and shows them as soon as all are drawn.
   * @param {Omit<Scene, 'ratio' | 'perPixel' | 'width' | 'height' | 'curveHeight' | 'stamp' | 'lanes'>} parts @param {Omit<Lane, 'top' | 'height'>[]} lanes */
  draw(parts, lanes) {
    const area = this.box(parts.axes);
    const gaps = lanes.length > 0 ? 8 : 0;
    const wanted = lanes.reduce((sum, lane) => sum + LANE_HEIGHTS[lane.kind], gaps);
    const shrink = Math.min(1, area.height * (parts.axes.length > 0 ? 0.6 : 1) / Math.max(1, wanted));
    let top = parts.axes.length > 0 ? area.height - wanted * shrink + gaps : gaps;
    const placed = lanes.map((lane) => {
      const height = LANE_HEIGHTS[lane.kind] * shrink;
      top += height;
      return { ...lane, top: top - height, height };
    });
    const curveHeight = parts.axes.length > 0 ? area.height - wanted * shrink : 0;
    const perPixel = (this.to - this.from) / area.width;
    const stamp = [perPixel.toPrecision(6), area.height, curveHeight, this.ratio, document.documentElement.dataset.theme, parts.focus,
      JSON.stringify([parts.axes, placed]), parts.names.map(colourOf), [...parts.metadata.values()].filter((each) => each.labels).length].join('|');
    this.picture.draw({ ...parts, lanes: placed, ratio: this.ratio, curveHeight, perPixel, width: area.width, height: area.height, stamp });
  }

  /** @param {Scene} scene */
  show(scene) {
    this.scene = scene;
    const layout = JSON.stringify([this.box(), this.element.clientWidth, this.element.clientHeight]);
    if (layout !== this.layout) {
      this.layout = layout;
      this.build();
    }
    Object.assign(this.element.dataset, { from: this.from, to: this.to, drawn: scene.names.join(',') });
    this.refresh();
    this.shown();
  }

  /** Removes what is shown. */
  clear() {
    this.picture.job++;
    this.moving.remove();
    this.plot?.destroy();
    this.plot = null;
    this.scene = null;
    this.layout = '';
    delete this.element.dataset.drawn;
  }

  build() {
    this.moving.remove();
    this.plot?.destroy();
    const { left, top, right, bottom } = this.box();
    this.plot = new uPlot({
      width: this.element.clientWidth,
      height: this.element.clientHeight,
      padding: [top, right, bottom, left],
      legend: { show: false },
      cursor: {
        x: true, y: false, points: { show: false }, drag: { x: false, y: false, setScale: false },
        bind: { mousedown: () => null, mouseup: () => null, click: () => null, dblclick: () => null },
      },
      scales: { x: { time: false, auto: false } },
      series: [{}],
      // Labels, grid and traces are drawn by one function of the place of a value: none of them can stay behind.
      axes: [{ show: false }, { show: false }],
      hooks: {
        draw: [() => this.paint()],
        setCursor: [(plot) => {
          const x = plot.cursor.left ?? -1;
          this.pointed(x < 0 ? null : this.from + x / plot.over.clientWidth * (this.to - this.from));
        }],
      },
    }, [[this.from, this.to]], this.element);
    this.plot.setScale('x', { min: this.from, max: this.to });
  }

  /** Returns the ticks of an axis of values.
   * @param {Axis} axis */
  valueTicks(axis) { return axis.known ? valueTicks(axis, (this.scene?.curveHeight ?? 0) / (56 * this.scale)) : []; }

  /** Returns the ticks of a period, as dense as they are in the shown one.
   * @param {number} from @param {number} to @param {number} [begin] of the shown period */
  timeTicks(from, to, begin = from) {
    const count = this.box().width / (90 * this.scale);
    return timeTicks(this.zone, from, to, count * (to - from) / (this.to - this.from), begin);
  }

  paint() {
    const { plot, scene } = this;
    if (!plot || !scene) return;
    const { ctx: context, bbox } = plot;
    const palette = colours();
    const { ratio } = this;
    const unit = ratio * this.scale;
    const ticks = this.timeTicks(this.from, this.to);
    this.paintPlot(context, bbox, this.from, this.to, ticks);
    this.paintTimes(context, bbox, this.from, this.to, ticks);
    context.save();
    context.font = 12 * unit + 'px ' + getComputedStyle(document.body).fontFamily;
    context.textBaseline = 'middle';
    scene.axes.forEach((_, i) => this.paintValues(context, bbox, i));
    context.textAlign = 'right';
    for (const lane of scene.lanes) {
      context.fillStyle = palette.series[colourOf(lane.name)];
      context.fillText(shortName(lane.name).split(':').slice(-1)[0], bbox.left - 8 * unit, bbox.top + (lane.top + lane.height / 2) * ratio, (GUTTER - 16) * unit);
    }
    context.restore();
  }

  /** Draws an axis of values.
   * @param {CanvasRenderingContext2D} context @param {Box} box of the plot, which the axes are beside @param {number} i the number of the axis */
  paintValues(context, box, i) {
    const scene = /** @type {Scene} */ (this.scene);
    const axis = scene.axes[i];
    const palette = colours();
    const { ratio } = this;
    const unit = ratio * this.scale;
    const right = i % 2 === 1;
    const outward = (right ? 1 : -1) * unit;
    const edge = (right ? box.left + box.width : box.left) + Math.floor(i / 2) * GUTTER * outward;
    const tone = axis.names.length === 1 && scene.axes.length > 1 ? palette.series[colourOf(axis.names[0])] : palette.muted;
    const ticks = this.valueTicks(axis);
    const texts = tickTexts(ticks, axis.log);
    context.textAlign = right ? 'left' : 'right';
    ticks.forEach((value, j) => {
      const y = box.top + Math.round(scene.curveHeight * ratio * (1 - placeOn(axis, value)));
      context.fillStyle = palette.line;
      context.fillRect(edge + (right ? 0 : 4 * outward), y, 4 * unit, ratio);
      context.fillStyle = tone;
      context.fillText(texts[j], edge + 10 * outward, y, (GUTTER - 12) * unit);
    });
    context.fillStyle = tone;
    context.fillText(axis.unit || axis.key, edge + 10 * outward, box.top - 14 * unit, (GUTTER - 8) * unit);
  }

  /** Draws what is in the plot.
   * @param {CanvasRenderingContext2D} context @param {Box} box of the period in pixels of the screen @param {number} from @param {number} to
   * @param {Ticks} ticks @param {{left: number, right: number}} seen the part in which texts are placed */
  paintPlot(context, box, from, to, ticks, seen = { left: box.left, right: box.left + box.width }) {
    const scene = /** @type {Scene} */ (this.scene);
    const palette = colours();
    const { ratio } = this;
    const unit = ratio * this.scale;
    const x = (/** @type {number} */ time) => box.left + (time - from) / (to - from) * box.width;
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.width, box.height);
    context.clip();
    context.fillStyle = palette.line;
    for (const time of ticks.times) context.fillRect(Math.round(x(time)), box.top, ratio, box.height);
    const axis = scene.axes[0];
    for (const value of axis ? this.valueTicks(axis) : []) {
      context.fillRect(box.left, box.top + Math.round(scene.curveHeight * ratio * (1 - placeOn(axis, value))), box.width, ratio);
    }
    const names = this.hatch(context, box, x, seen, palette);
    context.globalAlpha = this.away ? 0.35 : 1;
    this.picture.copy(context, x, box);
    context.globalAlpha = 1;
    context.font = 12 * unit + 'px ' + getComputedStyle(document.body).fontFamily;
    for (const { middle, room, text } of names) {
      label(context, palette, text, middle, box.top + (scene.curveHeight || scene.height) * ratio / 2, room, unit);
    }
    if (this.now > from && this.now < to) {
      context.fillStyle = palette.accent;
      context.fillRect(Math.round(x(this.now)), box.top, ratio, box.height);
    }
    this.mark(context, box, x, seen, palette, unit);
    context.restore();
  }

  /** Draws the time axis.
   * @param {CanvasRenderingContext2D} context @param {Box} box of the plot, which the axis is below @param {number} from @param {number} to
   * @param {Ticks} ticks */
  paintTimes(context, box, from, to, ticks) {
    const palette = colours();
    const { ratio } = this;
    const unit = ratio * this.scale;
    context.save();
    context.font = 12 * unit + 'px ' + getComputedStyle(document.body).fontFamily;
    context.textAlign = 'center';
    context.textBaseline = 'top';
    ticks.times.forEach((time, i) => {
      const x = Math.round(box.left + (time - from) / (to - from) * box.width);
      const bottom = box.top + box.height;
      context.fillStyle = palette.line;
      context.fillRect(x, bottom, ratio, 6 * ratio);
      context.fillStyle = palette.muted;
      ticks.labels[i].split('\n').forEach((line, row) => context.fillText(line, x, bottom + 10 * ratio + row * 18 * unit));
    });
    context.restore();
  }

  /** Hatches the times without data, and returns their names and places.
   * @param {CanvasRenderingContext2D} context @param {Box} box @param {(time: number) => number} x
   * @param {{left: number, right: number}} seen @param {import('./theme.js').Palette} palette */
  hatch(context, box, x, seen, palette) {
    const scene = /** @type {Scene} */ (this.scene);
    /** @type {Map<string, {from: number, to: number, state: string, groups: Set<string>}>} */
    const gaps = new Map();
    const groups = new Set();
    for (const sheet of scene.sheets) {
      for (const { group, spans } of sheet.coverage) {
        groups.add(group);
        for (const span of spans) {
          if (!QUIET.includes(span.state) && x(span.to) > box.left && x(span.from) < box.left + box.width) {
            const before = [...gaps.values()].find((each) => each.state === span.state && each.groups.has(group) && each.to === span.from);
            if (before) {
              before.to = span.to;
              continue;
            }
            const key = [Math.round(x(span.from)), Math.round(x(span.to)), span.state].join();
            const gap = gaps.get(key) ?? { from: span.from, to: span.to, state: span.state, groups: new Set() };
            gap.groups.add(group);
            gaps.set(key, gap);
          }
        }
      }
    }
    const names = [];
    for (const gap of gaps.values()) {
      const [first, last] = [Math.round(x(gap.from)), Math.round(x(gap.to))];
      const bad = gap.state === 'damaged';
      context.save();
      // The lines begin where the gap begins: they move with it.
      context.translate(first, box.top);
      context.fillStyle = hatching(context, bad ? palette.severity[2] : palette.hatch, bad);
      context.fillRect(0, 0, Math.max(1, last - first), box.height);
      context.restore();
      const all = last > seen.left && first < seen.right ? seen : { left: box.left, right: box.left + box.width };
      const [begin, end] = [Math.max(all.left, first), Math.min(all.right, last)];
      const which = gap.groups.size < groups.size ? ' · ' + [...gap.groups].join(', ') : '';
      names.push({ middle: (begin + end) / 2, room: end - begin, text: t(gap.state) + which });
    }
    return names;
  }

  /** Shows the extreme that the user points at.
   * @param {CanvasRenderingContext2D} context @param {Box} box @param {(time: number) => number} x @param {{left: number, right: number}} seen
   * @param {import('./theme.js').Palette} palette @param {number} unit */
  mark(context, box, x, seen, palette, unit) {
    const height = this.marked && this.heightOf(this.marked);
    if (this.marked && height !== null) {
      const place = { x: x(this.marked.time), y: box.top + height };
      const colour = palette.series[colourOf(this.marked.name)];
      context.lineWidth = 2 * unit;
      context.strokeStyle = colour;
      context.fillStyle = palette.panel;
      context.beginPath();
      context.arc(place.x, place.y, 5 * unit, 0, 7);
      context.fill();
      context.stroke();
      const text = t(this.marked.kind) + ' ' + numberText(this.marked.value, this.scene?.metadata.get(this.marked.name)?.precision) + '  '
        + this.zone.text(this.marked.time, 1);
      const half = context.measureText(text).width / 2 + 8 * unit;
      const middle = Math.min(Math.max(place.x, seen.left + half), seen.right - half);
      label(context, palette, text, middle, place.y + (height > 40 * unit ? -20 : 22) * unit, Infinity, unit);
    }
  }

  /** Returns how far an extreme is below the top of the plot in pixels of the screen, or null if it is not in the plot.
   * @param {Extreme} extreme */
  heightOf(extreme) {
    const axis = this.scene?.axes.find((each) => each.names.includes(extreme.name));
    if (!axis || !this.scene || extreme.time < this.from || extreme.time > this.to) return null;
    return this.scene.curveHeight * this.ratio * (1 - placeOn(axis, extreme.value));
  }

  /** Returns the place of an extreme in the plot in CSS pixels, or null if it is not in it.
   * @param {Extreme} extreme */
  placeOf(extreme) {
    const height = this.heightOf(extreme);
    return height === null ? null : { x: (extreme.time - this.from) / (this.to - this.from) * this.box().width, y: height / this.ratio };
  }
}

/** Writes a text in a box; upright if there is no room for it.
 * @param {CanvasRenderingContext2D} context
 * @param {import('./theme.js').Palette} palette @param {string} text @param {number} x of its middle @param {number} y @param {number} room
 * @param {number} unit */
function label(context, palette, text, x, y, room, unit) {
  const width = context.measureText(text).width + 16 * unit;
  const height = 20 * unit;
  if (room < 16 * unit) return;
  context.save();
  context.translate(x, y);
  if (width > room) context.rotate(-Math.PI / 2);
  context.fillStyle = palette.panel;
  context.strokeStyle = palette.line;
  context.lineWidth = unit;
  context.beginPath();
  context.rect(-width / 2, -height / 2, width, height);
  context.fill();
  context.stroke();
  context.fillStyle = palette.ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(text, 0, 0.5 * unit);
  context.restore();
}
